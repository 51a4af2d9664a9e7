//! The rulesets: reading boards, positions and moves, pictures, and numbered rules. [`crate::solvers`] decides the
//! boards.

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod maze;
pub mod theseus;
