//! The messages between this program and an agent: one JSON object per line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::external::{Actor, AgentQuestion};
use crate::trace::Ending;

pub const VERSION: u64 = 1;

pub const LONGEST_LINE: usize = 1 << 16;

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message<'a> {
    /// Greets an agent, which answers with a [`Hello`].
    Hello {
        protocol: u64,
        program: &'a str,
    },
    Start {
        ruleset: &'a str,
        settings: &'a BTreeMap<String, String>,
        role: &'a str,
        seed: u64,
        turns: usize,
        move_timeout: f64,
        rows: &'a [String],
        actors: &'a [Actor],
    },
    /// Asks about a board; the answer is a [`BoardAnswer`].
    Board {
        ruleset: &'a str,
        settings: &'a BTreeMap<String, String>,
        rows: Vec<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<&'a str>,
    },
    /// Asks for a move; the answer is a [`MoveAnswer`].
    Move(&'a AgentQuestion<'a>),
    End {
        /// The result: `escaped`, `caught`, `forfeited`, or `open` if the turn limit was reached.
        result: &'static str,
        turns: usize,
        reason: String,
    },
    Bye,
}

impl Message<'_> {
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

    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("messages are JSON");
        line.push(b'\n');
        line
    }
}

#[derive(Debug, Deserialize)]
pub struct Hello {
    pub protocol: u64,
}

/// The answer to a board, which must have at least one field.
#[derive(Debug, Default, Deserialize)]
pub struct BoardAnswer {
    pub expect: Option<String>,
    pub moves: Option<String>,
    /// The rows of the board after each turn of the line of play.
    pub turns: Option<Vec<Vec<String>>>,
}

#[derive(Debug, Deserialize)]
pub struct MoveAnswer {
    #[serde(rename = "move")]
    pub mv: String,
}
