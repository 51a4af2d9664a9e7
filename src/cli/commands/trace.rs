//! `getaway trace`: one board, half turn by half turn.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use getaway::fault::{FaultKind, Place};
use getaway::game::{Ending, Game, Given, LineKind, Plan, TraceError};
use getaway::puzzle::Puzzle;
use getaway::ruleset::NoMove;

use crate::cli::args::{Color, Trace};
use crate::cli::exit;
use crate::cli::one_board::OneBoard;
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::trace::{JsonTeller, Narrator, TextTeller};
use crate::cli::output::words::safe;

/// Traces the board that was asked for.
pub fn run(args: &Trace, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, None)?;
    let single = OneBoard::new(&args.board.file, &options, color);
    single.run(|puzzle, game| board(args, &single, puzzle, game))
}

fn board(args: &Trace, single: &OneBoard, puzzle: &Puzzle, game: &dyn Game) -> Result<ExitCode> {
    let given = match Given::of(puzzle) {
        Ok(given) => given,
        Err(fault) => return Ok(single.print_error(&fault.into())),
    };
    let plan = Plan {
        moves: args.moves.as_deref().or(given.moves),
        order: single.options.order,
        limits: single.options.limits(Share::All),
        seed: args.seed.or(given.seed).unwrap_or_default(),
        turns: args.turns,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut teller = narrator(args.json, single, puzzle, &mut out);
    let told = game.trace(&plan, &mut *teller);
    let code = finish(told, &mut *teller, (single, puzzle), args.moves.is_some());
    drop(teller);
    out.flush()?;
    code
}

/// One who tells games of this board, in JSON or in text.
pub fn narrator<'o>(
    json: bool,
    single: &OneBoard,
    puzzle: &Puzzle,
    out: &'o mut dyn Write,
) -> Box<dyn Narrator + 'o> {
    if json {
        return Box::new(JsonTeller::new(out));
    }
    let title = match puzzle.name() {
        Some(name) => format!("{}: {}", single.path(), safe(name)),
        None => single.path(),
    };
    Box::new(TextTeller::new(
        out,
        title,
        colors(single.color, &io::stdout()),
    ))
}

/// Tells how a game ended, or why it can't be told; the exit code.
pub fn finish(
    told: Result<Ending, TraceError>,
    teller: &mut dyn Narrator,
    (single, puzzle): (&OneBoard, &Puzzle),
    typed: bool,
) -> Result<ExitCode> {
    match told {
        Ok(ending) => {
            teller.end(&ending)?;
            Ok(code(&ending, teller.kind()))
        }
        Err(TraceError::Undecided(limit)) => {
            teller.undecided(limit)?;
            Ok(ExitCode::from(3))
        }
        Err(TraceError::NoMove(error)) => no_move((single, puzzle), &error, typed),
        Err(TraceError::Io(error)) => Err(error.into()),
        Err(error) => bail!("{}: {error}", single.path()),
    }
}

/// 1 where the runner is lost or can't get out, 2 for a line that can't be played, else 0.
fn code(ending: &Ending, kind: Option<&LineKind>) -> ExitCode {
    match (ending, kind) {
        (Ending::Illegal { .. }, _) => exit::wrong(),
        (Ending::Caught { .. }, _) | (_, Some(LineKind::Forever { .. })) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// Tells which part of the moves is none: of those typed, or in its place of those in the file.
fn no_move(
    (single, puzzle): (&OneBoard, &Puzzle),
    error: &NoMove,
    typed: bool,
) -> Result<ExitCode> {
    match puzzle.header("moves") {
        Some(header) if !typed => {
            let column = header.place.column + error.at as u64;
            let place = Place {
                column,
                width: error.text.chars().count() as u64,
                ..header.place
            };
            let kind = FaultKind::Other {
                message: error.to_string(),
                mend: "write the moves of this ruleset, as `solve` prints them".into(),
            };
            Ok(single.print_error(&puzzle.fault(place, kind).into()))
        }
        _ => bail!("in `--moves`, at character {}: {error}", error.at + 1),
    }
}
