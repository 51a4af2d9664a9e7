//! The program as a script sees it: what it prints, to the letter, and its exit status.

mod agents;
mod analyse;
mod at_once;
mod boards;
mod bounds;
mod census;
mod chasers;
mod check;
mod compare;
mod compressed;
mod convert;
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
mod settings;
mod shell;
mod signature;
mod simulate;
mod solve;
mod tables;
mod terminal;
mod trace;
mod verify;
mod watch;

/// `all` where the feature `exhaustive` asks for the long tests whole, else `few`.
fn sized<T>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}
