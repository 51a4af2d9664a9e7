//! Games as they are played, by whom ever; nothing here knows of a search.

pub mod replay;
pub mod rollout;
