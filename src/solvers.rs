//! Solvers connect the rulesets to the search engines.

pub mod baddies;
mod certificate;
pub mod chance;
mod drn;
pub mod dungeon;
pub mod jimmy;
mod maze;
pub mod searched;
