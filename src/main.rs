//! The command line of getaway.

mod batch;
mod cli;
mod commands;
mod diagnostic;
mod exit;
mod judge;
mod memory;
mod printer;
mod progress;
mod report;
mod simulating;
mod single;
mod statistics;
mod telling;
mod tracing;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(&cli::Cli::parse())
}
