//! Boards of grid pursuit puzzles: cells and sets of cells, board files, faults with their places, limits, random numbers.
//!
//! This package knows how a board is written down, but no rules: a [`Puzzle`](puzzle::Puzzle) is a board before a ruleset reads
//! it. Except for its tests, it must not depend on any other package of the workspace.
//!
//! ```
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//!
//! let mut boards = Boards::new(b"; ruleset: jimmy\n###\n#o.\n###\n", 1);
//! let mut puzzle = Puzzle::empty();
//! assert!(boards.read(&mut puzzle)?);
//! assert_eq!(puzzle.rows.len(), 3);
//! assert_eq!(puzzle.header("ruleset").map(|header| &*header.value), Some("jimmy"));
//! # Ok::<(), getaway_board::fault::BoardError>(())
//! ```

#![deny(missing_docs)]

pub mod bits;
pub mod fault;
pub mod grid;
pub mod limits;
pub mod puzzle;
pub mod rng;
pub mod words;
