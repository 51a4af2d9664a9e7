#![doc = include_str!("moving.md")]
//! # Where the rules come from
//!
//! The assignment only hints at this game ("moving walls", "once the runner hit the wall, the game is over", "string food
//! together", "compare the moving wall to a snake"). Everything else was decided here.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::astar::{self, Distances};
use super::format::WALL_LETTERS;
use super::{Id, Map, Maze, NextMove, NextMoveError, Tile, TileKind, Way, next_move};
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::grid::path::{PathError, WorkBudget, through_all};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{
    Event, Legend, Notation, Outcome, Playable, Reason, Ruleset, Stochastic, Watch,
};

/// A map on which the game of many turns can be played.
#[derive(Clone, Debug)]
pub struct Moving {
    runner: Id,
    walls: Vec<Id>,
    start: State,
}

/// The cells of the runner or of a wall, from head to tail.
type Body = VecDeque<Cell>;

/// A position with the runner to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The map with the food, the runner and the walls.
    pub map: Map,
    runner: Body,
    walls: Vec<Body>,
    food_left: usize,
    gathered: usize,
    /// The distances to the nearest food. They ignore walls, so they stay valid until food is eaten.
    near: Distances,
}

impl State {
    /// Returns the cell of the runner's head.
    pub fn head(&self) -> Cell {
        self.runner[0]
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // These fields determine the others.
        (&self.map, &self.runner, &self.walls).hash(hasher);
    }
}

/// A wall, by its place in the order of increasing id (rule 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wall(usize);

/// The runner or a wall, as the board shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    is_runner: bool,
    /// Its head: a letter of a drawing, or a number.
    glyph: String,
    /// The row and the column, from 1, of its head or another of its cells; `None` if it has none.
    place: Option<(u32, u32)>,
}

impl Actor {
    const fn head(&self) -> &'static str {
        if self.is_runner { "head" } else { "moving end" }
    }

    const fn rest(&self) -> &'static str {
        if self.is_runner { "string" } else { "body" }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_runner {
            "the runner"
        } else {
            "the wall"
        })?;
        match self.place {
            Some((row, col)) => write!(f, " in row {row}, column {col}"),
            None => Ok(()),
        }
    }
}

/// The reason why a map can't be played (rule 7).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovingError {
    /// The cells of a string or body have no head, or the map has no runner.
    #[error("this map can't be played: {0} has no {head} (`{glyph}`)", head = .0.head(), glyph = .0.glyph)]
    NoHead(Actor),
    /// No path from the head runs through all cells of its string or body.
    #[error(
        "this map can't be played: no path from the {head} (`{glyph}`) of {0} runs through all of its {rest}",
        head = .0.head(), glyph = .0.glyph, rest = .0.rest()
    )]
    NoPath(Actor),
    /// The search for the body's order neither found a path in time nor ruled one out.
    #[error(
        "this map can't be played: the {rest} of {0} (`{glyph}`) is too tangled to find a path through all of it",
        glyph = .0.glyph, rest = .0.rest()
    )]
    TooTangled(Actor),
    /// A limit was reached before the game could start.
    #[error("this map can't be played: {0}")]
    Undecided(Limit),
}

impl From<Limit> for MovingError {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}

/// The work allowed for putting all bodies in order: about a second, enough for ten thousand cells in coiled bodies.
const WORK: u64 = 60_000_000;

impl Moving {
    /// Creates the game: puts the cells of all bodies in order (rule 7).
    ///
    /// # Errors
    ///
    /// Returns the reason why the map can't be played, or the limit that was reached.
    pub fn new(maze: &Maze, limits: &Limits) -> Result<Self, MovingError> {
        let (map, runner) = (maze.map(), maze.runner());
        let mut clock = Clock::new(limits);
        let mut parts = parts(map, &mut clock)?;
        let mut budget = WorkBudget::new(WORK, limits);
        let mut read = |id, parts| read_body(maze, id, parts, &mut budget);
        let own = parts.remove(&runner).unwrap_or_default();
        let body = read(runner, own)?;
        let walls = parts.keys().copied().collect();
        let bodies = parts.into_iter().map(|(id, parts)| read(id, parts));
        let start = State {
            map: map.clone(),
            runner: body,
            walls: bodies.collect::<Result<_, _>>()?,
            food_left: map.food(),
            gathered: 0,
            near: Distances::within(map, limits)?,
        };
        Ok(Self {
            runner,
            walls,
            start,
        })
    }

