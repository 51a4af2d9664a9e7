//! `getaway trace`: shows a game on one board, half turn by half turn.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::fault::{FaultKind, Place};
use crate::limits::Limit;
use crate::play::trace::{Ending, LineKind, TraceError};
use crate::puzzle::{Format, Header};
use crate::ruleset::NoMove;
use crate::ruleset::led::NoOrder;
use anyhow::{Result, bail};
use clap::Args;
use console::Term;

use crate::answers::words::safe;
use crate::cli::args::{
    BoardArgs, Color, FormatName, GameArgs, LayoutArgs, SearchArgs, ShortestArgs,
};
use crate::cli::exit;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::{Options, colors};
use crate::cli::output::progress::Progress;
use crate::cli::output::trace::{self, Animation, Heading, MovesFrom, Room, TraceStyle};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway trace board.txt
  getaway trace --moves LUL boards.txt#2
  getaway trace --compact board.txt     one line per turn
  getaway trace --animate board.txt     the game as an animation")]
pub struct Trace {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Print a JSON object for each half turn.
    #[arg(long)]
    pub json: bool,
    /// Print a picture of the game instead, as `render` does.
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["json", "compact", "animate", "columns", "line_width"])]
    pub format: Option<FormatName>,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Trace, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, None)?;
    options.order = args.shortest.order();
    let one = OneBoard::new(&args.board.file, &options, color).with_json(args.json);
    one.run(|opened| board(args, &one, opened))
}

fn board(args: &Trace, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let plan = opened.plan(&args.game, one.options.order);
    let from = MovesFrom::of(args.game.moves.as_deref());
    let mut out = BufWriter::new(io::stdout().lock());
    let layout = (&args.layout, args.json);
    let bar = Progress::where_wanted(|| Progress::of_board(&one.options.gauge));
    let mut writer = writer(layout, one, opened, (from, &mut out))?.after(bar.clone());
    let ended = opened.game.trace(&plan, &mut writer);
    bar.finish();
    let code = finish(ended, &mut writer, (one, opened), from);
    drop(writer);
    out.flush()?;
    code
}

const WIDTH: usize = 80;

pub fn writer<'o>(
    (args, is_json): (&LayoutArgs, bool),
    one: &'o OneBoard,
    opened: &Opened,
    (from, out): (MovesFrom, &'o mut dyn Write),
) -> Result<trace::Trace<'o>> {
    let title = match opened.puzzle.name() {
        Some(name) => format!("{}: {}", one.path(), safe(name)),
        None => one.path(),
    };
    let heading = Heading { title, from };
    let look = TraceStyle {
        colors: colors(one.color, &io::stdout()),
        legend: opened.ruleset.legend,
    };
    let terminal = Term::stdout().size_checked().map(|(_, columns)| columns);
    let width = args.line_width.or(terminal).map(usize::from);
    Ok(match (args.columns, width) {
        _ if is_json => trace::Trace::new(heading, trace::Json(out)),
        _ if args.animate => {
            Animation::check_terminal()?;
            let is_stopped = || one.options.is_stopped();
            trace::Trace::new(heading, Animation::new(look, args.delay, is_stopped))
        }
        _ if args.compact => {
            let layout = trace::Compact::new(out, look, width.unwrap_or(WIDTH));
            trace::Trace::new(heading, layout)
        }
        (None, None) => trace::Trace::new(heading, trace::Long::new(out, look)),
        (Some(boards), _) => {
            let layout = trace::SideBySide::new(out, look, Room::Boards(boards.into()));
            trace::Trace::new(heading, layout)
        }
        (None, Some(width)) => {
            let layout = trace::SideBySide::new(out, look, Room::Width(width));
            trace::Trace::new(heading, layout)
        }
    })
}

pub fn finish(
    ended: Result<Ending, TraceError>,
    writer: &mut trace::Trace,
    (one, opened): (&OneBoard, &Opened),
    from: MovesFrom,
) -> Result<ExitCode> {
    match ended {
        Ok(ending) => {
            writer.end(&ending)?;
            Ok(code(&ending, writer.kind()))
        }
        Err(TraceError::Undecided(limit)) => {
            writer.undecided(limit)?;
            Ok(exit::undecided())
        }
        Err(TraceError::Io(error)) if error.kind() == io::ErrorKind::Interrupted => {
            writer.undecided(Limit::Interrupt)?;
            Ok(exit::undecided())
        }
        Err(error) => refused(error, (one, opened), from),
    }
}

pub fn refused(
    error: TraceError,
    (one, opened): (&OneBoard, &Opened),
    from: MovesFrom,
) -> Result<ExitCode> {
    match error {
        TraceError::NoMove(error) => no_move((one, opened), &error, from),
        TraceError::NoOrder(error) => Ok(no_order((one, opened), &error)),
        TraceError::Io(error) => Err(error.into()),
        error => bail!("{}: {error}", one.path()),
    }
}

/// Returns the exit code: 1 if the runner is caught or can't escape, 2 after an illegal move or a forfeit, otherwise 0.
pub fn code(ending: &Ending, kind: Option<&LineKind>) -> ExitCode {
    match (ending, kind) {
        (Ending::Illegal { .. } | Ending::Forfeited { .. }, _) => exit::wrong(),
        (Ending::Caught { .. }, _) | (_, Some(LineKind::Forever { .. })) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

fn no_move(
    (one, opened): (&OneBoard, &Opened),
    error: &NoMove,
    from: MovesFrom,
) -> Result<ExitCode> {
    match (from, opened.puzzle.header("moves")) {
        (MovesFrom::Header, Some(header)) => {
            let help = "write the moves of this ruleset, as `solve` prints them";
            let part = (error.at, &*error.text);
            Ok(print_fault((one, opened), (header, part), (error, help)))
        }
        _ => bail!("in `--moves`, at character {}: {error}", error.at + 1),
    }
}

fn no_order((one, opened): (&OneBoard, &Opened), error: &NoOrder) -> ExitCode {
    let header = opened.puzzle.header("chasers");
    let header = header.expect("orders come from there");
    let help = "write a group for each turn, and in it a letter for each chaser in the order in which they move, or `-` \
                for one that moves by its own rules";
    let part = (error.at, &*error.text);
    print_fault((one, opened), (header, part), (error, help))
}

/// Reports a fault in a part of a header that begins after `at` characters.
fn print_fault(
    (one, opened): (&OneBoard, &Opened),
    (header, (at, text)): (&Header, (usize, &str)),
    (message, help): (&dyn Display, &str),
) -> ExitCode {
    let place = match opened.puzzle.format {
        // A JSON string may contain escapes, so the position within it is unknown.
        Format::JsonLines => header.place,
        Format::Text => Place {
            column: header.place.column + at as u64,
            width: text.chars().count() as u64,
            ..header.place
        },
    };
    let kind = FaultKind::Other {
        message: message.to_string(),
        help: help.into(),
    };
    one.print_error(&opened.puzzle.fault(place, kind).into())
}
