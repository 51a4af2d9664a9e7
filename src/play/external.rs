//! External agents: programs that decide for the runner or for chasers.

use std::fmt;

use serde::Serialize;

use super::trace::{Ending, Forfeit};
use crate::limits::Limit;

/// The external agents of some roles. Any number of games run side by side.
pub trait ExternalAgents: Sync + fmt::Debug {
    /// [`RUNNER`](super::trace::RUNNER) or kinds of chasers.
    fn roles(&self) -> Vec<&str>;

    fn join(&self, start: Start) -> Box<dyn ExternalGame + '_>;

    fn decides_for(&self, role: &str) -> bool {
        self.roles().contains(&role)
    }
}

pub trait ExternalGame {
    fn start(&mut self) -> Result<(), AgentError>;

    /// The answer may be illegal.
    fn decide(&mut self, question: &Question) -> Result<String, AgentError>;

    fn refuse(&mut self, reason: String) -> AgentError;

    fn end(&mut self, ending: &Ending);
}

#[derive(Clone, Debug)]
pub struct Start {
    /// Below 2^53, for the agents' own random numbers. It says nothing about the game's luck.
    pub seed: u64,
    pub turns: usize,
    pub rows: Vec<String>,
    pub actors: Vec<Actor>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Question<'a> {
    /// [`RUNNER`](super::trace::RUNNER) or a kind of chaser.
    pub role: &'a str,
    /// The [`Actor::id`].
    pub actor: u32,
    pub turn: usize,
    /// Always in the same order.
    pub legal: &'a [String],
    /// In the glyphs of a board file.
    pub rows: &'a [String],
    pub actors: &'a [Actor],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// Stays the same throughout a game: runners first, then chasers in the order of the start, from 0.
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
