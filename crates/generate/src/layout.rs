//! Layouts: random boards of a ruleset, and the changes that they allow.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::enumeration::{Canvas, Place};
use super::sketch::{Mirror, Sketch};
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;
use getaway_rules::maze::WALL_LETTERS;

pub const MAX_STATES: u64 = 3_000_000;

#[derive(Clone, Copy)]
pub struct Layout<'a> {
    pub ruleset: &'static str,
    pub question: Question,
    pub amounts: &'a [Amount],
    pub size: (usize, usize),
    pub least_size: (usize, usize),
    pub floor: u8,
    pub runner: u8,
    /// The glyph of a wall; 0 if the ruleset has no walls that fill a cell.
    pub wall: u8,
    pub kind_of_walls: WallKind,
    /// Returns the number of cells on which things can be placed.
    pub room: fn(&Plan) -> usize,
    pub refuse: fn(&Plan) -> Result<(), Impossible>,
    pub draw: fn(&Plan, &mut Rng) -> Option<Sketch>,
    /// Returns the walls and the places for walls, in row-major order.
    pub walls: fn(&Layout, &Sketch) -> Vec<Piece>,
    /// Returns a canvas whose fillings are all boards of the plan, if the layout has one.
    pub canvas: fn(&Layout, &Plan) -> Option<Canvas>,
    pub may_stand: fn(Grid, Cell) -> bool,
    pub is_usual: fn(&Layout, &Sketch, u8, Cell) -> bool,
    pub mirrors: fn(&Sketch) -> &'static [Mirror],
    pub without_chasers: fn(&Layout, &Sketch) -> Option<Sketch>,
    pub usual_moves: fn(&Plan) -> usize,
    pub usual_odds: fn(&Plan) -> Option<RangeInclusive<f64>>,
    /// Returns an upper bound on the length of a shortest way out, if one is known.
    pub most_moves: fn(&Plan) -> Option<usize>,
    /// Returns a lower bound on the length of a way out across this many columns.
    pub least_moves: fn(usize) -> usize,
    /// Returns the usual glyph with the same meaning as this one.
    pub normal: fn(u8) -> u8,
    /// A setting that only describes a file's drawing.
    pub setting_of_drawing: Option<&'static str>,
    /// The limit on states for a board of the default size, which keeps generation quick.
    pub usual_states: u64,
    pub is_framed: bool,
}

impl Layout<'static> {
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
        canvas: |layout, plan| Some(layout.open_canvas(plan)),
        may_stand: |_, _| true,
        is_usual: |layout, sketch, _, cell| (layout.may_stand)(sketch.grid(), cell),
        mirrors: |_| &[],
        without_chasers: |layout, sketch| Some(layout.with_floor_for_chasers(sketch)),
        usual_moves: |_| 1,
        usual_odds: |_| None,
        most_moves: |_| None,
        least_moves: |_| 0,
        normal: |glyph| glyph,
        setting_of_drawing: None,
        usual_states: MAX_STATES,
        is_framed: false,
    };
}

