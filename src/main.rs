//! The program `getaway`, which is [`getaway::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    getaway::cli::run(getaway::RULESETS)
}
