//! `getaway man` and `getaway completions`: print the manual pages and shell completions.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_mangen::Man;

use crate::cli::options::{known_rulesets, unknown};
use getaway_board::words::path_name;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway man | man -l -
  getaway man solve | man -l -
  getaway man --dir ~/.local/share/man/man1")]
pub struct ManPage {
    /// The command to document; without it, the program itself.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

const SOURCE: &str = concat!("getaway ", env!("CARGO_PKG_VERSION"));

pub fn run(args: &ManPage, command: Command) -> Result<ExitCode> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.dir {
        write_all(&command, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    let command = named(&command, args.command.as_deref())?;
    if io::stdout().is_terminal() {
        command.clone().print_long_help()?;
    } else {
        io::stdout().write_all(&page(command)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn named<'c>(command: &'c Command, name: Option<&str>) -> Result<&'c Command> {
    let Some(name) = name else {
        return Ok(command);
    };
    command.find_subcommand(name).ok_or_else(|| {
        let known: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        unknown("command", name, &known)
    })
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let help = command.get_after_long_help().map(ToString::to_string);
    // The library would reflow the columns of `after_long_help` as prose.
    Man::new(command.clone().after_long_help(None))
        .source(SOURCE)
        .render(&mut text)?;
    text.extend(sections(&help.unwrap_or_default()).into_bytes());
    Ok(text)
}

/// Returns a section for each block of `after_long_help` that has a heading, with its lines unchanged. Leaves out other blocks.
fn sections(help: &str) -> String {
    let section = |block: &str| match block.split_once(":\n") {
        Some((title, lines)) => {
            let title = title.to_uppercase();
            let lines: String = lines.lines().map(verbatim).collect();
            format!(".SH {title}\n.nf\n{lines}.fi\n")
        }
        None => String::new(),
    };
    help.split("\n\n").map(section).collect()
}

fn verbatim(line: &str) -> String {
    let escaped = line.replace('\\', "\\e").replace('-', "\\-");
    format!("\\&{escaped}\n")
}

fn write_all(command: &Command, folder: &Path) -> Result<()> {
    let failed = |path: &Path| format!("can't write {}", path_name(path));
    fs::create_dir_all(folder).with_context(|| failed(folder))?;
    for command in [command].into_iter().chain(command.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page(command)?).with_context(|| failed(&path))?;
    }
    Ok(())
}

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

pub fn complete(args: &Completions, command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = with_rulesets(command);
    clap_complete::generate(args.shell, &mut command, "getaway", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes completions suggest the names of the rulesets. The parser still accepts any name, since a later check explains an
/// unknown name better.
fn with_rulesets(command: Command) -> Command {
    let names = PossibleValuesParser::new(known_rulesets().iter().map(|entry| entry.name));
    command.mut_subcommands(|subcommand| {
        let is_rules = subcommand.get_name() == "rules";
        subcommand.mut_args(|arg| match arg.get_id().as_str() {
            "ruleset" => arg.value_parser(names.clone()),
            "name" if is_rules => arg.value_parser(names.clone()),
            _ => arg,
        })
    })
}