impl Layout<'_> {
    fn whole_cells(&self, sketch: &Sketch) -> Vec<Piece> {
        let (open, closed) = (self.floor, self.wall);
        let cells = sketch.grid().cells();
        let places = cells.filter(|&cell| [open, closed].contains(&sketch.at(cell)));
        places.map(|at| Piece { at, open, closed }).collect()
    }

    /// Returns a canvas on which every cell may hold floor, a wall or a thing.
    pub fn open_canvas(&self, plan: &Plan) -> Canvas {
        let things = self.amounts.iter().filter_map(|amount| amount.glyph);
        let mut glyphs: Vec<u8> = [self.floor, self.runner]
            .into_iter()
            .chain(things)
            .collect();
        glyphs.extend(Some(self.wall).filter(|&wall| wall != 0));
        let sketch = plan.empty(plan.grid(), self.floor);
        let place = |cell| Place {
            cell,
            glyphs: glyphs.clone(),
        };
        Canvas {
            places: sketch.grid().cells().map(place).collect(),
            sketch,
        }
    }

    pub fn sketch(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let is_possible = match self.kind_of_walls {
            _ if !plan.is_anywhere || plan.density.is_some() => false,
            WallKind::Free => self.wall != 0,
            // A wall of several cells may be needed to shut a way.
            WallKind::Long => rng.chance(0.5),
            WallKind::Rooms => false,
        };
        if is_possible {
            self.draw_anywhere(plan, rng)
        } else {
            (self.draw)(plan, rng)
        }
    }

    /// Draws things and walls on any cells. On half of the boards, each kind of thing is as near to the runner as possible, or as
    /// far: at random, no full board would have a way out.
    fn draw_anywhere(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, self.floor);
        let mut free: Vec<Cell> = grid.cells().collect();
        rng.shuffle(&mut free);
        let runner = free.pop()?;
        sketch.put(runner, self.runner);
        if rng.chance(0.5) {
            free.sort_by_key(|&cell| grid.distance(cell, runner));
        }
        let mut free = VecDeque::from(free);
        for (number, amount) in self.amounts.iter().enumerate() {
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
        let walls = match self.kind_of_walls {
            WallKind::Free => rng.between(0, free.len()),
            WallKind::Long | WallKind::Rooms => 0,
        };
        rng.shuffle(free.make_contiguous());
        for &cell in free.iter().take(walls) {
            sketch.put(cell, self.wall);
        }
        Some(sketch)
    }

    pub const fn thing(&self, glyph: u8, at: Cell) -> Piece {
        let (open, closed) = (self.floor, glyph);
        Piece { at, open, closed }
    }

    fn with_floor_for_chasers(&self, sketch: &Sketch) -> Sketch {
        sketch.map(|glyph| match glyph {
            chaser if self.is_chaser(chaser) => self.floor,
            glyph => glyph,
        })
    }

    fn is_chaser(&self, glyph: u8) -> bool {
        self.chasers().any(|chaser| chaser == glyph)
    }

    pub fn chasers(&self) -> impl Iterator<Item = u8> {
        let chasers = self.amounts.iter().filter(|amount| amount.is_chaser);
        chasers.filter_map(|amount| amount.glyph)
    }

    /// Returns whether a runner or chaser on `cell` would be at least `least` steps away from its opponents.
    pub fn are_apart(&self, sketch: &Sketch, glyph: u8, cell: Cell, least: u32) -> bool {
        let minds = |other: u8| {
            glyph == self.runner && self.is_chaser(other)
                || self.is_chaser(glyph) && other == self.runner
        };
        let grid = sketch.grid();
        let mut cells = grid.cells().filter(|&other| minds(sketch.at(other)));
        cells.all(|other| grid.distance(cell, other) >= least)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallKind {
    /// Walls that a search can move one by one.
    Free,
    /// Walls of several cells, which a search leaves in place.
    Long,
    /// Walls around rooms, which a minimal board keeps.
    Rooms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Escape,
    Food,
    Chance,
}

impl Question {
    pub const fn verdicts(self) -> [Verdict; 2] {
        match self {
            Self::Food => [Verdict::Food, Verdict::NoFood],
            Self::Escape | Self::Chance => [Verdict::Escape, Verdict::Caught],
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Amount {
    pub name: &'static str,
    pub one: &'static str,
    pub glyph: Option<u8>,
    pub is_chaser: bool,
    pub allowed: (usize, usize),
    pub by_default: fn(usize, usize) -> RangeInclusive<usize>,
}

impl Amount {
    pub const fn new(name: &'static str, one: &'static str, glyph: Option<u8>) -> Self {
        Self {
            name,
            one,
            glyph,
            is_chaser: false,
            allowed: (0, usize::MAX),
            by_default: |_, _| 1..=1,
        }
    }

    pub const fn chaser(name: &'static str, one: &'static str, glyph: u8) -> Self {
        Self {
            is_chaser: true,
            ..Self::new(name, one, Some(glyph))
        }
    }

    #[must_use]
    pub const fn allowed(self, least: usize, most: usize) -> Self {
        Self {
            allowed: (least, most),
            ..self
        }
    }

    #[must_use]
    pub const fn usually(self, by_default: fn(usize, usize) -> RangeInclusive<usize>) -> Self {
        Self { by_default, ..self }
    }
}

/// A wall or thing, or a place for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub at: Cell,
    pub open: u8,
    pub closed: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub rows: usize,
    pub cols: usize,
    pub amounts: Vec<RangeInclusive<usize>>,
    pub density: Option<f64>,
    /// True if a size was requested; otherwise a board may be smaller than `rows` and `cols`.
    pub is_sized: bool,
    pub verdict: Option<Verdict>,
    pub settings: Vec<(String, String)>,
    /// True if things may be on any cell, as on boards that the ruleset's own drawing can't produce.
    pub is_anywhere: bool,
}

impl Plan {
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("the size of a plan has been checked")
    }

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

pub fn part(share: f64, cells: usize) -> usize {
    (share * cells as f64).round() as usize
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Impossible(pub String);

impl Impossible {
    pub fn check<const N: usize>(reasons: [(bool, String); N]) -> Result<(), Self> {
        let holds = reasons.into_iter().find(|(holds, _)| *holds);
        holds.map_or(Ok(()), |(_, why)| Err(Self(why)))
    }

    pub fn check_room(wanted: usize, room: usize) -> Result<(), Self> {
        Self::check([(
            wanted > room,
            format!("there is no room for {wanted} on this board, only for {room}: make it larger"),
        )])
    }
}
