//! Mazes as lists of integers and as drawings.

use std::collections::BTreeSet;

use crate::rules::maze::format::WALL_LETTERS;
use crate::rules::maze::map::{Id, Kind, Map, Tile};

pub fn lists(map: &Map) -> Vec<Vec<u8>> {
    map.rows().map(list).collect()
}

fn list(row: &[Tile]) -> Vec<u8> {
    let numbers: Vec<_> = row.iter().map(|tile| tile.number().to_string()).collect();
    format!("[{}]", numbers.join(", ")).into_bytes()
}

/// Returns the rows of a drawing, with letters assigned in the order of wall ids; `None` if the letters run out.
pub fn drawing(map: &Map, runner: Id) -> Option<Vec<Vec<u8>>> {
    let ids = map.cells().filter_map(|(_, tile)| owner(tile));
    let walls: BTreeSet<_> = ids.filter(|&id| id != runner).collect();
    let walls = Vec::from_iter(walls);
    if walls.len() > WALL_LETTERS.len() {
        return None;
    }
    let letter = |id| match walls.binary_search(&id) {
        Ok(wall) => WALL_LETTERS[wall],
        Err(_) => b'R',
    };
    let glyph = |tile: &Tile| match tile.kind() {
        Kind::Blank => b'.',
        Kind::Food => b'*',
        Kind::Head(id) => letter(id),
        Kind::Body(id) => letter(id).to_ascii_lowercase(),
    };
    Some(
        map.rows()
            .map(|row| row.iter().map(glyph).collect())
            .collect(),
    )
}

const fn owner(tile: Tile) -> Option<Id> {
    match tile.kind() {
        Kind::Blank | Kind::Food => None,
        Kind::Head(id) | Kind::Body(id) => Some(id),
    }
}
