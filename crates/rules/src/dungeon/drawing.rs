//! Reads levels drawn with one or two characters per tile.

use std::collections::HashMap;

use super::level::{Level, Tile};
use super::moves::MAX_STEPS;
use super::things::{self, GLYPHS, Placed};
use super::{Adversary, AdversaryKind, Dungeon, Goal, Settings, Strategy};
use getaway_board::fault::{BoardError, FaultKind, Faults, Place};
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::limits::bytes;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::sheet::GlyphGrid;
use getaway_ruleset::Notation;

pub(super) fn read(puzzle: &Puzzle) -> Result<Dungeon, BoardError> {
    let (settings, spacing, mut faults) = read_headers(puzzle);
    match LevelDrawing::read(puzzle, spacing) {
        Ok(drawing) => {
            puzzle.finish(faults)?;
            drawing.into_dungeon(puzzle, settings)
        }
        Err(error) => {
            faults.add_error(error);
            Err(puzzle.finish(faults).expect_err("an error has a fault"))
        }
    }
}

impl Dungeon {
    /// Returns warnings about regions of floor that would be rooms (rule 1) but for a single gap in their walls at the edge of
    /// the board.
    pub fn openings(&self, puzzle: &Puzzle) -> Faults {
        let mut faults = Faults::default();
        for &cell in &self.level.regions.openings {
            let (row, col) = self.level.grid.position(cell);
            let width = if tile_of(puzzle, row, 1).1 == 0 { 2 } else { 1 };
            let place = puzzle.rows[row as usize].place(width * col as usize);
            let message = "this region of floor would be a room but for the edge of the board";
            faults.note(place, FaultKind::other(message, "add the missing wall"));
        }
        faults
    }
}

fn read_headers(puzzle: &Puzzle) -> (Settings, Option<Spacing>, Faults) {
    let mut faults = Faults::default();
    let by_default = Settings::default();
    let strategy = faults.check(puzzle.word("strategy", &Strategy::WORDS));
    let goal = faults.check(puzzle.word("goal", &Goal::WORDS));
    let mut number = |key, (min, max): (u8, u8), by_default: u8| {
        let expected = |_: &str| format!("write a whole number from {min} to {max}");
        let is_allowed = |number: &u8| (min..=max).contains(number);
        let read = |text: &str| text.parse().ok().filter(is_allowed);
        let number = faults.check(puzzle.setting(key, expected, read)).flatten();
        number.unwrap_or(by_default)
    };
    let settings = Settings {
        strategy: strategy.flatten().unwrap_or(by_default.strategy),
        radius: number("radius", (0, 255), by_default.radius),
        cooldown: number("cooldown", (0, 255), by_default.cooldown),
        speed: number("speed", (1, MAX_STEPS as u8), by_default.speed),
        goal: goal.flatten().unwrap_or(by_default.goal),
    };
    let spacing = faults.check(puzzle.word("drawing", &Spacing::WORDS));
    (settings, spacing.flatten(), faults)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    Compact,
    /// Two characters per tile; the first one shows the structure.
    Spaced,
}

pub(super) fn tile_of(puzzle: &Puzzle, row: u32, col: u32) -> (u32, u32) {
    let written = puzzle.word("drawing", &Spacing::WORDS).ok().flatten();
    let drawn = || {
        let sheet = GlyphGrid::read(puzzle, &Dungeon::LEGEND);
        sheet.map_or(Spacing::Compact, |sheet| Spacing::of(&sheet))
    };
    (row, col / written.unwrap_or_else(drawn).width())
}

impl Spacing {
    const WORDS: [(&str, Self); 2] = [("compact", Self::Compact), ("spaced", Self::Spaced)];

    /// Returns `Spaced` if the odd columns, counted from 0, hold only spaces, objects and actors, and the even columns some
    /// structure.
    fn of(sheet: &GlyphGrid) -> Self {
        let is_bare = |glyph: u8| glyph == b' ' || is_thing(glyph);
        let mut odd = sheet.rows().flat_map(|row| row.iter().skip(1).step_by(2));
        let mut even = sheet.rows().flat_map(|row| row.iter().step_by(2));
        if odd.all(|&glyph| is_bare(glyph)) && even.any(|&glyph| structure(glyph).is_some()) {
            Self::Spaced
        } else {
            Self::Compact
        }
    }

    const fn width(self) -> u32 {
        match self {
            Self::Compact => 1,
            Self::Spaced => 2,
        }
    }
}

fn is_thing(glyph: u8) -> bool {
    GLYPHS.contains(&glyph)
}

const fn is_actor(glyph: u8) -> bool {
    matches!(glyph, b'P' | b'G' | b'Z')
}

const fn structure(glyph: u8) -> Option<Tile> {
    match glyph {
        b'-' => Some(Tile::Horizontal),
        b'|' => Some(Tile::Vertical),
        b'D' => Some(Tile::Door),
        b'X' | b'x' => Some(Tile::Void),
        _ => None,
    }
}

