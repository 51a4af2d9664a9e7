// Creates links and board files.

// Returns a game as the part of an address after `#`.
export const fragment = ({ text, line, seed, isByChance }) => {
  const fields = new URLSearchParams({ board: text });
  if (line) fields.set("moves", line);
  if (isByChance) fields.set("seed", seed);
  return "#" + fields;
};

export const gameOf = (hash) => {
  const fields = new URLSearchParams(hash.slice(1));
  const text = fields.get("board");
  return text && { text, line: fields.get("moves") ?? "", seed: fields.get("seed") };
};

const header = (key) => new RegExp(`^;\\s*${key}\\s*:\\s*(.*)$`, "im");

export const seedOf = (text) => header("seed").exec(text)?.[1].trim();

// Returns a board file with the ruleset, the moves and the seed. The expected answer may not fit other moves or drawings, so it is left out.
export function boardFile({ text, ruleset, line, seed, isByChance }) {
  const own = /^;\s*(ruleset|expect|moves|chasers|seed)\s*:/i;
  const kept = text.trimEnd().split("\n").filter((row) => !own.test(row));
  const headers = [`; ruleset: ${ruleset}`];
  if (line) headers.push(`; moves: ${line}`);
  if (isByChance) headers.push(`; seed: ${seed}`);
  return [...headers, ...kept, ""].join("\n");
}

export async function copy(text, area) {
  const late = new Promise((_, reject) => setTimeout(reject, 1000));
  try {
    await Promise.race([navigator.clipboard.writeText(text), late]);
    return true;
  } catch {
    area.focus();
    area.select();
    return document.execCommand("copy");
  }
}

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
