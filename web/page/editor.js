// The editor: draws boards, and shows their faults at their cells.

import { at, item, make } from "./dom.js";
import { address } from "./address.js";
import { fail, firstOf, game, isLatest, newQuestion, showName } from "./game.js";
import { searcher, table } from "./library.js";
import { Tree } from "./tree.js";
import { clearAdvice } from "./advice.js";
import { hideCard } from "./card.js";
import { placeName } from "./describe.js";
import { search } from "./search.js";
import { rulesOf } from "./shelf.js";
import { showRules } from "./rules.js";
import { capital, count } from "./words.js";
import * as draw from "./draw.js";
import * as picture from "./picture.js";

function showMode(draws) {
  game.isDrawing = draws;
  at("mode-draw").setAttribute("aria-pressed", draws);
  at("mode-play").setAttribute("aria-pressed", !draws);
  at("drawing").hidden = !draws;
  at("playing").hidden = draws;
  at("stage").classList.toggle("draws", draws);
}

export function openEditor() {
  showMode(true);
  clearAdvice();
  hideCard();
  draw.open(game.id);
}

export const closeEditor = () => game.isDrawing && showMode(false);

// Draws the board again, and returns the number of faults.
export async function redraw() {
  const number = newQuestion();
  const { text } = game;
  let drawing;
  try {
    drawing = await table.ask({ ask: "draw", text }, 10);
  } catch (error) {
    return fail(error);
  }
  if (!isLatest(number)) return;
  const rules = rulesOf(drawing.ruleset);
  draw.learn(drawing, rules);
  if (at("source").value !== text) at("source").value = text;
  showName(`Drawing: ${drawing.ruleset}`);
  at("summary").textContent = `${capital(rules.summary)}.`;
  showPalette(rules);
  showFaults(drawing, rules);
  game.position = { ruleset: drawing.ruleset, line: "", seed: game.seed, end: null };
  showRules(game.position);
  address();
  const faults = drawing.faults.length;
  if (!faults) search();
  else {
    if (searcher.isBusy) searcher.stop();
    at("verdict").textContent = `Not a valid board yet: ${count(faults, "fault")}.`;
  }
  return faults;
}

function showFaults({ faults, view, above }, rules) {
  // The library names other places by their lines in the text.
  const inCells = (text) => text.replace(/at line (\d+), column (\d+)/g, (_, line, column) => placeName(rules, [line - 1 - above, column - 1]));
  const items = faults.map(({ spot, line, message, help }) => {
    const place = spot ? placeName(rules, spot) : `line ${line} of the text`;
    return item(`${capital(place)}: ${inCells(message)}; ${help}.`);
  });
  at("faults").replaceChildren(...items);
  at("says").textContent = faults.length ? items[0].textContent : "Draw on the board.";
  const marks = faults.filter(({ spot }) => spot).map(({ spot }) => ({ at: draw.middleOf(spot), kind: "fault", text: "!" }));
  try {
    picture.show(view, false, draw.cursorAt());
    picture.mark([...marks, { at: draw.cursorAt(), kind: "mark" }]);
  } catch (error) {
    fail(error);
  }
}

function showPalette({ name, signs, isWalled }) {
  if (at("palette").dataset.ruleset === name) return;
  at("palette").dataset.ruleset = name;
  const legend = at("palette").querySelector("legend");
  // A tap between two cells toggles a wall.
  const choices = signs.filter(({ glyphs }) => !isWalled || !glyphs.includes("|")).map(({ glyphs, word }, number) => {
    const choice = make("input", { type: "radio", name: "glyph", value: glyphs[0], checked: number === 0 });
    const names = [...glyphs].map((glyph) => (glyph === " " ? "space" : glyph));
    const title = names.length > 3 ? `${names[0]} to ${names.at(-1)}` : names.join(" or ");
    return make("label", {}, choice, `${title}: ${word}`);
  });
  at("palette").replaceChildren(legend, ...choices);
}

// Takes a changed text. It is no longer the board that a link could name, and its old moves may not fit.
export async function drawn(text) {
  if (text === null || text === game.text) return redraw();
  Object.assign(game, { text, origin: null, tree: new Tree() });
  await redraw();
}

export const undraw = () => drawn(draw.undo(game.text));
export const redoDrawing = () => drawn(draw.redo(game.text));

export function typed() {
  draw.typed(game.text);
  const { value } = at("source");
  if (value.startsWith("{")) firstOf(value).then(drawn, fail);
  else drawn(value);
}

// --- Strokes ---

let brush = null;

// Puts the chosen glyph on all cells between the last place of a stroke and this one.
export function paint(event) {
  const place = picture.placeOf(event);
  if (!place) return;
  const spot = draw.spotAt(place);
  const isFirst = brush === null;
  if (isFirst) draw.beginStroke();
  const glyph = document.querySelector("[name=glyph]:checked")?.value ?? " ";
  let { text } = game;
  if (isFirst && draw.isWallAt(spot)) text = draw.toggle(text, spot);
  else for (const cell of [...(brush ? draw.line(brush, spot) : [spot])].filter(draw.isCell)) text = draw.put(text, cell, glyph);
  brush = spot;
  draw.go(spot);
  if (text !== game.text) drawn(text);
}

export function endStroke() {
  brush = null;
  draw.endStroke();
}

// Handles a key on the board. Returns whether it was one of the editor's.
export function drawKey(event) {
  const text = draw.key(game.text, event);
  if (text === null) return false;
  drawn(text).then(() => !at("faults").children.length && (at("says").textContent = draw.where()));
  return true;
}
