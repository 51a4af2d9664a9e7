// `node page.mjs BOUND DIST` combines the page into one file. BOUND has the WebAssembly and its JavaScript glue.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const [bound, dist] = process.argv.slice(2);
const here = import.meta.dirname;
const text = (...path) => readFileSync(join(...path), "utf8");
const packed = (bytes) => gzipSync(bytes, { level: 9, strategy: constants.Z_DEFAULT_STRATEGY }).toString("base64");
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

const rulesets = JSON.parse(library.rulesets());
const samples = rulesets.flatMap(({ name }) => shelfOf(name, () => name));
const records = shelfOf("hardest", ({ ruleset }) => `The hardest known: ${ruleset}`);
const first = samples.find(({ ruleset }) => ruleset === "theseus");
const shelf = [...samples, ...records].map((board) => (board === first ? { ...board, isFirst: true } : board));

const bundled = buildSync({
  entryPoints: [join(here, "page", "main.js")],
  bundle: true,
  minify: true,
  format: "esm",
  charset: "utf8",
  write: false,
  legalComments: "none",
});
const parts = {
  style: library.colors() + text(here, "page", "style.css"),
  script: bundled.outputFiles[0].text.trim(),
  worker: glue + text(here, "page", "worker.js"),
  library: packed(wasm),
  data: packed(JSON.stringify({ shelf, rulesets })),
};
parts.policy = [
  "default-src 'none'",
  `script-src ${hash(parts.script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(parts.style)}`,
  "worker-src blob:",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = text(here, "page", "index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(join(dist, "getaway.html"), page);

const MOST = 2_000_000;
const bytes = Buffer.byteLength(page);
if (bytes > MOST) throw new Error(`the page has ${bytes} bytes, more than ${MOST}`);
console.log(`dist/getaway.html: ${bytes} bytes`);
