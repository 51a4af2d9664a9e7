//! Why a board can't be had.

use crate::fault::list;
use crate::solution::Verdict;

/// The most cells of a new board.
pub const MOST_CELLS: usize = 40_000;

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Impossible {
    /// Nobody has said how boards of this ruleset are drawn.
    #[error("new boards of `{0}` can't be drawn; `mutate` makes variants of a board")]
    NoLayout(String),
    /// The ruleset has nothing of this name to count.
    #[error("`{ruleset}` has no `{name}`, but {}", list(known))]
    NoSuchAmount {
        /// What was asked for.
        name: String,
        /// The ruleset.
        ruleset: &'static str,
        /// What it has.
        known: Vec<&'static str>,
    },
    /// More or fewer than the ruleset allows.
    #[error("`{name}` of `{ruleset}` are {}", bounds(*allowed))]
    Amount {
        /// What was asked for.
        name: &'static str,
        /// The ruleset.
        ruleset: &'static str,
        /// The fewest and the most.
        allowed: (usize, usize),
    },
    /// The board is too small to be drawn.
    #[error("boards of `{ruleset}` have at least {} rows and {} columns", least.0, least.1)]
    TooSmall {
        /// The ruleset.
        ruleset: &'static str,
        /// The fewest rows and columns.
        least: (usize, usize),
    },
    /// The board is too large to be searched for.
    #[error("a new board has at most {} cells", MOST_CELLS)]
    TooLarge,
    /// More things than cells.
    #[error("there is no room for {wanted} on this board, only for {room}: make it larger")]
    Crowded {
        /// How many are to be put on it.
        wanted: usize,
        /// How many there is room for.
        room: usize,
    },
    /// More rooms than there is space for.
    #[error("there is space for {most} of the {wanted} rooms: make the board larger")]
    Rooms {
        /// How many are wanted.
        wanted: usize,
        /// How many there is space for.
        most: usize,
    },
    /// Boards can't be drawn so.
    #[error("no such board could be drawn: make it larger, or ask for less on it")]
    Undrawable,
    /// The ruleset's boards have nothing of the kind.
    #[error("`{wish}` means nothing for `{ruleset}`, but for {}", list(known))]
    Meaningless {
        /// What was asked for.
        wish: &'static str,
        /// The ruleset.
        ruleset: &'static str,
        /// The rulesets for which it means something.
        known: Vec<&'static str>,
    },
    /// A share that is none.
    #[error("{0} is not a share: write a number from 0 to 1")]
    Share(f64),
    /// No board has such a long way out.
    #[error("no board of this size has a shortest way out of {wanted} moves: {most} is the most")]
    Moves {
        /// How many are wanted.
        wanted: usize,
        /// More than that there can't be.
        most: usize,
    },
    /// A verdict that the ruleset never gives.
    #[error("the verdict on a board of `{ruleset}` is never `{verdict}`")]
    Verdict {
        /// The ruleset.
        ruleset: &'static str,
        /// What was asked for.
        verdict: Verdict,
    },
    /// Two wishes that can't both come true.
    #[error("{0}")]
    Contradiction(&'static str),
    /// A setting that the ruleset can't read.
    #[error("{0}")]
    Setting(String),
}

fn bounds((least, most): (usize, usize)) -> String {
    match most {
        usize::MAX => format!("at least {least}"),
        _ if least == most => format!("exactly {least}"),
        _ => format!("from {least} to {most}"),
    }
}
