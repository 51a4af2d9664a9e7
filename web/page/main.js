import { Library, SUPERSEDED, data } from "./library.js";
import * as draw from "./draw.js";
import * as picture from "./picture.js";
import * as share from "./share.js";

const at = (id) => document.getElementById(id);
// One worker answers quick questions, one searches, and one gives advice.
const [table, searcher, coach] = [new Library(), new Library(), new Library()];
// The time limits of successive searches, in seconds. Each result is shown before the next search.
const PATIENCE = [0.8, 5, 25];
const ARROWS = ["↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘"];
const WAYS = ["up and left", "up", "up and right", "left", "stay", "right", "down and left", "down", "down and right"];

let game = { text: "", moves: [], seed: "0" };
let future = [];
let position = null;
let shelf = [];
let rulesets = [];
let isDrawing = false;
let showsValues = false;
// The number of the latest board or search; answers to earlier ones are discarded.
let latest = 0;

// --- Playing ---

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const fail = (error) => {
  if (error.message !== SUPERSEDED) at("says").textContent = `${capital(error.message)}.`;
};

async function firstOf(text) {
  const [first] = await table.ask({ ask: "boards", text }, 20);
  return first?.text ?? text;
}

async function load(next) {
  const text = await firstOf(next.text).catch(() => next.text);
  game = { text, moves: [], seed: next.seed ?? share.seedOf(text) ?? newSeed() };
  future = [];
  coach.stop();
  at("shelf").value = shelf.findIndex((board) => board.text === text);
  position = null;
  tell();
  if (isDrawing) return redraw();
  try {
    await refresh({ line: next.line ?? "" });
  } catch (error) {
    // The editor shows the faults.
    showMode(true);
    if (!(await redraw())) fail(error);
    return;
  }
  if (showsValues) advise();
  await search();
}

const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

async function refresh({ walks = false, line } = {}) {
  const number = ++latest;
  const played = await table.ask({ ask: "play", ...game, ...(line === undefined ? {} : { line }) }, 10);
  if (number !== latest) return;
  const isNew = position?.ruleset !== played.ruleset;
  position = played;
  game.moves = played.moves;
  if (isNew) showRules();
  remember();
  await showViews(played, walks, number);
}

async function showViews({ views, name, refused }, walks, number) {
  const isStart = game.moves.length === 0;
  at("name").textContent = name ?? "Unnamed board";
  at("says").textContent = refused
    ? `${refused}.`
    : isStart && position.end === null
      ? "The start."
      : views.map((view) => view.says).join(" ");
  showControls();
  const shown = walks ? views : views.slice(-1);
  for (const [step, view] of shown.entries()) {
    if (step > 0) await new Promise((done) => setTimeout(done, 200));
    if (number !== latest) return;
    picture.show(view, walks);
  }
}

const remember = () => {
  const hash = share.fragment({ ...position, text: game.text });
  if (location.hash !== hash) history.replaceState(null, "", hash);
  at("file").value = share.boardFile({ ...position, text: game.text });
};

function showControls() {
  const { pad, legal, end } = position;
  at("undo").disabled = game.moves.length === 0;
  at("restart").disabled = game.moves.length === 0;
  at("redo").disabled = future.length === 0;
  at("hint").disabled = end !== null;
  at("lost").disabled = game.moves.length === 0;
  const buttons = pad.map((move, place) => {
    if (!move) return document.createElement("span");
    const button = document.createElement("button");
    button.textContent = ARROWS[place];
    button.setAttribute("aria-label", `Move ${WAYS[place]} (${move})`);
    button.dataset.move = move;
    button.disabled = !legal.includes(move);
    button.addEventListener("click", () => play(move));
    return button;
  });
  const focused = document.activeElement?.dataset?.move;
  at("pad").replaceChildren(...buttons);
  if (focused) (at("pad").querySelector(`[data-move="${focused}"]:enabled`) ?? at("stage")).focus();
}

const play = (move) => move && position && goTo([...game.moves, move], future.at(-1) === move ? future.slice(0, -1) : [], true);

