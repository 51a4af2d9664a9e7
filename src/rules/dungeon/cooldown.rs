#![doc = include_str!("cooldown.md")]
//!
//! # In the words of source 001
//!
//! - 1: "Filter out invalid successors (doors, walls/void, other adversaries, etc.)."
//! - 3: "Filter out invalid neighbors (now only other adversaries and hallway walls)."
//! - 6: the source's pseudocode forgets to set the cooldown.

use super::Scene;
use super::level::{Level, Tile, Ways};
use crate::grid::{Cell, Dir};

/// What becomes of a ghost's cooldown in its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Change {
    /// Nothing.
    Keeps,
    /// It becomes 0.
    Ends,
    /// It falls by 1.
    Falls,
    /// It becomes the set value.
    Starts,
}

impl Change {
    /// The cooldown after the move; `set` is the set value.
    pub const fn apply(self, cooldown: u8, set: u8) -> u8 {
        match self {
            Self::Keeps => cooldown,
            Self::Ends => 0,
            Self::Falls => cooldown - 1,
            Self::Starts => set,
        }
    }
}

/// Rules 1 and 2: the ways that a zombie may take next, all equally likely; none: it stays.
pub fn zombie(level: &Level, zombie: Cell, scene: &Scene) -> Ways {
    let room = level.room_of(zombie);
    let ways = zombie_ways(level, zombie, scene);
    let prey: Vec<Cell> = scene.players_in(level, room).collect();
    if ways.len() < 2 {
        ways
    } else {
        nearest_to(level, zombie, ways, &prey)
    }
}

/// Rules 3 to 7: the ways that a ghost may take next, all equally likely (none: it stays), and what
/// becomes of its cooldown.
pub fn ghost(level: &Level, ghost: Ghost, scene: &Scene, radius: u32) -> (Ways, Change) {
    let Ghost { cell, is_cool } = ghost;
    let tile = |dir| level.tile(step(level, cell, dir));
    let ways = ways(level, cell, scene);
    if ways.len() < 2 {
        return (ways, Change::Keeps);
    }
    let prey: Vec<Cell> = scene.players_within(level, cell, radius).collect();
    if !prey.is_empty() {
        return (nearest_to(level, cell, ways, &prey), Change::Ends);
    }
    let walls = ways.filter(|dir| tile(dir).is_wall());
    match (is_cool, walls.is_empty()) {
        (true, false) => (walls, Change::Starts),
        (true, true) => (ways, Change::Keeps),
        (false, _) => (
            ways.filter(|dir| !tile(dir).is_wall()).or(walls),
            Change::Falls,
        ),
    }
}

/// Rule 3: where a ghost may step.
pub fn ways(level: &Level, ghost: Cell, scene: &Scene) -> Ways {
    Ways::from(level.grid, ghost, |to| {
        level.tile(to) != Tile::Void && !scene.has_other(to)
    })
}

/// Rule 1: where a zombie may step.
pub(super) fn zombie_ways(level: &Level, zombie: Cell, scene: &Scene) -> Ways {
    let room = level.room_of(zombie);
    Ways::from(level.grid, zombie, |to| {
        room.is_some() && level.room_of(to) == room && !scene.has_other(to)
    })
}

/// A ghost that is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Where it is.
    pub cell: Cell,
    /// Whether its cooldown is 0.
    pub is_cool: bool,
}

/// The ways that lead as near as possible to any of `prey`; all if there is none.
fn nearest_to(level: &Level, from: Cell, ways: Ways, prey: &[Cell]) -> Ways {
    ways.least(|dir| level.nearest(step(level, from, dir), prey.iter().copied()))
}

fn step(level: &Level, from: Cell, dir: Dir) -> Cell {
    level
        .grid
        .step(from, dir)
        .expect("a way to go leads to a tile of the level")
}
