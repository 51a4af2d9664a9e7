// Verdicts, values and results in words. The page has one wording for each of them.

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

// Probabilities are rounded, but a rounded one never looks impossible or certain.
export function odds(probability) {
  if (probability === 0) return "0 %";
  const percent = (100 * probability).toFixed(2);
  if (percent === "0.00") return "below 0.01 %";
  return percent === "100.00" ? "above 99.99 %" : `${percent} %`;
}

const UNKNOWN = "not known yet";

export function oddsBetween([lower, upper]) {
  const [least, most] = [odds(lower), odds(upper)];
  if (upper - lower <= 1e-6 || least === most) return odds((lower + upper) / 2);
  const [isLow, isHigh] = [lower < 0.00005, upper >= 0.99995];
  if (isLow && isHigh) return UNKNOWN;
  if (isHigh) return `at least ${least}`;
  return isLow ? `at most ${most}` : `between ${least} and ${most}`;
}

// The value of a position or of a move, as the library gives it.
export function value({ escapes, length, lives, bounds, food }) {
  if (bounds) return bounds[1] === 0 ? "no escape" : `escape with a probability of ${oddsBetween(bounds)}`;
  if (food) return `food in ${count(length, "step")}`;
  if (food === false) return "no way to food";
  if (escapes) return length === null ? "escape" : `escape in ${count(length, "move")}`;
  if (escapes === undefined) return "unknown";
  if (lives === "forever") return "no escape, but survives forever";
  return lives === null ? "no escape" : `caught after ${count(lives, "move")}`;
}

// The same in a sentence about a mistake, with odds as a number alone.
export const brieflyOf = (worth) => (worth.bounds ? oddsBetween(worth.bounds) : value(worth));

// The same on an arrow: the number of moves, the probability in percent, or a cross for a lost move.
export function brief({ escapes, length, bounds, food }) {
  const middle = bounds && 100 * (bounds[0] + bounds[1]) / 2;
  if (bounds && bounds[1] > 0) return middle < 1 ? "<1 %" : `${middle >= 99.5 ? ">99" : Math.round(middle)} %`;
  if (escapes || food) return length === null ? "✓" : String(length);
  return escapes === undefined && food === undefined && !bounds ? "?" : "✕";
}

export const isKnown = ({ escapes, bounds, food }) => escapes !== undefined || food !== undefined || bounds !== undefined;
export const isLost = ({ escapes, bounds, food }) => escapes === false || food === false || bounds?.[1] === 0;

const LEVELS = [[2, "very easy"], [4.25, "easy"], [7.5, "medium"], [12, "hard"], [Infinity, "very hard"]];
const levelOf = (bits) => LEVELS.find(([most]) => bits < most)[1];

const difficulty = (bits) => `Difficulty: ${levelOf(bits)} (${bits.toFixed(1)} bits).`;
const luck = (probability) => `Difficulty: ${probability >= 0.7 ? "easy" : probability >= 0.4 ? "medium" : probability >= 0.05 ? "hard" : "very hard"}.`;

// Describes a verdict: the best result (par), or the probability of escape or its bounds. `isOver` says that no search goes on.
export function verdict(known, isOver, isDrawing) {
  const { line, length, direction, limit, states } = known;
  const parts = limit && !isOver ? ["Searching."] : [];
  if (limit && isOver) parts.push("Too hard for this page.");
  parts.push(...answer(known));
  if (line && limit) parts.push(`The way found after ${count(states, "state")} may not be the shortest.`);
  if (isDrawing && line) parts.push(`A shortest line is ${line}.`);
  if (isDrawing && direction >= 0 && length !== null) parts.push(`The first step is ${["up", "right", "down", "left"][direction]}.`);
  return parts.join(" ");
}

function answer({ verdict, length, whole, bounds, certain, probability, limit, states, reason, survives, bits }) {
  const known = typeof bits === "number" ? [difficulty(bits)] : [];
  if (verdict === "undecided") return [limit ? `Undecided after ${count(states, "state")}.` : "A board without exactly one player has no answer."];
  if (verdict === "food") return [`Food: the nearest is ${count(length, "step")} away.`, ...(whole ? [`Par for all food is ${count(whole, "step")} if no wall moves.`] : [])];
  if (verdict === "no-food") return ["No food: there is no way to it."];
  if (verdict === "caught") {
    const told = survives ? "Caught: there is no way out, but the runner can survive forever." : "Caught: there is no way out.";
    return reason ? [told, `${capital(reason)}.`] : [told];
  }
  if (!bounds) return [`Escape: par is ${count(length, "move")}.`, ...known];
  if (certain) return ["Escape: best play escapes with certainty."];
  const chance = limit || probability === null ? oddsBetween(bounds) : odds(probability);
  if (chance === UNKNOWN) return ["Escape is possible; its probability is not known yet."];
  return [`Probability of escape under best play: ${chance}.`, ...(limit || probability === null ? [] : [luck(probability)])];
}
