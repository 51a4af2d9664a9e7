// The moves of the game as a list: a click goes to a position, and other tries stand beside the moves that were made.

import { at, button, item, make } from "./dom.js";
import { game } from "./game.js";

// `goTo` goes to the position after a move.
export function showMoves(goTo) {
  const start = moveButton("Start", game.tree.root, goTo);
  const entries = game.tree.line().map((node) => item(moveButton(node.move, node, goTo), ...otherTries(node, goTo)));
  at("moves").replaceChildren(item(start), ...entries);
  at("told").replaceChildren(...game.position.views.map(({ says }) => make("p", { textContent: says })));
}

function moveButton(text, node, goTo) {
  const made = button(text, () => goTo(node));
  if (node === game.tree.at) made.setAttribute("aria-current", "step");
  return made;
}

const otherTries = (node, goTo) =>
  node.parent.children
    .filter((other) => other !== node)
    .map((other) => Object.assign(moveButton(`or ${other.move}`, other, goTo), { className: "try" }));
