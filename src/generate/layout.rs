//! Layouts: how the boards of a ruleset are drawn at random, and which changes they allow.

use std::ops::RangeInclusive;

use super::sketch::{Mirror, Sketch};
use crate::grid::{Cell, Grid};
use crate::rng::Rng;
use crate::solution::Verdict;

/// The drawing of boards of a ruleset, and the changes that they allow.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// The name of the ruleset.
    pub ruleset: &'static str,
    /// The question that its boards ask.
    pub question: Question,
    /// The things that a board can have several of.
    pub amounts: &'a [Amount],
    /// The default rows and columns.
    pub size: (usize, usize),
    /// The fewest rows and columns.
    pub least_size: (usize, usize),
    /// The glyph of empty floor.
    pub floor: u8,
    /// The glyph of the runner.
    pub runner: u8,
    /// The glyph of a wall that takes a whole cell; 0 without such walls.
    pub wall: u8,
    /// The part that its walls play.
    pub kind_of_walls: WallKind,
    /// The number of cells for the amounts that have a glyph, on a board without walls.
    pub room: fn(&Plan) -> usize,
    /// Refuses plans that can't be drawn.
    pub refuse: fn(&Plan) -> Result<(), Impossible>,
    /// Draws a board; returns `None` if this time something found no place.
    pub draw: fn(&Plan, &mut Rng) -> Option<Sketch>,
    /// The places with a wall that can go, or without one that can be built, in row-major order.
    pub walls: fn(&Layout, &Sketch) -> Vec<Wall>,
    /// Returns true if things can be on this floor cell.
    pub may_stand: fn(Grid, Cell) -> bool,
    /// Returns true if a new board usually has something with this glyph on this floor cell.
    pub is_usual: fn(&Layout, &Sketch, u8, Cell) -> bool,
    /// The mirrors that keep the game on this board the same.
    pub mirrors: fn(&Sketch) -> &'static [Mirror],
    /// The board without its chasers; `None` if the ruleset has none.
    pub without_chasers: fn(&Layout, &Sketch) -> Option<Sketch>,
    /// The fewest moves of a shortest way out that make a board worth playing.
    pub usual_moves: fn(&Plan) -> usize,
    /// An upper bound on the moves of a shortest way out, if one is known.
    pub most_moves: fn(&Plan) -> Option<usize>,
    /// The usual glyph among those with the same meaning.
    pub normal: fn(u8) -> u8,
    /// A setting that describes the drawing in a file and does not apply to a new drawing.
    pub setting_of_drawing: Option<&'static str>,
    /// The limit on states to solve a board of the default size, so that boards are quick to make.
    pub usual_states: u64,
    /// True if a board in a file has a frame of `-` and `|`.
    pub is_framed: bool,
}

impl Layout<'static> {
    /// The defaults of most layouts. It draws nothing.
    pub const PLAIN: Self = Self {
        ruleset: "",
        question: Question::Escape,
        amounts: &[],
        size: (3, 3),
        least_size: (3, 3),
        floor: b'.',
        runner: 0,
        wall: 0,
        kind_of_walls: WallKind::Free,
        room: |plan| plan.rows * plan.cols - 1,
        refuse: |_| Ok(()),
        draw: |_, _| None,
        walls: |layout, sketch| layout.whole_cells(sketch),
        may_stand: |_, _| true,
        is_usual: |layout, sketch, _, cell| (layout.may_stand)(sketch.grid(), cell),
        mirrors: |_| &[],
        without_chasers: |layout, sketch| Some(layout.with_floor_for_chasers(sketch)),
        usual_moves: |_| 1,
        most_moves: |_| None,
        normal: |glyph| glyph,
        setting_of_drawing: None,
        usual_states: u64::MAX,
        is_framed: false,
    };
}

impl Layout<'_> {
    /// The floor and wall cells.
    fn whole_cells(&self, sketch: &Sketch) -> Vec<Wall> {
        let (open, closed) = (self.floor, self.wall);
        let cells = sketch.grid().cells();
        let places = cells.filter(|&cell| [open, closed].contains(&sketch.at(cell)));
        places.map(|at| Wall { at, open, closed }).collect()
    }

    fn with_floor_for_chasers(&self, sketch: &Sketch) -> Sketch {
        let is_chaser = |glyph| self.chasers().any(|chaser| chaser == glyph);
        sketch.map(|glyph| if is_chaser(glyph) { self.floor } else { glyph })
    }

    /// The glyphs of the chasers.
    pub fn chasers(&self) -> impl Iterator<Item = u8> {
        let chasers = self.amounts.iter().filter(|amount| amount.is_chaser);
        chasers.filter_map(|amount| amount.glyph)
    }

    /// Returns true if the runner and all chasers would keep this distance with something with this glyph on `cell`.
    pub fn are_apart(&self, sketch: &Sketch, (glyph, cell): (u8, Cell), least: u32) -> bool {
        let is_chaser = |glyph: u8| self.chasers().any(|chaser| chaser == glyph);
        let minds = |other: u8| {
            glyph == self.runner && is_chaser(other) || is_chaser(glyph) && other == self.runner
        };
        let grid = sketch.grid();
        let mut cells = grid.cells().filter(|&other| minds(sketch.at(other)));
        cells.all(|other| grid.distance(cell, other) >= least)
    }
}

