// Changes the text of a board in the editor.

import { placeName } from "./describe.js";
import { capital } from "./words.js";

// The library's view of the text: its rows and the number of lines above them; and the ruleset's glyphs.
let known = null;
let cursor = [1, 1];
// The earlier and later texts of each board that was drawn here.
const histories = new Map();
let [past, future] = [[], []];
// Whether a stroke goes on whose first change has been kept.
let [isStroke, isKept] = [false, false];

// Glyphs of which a board has only one: a second one moves the first.
const SINGLE = { jimmy: ["o"], baddies: ["H"], maze: ["R"], dungeon: ["P", "K", "E"], theseus: ["Tt", "Mm"] };

// Continues the drawing of a board.
export function open(id) {
  if (!histories.has(id)) histories.set(id, [[], []]);
  [past, future] = histories.get(id);
}

export const learn = (drawing, rules) => {
  known = { ...rules, ...drawing };
  cursor = [Math.min(cursor[0], Math.max(known.rows.length - 1, 0)), Math.min(cursor[1], Math.max(width() - 1, 0))];
};

export const beginStroke = () => ([isStroke, isKept] = [true, false]);
export const endStroke = () => ([isStroke, isKept] = [false, false]);

// The places from one to another, in steps to neighbours.
export function line([row, col], [toRow, toCol]) {
  const long = Math.max(Math.abs(toRow - row), Math.abs(toCol - col));
  const part = (from, to, step) => Math.round(from + ((to - from) * step) / long);
  return Array.from({ length: long }, (_, step) => [part(row, toRow, step + 1), part(col, toCol, step + 1)]);
}

const width = () => Math.max(0, ...known.rows.map((row) => [...row].length));

// In `theseus`, every other character of every other line is a cell, with walls between cells.
export const isCell = ([row, col]) => !known.isWalled || (row % 2 === 1 && col % 2 === 1);
const isWall = ([row, col]) => known.isWalled && (row + col) % 2 === 1;

export const middleOf = ([row, col]) => (known.isWalled ? [col / 2, row / 2] : [col + 0.5, row + 0.5]);
export const cursorAt = () => middleOf(cursor);
export const where = () => `${capital(placeName(known, cursor))}: ${glyphAt(cursor)}`;

const glyphAt = ([row, col]) => [...(known.rows[row] ?? "")][col] ?? known.empty;

// Returns the row and column of the character at a place, given in cells; near a wall, those of the wall.
export function spotAt([x, y]) {
  if (!known.isWalled) return [Math.floor(y), Math.floor(x)];
  const [row, col] = [2 * Math.floor(y) + 1, 2 * Math.floor(x) + 1];
  const [right, down] = [(x % 1) - 0.5, (y % 1) - 0.5];
  if (Math.max(Math.abs(right), Math.abs(down)) < 0.3) return [row, col];
  return Math.abs(right) > Math.abs(down) ? [row, col + Math.sign(right)] : [row + Math.sign(down), col];
}

export const isWallAt = isWall;

function change(text, rows) {
  if (!isKept) past.push(text);
  isKept = isStroke;
  future.length = 0;
  const lines = text.split("\n");
  lines.splice(known.above, known.rows.length, ...rows);
  known = { ...known, rows };
  return lines.join("\n");
}

export function put(text, [row, col], glyph) {
  const cells = [...(known.rows[row] ?? "")];
  while (cells.length < col) cells.push(known.empty);
  if (cells[col] === glyph) return text;
  cells[col] = glyph;
  return change(text, withoutTwins(known.rows.with(row, cells.join("")), [row, col], glyph));
}

// Removes other glyphs of the same kind, if a board has only one of them.
function withoutTwins(rows, [row, col], glyph) {
  const kind = SINGLE[known.ruleset]?.find((glyphs) => glyphs.includes(glyph));
  if (!kind) return rows;
  const clear = (other, place) => (kind.includes(other) && String(place) !== String([row, col]) && isCell(place) ? left(other) : other);
  return rows.map((line, number) => [...line].map((other, column) => clear(other, [number, column])).join(""));
}

// What stays where an actor was: in `theseus`, small letters stand on an exit.
const left = (glyph) => (known.isWalled && "tm".includes(glyph) ? "E" : blank([1, 1]));

// Toggles a wall.
export function toggle(text, spot) {
  const wall = spot[0] % 2 === 0 ? "-" : "|";
  return put(text, spot, glyphAt(spot) === wall ? " " : wall);
}