    /// Returns the bytes that a game takes, including the search for the next move except for its OPEN.
    pub fn bytes(&self) -> u64 {
        let size = self.grid().size();
        size as u64 * (size_of::<Tile>() + size_of::<u32>() + size_of::<Cell>()) as u64
            + astar::bytes(self.grid())
    }

    /// Returns the runner's next move (rules 5 and 6).
    ///
    /// # Errors
    ///
    /// Returns an error if a limit ends the search.
    pub fn next_move(at: &State, limits: &Limits) -> Result<NextMove, NextMoveError> {
        next_move(&at.map, at.head(), &at.near, limits)
    }

    const fn grid(&self) -> Grid {
        self.start.map.grid()
    }

    fn letter(wall: usize) -> char {
        WALL_LETTERS[wall % WALL_LETTERS.len()].into()
    }

    fn glyph(&self, tile: Tile) -> char {
        let letter = |id| match self.walls.binary_search(&id) {
            Ok(wall) => Self::letter(wall),
            Err(_) => 'R',
        };
        match tile.kind() {
            TileKind::Blank => '.',
            TileKind::Food => '*',
            TileKind::Head(id) => letter(id),
            TileKind::Body(id) => letter(id).to_ascii_lowercase(),
        }
    }

    /// Returns the cell to which a step leads, or the reason why the step is illegal (rule 9).
    fn step(&self, at: &State, way: Way) -> Result<Cell, &'static str> {
        let to = self
            .grid()
            .step(at.head(), way.dir())
            .ok_or("that is off the board")?;
        match at.map.tile(to).kind() {
            TileKind::Blank | TileKind::Food => Ok(to),
            TileKind::Head(id) | TileKind::Body(id) if id == self.runner => {
                Err("his own string is in the way")
            }
            TileKind::Head(_) | TileKind::Body(_) => Err("a wall is in the way"),
        }
    }
}

/// The head of a body, if any, and its other cells.
type Parts = (Option<Cell>, Vec<Cell>);

fn parts(map: &Map, clock: &mut Clock) -> Result<BTreeMap<Id, Parts>, Limit> {
    let mut parts: BTreeMap<Id, Parts> = BTreeMap::new();
    for (cell, tile) in map.cells() {
        clock.work(2)?;
        match tile.kind() {
            TileKind::Blank | TileKind::Food => {}
            TileKind::Head(id) => parts.entry(id).or_default().0 = Some(cell),
            TileKind::Body(id) => parts.entry(id).or_default().1.push(cell),
        }
    }
    Ok(parts)
}

/// Puts the cells of a body in order (rule 7).
fn read_body(
    maze: &Maze,
    id: Id,
    (head, rest): Parts,
    budget: &mut WorkBudget,
) -> Result<Body, MovingError> {
    let grid = maze.map().grid();
    let actor = || Actor {
        is_runner: id == maze.runner(),
        glyph: maze.head_glyph(id),
        place: head.or(rest.first().copied()).map(|cell| {
            let (row, col) = grid.position(cell);
            (row + 1, col + 1)
        }),
    };
    let head = head.ok_or_else(|| MovingError::NoHead(actor()))?;
    let order = through_all(grid, head, &rest, budget);
    order
        .map(|order| [&[head], &*order].concat().into())
        .map_err(|why| match why {
            PathError::NoPath => MovingError::NoPath(actor()),
            PathError::TooTangled => MovingError::TooTangled(actor()),
            PathError::Undecided(limit) => limit.into(),
        })
}

fn move_body(map: &mut Map, body: &mut Body, to: Cell) {
    let head = map.tile(body[0]);
    map.set(body[0], head.trail());
    let last = body.pop_back().expect("a body has a head");
    map.set(last, Tile::BLANK);
    map.set(to, head);
    body.push_front(to);
}

impl Ruleset for Moving {
    type State = State;
    type Move = Way;

    const MOVES: &'static [Way] = &Way::ALL;

    fn start(&self) -> State {
        self.start.clone()
    }

    /// Applies rule 8.
    fn open<W: Watch>(&self, at: &mut State, _watch: &mut W) -> Option<Outcome> {
        (at.food_left == 0).then_some(Outcome::Escaped)
    }

