//! The setting `things`: objects and actors that a drawing can't show, such as a key in a doorway.

use serde::Deserialize;
use serde_json::value::RawValue;

use getaway_board::fault::{FaultKind, Faults, Place};
use getaway_board::grid::{Cell, Grid};
use getaway_board::puzzle::{Header, Puzzle, characters, json};

pub(super) const GLYPHS: &[u8] = b"KEPGZ";

/// The setting's header key.
pub const KEY: &str = "things";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) glyph: u8,
    pub(super) cell: Cell,
    pub(super) place: Place,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Written {
    glyph: char,
    at: (u32, u32),
}

pub(super) fn read(puzzle: &Puzzle, grid: Grid) -> (Vec<Placed>, Faults) {
    let (mut placed, mut faults) = (Vec::new(), Faults::default());
    let text = |value: &str| Some(value.to_owned());
    let value = faults.check(puzzle.setting(KEY, |_| String::new(), text));
    let (Some(value), Some(header)) = (value.flatten(), puzzle.header(KEY)) else {
        return (placed, faults);
    };
    // The reader of JSON Lines turns an empty array into an empty value.
    let value = if value.is_empty() { "[]" } else { &value };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(value) else {
        faults.note(header.place, no_list(value));
        return (placed, faults);
    };
    for item in items.into_iter().map(RawValue::get) {
        let place = place_of(header, value, item);
        match thing(item, grid) {
            Ok((glyph, cell)) => placed.push(Placed { glyph, cell, place }),
            Err(kind) => faults.note(place, kind),
        }
    }
    (placed, faults)
}

fn thing(item: &str, grid: Grid) -> Result<(u8, Cell), FaultKind> {
    let Written {
        glyph: written,
        at: (row, col),
    } = serde_json::from_str(item).map_err(|error| broken(&error, item))?;
    let is_thing = |byte: &u8| GLYPHS.contains(byte);
    let glyph = u8::try_from(written).ok().filter(is_thing);
    let cell = grid.cell(row, col).ok_or_else(|| off_board(row, col, grid));
    Ok((glyph.ok_or_else(|| unknown(written))?, cell?))
}

fn place_of(header: &Header, value: &str, item: &str) -> Place {
    let whole = header.place;
    if characters(value.as_bytes()) as u64 != whole.width {
        return whole;
    }
    let before = item.as_ptr() as usize - value.as_ptr() as usize;
    Place {
        column: whole.column + characters(&value.as_bytes()[..before]) as u64,
        width: characters(item.as_bytes()) as u64,
        ..whole
    }
}

const EXAMPLE: &str = r#"`{"glyph": "K", "at": [3, 7]}`: row 3, column 7, both from 0"#;

fn no_list(value: &str) -> FaultKind {
    FaultKind::BadValue {
        key: KEY,
        value: value.chars().take(40).collect(),
        expected: format!("write a JSON array of objects such as {EXAMPLE}"),
    }
}

fn broken(error: &serde_json::Error, item: &str) -> FaultKind {
    let why = json::message(error, item);
    let message = format!("this is not an object or actor: {why}");
    FaultKind::other(message, format!("write it like {EXAMPLE}"))
}

fn unknown(glyph: char) -> FaultKind {
    FaultKind::other(
        format!("`{}` is not an object or actor", glyph.escape_debug()),
        "use one of `K` key, `E` exit, `P` player, `G` ghost, `Z` zombie",
    )
}

fn off_board(row: u32, col: u32, grid: Grid) -> FaultKind {
    let (last_row, last_col) = (grid.rows() - 1, grid.cols() - 1);
    let ends = format!("rows end at {last_row}, columns at {last_col}");
    FaultKind::other(
        format!("there is no tile at [{row}, {col}]"),
        format!("`at` is [row, column], both from 0: {ends}"),
    )
}

pub(super) fn on_one_tile(first: u8, second: u8, help: &str) -> FaultKind {
    let (first, second) = (char::from(first), char::from(second));
    FaultKind::other(format!("`{first}` and `{second}` are on one tile"), help)
}

/// Returns the fault of a board of another ruleset than `dungeon` that has the setting `things`.
pub fn foreign() -> FaultKind {
    let message = format!("only a `dungeon` board can have `{KEY}`");
    FaultKind::other(message, "draw them in the rows")
}
