//! Reads levels: two styles of drawing, the settings in the headers, and all faults.

use std::collections::HashMap;

use super::level::{Level, Tile};
use super::things::{self, GLYPHS, Placed};
use super::{Adversary, Dungeon, Kind, Settings, Strategy};
use crate::fault::{BoardError, Fault, FaultKind, Faults, Place};
use crate::grid::{Cell, Dir, Grid};
use crate::puzzle::Puzzle;
use crate::puzzle::sheet::GlyphGrid;
use crate::ruleset::Notation;

impl Dungeon {
    /// Reads a level.
    ///
    /// # Errors
    ///
    /// All faults in the level.
    pub fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let (settings, spacing, mut faults) = read_headers(puzzle);
        match GlyphGrid::read(puzzle, &Self::LEGEND) {
            Err(error) => faults.add_error(error),
            Ok(mut sheet) => {
                let spacing = spacing.unwrap_or_else(|| Spacing::of(&sheet));
                let mut drawing = Drawing::of(&sheet, spacing)?;
                sheet.add(sheet.faults_at(drawing.faults(&sheet)));
                if puzzle.header(things::KEY).is_some() {
                    sheet.add(drawing.put_things(puzzle, &sheet)?);
                }
                match sheet.finish() {
                    Ok(()) if faults.is_empty() => return drawing.into_dungeon(puzzle, settings),
                    Ok(()) => {}
                    Err(error) => faults.add_error(error),
                }
            }
        }
        Err(puzzle
            .finish(faults)
            .expect_err("a level that was read has no faults"))
    }
}

/// An invalid header is reported, and treated as missing.
fn read_headers(puzzle: &Puzzle) -> (Settings, Option<Spacing>, Faults) {
    let mut faults = Faults::default();
    let mut settings = Settings::default();
    let mut note = |fault: Fault| faults.add(fault);
    match puzzle.word("strategy", &Strategy::WORDS) {
        Ok(found) => settings.strategy = found.unwrap_or_default(),
        Err(fault) => note(fault),
    }
    let mut number = |key, range: std::ops::RangeInclusive<u8>, value: &mut u8| {
        let wanted = |_: &str| {
            let (least, most) = (range.start(), range.end());
            format!("write a whole number from {least} to {most}")
        };
        let read = |text: &str| text.parse().ok().filter(|number| range.contains(number));
        match puzzle.setting(key, wanted, read) {
            Ok(found) => *value = found.unwrap_or(*value),
            Err(fault) => note(fault),
        }
    };
    number("radius", 0..=255, &mut settings.radius);
    number("cooldown", 0..=255, &mut settings.cooldown);
    number(
        "speed",
        1..=super::moves::MOST_STEPS as u8,
        &mut settings.speed,
    );
    let spacing = puzzle
        .word("drawing", &Spacing::WORDS)
        .unwrap_or_else(|fault| {
            faults.add(fault);
            None
        });
    (settings, spacing, faults)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    /// One character per tile.
    Compact,
    /// Two characters per tile, with the structure in the first.
    Spaced,
}

/// The tile of a character, both as a row and a column from 0.
pub(super) fn tile_of(puzzle: &Puzzle, (row, col): (u32, u32)) -> (u32, u32) {
    let spacing = puzzle.word("drawing", &Spacing::WORDS).ok().flatten();
    let drawn = || {
        Some(Spacing::of(
            &GlyphGrid::read(puzzle, &Dungeon::LEGEND).ok()?,
        ))
    };
    let spacing = spacing.or_else(drawn).unwrap_or(Spacing::Compact);
    (row, col / spacing.width())
}

impl Spacing {
    const WORDS: [(&str, Self); 2] = [("compact", Self::Compact), ("spaced", Self::Spaced)];

