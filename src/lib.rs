//! Grid pursuit puzzles: can the one who runs get away from those who chase?
//!
//! A board is read ([`puzzle`]) by its ruleset ([`rules`], [`rulesets`]) into a [`game::Game`], which can
//! be solved, traced and played. What a ruleset is made of, and how a new one is added, stands in
//! [`rules`]; the searches, which know no rule, in [`engine`].
//!
//! ```
//! use getaway::engine::search::Order;
//! use getaway::game::{Evidence, Game, Verdict};
//! use getaway::puzzle::{Puzzle, text::Boards};
//! use getaway::rulesets::{self, RULESETS};
//!
//! let board = "\
//! .....
//! .g...
//! ...o.
//! .....
//! ";
//! let mut puzzle = Puzzle::empty();
//! assert!(Boards::new(board.as_bytes(), 1).read(&mut puzzle)?);
//! let ruleset = rulesets::of_board(RULESETS, &puzzle)?;
//! assert_eq!(ruleset.name, "jimmy");
//! let game = (ruleset.read)(&puzzle)?;
//! let solution = game.solve(Order::BreadthFirst, &Limits::default());
//! assert_eq!(solution.verdict, Verdict::Escape);
//! assert!(matches!(solution.evidence, Evidence::Line(line) if line == "D"));
//! # Ok::<(), getaway::fault::BoardError>(())
//! ```

pub mod bits;
pub mod distribution;
pub mod engine;
pub mod expect;
pub mod fault;
pub mod game;
pub mod grid;
pub mod limits;
pub mod play;
pub mod puzzle;
pub mod rng;
pub mod rules;
pub mod ruleset;
pub mod rulesets;
pub mod solvers;

pub use bits::Bits;
pub use grid::{Cell, Dir, Grid};

/// The README's example is run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
