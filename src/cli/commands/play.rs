//! `getaway play`: a person plays, in the terminal.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use crate::cli::args::watch::WatchArgs;
use crate::cli::args::{Color, Play, ScreenArgs};
use crate::cli::exit;
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::output::words::safe;
use crate::cli::screen::app::{self, App};
use crate::cli::screen::look::Charset;
use crate::cli::screen::shelf::Shelf;
use crate::cli::screen::terminal::{Ended, Screen};
use crate::cli::screen::watching::Show;

/// Plays the boards that were asked for.
pub fn run(args: &Play, color: Color) -> Result<ExitCode> {
    let options = Options::with_stop(&args.search, None, Arc::default())?;
    let mut shelf = shelf(&args.path)?;
    if let (false, Some((role, _))) = (args.watch.watch, args.watch.agents.commands().first()) {
        bail!("`--{role}` needs `--watch`: a game that a program plays can only be watched");
    }
    let watch = Some(&args.watch).filter(|watch| watch.watch);
    if let Some(code) = refused((&options, watch), &shelf, color)? {
        return Ok(code);
    }
    let mut app = app("play", (&options, color), &args.screen)?;
    app.seed = args.seed;
    app.watch = watch;
    let played = app.play(&mut shelf);
    drop(app);
    ended(played)
}

/// The boards that an argument names.
pub fn shelf(path: &Path) -> Result<Shelf> {
    Shelf::open(path).map_err(|why| anyhow!(why))
}

/// Takes the terminal over.
pub fn app<'a>(
    command: &str,
    (options, color): (&'a Options, Color),
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
        watch: None,
    })
}

/// The exit code of what was on the screen.
pub fn ended(shown: Result<ExitCode, Ended>) -> Result<ExitCode> {
    match shown {
        Ok(code) => Ok(code),
        Err(Ended::Signal(signal)) => Ok(ExitCode::from(128 + signal as u8)),
        Err(error) => Err(error.into()),
    }
}

/// Prints what is wrong with the first board, or odd about it, as other commands do; the exit code if it
/// can't be played.
fn refused(
    (options, watch): (&Options, Option<&WatchArgs>),
    shelf: &Shelf,
    color: Color,
) -> Result<Option<ExitCode>> {
    let diagnostics = Diagnostics::new(colors(color, &io::stderr()));
    let path = shelf.file.path().to_string_lossy();
    let (mut puzzle, read) = shelf.file.board(shelf.number).read();
    options.settle(&mut puzzle);
    let (text, code) = match app::open(options, (&puzzle, read)) {
        Err(error) => (diagnostics.board(&path, &error), Some(exit::wrong())),
        Ok(opened) => {
            let session = opened.game.session(0, &options.limits(Share::All));
            if let Err(error) = session {
                bail!("{}: {error}", safe(&path));
            }
            if let Some(args) = watch {
                let show = Show::of(args, opened.seen(&puzzle), options);
                show.map_err(|error| anyhow!("{}: {error}", safe(&path)))?;
            }
            let warnings = options
                .warnings(opened.ruleset, &puzzle)
                .unwrap_or_default();
            (diagnostics.warnings(&path, &warnings), None)
        }
    };
    let _ = io::stderr().write_all(text.as_bytes());
    Ok(code)
}
