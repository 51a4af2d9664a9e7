//! What decides the boards of a ruleset, and makes that fast: it joins the rulebooks to the engines.

pub mod baddies;
mod certificate;
pub mod chance;
pub mod dungeon;
pub mod jimmy;
mod maze;
pub mod searched;
