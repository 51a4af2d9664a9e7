//! The rulesets with their solvers, which apply searches and models to the rules.
//!
//! A [`Game`](game::Game) is a board of any ruleset, as the commands see it, and [`RULESETS`](rulesets::RULESETS) lists the
//! rulesets. This package must not know how a command prints an answer to a terminal.
//!
//! ```
//! use getaway_board::limits::Limits;
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//! use getaway_search::search::Order;
//! use getaway_solvers::rulesets::{RULESETS, of_board};
//!
//! let mut puzzle = Puzzle::empty();
//! Boards::new(b"###\n#o.\n###\n", 1).read(&mut puzzle)?;
//! let game = (of_board(RULESETS, &puzzle)?.read)(&puzzle)?;
//! let solution = game.solve(Order::DepthFirst, &Limits::default());
//! assert_eq!(solution.line(), Some("R"));
//! # Ok::<(), getaway_board::fault::BoardError>(())
//! ```

#![deny(missing_docs)]

pub mod answers;
pub mod baddies;
mod certificate;
pub mod chance;
mod drn;
pub mod dungeon;
mod errors;
pub mod game;
pub mod jimmy;
pub mod maze;
pub mod positions;
pub mod removals;
pub mod rulesets;
pub mod searched;