    fn refusal(&self, at: &State, way: Way) -> Option<Reason> {
        self.step(at, way).err().map(Reason::Borrowed)
    }

    /// Applies rules 9 to 11.
    fn act<W: Watch>(&self, at: &mut State, way: Way, watch: &mut W) -> Option<Outcome> {
        let to = self.step(at, way).expect("the move is legal");
        let from = at.head();
        watch.observe(Event::step('R', from, to));
        if at.map.tile(to) == Tile::FOOD {
            let head = at.map.tile(from);
            at.map.set(from, head.trail());
            at.map.set(to, head);
            at.runner.push_front(to);
            at.food_left -= 1;
            at.gathered += 1;
            at.near = Distances::of(&at.map);
        } else {
            move_body(&mut at.map, &mut at.runner, to);
        }
        (at.food_left == 0).then_some(Outcome::Escaped)
    }
}

impl Stochastic for Moving {
    type Chaser = Wall;
    /// The next cell of the moving end; `None` if the wall stays.
    type Choice = Option<Cell>;

    fn chasers(&self, at: &State, out: &mut Vec<Wall>) {
        out.extend((0..at.walls.len()).map(Wall));
    }

    /// Lists the blank neighbours of a wall's moving end, each equally likely, or `None` if there are none (rule 12).
    fn outcomes(&self, at: &State, Wall(wall): Wall, out: &mut Distribution<Option<Cell>>) {
        let end = at.walls[wall][0];
        let ways = at.map.ways(end);
        // Open neighbours include food, onto which walls do not move.
        let blank = ways.filter(|&(_, to)| at.map.tile(to) == Tile::BLANK);
        let count = blank.clone().count();
        for (_, to) in blank {
            out.push(Some(to), 1.0 / count as f64);
        }
        if count == 0 {
            out.push(None, 1.0);
        }
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut State,
        Wall(wall): Wall,
        choice: &Option<Cell>,
        watch: &mut W,
    ) -> Option<Outcome> {
        let body = &mut at.walls[wall];
        let from = body[0];
        let to = choice.unwrap_or(from);
        watch.observe(Event::step(Self::letter(wall), from, to));
        if to != from {
            move_body(&mut at.map, body, to);
        }
        None
    }
}

impl Notation for Moving {
    const NAME: &'static str = Maze::NAME;
    const SUMMARY: &'static str = Maze::SUMMARY;
    const RULES: &'static str = Maze::RULES;
    const LEGEND: Legend = Maze::LEGEND;
    const SETTINGS: &'static [&'static str] = Maze::SETTINGS;

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let unplayable = |why: MovingError| {
            let kind = FaultKind::Unsolvable(why.to_string());
            puzzle.fault(puzzle.place(), kind).into()
        };
        Maze::read(puzzle)?.moving().map_err(unplayable)
    }
}

impl Playable for Moving {
    const RUNNER: &'static str = "runner";
    const CHASERS: &'static str = "walls";
    const KEYPAD: [&'static str; 9] = ["", "0", "", "3", "", "1", "", "2", ""];

    fn draw_over(&self, at: &State, put: &mut impl FnMut(Cell, char)) {
        let things = at.map.cells().filter(|&(_, tile)| tile != Tile::BLANK);
        for (cell, tile) in things {
            put(cell, self.glyph(tile));
        }
    }

    /// Reports the place of each cell in its body, from 0 for the head; places above 255 are reported as 255.
    fn hidden(&self, at: &State, put: &mut impl FnMut(Cell, u8)) {
        for body in std::iter::once(&at.runner).chain(&at.walls) {
            for (place, &cell) in body.iter().enumerate() {
                put(cell, u8::try_from(place).unwrap_or(u8::MAX));
            }
        }
    }

    fn distance(&self, at: &State) -> u32 {
        at.near.at(at.head())
    }

    fn gathered(&self, at: &State) -> Option<usize> {
        Some(at.gathered)
    }

    fn grid(&self) -> Grid {
        self.grid()
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let walls = at
            .walls
            .iter()
            .enumerate()
            .map(|(number, wall)| (Self::letter(number), wall[0]));
        [('R', at.head())].into_iter().chain(walls).collect()
    }
}

#[cfg(test)]
#[path = "moving_tests.rs"]
mod tests;
