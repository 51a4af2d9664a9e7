//! Games under the rules: an *agent* decides moves, a *session* is a game in progress, and a *replay* plays a known line.
//! Nothing here searches, and nothing knows a particular ruleset: a game is what the traits of `getaway_ruleset` say.
//!
//! The feature `agents` adds agents that run as processes.

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
pub mod turn;
