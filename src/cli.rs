//! The command-line program. `commands` holds the commands, `args` and `options` their shared arguments, and `output` everything
//! printed.
//!
//! Commands for many boards, such as `getaway solve`, use the same `pipeline` with different writers: `inputs` finds the files,
//! the pipeline divides them into tasks for its threads, a `job` turns each board into an outcome, and writers in `output` print
//! the outcomes. Commands that need the boards themselves, one after another, call `inputs::for_each_board`; most of those for a
//! single board do so through `one_board`.

mod agents;
mod answers;
mod args;
mod commands;
mod compression;
mod conversion;
#[doc(hidden)]
pub mod evidence;
mod exit;
mod files;
mod games;
mod inputs;
mod job;
mod journal;
mod mistakes;
mod one_board;
pub(crate) mod options;
mod output;
mod output_file;
mod paired;
#[doc(hidden)]
pub mod panics;
mod pipeline;
mod results;
mod screen;
mod search_slides;
mod tables;
mod watch;

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use getaway_board::words::safe;
use getaway_solvers::rulesets::Entry;

#[doc(hidden)]
pub use options::default_memory;

use args::{Color, LONG_VERSION};
use commands::man::{Completions, ManPage};
use commands::solve::{Analyse, Solve};
use commands::{
    agent::Agent, bench::Bench, census::CensusArgs, check::Check, compare::Compare,
    convert::Convert, edit::Edit, generate::Generate, mutate::Mutate, play::Play, rate::Rate,
    render::Render, rules::Rules, simulate::Simulate, trace::Trace, verify::Verify,
};
use output::diagnostic::Diagnostics;

/// Can the runner get away from the chasers?
///
/// getaway decides grid pursuit puzzles exactly and shows the line of play.
#[derive(Debug, Parser)]
#[command(version, long_version = LONG_VERSION, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Use colours [`auto` respects `NO_COLOR`].
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    #[arg(hide_short_help = true, display_order = 900)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decide boards: the verdict, and the moves of an escape.
    Solve(Solve),
    /// Check boards against their expectations, on all cores.
    Check(Box<Check>),
    /// Show a game move by move: the solver's or your own.
    Trace(Trace),
    /// Let policies or programs play games, with statistics.
    ///
    /// A single game is shown as a trace.
    Simulate(Box<Simulate>),
    /// Compare policies and programs on the same boards.
    ///
    /// They play with the same luck, and the differences are tested for significance.
    Compare(Box<Compare>),
    /// Play boards yourself in the terminal.
    Play(Play),
    /// Edit a board, with its verdict and faults beside it.
    Edit(Edit),
    /// Report design metrics: shortest lines, traps, difficulty.
    Analyse(Analyse),
    /// Tabulate the metrics of `analyse` for many boards.
    ///
    /// The table can be text, CSV or JSON.
    Rate(Box<Rate>),
    /// Draw a game: a page, an animation or a still.
    Render(Render),
    /// Generate boards of the difficulty you choose.
    Generate(Box<Generate>),
    /// Count all boards of a size by answer.
    ///
    /// It also finds the longest escape.
    Census(Box<CensusArgs>),
    /// List the variants of a board by one change, hardest first.
    Mutate(Mutate),
    /// Verify a certificate or a line of play without a search.
    Verify(Verify),
    /// Convert boards: drawings, JSON Lines, lists, tables.
    Convert(Convert),
    /// Print the number of states searched, as a signature.
    ///
    /// It is the total over all boards. If it differs, a rule or the search order has changed.
    Bench(Bench),
    /// Show the rulesets, their rules, and how to draw boards.
    Rules(Rules),
    /// Start a program that plays, and watch its messages.
    Agent(Agent),
    /// Print shell completions.
    Completions(Completions),
    /// Print the manual page of the program or of a command.
    Man(ManPage),
}

