// `PROGRAM=... node --test test.mjs` uses the page's WebAssembly to decide all boards of the folders in FOLDERS, by default `puzzles` and
// `tests/cases`. It compares each answer with the program's. LIMIT is the time limit for each board.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import * as share from "./page/share.js";
import { Tree } from "./page/tree.js";
import * as words from "./page/words.js";

const { PROGRAM, FOLDERS, LIMIT = "20" } = process.env;
const here = import.meta.dirname;
const dist = join(here, "dist");
const { ask, decide, rulesets } = createRequire(import.meta.url)(join(dist, "node", "getaway.js"));
const question = (of) => JSON.parse(ask(JSON.stringify(of)));

const folders = FOLDERS ? FOLDERS.split(":") : [join(here, "..", "puzzles"), join(here, "..", "tests", "cases")];
// Large levels take minutes, so they are skipped unless FOLDERS is set.
const left = FOLDERS ? /answers|steps/ : /answers|steps|slow|real/;
const isBoards = (file) => /\.(txt|jsonl)$/.test(file) && !left.test(file);
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter(isBoards)
    .map((file) => join(folder, file)),
);

// Returns the program's answer to a text. The exit code is not 0 if boards are undecided or invalid.
const program = (text) => {
  const limits = ["--timeout", LIMIT, "--max-memory", "512M"];
  const options = { input: text, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] };
  try {
    return execFileSync(resolve(PROGRAM), ["check", "--json", "--no-timing", ...limits, "-"], options);
  } catch (error) {
    return error.stdout;
  }
};

test("the page has the WebAssembly that is tested here", () => {
  const page = readFileSync(join(dist, "getaway.html"), "utf8");
  const [, packed] = /<script id="library" type="text\/plain">([^<]*)</.exec(page);
  const wasm = readFileSync(join(dist, "node", "getaway.wasm"));
  assert.ok(gunzipSync(Buffer.from(packed, "base64")).equals(wasm));
  const bytes = Buffer.byteLength(page);
  assert.ok(bytes <= 2_000_000, `${bytes} bytes`);
});

test("the page asks for nothing from elsewhere", () => {
  const page = readFileSync(join(dist, "getaway.html"), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)[1];
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+'; /);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'? |https?:|\*/);
  assert.doesNotMatch(page, /\s(src|href)="(?!data:)[^"#]/);
  assert.doesNotMatch(page, /\sstyle="|\son\w+="/);
});

// If a limit cut an answer short, the answers agree if their bounds overlap.
const isCut = (...answers) => answers.some(({ limit }) => limit);
const agree = (...answers) => {
  const verdicts = new Set(answers.map(({ verdict }) => verdict).filter((verdict) => verdict !== "undecided"));
  const [[lower, upper], [least, most]] = answers.map(({ bounds = [0, 1] }) => bounds);
  return verdicts.size <= 1 && lower <= most && least <= upper;
};

test("every board has the program's answer, with the same moves and odds", () => {
  let [boards, cut] = [0, 0];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const [answers, expected] = [decide(text, Number(LIMIT)), program(text)].map((lines) => lines.split("\n"));
    assert.equal(answers.length, expected.length, file);
    for (const [number, line] of expected.entries()) {
      if (answers[number] === line) continue;
      const both = [answers[number], line].map((answer) => JSON.parse(answer));
      assert.ok(isCut(...both) && agree(...both), `${file}, board ${number + 1}: ${answers[number]}, but ${line}`);
      cut += 1;
    }
    boards += expected.length - 1;
  }
  console.log(`${boards} boards in ${files.length} files; a limit cut ${cut} answers short`);
  assert.ok(FOLDERS || cut === 0, `${cut} answers cut short`);
  assert.ok(FOLDERS || boards > 1500, `${boards} boards`);
});

const MAZE = readFileSync(join(here, "..", "puzzles", "theseus", "01-a-maze.txt"), "utf8");

test("games are played, and refused moves are explained", () => {
  const start = question({ ask: "play", text: MAZE });
  assert.equal(start.end, null);
  assert.ok(start.legal.length > 0 && start.views.length === 1);
  const refused = question({ ask: "play", text: MAZE, moves: ["X"] });
  assert.match(refused.refused, /X/);
  assert.match(question({ ask: "play", text: "?" }).error, /./);
});

test("luck belongs to the seed and the position", () => {
  const text = readFileSync(join(here, "..", "puzzles", "dungeon", "42-two-ghosts-and-their-cooldowns.txt"), "utf8");
  const play = (seed) => {
    let game = question({ ask: "play", text, seed });
    for (let turn = 0; turn < 4 && game.legal.length; turn++) game = question({ ask: "play", text, seed, moves: [...game.moves, game.legal[0]] });
    return JSON.stringify(game.views);
  };
  assert.equal(play("7"), play("7"));
  assert.notEqual(play("7"), play("8"));
});

