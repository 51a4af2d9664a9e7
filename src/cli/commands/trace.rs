//! `getaway trace`: one board, half turn by half turn.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

use crate::fault::{FaultKind, Place};
use crate::game::Plan;
use crate::limits::Limit;
use crate::play::trace::{Ending, LineKind, TraceError};
use crate::puzzle::{Format, Header};
use crate::ruleset::NoMove;
use crate::ruleset::led::NoOrder;
use anyhow::{Result, bail};
use console::Term;

use crate::cli::args::{Color, LayoutArgs, Trace};
use crate::cli::exit;
use crate::cli::one_board::{OneBoard, Opened, Output};
use crate::cli::options::{Options, colors};
use crate::cli::output::trace::{
    Animation, CompactTrace, Heading, JsonTrace, Look, MovesFrom, Room, SideBySide, TextTrace,
    TraceWriter,
};
use crate::cli::output::words::safe;

/// Traces the board that was asked for.
pub fn run(args: &Trace, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, None)?;
    let one = OneBoard::new(&args.board.file, &options, color).with_output(Output::of(args.json));
    one.run(|opened| board(args, &one, opened))
}

fn board(args: &Trace, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let plan = plan(args, one, opened);
    let from = MovesFrom::of(args.game.moves.as_deref());
    let mut out = BufWriter::new(io::stdout().lock());
    let layout = Layout::of(&args.layout, Output::of(args.json))?;
    let mut writer = writer(layout, one, opened, (from, &mut out));
    let ended = opened.game.trace(&plan, &mut *writer);
    let code = finish(ended, &mut *writer, (one, opened), from);
    drop(writer);
    out.flush()?;
    code
}

/// How a trace is laid out.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// JSON Lines.
    Json,
    /// A board below the other.
    Long,
    /// A line a turn, of at most so many characters.
    Compact(usize),
    /// Boards side by side.
    SideBySide(Room),
    /// Each board drawn over the one before, after so long.
    Animated(Duration),
}

/// The width of lines where there is no terminal.
const WIDTH: u16 = 80;

impl Layout {
    /// What was typed, or else what fits where it is shown.
    pub fn of(layout: &LayoutArgs, output: Output) -> Result<Self> {
        let terminal = Term::stdout().size_checked().map(|(_, columns)| columns);
        let width = layout.width.or(terminal).map(usize::from);
        if layout.animate {
            Animation::check_terminal()?;
        }
        Ok(match (layout.columns, width) {
            _ if output == Output::Json => Self::Json,
            _ if layout.animate => Self::Animated(layout.delay),
            _ if layout.compact => Self::Compact(width.unwrap_or(WIDTH.into())),
            (Some(boards), _) => Self::SideBySide(Room::Boards(boards.into())),
            (None, Some(width)) => Self::SideBySide(Room::Width(width)),
            (None, None) => Self::Long,
        })
    }
}

/// What is to be played.
pub fn plan<'a>(args: &'a Trace, one: &'a OneBoard, opened: &Opened<'a>) -> Plan<'a> {
    let given = opened.given;
    let (moves, chasers) = given.unless(args.game.moves.as_deref());
    Plan {
        moves,
        chasers,
        order: one.options.order,
        limits: opened.puzzle.limits_left(),
        seed: args.game.seed.or(given.seed).unwrap_or_default(),
        turns: args.game.turns,
        ..Plan::default()
    }
}

/// Writes games of this board.
pub fn writer<'o>(
    layout: Layout,
    one: &'o OneBoard,
    opened: &Opened,
    (from, out): (MovesFrom, &'o mut dyn Write),
) -> Box<dyn TraceWriter + 'o> {
    let title = match opened.puzzle.name() {
        Some(name) => format!("{}: {}", one.path(), safe(name)),
        None => one.path(),
    };
    let heading = Heading { title, from };
    let look = Look {
        colors: colors(one.color, &io::stdout()),
        meaning: opened.ruleset.meaning,
    };
    match layout {
        Layout::Json => Box::new(JsonTrace::new(out)),
        Layout::Long => Box::new(TextTrace::new(out, heading, look)),
        Layout::Compact(width) => Box::new(CompactTrace::new(out, heading, look, width)),
        Layout::SideBySide(room) => Box::new(SideBySide::new(out, heading, look, room)),
        Layout::Animated(delay) => {
            let is_stopped = || one.options.is_stopped();
            Box::new(Animation::new(heading, look, delay, Box::new(is_stopped)))
        }
    }
}

/// Writes how a game ended, or why it can't be shown; the exit code.
pub fn finish(
    ended: Result<Ending, TraceError>,
    writer: &mut dyn TraceWriter,
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
            Ok(ExitCode::from(3))
        }
        Err(TraceError::Io(error)) if error.kind() == io::ErrorKind::Interrupted => {
            writer.undecided(Limit::Interrupt)?;
            Ok(ExitCode::from(3))
        }
        Err(TraceError::NoMove(error)) => no_move((one, opened), &error, from),
        Err(TraceError::NoOrder(error)) => Ok(no_order((one, opened), &error)),
        Err(TraceError::Io(error)) => Err(error.into()),
        Err(error) => bail!("{}: {error}", one.path()),
    }
}

/// 1 where the runner is lost or can't get out, 2 for a line that can't be played and for a game that a program
/// forfeits, else 0.
pub fn code(ending: &Ending, kind: Option<&LineKind>) -> ExitCode {
    match (ending, kind) {
        (Ending::Illegal { .. } | Ending::Forfeited { .. }, _) => exit::wrong(),
        (Ending::Caught { .. }, _) | (_, Some(LineKind::Forever { .. })) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints which part of the moves is none: of those typed, or in its place of those in the file.
pub fn no_move(
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

/// Prints which part of the header `chasers` can't be played.
pub fn no_order((one, opened): (&OneBoard, &Opened), error: &NoOrder) -> ExitCode {
    let header = opened.puzzle.header("chasers");
    let header = header.expect("orders come from there");
    let help = "write a group for each turn, and in it a letter for each chaser in the order in which they move, or `-` \
                for one that moves by its own rules";
    let part = (error.at, &*error.text);
    print_fault((one, opened), (header, part), (error, help))
}

/// Prints what is wrong with a part of a header, which begins after so many characters.
fn print_fault(
    (one, opened): (&OneBoard, &Opened),
    (header, (at, text)): (&Header, (usize, &str)),
    (message, help): (&dyn Display, &str),
) -> ExitCode {
    let place = match opened.puzzle.format {
        // What stands in a string there need not be written as it is.
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
