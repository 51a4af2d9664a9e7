//! Reads the JSON level files of the Snarl course project as `dungeon` boards.
//!
//! A file holds any number of JSON values: levels, states (a level with players and adversaries), and arrays that contain some of
//! these (inputs of the course's tests). The file may begin with the number of levels. Positions are `[row, column]`. The header
//! `things` lists the objects and actors that a drawing can't show.
//!
//! In the array `[names, level, turns, places, moves]`, the first places belong to the named players. The others belong to
//! adversaries of unknown type, which the board lists only in a header. Names, and what a test does with a level, are left out.
//! An object with an unknown key is an error.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use getaway_board::fault::{BoardError, FaultKind, Faults, Place, did_you_mean};
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::puzzle::{Origin, Puzzle, Row, json};
use getaway_board::words::count;
use getaway_rules::dungeon::level::{Level, Tile};
use getaway_rules::dungeon::things;

type Point = (i32, i32);

/// Passes each board or its error to `sink`, which returns whether to continue. A syntax error in the JSON ends the reading.
///
/// # Errors
///
/// Fails if the file begins with a number of levels and holds another number.
pub fn read(
    text: &str,
    sink: &mut dyn FnMut(Result<Puzzle<'static>, BoardError>) -> bool,
) -> Result<(), String> {
    let file = File(text.strip_prefix('\u{feff}').unwrap_or(text));
    let (mut promised, mut number) = (None, 0);
    for value in serde_json::Deserializer::from_str(file.0).into_iter::<&RawValue>() {
        let value = match value {
            Ok(value) => value.get(),
            Err(error) => {
                sink(Err(file.broken(&error, file.0)));
                return Ok(());
            }
        };
        if let Ok(count) = value.parse::<u64>() {
            promised = Some(count.saturating_add(promised.unwrap_or(0)));
            continue;
        }
        for level in file.levels(value) {
            number += 1;
            if !sink(level.and_then(|level| file.board(&level, number))) {
                return Ok(());
            }
        }
    }
    match promised {
        Some(levels) if levels != number as u64 => {
            let levels = count(levels, "level");
            Err(format!("it promises {levels}, but holds {number}"))
        }
        _ => Ok(()),
    }
}

struct File<'t>(&'t str);

/// The text of a level or state, and the positions that an array gives beside it: first those of players, then those of
/// adversaries without a type.
struct LevelText<'t>(&'t str, Vec<Point>, Vec<Point>);

impl<'t> File<'t> {
    fn line_of(&self, part: &str) -> u64 {
        let before = part.as_ptr() as usize - self.0.as_ptr() as usize;
        1 + memchr::memchr_iter(b'\n', &self.0.as_bytes()[..before]).count() as u64
    }

    fn broken(&self, error: &serde_json::Error, part: &str) -> BoardError {
        let message = format!("this level can't be read: {}", json::message(error, part));
        let line = self.line_of(part) + (error.line() as u64).saturating_sub(1);
        let kind = FaultKind::other(message, "use the format of the Snarl project");
        BoardError::of_line(line, kind)
    }

    /// Finds the levels and states in a value. An object in it that is neither is an error, and so is a value with none of them.
    fn levels(&self, text: &'t str) -> Vec<Result<LevelText<'t>, BoardError>> {
        let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
        let is_level = |item: &&&'t RawValue| {
            let item = item.get();
            item.starts_with('{') || item.contains("\"rooms\"")
        };
        let mut found: Vec<_> = items
            .iter()
            .filter(is_level)
            .map(|item| item.get())
            .collect();
        if found.is_empty() {
            found.push(text);
        }
        // In `[names, level, turns, places, moves]`, the only level is the second item.
        let is_alone = found.len() == 1 && items.get(1).is_some_and(|item| item.get() == found[0]);
        let found = found.into_iter().map(|item| {
            is_state(item).ok_or_else(no_level)?;
            let (players, others) = if is_alone {
                places(&items)?
            } else {
                <_>::default()
            };
            Ok(LevelText(item, players, others))
        });
        let refused = |kind| BoardError::of_line(self.line_of(text), kind);
        found.map(|found| found.map_err(refused)).collect()
    }

