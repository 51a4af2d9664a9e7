// Fingers, mouse and keys on the board.

import { at } from "./dom.js";
import { hint } from "./advice.js";
import { drawKey, endStroke, paint, redoDrawing, undraw } from "./editor.js";
import { game, runnerAt } from "./game.js";
import * as picture from "./picture.js";
import { play, redo, restart, undo } from "./play.js";

const SWIPE = 24;

// The fingers on the board, and where the only one of them went down; null if it does not play.
const fingers = new Set();
let down = null;

const stage = at("stage");

stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || event.target.closest("button")) return;
  fingers.add(event.pointerId);
  if (fingers.size > 1) return lift();
  down = [event.clientX, event.clientY];
  stage.setPointerCapture(event.pointerId);
  if (game.isDrawing) paint(event);
});
stage.addEventListener("pointermove", (event) => {
  if (!down || !game.isDrawing) return;
  const passed = event.getCoalescedEvents?.() ?? [];
  for (const place of passed.length ? passed : [event]) paint(place);
});
stage.addEventListener("pointercancel", (event) => {
  fingers.delete(event.pointerId);
  lift();
});
stage.addEventListener("pointerup", (event) => {
  fingers.delete(event.pointerId);
  if (!down) return;
  const [x, y] = [event.clientX - down[0], event.clientY - down[1]];
  lift();
  if (game.isDrawing || !game.position) return;
  if (Math.hypot(x, y) >= SWIPE) play(moveTowards(x, y));
  else tap(picture.placeOf(event));
});

function lift() {
  down = null;
  endStroke();
}

function tap(place) {
  const runner = runnerAt(game.position);
  if (!place || !runner) return;
  const [x, y] = [place[0] - runner[0], place[1] - runner[1]];
  play(Math.max(Math.abs(x), Math.abs(y)) < 0.5 ? game.position.pad[4] : moveTowards(x, y));
}

// Returns the move in this direction or, if there is no diagonal move, along the larger component.
function moveTowards(x, y) {
  const { pad } = game.position;
  const step = (part, other) => (Math.abs(part) > Math.abs(other) * Math.tan(Math.PI / 8) ? Math.sign(part) : 0);
  const move = pad[3 * (step(y, x) + 1) + step(x, y) + 1];
  if (move) return move;
  return Math.abs(x) > Math.abs(y) ? pad[4 + Math.sign(x)] : pad[4 + 3 * Math.sign(y)];
}

// --- Keys ---

const PAD = { ArrowUp: 1, ArrowLeft: 3, ArrowRight: 5, ArrowDown: 7, 7: 0, 8: 1, 9: 2, 4: 3, 5: 4, 6: 5, 1: 6, 2: 7, 3: 8, " ": 4 };

function moveOf(key) {
  const { pad, legal } = game.position;
  const typed = [...pad, ...legal].find((move) => move && move.toLowerCase() === key.toLowerCase());
  return typed ?? pad[PAD[key]];
}

const isUndo = ({ ctrlKey, metaKey, altKey, key }) => (ctrlKey || metaKey) && !altKey && ["z", "y"].includes(key.toLowerCase());

// Enter after the end of a game goes on: to the next board, or to another try.
const goOn = () => at(game.position.end ? "next" : "again").click();

function commandOf({ key, shiftKey }) {
  const commands = { Backspace: shiftKey ? redo : undo, Home: restart, "?": hint };
  if (game.position && game.position.end !== null && key === "Enter") return goOn;
  return commands[key] ?? (game.position?.pad && moveOf(key) ? () => play(moveOf(key)) : null);
}

// Buttons take Enter, and outside the game also Space; in the game, Space stays.
function isTaken(target, key) {
  if (target.matches("input, select, textarea, summary")) return true;
  const stays = game.position?.pad?.[4] && !game.isDrawing && target.closest(".table");
  return target.matches("button") && (key === "Enter" || (key === " " && !stays));
}

document.addEventListener("keydown", (event) => {
  const { target, key, shiftKey } = event;
  if (isTaken(target, key)) return;
  if (isUndo(event)) {
    const [back, forth] = game.isDrawing ? [undraw, redoDrawing] : [undo, redo];
    event.preventDefault();
    return key.toLowerCase() === "y" || shiftKey ? forth() : back();
  }
  if (event.ctrlKey || event.altKey || event.metaKey || key === "Tab") return;
  if (game.isDrawing) return target === stage && drawKey(event) && event.preventDefault();
  const command = commandOf(event);
  if (!command) return;
  event.preventDefault();
  command();
});
