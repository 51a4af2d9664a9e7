//! `getaway completions`: prints shell completions.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cli::rulesets::known_rulesets;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway completions bash > ~/.local/share/bash-completion/completions/getaway
  getaway completions fish > ~/.config/fish/completions/getaway.fish
  getaway completions zsh > DIR/_getaway     DIR: one of those in $fpath")]
pub struct Completions {
    /// The shell to generate completions for.
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

pub fn run(args: &Completions, command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = with_rulesets(command);
    clap_complete::generate(args.shell, &mut command, "getaway", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the names of the rulesets. The parser accepts any name, since an unknown one gets a better message later.
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