async function goTo(moves, rest, walks = false) {
  const before = [game.moves, future];
  game.moves = moves;
  future = rest;
  tell();
  try {
    await refresh({ walks });
    if (showsValues) advise();
  } catch (error) {
    [game.moves, future] = before;
    fail(error);
  }
}

const undo = () => game.moves.length && goTo(game.moves.slice(0, -1), [...future, game.moves.at(-1)]);
const redo = () => future.length && play(future.at(-1));
const restart = () => game.moves.length && goTo([], [...future, ...game.moves.toReversed()]);

// --- Searching ---

// Shows a stop button, unless the work is short.
async function stoppable(library, what, work) {
  if (library.isBusy) library.stop();
  const soon = setTimeout(() => {
    at("stop").textContent = `Stop ${what}`;
    at("stop").hidden = false;
  }, 300);
  try {
    return await work();
  } finally {
    clearTimeout(soon);
    at("stop").hidden = !searcher.isBusy && !coach.isBusy;
  }
}

async function search() {
  const { text } = game;
  const verdict = at("verdict");
  verdict.textContent = "";
  let known = null;
  try {
    await stoppable(searcher, "searching", async () => {
      for (const seconds of PATIENCE) {
        known = await searcher.ask({ ask: "solve", text, seconds }, seconds + 10);
        if (text !== game.text) return;
        verdict.textContent = inWords(known);
        performance.mark("verdict");
        if (known.limit !== "timed out") break;
      }
    });
    if (known?.limit && text === game.text) verdict.textContent = `This board is too hard for this page. ${inWords(known)}`;
  } catch (error) {
    if (text !== game.text || error.message === SUPERSEDED) return;
    verdict.textContent = `${capital(error.message)}. ${known ? inWords(known) : "There is no result yet."}`;
  }
}

const percent = (probability) => `${(100 * probability).toFixed(2)}%`;
const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

// Describes the verdict: the best result (par), the probability of escape, or its bounds.
function inWords({ verdict, line, length, direction, bounds, certain, probability, limit, states, reason, survives, difficulty }) {
  const parts = [];
  if (verdict === "undecided" && !limit) parts.push("A board without exactly one player has no answer");
  else if (verdict === "undecided") parts.push(`Undecided: ${limit} after ${count(states, "state")}`);
  else if (verdict === "food") parts.push(`Food: par is ${count(length, "step")}`);
  else if (verdict === "no-food") parts.push("No food: there is no way to it");
  else if (verdict === "caught") parts.push(survives ? "Caught: there is no way out, but the runner can survive forever" : "Caught: there is no way out");
  else if (bounds) parts.push(limit ? `Escape is possible: ${limit} after ${count(states, "state")}` : "Escape is possible");
  else parts.push(`Escape: par is ${count(length, "move")}`);
  if (line && limit) parts.push(`perhaps not the shortest: ${limit} after ${count(states, "state")}`);
  if (certain) parts.push("best play escapes with certainty");
  else if (verdict === "caught") {
    // The probability is 0.
  } else if (probability !== null) parts.push(`probability of escape under best play ${percent(probability)}`);
  else if (bounds) parts.push(`probability of escape under best play between ${percent(bounds[0])} and ${percent(bounds[1])}`);
  if (difficulty) parts.push(`difficulty ${difficulty}`);
  if (isDrawing && line) parts.push(`a shortest line is ${line}`);
  if (isDrawing && direction >= 0) parts.push(`the first step is ${["up", "right", "down", "left"][direction]}`);
  if (reason) parts.push(reason);
  return `${parts.join("; ")}.`;
}

const tell = (...nodes) => at("advice").replaceChildren(...nodes);

// Asks about the game. Does not call `show` if the game has changed in the meantime.
async function ask(question, show) {
  const { moves } = game;
  const asked = { ask: question, game: { ...game }, seconds: 20 };
  try {
    const answer = await stoppable(coach, "thinking", () => coach.ask(asked, 30));
    if (moves === game.moves) show(answer);
  } catch (error) {
    if (error.message !== SUPERSEDED) tell(`No advice: ${error.message}.`);
  }
}