    fn board(&self, found: &LevelText, number: usize) -> Result<Puzzle<'static>, BoardError> {
        let line = self.line_of(found.0);
        let state = state(found).map_err(|error| self.broken(&error, found.0))?;
        let mut faults = LevelFaults {
            number,
            line,
            all: Faults::default(),
        };
        let grid = LevelGrid::of(&state, &mut faults);
        faults.all.into_error().map_or(Ok(()), Err)?;
        let grid = grid.expect("a level without faults has a grid");
        Ok(grid.board(&state, line, number))
    }
}

/// Returns the positions of the players, and of the adversaries without a type, in `[names, level, turns, places, moves]`. Both
/// lists are empty if the array has no fourth item, or if it has no names and its fourth item is not a list of positions. Fails
/// if the fourth item lacks a position for a name.
fn places(items: &[&RawValue]) -> Result<(Vec<Point>, Vec<Point>), FaultKind> {
    let names = serde_json::from_str::<Vec<String>>(items[0].get()).map(|names| names.len());
    let places = items
        .get(3)
        .map(|it| serde_json::from_str::<Vec<Point>>(it.get()));
    match (places, names.unwrap_or(0)) {
        (Some(Ok(mut players)), count) if count <= players.len() => {
            let others = players.split_off(count);
            Ok((players, others))
        }
        (None, _) | (Some(Err(_)), 0) => Ok(<_>::default()),
        _ => Err(FaultKind::other(
            "the fourth item has no position for each named player",
            "write an array of positions `[row, column]`, first those of the players",
        )),
    }
}

struct LevelFaults {
    number: usize,
    line: u64,
    all: Faults,
}

impl LevelFaults {
    fn note(&mut self, message: &str, help: impl Into<String>) {
        let kind = FaultKind::other(format!("level {}: {message}", self.number), help);
        self.all.note(Place::of_line(self.line), kind);
    }
}

/// The type of an object. It is accepted but not used here, since the object's keys imply it.
type Type = Option<IgnoredAny>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateJson {
    #[serde(rename = "type")]
    _kind: Type,
    level: LevelJson,
    #[serde(default)]
    players: Vec<Piece>,
    #[serde(default)]
    adversaries: Vec<Piece>,
    #[serde(default, rename = "exit-locked")]
    is_locked: Option<bool>,
    #[serde(skip)]
    untyped: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelJson {
    #[serde(rename = "type")]
    _kind: Type,
    rooms: Vec<RoomJson>,
    #[serde(default)]
    hallways: Vec<Hallway>,
    #[serde(default)]
    objects: Vec<Piece>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoomJson {
    #[serde(rename = "type")]
    _kind: Type,
    origin: Point,
    bounds: Option<Bounds>,
    layout: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    rows: usize,
    columns: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hallway {
    #[serde(rename = "type")]
    _kind: Type,
    from: Point,
    to: Point,
    #[serde(default)]
    waypoints: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, rename = "name")]
    _name: Option<IgnoredAny>,
    /// The piece's position; `None` if the piece has been taken or has left the game. The file must then say `null`.
    #[serde(deserialize_with = "Option::deserialize")]
    position: Option<Point>,
}

impl StateJson {
    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let actors = self.players.iter().chain(&self.adversaries);
        self.level.objects.iter().chain(actors)
    }
}

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

fn state(LevelText(text, players, untyped): &LevelText) -> Result<StateJson, serde_json::Error> {
    if is_state(text) == Some(true) {
        return serde_json::from_str(text);
    }
    let player = |&point| Piece {
        kind: "player".into(),
        _name: None,
        position: Some(point),
    };
    Ok(StateJson {
        _kind: None,
        level: serde_json::from_str(text)?,
        players: players.iter().map(player).collect(),
        adversaries: Vec::new(),
        is_locked: None,
        untyped: untyped.clone(),
    })
}

