//! External agents: programs that decide for the runner or for chasers.

use std::fmt;

use serde::Serialize;

use super::trace::{Ending, Forfeit};
use getaway_board::limits::Limit;

/// Programs that decide for one or several roles.
pub trait ExternalAgents: Sync + fmt::Debug {
    /// Returns the roles for which the agents decide: [`RUNNER`](super::trace::RUNNER) or kinds of chasers.
    fn roles(&self) -> Vec<&str>;

    /// Prepares a game, which [`ExternalGame::start`] begins.
    fn join(&self, start: GameStart) -> Box<dyn ExternalGame + '_>;

    /// Returns whether an agent decides for `role`.
    fn decides_for(&self, role: &str) -> bool {
        self.roles().contains(&role)
    }
}

/// A game in which external agents take part.
pub trait ExternalGame {
    /// Tells the agents that the game starts.
    ///
    /// # Errors
    ///
    /// Returns the fault of an agent that does not start or answer as it must, or the limit that was reached.
    fn start(&mut self) -> Result<(), AgentError>;

    /// Returns the agent's answer, which may be illegal.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no answer.
    fn decide(&mut self, question: &AgentQuestion) -> Result<String, AgentError>;

    /// Returns the error that ends the game because the last answer was illegal; `reason` says why.
    fn refuse(&mut self, reason: String) -> AgentError;

    /// Tells the agents how the game ended.
    fn end(&mut self, ending: &Ending);
}

/// The start of a game, as the agents see it.
#[derive(Clone, Debug, Default)]
pub struct GameStart {
    /// A seed below 2^53 for the agents' own random numbers, which reveals nothing about chance in the game.
    pub seed: u64,
    /// The maximum number of turns.
    pub turns: usize,
    /// The board at the start.
    pub rows: Vec<String>,
    /// The actors at the start.
    pub actors: Vec<Actor>,
}

/// A request for a decision.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AgentQuestion<'a> {
    /// The role of the actor.
    pub role: &'a str,
    /// The actor's [`Actor::id`].
    pub actor: u32,
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The legal moves, always in the same order.
    pub legal: &'a [String],
    /// The board.
    pub rows: &'a [String],
    /// The actors on the board.
    pub actors: &'a [Actor],
}

/// An actor on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// The actor's number throughout a game: runners first, then chasers in their order at the start.
    pub id: u32,
    /// The actor's glyph.
    pub glyph: char,
    /// The actor's row and column, from 0.
    pub at: (u32, u32),
}

/// The reason why an agent gave no valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// The agent made a mistake that loses the game for its side.
    Forfeit(Forfeit),
    /// A limit was reached.
    Limit(Limit),
    /// The program can't be started, or did not answer the first message as it must, for this reason.
    Gone(String),
}
