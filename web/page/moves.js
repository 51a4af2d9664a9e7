// The moves of the game as a list: a click goes to a position, and other tries stand beside the moves that were made.

import { at, button, item, make } from "./dom.js";
import { game, goTo } from "./play.js";

export function showMoves() {
  const start = moveButton({ move: "Start", parent: null }, game.tree.root);
  const entries = game.tree.line().map((node) => item(moveButton(node, node), ...otherTries(node)));
  at("moves").replaceChildren(item(start), ...entries);
  at("told").replaceChildren(...game.position.views.map(({ says }) => make("p", { textContent: says })));
}

function moveButton({ move }, node) {
  const made = button(move, () => goTo(node));
  if (node === game.tree.at) made.setAttribute("aria-current", "step");
  return made;
}

const otherTries = (node) =>
  node.parent.children.filter((other) => other !== node).map((other) => {
    const made = button(`or ${other.move}`, () => goTo(other));
    made.className = "try";
    return made;
  });
