#![doc = include_str!("chase.md")]
//!
//! # In the words of source 000
//!
//! - 1: "The ghost cannot move on top of another Actor, the level key, or the level exit."
//! - 2: "The ghost will not attempt to move through walls in order to get closer to the player unless it has no move
//!   which can bring it closer."
//! - 3: "If no player is within 10 tiles, the ghost runs into a wall in order to be teleported to a random room."
//! - 5: "A zombie moves toward the nearest player inside its own room."

use super::Scene;
use super::level::{Level, Ways};
use crate::grid::{Cell, Dir};

/// Rules 1 to 3: the ways that a ghost may take next, all equally likely; none: it stays.
pub fn ghost(level: &Level, ghost: Cell, scene: &Scene, radius: u32) -> Ways {
    let ways = ghost_ways(level, ghost, scene);
    let near = scene.players_within(level, ghost, radius);
    match level.nearest(ghost, near) {
        None => ways.least(|dir| Some(level.to_wall(step(level, ghost, dir)))),
        Some(distance) => {
            let closer = closer(
                level,
                ghost,
                ways,
                &Prey {
                    cells: scene.players,
                    distance,
                },
            );
            let open = closer.filter(|dir| !level.tile(step(level, ghost, dir)).teleports());
            open.or(closer)
        }
    }
}

/// Rules 4 to 6: the ways that a zombie may take next, all equally likely; none: it stays.
pub fn zombie(level: &Level, zombie: Cell, scene: &Scene) -> Ways {
    let room = level.room_of(zombie);
    let ways = zombie_ways(level, zombie, scene);
    let prey: Vec<Cell> = scene.players_in(level, room).collect();
    match level.nearest(zombie, prey.iter().copied()) {
        None => ways,
        Some(distance) => closer(
            level,
            zombie,
            ways,
            &Prey {
                cells: &prey,
                distance,
            },
        ),
    }
}

/// The ways that are open to a ghost at all.
pub(super) fn ghost_ways(level: &Level, ghost: Cell, scene: &Scene) -> Ways {
    Ways::from(level.grid, ghost, |to| {
        !scene.has_other(to) && !has_object(level, scene, to)
    })
}

/// The ways that are open to a zombie at all.
pub(super) fn zombie_ways(level: &Level, zombie: Cell, scene: &Scene) -> Ways {
    let room = level.room_of(zombie);
    Ways::from(level.grid, zombie, |to| {
        room.is_some()
            && level.room_of(to) == room
            && !scene.has_other(to)
            && !has_object(level, scene, to)
    })
}

/// Players, and the distance of the nearest of them.
#[derive(Clone, Copy)]
struct Prey<'a> {
    cells: &'a [Cell],
    distance: u32,
}

/// The ways that lead closer to one of the nearest players.
fn closer(level: &Level, from: Cell, ways: Ways, prey: &Prey) -> Ways {
    let grid = level.grid;
    ways.filter(|dir| {
        let to = step(level, from, dir);
        let nearest = |&&cell: &&Cell| grid.distance(from, cell) == prey.distance;
        prey.cells
            .iter()
            .filter(nearest)
            .any(|&cell| grid.distance(to, cell) < prey.distance)
    })
}

fn has_object(level: &Level, scene: &Scene, cell: Cell) -> bool {
    level.exit == Some(cell) || scene.key == Some(cell)
}

fn step(level: &Level, from: Cell, dir: Dir) -> Cell {
    level
        .grid
        .step(from, dir)
        .expect("a way to go leads to a tile of the level")
}
