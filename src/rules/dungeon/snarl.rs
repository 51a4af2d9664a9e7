//! The JSON level files of the Snarl course project, as boards.
//!
//! A file holds any number of JSON values: levels, states (a level with players and adversaries), and the inputs of the
//! course's tests, which are arrays that hold one of these. A number in front says how many levels there are.
//! Places are `[row, column]`; what a drawing can't say goes into the header `things`.
//!
//! In the array `[names, level, turns, places, moves]` the first places are those of the players who are named. The
//! others are those of adversaries, whose type it does not give: the board has them in a header alone.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::level::{Level, Tile};
use super::things;
use crate::fault::{BoardError, FaultKind, Faults, Place, did_you_mean};
use crate::grid::{Cell, Dir, Grid};
use crate::puzzle::{Origin, Puzzle, Row, error_at};

/// A place on a level: row and column.
type Point = (i32, i32);

/// Reads the levels of a text, each a board or what is wrong with it.
pub fn read(text: &str) -> Vec<Result<Puzzle<'static>, BoardError>> {
    let line_of = |part: &str| {
        let before = part.as_ptr() as usize - text.as_ptr() as usize;
        1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..before]).count() as u64
    };
    let mut boards = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        match value.map(RawValue::get) {
            Ok(value) if value.parse::<u64>().is_ok() => {}
            Ok(value) => boards.push(document(value, (&line_of, boards.len() + 1))),
            Err(error) => boards.push(Err(broken(&error, 1))),
        }
    }
    boards
}

/// One value as the level of this number; `line_of` tells the line in which a part of the text begins.
fn document(
    text: &str,
    (line_of, number): (&dyn Fn(&str) -> u64, usize),
) -> Result<Puzzle<'static>, BoardError> {
    let (text, points) = level_in(text).ok_or_else(|| error_at(line_of(text), no_level()))?;
    let line = line_of(text);
    let state = state(text, points).map_err(|error| broken(&error, line))?;
    let mut faults = Vec::new();
    let plan = Plan::of(&state, &mut faults);
    match plan {
        Some(plan) if faults.is_empty() => Ok(plan.board(&state, (line, number))),
        _ => {
            let mut all = Faults::default();
            for (message, help) in faults {
                let message = format!("level {number}: {message}");
                let help = help.into_owned();
                all.note(
                    Place {
                        width: 0,
                        ..Place::at(line, 1)
                    },
                    FaultKind::Other { message, help },
                );
            }
            Err(all.in_order().expect("a level that is no board has faults"))
        }
    }
}

