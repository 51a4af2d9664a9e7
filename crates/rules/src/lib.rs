//! The rulebooks: one module for each ruleset, which reads boards, plays turns and draws positions. Its docs begin with the
//! rulebook that `getaway rules` prints; for `maze` and `dungeon`, the rest of it is in submodules. "jimmy 4" in the docs is rule
//! 4 of `jimmy`; a plain "rule 4" is a rule of the module's own ruleset.
//!
//! This package knows board files and the traits of a ruleset. Nothing here searches for a way out. The search for the next
//! move in a [`maze`] is here because it is part of the rules.
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

#![deny(missing_docs)]

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod maze;
pub mod theseus;
