#![doc = include_str!("chase.md")]
//!
//! # In the words of the course document
//!
//! - 1: "The ghost cannot move on top of another Actor, the level key, or the level exit."
//! - 2: "The ghost will not attempt to move through walls in order to get closer to the player unless it has no move
//!   which can bring it closer."
//! - 3: "If no player is within 10 tiles, the ghost runs into a wall in order to be teleported to a random room."
//! - 5: "A zombie moves toward the nearest player inside its own room."

use super::level::{DirSet, Mover};
use getaway_board::grid::Cell;

/// Returns the directions in which a ghost may move (rules 2 and 3).
pub(super) fn ghost(ghost: Mover, radius: u32) -> DirSet {
    let level = ghost.level;
    let Some(closer) = closer(ghost, &ghost.players_within(radius)) else {
        return ghost.open.min(|dir| Some(level.to_wall(ghost.tile(dir))));
    };
    let open = closer.filter(|dir| !level.tile(ghost.tile(dir)).teleports());
    open.or(closer)
}

/// Returns the directions in which a zombie may move (rules 5 and 6).
pub(super) fn zombie(zombie: Mover) -> DirSet {
    closer(zombie, &zombie.players_in_room()).unwrap_or(zombie.open)
}

/// Returns the open directions that lead closer to one of the nearest players in `prey`; `None` without players.
fn closer(mover: Mover, prey: &(impl Iterator<Item = Cell> + Clone)) -> Option<DirSet> {
    let grid = mover.level.grid;
    let nearest = mover.level.nearest(mover.from, prey.clone())?;
    Some(mover.open.filter(|dir| {
        let to = mover.tile(dir);
        let mut nearest = prey
            .clone()
            .filter(|&cell| grid.distance(mover.from, cell) == nearest);
        nearest.any(|cell| grid.distance(to, cell) < grid.distance(mover.from, cell))
    }))
}
