//! Everything of the command line: what can be typed ([`args`]), what it means to the library
//! ([`options`]), the [`commands`], many files side by side ([`batch`]) and one board
//! ([`evaluate`], [`one_board`]), and what is printed ([`output`]).

mod args;
mod batch;
mod commands;
mod evaluate;
mod exit;
mod inputs;
mod memory;
mod one_board;
mod options;
mod output;
mod panics;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Parser;

use args::{Cli, Color, Command};
use output::diagnostic::Diagnostics;

/// Does what the command line says; the exit code.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    panics::keep_quiet();
    let color = cli.color;
    let result = panics::caught(|| match &cli.command {
        Command::Solve(args) => commands::solve::run(args, color),
        Command::Check(args) => commands::check::run(args, color),
        Command::Trace(args) => commands::trace::run(args, color),
        Command::Bench(args) => commands::bench::run(args, color),
        Command::Simulate(args) => commands::simulate::run(args, color),
    });
    result
        .unwrap_or_else(|panic| Err(anyhow!("{panic}; {}", panics::ADVICE)))
        .unwrap_or_else(|error| failed(&error, color))
}

/// Tells why a command failed. A reader that has closed the pipe has seen what it wanted.
fn failed(error: &anyhow::Error, color: Color) -> ExitCode {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(is_closed))
    {
        return ExitCode::SUCCESS;
    }
    let diagnostics = Diagnostics::new(options::colors(color, &io::stderr()));
    let text = diagnostics.plain(&format!("{error:#}"), None);
    let _ = io::stderr().write_all(text.as_bytes());
    exit::wrong()
}
