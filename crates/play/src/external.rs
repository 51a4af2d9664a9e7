//! External agents: programs that decide for the runner or for chasers.

use std::fmt;

use serde::Serialize;

use super::trace::{Ending, Forfeit};
use getaway_board::limits::Limit;

pub trait ExternalAgents: Sync + fmt::Debug {
    /// Returns the roles for which the agents decide: [`RUNNER`](super::trace::RUNNER) or kinds of chasers.
    fn roles(&self) -> Vec<&str>;

    fn join(&self, start: GameStart) -> Box<dyn ExternalGame + '_>;

    fn decides_for(&self, role: &str) -> bool {
        self.roles().contains(&role)
    }
}

pub trait ExternalGame {
    fn start(&mut self) -> Result<(), AgentError>;

    /// Returns the agent's answer, which may be illegal.
    fn decide(&mut self, question: &AgentQuestion) -> Result<String, AgentError>;

    fn refuse(&mut self, reason: String) -> AgentError;

    fn end(&mut self, ending: &Ending);
}

#[derive(Clone, Debug, Default)]
pub struct GameStart {
    /// A seed below 2^53 for the agents' own random numbers, which reveals nothing about chance in the game.
    pub seed: u64,
    pub turns: usize,
    pub rows: Vec<String>,
    pub actors: Vec<Actor>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct AgentQuestion<'a> {
    pub role: &'a str,
    pub actor: u32,
    pub turn: usize,
    /// The legal moves, always in the same order.
    pub legal: &'a [String],
    pub rows: &'a [String],
    pub actors: &'a [Actor],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// The actor's number throughout a game: runners first, then chasers in their order at the start.
    pub id: u32,
    pub glyph: char,
    pub at: (u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    Forfeit(Forfeit),
    Limit(Limit),
    Gone(String),
}
