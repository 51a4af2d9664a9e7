//! Grid pursuit puzzles: can the runner escape the chasers?
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
//! To add a ruleset, implement [`Notation`], [`Ruleset`] and [`Deterministic`] or [`Stochastic`] for a type. An
//! [`Entry`] made from it works in the library and, with the feature `cli`, in the complete program ([`cli::run`]).
//!
//! Internally, `rules` has a file for each ruleset, which implements the traits in `ruleset`. `solvers` connects the
//! rulesets to the searches in `engine`, which know no rules. `puzzle` reads board files; `play` runs games.

// Some items are used only by the program, which needs the feature `cli`.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

mod advice;
#[cfg(feature = "cli")]
mod agents;
mod analysis;
mod answers;
mod arena;
mod bits;
mod board;
#[cfg(feature = "cli")]
mod census;
#[cfg(feature = "cli")]
pub mod cli;
mod distribution;
mod engine;
mod expect;
mod explanation;
mod fault;
mod game;
mod generate;
mod grid;
mod importers;
mod limits;
mod play;
mod puzzle;
mod removals;
#[cfg(feature = "pictures")]
mod render;
mod rng;
mod rules;
mod ruleset;
mod rulesets;
mod solution;
mod solvers;
mod verify;

#[cfg(all(feature = "internals", not(test)))]
#[doc(hidden)]
pub mod internals;

pub use advice::{Advice, Adviser, Worth};
pub use analysis::Analysis;
pub use answers::check;
pub use bits::Bits;
pub use board::{Board, Replay};
pub use distribution::Distribution;
pub use explanation::Explanation;
pub use fault::{BoardError, Fault, FaultKind, Faults, Place};
pub use generate::{Generator, level::Level, wishes::Wishes};
pub use grid::{Cell, Dir, Grid, Step};
pub use limits::{Limit, Limits, gauge::Gauge};
pub use play::session::{Position, Session};
pub use play::trace::{Ending, HalfTurn, TraceError};
pub use puzzle::{
    Puzzle,
    legend::{Legend, Meaning},
    sheet::{GlyphGrid, Ground},
    text::Boards,
};
#[cfg(feature = "pictures")]
pub use render::{Look, Picture, RenderError, recording::Recording};
pub use rules::maze::{Maze, move_algo};
pub use rules::{baddies::Baddies, dungeon::Dungeon, jimmy::Jimmy, theseus::Theseus};
pub use ruleset::{
    Cause, Deterministic, Event, Fate, NoMove, NoOne, Notation, Outcome, Playable, Reason, Ruleset,
    Stochastic, Watch,
};
pub use rulesets::{Entry, RULESETS, closest};
pub use solution::{Evidence, Solution, Verdict};

#[cfg(any(test, feature = "internals"))]
extern crate self as getaway;

#[cfg(test)]
#[path = "../tests/library/main.rs"]
mod library;

/// Returns `all` if the feature `exhaustive` is on, so that long tests run in full; otherwise `few`.
#[cfg(test)]
const fn sized<T: Copy>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
