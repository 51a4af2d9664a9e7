// The boards to choose from: those of this page and of files, and those that links name.

import { at, make } from "./dom.js";
import { game } from "./game.js";
import { searcher, table } from "./library.js";
import { bestOf } from "./results.js";
import { stoppable } from "./search.js";
import { movesOf, plain, slug } from "./share.js";

let shelf = [];
let rulesets = [];
// The number of the last board that was chosen here.
let last = 0;

export const rulesOf = (ruleset) => rulesets.find(({ name }) => name === ruleset);
export const settingsOf = (ruleset) => rulesOf(ruleset)?.settings ?? [];
export const rulesetNames = () => rulesets.map(({ name }) => name);

// Boards are the same if their rows, names and settings are.
const essence = (text) => plain(text, rulesets.flatMap(({ settings }) => settings));
const numberOf = (text) => {
  const wanted = essence(text);
  return shelf.findIndex((board) => (board.essence ??= essence(board.text)) === wanted);
};

export function fill(data) {
  rulesets = data.rulesets;
  const seen = new Map();
  shelf = data.shelf.map((board) => {
    const key = `${board.ruleset}/${slug(board.name)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return { ...board, key: seen.get(key) > 1 ? `${key}-${seen.get(key)}` : key };
  });
  showShelf();
}

function showShelf() {
  const groups = new Map();
  shelf.forEach((board, number) => {
    if (!groups.has(board.group)) groups.set(board.group, make("optgroup", { label: board.group }));
    groups.get(board.group).append(new Option(titleOf(board, number), number));
  });
  const other = Object.assign(new Option("Another board", -1), { hidden: true });
  at("shelf").replaceChildren(other, ...groups.values());
}

function titleOf(board, number) {
  const best = bestOf(board);
  const name = board.name ?? `${board.ruleset}, board ${number + 1}`;
  return best ? `✓ ${name} (best ${best.moves}${best.hints ? ", with hints" : ""})` : name;
}

export function markSolved(text) {
  const number = numberOf(text);
  const option = at("shelf").querySelector(`option[value="${number}"]`);
  if (number >= 0) option.textContent = titleOf(shelf[number], number);
}

export function select(text) {
  const number = numberOf(text);
  at("shelf").value = number;
  if (number >= 0) last = number;
}

export const firstBoard = () => shelf.find(({ isFirst }) => isFirst) ?? shelf[0];

// Names a board that every copy of this page has.
export function originOf(text) {
  const { key } = shelf[numberOf(text)] ?? {};
  return key ? { puzzle: key } : null;
}

// Returns the board that a link names, or null if there is none.
export async function boardOf(origin) {
  if (origin.puzzle) return shelf.find(({ key }) => key === origin.puzzle) ?? null;
  if (origin.daily) return table.ask({ ask: "daily", ruleset: origin.daily, date: origin.date }, 20);
  const { make: ruleset, level, seed, rows = null, cols = null } = origin;
  const size = (text) => (text === null ? null : Number(text));
  const question = { ask: "make", ruleset, level, rows: size(rows), cols: size(cols), seed: Number(seed), seconds: 20 };
  return stoppable(searcher, "making a board", () => searcher.ask(question, 40));
}

// Returns the board with this number, with the moves that its file has.
export function numbered(number) {
  const board = shelf.at(number % shelf.length);
  return { text: board.text, line: board.isFile ? movesOf(board.text) : "" };
}

// Returns the board that stands this many places after the last one chosen.
export const following = (steps) => numbered(last + steps);

// Adds boards that the reader opened, dropped or pasted, before all others.
export async function addBoards(text, group) {
  const boards = await table.ask({ ask: "boards", text }, 20);
  if (boards.length === 0) throw new Error("this file has no board");
  shelf = [...boards.map((board) => ({ ...board, group, isFile: true })), ...shelf];
  last += boards.length;
  showShelf();
}

// The form makes puzzles of the game on the table, unless the reader changes that.
export const preferRuleset = () => game.position && (at("make-ruleset").value = game.position.ruleset);