struct LevelDrawing {
    grid: Grid,
    tiles: Vec<Tile>,
    things: Vec<Thing>,
    placed: Vec<Placed>,
    /// The cells of the sheet with structure in the second half of a tile, which is a fault.
    stray: Vec<Cell>,
}

struct Thing {
    glyph: u8,
    cell: Cell,
    at: Cell,
}

const fn adversary(glyph: u8, cell: Cell) -> Option<Adversary> {
    let kind = match glyph {
        b'G' => AdversaryKind::Ghost { cooldown: 0 },
        b'Z' => AdversaryKind::Zombie,
        _ => return None,
    };
    Some(Adversary { cell, kind })
}

impl LevelDrawing {
    fn read(puzzle: &Puzzle, spacing: Option<Spacing>) -> Result<Self, BoardError> {
        let mut sheet = GlyphGrid::read(puzzle, &Dungeon::LEGEND)?;
        let spacing = spacing.unwrap_or_else(|| Spacing::of(&sheet));
        let mut drawing = Self::of(puzzle, &sheet, spacing)?;
        sheet.add(sheet.faults_at(drawing.faults(&sheet)));
        if let Some(header) = puzzle.header(things::KEY) {
            sheet.add(drawing.put_things(puzzle, &sheet, header.value.len())?);
        }
        sheet.finish()?;
        Ok(drawing)
    }

    fn of(puzzle: &Puzzle, sheet: &GlyphGrid, spacing: Spacing) -> Result<Self, BoardError> {
        let (page, width) = (sheet.grid(), spacing.width());
        let grid = Grid::new(page.rows() as usize, page.cols().div_ceil(width) as usize)
            .expect("a level has no more tiles than its drawing has characters");
        let count = sheet.count(GLYPHS);
        puzzle.take(bytes::<Tile>(2 * grid.size()))?;
        puzzle.take(bytes::<Thing>(count) + bytes::<Adversary>(count))?;
        let mut drawing = Self {
            grid,
            tiles: vec![Tile::Floor; grid.size()],
            things: Vec::with_capacity(count),
            placed: vec![],
            stray: vec![],
        };
        sheet.visit(|at, glyph| {
            let (row, col) = page.position(at);
            let cell = grid
                .cell(row, col / width)
                .expect("each character belongs to a tile");
            match structure(glyph) {
                Some(_) if col % width != 0 => drawing.stray.push(at),
                Some(structure) => drawing.tiles[cell.index()] = structure,
                None if is_thing(glyph) => drawing.things.push(Thing { glyph, cell, at }),
                None => {}
            }
        })?;
        Ok(drawing)
    }

