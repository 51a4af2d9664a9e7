//! `getaway rules`: shows the rulesets and how to draw their boards.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cli::options::known_rulesets;
use anyhow::Result;
use clap::Args;
use console::Term;
use getaway_board::puzzle::BOARD_FILES;
use getaway_play::agents::PROTOCOL;
use getaway_solvers::rulesets::Entry;

use crate::cli::args::Color;
use crate::cli::options::{colors, named, sample};
use crate::cli::output::markdown::render;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway rules
  getaway rules jimmy
  getaway rules jimmy --sample | getaway trace -")]
pub struct Rules {
    /// The ruleset to show; without it, all rulesets are listed.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print only the sample board, as a board file.
    #[arg(long, requires = "name")]
    pub sample: bool,
}

/// The width without a terminal, and the maximum width on one, since long lines are hard to read.
const WIDTHS: (usize, usize) = (80, 100);

pub fn run(args: &Rules, color: Color) -> Result<ExitCode> {
    let Some(name) = args.name.as_deref() else {
        return print(&list(), color);
    };
    if name == AGENTS {
        return print(PROTOCOL, color);
    }
    let entry = named(name, &[AGENTS])?;
    if args.sample {
        io::stdout().write_all(sample(entry).unwrap_or_default().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!("{}\n{}", entry.rules, to_try(entry)), color)
}

const AGENTS: &str = "agents";

fn print(markdown: &str, color: Color) -> Result<ExitCode> {
    let text = render(markdown, width(), colors(color, &io::stdout()));
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn width() -> usize {
    let (piped, max) = WIDTHS;
    Term::stdout()
        .size_checked()
        .map_or(piped, |(_, columns)| max.min(columns.into()))
}

fn list() -> String {
    let item = |entry: &Entry| format!("- `{}`: {}\n", entry.name, entry.summary);
    let items: String = known_rulesets().iter().map(item).collect();
    format!(
        "# Rulesets\n\n{items}\n`getaway rules NAME` prints the rules of one in full, with a board to try.\n\
         `getaway rules {AGENTS}` explains how to write a program that plays.\n\n\
         {BOARD_FILES}"
    )
}

fn to_try(entry: &Entry) -> String {
    let name = entry.name;
    format!(
        "## Try it\n\n```text\n\
         getaway rules {name} --sample > board.txt\n\
         getaway solve board.txt\n\
         getaway trace board.txt\n```\n\n\
         Then change the board, or draw your own. Settings are lines `; key: value` above the drawing; \
         `getaway rules` explains board files.\n"
    )
}
