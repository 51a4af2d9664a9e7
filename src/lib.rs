//! Grid pursuit puzzles: can the one who runs get away from those who chase?
//!
//! ```
//! let board: getaway::Board = "###\n#o.\n###\n".parse()?; // all faults at once
//! let solution = board.solve(&getaway::Limits::default());
//! if let Some(line) = solution.line() {
//!     println!("out in {}: {line}", line.len());
//! }
//! for step in board.replay("R")? {
//!     println!("{}", step.picture());
//! }
//! # assert_eq!(solution.line(), Some("R"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What "which rule?" leads to: [`rules`], a file a ruleset, on the traits of [`ruleset`]. What "why is it
//! fast?" leads to: [`solvers`], which join the rulebooks to the [`engine`]s that know no rule. Board files
//! are read by [`puzzle`], games played by [`play`]; [`rulesets`] is the list of all there are.

pub mod advice;
#[cfg(feature = "cli")]
pub mod agents;
pub mod analysis;
pub mod bits;
pub mod board;
pub mod census;
#[cfg(feature = "cli")]
pub mod cli;
pub mod distribution;
pub mod engine;
pub mod expect;
pub mod explanation;
pub mod fault;
pub mod game;
pub mod generate;
pub mod grid;
pub mod importers;
pub mod limits;
pub mod play;
pub mod puzzle;
pub mod removals;
#[cfg(feature = "pictures")]
pub mod render;
pub mod rng;
pub mod rules;
pub mod ruleset;
pub mod rulesets;
pub mod solution;
pub mod solvers;
pub mod verify;

pub use bits::Bits;
pub use board::Board;
pub use grid::{Cell, Dir, Grid};
pub use limits::Limits;
pub use solution::{Solution, Verdict};

/// `all` where the feature `exhaustive` asks for the long tests whole, else `few`.
#[cfg(test)]
const fn sized<T: Copy>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}

/// The README's example is run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