    /// Spaced if the odd columns hold only spaces, actors and objects, and at least one even column holds structure.
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

struct Drawing {
    grid: Grid,
    tiles: Vec<Tile>,
    /// The things drawn, in reading order.
    things: Vec<Thing>,
    /// The things in the header, in its order.
    placed: Vec<Placed>,
    /// Misplaced structure in the second half of a tile, as cells of the sheet.
    stray: Vec<Cell>,
}

struct Thing {
    glyph: u8,
    tile: Cell,
    /// Its cell on the sheet.
    at: Cell,
}

const fn adversary((glyph, cell): (u8, Cell)) -> Option<Adversary> {
    let kind = match glyph {
        b'G' => Kind::Ghost { cooldown: 0 },
        b'Z' => Kind::Zombie,
        _ => return None,
    };
    Some(Adversary { cell, kind })
}

impl Drawing {
    fn of(sheet: &GlyphGrid, spacing: Spacing) -> Result<Self, BoardError> {
        let (page, width) = (sheet.grid(), spacing.width());
        let grid = Grid::new(page.rows() as usize, page.cols().div_ceil(width) as usize)
            .expect("a level has no more tiles than its drawing has characters");
        let count = sheet.count(GLYPHS);
        sheet.take(2 * grid.size() * size_of::<Tile>())?;
        sheet.take(count * (size_of::<Thing>() + size_of::<Adversary>()))?;
        let mut drawing = Self {
            grid,
            tiles: vec![Tile::Floor; grid.size()],
            things: Vec::with_capacity(count),
            placed: vec![],
            stray: vec![],
        };
        sheet.visit(|at, glyph| {
            let (row, col) = page.position(at);
            let tile = grid
                .cell(row, col / width)
                .expect("each character belongs to a tile");
            match structure(glyph) {
                Some(_) if col % width != 0 => drawing.stray.push(at),
                Some(structure) => drawing.tiles[tile.index()] = structure,
                None if is_thing(glyph) => drawing.things.push(Thing { glyph, tile, at }),
                None => {}
            }
        })?;
        Ok(drawing)
    }

    /// The faults, each with its cell on the sheet.
    fn faults<'a>(&'a self, sheet: &'a GlyphGrid) -> impl Iterator<Item = (Cell, FaultKind)> {
        let stray = self.stray.iter().map(|&at| (at, stray_structure()));
        let crowded = self
            .things
            .windows(2)
            .filter(|pair| pair[0].tile == pair[1].tile);
        let crowded = crowded.map(|pair| (pair[1].at, two_things(&pair[0], &pair[1])));
        let buried = self
            .things
            .iter()
            .filter(|thing| self.tiles[thing.tile.index()] != Tile::Floor);
        let buried = buried.map(|thing| (thing.at, on_structure(thing)));
        let keys = self.seconds(sheet, b'K');
        let exits = self.seconds(sheet, b'E');
        stray.chain(crowded).chain(buried).chain(keys).chain(exits)
    }

    fn seconds<'a>(
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

    /// The things drawn, then those in the header.
    fn all(&self) -> impl Iterator<Item = (u8, Cell)> {
        let drawn = self.things.iter().map(|thing| (thing.glyph, thing.tile));
        let placed = self.placed.iter().map(|thing| (thing.glyph, thing.tile));
        drawn.chain(placed)
    }

