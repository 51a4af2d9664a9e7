//! Games under the rules: an *agent* decides moves ([`agent`], and [`external`] for programs), a *session* is a game
//! in progress ([`session`]), and a *replay* plays a known line ([`replay`]). Nothing here searches.

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
