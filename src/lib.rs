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
//! This crate is the front door of the packages in `crates/`, whose first pages say what each is for.

#![warn(missing_docs, clippy::missing_errors_doc)]

mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod importers;
#[cfg(feature = "pictures")]
mod pictures;

pub use board::{Board, Replay};
pub use getaway_board::bits::Bits;
pub use getaway_board::fault::{BoardError, Fault, FaultKind, Faults, Place};
pub use getaway_board::grid::{Cell, Dir, Grid, Step};
pub use getaway_board::limits::{Limit, Limits, gauge::Gauge};
pub use getaway_board::puzzle::{
    Puzzle,
    legend::{Legend, Meaning},
    sheet::{GlyphGrid, Ground},
    text::Boards,
};
pub use getaway_generate::{Generator, criteria::Criteria, level::Level};
pub use getaway_play::analysis::Analysis;
pub use getaway_play::evaluation::{Evaluation, Evaluator, PositionValue};
pub use getaway_play::explanation::Explanation;
pub use getaway_play::session::{Position, Session};
pub use getaway_play::solution::{Evidence, Solution, Verdict};
pub use getaway_play::trace::{Ending, Ply, TraceError};
#[cfg(feature = "pictures")]
pub use getaway_render::{Look, Picture, RenderError, recording::Recording};
pub use getaway_rules::maze::{Maze, move_algo};
pub use getaway_rules::{baddies::Baddies, dungeon::Dungeon, jimmy::Jimmy, theseus::Theseus};
pub use getaway_ruleset::distribution::Distribution;
pub use getaway_ruleset::{
    Cause, Deterministic, Event, Fate, NoChaser, NoMove, Notation, Outcome, Playable, Reason,
    Ruleset, Stochastic, Watch,
};
pub use getaway_solvers::answers::check;
pub use getaway_solvers::rulesets::{Entry, RULESETS, closest};
#[cfg(feature = "pictures")]
pub use pictures::{record_rows, rules_as_html, subject};

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
