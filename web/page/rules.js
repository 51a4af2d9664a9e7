// The rules of the game, and its keys.

import { at } from "./dom.js";
import { rulesOf } from "./shelf.js";

// The ways of the moves on the pad.
export const WAYS = ["up and left", "up", "up and right", "left", "stay", "right", "down and left", "down", "down and right"];

export function showRules({ ruleset, pad }) {
  if (pad) {
    const keys = pad.map((move, place) => move && `${move} ${WAYS[place]}`).filter(Boolean);
    at("own-keys").textContent = `Letters of this game: ${keys.join(", ")}.`;
  }
  if (at("ruleset").textContent === ruleset) return;
  at("ruleset").textContent = ruleset;
  at("rules").innerHTML = rulesOf(ruleset).rules;
}
