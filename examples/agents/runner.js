// A runner for Node that steps away from the nearest chaser and ignores its goal. Start here and make it smarter.
const STEPS = { U: [-1, 0], R: [0, 1], D: [1, 0], L: [0, -1] };
for (const [number, key] of [..."qweasdzxc"].entries()) {
  STEPS[key] = [Math.floor(number / 3) - 1, (number % 3) - 1];
}

function choose({ actor, actors, legal }) {
  const [row, col] = actors.find(({ id }) => id === actor).at;
  const chasers = actors.filter(({ id }) => id !== actor);
  const safety = (move) => {
    const [down, right] = STEPS[move] ?? [0, 0];
    const far = ({ at: [r, c] }) => Math.abs(row + down - r) + Math.abs(col + right - c);
    return Math.min(...chasers.map(far));
  };
  return legal.reduce((best, move) => (safety(move) > safety(best) ? move : best));
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") console.log('{"type": "hello", "protocol": 1}');
  if (message.type === "move") console.log(JSON.stringify({ move: choose(message) }));
});
