//! What is said between the referee and an agent: an object of JSON a line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::play::outside::{Actor, Question, Start};
use crate::play::trace::Ending;

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The most bytes of a line that an agent may write.
pub const LONGEST_LINE: usize = 1 << 16;

/// What an agent is told.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message<'a> {
    /// The first line; it is answered with [`Hello`].
    Hello {
        /// [`VERSION`].
        protocol: u64,
        /// The program that speaks, with its version.
        program: &'a str,
    },
    /// A game begins.
    Start(Box<Game<'a>>),
    /// A decision is to be made; it is answered with [`Answer`].
    Move {
        /// For whom: `runner`, or a kind of chaser such as `ghost`.
        role: &'a str,
        /// The actor's id.
        actor: u32,
        /// The turn, from 1.
        turn: usize,
        /// What may be answered.
        legal: &'a [String],
        /// The board.
        rows: &'a [String],
        /// Who is where.
        actors: &'a [Actor],
    },
    /// The game is over.
    End {
        /// How.
        result: Outcome,
        /// How many moves the runner has made.
        turns: usize,
        /// Why, for people.
        reason: String,
    },
    /// There are no more games: the agent is to end.
    Bye,
}

/// A game that begins.
#[derive(Debug, Serialize)]
pub struct Game<'a> {
    /// The name of the ruleset.
    pub ruleset: &'a str,
    /// The settings in the board's headers.
    pub settings: &'a BTreeMap<String, String>,
    /// For whom this agent decides.
    pub role: &'a str,
    /// A seed for the agent's own random numbers, below 2^53.
    pub seed: u64,
    /// The most turns of the game.
    pub turns: usize,
    /// How long an answer may take, in seconds.
    pub move_timeout: f64,
    /// The board.
    pub rows: &'a [String],
    /// Who is where.
    pub actors: &'a [Actor],
}

impl<'a> Game<'a> {
    /// The game of `start`, as it is told to those who decide for `role`.
    pub fn of(
        board: &'a super::About,
        start: &Start<'a>,
        (role, move_timeout): (&'a str, f64),
    ) -> Self {
        Self {
            ruleset: &board.ruleset,
            settings: &board.settings,
            role,
            seed: start.seed,
            turns: start.turns,
            move_timeout,
            rows: start.scene.rows,
            actors: start.scene.actors,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The runner escaped.
    Escaped,
    /// The runner lost.
    Caught,
    /// It was not over when the last turn was played.
    Open,
    /// Somebody who decided for one side was at fault, and that side lost.
    Forfeited,
}

impl<'a> Message<'a> {
    /// The question as it is put.
    pub fn question(question: &'a Question) -> Self {
        Self::Move {
            role: question.role,
            actor: question.actor,
            turn: question.turn,
            legal: question.legal,
            rows: question.scene.rows,
            actors: question.scene.actors,
        }
    }

    /// How a game ended.
    pub fn end(ending: &Ending) -> Self {
        Self::End {
            result: match ending {
                Ending::Escaped { .. } => Outcome::Escaped,
                Ending::Caught { .. } => Outcome::Caught,
                Ending::Forfeited { .. } => Outcome::Forfeited,
                Ending::Open { .. } | Ending::Illegal { .. } => Outcome::Open,
            },
            turns: ending.turns(),
            reason: ending.reason(),
        }
    }

    /// The line that says so, with its end.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("messages are JSON");
        line.push(b'\n');
        line
    }
}

/// The answer to a greeting.
#[derive(Debug, Deserialize)]
pub struct Hello {
    /// The version that the agent speaks.
    pub protocol: u64,
}

/// The answer to a question.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// One of the legal moves.
    #[serde(rename = "move")]
    pub mv: String,
}
