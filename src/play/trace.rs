//! A game as it is told: half a turn after the other, to whoever wants to know, and how it ended.

use std::io;

use super::forfeit::Fault;
use crate::limits::Limit;
use crate::ruleset::led::NoOrder;
use crate::ruleset::{Cause, Fate};

/// One who is told how a game goes.
pub trait TraceSink {
    /// The game begins; `line` says what will be played.
    ///
    /// # Errors
    ///
    /// If the telling can't go on.
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()>;

    /// A half turn has been played.
    ///
    /// # Errors
    ///
    /// If the telling can't go on.
    fn half(&mut self, half: &HalfTurn) -> io::Result<()>;
}

/// A sink who says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl TraceSink for Silent {
    fn begin(&mut self, _line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        Ok(())
    }

    fn half(&mut self, _half: &HalfTurn) -> io::Result<()> {
        Ok(())
    }
}

/// What kind of line is played.
#[derive(Clone, Debug, PartialEq)]
pub enum LineKind {
    /// A way out that needs luck: all who chase move as is best for the runner.
    Lucky {
        /// How likely it is that they do.
        probability: f64,
    },
    /// Somebody's moves.
    Given,
    /// The solver's way out.
    WayOut,
    /// The runner can't escape, and no line is longer than this.
    LongestLived,
    /// The runner can't escape, and this is the longest line that was found before a limit.
    LongestFound,
    /// The runner can't escape, but live for ever: after the last move the position is the one after so
    /// many moves.
    Forever {
        /// How many moves lead to the position that returns.
        back_to: usize,
    },
    /// The runner plays by a strategy and the others by chance, from this seed.
    Played {
        /// The seed.
        seed: u64,
    },
}

/// One half of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfTurn {
    /// The turn, from 1.
    pub turn: usize,
    /// Who moved.
    pub who: &'static str,
    /// The runner's move, if it was his half.
    pub mv: Option<String>,
    /// What chasers did that somebody led, as a group of the header `chasers` tells it; empty where nobody led any.
    pub orders: String,
    /// Who went where.
    pub events: Vec<TraceEvent>,
    /// The board after it.
    pub rows: Vec<String>,
}

impl HalfTurn {
    /// The board after it, its rows one below the other.
    pub fn picture(&self) -> String {
        self.rows.join("\n")
    }
}

/// One actor's part in a half turn, in rows and columns from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// Its glyph.
    pub actor: char,
    /// Where it was.
    pub from: (u32, u32),
    /// Where it got to.
    pub to: (u32, u32),
    /// What became of it.
    pub fate: Fate,
}

/// How a line of play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The runner escaped with move number `turns`.
    Escaped {
        /// How many moves he made.
        turns: usize,
    },
    /// The runner lost after `turns` moves.
    Caught {
        /// How many moves he made.
        turns: usize,
        /// Why.
        cause: Cause,
    },
    /// Somebody outside who decided for an actor lost by not playing on.
    Forfeited {
        /// How many moves were made.
        turns: usize,
        /// Who, and why.
        fault: Fault,
    },
    /// The line ended before the game did.
    Open {
        /// How many moves were made.
        turns: usize,
    },
    /// Move number `turn` (from 1) is illegal.
    Illegal {
        /// The move's number.
        turn: usize,
        /// The move.
        mv: String,
        /// Why it is illegal.
        reason: String,
        /// What would have been legal.
        legal: Vec<String>,
    },
}

impl Ending {
    /// How it ended, in words to follow "the game is over: ".
    pub fn reason(&self) -> String {
        match self {
            Self::Escaped { .. } => "the runner escaped".into(),
            Self::Caught { cause, .. } => cause.to_string(),
            Self::Open { .. } => "no more turns are played".into(),
            Self::Forfeited { fault, .. } => fault.to_string(),
            Self::Illegal { reason, .. } => reason.clone(),
        }
    }

    /// How many moves were made.
    pub const fn turns(&self) -> usize {
        match self {
            Self::Escaped { turns }
            | Self::Caught { turns, .. }
            | Self::Forfeited { turns, .. }
            | Self::Open { turns } => *turns,
            Self::Illegal { turn, .. } => *turn - 1,
        }
    }
}

/// Why a line can't be told.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The line has a part that is not a move.
    #[error(transparent)]
    NoMove(#[from] crate::ruleset::NoMove),
    /// Its chasers can't do what is told of them.
    #[error(transparent)]
    NoOrder(#[from] NoOrder),
    /// A limit ended the search for a line.
    #[error("there is no line to show: {0}")]
    Undecided(Limit),
    /// The sink can't go on.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The board can't be played.
    #[error("{0}")]
    Unplayable(String),
}

impl From<Limit> for TraceError {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// How it ended.
    pub ending: Ending,
    /// How much the runner has gathered, where there is something to gather.
    pub gathered: Option<usize>,
    /// The first of the moves given that was not played, since the game was over.
    pub unplayed: Option<String>,
}
