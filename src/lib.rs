//! getaway
pub mod bits;
pub mod chance;
pub mod engine;
pub mod expect;
pub mod fault;
pub mod game;
pub mod grid;
pub mod puzzle;
pub mod replay;
pub mod rollout;
pub mod rules;
pub mod rulesets;
pub use bits::Bits;
pub use grid::{Cell, Dir, Grid};
