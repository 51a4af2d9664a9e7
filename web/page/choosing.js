// Opens boards: those of the shelf and of files, the daily boards, and new ones.

import { at } from "./dom.js";
import * as draw from "./draw.js";
import { fail, newSeed } from "./game.js";
import { load, open } from "./play.js";
import { addBoards, boardOf, firstBoard, following, numbered } from "./shelf.js";

export const pick = (number) => open(numbered(number));
export const next = () => open(following(1));
export const previous = () => open(following(-1));
export const openBoards = (text, group) => addBoards(text, group).then(() => pick(0), fail);
export const loadFirst = () => load({ text: firstBoard().text });

export function newBoard() {
  const size = (id) => Math.min(Math.max(Number(at(id).value) || 8, 2), 40);
  const text = draw.newBoard(at("new-ruleset").value, size("new-rows"), size("new-cols"));
  return open({ text, id: newSeed(), isDrawing: true });
}

// Makes a puzzle by the wishes of the form. Its seed and these wishes name it in links.
export async function makePuzzle() {
  const size = (id) => (at(id).value ? { [id.replace("make-", "")]: at(id).value } : {});
  const wishes = { make: at("make-ruleset").value, level: at("make-level").value, ...size("make-rows"), ...size("make-cols") };
  try {
    const { text } = await boardOf({ ...wishes, seed: newSeed() });
    const [, seed] = /^;\s*name:.* (\d+)$/m.exec(text) ?? [];
    await open({ text, origin: seed ? { ...wishes, seed } : null });
  } catch (error) {
    fail(error);
  }
}

// Opens today's board of a game. The date is the reader's.
export async function daily(ruleset) {
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const origin = { daily: ruleset, date };
  try {
    await open({ ...(await boardOf(origin)), origin });
  } catch (error) {
    fail(error);
  }
}
