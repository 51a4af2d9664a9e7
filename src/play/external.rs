//! External agents: programs that decide for the runner or for chasers. This is all that a game knows of them.

use std::fmt;

use serde::Serialize;

use super::trace::{Ending, Forfeit};
use crate::limits::Limit;

/// The external agents of some roles. Any number of games run side by side.
pub trait ExternalAgents: Sync + fmt::Debug {
    /// The roles that they decide for: [`RUNNER`](super::trace::RUNNER) or kinds of chasers.
    fn roles(&self) -> Vec<&str>;

    /// Joins a game.
    fn join(&self, start: Start) -> Box<dyn ExternalGame + '_>;

    /// Returns true if an agent decides for this role.
    fn decides_for(&self, role: &str) -> bool {
        self.roles().contains(&role)
    }
}

/// The external agents in one game.
pub trait ExternalGame {
    /// Starts the game.
    ///
    /// # Errors
    ///
    /// If an agent is missing or does not listen.
    fn start(&mut self) -> Result<(), AgentError>;

    /// Asks for a move. The answer may be illegal.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    fn decide(&mut self, question: &Question) -> Result<String, AgentError>;

    /// Rejects the last answer as illegal.
    fn refuse(&mut self, reason: String) -> AgentError;

    /// Ends the game.
    fn end(&mut self, ending: &Ending);
}

/// The start of a game.
#[derive(Clone, Debug)]
pub struct Start {
    /// A seed below 2^53 for the agents' own random numbers. It says nothing about the game's luck.
    pub seed: u64,
    /// The limit on turns.
    pub turns: usize,
    /// The board as drawn.
    pub rows: Vec<String>,
    /// The actors, by their ids.
    pub actors: Vec<Actor>,
}

/// A request for a move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Question<'a> {
    /// The role that moves: [`RUNNER`](super::trace::RUNNER) or a kind of chaser.
    pub role: &'a str,
    /// The actor's [`Actor::id`].
    pub actor: u32,
    /// The turn, from 1.
    pub turn: usize,
    /// The legal answers, always in the same order.
    pub legal: &'a [String],
    /// The board, in the glyphs of a board file.
    pub rows: &'a [String],
    /// The actors, by their ids.
    pub actors: &'a [Actor],
}

/// An actor on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// A number that stays the same throughout a game: runners first, then chasers in the order of the start, from 0.
    pub id: u32,
    /// Its glyph.
    pub glyph: char,
    /// Its row and column, from 0.
    pub at: (u32, u32),
}

/// The reason why an agent did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// The agent is at fault and loses the game.
    Forfeit(Forfeit),
    /// A limit ended the wait.
    Limit(Limit),
    /// There is no agent to play.
    Gone(String),
}
