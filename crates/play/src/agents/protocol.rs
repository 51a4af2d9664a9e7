//! The messages between this program and an agent: one JSON object per line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::external::{Actor, AgentQuestion};
use crate::trace::Ending;

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The maximum length of an agent's line, in bytes.
pub const LONGEST_LINE: usize = 1 << 16;

/// A message to an agent.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message<'a> {
    /// Greets an agent, which answers with a [`Hello`].
    Hello {
        /// The version of the protocol.
        protocol: u64,
        /// The name and version of this program.
        program: &'a str,
    },
    /// Starts a game.
    Start {
        /// The name of the ruleset.
        ruleset: &'a str,
        /// The settings in the board's headers, by key. Settings without a header are absent.
        settings: &'a BTreeMap<String, String>,
        /// The role for which the agent decides.
        role: &'a str,
        /// A seed for the agent's own random numbers.
        seed: u64,
        /// The maximum number of turns.
        turns: usize,
        /// The time for each move, in seconds.
        move_timeout: f64,
        /// The board.
        rows: &'a [String],
        /// The actors on the board.
        actors: &'a [Actor],
    },
    /// Asks about a board; the answer is a [`BoardAnswer`].
    Board {
        /// The name of the ruleset.
        ruleset: &'a str,
        /// The settings in the board's headers, by key. Settings without a header are absent.
        settings: &'a BTreeMap<String, String>,
        /// The board.
        rows: Vec<Cow<'a, str>>,
        /// The board's line of play, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<&'a str>,
    },
    /// Asks for a move; the answer is a [`MoveAnswer`].
    Move(&'a AgentQuestion<'a>),
    /// Ends a game.
    End {
        /// The result: `escaped`, `caught`, `forfeited`, or `open` if the game stopped before its end, as at the turn limit.
        result: &'static str,
        /// The number of turns played.
        turns: usize,
        /// The ending in words.
        reason: String,
    },
    /// Asks the agent to exit.
    Bye,
}

impl Message<'_> {
    /// Returns the message for the ending of a game.
    pub fn end(ending: &Ending) -> Self {
        Self::End {
            result: match ending {
                Ending::Escaped { .. } => "escaped",
                Ending::Caught { .. } => "caught",
                Ending::Forfeited { .. } => "forfeited",
                Ending::Open { .. } | Ending::Illegal { .. } => "open",
            },
            turns: ending.turns(),
            reason: ending.reason(),
        }
    }

    /// Returns the message as a line of JSON with a line end.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("messages are JSON");
        line.push(b'\n');
        line
    }
}

/// The answer to [`Message::Hello`].
#[derive(Debug, Deserialize)]
pub struct Hello {
    /// The version of the protocol that the agent speaks.
    pub protocol: u64,
}

/// The answer to [`Message::Board`], with at least one of `expect`, `moves` and `turns`.
#[derive(Debug, Default, Deserialize)]
pub struct BoardAnswer {
    /// The answer, as in the header `expect`.
    pub expect: Option<String>,
    /// A line of play. Without `expect`, it claims an escape.
    pub moves: Option<String>,
    /// The rows of the board after each turn of `moves` or of the board's line of play.
    pub turns: Option<Vec<Vec<String>>>,
    /// For a `maze`, the cells in the order in which the agent's search takes them out of OPEN: rows and columns from 0.
    pub taken: Option<Vec<(u32, u32)>>,
}

/// The answer to [`Message::Move`].
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}
