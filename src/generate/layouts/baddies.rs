//! `baddies`: the standard board of the source, in any size. The hero starts in the first columns; the ladder is in the
//! last. Between them are three vertical walls (over the upper half, the lower half and the middle), the baddies and
//! the abyss. If a density is given, walls are scattered instead.

use std::ops::Range;

use crate::generate::layout::{Amount, Layout, Plan, part, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::grid::Cell;
use crate::rng::Rng;

pub const LAYOUT: Layout = Layout {
    ruleset: "baddies",
    amounts: AMOUNTS,
    size: STANDARD,
    floor: b' ',
    runner: b'H',
    wall: b'+',
    room,
    draw,
    normal: |glyph| if glyph == b'.' { b' ' } else { glyph },
    is_usual: |_, sketch, glyph, cell| is_usual(sketch, glyph, cell),
    mirrors,
    is_framed: true,
    ..Layout::PLAIN
};

const STANDARD: (usize, usize) = (15, 40);

const AMOUNTS: &[Amount] = &[
    Amount::new("ladders", "ladder", Some(b'*')).allowed(1, usize::MAX),
    Amount::chaser("monsters", "monster", b'm').usually(|rows, cols| share(4, rows, cols)),
    Amount::chaser("super-monsters", "super monster", b'M')
        .usually(|rows, cols| share(2, rows, cols)),
    Amount::chaser("bats", "bat", b'~').usually(|rows, cols| share(2, rows, cols)),
    Amount::new("abyss", "abyss", Some(b'#')).usually(|rows, cols| share(50, rows, cols)),
];

/// Scales a number from the standard board, rounded up.
const fn share(count: usize, rows: usize, cols: usize) -> (usize, usize) {
    let cells = STANDARD.0 * STANDARD.1;
    let count = (count * rows * cols).div_ceil(cells);
    (count, count)
}

/// The columns on either side for the hero and the ladder: three at the standard width.
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

fn room(plan: &Plan) -> usize {
    let columns = between(plan.cols as u32).len();
    let cells = plan.rows * columns;
    let walls: usize = if let Some(share) = plan.density {
        part(share, cells)
    } else {
        let walls = walls(columns, plan.rows as u32);
        walls.iter().map(Range::len).sum()
    };
    cells - walls + *plan.amounts[0].start()
}

fn draw(plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
    let mut sketch = plan.empty(plan.grid(), b' ');
    match plan.density {
        None => put_walls(&mut sketch, rng),
        Some(share) => {
            let mut cells = usual(&sketch, b'+');
            let walls = part(share, cells.len());
            scatter(&mut sketch, &mut cells, (b'+', walls), rng)?;
        }
    }
    sketch = sketch.symmetrized(plan.symmetry);
    let mut left = usual(&sketch, b'H');
    scatter(&mut sketch, &mut left, (b'H', 1), rng)?;
    let mut right = usual(&sketch, b'*');
    let ladders = plan.amount(0, rng);
    scatter(&mut sketch, &mut right, (b'*', ladders), rng)?;
    let mut middle = usual(&sketch, b'm');
    for (number, amount) in AMOUNTS.iter().enumerate().skip(1) {
        let glyph = amount.glyph.expect("each baddie takes one cell");
        let count = plan.amount(number, rng);
        scatter(&mut sketch, &mut middle, (glyph, count), rng)?;
    }
    Some(sketch)
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

/// Baddies that are in each other's way move in reading order, which mirrors change.
fn mirrors(sketch: &Sketch) -> &'static [Mirror] {
    let baddies: usize = b"mM~".iter().map(|&glyph| sketch.count(glyph)).sum();
    if baddies <= 1 { &Mirror::ALL } else { &[] }
}

fn usual(sketch: &Sketch, glyph: u8) -> Vec<Cell> {
    let mut free = sketch.all(b' ');
    free.retain(|&cell| is_usual(sketch, glyph, cell));
    free
}

/// The rows of each wall; narrow boards have fewer walls.
fn walls(columns: usize, rows: u32) -> Vec<Range<u32>> {
    let all = [0..rows / 2, rows / 2..rows, rows / 4..3 * rows / 4];
    all.into_iter().take(columns.div_ceil(2).min(3)).collect()
}

/// Draws walls in columns at least 2 apart.
fn put_walls(sketch: &mut Sketch, rng: &mut Rng) {
    let grid = sketch.grid();
    let columns = between(grid.cols());
    let walls = walls(columns.len(), grid.rows());
    // Chooses from fewer columns, and then moves each choice one column farther from the one before, so that all
    // results are equally likely.
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
