//! The rulesets; [`crate::solvers`] decides their boards.

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod maze;
pub mod theseus;
