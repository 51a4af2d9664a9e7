//! Games as they are played, by whom ever; nothing here knows of a search.

pub mod policy;
pub mod replay;
pub mod rollout;
pub mod session;
pub mod trace;
pub(crate) mod turn;
