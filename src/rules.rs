//! The rulebooks, a file each, and nothing else: how a board is read, its positions and moves, its
//! pictures, and the rules with their numbers. How boards are decided stands in [`crate::solvers`].

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod maze;
pub mod theseus;
