//! `baddies`: boards like the random ones of the original course program, in any size. The hero starts in the first columns; the
//! ladder is in the last. Between them are up to three vertical walls with pools of abyss on either side. If a density is given,
//! the walls have the shapes of pools instead.

use std::ops::{Range, RangeInclusive};

use crate::layout::{Layout, Plan, Size, Style, ThingKind, cells_of_share, scatter};
use crate::sketch::{Sketch, Symmetry};
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

pub struct Baddies;

const STYLE: Style = Style {
    ruleset: "baddies",
    amounts: AMOUNTS,
    size: STANDARD,
    floor: b' ',
    runner: b'H',
    wall: Some(b'+'),
    synonyms: &[(b'.', b' ')],
    ..Style::PLAIN
};

/// The size of the boards of the original program.
const STANDARD: Size = Size::new(15, 40);

const ABYSS: usize = 4;

const AMOUNTS: &[ThingKind] = &[
    ThingKind::new("ladders", "ladder", Some(b'*')).allowed(1, usize::MAX),
    ThingKind::chaser("monsters", "monster", b'm').usually(|rows, cols, _| scaled(4, rows, cols)),
    ThingKind::chaser("super-monsters", "super monster", b'M')
        .usually(|rows, cols, _| scaled(2, rows, cols)),
    ThingKind::chaser("bats", "bat", b'~').usually(|rows, cols, _| scaled(2, rows, cols)),
    ThingKind::new("abyss", "abyss", Some(b'#')).usually(|rows, cols, _| scaled(50, rows, cols)),
];

/// Scales a number of things from the standard board to this size.
const fn scaled(count: usize, rows: usize, cols: usize) -> RangeInclusive<usize> {
    let count = (count * rows * cols).div_ceil(STANDARD.cells());
    count..=count
}

/// Returns the number of columns for the hero at the left edge, and for the ladder at the right edge.
const fn margin(cols: u32) -> u32 {
    match cols {
        12.. => 3,
        8..12 => 2,
        _ => 1,
    }
}

const fn between(cols: u32) -> Range<u32> {
    margin(cols)..cols - margin(cols)
}

/// The rows that a wall covers, in tenths of the board. With their mirror images, walls form gates and pillars.
const WALLS: [(u32, u32); 6] = [(0, 4), (0, 6), (3, 7), (2, 4), (4, 10), (0, 3)];

const POOLS: [&[&str]; 11] = [
    &["##", "##"],
    &["###", "###"],
    &["####"],
    &["######"],
    &["#", "#", "#", "#"],
    &[".#.", "###", ".#."],
    &["#.#", ".#.", "#.#"],
    &["###", "#.#", "###"],
    &[".##.", "####", ".##."],
    &["#..", ".#.", "..#"],
    &["#..", "#..", "###"],
];

impl Layout for Baddies {
    fn style(&self) -> Style<'_> {
        STYLE
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let usual = [Symmetry::UpDown, Symmetry::UpDown, Symmetry::HalfTurn];
        let symmetry = usual[rng.below(usual.len())];
        let counts: Vec<usize> = (0..AMOUNTS.len()).map(|at| plan.amount(at, rng)).collect();
        let empty = plan.empty(plan.grid(), b' ');
        let mut sketch = if let Some(share) = plan.density {
            let mut dense = empty;
            let walls = cells_of_share(share, free(&dense, b'+').len());
            put_pools(&mut dense, b'+', walls, symmetry, rng)?;
            dense
        } else {
            let walled = walled(&empty, symmetry, rng);
            let has_room = free(&walled, b'm').len() >= counts[1..].iter().sum();
            if has_room { walled } else { empty }
        };
        for (glyph, count) in [(b'H', 1), (b'*', counts[0])] {
            let mut free = free(&sketch, glyph);
            scatter(&mut sketch, &mut free, glyph, count, rng)?;
        }
        put_pools(&mut sketch, b'#', counts[ABYSS], symmetry, rng)?;
        for (glyph, &count) in b"mM~".iter().zip(&counts[1..]) {
            put_baddies(&mut sketch, *glyph, count, rng)?;
        }
        Some(sketch)
    }

    fn capacity(&self, plan: &Plan) -> usize {
        let Some(share) = plan.density else {
            return plan.rows * plan.cols - 1;
        };
        let cells = plan.rows * between(plan.cols as u32).len();
        cells - cells_of_share(share, cells) + *plan.amounts[0].start()
    }

    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        is_usual(sketch, glyph, cell)
    }

    /// Returns the symmetries that preserve the answer: all or, with several baddies, none, since a symmetry changes their
    /// reading order.
    fn symmetries(&self, sketch: &Sketch) -> &'static [Symmetry] {
        let baddies: usize = b"mM~".iter().map(|&glyph| sketch.count(glyph)).sum();
        if baddies <= 1 { &Symmetry::ALL } else { &[] }
    }

    /// Returns the maximum number of positions, since none occurs twice in a shortest way out. Each baddie is on a cell or gone.
    fn max_moves(&self, plan: &Plan) -> Option<usize> {
        let cells = plan.rows * plan.cols;
        let ends = plan.amounts[1..ABYSS].iter().map(|range| *range.end());
        let baddies = u32::try_from(ends.fold(0, usize::saturating_add)).unwrap_or(u32::MAX);
        Some((cells + 1).saturating_pow(baddies).saturating_mul(cells))
    }

    fn min_moves_across(&self, cols: usize) -> usize {
        between(cols as u32).len() + 1
    }
}

