//! Items for benchmarks and fuzzing, with the feature `internals`; not a stable interface.

use std::sync::Arc;

use crate::board::Board;
use crate::fault::BoardError;
use crate::play::trace::TraceError;
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;

pub use crate::arena::{Arena, Bout, Chaser, End};
pub use crate::cli::evidence::{Unpacked, packer};
pub use crate::cli::options::default_memory;
pub use crate::cli::panics::{ADVICE, caught, keep_quiet, on_purpose};
pub use crate::engine::search::{Finding, Order, Search};
pub use crate::engine::visited::ExactSet;
pub use crate::game::Game;
pub use crate::puzzle::json;
pub use crate::rng::Rng;
pub use crate::rulesets::of_board;
pub use crate::verify::{Content, Proof, Writer};

/// Reads a board of this ruleset.
///
/// # Errors
///
/// Returns all faults of the board.
pub fn read(entry: &Entry, puzzle: &Puzzle) -> Result<Box<dyn Game>, BoardError> {
    (entry.read)(puzzle)
}

/// Prepares many games on a board at a time.
///
/// # Errors
///
/// Returns an error if the board cannot be played.
pub fn arena(board: &Board) -> Result<Arc<dyn Arena>, TraceError> {
    board.arena()
}

#[path = "../tests/library/evidence.rs"]
mod evidence;
#[path = "../tests/library/oracle.rs"]
mod oracle;
#[path = "../tests/library/pieces.rs"]
mod pieces;
#[path = "../tests/library/targets.rs"]
pub mod targets;
