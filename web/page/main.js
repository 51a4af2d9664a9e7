// Starts the page, and connects its buttons.

import { boardFile } from "./address.js";
import { hint, lost, solution, toggleValues } from "./advice.js";
import { daily, loadFirst, makePuzzle, newBoard, next, openBoards, pick, previous } from "./choosing.js";
import { at, button } from "./dom.js";
import * as draw from "./draw.js";
import { drawn, redoDrawing, typed, undraw } from "./editor.js";
import { asked, fail, game, newSeed, showName } from "./game.js";
import "./keys.js";
import { begin, data, module, table } from "./library.js";
import * as picture from "./picture.js";
import { again, goTo, load, play, redo, restart, setDrawing, undo } from "./play.js";
import { showRules } from "./rules.js";
import { stop } from "./search.js";
import * as share from "./share.js";
import { addBoards, boardOf, fill, firstBoard, rulesetNames, rulesOf, settingsOf } from "./shelf.js";
import { capital } from "./words.js";

// --- Sharing ---

const isLocal = location.protocol === "file:";
const here = () => `${location.origin === "null" ? location.href.split("#")[0] : location.origin + location.pathname}`;

function link(withMoves) {
  const { text, origin, seed, position } = game;
  const settings = settingsOf(position.ruleset);
  return here() + share.fragment({ text, origin, settings, luck: position.isByChance && seed, line: withMoves && position.line });
}

async function copy(text, what) {
  const isCopied = await share.copy(text, at("file"));
  const told = !isCopied ? "Copying failed: copy the text by hand." : `Copied.${what === "link" && isLocal ? " This link works on this computer only." : ""}`;
  at("says").textContent = told;
  at("shared").textContent = told;
}

async function challenge() {
  const result = at("card-title").textContent;
  const text = `${at("name").textContent}: ${result.charAt(0).toLowerCase()}${result.slice(1)}. And you?`;
  const url = link(false);
  if (navigator.share && !isLocal && matchMedia("(pointer: coarse)").matches) return navigator.share({ text, url }).catch(() => {});
  await copy(`${text} ${url}`, "link");
}

const nameOfFile = () => share.slug(game.position?.name ?? game.position?.ruleset ?? "board");

async function picturesOf(format, type) {
  try {
    const { bytes } = await table.ask({ ask: "picture", game: asked(), format }, 20);
    share.download(`${nameOfFile()}.${format}`, bytes, type);
  } catch (error) {
    fail(error);
  }
}

const showFile = () => game.position && (at("file").value = boardFile());

// --- Buttons ---

const actions = {
  undo, redo, restart, hint, values: toggleValues, stop, next, previous, undraw,
  lost: () => lost(goTo),
  solution: () => solution(play),
  again: () => again(),
  back: undo,
  luck: () => again(newSeed()),
  challenge,
  "card-next": next,
  another: makePuzzle,
  "mode-play": () => setDrawing(false),
  "mode-draw": () => setDrawing(true),
  "more-rows": () => drawn(draw.addRow(game.text)),
  "less-rows": () => drawn(draw.removeRow(game.text)),
  "more-cols": () => drawn(draw.addColumn(game.text)),
  "less-cols": () => drawn(draw.removeColumn(game.text)),
  redraw: redoDrawing,
  "copy-link": async () => copy(link(at("with-moves").checked), "link"),
  "copy-text": () => copy(at("file").value, "text"),
  download: () => share.download(`${nameOfFile()}.txt`, at("file").value),
  svg: () => picturesOf("svg", "image/svg+xml"),
  png: () => picturesOf("png", "image/png"),
  gif: () => picturesOf("gif", "image/gif"),
  html: () => picturesOf("html", "text/html"),
};

for (const [id, action] of Object.entries(actions)) at(id).addEventListener("click", action);
at("shelf").addEventListener("change", () => pick(Number(at("shelf").value)));
at("with-moves").addEventListener("change", showFile);
at("source").addEventListener("input", typed);
for (const [form, action] of [["make", makePuzzle], ["new-board", newBoard]])
  at(form).addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });

// --- Files and texts from outside ---

const openFile = async (file) => file && openBoards(await file.text(), file.name);

at("open").addEventListener("change", ({ target }) => openFile(target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});
document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  if (!text.trim() || event.target.closest("input, textarea")) return;
  event.preventDefault();
  if (game.isDrawing) {
    draw.typed(game.text);
    drawn(text);
  } else openBoards(text, "Pasted boards");
});

// --- The browser's history ---

window.addEventListener("popstate", ({ state }) => state && load(state));
window.addEventListener("hashchange", () => {
  if (!history.state && location.hash !== game.hash) follow(share.gameOf(location.hash));
});

// Opens what a link describes, or the first board.
async function follow(linked) {
  if (!linked) return loadFirst();
  try {
    const board = linked.text ? linked : await boardOf(linked.origin);
    if (!board) throw new Error("this page does not have the board of this link");
    await load({ ...linked, text: board.text });
  } catch (error) {
    await loadFirst();
    fail(error);
  }
}

// --- The start ---

// Shows a board before the solver has arrived.
function preview(board, view) {
  showName(board.name ?? "Unnamed board");
  at("summary").textContent = `${capital(rulesOf(board.ruleset).summary)}.`;
  showRules(board);
  if (view) picture.show(view);
  else picture.sketch(board.text.trimEnd().split("\n").filter((row) => !row.startsWith(";")));
}

async function start() {
  const own = at("boards").textContent.trim();
  const linked = history.state ?? share.gameOf(location.hash);
  const { shelf, rulesets, view } = await data();
  fill({ shelf, rulesets });
  for (const id of ["make-ruleset", "new-ruleset"]) at(id).replaceChildren(...rulesetNames().map((name) => new Option(name)));
  at("daily").append(...rulesetNames().map((name) => button(name, () => daily(name))));
  const shown = linked?.origin?.puzzle ? await boardOf(linked.origin) : firstBoard();
  if (!linked?.text && shown && !own) preview(shown, shown === firstBoard() && view);
  at("stuck").remove();
  if (document.hidden) begin();
  else requestAnimationFrame(() => setTimeout(begin));
  await module;
  if (own) await addBoards(own, "Boards of this page").catch(fail);
  if (history.state) await load(history.state);
  else if (linked) await follow(linked);
  else if (own) await load({ text: at("boards").textContent });
  else await loadFirst();
}

at("rules-panel").open = matchMedia("(min-width: 900px)").matches;
start().catch((error) => {
  at("verdict").textContent = `The solver did not start: ${error.message}. A server that sends a Content-Security-Policy must allow 'wasm-unsafe-eval' and worker-src blob: for this page.`;
});
