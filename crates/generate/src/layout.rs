//! Layouts: how the boards of a ruleset are drawn, and how a search may change them.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::sketch::{Sketch, Symmetry};
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;
use getaway_rules::maze::WALL_LETTERS;

/// The default limit on states for a board whose size or contents were requested.
pub const MAX_STATES: u64 = 3_000_000;

/// The drawing of a ruleset's boards. [`Self::style`] and [`Self::draw`] suffice for a ruleset whose walls fill whole cells.
pub trait Layout: Sync {
    fn style(&self) -> Style<'_>;

    /// Draws a random board in the usual style; `None` if this attempt failed.
    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch>;

    /// Returns an error if it is obvious that no board of this plan exists.
    fn check(&self, _plan: &Plan) -> Result<(), CriteriaError> {
        Ok(())
    }

    /// Returns the number of cells on which things other than players can be placed.
    fn capacity(&self, plan: &Plan) -> usize {
        plan.rows * plan.cols - plan.players
    }

    /// Returns a canvas whose fillings are the boards of the plan, if there is one. Boards that [`Self::draw`] never draws may be
    /// left out.
    fn canvas(&self, plan: &Plan) -> Option<Canvas> {
        Some(self.style().open_canvas(plan))
    }

    /// Returns the walls and the places for walls, in row-major order.
    fn walls(&self, sketch: &Sketch) -> Vec<Piece> {
        self.style().whole_cells(sketch)
    }

    /// Returns whether the rules allow things on this cell.
    fn may_stand(&self, _grid: Grid, _cell: Cell) -> bool {
        true
    }

    /// Returns whether a board in the usual style may have this thing on this cell.
    fn is_usual(&self, sketch: &Sketch, _glyph: u8, cell: Cell) -> bool {
        self.may_stand(sketch.grid(), cell)
    }

    /// Returns the symmetries that preserve the answer to this board.
    fn symmetries(&self, _sketch: &Sketch) -> &'static [Symmetry] {
        &[]
    }

    /// Returns the board without its chasers, or with chasers that do nothing; `None` if the ruleset has no chasers.
    fn without_chasers(&self, sketch: &Sketch) -> Option<Sketch> {
        let style = self.style();
        Some(sketch.map(|glyph| match glyph {
            chaser if style.is_chaser(chaser) => style.floor,
            glyph => glyph,
        }))
    }

    /// Returns the minimum number of moves that a shortest way out should have by default.
    fn usual_moves(&self, _plan: &Plan) -> usize {
        1
    }

    /// Returns an upper bound on the length of a shortest way out, if one is known.
    fn max_moves(&self, _plan: &Plan) -> Option<usize> {
        None
    }

    /// Returns a lower bound on the length of a usual way out on a board with this many columns.
    fn min_moves_across(&self, _cols: usize) -> usize {
        0
    }
}

/// The glyphs and numbers that describe the boards of a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    pub ruleset: &'a str,
    pub question: Question,
    /// The kinds of things besides the runner.
    pub amounts: &'a [ThingKind],
    pub size: Size,
    pub min_size: Size,
    pub floor: u8,
    pub runner: u8,
    pub max_players: usize,
    /// The glyph of a wall that fills a cell, if the ruleset has such walls.
    pub wall: Option<u8>,
    /// The way in which walls can change.
    pub kind_of_walls: WallKind,
    /// Pairs of glyphs with the same meaning, each with the usual one second.
    pub synonyms: &'a [(u8, u8)],
    /// A setting that only says how a file is written. A redrawn board does not need it.
    pub setting_of_drawing: Option<&'static str>,
    /// The default limit on states for a board whose size and contents were not requested. It keeps generation quick.
    pub usual_states: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub rows: usize,
    pub cols: usize,
}

impl Size {
    pub const fn new(rows: usize, cols: usize) -> Self {
        Self { rows, cols }
    }

    pub const fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// Returns whether a board of this size fits into `other`.
    pub const fn fits(self, other: Self) -> bool {
        self.rows <= other.rows && self.cols <= other.cols
    }
}

impl Style<'static> {
    /// The style on which all others are based: boards of at least 3x3 cells, with an escape as their goal and without walls.
    pub const PLAIN: Self = Self {
        ruleset: "",
        question: Question::Escape,
        amounts: &[],
        size: Size::new(3, 3),
        min_size: Size::new(3, 3),
        floor: b'.',
        runner: 0,
        max_players: 1,
        wall: None,
        kind_of_walls: WallKind::Free,
        synonyms: &[],
        setting_of_drawing: None,
        usual_states: MAX_STATES,
    };
}

