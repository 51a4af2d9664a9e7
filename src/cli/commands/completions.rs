//! `getaway completions`: what a shell needs to complete command lines.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cli::rulesets::known_rulesets;
use anyhow::Result;
use clap::Command;
use clap::builder::PossibleValuesParser;

use crate::cli::args::Completions;

/// Prints the completions of `command` for a shell.
pub fn run(args: &Completions, command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = with_rulesets(command);
    clap_complete::generate(args.shell, &mut command, "getaway", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// The same with the names of the rulesets as possible values. When a command line is read they are
/// not: an unknown name gets a better message later.
fn with_rulesets(command: Command) -> Command {
    command.mut_subcommands(|subcommand| {
        let is_rules = subcommand.get_name() == "rules";
        subcommand.mut_args(|arg| match arg.get_id().as_str() {
            "ruleset" => arg.value_parser(names()),
            "name" if is_rules => arg.value_parser(names()),
            _ => arg,
        })
    })
}

fn names() -> PossibleValuesParser {
    known_rulesets().iter().map(|entry| entry.name).into()
}
