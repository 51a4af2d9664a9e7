//! The program `getaway`, defined in [`getaway::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    getaway::cli::run(getaway::RULESETS)
}