/// The part that walls play on the boards of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallKind {
    /// Each wall is independent, so that a search can move it.
    Free,
    /// Walls take several cells. A search leaves them in place.
    Long,
    /// Walls enclose rooms. They have no density, and a minimal board keeps them.
    Rooms,
}

/// The question that a board asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is there a way out, and how long is the shortest?
    Escape,
    /// Can the runner reach food, and on which path?
    Food,
    /// With what probability does the runner escape?
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

/// A kind of thing that a board can have several of.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Its name in the plural: `ghosts`.
    pub name: &'static str,
    /// Its name in the singular.
    pub one: &'static str,
    /// The glyph, if each thing takes one cell.
    pub glyph: Option<u8>,
    /// True if it chases the runner.
    pub is_chaser: bool,
    /// The fewest and the most that the ruleset allows.
    pub allowed: (usize, usize),
    /// The default range for a number of rows and columns.
    pub by_default: fn(usize, usize) -> (usize, usize),
}

impl Amount {
    /// A thing that a board can have any number of, and has one of by default.
    pub const fn new(name: &'static str, one: &'static str, glyph: Option<u8>) -> Self {
        Self {
            name,
            one,
            glyph,
            is_chaser: false,
            allowed: (0, usize::MAX),
            by_default: |_, _| (1, 1),
        }
    }

    /// A chaser.
    pub const fn chaser(name: &'static str, one: &'static str, glyph: u8) -> Self {
        Self {
            is_chaser: true,
            ..Self::new(name, one, Some(glyph))
        }
    }

    /// Sets the fewest and the most that are allowed.
    #[must_use]
    pub const fn allowed(self, least: usize, most: usize) -> Self {
        Self {
            allowed: (least, most),
            ..self
        }
    }

    /// Sets the default range.
    #[must_use]
    pub const fn usually(self, by_default: fn(usize, usize) -> (usize, usize)) -> Self {
        Self { by_default, ..self }
    }
}

/// A place with a wall, or for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The cell.
    pub at: Cell,
    /// The glyph without a wall.
    pub open: u8,
    /// The glyph of the wall.
    pub closed: u8,
}

/// The boards to draw: what the user asked for, and the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The range of each of [`Layout::amounts`].
    pub amounts: Vec<RangeInclusive<usize>>,
    /// The requested wall density, from 0 to 1.
    pub density: Option<f64>,
    /// The requested mirror, which maps the walls, or rooms with their doors, to themselves.
    pub symmetry: Option<Mirror>,
    /// True if the user asked for a size. Otherwise a board may be smaller.
    pub is_sized: bool,
    /// The requested verdict.
    pub verdict: Option<Verdict>,
    /// Settings for the header.
    pub settings: Vec<(String, String)>,
}

impl Plan {
    /// The shape of a board that has a glyph for each cell.
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("the size of a plan has been checked")
    }

    /// A board full of this glyph.
    pub fn empty(&self, grid: Grid, glyph: u8) -> Sketch {
        let mut sketch = Sketch::filled(grid, glyph);
        sketch.settings.clone_from(&self.settings);
        sketch
    }

    /// Draws a number within the range of an amount.
    pub fn amount(&self, number: usize, rng: &mut Rng) -> usize {
        let range = &self.amounts[number];
        rng.between(*range.start(), *range.end())
    }
}

/// Puts `count` things with this glyph on random free cells, which are then no longer free.
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

/// The number of cells that a share of them comes to.
pub fn part(share: f64, cells: usize) -> usize {
    (share * cells as f64).round() as usize
}

/// The reason why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Impossible(pub String);

impl Impossible {
    /// Names a board that is too small for these things.
    pub fn crowded(wanted: usize, room: usize) -> Self {
        Self(format!(
            "there is no room for {wanted} on this board, only for {room}: make it larger"
        ))
    }
}
