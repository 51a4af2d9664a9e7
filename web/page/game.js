// The game on the table: its board, the tree of its moves, and the library's view of the position.

import { at } from "./dom.js";
import { isNews, table } from "./library.js";
import { Tree } from "./tree.js";
import { capital } from "./words.js";

const LONGEST_NAME = 200;

export const game = {
  id: "", text: "", seed: "0", origin: null, tree: new Tree(), position: null,
  // The number of hints, whether the solution was shown, and the verdict on the board.
  hints: 0, known: null,
  isDrawing: false, hash: "",
};

// The number of the latest question about a position; answers to earlier ones are discarded.
let latest = 0;
export const newQuestion = () => ++latest;
export const isLatest = (number) => number === latest;

export const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);
export const asked = () => ({ text: game.text, seed: game.seed, moves: game.tree.moves });

// The middle of the cell of the runner: with several players, of the one whose turn it is.
export function runnerAt({ mover, views }) {
  return mover ? [mover[1] + 0.5, mover[0] + 0.5] : views.at(-1).runner;
}

export const fail = (error) => isNews(error) && (at("says").textContent = `${capital(error.message)}.`);

export async function firstOf(text) {
  const [first] = await table.ask({ ask: "boards", text }, 20);
  return first?.text ?? text;
}

export function showName(name) {
  const isLong = name.length > LONGEST_NAME;
  at("name").textContent = isLong ? `${name.slice(0, LONGEST_NAME)}…` : name;
  document.title = `${at("name").textContent} - getaway`;
}