    fn faults<'a>(&'a self, sheet: &'a GlyphGrid) -> impl Iterator<Item = (Cell, FaultKind)> {
        let stray = self.stray.iter().map(|&at| (at, stray_structure()));
        let pairs = self.things.windows(2);
        let crowded = pairs
            .filter(|pair| pair[0].cell == pair[1].cell)
            .map(|pair| (pair[1].at, two_things(&pair[0], &pair[1])));
        let is_buried = |thing: &&Thing| self.tiles[thing.cell.index()] != Tile::Floor;
        let buried = self
            .things
            .iter()
            .filter(is_buried)
            .map(|thing| (thing.at, on_structure(thing)));
        let seconds = b"KE"
            .iter()
            .flat_map(|&glyph| self.duplicates(sheet, glyph));
        stray.chain(crowded).chain(buried).chain(seconds)
    }

    fn duplicates<'a>(
        &'a self,
        sheet: &'a GlyphGrid,
        glyph: u8,
    ) -> impl Iterator<Item = (Cell, FaultKind)> + 'a {
        let mut all = self.drawn(glyph);
        let first = all.next().map(|thing| sheet.place(thing.at));
        all.filter_map(move |thing| Some((thing.at, second(glyph, first?))))
    }

    fn drawn(&self, glyph: u8) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(move |thing| thing.glyph == glyph)
    }

    fn all(&self) -> impl Iterator<Item = (u8, Cell)> {
        let drawn = self.things.iter().map(|thing| (thing.glyph, thing.cell));
        let placed = self.placed.iter().map(|thing| (thing.glyph, thing.cell));
        drawn.chain(placed)
    }

    /// Reads the setting `things`, whose value has `size` bytes.
    fn put_things(
        &mut self,
        puzzle: &Puzzle,
        sheet: &GlyphGrid,
        size: usize,
    ) -> Result<Faults, BoardError> {
        puzzle.work(4 * size as u64)?;
        puzzle.take(size as u64 + bytes::<Placed>(size / MIN_THING))?;
        let (placed, mut faults) = things::read(puzzle, self.grid);
        let (mut objects, mut actors) = (HashMap::new(), HashMap::new());
        for &Thing { glyph, cell, at } in &self.things {
            if is_actor(glyph) {
                actors.insert(cell, glyph);
            } else {
                objects.entry(glyph).or_insert_with(|| sheet.place(at));
            }
        }
        for thing in placed {
            let Placed { glyph, cell, place } = thing;
            let fault = if is_actor(glyph) {
                let other = actors.insert(cell, glyph);
                let help = "only one actor can stand on a tile: move one of them";
                other.map(|other| things::on_one_tile(other, glyph, help))
            } else {
                let first = objects.get(&glyph).copied();
                objects.insert(glyph, first.unwrap_or(place));
                first.map(|first| second(glyph, first))
            };
            match fault {
                Some(kind) => faults.note(place, kind),
                None => self.placed.push(thing),
            }
        }
        Ok(faults)
    }

    fn into_dungeon(self, puzzle: &Puzzle, settings: Settings) -> Result<Dungeon, BoardError> {
        let cells_of = |glyph| self.all().filter(move |it| it.0 == glyph).map(|it| it.1);
        puzzle.take(Level::bytes_to_make(self.grid))?;
        let tiles = self.tiles_with_ghosts(puzzle)?;
        let mut level = Level::new(self.grid, tiles, &|amount| puzzle.work(amount))?;
        level.key = cells_of(b'K').next();
        level.exit = cells_of(b'E').next();
        let adversaries = self
            .all()
            .filter_map(|(glyph, cell)| adversary(glyph, cell));
        let mut adversaries: Vec<_> = adversaries.collect();
        let mut players: Vec<_> = cells_of(b'P').collect();
        // Those in the drawing are in reading order already.
        if !self.placed.is_empty() {
            players.sort_unstable();
            adversaries.sort_unstable();
        }
        Ok(Dungeon {
            level,
            settings,
            players,
            adversaries,
        })
    }

    /// Returns the structure, including the tiles under ghosts, which are deduced from their neighbours in the drawing.
    fn tiles_with_ghosts(&self, puzzle: &Puzzle) -> Result<Vec<Tile>, BoardError> {
        let mut tiles = self.tiles.clone();
        for ghost in self.drawn(b'G') {
            puzzle.work(16)?;
            let [up, down, left, right] = Dir::ALL.map(|dir| {
                let cell = self.grid.step(ghost.cell, dir);
                cell.map(|cell| self.tiles[cell.index()])
            });
            let tile = under(Tile::Vertical, [up, down], [left, right])
                .or_else(|| under(Tile::Horizontal, [left, right], [up, down]));
            tiles[ghost.cell.index()] = tile.unwrap_or(Tile::Floor);
        }
        Ok(tiles)
    }
}

/// Returns the tile under a ghost that is in a wall between its neighbours `ends`, or in a door of this wall; `None` if it is in
/// neither. `sides` are its other neighbours.
fn under(along: Tile, ends: [Option<Tile>; 2], sides: [Option<Tile>; 2]) -> Option<Tile> {
    let is_door = |tile: &Option<Tile>| *tile == Some(Tile::Door);
    let is_wall = |tile: &Option<Tile>| tile.is_some_and(Tile::is_wall);
    let is_outside = |tile: &Option<Tile>| matches!(tile, None | Some(Tile::Void));
    let is_open = |tile: &Option<Tile>| matches!(tile, Some(Tile::Floor | Tile::Door));
    let stands_in_one = ends.iter().all(|end| is_wall(end) || is_door(end))
        && !ends.iter().all(is_door)
        && (ends.contains(&Some(along))
            || ends.iter().any(is_door) && sides.iter().any(is_outside));
    match (stands_in_one, sides.iter().all(is_open)) {
        (false, _) => None,
        (true, true) => Some(Tile::Door),
        (true, false) => Some(along),
    }
}

/// The minimum length of an entry of the setting `things`. It bounds the number of entries in a value.
const MIN_THING: usize = r#"{"glyph":"K","at":[0,0]}"#.len();

fn second(glyph: u8, first: Place) -> FaultKind {
    FaultKind::Duplicate {
        plural: if glyph == b'K' { "keys" } else { "exits" }.into(),
        glyph: char::from(glyph).to_string().into(),
        first,
    }
}

fn stray_structure() -> FaultKind {
    FaultKind::other(
        "structure on an odd column of a spaced drawing",
        "move it to an even column, or add the header `; drawing: compact`",
    )
}

fn two_things(first: &Thing, second: &Thing) -> FaultKind {
    let help = "a tile of a spaced drawing takes two characters: move one of them";
    things::on_one_tile(first.glyph, second.glyph, help)
}

fn on_structure(thing: &Thing) -> FaultKind {
    FaultKind::other(
        format!("`{}` on top of structure", char::from(thing.glyph)),
        "this character belongs to the tile on its left: move it to another tile",
    )
}

#[cfg(test)]
#[path = "drawing_tests.rs"]
mod tests;
