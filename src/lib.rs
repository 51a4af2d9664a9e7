//! Grid pursuit puzzles: can the runner escape the chasers?
//!
//! ```
//! let board: getaway::Board = "###\n#o.\n###\n".parse()?; // an error lists all faults
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
//! To add a ruleset, implement [`Notation`], [`Ruleset`], [`Playable`], and [`Deterministic`] or [`Stochastic`] for a type. An
//! [`Entry`] made from it works in the library and, with the feature `cli`, in the complete program ([`cli::run`]).
//!
//! This crate re-exports smaller ones as its modules: [`mod@board`], [`rules`], [`play`], [`search`], [`solvers`], [`generate`]
//! and, with the feature `pictures`, [`render`]. The first page of each says what it is for. [`Board`] plays any ruleset; a type
//! such as [`rules::jimmy::Jimmy`] has the moves and positions of one.

#![warn(missing_docs, clippy::missing_errors_doc)]

mod any_board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod importers;
#[cfg(feature = "pictures")]
pub mod pictures;

pub use any_board::{Board, Replay};
#[doc(inline)]
pub use getaway_board as board;
pub use getaway_board::bits::Bits;
pub use getaway_board::fault::{BoardError, Fault, FaultKind, Faults, Place};
pub use getaway_board::grid::{Cell, Dir, Grid, Step};
pub use getaway_board::limits::{Bounds, Decision, Limit, Limits, progress::SearchProgress};
pub use getaway_board::puzzle::{
    Puzzle,
    legend::{Legend, Meaning},
    sheet::{GlyphGrid, Ground},
    text::Boards,
};
#[doc(inline)]
pub use getaway_generate as generate;
#[doc(inline)]
pub use getaway_play as play;
pub use getaway_play::analysis::Analysis;
pub use getaway_play::evaluation::{Evaluation, Evaluator, PositionValue};
pub use getaway_play::explanation::Explanation;
pub use getaway_play::session::{Position, Session};
pub use getaway_play::solution::{Evidence, Solution, Verdict};
pub use getaway_play::trace::{Ending, Ply, TraceError};
#[cfg(feature = "pictures")]
#[doc(inline)]
pub use getaway_render as render;
#[cfg(feature = "pictures")]
pub use getaway_render::{Picture, PictureStyle, RenderError, recording::Recording};
#[doc(inline)]
pub use getaway_rules as rules;
pub use getaway_ruleset::distribution::Distribution;
pub use getaway_ruleset::{
    Cause, Deterministic, Event, Fate, LineError, NoChaser, Notation, Outcome, Playable, Reason,
    Ruleset, Stochastic, Watch,
};
#[doc(inline)]
pub use getaway_search as search;
#[doc(inline)]
pub use getaway_solvers as solvers;
pub use getaway_solvers::rulesets::{Entry, RULESETS};

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
