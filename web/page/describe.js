// A board in words, for screen readers.

import { capital } from "./words.js";

const MOST = 12;
const DIRECTIONS = [["above left", -1, -1], ["above", -1, 0], ["above right", -1, 1], ["left", 0, -1], null, ["right", 0, 1], ["below left", 1, -1], ["below", 1, 0], ["below right", 1, 1]];

const signOf = ({ signs }, glyph) => signs.find(({ glyphs }) => glyphs.includes(glyph));
const glyphAt = (rows, [row, col]) => [...(rows[row] ?? "")][col];

// All places of glyphs with a meaning, as rows and columns of characters.
function placesOf(rules, rows, meaning) {
  const places = [];
  rows.forEach((line, row) => [...line].forEach((glyph, col) => {
    const isCell = !rules.isWalled || (row % 2 === 1 && col % 2 === 1);
    const sign = signOf(rules, glyph);
    if (isCell && sign?.meaning === meaning) places.push({ at: [row, col], word: sign.word });
  }));
  return places;
}

const cellOf = ({ isWalled }, place) => place.map((number) => (isWalled ? (number + 1) / 2 : number + 1));
const named = (rules, place) => cellOf(rules, place).join(",");

// Names a place as the log does: the row and column of its cell, or the side of a cell for a wall between cells.
export function placeName(rules, [row, col]) {
  if (!rules.isWalled) return `at ${row + 1},${col + 1}`;
  const side = (at, before, after) => (at === 0 ? [before, 1] : at % 2 ? ["", (at + 1) / 2] : [after, at / 2]);
  const [[vertical, cellRow], [horizontal, cellCol]] = [side(row, "above ", "below "), side(col, "left of ", "right of ")];
  return `${vertical}${horizontal}` ? `${vertical}${horizontal}${cellRow},${cellCol}` : `at ${cellRow},${cellCol}`;
}

// Says how far a place is from the runner, such as `2 up, 1 left`.
function away(rules, from, to) {
  const [down, right] = cellOf(rules, to).map((number, axis) => number - cellOf(rules, from)[axis]);
  const parts = [];
  if (down) parts.push(`${Math.abs(down)} ${down < 0 ? "up" : "down"}`);
  if (right) parts.push(`${Math.abs(right)} ${right < 0 ? "left" : "right"}`);
  return parts.join(", ") || "here";
}

function neighbour(rules, rows, [row, col], [, down, right]) {
  const step = rules.isWalled ? 2 : 1;
  const between = rules.isWalled ? glyphAt(rows, [row + down, col + right]) : " ";
  const to = glyphAt(rows, [row + step * down, col + step * right]);
  if (to === undefined) return "edge of the board";
  if (between !== " " && between !== undefined) return "wall";
  const sign = signOf(rules, to);
  return !sign || sign.glyphs.includes(rules.empty) ? "free" : sign.word;
}

function listed(rules, from, places) {
  const told = places.slice(0, MOST).map(({ at, word }) => `${word} at ${named(rules, at)} (${away(rules, from, at)})`);
  return places.length > MOST ? [...told, `and ${places.length - MOST} more`] : told;
}

// Says where the runner, the chasers and the goals are, and what is around the runner: of several players, the one to move.
export function inWords(rules, rows, pad, mover) {
  const runners = placesOf(rules, rows, "Runner");
  const runner = runners.find(({ at }) => `${at}` === `${mover}`) ?? runners[0];
  if (!runner) return "No runner is on the board.";
  const size = cellOf(rules, [rows.length - 1, Math.max(...rows.map((row) => row.length)) - 1]).map(Math.floor);
  const around = DIRECTIONS.filter((direction, place) => direction && pad[place])
    .map((direction) => `${direction[0]} ${neighbour(rules, rows, runner.at, direction)}`);
  const others = runners.filter((other) => other !== runner);
  const things = [others, placesOf(rules, rows, "Chaser"), placesOf(rules, rows, "Goal")].map((places) => listed(rules, runner.at, places).join("; "));
  const sentences = [`${runner.word} at ${named(rules, runner.at)} of ${size.join(" rows and ")} columns`, `around: ${around.join(", ")}`, ...things];
  return sentences.filter(Boolean).map((part) => `${capital(part)}.`).join(" ");
}
