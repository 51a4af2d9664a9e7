// `node page.mjs BOUND DIST` combines the page: one file for disks, and two for servers, where the board shows before the solver has
// arrived. BOUND has the WebAssembly and its JavaScript glue.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const [bound, dist] = process.argv.slice(2);
const here = import.meta.dirname;
const text = (...path) => readFileSync(join(...path), "utf8");
const zipped = (bytes) => gzipSync(bytes, { level: 9, strategy: constants.Z_DEFAULT_STRATEGY });
const packed = (bytes) => zipped(bytes).toString("base64");
const hash = (source) => `'sha256-${createHash("sha256").update(source).digest("base64")}'`;

const wasm = readFileSync(join(bound, "getaway_bg.wasm"));
const glue = text(bound, "getaway.js");

// The same solver for Node.js.
const node = join(dist, "node");
mkdirSync(node, { recursive: true });
writeFileSync(join(node, "getaway.wasm"), wasm);
writeFileSync(
  join(node, "getaway.js"),
  `${glue}
wasm_bindgen.initSync({ module: require("node:fs").readFileSync(require("node:path").join(__dirname, "getaway.wasm")) });
exports.ask = wasm_bindgen.ask;
exports.colors = wasm_bindgen.colors;
exports.decide = wasm_bindgen.decide;
exports.picture = wasm_bindgen.picture;
exports.rulesets = wasm_bindgen.rulesets;
`,
);
const library = createRequire(import.meta.url)(resolve(node, "getaway.js"));

// The boards in the files of a folder; a board without a name gets the name of its file.
const puzzles = join(here, "..", "puzzles");
const boardsOf = (folder, file) => {
  const boards = JSON.parse(library.ask(JSON.stringify({ ask: "boards", text: text(puzzles, folder, file) })));
  const name = (board, number) => board.name ?? file.replace(/^[\d-]+|\.\w+$/g, "").replaceAll("-", " ") + (boards.length > 1 ? `, ${number + 1}` : "");
  return boards
    .filter((board) => !board.isBroken)
    .map((board, number) => ({ name: name(board, number), ruleset: board.ruleset, text: board.text }));
};
const shelfOf = (folder, group) =>
  readdirSync(join(puzzles, folder))
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .flatMap((file) => boardsOf(folder, file).map((board) => ({ group: group(board), ...board })));

// The rules of each game come before its glyphs.
function rulesFirst(html) {
  const parts = html.split(/(?=<h3>)/);
  const place = (part) => ["<h3>Rules", "<h3>Moves", "<h3>Glyphs"].findIndex((title) => part.startsWith(title));
  const sections = parts.filter((part) => place(part) >= 0).toSorted((one, other) => place(one) - place(other));
  return parts.map((part) => (place(part) >= 0 ? sections.shift() : part)).join("");
}

const rulesets = JSON.parse(library.rulesets()).map((entry) => ({ ...entry, rules: rulesFirst(entry.rules) }));
const names = rulesets.map(({ name }) => name);
// The page needs no expected answers, remarks or solutions.
const needed = ["ruleset", "name", "seed", ...rulesets.flatMap(({ settings }) => settings)];
const isNeeded = (row) => !row.startsWith(";") || needed.includes(/^;\s*([\w-]+)\s*:/.exec(row)?.[1].toLowerCase());
const lean = (board) => ({ ...board, text: board.text.split("\n").filter(isNeeded).join("\n") });
const collected = names.flatMap((name) => shelfOf(join("collection", name), () => `Collection: ${name}`));
const samples = names.flatMap((name) => shelfOf(name, () => `Examples: ${name}`));
const records = shelfOf("hardest", ({ ruleset }) => `The hardest known: ${ruleset}`);
const [first] = collected;
const shelf = [...collected, ...samples, ...records].map((board) => (board === first ? { ...lean(board), isFirst: true } : lean(board)));
const { views } = JSON.parse(library.ask(JSON.stringify({ ask: "play", text: first.text })));

const bundled = buildSync({
  entryPoints: [join(here, "page", "main.js")],
  bundle: true,
  minify: true,
  format: "esm",
  charset: "utf8",
  write: false,
  legalComments: "none",
});
const solver = zipped(wasm);
// A new solver has a new name, so that no cache mixes it with an old page.
const file = `getaway-${createHash("sha256").update(solver).digest("hex").slice(0, 12)}.bin`;
const parts = {
  style: library.colors() + text(here, "page", "style.css"),
  script: bundled.outputFiles[0].text.trim(),
  worker: glue + text(here, "page", "worker.js"),
  data: packed(JSON.stringify({ shelf, rulesets, view: views.at(-1) })),
};
const policy = (...more) =>
  [
    "default-src 'none'",
    `script-src ${hash(parts.script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(parts.style)}`,
    "worker-src blob:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join("; ");

function write(folder, name, most, own) {
  const page = text(here, "page", "index.html").replace(/\{\{(\w+)\}\}/g, (_, part) => ({ ...parts, ...own })[part]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), page);
  const bytes = Buffer.byteLength(page);
  if (bytes > most) throw new Error(`the page ${name} has ${bytes} bytes, more than ${most}`);
  console.log(`${join(folder, name)}: ${bytes} bytes`);
}

write(dist, "getaway.html", 2_000_000, { file: "", library: solver.toString("base64"), policy: policy() });
const server = join(dist, "server");
rmSync(server, { recursive: true, force: true });
write(server, "index.html", 120_000, { file: ` data-file="${file}"`, library: "", policy: policy("connect-src 'self'") });
writeFileSync(join(server, file), solver);
