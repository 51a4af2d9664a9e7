//! `baddies`: the standard board of the source, in any size. The hero stands in the first columns and the
//! ladder in the last; between them are three vertical walls, one over the upper half of the rows, one
//! over the lower half, one in the middle, then the baddies and the abyss. Where a density is asked for, the walls
//! are strewn instead.

use std::ops::Range;

use crate::generate::layout::{Amount, Layout, Plan, Wall, fixed, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::generate::symmetry::symmetrized;
use crate::grid::Cell;
use crate::rng::Rng;

/// How boards of `baddies` are drawn.
pub struct Baddies;

const STANDARD: (usize, usize) = (15, 40);

/// As many on a cell as on the standard board, rounded up.
const fn share(count: usize, rows: usize, cols: usize) -> (usize, usize) {
    let cells = STANDARD.0 * STANDARD.1;
    let count = (count * rows * cols).div_ceil(cells);
    (count, count)
}

const AMOUNTS: &[Amount] = &[
    Amount {
        name: "ladders",
        one: "ladder",
        glyph: Some(b'*'),
        is_chaser: false,
        allowed: (1, usize::MAX),
        by_default: fixed::<1, 1>,
    },
    Amount {
        name: "monsters",
        one: "monster",
        glyph: Some(b'm'),
        is_chaser: true,
        allowed: (0, usize::MAX),
        by_default: |rows, cols| share(4, rows, cols),
    },
    Amount {
        name: "super-monsters",
        one: "super monster",
        glyph: Some(b'M'),
        is_chaser: true,
        allowed: (0, usize::MAX),
        by_default: |rows, cols| share(2, rows, cols),
    },
    Amount {
        name: "bats",
        one: "bat",
        glyph: Some(b'~'),
        is_chaser: true,
        allowed: (0, usize::MAX),
        by_default: |rows, cols| share(2, rows, cols),
    },
    Amount {
        name: "abyss",
        one: "abyss",
        glyph: Some(b'#'),
        is_chaser: false,
        allowed: (0, usize::MAX),
        by_default: |rows, cols| share(50, rows, cols),
    },
];

/// How many columns on either side are the hero's and the ladder's: three on a board as wide as the
/// standard one, fewer on a narrow one.
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

impl Layout for Baddies {
    fn ruleset(&self) -> &'static str {
        "baddies"
    }

    fn amounts(&self) -> &'static [Amount] {
        AMOUNTS
    }

    fn size(&self) -> (usize, usize) {
        STANDARD
    }

    fn floor(&self) -> u8 {
        b' '
    }

    fn runner(&self) -> u8 {
        b'H'
    }

    fn has_free_walls(&self) -> bool {
        true
    }

    fn room(&self, plan: &Plan) -> usize {
        let columns = between(plan.cols as u32).len();
        let standard = || {
            let walls = walls(columns, plan.rows as u32);
            walls.iter().map(Range::len).sum()
        };
        let cells = plan.rows * columns;
        let walls: usize = plan
            .density
            .map_or_else(standard, |share| part(share, cells));
        cells - walls + *plan.amounts[0].start()
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b' ');
        match plan.density {
            None => put_walls(&mut sketch, rng),
            Some(share) => {
                let mut cells = usual(&sketch, b'+');
                let walls = part(share, cells.len());
                scatter(&mut sketch, &mut cells, (b'+', walls), rng)?;
            }
        }
        sketch = symmetrized(&sketch, plan.symmetry);
        let mut left = usual(&sketch, b'H');
        scatter(&mut sketch, &mut left, (b'H', 1), rng)?;
        let mut right = usual(&sketch, b'*');
        let ladders = plan.amount(0, rng);
        scatter(&mut sketch, &mut right, (b'*', ladders), rng)?;
        let mut middle = usual(&sketch, b'm');
        for (number, amount) in AMOUNTS.iter().enumerate().skip(1) {
            let glyph = amount.glyph.expect("each baddie is one cell");
            let count = plan.amount(number, rng);
            scatter(&mut sketch, &mut middle, (glyph, count), rng)?;
        }
        Some(sketch)
    }

    fn normal(&self, glyph: u8) -> u8 {
        if glyph == b'.' { b' ' } else { glyph }
    }

    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let is_place = |cell: &Cell| matches!(sketch.at(*cell), b' ' | b'+');
        let wall = |at| Wall {
            at,
            open: b' ',
            closed: b'+',
        };
        sketch.grid().cells().filter(is_place).map(wall).collect()
    }

    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        let grid = sketch.grid();
        let (col, margin) = (grid.col(cell), margin(grid.cols()));
        match glyph {
            b'H' => col < margin,
            b'*' => col >= grid.cols() - margin,
            _ => between(grid.cols()).contains(&col),
        }
    }

    /// Who moves first, of two that are in each other's way, goes by reading order; mirrors change that.
    fn mirrors(&self, sketch: &Sketch) -> &'static [Mirror] {
        let baddies: usize = b"mM~".iter().map(|&glyph| sketch.count(glyph)).sum();
        if baddies <= 1 { &Mirror::ALL } else { &[] }
    }

    fn is_framed(&self) -> bool {
        true
    }
}

/// So much of a number of cells.
fn part(share: f64, cells: usize) -> usize {
    (share * cells as f64).round() as usize
}

/// The free cells where something with this glyph usually stands.
fn usual(sketch: &Sketch, glyph: u8) -> Vec<Cell> {
    let mut free = sketch.all(b' ');
    free.retain(|&cell| Baddies.is_usual(sketch, glyph, cell));
    free
}

/// The rows of each wall, as many walls as there is room for in so many columns.
fn walls(columns: usize, rows: u32) -> Vec<Range<u32>> {
    let all = [0..rows / 2, rows / 2..rows, rows / 4..3 * rows / 4];
    all.into_iter().take(columns.div_ceil(2).min(3)).collect()
}

/// The walls stand in columns that differ by at least 2.
fn put_walls(sketch: &mut Sketch, rng: &mut Rng) {
    let grid = sketch.grid();
    let columns = between(grid.cols());
    let walls = walls(columns.len(), grid.rows());
    // Columns without their gaps, in order; then apart by one more each, which leaves all choices alike.
    let free = columns.len() + 1 - walls.len();
    let mut all: Vec<usize> = (0..free).collect();
    rng.shuffle(&mut all);
    let mut chosen = all[..walls.len()].to_vec();
    chosen.sort_unstable();
    let mut places: Vec<u32> = chosen
        .iter()
        .enumerate()
        .map(|(before, &col)| columns.start + (col + before) as u32)
        .collect();
    rng.shuffle(&mut places);
    for (col, rows) in places.into_iter().zip(walls) {
        for row in rows {
            sketch.put(
                grid.cell(row, col).expect("a wall stands on the board"),
                b'+',
            );
        }
    }
}