/// Runs the program with these rulesets and returns the exit code. Like [`run_with`], it may end the process instead.
///
/// A program of your own gets all commands for its ruleset by calling this function with an [`Entry`]; see
/// `examples/cat_and_mouse.rs` and `examples/drunkard.rs`.
pub fn run(rulesets: &[Entry]) -> ExitCode {
    let mut args: Vec<_> = env::args_os().collect();
    // Help and errors give the program's name without `.exe`, as on other systems.
    if let Some(name) = args.first_mut().filter(|_| cfg!(windows)) {
        *name = Path::new(name).with_extension("").into();
    }
    run_with(rulesets, args)
}

/// Runs the program with these rulesets and arguments, and returns the exit code. The first argument is the program's name.
/// Invalid arguments, and requests for help or the version, end the process instead.
pub fn run_with(rulesets: &[Entry], args: impl IntoIterator<Item = OsString>) -> ExitCode {
    options::set_rulesets(rulesets);
    let (cli, parsed) = parse(args);
    let typed = |but: &[&str]| typed(&parsed, but);
    panics::keep_quiet();
    let color = cli.color;
    let result = panics::caught(|| match &cli.command {
        Command::Solve(args) => commands::solve::run(args, color),
        Command::Check(args) => commands::check::run(args, &typed, color),
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
        Command::Agent(args) => commands::agent::run(args, color),
        Command::Rules(args) => commands::rules::run(args, color),
        Command::Completions(args) => commands::man::complete(args, definition()),
        Command::Man(args) => commands::man::run(args, definition()),
        Command::Play(args) => commands::play::run(args, color),
        Command::Edit(args) => commands::edit::run(args, color),
        Command::Render(args) => commands::render::run(args, color),
        Command::Generate(args) => commands::generate::run(args, &typed),
        Command::Verify(args) => commands::verify::run(args, color),
        Command::Mutate(args) => commands::mutate::run(args, color),
        Command::Convert(args) => commands::convert::run(args, color),
    });
    result
        .unwrap_or_else(|panic| Err(anyhow!("{panic}; {}", panics::ADVICE)))
        .unwrap_or_else(|error| failed(&error, color))
}

fn definition() -> clap::Command {
    in_groups(Cli::command())
}

fn parse(args: impl IntoIterator<Item = OsString>) -> (Cli, Parsed) {
    // A value such as -1 is refused as an invalid value, not as an unknown option.
    let negative = |arg: Arg| match arg.get_action() {
        ArgAction::Set | ArgAction::Append => arg.allow_negative_numbers(true),
        _ => arg,
    };
    let mut definition = definition().mut_subcommands(|command| command.mut_args(negative));
    let mut parse = |args: &[OsString]| {
        let matches = definition.try_get_matches_from_mut(args)?;
        Ok((Cli::from_arg_matches(&matches)?, matches))
    };
    let args: Vec<_> = args.into_iter().collect();
    let (cli, matches) = parse(&args).unwrap_or_else(|error: clap::Error| {
        // `clap` repeats control characters in its errors, so it reads the arguments again without them.
        let safe: Vec<_> = args
            .iter()
            .map(|arg| safe(&arg.to_string_lossy()).into())
            .collect();
        let error = parse(&safe).err().unwrap_or(error);
        mistakes::in_plain_words(error).exit()
    });
    (cli, (definition, matches))
}

type Parsed = (clap::Command, ArgMatches);

/// Returns the options that were typed, with their values, except those whose ids are in `but`.
fn typed((definition, matches): &Parsed, but: &[&str]) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let known = definition
        .find_subcommand(name)
        .map(clap::Command::get_arguments);
    known
        .into_iter()
        .flatten()
        .filter(|arg| !but.contains(&arg.get_id().as_str()))
        .filter_map(|arg| flag(arg, matches))
        .collect()
}

