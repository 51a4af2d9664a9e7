// The card with the result of a game.

import { at } from "./dom.js";
import { game } from "./game.js";
import { mistake } from "./advice.js";
import { keep } from "./results.js";
import { markSolved } from "./shelf.js";
import { capital, count } from "./words.js";

export function hideCard() {
  at("card").hidden = true;
  at("controls").inert = false;
}

// `goTo` goes to a position of the game.
export function showCard(goTo) {
  const { position, tree } = game;
  if (!position || position.end === null) return;
  const isNew = at("card").hidden;
  const ending = position.views.at(-1).says.split("The end: ").at(-1).replace(/\.$/, "");
  at("card-title").textContent = capital(ending.replace(/^escape\b/i, "escaped"));
  at("card-facts").textContent = facts(position.end, tree.length);
  at("luck").hidden = !position.isByChance;
  at("card").classList.toggle("won", position.end);
  if (!isNew) return;
  if (at("controls").contains(document.activeElement)) at("stage").focus({ preventScroll: true });
  at("controls").inert = true;
  at("card").hidden = false;
  at("card-lost").replaceChildren();
  if (!position.end) mistake(at("card-lost"), goTo);
}

// The number of moves that the best game takes, if it is known.
const parOf = ({ known, position }) => (position.ruleset === "maze" ? known?.whole : known?.length);

function facts(isWon, moves) {
  const parts = [];
  const par = parOf(game);
  const ofMaze = game.position.ruleset === "maze" ? " if no wall moves" : "";
  if (par && !game.known.limit) {
    const over = moves - par;
    parts.push(`Par is ${par}${ofMaze}${!isWon ? "" : over > 0 ? `: ${count(over, "move")} more` : over < 0 ? ": better than par" : ": the fewest possible"}.`);
  }
  parts.push(game.hints ? `${count(game.hints, "hint")} used.` : "No hints used.");
  if (isWon) {
    const best = keep({ ruleset: game.position.ruleset, text: game.text }, { moves, hints: game.hints });
    parts.push(`Your best: ${best.moves}${best.hints ? " with hints" : ""}.`);
    markSolved(game.text);
  }
  return parts.join(" ");
}
