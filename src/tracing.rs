//! `getaway trace`: one board, half turn by half turn.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use getaway::engine::Limits;
use getaway::fault::{FaultKind, Place};
use getaway::game::{Ending, Game, LineKind, Plan, TraceError};
use getaway::puzzle::Puzzle;
use getaway::rules::NoMove;

use crate::cli::{Color, Trace};
use crate::commands::{colors, order, stop_on_interrupt};
use crate::exit;
use crate::report::safe;
use crate::single::Single;
use crate::telling::{JsonTeller, Narrator, TextTeller};

/// Traces the board that was asked for.
pub fn trace(args: &Trace, color: Color) -> Result<ExitCode> {
    let single = Single::new(&args.board, &args.search, color)?;
    single.run(|puzzle, game| board(args, &single, puzzle, game))
}

fn board(args: &Trace, single: &Single, puzzle: &Puzzle, game: &dyn Game) -> Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let header = puzzle.header("moves").map(|header| &*header.value);
    let timeout = args.search.timeout;
    let plan = Plan {
        moves: args.moves.as_deref().or(header),
        order: order(&args.search),
        limits: Limits {
            max_states: args.search.max_states,
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            stop: Some(&stop),
        },
        ..Plan::default()
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut teller: Box<dyn Narrator> = if args.json {
        Box::new(JsonTeller::new(&mut out))
    } else {
        let title = match puzzle.name() {
            Some(name) => format!("{}: {}", single.path(), safe(name)),
            None => single.path(),
        };
        Box::new(TextTeller::new(
            &mut out,
            title,
            colors(single.color, &io::stdout()),
        ))
    };
    let told = game.trace(&plan, &mut *teller);
    let code = end(told, &mut *teller, single);
    drop(teller);
    out.flush()?;
    match code? {
        Told::Code(code) => Ok(code),
        Told::NoMove(error) => no_move(args, single, puzzle, &error),
    }
}

/// What came of telling a game.
enum Told {
    Code(ExitCode),
    NoMove(NoMove),
}

fn end(
    told: Result<Ending, TraceError>,
    teller: &mut dyn Narrator,
    single: &Single,
) -> Result<Told> {
    match told {
        Ok(ending) => {
            teller.end(&ending)?;
            Ok(Told::Code(code(&ending, teller.kind())))
        }
        Err(TraceError::Undecided(limit)) => {
            teller.undecided(limit)?;
            Ok(Told::Code(ExitCode::from(3)))
        }
        Err(TraceError::NoMove(error)) => Ok(Told::NoMove(error)),
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

/// Tells which part of the moves is none, in its place where they stand in the file.
fn no_move(args: &Trace, single: &Single, puzzle: &Puzzle, error: &NoMove) -> Result<ExitCode> {
    match puzzle.header("moves") {
        Some(header) if args.moves.is_none() => {
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
            Ok(single.complain(&puzzle.fault(place, kind).into()))
        }
        _ => bail!("in `--moves`, at character {}: {error}", error.at + 1),
    }
}