test("the move that lost is named", () => {
  const rows = ["########", "#......#", "##.....#", "#.......", "#......#", "#.##..g#", "#..o...#", "########"];
  const text = `; ruleset: jimmy\n${rows.join("\n")}\n`;
  const { mistake } = question({ ask: "lost", game: { text, line: "R" }, seconds: 5 });
  assert.deepEqual([mistake.number, mistake.move, mistake.better], [1, "R", "L"]);
});

test("an unfinished search gives the bounds known", () => {
  const text = readFileSync(join(here, "..", "puzzles", "dungeon", "42-two-ghosts-and-their-cooldowns.txt"), "utf8");
  const known = question({ ask: "solve", text, seconds: 0 });
  assert.match(known.limit, /time/);
  assert.ok(known.bounds === undefined || known.bounds[0] <= known.bounds[1]);
});

test("new boards have the ruleset and the size that was asked for", () => {
  for (const ruleset of ["jimmy", "baddies", "maze", "dungeon", "theseus"]) {
    const made = question({ ask: "make", ruleset, level: "easy", rows: null, cols: null, seed: 1, seconds: 60 });
    const [board] = question({ ask: "boards", text: made.text });
    assert.equal(board.ruleset, ruleset);
  }
  const made = question({ ask: "make", ruleset: "jimmy", level: "easy", rows: 6, cols: 7, seed: 1, seconds: 60 });
  const { rows } = question({ ask: "draw", text: made.text });
  assert.deepEqual([rows.length, rows[0].length], [6, 7]);
  assert.match(question({ ask: "make", ruleset: "jimmy", level: "easy", rows: 1, cols: 1, seed: 1, seconds: 1 }).error, /at least/);
});

test("faults have their cells and a fix", () => {
  const { faults, rows } = question({ ask: "draw", text: "; ruleset: jimmy\n###\n#oo\n#x#\n" });
  assert.deepEqual(faults.map(({ spot }) => spot), [[1, 2], [2, 1]]);
  assert.ok(faults.every(({ message, help }) => message && help));
  assert.equal(rows.length, 3);
});

test("odds never look impossible or certain unless they are", () => {
  assert.deepEqual([0, 0.00001, 0.39671, 0.999999].map(words.odds), ["0 %", "below 0.01 %", "39.67 %", "above 99.99 %"]);
  const bounds = [[0.1, 0.2], [0, 0.5], [0.5, 1], [0, 1], [0.3, 0.3]];
  const told = ["between 10.00 % and 20.00 %", "at most 50.00 %", "at least 50.00 %", "not known yet", "30.00 %"];
  assert.deepEqual(bounds.map(words.oddsBetween), told);
});

test("a search that goes on says so", () => {
  const known = { verdict: "undecided", limit: "timed out", states: 7, length: null };
  assert.equal(words.verdict(known, false, false), "Searching. Undecided after 7 states.");
  assert.equal(words.verdict(known, true, false), "Too hard for this page. Undecided after 7 states.");
});

test("links bring back every board, and are short", () => {
  const { settings } = JSON.parse(rulesets()).find(({ name }) => name === "dungeon");
  for (const file of files.filter((file) => /dungeon\W\d+-.*\.txt$/.test(file))) {
    const [{ text }] = question({ ask: "boards", text: readFileSync(file, "utf8") });
    const link = share.fragment({ text, settings });
    const opened = share.gameOf(link);
    const boards = [text, opened.text].map((board) => question({ ask: "draw", text: board }).rows);
    assert.deepEqual(boards[1], boards[0], file);
    const long = `#${new URLSearchParams({ board: text })}`.length;
    assert.ok(link.length < Math.max(0.25 * long, 60), `${file}: ${link.length} of ${long}`);
  }
  const old = share.gameOf(`#${new URLSearchParams({ board: MAZE, moves: "UR", seed: "5" })}`);
  assert.deepEqual(old, { text: MAZE, line: "UR", seed: "5" });
  assert.equal(share.gameOf("#b=AAAA"), null);
});

test("a tree of moves keeps branches, and a refused move changes nothing", () => {
  const tree = new Tree();
  for (const move of "ABC") tree.play(move);
  tree.undo();
  tree.play("X");
  tree.refuse(2);
  assert.deepEqual([tree.moves, tree.at.next.move], [["A", "B"], "C"]);
  tree.undo();
  tree.play("D");
  assert.deepEqual(tree.lines(), [["A", "D"], ["A", "B", "C"]]);
  assert.deepEqual(Tree.of(tree.lines(), 1).moves, ["A"]);
});

test("a date has the same boards here as in the program", () => {
  const boards = readFileSync(join(here, "..", "crates", "generate", "src", "daily.txt"), "utf8");
  for (const ruleset of ["jimmy", "baddies", "maze", "dungeon", "theseus"]) {
    const { text } = question({ ask: "daily", ruleset, date: "2026-12-05" });
    assert.ok(text.trim() && boards.includes(text.trim()), ruleset);
  }
});
