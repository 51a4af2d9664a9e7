//! The program as a script sees it: what it prints, to the letter, and its exit status.

mod analyse;
mod boards;
mod census;
mod check;
mod generate;
mod input;
mod json_input;
mod layout;
mod limits;
mod play;
mod process;
mod rate;
mod readme;
mod render;
mod report;
mod resume;
mod rules;
mod run;
mod selection;
mod shell;
mod signature;
mod simulate;
mod solve;
mod terminal;
mod trace;
mod watch;
