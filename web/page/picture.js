// Draws a board, and finds the cell under the pointer.

const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = 0.3;
const WALK = 180;

const svg = document.getElementById("board");
let size = { cols: 1, rows: 1 };

const element = (name, attributes, text = "") => {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

// The maximum number of cells; browsers draw larger boards slowly.
const MOST_CELLS = 10_000;

// Shows a view. The library creates its markup, which contains no text of the board.
export function show(view, walks = false) {
  if (view.cols * view.rows > MOST_CELLS) throw new Error(`this board is too large to draw: the maximum is ${MOST_CELLS} cells`);
  size = view;
  svg.setAttribute("viewBox", [-MARGIN, -MARGIN, view.cols + 2 * MARGIN, view.rows + 2 * MARGIN].join(" "));
  svg.innerHTML = `${view.definitions}${view.ground}${view.marks}<g id="over"></g>`;
  document.getElementById("legend").innerHTML = view.legend;
  if (walks && !matchMedia("(prefers-reduced-motion: reduce)").matches) svg.querySelectorAll("[data-start]").forEach(walk);
}

const walk = (figure) => {
  const at = (place) => ({ transform: `translate(${place})` });
  figure.animate([at(figure.dataset.start), at(figure.dataset.halfway), at("0,0")], WALK);
};

// Marks places. Each has the middle of a cell and a class, and may have a text.
export function mark(places) {
  const shapes = places.flatMap(({ at: [x, y], kind, text }) => {
    const box = element("rect", { class: kind, x: x - 0.45, y: y - 0.45, width: 0.9, height: 0.9, rx: 0.15 });
    return text ? [box, element("text", { class: "bang", x: x + 0.25, y: y - 0.02 }, text)] : [box];
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