const hint = () =>
  ask("advise", ({ best, worth }) => {
    if (!best) return tell(`No hint: ${worth}.`);
    tell(`Hint: ${best} (${worth}).`);
    at("pad").querySelector(`[data-move="${CSS.escape(best)}"]`)?.classList.add("hinted");
    const place = position.pad.indexOf(best);
    const { runner } = position.views.at(-1);
    if (!runner || place < 0) return;
    const target = [runner[0] + (place % 3) - 1, runner[1] + Math.floor(place / 3) - 1];
    picture.mark([{ at: target, kind: "mark" }]);
  });

const item = (text) => Object.assign(document.createElement("li"), { textContent: text });

const advise = () =>
  ask("advise", ({ worth, moves }) => {
    if (!showsValues) return;
    const list = document.createElement("ul");
    list.append(...moves.map(({ move, worth }) => item(`${move}: ${worth}`)));
    tell(`Now: ${worth}.`, list);
  });

const lost = () =>
  ask("lost", ({ mistake, isLostFromStart, start }) => {
    if (isLostFromStart) return tell("It was lost from the start: there is no way out.");
    if (!mistake) return tell(`No move was a mistake. At the start: ${start}.`);
    const { number, move, worth, better, was } = mistake;
    tell(`Move ${number}, ${move}, cost the most: ${was} before it, ${worth} after it. Better: ${better}.`);
  });

// --- Drawing ---

function showMode(draws) {
  isDrawing = draws;
  at("mode-draw").setAttribute("aria-pressed", draws);
  at("mode-play").setAttribute("aria-pressed", !draws);
  at("drawing").hidden = !draws;
  at("playing").hidden = draws;
}

function setDrawing(draws) {
  showMode(draws);
  game.line = position?.line;
  if (draws) redraw();
  else load(game);
}

// Draws the board again, and returns the number of faults.
async function redraw() {
  const number = ++latest;
  const { text } = game;
  let drawing;
  try {
    drawing = await table.ask({ ask: "draw", text }, 10);
  } catch (error) {
    return fail(error);
  }
  if (number !== latest) return;
  draw.learn(drawing);
  if (at("source").value !== text) at("source").value = text;
  at("name").textContent = `Drawing: ${drawing.ruleset}`;
  showPalette(drawing);
  showFaults(drawing);
  position = { ruleset: drawing.ruleset, line: game.line ?? "", seed: game.seed };
  showRules();
  remember();
  const faults = drawing.faults.length;
  if (faults) {
    if (searcher.isBusy) searcher.stop();
    at("verdict").textContent = `Not a valid board yet: ${count(faults, "fault")}.`;
  } else search();
  return faults;
}

function showFaults({ faults, view }) {
  const items = faults.map(({ spot, line, column, message, help }) => {
    const place = spot ? `row ${spot[0] + 1}, column ${spot[1] + 1}` : `line ${line}, column ${column}`;
    return item(`${place}: ${message}; ${help}`);
  });
  at("faults").replaceChildren(...items);
  at("says").textContent = faults.length ? items[0].textContent : "";
  const marks = faults.filter(({ spot }) => spot).map(({ spot }) => ({ at: draw.middleOf(spot), kind: "fault", text: "!" }));
  try {
    picture.show(view);
    picture.mark([...marks, { at: draw.cursorAt(), kind: "mark" }]);
  } catch (error) {
    fail(error);
  }
}

