//! What the maker of boards has to know of a ruleset: how a board is drawn at random, and what of it
//! may be changed.

use std::ops::RangeInclusive;

use super::impossible::Impossible;
use super::sketch::{Mirror, Sketch};
use crate::grid::{Cell, Grid};
use crate::rng::Rng;
use crate::solution::Verdict;

/// How the boards of a ruleset are drawn, and what of them may be changed.
pub trait Layout: Sync {
    /// The name of the ruleset.
    fn ruleset(&self) -> &'static str;

    /// What is asked of its boards.
    fn question(&self) -> Question {
        Question::Escape
    }

    /// What there can be several of.
    fn amounts(&self) -> &[Amount];

    /// Rows and columns by default.
    fn size(&self) -> (usize, usize);

    /// The fewest rows and columns that a board can be drawn with.
    fn least_size(&self) -> (usize, usize) {
        (3, 3)
    }

    /// The glyph of empty floor.
    fn floor(&self) -> u8;

    /// The runner's glyph.
    fn runner(&self) -> u8;

    /// Whether each wall stands for itself, so that a search can put it elsewhere.
    fn has_free_walls(&self) -> bool {
        false
    }

    /// Whether the share of walls can be asked for.
    fn has_density(&self) -> bool {
        self.has_free_walls()
    }

    /// How many cells there are for everything that `amounts` counts and has a glyph, on a board without walls.
    fn room(&self, plan: &Plan) -> usize {
        plan.rows * plan.cols - 1
    }

    /// Whether this board can't be drawn, and why.
    ///
    /// # Errors
    ///
    /// Why not.
    fn refuse(&self, _plan: &Plan) -> Result<(), Impossible> {
        Ok(())
    }

    /// Draws a board; `None` if this time not everything found its place.
    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch>;

    /// Where there is a wall that could go, or could be one, in row-major order.
    fn walls(&self, sketch: &Sketch) -> Vec<Wall>;

    /// Whether a wall that does not change the answer is to go from a minimal board.
    fn walls_can_go(&self) -> bool {
        true
    }

    /// Whether something with this glyph may be put on this cell, which is floor.
    fn may_stand(&self, _grid: Grid, _glyph: u8, _cell: Cell) -> bool {
        true
    }

    /// As [`Layout::may_stand`], where a new board is to stay as it is usually drawn.
    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        self.may_stand(sketch.grid(), glyph, cell)
    }

    /// The mirrors in which the game on this board stays the same.
    fn mirrors(&self, sketch: &Sketch) -> &'static [Mirror];

    /// The board without those who chase; `None` if the ruleset has none that could be left out.
    fn without_chasers(&self, sketch: &Sketch) -> Option<Sketch> {
        let chasers: Vec<u8> = chasers(self.amounts()).collect();
        let floor = self.floor();
        let swap = |glyph| {
            if chasers.contains(&glyph) {
                floor
            } else {
                glyph
            }
        };
        Some(sketch.map(swap))
    }

    /// The fewest moves that a shortest way out should have, where nothing is asked for.
    fn usual_moves(&self, _plan: &Plan) -> usize {
        1
    }

    /// A number of moves that no shortest way out exceeds, if one is known.
    fn most_moves(&self, _plan: &Plan) -> Option<usize> {
        None
    }

    /// The usual glyph where several mean the same.
    fn normal(&self, glyph: u8) -> u8 {
        glyph
    }

    /// Whether a setting is about how the board is written, and nothing that is left when it is drawn anew.
    fn is_about_writing(&self, _key: &str) -> bool {
        false
    }

    /// How many states a board may take to solve where nobody asks for more of anything: boards of which
    /// many are to be had in a moment.
    fn usual_states(&self) -> u64 {
        u64::MAX
    }

    /// Whether a board in a file is drawn in a frame of `-` and `|`.
    fn is_framed(&self) -> bool {
        false
    }
}

/// What is asked of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether there is a way out, and a shortest one.
    Escape,
    /// Whether food can be got to, and by what path.
    Food,
    /// With what probability the runner gets out.
    Chance,
}

