//! The program of getaway; all of it is in [`getaway::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    getaway::cli::run(getaway::RULESETS)
}
