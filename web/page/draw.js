// Changes the text of a board in the editor.

// The library's view of the text: its rows, the number of lines above them, and the ruleset's glyphs.
let known = null;
let cursor = [1, 1];
const past = [];
const future = [];

export const learn = (drawing) => {
  known = drawing;
  cursor = [Math.min(cursor[0], Math.max(known.rows.length - 1, 0)), Math.min(cursor[1], Math.max(width() - 1, 0))];
};

const width = () => Math.max(0, ...known.rows.map((row) => [...row].length));

// In `theseus`, every other character of every other line is a cell, with walls between cells.
const isCell = ([row, col]) => !known.isWalled || (row % 2 === 1 && col % 2 === 1);
const isWall = ([row, col]) => known.isWalled && (row + col) % 2 === 1;

export const middleOf = ([row, col]) => (known.isWalled ? [col / 2, row / 2] : [col + 0.5, row + 0.5]);
export const cursorAt = () => middleOf(cursor);
export const where = () => `row ${cursor[0] + 1}, column ${cursor[1] + 1}: ${glyphAt(cursor)}`;

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
  past.push(text);
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
  return change(text, known.rows.with(row, cells.join("")));
}

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
  const isGlyph = event.key.length === 1 && known.palette.some(({ glyphs }) => glyphs.includes(event.key));
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