impl Question {
    /// The good answer and the bad one.
    pub const fn verdicts(self) -> [Verdict; 2] {
        match self {
            Self::Food => [Verdict::Food, Verdict::NoFood],
            Self::Escape | Self::Chance => [Verdict::Escape, Verdict::Caught],
        }
    }
}

/// Something that there can be several of on a board.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// What they are called, in the plural, as in `ghosts`.
    pub name: &'static str,
    /// What one is called.
    pub one: &'static str,
    /// The glyph of one, if each is one cell.
    pub glyph: Option<u8>,
    /// Whether they chase the runner.
    pub is_chaser: bool,
    /// How few and how many the ruleset allows.
    pub allowed: (usize, usize),
    /// How few and how many there are by default, for this number of rows and columns.
    pub by_default: fn(usize, usize) -> (usize, usize),
}

/// The glyphs of those who chase.
pub fn chasers(amounts: &[Amount]) -> impl Iterator<Item = u8> {
    amounts
        .iter()
        .filter(|amount| amount.is_chaser)
        .filter_map(|amount| amount.glyph)
}

/// Whether the runner and those who chase him would be at least so far apart, if this one stood there.
pub fn are_apart(
    layout: &dyn Layout,
    sketch: &Sketch,
    (glyph, cell): (u8, Cell),
    least: u32,
) -> bool {
    let runner = layout.runner();
    let is_chaser = |glyph: u8| chasers(layout.amounts()).any(|chaser| chaser == glyph);
    let minds =
        |other: u8| glyph == runner && is_chaser(other) || is_chaser(glyph) && other == runner;
    let grid = sketch.grid();
    let mut cells = grid.cells().filter(|&other| minds(sketch.at(other)));
    cells.all(|other| grid.distance(cell, other) >= least)
}

/// A place where there is a wall or could be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Where.
    pub at: Cell,
    /// The glyph where there is none.
    pub open: u8,
    /// The glyph of the wall.
    pub closed: u8,
}

/// How boards are to be drawn: what was asked for, and what holds by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// How few and how many of everything there may be, in the order of [`Layout::amounts`].
    pub amounts: Vec<RangeInclusive<usize>>,
    /// The share of the places for walls that have one, from 0 to 1, if it was asked for.
    pub density: Option<f64>,
    /// The mirror in which the walls, and rooms with their doors, stay as they are, if one was asked for.
    pub symmetry: Option<Mirror>,
    /// Whether the size was asked for: a board that has one of its own may be smaller otherwise.
    pub is_sized: bool,
    /// The verdict, if one was asked for.
    pub verdict: Option<Verdict>,
    /// Settings for the header.
    pub settings: Vec<(String, String)>,
}

impl Plan {
    /// The shape of a board whose cells are drawn one by one.
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("the size of a plan has been checked")
    }

    /// An empty board.
    pub fn empty(&self, grid: Grid, glyph: u8) -> Sketch {
        let mut sketch = Sketch::filled(grid, glyph);
        sketch.settings.clone_from(&self.settings);
        sketch
    }

    /// A number within the bounds of `amounts[number]`.
    pub fn amount(&self, number: usize, rng: &mut Rng) -> usize {
        let range = &self.amounts[number];
        rng.between(*range.start(), *range.end())
    }
}

/// Puts `count` things with this glyph on some of these cells, which they take.
pub fn scatter(
    sketch: &mut Sketch,
    free: &mut Vec<Cell>,
    (glyph, count): (u8, usize),
    rng: &mut Rng,
) -> Option<()> {
    for _ in 0..count {
        if free.is_empty() {
            return None;
        }
        let cell = free.swap_remove(rng.below(free.len()));
        sketch.put(cell, glyph);
    }
    Some(())
}

/// The same number for all: the bounds of something that the size does not matter for.
pub const fn fixed<const LEAST: usize, const MOST: usize>(_: usize, _: usize) -> (usize, usize) {
    (LEAST, MOST)
}
