//! Games under the rules: an *agent* decides moves, a *session* is a game in progress, and a *replay* plays a known line.
//! Nothing here searches.

mod actors;
pub mod agent;
pub mod external;
pub(crate) mod orders;
mod referee;
pub mod replay;
pub mod session;
pub mod simulation;
pub mod trace;
pub(crate) mod turn;
