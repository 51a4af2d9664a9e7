//! Games under the rules: an *agent* decides moves, a *session* is a game in progress, and a *replay* plays a known line.
//! Nothing here searches, and nothing depends on a particular ruleset: games implement the traits of `getaway_ruleset`.
//!
//! ```
//! use std::sync::Arc;
//!
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//! use getaway_play::session::{BoardSession, Session};
//! use getaway_rules::jimmy::Jimmy;
//! use getaway_ruleset::Notation;
//!
//! let mut puzzle = Puzzle::empty();
//! Boards::new(b"####\n#o..\n####\n", 1).read(&mut puzzle)?;
//! let mut session = BoardSession::new(Arc::new(Jimmy::read(&puzzle)?), 0);
//! session.play("R")?;
//! assert_eq!(session.position(1).rows[1], "#.o.");
//! assert_eq!(session.legal(), ["R"], "no cell is entered twice");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `agents` adds agents that run as processes.

#![deny(missing_docs)]

mod actors;
pub mod agent;
#[cfg(feature = "agents")]
pub mod agents;
pub mod analysis;
pub mod arena;
pub mod evaluation;
pub mod expect;
pub mod explanation;
pub mod external;
pub mod orders;
mod referee;
pub mod replay;
pub mod session;
pub mod simulation;
pub mod solution;
pub mod trace;
mod turn;
