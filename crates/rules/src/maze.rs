#![doc = include_str!("maze.md")]
//! # Where the rules come from
//!
//! The map, the pseudocode and the directions come from the assignment. [`moving`] is a game of many turns with moving walls.

pub mod astar;
mod format;
mod map;
pub mod moving;
mod way;

use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_ruleset::{Legend, Notation};

use astar::{AStarResult, Distances, OverwriteRule};
pub use format::{WALL_LETTERS, is_listed};
pub use map::{Id, Map, Tile, TileKind};
pub use moving::{Moving, MovingError};
pub use way::Way;

/// A board of `maze`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maze {
    map: Map,
    runner: Id,
    head: Option<Cell>,
    expected: Option<i8>,
    /// The capital letters of a drawing's runner and walls, in the order of their ids; empty for lists of numbers.
    letters: Vec<u8>,
}

/// The runner's next move (rules 5 and 6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMove {
    /// The direction; `None` stands for -1.
    pub way: Option<Way>,
    /// The cells from the head to the food; empty if no food was found.
    pub path: Vec<Cell>,
    /// The number of cells taken out of OPEN.
    pub states: u64,
}

impl NextMove {
    /// Returns the answer: 0 up, 1 right, 2 down, 3 left, -1 none (rule 3).
    pub fn direction(&self) -> i8 {
        self.way.map_or(-1, Way::number)
    }

    /// Returns whether food was found.
    pub const fn is_food(&self) -> bool {
        !self.path.is_empty()
    }
}

/// A search for the next move that a limit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{limit}")]
pub struct NextMoveError {
    /// The limit that was reached.
    pub limit: Limit,
    /// The number of cells taken out of OPEN until then.
    pub states: u64,
}

impl Maze {
    /// Makes a board of this map.
    ///
    /// # Errors
    ///
    /// Returns an error if an id has two heads.
    pub fn new(map: Map, runner: Id) -> Result<Self, MapError> {
        if let Some(second) = map.second_heads_while(|| true).first() {
            return Err(MapError::TwoHeads(second.id));
        }
        Ok(Self::of(map, runner, None))
    }

    fn of(map: Map, runner: Id, expected: Option<i8>) -> Self {
        Self {
            head: map.head(runner),
            map,
            runner,
            expected,
            letters: Vec::new(),
        }
    }

    /// Returns the head of this id as the board writes it: a letter or a number.
    fn head_glyph(&self, id: Id) -> String {
        let mut ids = (1..).map_while(Id::new).zip(&self.letters);
        let letter = ids.find(|(other, _)| *other == id);
        letter.map_or_else(|| id.head().to_string(), |(_, &it)| char::from(it).into())
    }

    /// Returns the map.
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// Returns the runner's id.
    pub const fn runner(&self) -> Id {
        self.runner
    }

    /// Returns the cell of the runner's head, if any.
    pub const fn head(&self) -> Option<Cell> {
        self.head
    }

    /// Returns the answer in the file's first line, -1 to 3, if there is one. It is independent of the header `expect`.
    pub const fn expected(&self) -> Option<i8> {
        self.expected
    }

    /// Finds the next move by rules 5 and 6.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit ends the search.
    pub fn next_move(&self, limits: &Limits) -> Result<NextMove, NextMoveError> {
        let Some(head) = self.head else {
            return Ok(NextMove {
                way: None,
                path: Vec::new(),
                states: 0,
            });
        };
        let near = Distances::within(&self.map, limits)
            .map_err(|limit| NextMoveError { limit, states: 0 })?;
        next_move(&self.map, head, &near, limits)
    }

    /// Starts the game of many turns on this map.
    ///
    /// # Errors
    ///
    /// Returns an error if the map can't be played (rule 7).
    pub fn moving(&self) -> Result<Moving, MovingError> {
        Moving::new(self, &Limits::default())
    }
}