impl<'a> Style<'a> {
    /// Returns the glyphs of the kinds of things that have one.
    pub fn things(self) -> impl Iterator<Item = u8> + 'a {
        self.amounts.iter().filter_map(|amount| amount.glyph)
    }

    pub fn chasers(self) -> impl Iterator<Item = u8> + 'a {
        let chasers = self.amounts.iter().filter(|amount| amount.is_chaser);
        chasers.filter_map(|amount| amount.glyph)
    }

    /// Returns the usual glyph with the same meaning as this one.
    pub fn normal(&self, glyph: u8) -> u8 {
        let mut synonyms = self.synonyms.iter();
        let usual = synonyms.find(|(other, _)| *other == glyph);
        usual.map_or(glyph, |&(_, usual)| usual)
    }

    /// Returns a canvas on which every cell may hold floor, a wall or a thing.
    pub fn open_canvas(&self, plan: &Plan) -> Canvas {
        let glyphs: Vec<u8> = [self.floor, self.runner]
            .into_iter()
            .chain(self.things())
            .chain(self.wall)
            .collect();
        let sketch = plan.empty(plan.grid(), self.floor);
        let place = |cell| CanvasCell {
            cell,
            glyphs: glyphs.clone(),
        };
        Canvas {
            places: sketch.grid().cells().map(place).collect(),
            sketch,
        }
    }

    /// Returns the cells with floor or a wall; none if the walls of the ruleset do not fill cells.
    fn whole_cells(&self, sketch: &Sketch) -> Vec<Piece> {
        let Some(closed) = self.wall else {
            return Vec::new();
        };
        let open = self.floor;
        let cells = sketch.grid().cells();
        let places = cells.filter(|&cell| [open, closed].contains(&sketch.at(cell)));
        places.map(|at| Piece { at, open, closed }).collect()
    }

    pub const fn thing(&self, glyph: u8, at: Cell) -> Piece {
        let (open, closed) = (self.floor, glyph);
        Piece { at, open, closed }
    }

    fn is_chaser(&self, glyph: u8) -> bool {
        self.chasers().any(|chaser| chaser == glyph)
    }

    /// Returns whether a runner or chaser on `cell` would be at least `min` steps away from its opponents; true for other glyphs.
    pub fn are_apart(&self, sketch: &Sketch, glyph: u8, cell: Cell, min: u32) -> bool {
        let is_opponent = |other: u8| {
            glyph == self.runner && self.is_chaser(other)
                || self.is_chaser(glyph) && other == self.runner
        };
        let grid = sketch.grid();
        let mut cells = grid.cells().filter(|&other| is_opponent(sketch.at(other)));
        cells.all(|other| grid.distance(cell, other) >= min)
    }
}

/// Draws a board of a plan, in the usual style or, if the plan and the kind of walls allow it, with things on any cells; `None`
/// if this attempt failed.
pub fn sketch(layout: &dyn Layout, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
    let style = layout.style();
    let is_possible = match style.kind_of_walls {
        _ if !plan.is_anywhere || plan.density.is_some() => false,
        WallKind::Free => style.wall.is_some(),
        // `draw_anywhere` makes moving walls of one cell, but a wall of several cells may be needed to shut a way.
        WallKind::Long => rng.chance(0.5),
        WallKind::Rooms => false,
    };
    if is_possible {
        draw_anywhere(&style, plan, rng)
    } else {
        layout.draw(plan, rng)
    }
}

/// Draws things and walls on any cells. On half of the boards, each kind of thing is as near to the runner as possible, or as far
/// away: with things on random cells, a full board would rarely have a way out.
fn draw_anywhere(style: &Style, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
    let grid = plan.grid();
    let mut sketch = plan.empty(grid, style.floor);
    let mut cells: Vec<Cell> = grid.cells().collect();
    rng.shuffle(&mut cells);
    let runner = cells.pop()?;
    sketch.put(runner, style.runner);
    if rng.chance(0.5) {
        cells.sort_by_key(|&cell| grid.distance(cell, runner));
    }
    let mut free = VecDeque::from(cells);
    for (number, amount) in style.amounts.iter().enumerate() {
        let is_near = rng.chance(0.5);
        for letter in WALL_LETTERS.iter().cycle().take(plan.amount(number, rng)) {
            let cell = if is_near {
                free.pop_front()
            } else {
                free.pop_back()
            };
            sketch.put(cell?, amount.glyph.unwrap_or(*letter));
        }
    }
    let wall = style.wall.filter(|_| style.kind_of_walls == WallKind::Free);
    let walls = wall.map_or(0, |_| rng.between(0, free.len()));
    rng.shuffle(free.make_contiguous());
    for (&cell, wall) in free.iter().take(walls).zip(wall.into_iter().cycle()) {
        sketch.put(cell, wall);
    }
    Some(sketch)
}