fn no_level() -> FaultKind {
    FaultKind::other(
        "this is neither a level nor a state, nor an array of them",
        "it must have `\"type\": \"level\"` or `\"type\": \"state\"`",
    )
}

struct LevelGrid {
    grid: Grid,
    origin: Point,
    tiles: Vec<Tile>,
    rooms: Vec<Option<usize>>,
}

impl LevelGrid {
    fn of(state: &StateJson, faults: &mut LevelFaults) -> Option<Self> {
        let LevelJson {
            rooms, hallways, ..
        } = &state.level;
        for room in rooms {
            check_layout(room, faults);
        }
        let mut grid = Self::empty(state, faults)?;
        if !faults.all.is_empty() {
            return None;
        }
        for (number, room) in rooms.iter().enumerate() {
            grid.lay_room(number, room, faults);
        }
        for hallway in hallways {
            grid.lay_hallway(hallway, faults);
        }
        grid.turn_walls();
        grid.check_rooms(rooms, faults);
        check_pieces(state, faults);
        Some(grid)
    }

    fn empty(state: &StateJson, faults: &mut LevelFaults) -> Option<Self> {
        let LevelJson {
            rooms, hallways, ..
        } = &state.level;
        let corners = |room: &RoomJson| {
            let (row, col) = last(room);
            [wide(room.origin), at(room.origin, row, col)]
        };
        let corners = rooms.iter().flat_map(corners);
        let hallway_points = hallways.iter().flat_map(Hallway::points);
        let placed_pieces = placed_pieces(state).map(|(_, _, point)| wide(point));
        let all: Vec<(i64, i64)> = corners.chain(hallway_points).chain(placed_pieces).collect();
        let range = |of: fn(&(i64, i64)) -> i64| {
            Some((all.iter().map(of).min()?, all.iter().map(of).max()?))
        };
        let (Some((top, bottom)), Some((left, right))) = (range(|it| it.0), range(|it| it.1))
        else {
            faults.note("this level has no rooms", "add a room");
            return None;
        };
        let size = |from: i64, to: i64| usize::try_from(to - from + 1).unwrap_or(usize::MAX);
        let Some(grid) = Grid::new(size(top, bottom), size(left, right)) else {
            let (first, last, max) = (
                format_place((top, left)),
                format_place((bottom, right)),
                Grid::MAX_CELLS,
            );
            let message = format!("this level, from {first} to {last}, has more than {max} tiles");
            faults.note(&message, "move its rooms closer together");
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
        let (top, left) = wide(self.origin);
        let cell = self.grid.cell((row - top) as u32, (col - left) as u32);
        cell.expect("the grid holds all that belongs to the level")
    }

    fn lay_room(&mut self, number: usize, room: &RoomJson, faults: &mut LevelFaults) {
        for (row, tiles) in room.layout.iter().enumerate() {
            for (col, tile) in tiles.iter().enumerate() {
                let place = at(room.origin, row, col);
                let tile = match tile {
                    0 => Tile::Horizontal,
                    1 => Tile::Floor,
                    _ => Tile::Door,
                };
                let index = self.cell(place).index();
                if self.rooms[index].is_some() && self.tiles[index] != tile {
                    let message = format!("two rooms overlap at {}", format_place(place));
                    let help = "a tile can't be two things: move one of the rooms";
                    faults.note(&message, help);
                }
                self.tiles[index] = tile;
                self.rooms[index] = Some(number);
            }
        }
    }

    /// Turns the void along a hallway into floor, and reports bends without a waypoint and walls in the way. Walls at its two
    /// ends are not reported, since these tiles belong to rooms.
    fn lay_hallway(&mut self, hallway: &Hallway, faults: &mut LevelFaults) {
        let points: Vec<_> = hallway.points().collect();
        let ends = [points[0], points[points.len() - 1]];
        for pair in points.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if from.0 != to.0 && from.1 != to.1 {
                let (from, to) = (format_place(from), format_place(to));
                let message = format!("a hallway between {from} and {to} is not straight");
                faults.note(&message, "add a waypoint where it turns");
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
                        let message =
                            format!("a hallway runs through a wall at {}", format_place(place));
                        faults.note(&message, "move the hallway or the room");
                    }
                    _ => {}
                }
            }
        }
    }

    /// Makes walls vertical if a wall or door is above or below them, and none to the left or right.
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

    fn check_rooms(&self, rooms: &[RoomJson], faults: &mut LevelFaults) {
        let allow = |_| Ok::<(), Infallible>(());
        let Ok(level) = Level::new(self.grid, self.tiles.clone(), &allow);
        let mut owners: BTreeMap<u32, usize> = BTreeMap::new();
        let mut is_reported = vec![false; rooms.len() + 1];
        let is_floor = |cell: &Cell| level.tile(*cell) == Tile::Floor;
        for cell in self.grid.cells().filter(is_floor) {
            let own = self.rooms[cell.index()];
            let fault = match (own, level.room_of(cell)) {
                (None, None) => continue,
                (None, Some(_)) => "lies between walls on all sides: it would be read as a room",
                (Some(_), None) => {
                    "is open to the void or the edge: its room would be read as a hallway"
                }
                (Some(own), Some(found)) if *owners.entry(found).or_insert(own) == own => continue,
                (Some(_), Some(_)) => {
                    "is next to the floor of another room: both would be read as one room"
                }
            };
            // Only the first faulty tile of each room is reported, and the first outside all rooms.
            if !std::mem::replace(&mut is_reported[own.map_or(0, |own| own + 1)], true) {
                let (row, col) = self.grid.position(cell);
                let place = at(self.origin, row as usize, col as usize);
                let message = format!("the floor at {} {fault}", format_place(place));
                faults.note(&message, "change the walls around it");
            }
        }
    }

    fn board(&self, state: &StateJson, line: u64, number: usize) -> Puzzle<'static> {
        let mut glyphs: Vec<char> = self.tiles.iter().map(|tile| tile.glyph()).collect();
        let mut placed = Vec::new();
        let mut taken = vec![false; glyphs.len()];
        for (glyph, _, point) in placed_pieces(state) {
            let cell = self.cell(wide(point));
            let is_second = std::mem::replace(&mut taken[cell.index()], true);
            if is_second || !self.is_drawable(glyph, cell) {
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
                &format_place(wide(self.origin)),
            );
        }
        if !placed.is_empty() {
            set(things::KEY, &list(&placed));
        }
        if !state.untyped.is_empty() {
            let (top, left) = wide(self.origin);
            let place = |&point: &Point| {
                let (row, col) = wide(point);
                format_place((row - top, col - left))
            };
            let untyped: Vec<_> = state.untyped.iter().map(place).collect();
            set("adversaries without a type", &untyped.join(" "));
        }
        let row = |row: &[char]| Row::new(row.iter().collect::<String>().into_bytes(), line);
        let rows = glyphs.chunks(self.grid.cols() as usize);
        puzzle.rows = rows.map(row).collect();
        puzzle
    }

    /// Returns whether a drawing can show this glyph on this cell. The cell must be floor, and a ghost must not be next to a wall
    /// or door, since between two of them it would be read as being inside the wall.
    fn is_drawable(&self, glyph: char, cell: Cell) -> bool {
        let tile = |cell: Cell| self.tiles[cell.index()];
        let is_clear = |(_, next): (Dir, Cell)| !tile(next).is_wall() && tile(next) != Tile::Door;
        tile(cell) == Tile::Floor && (glyph != 'G' || self.grid.neighbours(cell).all(is_clear))
    }
}

