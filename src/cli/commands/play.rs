//! `getaway play`: plays boards in the terminal.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use crate::cli::agents::{WatchArgs, entrant};
use crate::cli::args::{Color, SearchArgs, in_long_help};
use crate::cli::exit;
use crate::cli::options::{Options, Share, colors};
use crate::cli::options::{known_rulesets, ruleset_names};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::results::Results;
use crate::cli::screen::app::App;
use crate::cli::screen::live::WatchedGame;
use crate::cli::screen::shelf::{BoardList, NewBoard, Opened, today};
use crate::cli::screen::terminal::{Screen, ScreenError};
use crate::cli::screen::theme::Charset;
use getaway_board::fault::closest_word;
use getaway_board::words::{path_name, safe};
use getaway_generate::daily::Date;
use getaway_generate::level::Level;
use getaway_solvers::rulesets::{Entry, find};

#[derive(Debug, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["shortest", "moves", "ghost", "zombie", "monster"])))]
#[command(after_long_help = "\
Examples:
  getaway play                      a menu of the games and their boards
  getaway play theseus --difficulty 6   a new board; n makes the next
  getaway play theseus --daily      the board of the day
  getaway play board.txt
  getaway play puzzles/theseus      n and p go from board to board
  getaway play --seed 7 level.txt
  getaway play --spectate --runner 'python3 mine.py' level.txt
  getaway play --spectate --moves LUL board.txt

In the game `?` shows all keys.")]
pub struct Play {
    /// A board file, a folder of them, or a ruleset for new boards.
    ///
    /// A board of a file is FILE#N, counted from 1, or FILE#ID. Without an argument, a menu opens.
    #[arg(value_name = "PATH|RULESET")]
    pub path: Option<PathBuf>,
    /// New boards: `easy`, `medium`, `hard`, or bits.
    ///
    /// `analyse` reports the bits of a board, and `generate --help` says what the words stand for [default: medium].
    #[arg(long, value_name = "LEVEL")]
    pub difficulty: Option<Level>,
    /// Play the board of the day, or of this date (UTC).
    ///
    /// Each ruleset has one for each date, the same for everyone: easy on Monday, hard on Saturday, large on Sunday.
    #[arg(long, value_name = "DATE", value_parser = day, conflicts_with = "difficulty")]
    #[arg(num_args = 0..=1, default_missing_value = "today")]
    pub daily: Option<Date>,
    /// Show move values, and load the header `moves`.
    ///
    /// Otherwise, both happen only on request.
    #[arg(long)]
    pub coach: bool,
    /// The seed for chance [default: header `seed`, or new].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Clone, Debug, Args)]
pub struct ScreenArgs {
    /// Draw in plain ASCII [default: without UTF-8].
    #[arg(long)]
    pub ascii: bool,
}

pub fn run(args: &Play, color: Color) -> Result<ExitCode> {
    let mut options = Options::with_stop(&args.search, None, Arc::default())?;
    options.order = args.watch.shortest.order;
    let entrant = entrant(&args.watch.agents)?;
    let is_chosen = entrant.policy.is_some() || !entrant.name.is_empty();
    if is_chosen && !args.watch.spectate {
        bail!("a game of programs and policies can only be watched: add `--spectate`");
    }
    if let Some(strategy) = entrant.strategy {
        options.set_header("strategy", strategy);
    }
    let app = || args.app(&options, color);
    let Some(path) = &args.path else {
        return screen_exit(app()?.choose());
    };
    if let Some(entry) = ruleset(path) {
        let usual = NewBoard::Level(Level::Medium);
        let new_board = args.new_board().unwrap_or(usual);
        if let NewBoard::Level(level) = new_board {
            level.check(entry.name)?;
        }
        return screen_exit(app()?.play_made(entry, new_board));
    }
    if args.new_board().is_some() {
        bail!("`--difficulty` and `--daily` are for new boards: name a ruleset instead of a file");
    }
    if let Some(name) = meant(path) {
        bail!(
            "{}: no such file; `getaway play {name}` plays new boards",
            path_name(path)
        );
    }
    let mut shelf = BoardList::open(path)?;
    let file = Rc::clone(&shelf.file);
    let diagnostics = Diagnostics::new(colors(color, &io::stderr()));
    let path = file.path.to_string_lossy();
    let opened = match Opened::read(file.board(shelf.number), &options) {
        Ok(opened) => opened,
        Err(error) => {
            let _ = io::stderr().write_all(diagnostics.board(&path, &error).as_bytes());
            return Ok(exit::wrong());
        }
    };
    check(args, &opened, &options).map_err(|error| anyhow!("{}: {error}", safe(&path)))?;
    let warnings = diagnostics.warnings(&path, &opened.warnings);
    let _ = io::stderr().write_all(warnings.as_bytes());
    screen_exit(app()?.play(&mut shelf, Some(opened)))
}

impl Play {
    /// Returns the new board that the options ask for.
    fn new_board(&self) -> Option<NewBoard> {
        let level = self.difficulty.map(NewBoard::Level);
        self.daily.map(NewBoard::Daily).or(level)
    }

    fn app<'a>(&'a self, options: &'a Options, color: Color) -> Result<App<'a>> {
        Ok(App {
            seed: self.seed,
            is_coached: self.coach,
            new_board: self.new_board(),
            watch: Some(&self.watch).filter(|watch| watch.spectate),
            ..app("play", options, color, &self.screen)?
        })
    }
}

fn day(text: &str) -> Result<Date, &'static str> {
    match text {
        "today" => today().ok_or("the clock has no date: write one, such as 2026-11-30"),
        date => date.parse(),
    }
}

fn ruleset(path: &Path) -> Option<&'static Entry> {
    let name = path.to_str().filter(|_| !path.exists())?;
    find(known_rulesets(), name)
}

/// Returns the ruleset that a missing file's name resembles.
fn meant(path: &Path) -> Option<&'static str> {
    let name = path.to_str().filter(|_| !path.exists())?;
    closest_word(name, &ruleset_names())
}

fn check(args: &Play, opened: &Opened, options: &Options) -> Result<()> {
    opened.game.session(0, &options.limits(Share::All))?;
    if args.watch.spectate {
        WatchedGame::new(&args.watch, opened, options)?;
    }
    Ok(())
}

pub fn app<'a>(
    command: &str,
    options: &'a Options,
    color: Color,
    args: &ScreenArgs,
) -> Result<App<'a>> {
    let charset = if args.ascii {
        Charset::Ascii
    } else {
        Charset::of_environment(|name| std::env::var(name).ok())
    };
    Ok(App {
        colors: colors(color, &io::stdout()),
        screen: Screen::open(command)?,
        options,
        charset,
        seed: None,
        new_seed: None,
        message: String::new(),
        is_coached: false,
        new_board: None,
        watch: None,
        results: Results::of_user(),
        solved: None,
    })
}

pub fn screen_exit(shown: Result<(), ScreenError>) -> Result<ExitCode> {
    match shown {
        Ok(()) | Err(ScreenError::Left) => Ok(ExitCode::SUCCESS),
        Err(ScreenError::Signal(signal)) => Ok(ExitCode::from(128 + signal as u8)),
        Err(error) => Err(error.into()),
    }
}
