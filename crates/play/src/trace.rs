//! The record of a game, ply by ply, and its ending.

use std::fmt;
use std::io;

use getaway_board::limits::Limit;
use getaway_board::words::count;
use getaway_ruleset::controlled::OrderError;
use getaway_ruleset::{Cause, Fate};
use serde::Serialize;

/// The role of the runner. All other roles are kinds of chasers.
pub const RUNNER: &str = "runner";

/// Receives a game while it is played. A closure receives only the plies.
pub trait TraceSink {
    /// Receives the kind of the line and, on demand, the board at the start.
    ///
    /// # Errors
    ///
    /// Returns the error that ends the trace.
    fn begin(&mut self, _line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        Ok(())
    }

    /// Receives a ply.
    ///
    /// # Errors
    ///
    /// Returns the error that ends the trace.
    fn ply(&mut self, ply: &Ply) -> io::Result<()>;
}

impl<F: FnMut(&Ply) -> io::Result<()>> TraceSink for F {
    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        self(ply)
    }
}

/// The kind of a line of play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum LineKind {
    /// A way out if the chasers make certain moves by chance.
    Lucky {
        /// The probability that the chasers make these moves.
        probability: f64,
    },
    /// The moves that were given.
    Given,
    /// A way out.
    WayOut,
    /// The runner can't escape, and no line lasts longer.
    LongestLived,
    /// The runner can't escape, and a limit ended the search for a longest line.
    LongestFound,
    /// The runner can't escape but survives: the last move returns to the position after the first `back_to` moves.
    Forever {
        /// The number of moves before the position that recurs.
        back_to: usize,
    },
    /// A game played by agents, with chance from a seed.
    Played {
        /// The seed of the game.
        seed: u64,
    },
}

/// A runner's move, or the moves of all chasers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The side that moved, such as "Jimmy".
    pub who: &'static str,
    /// The runner's move; `None` for the chasers.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The orders that chasers obeyed, as a group in the header `chasers`; empty if there were none.
    #[serde(skip)]
    pub orders: String,
    /// The actors' steps.
    pub events: Vec<TraceEvent>,
    /// The board after the ply.
    pub rows: Vec<String>,
}

impl Ply {
    /// Returns the rows as one text.
    pub fn picture(&self) -> String {
        self.rows.join("\n")
    }
}

/// An actor's step in a ply, in rows and columns from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TraceEvent {
    /// The actor's glyph.
    pub actor: char,
    /// The cell that the actor left.
    pub from: (u32, u32),
    /// The cell that the actor reached.
    pub to: (u32, u32),
    /// The result of the step for the actor.
    pub fate: Fate,
}

/// The ending of a game or line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "end", rename_all = "lowercase")]
pub enum Ending {
    /// The runner escaped.
    Escaped {
        /// The number of turns.
        turns: usize,
    },
    /// The runner lost.
    Caught {
        /// The number of turns.
        turns: usize,
        /// The cause.
        cause: Cause,
    },
    /// An external agent forfeited the game.
    Forfeited {
        /// The number of turns before the fault.
        turns: usize,
        /// The fault.
        #[serde(flatten)]
        fault: Forfeit,
    },
    /// The line ended before the game did.
    Open {
        /// The number of turns.
        turns: usize,
        /// True if some runners have yet to move in the last turn.
        #[serde(rename = "mid_turn", skip_serializing_if = "std::ops::Not::not")]
        is_mid_turn: bool,
        /// The limit that ended the search for a longer line.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<Limit>,
    },
    /// A move in this turn is illegal.
    Illegal {
        /// The number of the turn, from 1.
        turn: usize,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The reason.
        reason: String,
        /// The legal moves.
        legal: Vec<String>,
    },
}

impl Ending {
    /// Returns the ending of a line that stopped after complete turns, before the game was over, and not because of a [`Limit`].
    pub const fn open(turns: usize) -> Self {
        Self::Open {
            turns,
            is_mid_turn: false,
            limit: None,
        }
    }

    /// Returns the reason why the game or line is over, in words.
    pub fn reason(&self) -> String {
        match self {
            Self::Escaped { .. } => "the runner escaped".into(),
            Self::Caught { cause, .. } => cause.to_string(),
            Self::Open { .. } => "no more turns are played".into(),
            Self::Forfeited { fault, .. } => fault.to_string(),
            Self::Illegal { reason, .. } => reason.clone(),
        }
    }

    /// Describes the ending of a line of play, such as `escape in 3 moves`. An open line that repeats is said to go on forever.
    pub fn in_words(&self, kind: Option<&LineKind>) -> String {
        let moves = count(self.turns() as u64, "move");
        match self {
            Self::Escaped { .. } => format!("escape in {moves}"),
            Self::Caught {
                cause: Cause::Chaser,
                ..
            } => format!("caught by a chaser after {moves}"),
            Self::Caught { cause, .. } => format!("caught after {moves}: {cause}"),
            Self::Open { .. } if matches!(kind, Some(LineKind::Forever { .. })) => {
                "and so on, forever".into()
            }
            Self::Forfeited { fault, .. } => format!("forfeited after {moves}: {fault}"),
            Self::Open { limit, .. } => match limit {
                None => format!("unfinished after {moves}"),
                Some(limit) => format!("unfinished after {moves}: {limit}"),
            },
            Self::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => {
                let legal = match legal.as_slice() {
                    [] => "none".into(),
                    legal => legal.join(", "),
                };
                format!("move {turn} (`{mv}`) is illegal: {reason}; legal moves: {legal}")
            }
        }
    }

    /// Returns the number of turns, without the turn of an illegal move.
    pub const fn turns(&self) -> usize {
        match self {
            Self::Escaped { turns }
            | Self::Caught { turns, .. }
            | Self::Forfeited { turns, .. }
            | Self::Open { turns, .. } => *turns,
            Self::Illegal { turn, .. } => *turn - 1,
        }
    }
}

/// A fault that loses the game for its side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forfeit {
    /// The role at fault.
    #[serde(rename = "by")]
    pub role: String,
    /// The reason, as a verb phrase such as "crashed".
    pub reason: String,
}

impl Forfeit {
    /// Returns whether the runner is at fault.
    pub fn is_runners(&self) -> bool {
        self.role == RUNNER
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} {}", self.role, self.reason)
    }
}

/// The reason why a line or game can't be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A part of the line is not a move.
    #[error(transparent)]
    Line(#[from] getaway_ruleset::LineError),
    /// The orders for the chasers can't be followed.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A limit ended the search for a line, or the game.
    #[error("there is no line to show: {0}")]
    Undecided(Limit),
    /// The sink failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The board or the line can't be played, or an external agent can't take part.
    #[error("{0}")]
    Unplayable(String),
}

impl From<Limit> for TraceError {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The ending.
    pub ending: Ending,
    /// The amount gathered, in games with something to gather.
    pub gathered: Option<usize>,
    /// The first move of the line that was not played because the game ended before it, if any.
    pub unplayed: Option<String>,
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