impl Notation for Maze {
    const NAME: &'static str = "maze";
    const SUMMARY: &'static str = "a runner among moving walls, steered by A*: reach the food";
    const RULES: &'static str = concat!(include_str!("maze.md"), include_str!("maze/moving.md"));
    const LEGEND: Legend = format::LEGEND;
    const SETTINGS: &'static [&'static str] = &["runner"];

    fn fits(puzzle: &Puzzle) -> bool {
        format::fits(puzzle)
    }

    fn cell(puzzle: &Puzzle, row: u32, col: u32) -> Option<(u32, u32)> {
        (!format::is_listed(puzzle)).then_some((row, col))
    }

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        format::read(puzzle)
    }
}

fn next_move(
    map: &Map,
    head: Cell,
    near: &Distances,
    limits: &Limits,
) -> Result<NextMove, NextMoveError> {
    let AStarResult { path, states } =
        astar::search(map, head, near, OverwriteRule::Assignment, limits, |_| {})?;
    let way = match &path {
        Some(path) => Some(first_step(map, head, path).expect("a path keeps to the rules")),
        None => map.ways(head).next().map(|(way, _)| way),
    };
    Ok(NextMove {
        way,
        path: path.unwrap_or_default(),
        states,
    })
}

/// Returns the first step of a path from `head`, over open neighbours, to food. `None` if the path is invalid.
fn first_step(map: &Map, head: Cell, path: &[Cell]) -> Option<Way> {
    let grid = map.grid();
    let way = |from, to| {
        let mut ways = Way::ALL.into_iter();
        ways.find(|way| grid.step(from, way.dir()) == Some(to))
    };
    let goes_on = |pair: &[Cell]| way(pair[0], pair[1]).is_some() && map.tile(pair[1]).is_open();
    let (&[start, second, ..], Some(&last)) = (path, path.last()) else {
        return None;
    };
    let ends_well = start == head && map.tile(last) == Tile::FOOD;
    way(start, second).filter(|_| ends_well && path.windows(2).all(goes_on))
}

/// The reason why a map or a runner's id is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// No cells, or too many.
    #[error("no map has {rows} x {cols} cells")]
    Size {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// A list that does not hold one number for each cell.
    #[error("a map of {rows} x {cols} cells needs one number for each cell, not {len} in all")]
    Length {
        /// The length of the list.
        len: usize,
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// A number below -1.
    #[error("{number} (at index {at} of the list) has no meaning on a map")]
    Number {
        /// The index in the list, from 0.
        at: usize,
        /// The number.
        number: i64,
    },
    /// A runner's id below 1.
    #[error("a runner's id is a positive integer, not {0}")]
    Runner(i64),
    /// Two heads with the same id.
    #[error("there are two heads with id {0} on the map")]
    TwoHeads(Id),
}

/// Solves the task of the course: returns the direction of the next move, 0 up, 1 right, 2 down, 3 left, -1 none. `maze` is the
/// map as a flat list of `size_m` rows of `size_n` numbers each.
///
/// ```
/// use getaway_rules::maze::move_algo;
///
/// // The runner may go right or down to the food; a textbook A* says 1.
/// let maze = [2, 0,
///             0, -1];
/// assert_eq!(move_algo(&maze, 1, 2, 2), Ok(2));
/// assert!(move_algo(&maze, 1, 2, 3).is_err());
/// ```
///
/// # Errors
///
/// Returns an error if the numbers are not a map of this size, two heads have the same id, or `runner_id` is not positive.
pub fn move_algo(
    maze: &[i64],
    runner_id: i64,
    size_m: usize,
    size_n: usize,
) -> Result<i8, MapError> {
    let (rows, cols, len) = (size_m, size_n, maze.len());
    let runner = Id::new(runner_id).ok_or(MapError::Runner(runner_id))?;
    let grid = Grid::new(rows, cols).ok_or(MapError::Size { rows, cols })?;
    let tile = |(at, &number)| Tile::new(number).ok_or(MapError::Number { at, number });
    let tiles: Result<_, _> = maze.iter().enumerate().map(tile).collect();
    let map = Map::new(grid, tiles?).ok_or(MapError::Length { len, rows, cols })?;
    let next = Maze::new(map, runner)?.next_move(&Limits::default());
    Ok(next.expect("there is no limit").direction())
}

#[cfg(test)]
mod tests;
