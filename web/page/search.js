// Searches the board for its verdict, for longer and longer.

import { at, make } from "./dom.js";
import { game } from "./game.js";
import { SUPERSEDED, coach, searcher } from "./library.js";
import { capital, verdict } from "./words.js";

// The time limits of successive searches, in seconds. Each result is shown before the next search.
const PATIENCE = [0.8, 5, 25];

// Shows a stop button, unless the work is short.
export async function stoppable(library, what, work) {
  if (library.isBusy) library.stop();
  const soon = setTimeout(() => {
    at("stop").replaceChildren("Stop", make("span", { className: "unseen", textContent: ` ${what}` }));
    at("stop").hidden = false;
  }, 300);
  try {
    return await work();
  } finally {
    clearTimeout(soon);
    at("stop").hidden = !searcher.isBusy && !coach.isBusy;
  }
}

export const stop = () => [searcher, coach].forEach((library) => library.stop("stopped"));

// Returns whether the board is still the same at the end.
export async function search() {
  const { text, isDrawing } = game;
  const tell = (told) => (at("verdict").textContent = told);
  const isCurrent = () => text === game.text;
  tell("Searching.");
  game.known = null;
  try {
    await stoppable(searcher, "searching", async () => {
      for (const seconds of PATIENCE) {
        const known = await searcher.ask({ ask: "solve", text, seconds }, seconds + 10);
        if (!isCurrent()) return;
        game.known = known;
        const isOver = known.limit !== "timed out" || seconds === PATIENCE.at(-1);
        tell(verdict(known, isOver, isDrawing));
        performance.mark("verdict");
        if (isOver) break;
      }
    });
    return isCurrent();
  } catch (error) {
    if (!isCurrent() || error.message === SUPERSEDED) return false;
    tell(`${capital(error.message)}. ${game.known ? verdict(game.known, true, isDrawing).replace("Too hard for this page. ", "") : "There is no result yet."}`);
    return false;
  }
}
