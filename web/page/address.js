// The game as a link, a file, and an entry in the browser's history.

import { at } from "./dom.js";
import { game } from "./game.js";
import { settingsOf } from "./shelf.js";
import * as share from "./share.js";

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