/// What is wrong with a level, and what to do about it.
type Wrong = (String, Cow<'static, str>);

#[derive(Deserialize)]
struct State {
    level: Snarl,
    #[serde(default)]
    players: Vec<Actor>,
    #[serde(default)]
    adversaries: Vec<Actor>,
    #[serde(default, rename = "exit-locked")]
    is_locked: Option<bool>,
    /// Where adversaries stand whose type is not given.
    #[serde(skip)]
    untyped: Vec<Point>,
}

#[derive(Deserialize)]
struct Snarl {
    rooms: Vec<Room>,
    #[serde(default)]
    hallways: Vec<Hallway>,
    #[serde(default)]
    objects: Vec<Object>,
}

#[derive(Deserialize)]
struct Room {
    origin: Point,
    bounds: Option<Bounds>,
    layout: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
struct Bounds {
    rows: usize,
    columns: usize,
}

#[derive(Deserialize)]
struct Hallway {
    from: Point,
    to: Point,
    #[serde(default)]
    waypoints: Vec<Point>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(rename = "type")]
    kind: String,
    /// An object that has been taken has none.
    position: Option<Point>,
}

#[derive(Deserialize)]
struct Actor {
    #[serde(rename = "type")]
    kind: String,
    /// One who is out has none.
    position: Option<Point>,
}

/// Whether a value is a state (`true`) or a level; `None` if it is neither.
fn is_state(text: &str) -> Option<bool> {
    #[derive(Deserialize)]
    struct Keys {
        #[serde(rename = "type")]
        kind: Option<String>,
        level: Option<IgnoredAny>,
        rooms: Option<IgnoredAny>,
    }
    let keys: Keys = serde_json::from_str(text).ok()?;
    match keys.kind.as_deref() {
        Some("state") => Some(true),
        Some("level") => Some(false),
        None if keys.level.is_some() => Some(true),
        None if keys.rooms.is_some() => Some(false),
        _ => None,
    }
}

/// The places of players and of adversaries beside a level.
type Points = (Vec<Point>, Vec<Point>);

/// The level or state that a value is, or that an array holds, with the places that stand beside it.
fn level_in(text: &str) -> Option<(&str, Points)> {
    if !text.starts_with('[') {
        return is_state(text).map(|_| (text, Points::default()));
    }
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    let is_level = |item: &&RawValue| is_state(item.get()).is_some();
    let at = items.iter().position(is_level)?;
    let names = || serde_json::from_str::<Vec<String>>(items[0].get()).ok();
    let points = || serde_json::from_str::<Vec<Point>>(items.get(3)?.get()).ok();
    let mut players = points().filter(|_| at == 1).unwrap_or_default();
    let count = names().map_or(0, |names| names.len());
    let others = players.split_off(count.min(players.len()));
    Some((items[at].get(), (players, others)))
}

/// The level or state that a value is, with those who stand on these places.
fn state(text: &str, (players, untyped): Points) -> Result<State, serde_json::Error> {
    if is_state(text) == Some(true) {
        return serde_json::from_str(text);
    }
    let player = |point| Actor {
        kind: "player".into(),
        position: Some(point),
    };
    Ok(State {
        level: serde_json::from_str(text)?,
        players: players.into_iter().map(player).collect(),
        adversaries: Vec::new(),
        is_locked: None,
        untyped,
    })
}

fn broken(error: &serde_json::Error, line: u64) -> BoardError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let line = line + (error.line() as u64).saturating_sub(1);
    let kind = FaultKind::Other {
        message: format!("this level can't be read: {message}"),
        help: "write it as the Snarl project has it".into(),
    };
    error_at(line, kind)
}

fn no_level() -> FaultKind {
    FaultKind::Other {
        message: "this is neither a level nor a state, and holds none".into(),
        help: "it must have `\"type\": \"level\"` or `\"type\": \"state\"`".into(),
    }
}

/// The tiles of a level.
struct Plan {
    grid: Grid,
    /// Where its first tile is.
    origin: Point,
    tiles: Vec<Tile>,
    /// The number of the room that a tile belongs to, walls and doors included.
    rooms: Vec<Option<usize>>,
}

impl Plan {
    /// The tiles of a level; what is wrong with it is added to `faults`.
    fn of(state: &State, faults: &mut Vec<Wrong>) -> Option<Self> {
        let Snarl {
            rooms, hallways, ..
        } = &state.level;
        for room in rooms {
            check_layout(room, faults);
        }
        let mut plan = Self::empty(state, faults)?;
        if !faults.is_empty() {
            return None;
        }
        for (number, room) in rooms.iter().enumerate() {
            plan.lay_room(number, room, faults);
        }
        for hallway in hallways {
            plan.lay_hallway(hallway, faults);
        }
        plan.turn_walls();
        plan.check_rooms(rooms, faults);
        check_cast(state, faults);
        Some(plan)
    }

    /// Void, as far as the level goes.
    fn empty(state: &State, faults: &mut Vec<Wrong>) -> Option<Self> {
        let Snarl {
            rooms, hallways, ..
        } = &state.level;
        let corners = rooms
            .iter()
            .flat_map(|room| [at(room.origin, (0, 0)), at(room.origin, last(room))]);
        let turns = hallways
            .iter()
            .flat_map(Hallway::points)
            .map(|point| at(point, (0, 0)));
        let cast = cast(state).map(|(_, _, point)| at(point, (0, 0)));
        let all: Vec<(i64, i64)> = corners.chain(turns).chain(cast).collect();
        let range = |of: fn(&(i64, i64)) -> i64| {
            Some((all.iter().map(of).min()?, all.iter().map(of).max()?))
        };
        let (Some((top, bottom)), Some((left, right))) = (range(|it| it.0), range(|it| it.1))
        else {
            faults.push(("there is no room".into(), "add a room".into()));
            return None;
        };
        let size = |from: i64, to: i64| usize::try_from(to - from + 1).unwrap_or(usize::MAX);
        let Some(grid) = Grid::new(size(top, bottom), size(left, right)) else {
            let message = format!(
                "from [{top}, {left}] to [{bottom}, {right}] it has more than {} tiles",
                Grid::MAX_CELLS
            );
            faults.push((message, "bring its rooms closer together".into()));
            return None;
        };
        Some(Self {
            grid,
            origin: (top as i32, left as i32),
            tiles: vec![Tile::Void; grid.size()],
            rooms: vec![None; grid.size()],
        })
    }

