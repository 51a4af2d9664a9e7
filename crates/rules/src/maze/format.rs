mod lists;

use std::fmt::Display;

use getaway_board::fault::{BoardError, Fault, FaultKind, Place};
use getaway_board::puzzle::glyphs::Glyphs;
use getaway_board::puzzle::legend::{self, Legend, Meaning};
use getaway_board::puzzle::sheet::GlyphGrid;
use getaway_board::puzzle::{Header, Origin, Puzzle};

use super::{Id, Map, Maze, Tile};

pub(super) const LEGEND: Legend = Legend::new(&[
    (".", Meaning::Floor, "blank"),
    ("*", Meaning::Goal, "food"),
    ("R", Meaning::Runner, "the runner's head"),
    ("r", Meaning::Runner, "its string"),
    (
        "ABCDEFGHIJKLMNOPQSTUVWXYZ",
        Meaning::Wall,
        "a wall's moving end",
    ),
    ("abcdefghijklmnopqstuvwxyz", Meaning::Wall, "its body"),
]);

/// The letters that walls can have, in alphabetical order. In this order, the walls of a drawing get the ids 2, 3 and so on.
pub const WALL_LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQSTUVWXYZ";

pub(super) fn read(puzzle: &Puzzle) -> Result<Maze, BoardError> {
    if is_listed(puzzle) {
        lists::read(puzzle)
    } else {
        read_drawing(puzzle)
    }
}

const LISTED: u128 = legend::mask_of("0123456789-+,[]() \t");

pub(super) fn fits(puzzle: &Puzzle) -> bool {
    let glyphs = puzzle.glyphs();
    glyphs.fit(&LEGEND) && glyphs.has(b'R')
        || glyphs.are_in(LISTED) && (b'0'..=b'9').any(|digit| glyphs.has(digit))
}

/// Returns whether the board is written as lists: drawings have no digit, sign or bracket.
pub fn is_listed(puzzle: &Puzzle) -> bool {
    let mut rows = puzzle.rows.iter();
    let first = rows.find_map(|row| row.text.trim_ascii().first());
    first.is_some_and(|byte| b"[(-+0123456789".contains(byte))
}

fn read_drawing(puzzle: &Puzzle) -> Result<Maze, BoardError> {
    let mut sheet = GlyphGrid::read(puzzle, &LEGEND)?;
    if let Some((id, header)) = sheet.check(header_runner(puzzle)).flatten()
        && id != Id::ONE
        && header.origin != Origin::Default
    {
        let message = format!("the runner of a drawing is `R`, whose id is 1, not {id}");
        sheet.note(
            header.place,
            FaultKind::other(message, "remove this header"),
        );
    }
    let letters = letters(puzzle.glyphs());
    let tiles = tiles(&letters);
    let size = sheet.grid().size();
    puzzle.take((size * (1 + size_of::<Tile>())) as u64)?;
    let mut glyphs = Vec::with_capacity(size);
    sheet.visit(|_, glyph| glyphs.push(glyph))?;
    let drawn = glyphs.iter().map(|&glyph| tiles[usize::from(glyph)]);
    let map = Map::new(sheet.grid(), drawn.collect()).expect("a sheet has a glyph for each cell");
    let seconds = map.second_heads_while(|| puzzle.work(4).is_ok());
    let faults = seconds.into_iter().map(|second| {
        let name = char::from(glyphs[second.cell.index()]);
        let first = sheet.place(second.first);
        (second.cell, second_head(&name, first))
    });
    sheet.add(sheet.faults_at(faults));
    sheet.finish()?;
    Ok(Maze {
        letters,
        ..Maze::of(map, Id::ONE, None)
    })
}

/// Returns the capital letters of the runner and of the walls that are drawn, in the order of their ids.
fn letters(drawn: Glyphs) -> Vec<u8> {
    let is_drawn = |letter: u8| drawn.has(letter) || drawn.has(letter.to_ascii_lowercase());
    let mut letters = vec![b'R'];
    letters.extend(WALL_LETTERS.iter().filter(|&&letter| is_drawn(letter)));
    letters
}

fn tiles(letters: &[u8]) -> [Tile; 256] {
    let mut tiles = [Tile::BLANK; 256];
    tiles[usize::from(b'*')] = Tile::FOOD;
    for (id, &letter) in (1..).zip(letters) {
        let head = Id::new(id)
            .and_then(Tile::head)
            .expect("there are 26 letters");
        tiles[usize::from(letter)] = head;
        tiles[usize::from(letter.to_ascii_lowercase())] = head.trail();
    }
    tiles
}

fn header_runner<'p, 'a>(puzzle: &'p Puzzle<'a>) -> Result<Option<(Id, &'p Header<'a>)>, Fault> {
    let read = |value: &str| value.parse().ok().and_then(Id::new);
    let expected = |_: &str| "write a positive integer".to_owned();
    let id = puzzle.setting("runner", expected, read)?;
    Ok(id.zip(puzzle.header("runner")))
}

fn second_head(name: &dyn Display, first: Place) -> FaultKind {
    FaultKind::Duplicate {
        plural: format!("heads of `{name}`").into(),
        glyph: name.to_string().into(),
        first,
    }
}

#[cfg(test)]
mod tests;
