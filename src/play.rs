//! Games as they are played, by whom ever; nothing here knows of a search.

pub mod forfeit;
mod orders;
pub mod outside;
pub mod policy;
pub mod replay;
pub mod rollout;
mod roster;
pub mod session;
mod table;
pub mod trace;
pub(crate) mod turn;
