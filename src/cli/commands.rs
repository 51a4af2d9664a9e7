//! The commands, with one file each.

pub mod agent;
pub mod bench;
pub mod census;
pub mod check;
pub mod compare;
pub mod convert;
pub mod edit;
pub mod generate;
pub mod man;
pub mod mutate;
pub mod play;
pub mod rate;
pub mod render;
pub mod rules;
pub mod simulate;
pub mod solve;
pub mod trace;
pub mod verify;
