//! `getaway census`: all boards of a kind, counted by their answers.

mod state;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use crate::Grid;
use crate::census::{Answer, Census, Kind, Totals};
use crate::limits::{Limit, Limits};
use anyhow::{Result, anyhow, bail};

use self::state::State;
use crate::cli::args::SearchArgs;
use crate::cli::args::census::{Census as Args, CensusRuleset};
use crate::cli::inputs::unreadable;
use crate::cli::options::{Options, Share};
use crate::cli::output::census::{Counted, firsts};
use crate::cli::output::progress::Progress;
use crate::cli::output::words::{duration, safe};

/// Counts all boards of a kind.
pub fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let census = Census::new(kind(args)?)?;
    let options = Options::new(&search(args), args.threads)?;
    let mut state = State::open(args.resume.as_deref(), &census, args.limits.max_states)?;
    let bar = Progress::where_wanted(|| Progress::of(census.units() as u64, "pieces"));
    bar.advance_games(state.number_done() as u64);
    let limit = count_all(&census, &options, &mut state, &bar)?;
    bar.finish();
    let counted = Counted {
        census: &census,
        totals: &state.totals,
        done: state.number_done(),
    };
    write_firsts(&counted, args)?;
    let mut out = io::stdout().lock();
    let text = if args.json {
        counted.json()?
    } else {
        counted.text()
    };
    out.write_all(text.as_bytes())?;
    if !args.json && !args.no_timing {
        writeln!(out, "({})", duration(start.elapsed()))?;
    }
    report(limit, &state, args)
}

/// Writes the first board of each answer, for `--output`.
fn write_firsts(counted: &Counted, args: &Args) -> Result<()> {
    let Some(path) = &args.output else {
        return Ok(());
    };
    fs::write(path, firsts(counted)).map_err(|error| {
        let path = safe(&path.to_string_lossy());
        anyhow!("can't write {path}: {}", unreadable(&error))
    })
}

/// Reports what is missing; returns the exit code.
fn report(limit: Option<Limit>, state: &State, args: &Args) -> Result<ExitCode> {
    let is_undecided = state.totals.0.contains_key(&Answer::Undecided);
    let Some(limit) = limit else {
        return Ok(ExitCode::from(if is_undecided { 3 } else { 0 }));
    };
    let advice = match &args.resume {
        Some(_) => "the same command goes on from here",
        None => "with `--resume STATE` the same command could go on from here",
    };
    writeln!(
        io::stderr(),
        "{limit}: not all boards are counted; {advice}"
    )?;
    Ok(ExitCode::from(3))
}

fn kind(args: &Args) -> Result<Kind> {
    let (rows, cols) = (args.rows, args.cols);
    let Some(grid) = Grid::new(rows, cols) else {
        bail!(
            "a board of {rows} x {cols} cells can't be: it needs a cell, and at most {}",
            Grid::MAX_CELLS
        );
    };
    let baddies = [args.monsters, args.super_monsters, args.bats];
    match args.ruleset {
        CensusRuleset::Jimmy if baddies != [None; 3] => {
            bail!("`jimmy` has no monsters and no bats: say how many `--ghosts`")
        }
        CensusRuleset::Baddies if args.ghosts.is_some() => {
            bail!(
                "`baddies` has no ghosts: say how many `--monsters`, `--super-monsters` and `--bats`"
            )
        }
        CensusRuleset::Jimmy => Ok(Kind::jimmy(grid, args.ghosts.unwrap_or(1))),
        CensusRuleset::Baddies => Ok(Kind::baddies(grid, baddies.map(Option::unwrap_or_default))),
    }
}

fn search(args: &Args) -> SearchArgs {
    SearchArgs {
        limits: args.limits.clone(),
        ..SearchArgs::default()
    }
}

/// The number of a piece, and its result.
type Piece = (usize, Result<Totals, Limit>);

/// Counts the pieces that are not done, on all threads; returns the limit that was reached, if any.
fn count_all(
    census: &Census,
    options: &Options,
    state: &mut State,
    bar: &Progress,
) -> Result<Option<Limit>> {
    let todo = state.todo();
    let limits = options.limits(Share::Equal);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, pieces) = mpsc::channel();
        for _ in 0..options.threads.min(todo.len()) {
            let (sender, todo, next) = (sender.clone(), &todo, &next);
            scope.spawn(move || work(census, (todo, next), &limits, &sender));
        }
        drop(sender);
        let result = collect(&pieces, state, bar);
        // If the state can't be written, the other threads stop.
        next.store(todo.len(), Ordering::Relaxed);
        result
    })
}

fn work(
    census: &Census,
    (todo, next): (&[usize], &AtomicUsize),
    limits: &Limits,
    sender: &Sender<Piece>,
) {
    while let Some(&unit) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
        let counted = census.count(unit, limits);
        let is_last = counted.is_err();
        if sender.send((unit, counted)).is_err() || is_last {
            break;
        }
    }
}

fn collect(pieces: &Receiver<Piece>, state: &mut State, bar: &Progress) -> Result<Option<Limit>> {
    let mut limit = None;
    for (unit, counted) in pieces {
        match counted {
            Ok(totals) => {
                state.add(unit, totals)?;
                bar.advance_games(1);
            }
            Err(reached) => limit = Some(reached),
        }
    }
    state.save()?;
    Ok(limit)
}
