//! The command line of getaway: all of it is in [`cli`].

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