function showPalette({ palette, ruleset, isWalled }) {
  if (at("palette").dataset.ruleset === ruleset) return;
  at("palette").dataset.ruleset = ruleset;
  const legend = at("palette").querySelector("legend");
  // A tap between two cells toggles a wall.
  const choices = palette.filter(({ glyphs }) => !isWalled || !glyphs.includes("|")).map(({ glyphs, word }, number) => {
    const label = document.createElement("label");
    const choice = document.createElement("input");
    Object.assign(choice, { type: "radio", name: "glyph", value: glyphs[0], checked: number === 0 });
    const names = [...glyphs].map((glyph) => (glyph === " " ? "space" : glyph));
    const name = names.length > 3 ? `${names[0]} to ${names.at(-1)}` : names.join(" or ");
    label.append(choice, `${name}: ${word}`);
    return label;
  });
  at("palette").replaceChildren(legend, ...choices);
}

async function drawn(text) {
  if (text === null) return;
  game = { ...game, text, moves: [], line: "" };
  await redraw();
}

let brush = null;

function paint(event) {
  const place = picture.placeOf(event);
  if (!place) return;
  const spot = draw.spotAt(place);
  if (brush === String(spot)) return;
  const isFirst = brush === null;
  brush = String(spot);
  draw.go(spot);
  const glyph = document.querySelector("[name=glyph]:checked")?.value ?? " ";
  if (draw.isWallAt(spot)) isFirst && drawn(draw.toggle(game.text, spot));
  else drawn(draw.put(game.text, spot, glyph));
}

// --- Fingers, mouse and keys ---

const SWIPE = 24;
let down = null;

const stage = at("stage");
stage.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) return;
  down = [event.clientX, event.clientY];
  if (isDrawing) paint(event);
});
stage.addEventListener("pointermove", (event) => down && isDrawing && paint(event));
stage.addEventListener("pointercancel", () => (down = brush = null));
stage.addEventListener("pointerup", (event) => {
  if (!down) return;
  const [x, y] = [event.clientX - down[0], event.clientY - down[1]];
  down = brush = null;
  if (isDrawing || !position) return;
  if (Math.hypot(x, y) >= SWIPE) play(moveTowards(x, y));
  else tap(picture.placeOf(event));
});

function tap(place) {
  const runner = position.views.at(-1).runner;
  if (!place || !runner) return;
  const [x, y] = [place[0] - runner[0], place[1] - runner[1]];
  play(Math.max(Math.abs(x), Math.abs(y)) < 0.5 ? position.pad[4] : moveTowards(x, y));
}

// Returns the move in this direction or, if there is no diagonal move, along the larger component.
function moveTowards(x, y) {
  const step = (part, other) => (Math.abs(part) > Math.abs(other) * Math.tan(Math.PI / 8) ? Math.sign(part) : 0);
  const move = position.pad[3 * (step(y, x) + 1) + step(x, y) + 1];
  if (move) return move;
  return Math.abs(x) > Math.abs(y) ? position.pad[4 + Math.sign(x)] : position.pad[4 + 3 * Math.sign(y)];
}

const PAD = { ArrowUp: 1, ArrowLeft: 3, ArrowRight: 5, ArrowDown: 7, 7: 0, 8: 1, 9: 2, 4: 3, 5: 4, 6: 5, 1: 6, 2: 7, 3: 8, " ": 4 };

function moveOf(key) {
  const { pad, legal } = position;
  const typed = [...pad, ...legal].find((move) => move && move.toLowerCase() === key.toLowerCase());
  return typed ?? pad[PAD[key]];
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (target.matches("input, select, textarea, summary") || (target.matches("button") && [" ", "Enter"].includes(key))) return;
  if (event.ctrlKey || event.altKey || event.metaKey || key === "Tab") return;
  if (isDrawing) {
    if (target !== stage) return;
    const text = draw.key(game.text, event);
    if (text === null) return;
    event.preventDefault();
    drawn(text).then(() => (at("says").textContent ||= draw.where()));
    return;
  }
  const commands = { Backspace: event.shiftKey ? redo : undo, Home: restart, "?": hint };
  const command = commands[key] ?? (position && moveOf(key) ? () => play(moveOf(key)) : null);
  if (!command) return;
  event.preventDefault();
  command();
});

// --- Boards ---

function showRules() {
  const { name, rules } = rulesets.find((entry) => entry.name === position.ruleset);
  at("ruleset").textContent = name;
  at("rules").innerHTML = rules;
}

