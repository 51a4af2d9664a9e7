//! Library tests: the rules, the answers, and reading input.

mod advice;
mod analysis;
mod arena;
mod boards;
mod cases;
mod census;
mod certificates;
mod dungeon;
mod evidence;
mod explanation;
mod generate;
mod goals;
mod hostile;
mod interface;
mod layers;
mod limits;
mod maze;
mod memory;
mod oracle;
#[cfg(feature = "cli")]
mod outside;
mod perft;
mod pieces;
mod properties;
mod random_boards;
mod reading;
mod render;
mod rulebooks;
mod session;
mod table;
mod targets;
mod theseus;
mod things;
