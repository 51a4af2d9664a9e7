//! `getaway census`: counts all boards of a given size by answer.

mod state;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Grid;
use crate::census::{Answer, BoardKind, Census};
use crate::limits::Limit;
use anyhow::{Result, anyhow, bail};
use rayon::prelude::*;

use self::state::State;
use crate::answers::words::duration;
use crate::cli::args::SearchArgs;
use crate::cli::args::census::{Census as Args, CensusRuleset};
use crate::cli::inputs::failed;
use crate::cli::options::{Options, Share};
use crate::cli::output::census::{Counted, firsts};
use crate::cli::output::progress::Progress;
use crate::cli::record::Timing;

pub fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let census = Census::new(kind(args)?)?;
    let search = SearchArgs {
        limits: args.limits.clone(),
        ..SearchArgs::default()
    };
    let options = Options::new(&search, args.threads.threads)?;
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
    if !args.json && Timing::of(&args.timing) == Timing::On {
        writeln!(out, "({})", duration(start.elapsed()))?;
    }
    report(limit, &state, args)
}

fn write_firsts(counted: &Counted, args: &Args) -> Result<()> {
    let Some(path) = &args.output else {
        return Ok(());
    };
    let written = fs::write(path, firsts(counted));
    written.map_err(|error| anyhow!("can't write {}", failed(path, &error)))
}

fn report(limit: Option<Limit>, state: &State, args: &Args) -> Result<ExitCode> {
    let is_undecided = state.totals.0.contains_key(&Answer::Undecided);
    let Some(limit) = limit else {
        return Ok(ExitCode::from(if is_undecided { 3 } else { 0 }));
    };
    let advice = match &args.resume {
        Some(_) => "run the same command to continue",
        None => "use `--resume STATE` to be able to continue",
    };
    writeln!(
        io::stderr(),
        "{limit}: not all boards are counted; {advice}"
    )?;
    Ok(ExitCode::from(3))
}

fn kind(args: &Args) -> Result<BoardKind> {
    let (rows, cols) = (args.rows, args.cols);
    let Some(grid) = Grid::new(rows, cols) else {
        bail!(
            "invalid size {rows} x {cols}: a board has 1 to {} cells",
            Grid::MAX_CELLS
        );
    };
    let baddies = [args.monsters, args.super_monsters, args.bats];
    match args.ruleset {
        CensusRuleset::Jimmy if baddies != [None; 3] => {
            bail!("`jimmy` has no monsters or bats: use `--ghosts`")
        }
        CensusRuleset::Baddies if args.ghosts.is_some() => {
            bail!("`baddies` has no ghosts: use `--monsters`, `--super-monsters` and `--bats`")
        }
        CensusRuleset::Jimmy => Ok(BoardKind::jimmy(grid, args.ghosts.unwrap_or(1))),
        CensusRuleset::Baddies => Ok(BoardKind::baddies(
            grid,
            baddies.map(Option::unwrap_or_default),
        )),
    }
}

/// Counts the remaining units; returns the limit that was reached, if any.
fn count_all(
    census: &Census,
    options: &Options,
    state: &mut State,
    bar: &Progress,
) -> Result<Option<Limit>> {
    let todo = state.todo();
    let limits = options.limits(Share::Equal);
    let pool = options.pool()?;
    let shared = Mutex::new(&mut *state);
    let count = |&unit: &usize| -> Result<()> {
        let totals = census.count(unit, &limits)?;
        let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
        state.add(unit, totals)?;
        bar.advance_games(1);
        Ok(())
    };
    let counted = pool.install(|| todo.par_iter().try_for_each(count));
    state.save()?;
    match counted {
        Ok(()) => Ok(None),
        Err(error) => error.downcast().map(Some),
    }
}
