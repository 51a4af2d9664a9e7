// The moves of a game as a tree: a move that is undone stays as a branch when another one is tried.

export class Tree {
  constructor() {
    this.root = { move: null, parent: null, children: [], next: null };
    this.at = this.root;
  }

  // Restores a tree from its lines. The last move of the first line, or the one with this number, is the current one.
  static of(lines, now = lines[0]?.length ?? 0) {
    const tree = new Tree();
    for (const line of lines.toReversed()) {
      tree.at = tree.root;
      line.forEach((move) => tree.play(move));
    }
    tree.at = tree.line().find((_, number) => number === now - 1) ?? (now ? tree.at : tree.root);
    return tree;
  }

  get moves() {
    return pathTo(this.at).map(({ move }) => move);
  }

  get length() {
    return pathTo(this.at).length;
  }

  // Makes a move, on an old branch if there is one.
  play(move) {
    let child = this.at.children.find((known) => known.move === move);
    if (!child) {
      child = { move, parent: this.at, children: [], next: null, replaced: this.at.next };
      this.at.children.push(child);
    }
    this.go(child);
  }

  go(node) {
    this.at = node;
    for (let child = node; child.parent; child = child.parent) child.parent.next = child;
  }

  // Removes the move with this number, which the rules refuse, and what follows it. The moves to redo stay.
  refuse(number) {
    const refused = pathTo(this.at)[number];
    this.at = refused.parent;
    this.at.children = this.at.children.filter((child) => child !== refused);
    this.at.next = refused.replaced;
  }

  undo() {
    this.at = this.at.parent ?? this.at;
  }

  redo() {
    if (this.at.next) this.go(this.at.next);
  }

  // The nodes of the current line: the moves made, and those that can be redone.
  line() {
    const nodes = pathTo(this.at);
    for (let node = this.at.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  // The current line, then the newest other lines, as lists of moves.
  lines(most = 12) {
    const current = this.line();
    const ends = [];
    const open = [this.root];
    while (open.length) {
      const node = open.pop();
      if (!node.children.length && node !== (current.at(-1) ?? this.root)) ends.push(node);
      open.push(...node.children);
    }
    return [current, ...ends.slice(0, most).map(pathTo)].map((nodes) => nodes.map(({ move }) => move));
  }
}

function pathTo(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}
