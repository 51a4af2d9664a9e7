// Draws a board or, enlarged, the part of it around the runner, and finds the cell under the pointer.

const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = 0.3;
const WALK = 180;
// Enlarged cells have this many pixels. Small cells can be enlarged, and tiny ones are from the start.
const [LARGE, SMALL, TINY] = [34, 26, 14];
// The maximum number of cells; browsers draw larger boards slowly.
const MOST_CELLS = 10_000;

const svg = document.getElementById("board");
const toggle = document.getElementById("enlarge");
let size = { cols: 1, rows: 1 };
let focus = null;
// Whether the reader wants the board enlarged; null for boards with tiny cells only.
let wish = null;

const element = (name, attributes, text = "") => {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

// Shows a view. The library creates its markup, which contains no text of the board. `at` is the place to follow.
export function show(view, walks = false, at = view.runner) {
  if (view.cols * view.rows > MOST_CELLS) throw new Error(`this board is too large to draw: the maximum is ${MOST_CELLS} cells`);
  if (size.cols !== view.cols || size.rows !== view.rows) wish = null;
  size = view;
  focus = at;
  svg.innerHTML = `${view.definitions}${view.ground}${view.marks}<g id="turn"></g><g id="over"></g>`;
  document.getElementById("legend").innerHTML = view.legend;
  fit();
  if (walks && !matchMedia("(prefers-reduced-motion: reduce)").matches) svg.querySelectorAll("[data-start]").forEach(walk);
}

const walk = (figure) => {
  const at = (place) => ({ transform: `translate(${place})` });
  figure.animate([at(figure.dataset.start), at(figure.dataset.halfway), at("0,0")], WALK);
};

// Chooses the part of the board to show: all of it, or a window around the place to follow.
function fit() {
  const { width, height } = svg.getBoundingClientRect();
  const [cols, rows] = [size.cols + 2 * MARGIN, size.rows + 2 * MARGIN];
  const cell = Math.min(width / cols, height / rows);
  const isLarge = cell > 0 && cell < SMALL && (wish ?? cell < TINY);
  toggle.hidden = !(cell > 0 && cell < SMALL);
  toggle.setAttribute("aria-pressed", isLarge);
  svg.setAttribute("viewBox", (isLarge ? windowOf(width / LARGE, height / LARGE) : [-MARGIN, -MARGIN, cols, rows]).join(" "));
}

function windowOf(cols, rows) {
  const along = (shown, all, middle) => (shown >= all + 2 * MARGIN ? (all - shown) / 2 : Math.min(Math.max(middle - shown / 2, -MARGIN), all + MARGIN - shown));
  const [x, y] = focus ?? [size.cols / 2, size.rows / 2];
  return [along(cols, size.cols, x), along(rows, size.rows, y), cols, rows];
}

toggle.addEventListener("click", () => {
  wish = toggle.getAttribute("aria-pressed") !== "true";
  fit();
});
new ResizeObserver(fit).observe(svg);

// Shows the rows of a board as text until the solver can draw it.
export function sketch(rows) {
  const lines = rows.map((row, number) => element("text", { x: 0, y: 1.2 * number + 1, class: "sketch", "xml:space": "preserve" }, row));
  svg.setAttribute("viewBox", `-0.5 -0.5 ${0.62 * Math.max(...rows.map((row) => row.length)) + 1} ${1.2 * rows.length + 1}`);
  svg.replaceChildren(...lines);
}

// Marks places. Each has the middle of a cell and a class, and may have a text.
export function mark(places) {
  const shapes = places.flatMap(({ at: [x, y], kind, text }) => {
    const box = element("rect", { class: kind, x: x - 0.45, y: y - 0.45, width: 0.9, height: 0.9, rx: 0.15 });
    return text ? [box, element("text", { class: "bang", x: x + 0.25, y: y - 0.02 }, text)] : [box];
  });
  svg.querySelector("#over")?.replaceChildren(...shapes);
}

// Rings the player whose turn it is.
export const ring = ([x, y]) => svg.querySelector("#turn").replaceChildren(element("circle", { class: "turn", cx: x, cy: y, r: 0.47 }));

// Draws an arrow from a place in each of these directions, with a class and a text.
export function arrows([x, y], directions) {
  const shapes = directions.flatMap(({ step: [right, down], grade, text }) => {
    const long = Math.hypot(right, down) || 1;
    const place = (far, side) => `${x + (far * right - side * down) / long} ${y + (far * down + side * right) / long}`;
    const stay = !right && !down;
    const label = element("text", { class: `value ${grade}`, x: x + 0.96 * right, y: y + 0.96 * down + 0.1 }, text);
    const head = `M${place(0.34, 0)} L${place(0.56, 0)} M${place(0.44, -0.13)} L${place(0.58, 0)} L${place(0.44, 0.13)}`;
    return stay ? [label] : [element("path", { class: `pen arrow ${grade}`, d: head }), label];
  });
  svg.querySelector("#over")?.replaceChildren(...shapes);
}

// Returns the pointer's place in cells, or null if it is outside the board.
export function placeOf(event) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return x >= 0 && y >= 0 && x < size.cols && y < size.rows ? [x, y] : null;
}