/// The way in which the walls of a ruleset can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallKind {
    /// Walls that a search can add, remove and move one by one.
    Free,
    /// Walls of several cells, which a search leaves in place.
    Long,
    /// Walls around rooms, which a search leaves in place and a minimal board keeps.
    Rooms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Escape,
    Food,
    Chance,
}

impl Question {
    /// Returns the two verdicts, the good one first.
    pub const fn verdicts(self) -> [Verdict; 2] {
        match self {
            Self::Food => [Verdict::Food, Verdict::NoFood],
            Self::Escape | Self::Chance => [Verdict::Escape, Verdict::Caught],
        }
    }
}

/// A kind of things, of which a board has some number.
#[derive(Clone, Copy, Debug)]
pub struct ThingKind {
    /// The name, in the plural.
    pub name: &'static str,
    pub one: &'static str,
    /// The glyph; `None` for rooms and moving walls.
    pub glyph: Option<u8>,
    pub is_chaser: bool,
    pub allowed: (usize, usize),
    /// Returns the usual range of the number, given the numbers of rows, columns and players.
    pub by_default: fn(usize, usize, usize) -> RangeInclusive<usize>,
}

impl ThingKind {
    /// Creates a kind of things. A board may have any number of them, by default one.
    pub const fn new(name: &'static str, one: &'static str, glyph: Option<u8>) -> Self {
        Self {
            name,
            one,
            glyph,
            is_chaser: false,
            allowed: (0, usize::MAX),
            by_default: |_, _, _| 1..=1,
        }
    }

    pub const fn chaser(name: &'static str, one: &'static str, glyph: u8) -> Self {
        Self {
            is_chaser: true,
            ..Self::new(name, one, Some(glyph))
        }
    }

    pub const fn allowed(self, min: usize, max: usize) -> Self {
        Self {
            allowed: (min, max),
            ..self
        }
    }

    pub const fn usually(
        self,
        by_default: fn(usize, usize, usize) -> RangeInclusive<usize>,
    ) -> Self {
        Self { by_default, ..self }
    }
}

/// A wall or thing, or a place for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub at: Cell,
    /// The glyph without the wall or thing.
    pub open: u8,
    /// The glyph with it.
    pub closed: u8,
}

/// A board with places to fill.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub sketch: Sketch,
    /// The places, in the order in which they are filled.
    pub places: Vec<CanvasCell>,
}

/// A cell and the glyphs that it may hold.
#[derive(Clone, Debug)]
pub struct CanvasCell {
    pub cell: Cell,
    /// The glyphs, in the order in which they are tried.
    pub glyphs: Vec<u8>,
}

/// The size and the contents of new boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub rows: usize,
    pub cols: usize,
    /// The number of players, who are the runners.
    pub players: usize,
    /// The range of each amount, in the order of [`Style::amounts`].
    pub amounts: Vec<RangeInclusive<usize>>,
    /// The wall density, from 0 to 1.
    pub density: Option<f64>,
    /// True if a size was requested; if not, a board may be smaller than `rows` and `cols`.
    pub is_sized: bool,
    /// The verdict that the criteria imply, if any.
    pub verdict: Option<Verdict>,
    pub settings: Vec<(String, String)>,
    /// True if things may be on any cell, as on boards that the ruleset's own drawing can't produce.
    pub is_anywhere: bool,
}

impl Plan {
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("the size of a plan has been checked")
    }

    /// Returns a board with the plan's settings and the same glyph everywhere.
    pub fn empty(&self, grid: Grid, glyph: u8) -> Sketch {
        let mut sketch = Sketch::filled(grid, glyph);
        sketch.settings.clone_from(&self.settings);
        sketch
    }

    pub fn amount(&self, number: usize, rng: &mut Rng) -> usize {
        let range = &self.amounts[number];
        rng.between(*range.start(), *range.end())
    }
}

/// Puts `count` things on random cells of `free`, and removes these cells from the list; returns `None` if too few are left.
pub fn scatter(
    sketch: &mut Sketch,
    free: &mut Vec<Cell>,
    glyph: u8,
    count: usize,
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

/// Returns the number of cells that a share, from 0 to 1, amounts to.
pub fn cells_of_share(share: f64, cells: usize) -> usize {
    (share * cells as f64).round() as usize
}

/// The reason why boards can't be generated or sorted as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CriteriaError(pub String);

impl CriteriaError {
    /// Checks that no condition holds; each would rule out every board.
    ///
    /// The error is the text of the first condition that holds.
    pub(crate) fn check<const N: usize>(reasons: [(bool, String); N]) -> Result<(), Self> {
        let holds = reasons.into_iter().find(|(holds, _)| *holds);
        holds.map_or(Ok(()), |(_, why)| Err(Self(why)))
    }
}
