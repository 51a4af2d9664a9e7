// Texts of boards in few characters, for links. A model predicts each bit of a text from the characters around it, and an arithmetic coder
// stores only what the model did not expect. Old links can be read as long as nothing here changes.

// The model has seen this text before any other.
const SAMPLE = `; ruleset: jimmy
; name: The way out
##########
#..g.....#
#.##.o.#.#
#...#....#
##########
; ruleset: baddies
; name: A monster in the pit
H  + #  m *
 #  +   ~  
  M  #  +  
; ruleset: theseus
; name: Round the corner
+-+-+-+
|T .|E|
+ +-+ +
|. . M|
+-+-+-+
; ruleset: dungeon
; name: The cellar
; strategy: cooldown
------XXX------
|P..D...D..E.Z|
|.K.|XXX|..G..|
------XXX------
; ruleset: maze
; name: Two walls
R.*..aaA
..bbB...
`;
// The weight of the prediction of a shorter context, in bits seen in the longer one.
const TRUST = 2;
const MOST_BYTES = 1 << 20;
const NEWLINE = 10;

const utf8 = (text) => new TextEncoder().encode(text);

function* bits(bytes) {
  for (const byte of bytes) for (let place = 7; place >= 0; place -= 1) yield (byte >> place) & 1;
}

class Model {
  // How often a 0 and a 1 followed each context.
  counts = [new Uint16Array(1 << 18), new Uint16Array(1 << 18)];
  bytes = [];
  lines = [0, 0];
  byte = 1;

  constructor() {
    this.look();
    for (const bit of bits(utf8(SAMPLE))) this.learn(bit);
  }

  // Takes the contexts of the next byte: none, one to three bytes before it, and two with the byte above it.
  look() {
    const [above, line] = this.lines;
    const end = this.bytes.length;
    const before = (count) => this.bytes.slice(-count).reduce((all, byte) => all * 256 + byte, 0);
    const up = above + end - line < line ? this.bytes[above + end - line] : 0;
    this.contexts = [0, before(1), before(2), before(3), before(2) * 256 + up].map((context, kind) => Math.imul(context + kind * 0x1000003, 0x9e3779b1));
  }

  places() {
    return this.contexts.map((context) => (context + Math.imul(this.byte, 0x85ebca6b)) >>> 14);
  }

  // Returns the probability that the next bit is a 1.
  predict() {
    const [zeros, ones] = this.counts;
    const share = (shorter, place) => (ones[place] + TRUST * shorter) / (zeros[place] + ones[place] + TRUST);
    return Math.min(Math.max(this.places().reduce(share, 0.5), 1 / 4096), 4095 / 4096);
  }

  learn(bit) {
    for (const place of this.places()) if (this.counts[bit][place] < 65535) this.counts[bit][place] += 1;
    this.byte = this.byte * 2 + bit;
    if (this.byte < 256) return;
    this.bytes.push(this.byte - 256);
    if (this.byte - 256 === NEWLINE) this.lines = [this.lines[1], this.bytes.length];
    this.byte = 1;
    this.look();
  }
}

// An interval that each bit makes smaller.
class Coder {
  model = new Model();
  low = 0;
  high = 2 ** 32 - 1;

  middle() {
    return this.low + Math.floor((this.high - this.low) * this.model.predict());
  }

  // Takes the part for this bit, and returns the bytes that are certain from now on.
  take(bit) {
    const middle = this.middle();
    if (bit) this.high = middle;
    else this.low = middle + 1;
    this.model.learn(bit);
    const certain = [];
    for (; this.low >>> 24 === this.high >>> 24; this.low = (this.low << 8) >>> 0, this.high = ((this.high << 8) | 255) >>> 0) certain.push(this.low >>> 24);
    return certain;
  }
}

export function pack(text) {
  const coder = new Coder();
  const bytes = [];
  for (const bit of bits(utf8(`${text.replaceAll("\0", "\ufffd")}\0`))) bytes.push(...coder.take(bit));
  if (coder.low > 0) bytes.push((coder.low >>> 24) + 1);
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Returns the text, or null if the link is damaged or holds an absurd amount of text.
export function unpack(packed) {
  const bytes = bytesOf(packed);
  const coder = new Coder();
  const text = [];
  let [value, at] = [0, 0];
  const shift = () => (value = ((value << 8) | (bytes[at++] ?? 0)) >>> 0);
  for (let count = 0; count < 4; count += 1) shift();
  while (text.length < MOST_BYTES && at < bytes.length + 8) {
    let byte = 1;
    while (byte < 256) {
      const bit = Number(value <= coder.middle());
      coder.take(bit).forEach(shift);
      byte = byte * 2 + bit;
    }
    if (byte === 256) return new TextDecoder().decode(Uint8Array.from(text));
    text.push(byte - 256);
  }
  return null;
}

function bytesOf(packed) {
  try {
    return Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  } catch {
    return [];
  }
}
