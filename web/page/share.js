// Creates and reads links and board files. Neither gives away a solution: moves are only in them if the sender wants that.

import { pack, unpack } from "./pack.js";

// --- Links ---

// Returns a game as the part of an address after `#`. `origin` names a board that the page can find again; other boards are in the
// address, compressed. `luck` is the seed in games of chance.
export function fragment({ text, settings, origin, luck, line }) {
  const fields = new URLSearchParams(origin ?? { b: pack(plain(text, settings)) });
  if (luck) fields.set("luck", luck);
  if (line) fields.set("moves", line);
  return `#${fields}`.replaceAll("%2F", "/");
}

// Returns what an address says about a game: its text or its origin, its moves and its luck. Old links hold the text itself.
export function gameOf(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const [line, luck] = [fields.get("moves") ?? "", fields.get("luck")];
  const packed = fields.get("b");
  const text = fields.get("board") ?? (packed && unpack(packed));
  if (text) return { text, line, seed: luck ?? fields.get("seed") };
  for (const field of ["luck", "moves"]) fields.delete(field);
  const origin = Object.fromEntries(fields);
  return origin.puzzle || origin.daily || origin.make ? { origin, line, seed: luck } : null;
}

// Keeps the name, the ruleset and its settings, and drops all other headers and remarks.
export function plain(text, settings) {
  const isKept = (row) => !row.startsWith(";") || ["name", "ruleset", ...settings].includes(/^;\s*([\w-]+)\s*:/.exec(row)?.[1].toLowerCase());
  return text.trimEnd().split("\n").filter(isKept).join("\n");
}

// --- Board files ---

const header = (text, key) => new RegExp(`^;[ \\t]*${key}[ \\t]*:[ \\t]*(.*)$`, "im").exec(text)?.[1].trim();

export const seedOf = (text) => header(text, "seed");
export const movesOf = (text) => header(text, "moves");

// Returns a board file with the ruleset and, if there is `line`, the game. The expected answer may not fit other moves or drawings, so
// it is left out.
export function boardFile({ text, ruleset, settings, line, seed, isByChance }) {
  const headers = [`; ruleset: ${ruleset}`];
  if (line) headers.push(`; moves: ${line}`);
  if (line && isByChance) headers.push(`; seed: ${seed}`);
  const kept = plain(text, settings).split("\n").filter((row) => !/^;\s*ruleset\s*:/i.test(row));
  return [...headers, ...kept, ""].join("\n");
}

export async function copy(text, area) {
  const late = new Promise((_, reject) => setTimeout(reject, 1000));
  try {
    await Promise.race([navigator.clipboard.writeText(text), late]);
    return true;
  } catch {
    area.value = text;
    area.focus();
    area.select();
    return document.execCommand("copy");
  }
}

export function download(name, content, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Returns a name as a part of an address or a file name.
export const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "board";