    fn cell(&self, (row, col): (i64, i64)) -> Cell {
        let row = u32::try_from(row - i64::from(self.origin.0)).ok();
        let col = u32::try_from(col - i64::from(self.origin.1)).ok();
        row.zip(col)
            .and_then(|(row, col)| self.grid.cell(row, col))
            .expect("the grid holds all that belongs to the level")
    }

    fn lay_room(&mut self, number: usize, room: &Room, faults: &mut Vec<Wrong>) {
        for (row, tiles) in room.layout.iter().enumerate() {
            for (col, tile) in tiles.iter().enumerate() {
                let place = at(room.origin, (row, col));
                let tile = match tile {
                    0 => Tile::Horizontal,
                    1 => Tile::Floor,
                    _ => Tile::Door,
                };
                let index = self.cell(place).index();
                if self.rooms[index].is_some() && self.tiles[index] != tile {
                    let message = format!("two rooms overlap at {}", told(place));
                    faults.push((
                        message,
                        "a tile can't be two things: move one of the rooms".into(),
                    ));
                }
                self.tiles[index] = tile;
                self.rooms[index] = Some(number);
            }
        }
    }

    /// The floor from door to door; what the ends are, the rooms say.
    fn lay_hallway(&mut self, hallway: &Hallway, faults: &mut Vec<Wrong>) {
        let points: Vec<_> = hallway.points().map(|point| at(point, (0, 0))).collect();
        let ends = [points[0], points[points.len() - 1]];
        for pair in points.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if from.0 != to.0 && from.1 != to.1 {
                let message = format!(
                    "a hallway is not straight between {} and {}",
                    told(from),
                    told(to)
                );
                faults.push((message, "add a waypoint where it turns".into()));
                continue;
            }
            let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
            let steps = (to.0 - from.0).abs() + (to.1 - from.1).abs();
            for number in 0..=steps {
                let place = (from.0 + number * step.0, from.1 + number * step.1);
                let index = self.cell(place).index();
                match self.tiles[index] {
                    Tile::Void => self.tiles[index] = Tile::Floor,
                    wall if wall.is_wall() && !ends.contains(&place) => {
                        let message = format!("a hallway runs through a wall at {}", told(place));
                        faults.push((message, "move the hallway or the room".into()));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Walls with a wall or door above or below them, and none beside them, run up and down.
    fn turn_walls(&mut self) {
        let is_wall = |tile: Tile| tile.is_wall() || tile == Tile::Door;
        let before = self.tiles.clone();
        let has = |cell: Cell, dirs: [Dir; 2]| {
            let next = dirs.into_iter().filter_map(|dir| self.grid.step(cell, dir));
            next.into_iter().any(|cell| is_wall(before[cell.index()]))
        };
        for cell in self.grid.cells() {
            let runs_down = has(cell, [Dir::Up, Dir::Down]) && !has(cell, [Dir::Left, Dir::Right]);
            if before[cell.index()].is_wall() && runs_down {
                self.tiles[cell.index()] = Tile::Vertical;
            }
        }
    }

    /// What a board takes for a room must be one, and every room's floor must be taken for that room's.
    fn check_rooms(&self, rooms: &[Room], faults: &mut Vec<Wrong>) {
        let level = Level::new(self.grid, self.tiles.clone());
        let mut owners: BTreeMap<u32, usize> = BTreeMap::new();
        let mut told_of = vec![false; rooms.len() + 1];
        for cell in self
            .grid
            .cells()
            .filter(|cell| level.tile(*cell) == Tile::Floor)
        {
            let own = self.rooms[cell.index()];
            let fault = match (own, level.room_of(cell)) {
                (None, None) => continue,
                (None, Some(_)) => "lies between walls on all sides: it would be taken for a room",
                (Some(_), None) => {
                    "is open to the void or the edge: its room would be taken for a hallway"
                }
                (Some(own), Some(found)) if *owners.entry(found).or_insert(own) == own => continue,
                (Some(_), Some(_)) => {
                    "has another room's floor beside it: both would be taken for one room"
                }
            };
            if !std::mem::replace(&mut told_of[own.map_or(0, |own| own + 1)], true) {
                let (row, col) = self.grid.position(cell);
                let place = at(self.origin, (row as usize, col as usize));
                faults.push((
                    format!("the floor at {} {fault}", told(place)),
                    "change the walls around it".into(),
                ));
            }
        }
    }

    /// The board.
    fn board(&self, state: &State, (line, number): (u64, usize)) -> Puzzle<'static> {
        let mut glyphs: Vec<char> = self.tiles.iter().map(|tile| tile.glyph()).collect();
        let mut placed = Vec::new();
        let mut taken = vec![false; glyphs.len()];
        for (glyph, _, point) in cast(state) {
            let cell = self.cell(at(point, (0, 0)));
            let is_second = std::mem::replace(&mut taken[cell.index()], true);
            if is_second || !self.can_be_drawn(glyph, cell) {
                placed.push((glyph, self.grid.position(cell)));
            } else {
                glyphs[cell.index()] = glyph;
            }
        }
        let mut puzzle = Puzzle::empty();
        puzzle.line = line;
        let mut set = |key, value: &str| puzzle.set_header(key, value, Origin::Written);
        set("ruleset", "dungeon");
        set("name", &format!("level {number}"));
        set("drawing", "compact");
        if self.origin != (0, 0) {
            set(
                "the first tile of the level",
                &told(at(self.origin, (0, 0))),
            );
        }
        if !placed.is_empty() {
            set(things::KEY, &list(&placed));
        }
        if !state.untyped.is_empty() {
            let (top, left) = self.origin;
            let place = |&(row, col): &Point| {
                told((
                    i64::from(row) - i64::from(top),
                    i64::from(col) - i64::from(left),
                ))
            };
            let untyped: Vec<_> = state.untyped.iter().map(place).collect();
            set("adversaries without a type", &untyped.join(" "));
        }
        let rows = glyphs.chunks(self.grid.cols() as usize);
        puzzle.rows = rows
            .map(|row| whole_row(row.iter().collect(), line))
            .collect();
        puzzle
    }

    /// Whether a drawing says that this stands on plain floor. Between walls and doors a ghost would be taken for
    /// one that stands in them.
    fn can_be_drawn(&self, glyph: char, cell: Cell) -> bool {
        let tile = |cell: Cell| self.tiles[cell.index()];
        let is_clear = |(_, next): (Dir, Cell)| !tile(next).is_wall() && tile(next) != Tile::Door;
        tile(cell) == Tile::Floor && (glyph != 'G' || self.grid.neighbours(cell).all(is_clear))
    }
}

impl Hallway {
    fn points(&self) -> impl Iterator<Item = Point> {
        let between = self.waypoints.iter().copied();
        std::iter::once(self.from)
            .chain(between)
            .chain(std::iter::once(self.to))
    }
}

/// The place so many rows and columns from `origin`.
fn at(origin: Point, (rows, cols): (usize, usize)) -> (i64, i64) {
    (
        i64::from(origin.0) + rows as i64,
        i64::from(origin.1) + cols as i64,
    )
}

/// How far a room's last tile is from its first.
fn last(room: &Room) -> (usize, usize) {
    let width = room.layout.iter().map(Vec::len).max().unwrap_or(0);
    (room.layout.len().saturating_sub(1), width.saturating_sub(1))
}

fn told((row, col): (i64, i64)) -> String {
    format!("[{row}, {col}]")
}

fn list(placed: &[(char, (u32, u32))]) -> String {
    let mut list = String::from("[");
    for (glyph, (row, col)) in placed {
        let comma = if list.len() > 1 { ", " } else { "" };
        let _ = write!(
            list,
            r#"{comma}{{"glyph": "{glyph}", "at": [{row}, {col}]}}"#
        );
    }
    list + "]"
}

fn whole_row(text: String, line: u64) -> Row<'static> {
    Row {
        text: text.into_bytes().into(),
        line,
        column: 1,
        exact: false,
    }
}

/// A room's layout must be a rectangle of known tiles, and of the size that its bounds say.
fn check_layout(room: &Room, faults: &mut Vec<Wrong>) {
    let place = told(at(room.origin, (0, 0)));
    let width = room.layout.first().map_or(0, Vec::len);
    let height = room.layout.len();
    if width == 0 {
        faults.push((
            format!("the room at {place} has no tiles"),
            "write its `layout`".into(),
        ));
    } else if room.layout.iter().any(|row| row.len() != width) {
        let message = format!("the rows of the room at {place} differ in length");
        faults.push((message, "make its `layout` a rectangle".into()));
    }
    let is_other = |bounds: &&Bounds| (bounds.rows, bounds.columns) != (height, width);
    if let Some(Bounds { rows, columns }) = room.bounds.as_ref().filter(is_other) {
        let message = format!(
            "the room at {place} is {height} x {width}, but its bounds say {rows} x {columns}"
        );
        faults.push((message, "correct its `bounds` or its `layout`".into()));
    }
    if let Some(tile) = room.layout.iter().flatten().find(|&&tile| tile > 2) {
        let message = format!("the room at {place} has a tile {tile}");
        faults.push((
            message,
            "write 0 for a wall, 1 for floor, 2 for a door".into(),
        ));
    }
}

/// Who and what is on the level, with the word for it; not what nobody knows.
fn cast(state: &State) -> impl Iterator<Item = (char, &str, Point)> {
    let is_open = state.is_locked == Some(false);
    let objects = state.level.objects.iter();
    // Where the exit is open, the key has been taken.
    let objects = objects
        .filter(move |object| !(is_open && object.kind == "key"))
        .map(|object| (object.kind.as_str(), object.position));
    let actors = state.players.iter().chain(&state.adversaries);
    let all = objects.chain(actors.map(|actor| (actor.kind.as_str(), actor.position)));
    all.filter_map(|(kind, point)| Some((glyph(kind)?, kind, point?)))
}

const GLYPHS: [(&str, char); 5] = [
    ("key", 'K'),
    ("exit", 'E'),
    ("player", 'P'),
    ("ghost", 'G'),
    ("zombie", 'Z'),
];

fn glyph(kind: &str) -> Option<char> {
    let (_, glyph) = GLYPHS.iter().find(|(word, _)| *word == kind)?;
    Some(*glyph)
}

/// Who and what is on the level must be what a board can have.
fn check_cast(state: &State, faults: &mut Vec<Wrong>) {
    let kinds = state.level.objects.iter().map(|object| &object.kind);
    let actors = state.players.iter().chain(&state.adversaries);
    for kind in kinds.chain(actors.map(|actor| &actor.kind)) {
        if glyph(kind).is_none() {
            let message = format!("a board has no `{}`", kind.escape_debug());
            let known = GLYPHS.map(|(word, _)| word);
            faults.push((message, did_you_mean(kind, &known).into()));
        }
    }
    let mut actors = BTreeMap::new();
    let mut objects = BTreeMap::new();
    for (glyph, kind, point) in cast(state) {
        let place = told(at(point, (0, 0)));
        if matches!(glyph, 'K' | 'E') {
            if let Some(first) = objects.insert(glyph, point) {
                let first = told(at(first, (0, 0)));
                let message = format!("a second {kind} at {place}: the first is at {first}");
                faults.push((message, "keep one of them".into()));
            }
        } else if let Some(other) = actors.insert(point, kind) {
            let message = format!("a {other} and a {kind} stand at {place}");
            faults.push((
                message,
                "only one actor can stand on a tile: move one of them".into(),
            ));
        }
    }
    if state.is_locked == Some(true) && !objects.contains_key(&'K') {
        let message = "the exit is locked, and there is no key".into();
        faults.push((message, "add the key: an exit without one is open".into()));
    }
}

#[cfg(test)]
mod tests;
