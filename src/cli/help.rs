//! The command line and its help: the commands in groups, and the rulesets.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::rulesets::known_rulesets;

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
    ("Programs", &["simulate", "compare"]),
    ("Evidence", &["verify", "census", "bench"]),
    ("Shell", &["convert", "completions", "man"]),
];

const OPTIONS: &str = "\
Options:
      --color <WHEN>  Use colours: `auto` (the default), `always` or `never`
  -h, --help          Print help (a summary with `-h`)
  -V, --version       Print the version (with the commit: `--version`)";

/// Adds the commands, in groups, and the rulesets to the help of the program.
pub fn in_groups(command: Command) -> Command {
    let command = command.max_term_width(80);
    let beside = groups(&command, |group, row| format!("{group:10}{row}"));
    let above = groups(&command, |group, row| match group {
        "" => format!("  {row}"),
        group => format!("{group}:\n  {row}"),
    });
    let about = command.get_long_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    let rest = format!("Rulesets:\n{}\n{AFTER_HELP}", rulesets());
    let hint = "`getaway COMMAND -h` shows its options; `--help` shows more.";
    command
        .help_template("{usage-heading} {usage}\n\n{before-help}")
        .before_help(format!("{beside}\n{hint}"))
        .before_long_help(format!("{about}\n\n{above}\n{OPTIONS}\n\n{rest}"))
        .after_long_help(rest)
}

/// Returns a row for each command. `place` receives the name of the group at its first command, and an empty name at the others.
fn groups(command: &Command, place: impl Fn(&str, &str) -> String) -> String {
    let mut text = String::new();
    for (mut group, names) in GROUPS {
        for name in names {
            let command = command.find_subcommand(name);
            let about = command
                .and_then(Command::get_about)
                .map(ToString::to_string);
            text += &place(group, &format!("{name:13}{}", about.unwrap_or_default()));
            text.push('\n');
            group = "";
        }
    }
    text
}

fn rulesets() -> String {
    let known = known_rulesets();
    let width = known.iter().map(|entry| entry.name.len()).max();
    let width = width.unwrap_or_default();
    let rows = known.iter();
    let rows = rows.map(|entry| format!("  {:width$}  {}\n", entry.name, entry.summary));
    rows.collect()
}

pub type Parsed = (Command, ArgMatches);

/// Returns the switches that were typed, except those whose ids are in `but`.
pub fn typed((definition, matches): &Parsed, but: &[&str]) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let known = definition.find_subcommand(name).map(Command::get_arguments);
    let args = known.into_iter().flatten();
    let args = args.filter(|arg| !but.contains(&arg.get_id().as_str()));
    args.filter_map(|arg| flag(arg, matches)).collect()
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