impl Hallway {
    fn points(&self) -> impl Iterator<Item = (i64, i64)> {
        let between = self.waypoints.iter().copied();
        let ends = [self.from].into_iter().chain(between).chain([self.to]);
        ends.map(wide)
    }
}

fn wide((row, col): Point) -> (i64, i64) {
    (row.into(), col.into())
}

fn at(origin: Point, rows: usize, cols: usize) -> (i64, i64) {
    let (row, col) = wide(origin);
    (row + rows as i64, col + cols as i64)
}

fn last(room: &RoomJson) -> (usize, usize) {
    let width = room.layout.iter().map(Vec::len).max().unwrap_or(0);
    (room.layout.len().saturating_sub(1), width.saturating_sub(1))
}

fn format_place((row, col): (i64, i64)) -> String {
    format!("[{row}, {col}]")
}

fn list(placed: &[(char, (u32, u32))]) -> String {
    let thing = |(glyph, (row, col)): &(char, (u32, u32))| {
        format!(r#"{{"glyph": "{glyph}", "at": [{row}, {col}]}}"#)
    };
    let things: Vec<String> = placed.iter().map(thing).collect();
    format!("[{}]", things.join(", "))
}

fn check_layout(room: &RoomJson, faults: &mut LevelFaults) {
    let place = format_place(wide(room.origin));
    let width = room.layout.first().map_or(0, Vec::len);
    let height = room.layout.len();
    if width == 0 {
        let message = format!("the room at {place} has no tiles");
        faults.note(&message, "write its `layout`");
    } else if room.layout.iter().any(|row| row.len() != width) {
        let message = format!("the rows of the room at {place} differ in length");
        faults.note(&message, "make its `layout` a rectangle");
    }
    let is_other = |bounds: &&Bounds| (bounds.rows, bounds.columns) != (height, width);
    if let Some(Bounds { rows, columns }) = room.bounds.as_ref().filter(is_other) {
        let message = format!(
            "the room at {place} is {height} x {width}, but its bounds say {rows} x {columns}"
        );
        faults.note(&message, "correct its `bounds` or its `layout`");
    }
    if let Some(tile) = room.layout.iter().flatten().find(|&&tile| tile > 2) {
        let message = format!("the room at {place} has a tile {tile}");
        faults.note(&message, "write 0 for a wall, 1 for floor, 2 for a door");
    }
}

fn placed_pieces(state: &StateJson) -> impl Iterator<Item = (char, &str, Point)> {
    let is_open = state.is_locked == Some(false);
    // An exit is open from the start only on a board without a key.
    let left = state
        .pieces()
        .filter(move |piece| !(is_open && piece.kind == "key"));
    left.filter_map(|piece| Some((glyph(&piece.kind)?, &*piece.kind, piece.position?)))
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

fn check_pieces(state: &StateJson, faults: &mut LevelFaults) {
    for Piece { kind, .. } in state.pieces() {
        if glyph(kind).is_none() {
            let message = format!("a board can't contain `{}`", kind.escape_debug());
            let known = GLYPHS.map(|(word, _)| word);
            faults.note(&message, did_you_mean(kind, &known));
        }
    }
    let mut actors = BTreeMap::new();
    let mut objects = BTreeMap::new();
    for (glyph, kind, point) in placed_pieces(state) {
        let place = format_place(wide(point));
        if matches!(glyph, 'K' | 'E') {
            if let Some(first) = objects.insert(glyph, point) {
                let first = format_place(wide(first));
                let message = format!("a second {kind} at {place}: the first is at {first}");
                faults.note(&message, "keep one of them");
            }
        } else if let Some(other) = actors.insert(point, kind) {
            let message = format!("a {other} and a {kind} are both at {place}");
            let help = "only one actor can stand on a tile: move one of them";
            faults.note(&message, help);
        }
    }
    if state.is_locked == Some(true) && !objects.contains_key(&'K') {
        let help = "add the key: an exit without one is open";
        faults.note("the exit is locked, and there is no key", help);
    }
}

#[cfg(test)]
#[path = "snarl_tests.rs"]
mod tests;