export function key(text, event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  if (step) {
    const [rows, cols] = [known.rows.length, width()];
    cursor = [(cursor[0] + step[0] + rows) % rows, (cursor[1] + step[1] + cols) % cols];
    return text;
  }
  if (event.key === " " && isWall(cursor)) return toggle(text, cursor);
  if ([" ", "Delete", "Backspace"].includes(event.key)) return put(text, cursor, blank(cursor));
  const isGlyph = event.key.length === 1 && known.signs.some(({ glyphs }) => glyphs.includes(event.key));
  return isGlyph ? put(text, cursor, event.key) : null;
}

export const go = (spot) => (cursor = spot);

const blank = (spot) => (isCell(spot) && known.rows.some((row) => row.includes(".")) ? "." : known.empty);

// Returns whether a frame surrounds the board; edits keep the frame.
const isFramed = () => {
  const isEdge = (row) => /^\+[+-]+$/.test(row ?? "");
  return isEdge(known.rows[0]) && isEdge(known.rows.at(-1)) && known.rows.slice(1, -1).some((row) => row.startsWith("|"));
};

export function addRow(text) {
  const cols = width();
  const empty = known.isWalled ? " " : blank([1, 1]);
  const inside = isFramed() ? `|${empty.repeat(cols - 2)}|` : empty.repeat(Math.max(cols, 1));
  const between = known.isWalled ? ["+ ".repeat((cols - 1) / 2) + "+"] : [];
  const at = known.rows.length - (isFramed() ? 1 : 0);
  return change(text, known.rows.toSpliced(at, 0, ...between, inside));
}

export function removeRow(text) {
  const count = known.isWalled ? 2 : 1;
  const at = known.rows.length - count - (isFramed() ? 1 : 0);
  return at < 1 ? text : change(text, known.rows.toSpliced(at, count));
}

export function addColumn(text) {
  const rows = known.rows.map((row, number) => {
    const isLine = isFramed() && (number === 0 || number === known.rows.length - 1);
    const more = known.isWalled ? (number % 2 ? "  " : isLine ? "+-" : "+ ") : isLine ? "-" : blank([1, 1]);
    return isFramed() ? row.slice(0, -1) + more + row.slice(-1) : row + more;
  });
  return change(text, rows);
}

export function removeColumn(text) {
  const count = known.isWalled ? 2 : 1;
  if (width() <= count + (isFramed() ? 2 : 1)) return text;
  const cut = (row) => (isFramed() ? row.slice(0, -count - 1) + row.slice(-1) : row.slice(0, -count));
  return change(text, known.rows.map(cut));
}

const restore = (from, to, text) => {
  if (!from.length) return text;
  to.push(text);
  return from.pop();
};

export const undo = (text) => restore(past, future, text);
export const redo = (text) => restore(future, past, text);
export const typed = (before) => {
  past.push(before);
  future.length = 0;
};

// Returns a new board with its runner and, where the game has one, a goal.
export function newBoard(ruleset, rows, cols) {
  const inside = (glyphs) => (row, col) => glyphs[`${row},${col}`] ?? ".";
  const ends = ([runner, goal]) => inside({ [`${rows - 1},${cols - 1}`]: goal, "0,0": runner });
  const middle = inside({ [`${rows >> 1},${cols >> 1}`]: "o" });
  const glyph = { jimmy: middle, baddies: ends("H*"), maze: ends("R*"), dungeon: ends("PE"), theseus: ends("TE") }[ruleset];
  const row = (number) => Array.from({ length: cols }, (_, col) => glyph(number, col));
  const all = Array.from({ length: rows }, (_, number) => row(number));
  const framed = { dungeon: framedRoom, theseus: framedMaze }[ruleset] ?? ((cells) => cells.map((line) => line.join("")));
  return [`; ruleset: ${ruleset}`, ...framed(all), ""].join("\n");
}

function framedRoom(cells) {
  const edge = "-".repeat(cells[0].length + 2);
  return [edge, ...cells.map((line) => `|${line.join("")}|`), edge];
}

function framedMaze(cells) {
  const edge = `+${"-+".repeat(cells[0].length)}`;
  const open = `+${" +".repeat(cells[0].length)}`;
  return [edge, ...cells.flatMap((line, number) => [...(number ? [open] : []), `|${line.join(" ")}|`]), edge];
}
