//! The program: arguments (`args`, `options`), input files (`inputs`, `boards`), `commands`, runs over many boards
//! (`batch`) or one (`evaluate`, `one_board`), results (`record`), and `output`.

mod agents;
mod answers;
mod args;
mod batch;
mod boards;
mod commands;
mod compression;
mod conversion;
mod entrants;
mod evaluate;
mod evidence;
mod exit;
mod games;
mod help;
mod inputs;
mod interrupts;
mod journal;
mod mistakes;
mod one_board;
pub(crate) mod options;
mod output;
mod output_file;
pub(crate) mod packed;
pub(crate) mod panics;
mod record;
mod resume;
mod rulesets;
mod screen;
mod selection;
mod tables;
mod watch;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::rulesets::Entry;
use anyhow::anyhow;
use clap::{Arg, ArgAction, FromArgMatches};

use args::{Cli, Color, Command};
use help::definition;
use output::diagnostic::Diagnostics;

/// Runs the program with these rulesets and returns the exit code.
///
/// Your own program gets all commands for its ruleset by calling this with an [`Entry`]; see
/// `examples/cat_and_mouse.rs` and `examples/drunkard.rs`.
pub fn run(rulesets: &[Entry]) -> ExitCode {
    run_with(rulesets, env::args_os())
}

/// Runs the program with these arguments, of which the first is its name.
pub fn run_with(rulesets: &[Entry], args: impl IntoIterator<Item = OsString>) -> ExitCode {
    self::rulesets::set(rulesets);
    let cli = parse(args);
    panics::keep_quiet();
    let color = cli.color;
    let result = panics::caught(|| match &cli.command {
        Command::Solve(args) => commands::solve::run(args, color),
        Command::Check(args) => commands::check::run(args, color),
        Command::Trace(args) => match args.format {
            Some(format) => commands::render::trace(args, format, color),
            None => commands::trace::run(args, color),
        },
        Command::Analyse(args) => commands::solve::analyse(args, color),
        Command::Rate(args) => commands::rate::run(args, color),
        Command::Census(args) => commands::census::run(args),
        Command::Bench(args) => commands::bench::run(args, color),
        Command::Simulate(args) => commands::simulate::run(args, color),
        Command::Compare(args) => commands::compare::run(args, color),
        Command::Rules(args) => commands::rules::run(args, color),
        Command::Completions(args) => commands::completions::run(args, definition()),
        Command::Man(args) => commands::man::run(args, definition()),
        Command::Play(args) => commands::play::run(args, color),
        Command::Edit(args) => commands::edit::run(args, color),
        Command::Render(args) => commands::render::run(args, color),
        Command::Generate(args) => commands::generate::run(args),
        Command::Verify(args) => commands::verify::run(args, color),
        Command::Mutate(args) => commands::mutate::run(args, color),
        Command::Convert(args) => commands::convert::run(args, color),
    });
    result
        .unwrap_or_else(|panic| Err(anyhow!("{panic}; {}", panics::ADVICE)))
        .unwrap_or_else(|error| failed(&error, color))
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Cli {
    // A value such as -1 is refused as a value, and not as an unknown option.
    let negative = |arg: Arg| match arg.get_action() {
        ArgAction::Set | ArgAction::Append => arg.allow_negative_numbers(true),
        _ => arg,
    };
    let definition = definition().mut_subcommands(|command| command.mut_args(negative));
    let matches = definition.try_get_matches_from(args);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.unwrap_or_else(|error| mistakes::in_plain_words(error).exit())
}

/// Reports an error, except that of a closed pipe.
fn failed(error: &anyhow::Error, color: Color) -> ExitCode {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    let is_full = |error: &io::Error| {
        error.kind() == io::ErrorKind::StorageFull && error.raw_os_error().is_some()
    };
    if error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(is_closed))
    {
        return ExitCode::SUCCESS;
    }
    let message = match error.downcast_ref::<io::Error>() {
        // Errors about any other file contain its name.
        Some(full) if is_full(full) && error.chain().count() == 1 => {
            format!("standard output: {}", inputs::unreadable(full))
        }
        _ => format!("{error:#}"),
    };
    let diagnostics = Diagnostics::new(options::colors(color, &io::stderr()));
    let text = diagnostics.plain(&message, None);
    let _ = io::stderr().write_all(text.as_bytes());
    exit::wrong()
}
