// Hints, the values of moves, the mistake that lost the game, and the solution.

import { at, button, item, make } from "./dom.js";
import { asked, game, runnerAt } from "./game.js";
import { coach, isNews } from "./library.js";
import { stoppable } from "./search.js";
import { brief, brieflyOf, isKnown, isLost, value } from "./words.js";
import * as picture from "./picture.js";

const SECONDS = 25;
const STEP = 450;
const TOO_HARD = `too hard within ${SECONDS} s`;

let showsValues = false;
// The number of the solution that is being shown, or 0.
let showing = 0;
let shown = 0;

export const tell = (...nodes) => at("advice").replaceChildren(...nodes);

export function clearAdvice() {
  stopSolution();
  tell();
}

// Asks about the game. Returns null if the game has changed in the meantime, or the question was superseded.
async function ask(question, what) {
  const { at: node } = game.tree;
  const still = () => node === game.tree.at;
  const searching = setTimeout(() => still() && tell(`Searching for ${what}.`), 300);
  try {
    const answer = await stoppable(coach, "thinking", () => coach.ask({ ask: question, game: asked(), seconds: SECONDS }, SECONDS + 10));
    return still() ? answer : null;
  } catch (error) {
    if (isNews(error) && still()) tell(`No ${what.replace(/^(a|the) /, "")}: ${error.message === "stopped" ? "stopped" : TOO_HARD}.`);
    return null;
  } finally {
    clearTimeout(searching);
  }
}

// The best move, or null if the search knows too little to recommend one.
function recommended({ best, value: worth, moves }) {
  const mine = moves.find(({ move }) => move === best)?.value ?? worth;
  const isGuess = mine.bounds && mine.bounds[0] === 0 && mine.bounds[1] === 1;
  return best && isKnown(mine) && !isGuess ? best : null;
}

export async function hint() {
  if (game.position?.end !== null) return;
  const answer = await ask("advise", "a hint");
  if (!answer) return;
  const best = recommended(answer);
  if (!best) return tell(`No hint: ${TOO_HARD}.`);
  game.hints += 1;
  tell(`Hint: ${best} (${value(answer.value)}).`);
  at("pad").querySelector(`[data-move="${CSS.escape(best)}"]`)?.classList.add("hinted");
  const step = stepOf(best);
  const runner = runnerAt(game.position);
  if (runner && step) picture.mark([{ at: [runner[0] + step[0], runner[1] + step[1]], kind: "mark" }]);
}

// The step of a move on the pad, as columns and rows.
function stepOf(move) {
  const place = game.position.pad.indexOf(move);
  return place < 0 ? null : [(place % 3) - 1, Math.floor(place / 3) - 1];
}

// --- Values ---

export function toggleValues() {
  showsValues = !showsValues;
  at("values").setAttribute("aria-pressed", showsValues);
  tell();
  picture.mark([]);
  at("pad").querySelectorAll("small").forEach((node) => node.remove());
  at("worths").replaceChildren();
  showValues();
}

export async function showValues() {
  if (!showsValues || game.position?.end !== null) return at("worths").replaceChildren();
  const answer = await ask("advise", "the values");
  if (!answer || !showsValues) return;
  const graded = grades(answer.moves);
  tell(isKnown(answer.value) ? `Now: ${value(answer.value)}.` : `No values: ${TOO_HARD}.`);
  at("worths").replaceChildren(...graded.map(({ move, value: worth }) => item(`${move}: ${value(worth)}`)));
  for (const { move, grade, text } of graded) {
    const key = at("pad").querySelector(`[data-move="${CSS.escape(move)}"]`);
    if (!key) continue;
    key.classList.add("valued", grade);
    key.append(make("small", { textContent: text }));
    key.setAttribute("aria-label", `${key.getAttribute("aria-label").split(":")[0]}: ${text}`);
  }
  const runner = runnerAt(game.position);
  const directions = graded.map(({ move, ...look }) => ({ step: stepOf(move), ...look })).filter(({ step }) => step);
  if (runner) picture.arrows(runner, directions);
}

// A number by which moves compare: higher is better.
function rank({ escapes, length, bounds, food, lives }) {
  if (bounds) return bounds[0] + bounds[1];
  if (escapes || food) return 1e9 - (length ?? 1e6);
  return lives === "forever" ? -1 : (lives ?? 0) - 1e6;
}

// Grades each move: one of the best, good, or lost.
function grades(moves) {
  const best = Math.max(...moves.map((move) => rank(move.value)));
  const isNear = (worth) => Math.abs(rank(worth) - best) < 1e-6;
  return moves.map(({ move, value: worth }) => {
    const grade = !isKnown(worth) ? "unsure" : isLost(worth) ? "bad" : isNear(worth) ? "good" : "fair";
    return { move, value: worth, grade, text: brief(worth) };
  });
}

// --- Mistakes ---

export const lost = (goTo) => mistake(at("advice"), goTo);

// Says in `place` which move lost the game. `goTo` goes to the position before it.
export async function mistake(place, goTo) {
  const answer = await ask("lost", "the mistake");
  if (!answer) return;
  const tell = (...nodes) => place.replaceChildren(...nodes);
  if (answer.isLostFromStart) return tell("It was lost from the start: there is no way out.");
  if (!answer.mistake) {
    const isMaze = game.position.ruleset === "maze";
    return tell(isMaze ? "In a maze, count your steps: a detour loses nothing else." : `No move was a mistake. At the start: ${value(answer.start)}.`);
  }
  const { number, move, value: worth, better, was } = answer.mistake;
  const before = game.tree.line()[number - 2] ?? game.tree.root;
  const jump = button("Show", () => goTo(before));
  jump.setAttribute("aria-label", `Show move ${number}`);
  const isLoss = isLost(worth) && was.escapes;
  const what = isLoss ? `You lost it on move ${number}, ${move}.` : `Move ${number}, ${move}, cost the most: ${brieflyOf(worth)}.`;
  tell(make("span", { textContent: `${what} Better: ${better} (${brieflyOf(was)}).` }), jump);
}

// --- The solution ---

function stopSolution() {
  showing = 0;
  at("solution").setAttribute("aria-pressed", "false");
}

// Plays the best moves with `play` from here to the end, or until the reader does something else.
export async function solution(play) {
  if (showing) return stopSolution();
  const mine = (showing = ++shown);
  at("solution").setAttribute("aria-pressed", "true");
  while (showing === mine && game.position.end === null) {
    const answer = await ask("advise", "the solution");
    if (showing !== mine || !answer) break;
    const best = recommended(answer);
    if (!best || isLost(answer.value)) {
      tell(best ? "No solution: there is no way out from here." : `No solution: ${TOO_HARD}.`);
      break;
    }
    game.hints += 1;
    await play(best);
    const node = game.tree.at;
    await new Promise((done) => setTimeout(done, STEP));
    if (node !== game.tree.at) break;
  }
  if (showing === mine) stopSolution();
}
