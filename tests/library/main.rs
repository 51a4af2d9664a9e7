//! The library as its users see it: the rules, the answers, and what it reads.

mod advice;
mod boards;
mod cases;
mod dungeon;
mod generate;
mod layers;
mod maze;
mod oracle;
mod perft;
mod properties;
mod reading;
mod session;
mod theseus;