fn flag(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let (id, name) = (arg.get_id().as_str(), arg.get_long()?);
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if !arg.get_action().takes_values() {
        return Some(format!("--{name}"));
    }
    let values = matches.get_raw(id).into_iter().flatten();
    let typed = values.map(|value| format!("--{name} {}", value.to_string_lossy()));
    Some(typed.collect::<Vec<_>>().join(" "))
}

/// Reports an error, unless the output pipe was closed, and returns the exit code.
fn failed(error: &anyhow::Error, color: Color) -> ExitCode {
    let mut causes = error.chain().filter_map(<dyn Error>::downcast_ref);
    if causes.any(|cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let is_full = |error: &&io::Error| {
        error.kind() == io::ErrorKind::StorageFull && error.raw_os_error().is_some()
    };
    let message = match error.downcast_ref().filter(is_full) {
        // An error with a context names another file, so it is not about standard output.
        Some(full) if error.chain().count() == 1 => {
            format!("standard output: {}", files::system_message(full))
        }
        _ => format!("{error:#}"),
    };
    let diagnostics = Diagnostics::new(options::colors(color, &io::stderr()));
    let text = diagnostics.plain(&message, None);
    let _ = io::stderr().write_all(text.as_bytes());
    exit::wrong()
}

const AFTER_HELP: &str = "\
Examples:
  getaway solve board.txt           the verdict, and the moves of an escape
  getaway solve boards.txt#3        the third board of a file
  getaway check puzzles             a folder against its expectations
  getaway trace board.txt           the game, move by move

Exit codes:
  0  every board escapes (check: every expectation holds)
  1  some board is caught (check: some expectation fails)
  2  some board or the command line is invalid
  3  a limit was reached: some board is undecided";

/// The groups of commands; every command is in exactly one.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play", "edit", "rules"]),
    ("Solve", &["solve", "check", "trace", "render"]),
    ("Design", &["analyse", "rate", "generate", "mutate"]),
    ("Programs", &["agent", "simulate", "compare"]),
    ("Evidence", &["verify", "census", "bench"]),
    ("Shell", &["convert", "completions", "man"]),
];

const OPTIONS: &str = "\
Options:
      --color <WHEN>  Use colours: `auto` (the default), `always` or `never`
  -h, --help          Print help (a summary with `-h`)
  -V, --version       Print the version (with the commit: `--version`)";

/// Adds the commands, in groups, and the rulesets to the help of the program.
fn in_groups(command: clap::Command) -> clap::Command {
    let command = command.max_term_width(80);
    let beside = groups(&command, |group, row| format!("{group:10}{row}"));
    let above = groups(&command, |group, row| match group {
        "" => format!("  {row}"),
        group => format!("{group}:\n  {row}"),
    });
    let about = command
        .get_long_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let rest = format!("Rulesets:\n{}\n{AFTER_HELP}", rulesets());
    let hint = "`getaway COMMAND -h` shows its options; `--help` shows more.";
    command
        .help_template("{usage-heading} {usage}\n\n{before-help}")
        .before_help(format!("{beside}{hint}"))
        .before_long_help(format!("{about}\n\n{above}\n{OPTIONS}\n\n{rest}"))
        .after_long_help(rest)
}

/// Returns a row for each command. `place` formats a row, given the name of its group or, after the group's first row, an empty
/// name.
fn groups(command: &clap::Command, place: impl Fn(&str, &str) -> String) -> String {
    let mut text = String::new();
    for (mut group, names) in GROUPS {
        for name in names {
            let command = command.find_subcommand(name);
            let about = command
                .and_then(clap::Command::get_about)
                .map(ToString::to_string);
            text += &place(group, &format!("{name:13}{}", about.unwrap_or_default()));
            text.push('\n');
            group = "";
        }
    }
    text
}

fn rulesets() -> String {
    let known = options::known_rulesets();
    let width = known
        .iter()
        .map(|entry| entry.name.len())
        .max()
        .unwrap_or_default();
    known
        .iter()
        .map(|entry| format!("  {:width$}  {}\n", entry.name, entry.summary))
        .collect()
}
