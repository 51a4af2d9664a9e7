// The game on the table: its board, the tree of its moves, and the library's view of the position.

import { at, make } from "./dom.js";
import { capital } from "./words.js";
import { Tree } from "./tree.js";
import { coach, isNews, table } from "./library.js";
import { hideCard, showCard } from "./card.js";
import { inWords } from "./describe.js";
import { openEditor, closeEditor, redraw } from "./editor.js";
import { search } from "./search.js";
import { clearAdvice, tell, showValues } from "./advice.js";
import { originOf, preferRuleset, rulesOf, select, settingsOf } from "./shelf.js";
import { WAYS, showRules } from "./rules.js";
import { showMoves } from "./moves.js";
import * as picture from "./picture.js";
import * as share from "./share.js";

const ARROWS = ["↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘"];
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

// Opens a board that the reader chose, as a new entry in the browser's history.
export async function open(next) {
  history.pushState(null, "", location.href);
  await load(next);
  const { top, bottom } = at("stage").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) document.querySelector(".table").scrollIntoView();
  at("stage").focus({ preventScroll: true });
}

// Loads a board with its game: a line of moves, or the lines of a tree.
export async function load(next) {
  const number = newQuestion();
  const text = await firstOf(next.text).catch(() => next.text);
  if (!isLatest(number)) return;
  const seed = next.seed ?? share.seedOf(text) ?? newSeed();
  const { id = newSeed(), hints = 0, lines = [], now } = next;
  Object.assign(game, { id, text, seed, hints, origin: next.origin ?? originOf(text), tree: Tree.of(lines, now), position: null, known: null });
  coach.stop();
  select(text);
  clearAdvice();
  hideCard();
  if (next.isDrawing) {
    openEditor();
    return redraw();
  }
  try {
    await (await showPosition({ line: next.line ?? "" })).shown;
    closeEditor();
    preferRuleset();
  } catch (error) {
    // The editor shows the faults.
    openEditor();
    if (!(await redraw())) fail(error);
    return;
  }
  await search();
}

// Asks for the current position, after the moves of `line`. When the answer is there, its views begin to be shown.
async function showPosition({ line, walks = false } = {}) {
  const number = newQuestion();
  const played = await table.ask({ ask: "play", ...asked(), ...(line ? { line } : {}) }, 10);
  if (!isLatest(number)) return {};
  if (line) game.tree = Tree.of([played.moves]);
  if (played.refused && !line) game.tree.refuse(played.moves.length);
  game.position = played;
  showRules(played);
  address();
  return { shown: showViews(played, walks, number) };
}

async function showViews(position, walks, number) {
  const { views, name, refused, ruleset, rows, pad, end, mover } = position;
  const isStart = game.tree.length === 0 && end === null;
  showName(name ?? "Unnamed board");
  at("summary").textContent = `${capital(rulesOf(ruleset).summary)}.`;
  at("says").textContent = refused ? `${capital(refused)}.` : isStart ? "The start." : views.map((view) => view.says).join(" ");
  at("words").textContent = inWords(rulesOf(ruleset), rows, pad, mover);
  showControls();
  showMoves();
  const shown = walks ? views : views.slice(-1);
  for (const [step, view] of shown.entries()) {
    if (step > 0) await new Promise((done) => setTimeout(done, 200));
    if (!isLatest(number)) return;
    picture.show(view, walks, runnerAt(position));
  }
  if (mover) picture.ring(runnerAt(position));
  if (end !== null) showCard();
  else hideCard();
  showValues();
}

export function showName(name) {
  const isLong = name.length > LONGEST_NAME;
  at("name").textContent = isLong ? `${name.slice(0, LONGEST_NAME)}…` : name;
  document.title = `${at("name").textContent} - getaway`;
}

// Keeps the game in the browser's history, and shows the board, but no moves, in the address.
export function address() {
  const { id, text, seed, origin, hints, tree, isDrawing, position } = game;
  const hash = share.fragment({ text, origin, settings: settingsOf(position.ruleset), luck: position.isByChance && seed });
  game.hash = hash;
  history.replaceState({ id, text, seed, origin, hints, isDrawing, lines: tree.lines(), now: tree.length }, "", hash);
  at("file").value = boardFile();
}

// Returns the board as a file; with the game only if the reader wants that.
export function boardFile() {
  const { position, text } = game;
  const line = at("with-moves").checked ? position.line : "";
  return share.boardFile({ ...position, settings: settingsOf(position.ruleset), text, line });
}

function showControls() {
  const { pad, legal, end } = game.position;
  at("undo").disabled = game.tree.length === 0;
  at("restart").disabled = game.tree.length === 0;
  at("redo").disabled = !game.tree.at.next;
  at("hint").disabled = end !== null;
  at("solution").disabled = end !== null;
  at("lost").disabled = game.tree.length === 0;
  const buttons = pad.map((move, place) => {
    if (!move) return make("span");
    const button = make("button", { textContent: ARROWS[place], disabled: !legal.includes(move) });
    button.setAttribute("aria-label", `Move ${WAYS[place]} (${move})`);
    button.dataset.move = move;
    button.addEventListener("click", () => play(move));
    return button;
  });
  const focused = document.activeElement?.dataset?.move;
  at("pad").replaceChildren(...buttons);
  if (focused) (at("pad").querySelector(`[data-move="${CSS.escape(focused)}"]:enabled`) ?? at("stage")).focus();
}

// --- Moves ---

export const play = (move) => move && game.position && change(() => game.tree.play(move), true);
export const undo = () => change(() => game.tree.undo());
export const redo = () => change(() => game.tree.redo(), true);
export const restart = () => change(() => (game.tree.at = game.tree.root));
export const goTo = (node) => change(() => game.tree.go(node));

// Moves wait for each other, so that a refused one does not take the next one with it.
let earlier = Promise.resolve();

function change(step, walks = false) {
  earlier = earlier.then(() => changeNow(step, walks));
  return earlier;
}

async function changeNow(step, walks) {
  const before = game.tree.at;
  step();
  if (game.tree.at === before) return;
  tell();
  try {
    const { shown } = await showPosition({ walks });
    shown?.catch(fail);
  } catch (error) {
    game.tree.at = before;
    fail(error);
  }
}

// Starts the game again, with other luck if `seed` is given.
export function again(seed = game.seed) {
  Object.assign(game, { seed, hints: 0, ...(seed === game.seed ? {} : { tree: new Tree() }) });
  game.tree.at = game.tree.root;
  tell();
  at("stage").focus({ preventScroll: true });
  return showPosition().catch(fail);
}
