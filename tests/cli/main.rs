//! The program as scripts see it: exact output and exit status.

mod agents;
mod analyse;
mod boards;
mod bounds;
mod census;
mod chasers;
mod check;
mod children;
mod compare;
mod compressed;
mod convert;
mod generate;
mod gradescope;
mod grading;
mod input;
mod json_input;
mod kept;
mod layout;
mod limits;
mod mistakes;
mod options;
mod pasted;
mod places;
mod play;
mod process;
mod rate;
#[cfg(unix)]
mod readme;
mod render;
mod report;
mod resume;
mod rules;
mod run;
mod selection;
mod settings;
mod several;
mod shell;
mod signature;
mod simulate;
mod solve;
mod tables;
mod terminal;
mod trace;
mod verify;
mod watch;

/// Returns `all` with the feature `exhaustive`, otherwise `few`.
fn sized<T>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}
