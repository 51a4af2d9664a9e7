//! `getaway trace`: one board, half turn by half turn.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use getaway::fault::{FaultKind, Place};
use getaway::game::Plan;
use getaway::play::policy::PolicyKind;
use getaway::play::trace::{Ending, LineKind, TraceError};
use getaway::ruleset::NoMove;

use crate::cli::args::{Color, Trace};
use crate::cli::exit;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::trace::{JsonTrace, Look, MovesFrom, TextTrace, TraceWriter};
use crate::cli::output::words::safe;

/// Traces the board that was asked for.
pub fn run(args: &Trace, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, None)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    one.run(|opened| board(args, &one, opened))
}

fn board(args: &Trace, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let plan = plan(args, one, opened);
    let from = MovesFrom::of(args.moves.as_deref());
    let mut out = BufWriter::new(io::stdout().lock());
    let mut writer = writer(args.json, one, opened, (from, &mut out));
    let ended = opened.game.trace(&plan, &mut *writer);
    let code = finish(ended, &mut *writer, (one, opened), from);
    drop(writer);
    out.flush()?;
    code
}

/// What is to be played.
pub fn plan<'a>(args: &'a Trace, one: &'a OneBoard, opened: &Opened<'a>) -> Plan<'a> {
    let given = opened.given;
    Plan {
        moves: args.moves.as_deref().or(given.moves),
        policy: PolicyKind::default(),
        order: one.options.order,
        limits: one.options.limits(Share::All),
        seed: args.seed.or(given.seed).unwrap_or_default(),
        turns: args.turns,
    }
}

/// Writes games of this board, as JSON or as text.
pub fn writer<'o>(
    json: bool,
    one: &OneBoard,
    opened: &Opened,
    (from, out): (MovesFrom, &'o mut dyn Write),
) -> Box<dyn TraceWriter + 'o> {
    if json {
        return Box::new(JsonTrace::new(out));
    }
    let title = match opened.puzzle.name() {
        Some(name) => format!("{}: {}", one.path(), safe(name)),
        None => one.path(),
    };
    let look = Look {
        colors: colors(one.color, &io::stdout()),
        meaning: opened.ruleset.meaning,
    };
    Box::new(TextTrace::new(out, title, from, look))
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
        Err(TraceError::NoMove(error)) => no_move((one, opened), &error, from),
        Err(TraceError::Io(error)) => Err(error.into()),
        Err(error) => bail!("{}: {error}", one.path()),
    }
}

/// 1 where the runner is lost or can't get out, 2 for a line that can't be played, else 0.
pub fn code(ending: &Ending, kind: Option<&LineKind>) -> ExitCode {
    match (ending, kind) {
        (Ending::Illegal { .. }, _) => exit::wrong(),
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
            let column = header.place.column + error.at as u64;
            let place = Place {
                column,
                width: error.text.chars().count() as u64,
                ..header.place
            };
            let kind = FaultKind::Other {
                message: error.to_string(),
                help: "write the moves of this ruleset, as `solve` prints them".into(),
            };
            Ok(one.print_error(&opened.puzzle.fault(place, kind).into()))
        }
        _ => bail!("in `--moves`, at character {}: {error}", error.at + 1),
    }
}