fn is_usual(sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
    let grid = sketch.grid();
    let (col, margin) = (grid.col(cell), margin(grid.cols()));
    match glyph {
        b'H' => col < margin,
        b'*' => col >= grid.cols() - margin,
        _ => between(grid.cols()).contains(&col),
    }
}

fn free(sketch: &Sketch, glyph: u8) -> Vec<Cell> {
    let mut free = sketch.all(b' ');
    free.retain(|&cell| is_usual(sketch, glyph, cell));
    free
}

fn walls(columns: &Range<u32>) -> u32 {
    (columns.len() as u32).div_ceil(8).min(3)
}

fn walled(empty: &Sketch, symmetry: Symmetry, rng: &mut Rng) -> Sketch {
    let mut sketch = empty.clone();
    let (grid, columns) = (sketch.grid(), between(empty.grid().cols()));
    let count = walls(&columns);
    let spans = [(); 2].map(|()| WALLS[rng.below(WALLS.len())]);
    for wall in 0..count {
        let col = columns.start + (wall + 1) * columns.len() as u32 / (count + 1);
        let (first, end) = spans[wall as usize % 2];
        for row in grid.rows() * first / 10..grid.rows() * end / 10 {
            sketch.put(grid.cell(row, col).expect("a wall is on the board"), b'+');
        }
    }
    sketch.symmetrized(symmetry)
}

/// Puts pools of two shapes, with their images under `symmetry`, halfway between the walls; then small pools and single cells
/// anywhere between the margins.
fn put_pools(
    sketch: &mut Sketch,
    glyph: u8,
    count: usize,
    symmetry: Symmetry,
    rng: &mut Rng,
) -> Option<()> {
    let (grid, columns) = (sketch.grid(), between(sketch.grid().cols()));
    let halves = 2 * (walls(&columns) as usize + 1);
    let [one, other] = [(); 2].map(|()| POOLS[rng.below(POOLS.len())]);
    let shapes = [one, other, &["##"], &["#"]];
    let mut left = count;
    for attempt in 0..2 * count {
        let is_small = attempt >= count;
        let shape = shapes[attempt % 2 + 2 * usize::from(is_small)];
        let col = if is_small {
            rng.below(columns.len())
        } else {
            (2 * rng.below(halves / 2) + 1) * columns.len() / halves
        };
        let row = rng.below(grid.rows() as usize) as u32;
        let centre = grid.cell(row, columns.start + col as u32)?;
        let pool = pool(sketch, glyph, shape, centre, symmetry);
        for cell in pool.filter(|pool| pool.len() <= left).into_iter().flatten() {
            sketch.put(cell, glyph);
            left -= 1;
        }
    }
    let mut free = free(sketch, glyph);
    scatter(sketch, &mut free, glyph, left, rng)
}

fn pool(
    sketch: &Sketch,
    glyph: u8,
    shape: &[&str],
    centre: Cell,
    symmetry: Symmetry,
) -> Option<Vec<Cell>> {
    let grid = sketch.grid();
    let mut cells = Vec::new();
    for (down, line) in (0..).zip(shape) {
        for (right, _) in (0..).zip(line.bytes()).filter(|(_, glyph)| *glyph == b'#') {
            let (above, before) = (shape.len() as i32 / 2, line.len() as i32 / 2);
            let cell = grid.offset(centre, down - above, right - before)?;
            cells.extend([cell, symmetry.image(grid, cell)]);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let is_empty = |cell: Cell| sketch.at(cell) == b' ';
    let is_clear = |&cell: &Cell| is_usual(sketch, glyph, cell) && around(grid, cell).all(is_empty);
    cells.iter().all(is_clear).then_some(cells)
}

fn around(grid: Grid, cell: Cell) -> impl Iterator<Item = Cell> {
    let all = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    all.filter_map(move |(down, right)| grid.offset(cell, down, right))
}

/// Puts baddies far from the hero where they have to cross the abyss, in pairs above and below the middle, if possible.
fn put_baddies(sketch: &mut Sketch, glyph: u8, count: usize, rng: &mut Rng) -> Option<()> {
    let (grid, columns) = (sketch.grid(), between(sketch.grid().cols()));
    let image = |cell| Symmetry::UpDown.image(grid, cell);
    let is_free = |sketch: &Sketch, cell| sketch.at(cell) == b' ';
    let misplaced = |&cell: &Cell| {
        let before = (2..=3).filter_map(|far| grid.offset(cell, 0, -far));
        let is_near = grid.col(cell) < columns.start + columns.len() as u32 / 3;
        let is_open = before.into_iter().all(|at| sketch.at(at) != b'#');
        (is_near, is_open, !is_free(sketch, image(cell)))
    };
    let mut cells = free(sketch, glyph);
    rng.shuffle(&mut cells);
    cells.sort_by_cached_key(misplaced);
    let pairs = cells.into_iter().flat_map(|cell| [cell, image(cell)]);
    let mut left = count;
    for cell in pairs {
        if left > 0 && is_free(sketch, cell) {
            sketch.put(cell, glyph);
            left -= 1;
        }
    }
    (left == 0).then_some(())
}
