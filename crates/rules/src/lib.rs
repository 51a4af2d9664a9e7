//! The rulebooks: one module for each ruleset, which reads boards and plays turns. Nothing here searches.
//!
//! ```
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//! use getaway_rules::jimmy::Jimmy;
//! use getaway_ruleset::{Deterministic, Notation, Outcome, Ruleset};
//!
//! let mut puzzle = Puzzle::empty();
//! Boards::new(b"###\n#o.\n###\n", 1).read(&mut puzzle)?;
//! let board = Jimmy::read(&puzzle)?;
//! let mut position = board.start();
//! assert_eq!(board.play(&mut position, "R".parse()?), Some(Outcome::Escaped));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod maze;
pub mod theseus;
