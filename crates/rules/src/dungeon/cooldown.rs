#![doc = include_str!("cooldown.md")]
//!
//! # In the words of the course document
//!
//! - 1: "Filter out invalid successors (doors, walls/void, other adversaries, etc.)."
//! - 3: "Filter out invalid neighbors (now only other adversaries and hallway walls)."
//! - 6: The document's pseudocode forgets to set the cooldown.

use super::level::{DirSet, Mover};
use getaway_board::grid::Cell;

/// The change of a ghost's cooldown in its turn (rules 4 to 7 of strategy `cooldown`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CooldownChange {
    /// It stays the same.
    Keeps,
    /// It becomes 0.
    Ends,
    /// It falls by 1.
    Falls,
    /// It becomes the value of the setting `cooldown`.
    Starts,
}

impl CooldownChange {
    /// Returns the cooldown after the change; `set` is the value of the setting `cooldown`.
    pub const fn apply(self, cooldown: u8, set: u8) -> u8 {
        match self {
            Self::Keeps => cooldown,
            Self::Ends => 0,
            Self::Falls => cooldown - 1,
            Self::Starts => set,
        }
    }
}

/// Returns the directions in which a zombie may move (rule 2).
pub(super) fn zombie(zombie: Mover) -> DirSet {
    if zombie.open.len() < 2 {
        zombie.open
    } else {
        nearest_to(zombie, &zombie.players_in_room())
    }
}

/// Returns the directions in which a ghost may move, and the change of its cooldown (rules 4 to 7).
pub(super) fn ghost(ghost: Mover, radius: u32, cooldown: u8) -> (DirSet, CooldownChange) {
    let open = ghost.open;
    if open.len() < 2 {
        return (open, CooldownChange::Keeps);
    }
    let prey = ghost.players_within(radius);
    if prey.clone().next().is_some() {
        return (nearest_to(ghost, &prey), CooldownChange::Ends);
    }
    let is_wall = |dir| ghost.level.tile(ghost.tile(dir)).is_wall();
    let walls = open.filter(is_wall);
    match cooldown {
        0 if walls.is_empty() => (open, CooldownChange::Keeps),
        0 => (walls, CooldownChange::Starts),
        _ => (
            open.filter(|dir| !is_wall(dir)).or(walls),
            CooldownChange::Falls,
        ),
    }
}

/// Returns the open directions to the tiles nearest to any prey; without prey, all open directions.
fn nearest_to(mover: Mover, prey: &(impl Iterator<Item = Cell> + Clone)) -> DirSet {
    mover
        .open
        .min(|dir| mover.level.nearest(mover.tile(dir), prey.clone()))
}
