//! `getaway agent`: helps to write a program that plays.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use getaway_board::rng::Rng;
use getaway_board::words::{path_name, safe};
use getaway_play::agent::TURNS;
use getaway_play::agents::{AgentCommand, AgentPool, Stream};
use getaway_play::trace::{Ending, RUNNER};
use getaway_solvers::game::Plan;

use super::simulate::fresh_seed;
use crate::cli::agents::{AgentLimitArgs, agent_limits, board_info};
use crate::cli::args::{BoardArgs, Color, SearchArgs};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway agent new python          writes agent.py
  getaway agent talk 'python3 agent.py' board.txt
  getaway simulate --runner 'python3 agent.py' --runs 1000 board.txt")]
pub struct Agent {
    #[command(subcommand)]
    pub task: AgentTask,
}

#[derive(Debug, Subcommand)]
pub enum AgentTask {
    /// Write a working program, to start from.
    New(New),
    /// Let a program play a game, and show all messages.
    Talk(Box<Talk>),
}

#[derive(Debug, Args)]
pub struct New {
    /// The language of the program.
    #[arg(value_enum)]
    pub language: Language,
    /// The file to write [default: agent.py, agent.js or agent.rs].
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Talk {
    /// The program and its arguments, in quotes.
    #[arg(value_name = "COMMAND")]
    pub command: String,
    #[command(flatten)]
    pub board: BoardArgs,
    /// The role of the program: `runner`, `ghost`, `zombie` or `monster`.
    #[arg(long, value_name = "ROLE", default_value = RUNNER)]
    #[arg(value_parser = [RUNNER, "ghost", "zombie", "monster"], hide_possible_values = true)]
    pub role: String,
    /// The seed for chance [default: the header `seed`, or a new one].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = TURNS, hide_default_value = true)]
    pub turns: usize,
    #[command(flatten)]
    pub limits: AgentLimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Agent, color: Color) -> Result<ExitCode> {
    match &args.task {
        AgentTask::New(args) => write_new(args),
        AgentTask::Talk(args) => talk(args, color),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Language {
    Python,
    #[value(name = "javascript", alias = "js")]
    JavaScript,
    Rust,
}

impl Language {
    /// Returns the usual file name, the program, and how to run it.
    const fn starter(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Python => (
                "agent.py",
                include_str!("../../../examples/agents/runner.py"),
                "getaway agent talk 'python3 FILE' BOARD",
            ),
            Self::JavaScript => (
                "agent.js",
                include_str!("../../../examples/agents/runner.js"),
                "getaway agent talk 'node FILE' BOARD",
            ),
            Self::Rust => (
                "agent.rs",
                include_str!("../../../examples/agents/zombie.rs"),
                "cargo add serde --features derive; cargo add serde_json; cargo build; \
                 getaway agent talk --role zombie target/debug/NAME BOARD",
            ),
        }
    }
}

fn write_new(args: &New) -> Result<ExitCode> {
    let (name, program, to_run) = args.language.starter();
    let path = args.output.clone().unwrap_or_else(|| name.into());
    if path.as_os_str() == "-" {
        io::stdout().write_all(program.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = path_name(&path);
    match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{name} exists already; name another file with `--output`")
        }
        file => file.and_then(|mut file| file.write_all(program.as_bytes())),
    }
    .with_context(|| format!("can't write {name}"))?;
    let to_run = to_run.replace("FILE", &name);
    writeln!(
        io::stdout(),
        "wrote {name}; next: {to_run}\n`getaway rules agents` explains the messages"
    )?;
    Ok(ExitCode::SUCCESS)
}

fn talk(args: &Talk, color: Color) -> Result<ExitCode> {
    let command = AgentCommand::parse(&args.command)
        .map_err(|why| anyhow::anyhow!("`{}`: {why}", safe(&args.command)))?;
    let options = Options::new(&args.search, None)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    one.run(|opened| game(args, &command, opened))
}

fn game(args: &Talk, command: &AgentCommand, opened: &Opened) -> Result<ExitCode> {
    let limits = opened.puzzle.limits_left();
    let mut agent_limits = agent_limits(&args.limits, limits);
    agent_limits.listener = Some(print);
    let commands = vec![(args.role.clone(), command.clone())];
    let agents = AgentPool::new(
        board_info(opened.ruleset, opened.puzzle),
        commands,
        agent_limits,
    );
    let plan = Plan {
        moves: None,
        chasers: None,
        external: Some(&agents),
        ..opened.plan()
    };
    let seed = args.seed.or(opened.given.seed).unwrap_or_else(fresh_seed);
    let played = opened
        .game
        .simulator(&plan)
        .and_then(|simulator| simulator.play(Rng::new(seed), args.turns, None));
    agents.close();
    let ending = played?.ending;
    writeln!(io::stdout(), "{} (seed {seed})", ending.in_words(None))?;
    Ok(match ending {
        Ending::Escaped { .. } => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Prints messages to the program after `>`, its answers after `<`, and its standard error after `!`.
fn print(stream: Stream, text: &[u8]) {
    let mark = match stream {
        Stream::Input => '>',
        Stream::Output => '<',
        Stream::Errors => '!',
    };
    let mut out = io::stdout().lock();
    for line in String::from_utf8_lossy(text).lines() {
        // If nobody reads the output, the game goes on. Printing its ending then returns the error.
        let _ = writeln!(out, "{mark} {}", safe(line));
    }
}
