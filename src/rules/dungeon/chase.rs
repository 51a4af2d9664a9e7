#![doc = include_str!("chase.md")]
//!
//! # In the words of source 000
//!
//! - 1: "The ghost cannot move on top of another Actor, the level key, or the level exit."
//! - 2: "The ghost will not attempt to move through walls in order to get closer to the player unless it has no move
//!   which can bring it closer."
//! - 3: "If no player is within 10 tiles, the ghost runs into a wall in order to be teleported to a random room."
//! - 5: "A zombie moves toward the nearest player inside its own room."

use super::level::{Mover, Ways};
use crate::grid::Cell;

/// Applies rules 2 and 3.
pub(super) fn ghost(ghost: Mover, radius: u32) -> Ways {
    let level = ghost.level;
    let prey = ghost.players_within(radius);
    if prey.clone().next().is_none() {
        return ghost.open.least(|dir| Some(level.to_wall(ghost.tile(dir))));
    }
    let closer = closer(ghost, &prey);
    let open = closer.filter(|dir| !level.tile(ghost.tile(dir)).teleports());
    open.or(closer)
}

/// Applies rules 5 and 6.
pub(super) fn zombie(zombie: Mover) -> Ways {
    let prey = zombie.players_in_room();
    if prey.clone().next().is_none() {
        zombie.open
    } else {
        closer(zombie, &prey)
    }
}

/// Returns the ways that lead closer to one of the nearest players.
fn closer(mover: Mover, prey: &(impl Iterator<Item = Cell> + Clone)) -> Ways {
    let Mover { level, from, .. } = mover;
    let nearest = level.nearest(from, prey.clone());
    mover.open.filter(|dir| {
        let to = mover.tile(dir);
        prey.clone().any(|cell| {
            let distance = level.grid.distance(from, cell);
            Some(distance) == nearest && level.grid.distance(to, cell) < distance
        })
    })
}
