// Plays the game on the table, and shows its positions.

import { address } from "./address.js";
import { clearAdvice, showValues, tell } from "./advice.js";
import { hideCard, showCard } from "./card.js";
import { inWords } from "./describe.js";
import { at, make } from "./dom.js";
import { closeEditor, openEditor, redraw } from "./editor.js";
import { asked, fail, firstOf, game, isLatest, newQuestion, newSeed, runnerAt, showName } from "./game.js";
import { coach, table } from "./library.js";
import { showMoves } from "./moves.js";
import * as picture from "./picture.js";
import { WAYS, showRules } from "./rules.js";
import { search } from "./search.js";
import * as share from "./share.js";
import { originOf, preferRuleset, rulesOf, select } from "./shelf.js";
import { Tree } from "./tree.js";
import { capital } from "./words.js";

const ARROWS = ["↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘"];

// Opens a board that the reader chose, as a new entry in the browser's history.
export async function open(next) {
  history.pushState(null, "", location.href);
  await load(next);
  const { top, bottom } = at("stage").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) document.querySelector(".table").scrollIntoView();
  at("stage").focus({ preventScroll: true });
}

// Loads a board with its game: a line of moves, or the lines of a tree.
export async function load(next) {
  const number = newQuestion();
  const text = await firstOf(next.text).catch(() => next.text);
  if (!isLatest(number)) return;
  const seed = next.seed ?? share.seedOf(text) ?? newSeed();
  const { id = newSeed(), hints = 0, lines = [], now } = next;
  Object.assign(game, { id, text, seed, hints, origin: next.origin ?? originOf(text), tree: Tree.of(lines, now), position: null, known: null });
  coach.stop();
  select(text);
  clearAdvice();
  hideCard();
  if (next.isDrawing) {
    openEditor();
    return redraw();
  }
  try {
    await (await showPosition({ line: next.line ?? "" })).shown;
    closeEditor();
    preferRuleset();
  } catch (error) {
    // The editor shows the faults.
    openEditor();
    if (!(await redraw())) fail(error);
    return;
  }
  if (await search()) showCard(goTo);
}

// Goes to the editor or back to the game. A board that was not changed keeps its game.
export function setDrawing(draws) {
  if (draws === game.isDrawing) return;
  if (!draws) return load({ ...game, isDrawing: false, lines: game.tree.lines(), now: game.tree.length });
  openEditor();
  redraw();
}

// Asks for the current position, after the moves of `line`. When the answer is there, its views begin to be shown.
async function showPosition({ line, walks = false } = {}) {
  const number = newQuestion();
  const played = await table.ask({ ask: "play", ...asked(), ...(line ? { line } : {}) }, 10);
  if (!isLatest(number)) return {};
  if (line) game.tree = Tree.of([played.moves]);
  if (played.refused && !line) game.tree.refuse(played.moves.length);
  game.position = played;
  showRules(played);
  address();
  return { shown: showViews(played, walks, number) };
}

async function showViews(position, walks, number) {
  const { views, name, refused, ruleset, rows, pad, end, mover } = position;
  const isStart = game.tree.length === 0 && end === null;
  showName(name ?? "Unnamed board");
  at("summary").textContent = `${capital(rulesOf(ruleset).summary)}.`;
  at("says").textContent = refused ? `${capital(refused)}.` : isStart ? "The start." : views.map((view) => view.says).join(" ");
  at("words").textContent = inWords(rulesOf(ruleset), rows, pad, mover);
  showControls();
  showMoves(goTo);
  const shown = walks ? views : views.slice(-1);
  for (const [step, view] of shown.entries()) {
    if (step > 0) await new Promise((done) => setTimeout(done, 200));
    if (!isLatest(number)) return;
    picture.show(view, walks, runnerAt(position));
  }
  if (mover) picture.ring(runnerAt(position));
  if (end !== null) showCard(goTo);
  else hideCard();
  showValues();
}

function showControls() {
  const { pad, legal, end } = game.position;
  at("undo").disabled = game.tree.length === 0;
  at("restart").disabled = game.tree.length === 0;
  at("redo").disabled = !game.tree.at.next;
  at("hint").disabled = end !== null;
  at("solution").disabled = end !== null;
  at("lost").disabled = game.tree.length === 0;
  const buttons = pad.map((move, place) => {
    if (!move) return make("span");
    const button = make("button", { textContent: ARROWS[place], disabled: !legal.includes(move) });
    button.setAttribute("aria-label", `Move ${WAYS[place]} (${move})`);
    button.dataset.move = move;
    button.addEventListener("click", () => play(move));
    return button;
  });
  const focused = document.activeElement?.dataset?.move;
  at("pad").replaceChildren(...buttons);
  if (focused) (at("pad").querySelector(`[data-move="${CSS.escape(focused)}"]:enabled`) ?? at("stage")).focus();
}

// --- Moves ---

export const play = (move) => move && game.position && change(() => game.tree.play(move), true);
export const undo = () => change(() => game.tree.undo());
export const redo = () => change(() => game.tree.redo(), true);
export const restart = () => change(() => (game.tree.at = game.tree.root));
export const goTo = (node) => change(() => game.tree.go(node));

// Moves wait for each other, so that a refused one does not take the next one with it.
let earlier = Promise.resolve();

function change(step, walks = false) {
  earlier = earlier.then(() => changeNow(step, walks));
  return earlier;
}

async function changeNow(step, walks) {
  const before = game.tree.at;
  step();
  if (game.tree.at === before) return;
  tell();
  try {
    const { shown } = await showPosition({ walks });
    shown?.catch(fail);
  } catch (error) {
    game.tree.at = before;
    fail(error);
  }
}

// Starts the game again, with other luck if `seed` is given.
export function again(seed = game.seed) {
  Object.assign(game, { seed, hints: 0, ...(seed === game.seed ? {} : { tree: new Tree() }) });
  game.tree.at = game.tree.root;
  tell();
  at("stage").focus({ preventScroll: true });
  return showPosition().catch(fail);
}