    /// Puts the board's `things` on its tiles.
    fn put_things(&mut self, puzzle: &Puzzle, sheet: &GlyphGrid) -> Result<Faults, BoardError> {
        let size = puzzle.header(things::KEY).map_or(0, |it| it.value.len());
        puzzle.work(4 * size as u64)?;
        sheet.take(size + (size / LEAST_THING) * size_of::<Placed>())?;
        let (placed, mut faults) = things::read(puzzle, self.grid);
        let mut actors: HashMap<Cell, u8> = self
            .all()
            .filter(|(it, _)| is_actor(*it))
            .map(|(glyph, cell)| (cell, glyph))
            .collect();
        let mut objects = [b'K', b'E'].map(|glyph| {
            let first = self.drawn(glyph).next();
            (glyph, first.map(|thing| sheet.place(thing.at)))
        });
        for thing in placed {
            let object = objects.iter_mut().find(|(glyph, _)| *glyph == thing.glyph);
            let fault = match object {
                Some((_, first)) => second_object(thing, first),
                None => actors
                    .insert(thing.tile, thing.glyph)
                    .map(|other| things::two_actors(other, thing.glyph)),
            };
            match fault {
                Some(kind) => faults.note(thing.place, kind),
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
        let mut adversaries: Vec<_> = self.all().filter_map(adversary).collect();
        let mut players: Vec<_> = cells_of(b'P').collect();
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

    /// The structure, including the tiles under ghosts that are drawn in walls and doors. Each such tile depends on
    /// the glyphs as drawn, not on the tiles under other ghosts.
    fn tiles_with_ghosts(&self, puzzle: &Puzzle) -> Result<Vec<Tile>, BoardError> {
        let mut tiles = self.tiles.clone();
        for ghost in self.drawn(b'G') {
            puzzle.work(16)?;
            if let Some(tile) = self.under_ghost(ghost.tile) {
                tiles[ghost.tile.index()] = tile;
            }
        }
        Ok(tiles)
    }

    /// The tile under a ghost; `None` if that is floor.
    fn under_ghost(&self, ghost: Cell) -> Option<Tile> {
        let tile = |dir| {
            self.grid
                .step(ghost, dir)
                .map(|cell| self.tiles[cell.index()])
        };
        let (up, down, left, right) = (
            tile(Dir::Up),
            tile(Dir::Down),
            tile(Dir::Left),
            tile(Dir::Right),
        );
        under(Tile::Vertical, [up, down], [left, right])
            .or_else(|| under(Tile::Horizontal, [left, right], [up, down]))
    }
}

/// The tile of a wall that runs `along`; `None` if it is floor.
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

const LEAST_THING: usize = r#"{"glyph":"K","at":[0,0]}"#.len();

/// Stores the place of the first object in `first`; a second object is a fault.
fn second_object(thing: Placed, first: &mut Option<Place>) -> Option<FaultKind> {
    let Some(first) = *first else {
        *first = Some(thing.place);
        return None;
    };
    Some(second(thing.glyph, first))
}

fn second(glyph: u8, first: Place) -> FaultKind {
    FaultKind::Second {
        plural: if glyph == b'K' { "keys" } else { "exits" }.into(),
        glyph: char::from(glyph).to_string().into(),
        first,
    }
}

fn stray_structure() -> FaultKind {
    FaultKind::Other {
        message: "structure on an odd column of a spaced drawing".into(),
        help: "put it on an even column, or say `; drawing: compact`".into(),
    }
}

fn two_things(first: &Thing, second: &Thing) -> FaultKind {
    let (first, second) = (char::from(first.glyph), char::from(second.glyph));
    FaultKind::Other {
        message: format!("`{first}` and `{second}` on one tile"),
        help: "a tile of a spaced drawing takes two characters: move one of them".into(),
    }
}

fn on_structure(thing: &Thing) -> FaultKind {
    FaultKind::Other {
        message: format!("`{}` on top of structure", char::from(thing.glyph)),
        help: "this character belongs to the tile on its left: move it to another tile".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::text::Boards;
    use crate::ruleset::{Playable, Ruleset};

    fn read(text: &str) -> Result<Dungeon, BoardError> {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        Dungeon::read(&puzzle)
    }

    fn picture(text: &str) -> Vec<String> {
        let game = read(text).unwrap();
        game.picture(&game.start())
    }

    fn faults(text: &str) -> (Vec<(u64, u64, String)>, String) {
        let faults = read(text).unwrap_err().faults;
        let help = faults[0].kind.help();
        let told = |fault: Fault| (fault.place.line, fault.place.column, fault.kind.to_string());
        (faults.into_iter().map(told).collect(), help)
    }

    #[test]
    fn spaced_and_compact_drawings_are_told_apart() {
        let spaced = picture("- - - - -\n| P   G |\n|  K  E |\n- - - - -\n");
        assert_eq!(
            spaced,
            ["-----", "|P.G|", "|K.E|", "-----"].map(String::from)
        );
        let compact = picture("-----\n|P G|\n| K |\n-----\n");
        assert_eq!(
            compact,
            ["-----", "|P.G|", "|.K.|", "-----"].map(String::from)
        );
        // A drawing of only actors and floor is compact, since no even column holds structure.
        assert_eq!(picture("P G E\n"), ["P.G.E"]);
        assert_eq!(picture("; drawing: spaced\nP G E\n"), ["PGE"]);
        assert_eq!(picture("; drawing: compact\n| P |\n"), ["|.P.|"]);
    }

    #[test]
    fn short_rows_are_filled_up_and_small_letters_are_void() {
        assert_eq!(
            picture("-----\n|P\nxX|.|\n"),
            ["-----", "|P...", "XX|.|"].map(String::from)
        );
    }

    #[test]
    fn rooms_touch_neither_void_nor_the_edge() {
        let game =
            read("-----------\n|..D.X..|.|\n|..|.-.D|.|\n|..|.|.....\n-----------\n").unwrap();
        let rooms: Vec<_> = game.level().rooms().iter().map(Vec::len).collect();
        // A room on the left, then floor beside void, and floor that touches the right edge.
        assert_eq!(rooms, [6]);
    }

    #[test]
    fn ghosts_may_be_drawn_in_walls_and_doors() {
        let under = |text: &str| {
            let game = read(text).unwrap();
            game.level().tile(game.start().adversaries[0].cell)
        };
        assert_eq!(under("..|\n..G\n..|\n"), Tile::Vertical, "beside the edge");
        assert_eq!(
            under("..|..\n..G..\n..|..\n"),
            Tile::Door,
            "floor on both sides"
        );
        assert_eq!(under("..|..\n..GD.\n..-..\n"), Tile::Door, "floor and door");
        assert_eq!(
            under("..|..\nX.GX.\n..D..\n"),
            Tile::Vertical,
            "void on one side"
        );
        assert_eq!(
            under("..-..\n..G..\n..-..\n"),
            Tile::Floor,
            "no wall runs that way"
        );
        assert_eq!(
            under("..-..\n..GX.\n..D..\n"),
            Tile::Vertical,
            "a door with void beside the ghost"
        );
        assert_eq!(
            under("..D..\n..GX.\n..D..\n"),
            Tile::Floor,
            "between two doors"
        );
        assert_eq!(under("-G-\n...\n"), Tile::Horizontal, "beside the edge");
        assert_eq!(
            under("...\n-G-\n...\n"),
            Tile::Door,
            "floor above and below"
        );
        assert_eq!(
            under("P..\n|Z|\n.G.\n"),
            Tile::Floor,
            "zombies stand on floor"
        );
    }

    #[test]
    fn all_faults_are_told_at_once_with_their_places() {
        let (told, help) = faults(
            "; strategy: chse\n; radius: 256\n; cooldown: -1\n; speed: 0\n; drawing: wide\n\
             -------\n|K E#K|\n|P.E.E|\n-------\n",
        );
        assert_eq!(help, "did you mean `chase`?");
        let told: Vec<_> = told
            .iter()
            .map(|(line, col, text)| (*line, *col, &**text))
            .collect();
        assert_eq!(
            told,
            [
                (1, 13, "`chse` is not a value of `strategy`"),
                (2, 11, "`256` is not a value of `radius`"),
                (3, 13, "`-1` is not a value of `cooldown`"),
                (4, 10, "`0` is not a value of `speed`"),
                (5, 12, "`wide` is not a value of `drawing`"),
                (7, 5, "unknown glyph `#`"),
                (7, 6, "two keys: the first stands at line 7, column 2"),
                (8, 4, "two exits: the first stands at line 7, column 4"),
                (8, 6, "two exits: the first stands at line 7, column 4"),
            ]
        );
        let (told, help) = faults("-------\n|K E.K|\n|P.E.E|\n-------\n");
        let told: Vec<_> = told
            .iter()
            .map(|(line, col, text)| (*line, *col, &**text))
            .collect();
        assert_eq!(
            told,
            [
                (2, 6, "two keys: the first stands at line 2, column 2"),
                (3, 4, "two exits: the first stands at line 2, column 4"),
                (3, 6, "two exits: the first stands at line 2, column 4"),
            ]
        );
        assert_eq!(help, "keep one `K`");
    }

    #[test]
    fn a_tile_of_a_spaced_drawing_holds_one_thing() {
        let (told, _) = faults("- - - -\n| PG  |\n|G  ZK|\n- - - -\n");
        assert_eq!(
            told,
            [
                (2, 4, "`P` and `G` on one tile".to_owned()),
                (3, 2, "`G` on top of structure".to_owned()),
                (3, 6, "`Z` and `K` on one tile".to_owned()),
            ]
        );
        let (told, help) = faults("; drawing: spaced\n-----\n|   |\n");
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!((told[0].0, told[0].1), (2, 2));
        assert!(help.contains("drawing: compact"), "{help}");
    }

    #[test]
    fn settings_have_the_sources_values_unless_set() {
        let settings = read("P\n").unwrap().settings();
        assert_eq!(settings, Settings::default());
        let text = "; strategy: cooldown\n; radius: 255\n; cooldown: 0\n; speed: 4\nP\n";
        let set = Settings {
            strategy: Strategy::Cooldown,
            radius: 255,
            cooldown: 0,
            speed: 4,
        };
        assert_eq!(read(text).unwrap().settings(), set);
    }
}