function showShelf() {
  const groups = new Map();
  shelf.forEach(({ group, name, ruleset }, number) => {
    if (!groups.has(group)) groups.set(group, Object.assign(document.createElement("optgroup"), { label: group }));
    const option = new Option(name ?? `${ruleset}, board ${number + 1}`, number);
    groups.get(group).append(option);
  });
  const other = Object.assign(new Option("Another board", -1), { hidden: true });
  at("shelf").replaceChildren(other, ...groups.values());
}

function pick(number) {
  load(shelf.at(number % shelf.length));
}

// Returns the number of the board on the shelf, or -1 if it is not from the shelf.
const picked = () => Number(at("shelf").value);

async function addBoards(text, group) {
  const boards = await table.ask({ ask: "boards", text }, 20);
  if (boards.length === 0) throw new Error("this file has no board");
  shelf = [...boards.map((board) => ({ ...board, group })), ...shelf];
  showShelf();
}

async function make(event) {
  event.preventDefault();
  const number = (id) => (at(id).value ? Number(at(id).value) : null);
  const question = {
    ask: "make", ruleset: at("make-ruleset").value, level: at("make-level").value, rows: number("make-rows"),
    cols: number("make-cols"), seed: Number(newSeed()), seconds: 20,
  };
  try {
    const { text } = await stoppable(searcher, "making a board", () => searcher.ask(question, 40));
    if (isDrawing) showMode(false);
    await load({ text });
  } catch (error) {
    fail(error);
  }
}

const actions = {
  undo, redo, restart, hint, lost,
  values: () => {
    showsValues = !showsValues;
    at("values").setAttribute("aria-pressed", showsValues);
    tell();
    if (showsValues) advise();
  },
  stop: () => [searcher, coach].forEach((library) => library.stop("stopped")),
  "mode-play": () => isDrawing && setDrawing(false),
  "mode-draw": () => isDrawing || setDrawing(true),
  "more-rows": () => drawn(draw.addRow(game.text)),
  "less-rows": () => drawn(draw.removeRow(game.text)),
  "more-cols": () => drawn(draw.addColumn(game.text)),
  "less-cols": () => drawn(draw.removeColumn(game.text)),
  undraw: () => drawn(draw.undo(game.text)),
  redraw: () => drawn(draw.redo(game.text)),
  previous: () => pick(picked() - 1),
  next: () => pick(picked() + 1),
  "copy-link": async () => copied(await share.copy(location.href, at("file"))),
  "copy-text": async () => copied(await share.copy(at("file").value, at("file"))),
  download: () => share.download("board.txt", at("file").value),
};
const copied = (isCopied) => (at("says").textContent = isCopied ? "Copied." : "Copying failed: copy the text by hand.");

for (const [id, action] of Object.entries(actions)) at(id).addEventListener("click", action);
at("shelf").addEventListener("change", () => pick(Number(at("shelf").value)));
at("make").addEventListener("submit", make);
at("open").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  await addBoards(await file.text(), file.name).then(() => pick(0), fail);
});
at("source").addEventListener("input", () => {
  draw.typed(game.text);
  const { value } = at("source");
  if (value.startsWith("{")) firstOf(value).then(drawn, fail);
  else drawn(value);
});
window.addEventListener("hashchange", () => {
  const linked = share.gameOf(location.hash);
  if (linked && location.hash !== share.fragment({ ...position, text: game.text })) load(linked);
});

// --- The start ---

const own = at("boards").textContent.trim();
const linked = share.gameOf(location.hash);
({ shelf, rulesets } = await data());
at("rules-panel").open = matchMedia("(min-width: 900px)").matches;
at("make-ruleset").replaceChildren(...rulesets.map(({ name }) => new Option(name)));
showShelf();
if (own) await addBoards(own, "Boards of this page").catch(fail);
if (linked) load(linked);
else pick(own ? 0 : shelf.findIndex(({ isFirst }) => isFirst));
