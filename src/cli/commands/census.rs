//! `getaway census`: counts all boards of a given size by answer.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Grid;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use getaway_board::limits::Limit;
use getaway_census::{Answer, BoardKind, Census, Tally, Totals};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cli::args::{LimitArgs, RulesetArgs, ThreadArgs, TimingArgs};
use crate::cli::exit;
use crate::cli::files::failed;
use crate::cli::journal::{Journal, JournalState, RunSettings};
use crate::cli::options::{Options, Share};
use crate::cli::output::census::{CensusReport, firsts};
use crate::cli::output::progress::Progress;
use getaway_board::words::duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Boards of `jimmy` have Jimmy, the ghosts, and empty or solid cells. Boards of `baddies` have the hero, one ladder, the \
baddies, and cells that are empty, wall or abyss. Up to symmetry, a board counts once with its mirror images and its half \
turn, if these have the same answer: in `jimmy`, and in `baddies` with at most one baddie.

Examples:
  getaway census jimmy --rows 4 --cols 4 --ghosts 1
  getaway census jimmy --rows 7 --cols 7 --resume state   continue after Ctrl-C
  getaway census baddies --rows 3 --cols 3 --monsters 1 -o firsts.txt

Exit codes:
  0  all boards are counted
  2  the command line is wrong, or STATE belongs to another census
  3  a limit was reached, or some boards need more states than `--max-states`")]
#[command(mut_arg("timeout", |timeout| timeout.help("Stop after this time").long_help(None)))]
pub struct CensusArgs {
    /// The ruleset.
    #[arg(value_enum, value_name = "RULESET")]
    pub ruleset: CensusRuleset,
    /// The number of rows.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub rows: usize,
    /// The number of columns.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub cols: usize,
    /// `jimmy`: the number of ghosts [default: 1].
    #[arg(long, value_name = "N")]
    pub ghosts: Option<usize>,
    /// `baddies`: the number of monsters [default: 0].
    #[arg(long, value_name = "N")]
    pub monsters: Option<usize>,
    /// `baddies`: the number of super monsters [default: 0].
    #[arg(long, value_name = "N")]
    pub super_monsters: Option<usize>,
    /// `baddies`: the number of bats [default: 0].
    #[arg(long, value_name = "N")]
    pub bats: Option<usize>,
    /// Write the first board with each answer to this file.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Save the counts in this file, and continue from them.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Print a JSON object for each answer, one per line.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub timing: TimingArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CensusRuleset {
    /// Jimmy and the ghosts.
    Jimmy,
    /// A hero, monsters and bats.
    Baddies,
}

pub fn run(args: &CensusArgs) -> Result<ExitCode> {
    let start = Instant::now();
    let census = Census::new(kind(args)?)?;
    let options = Options::of(&RulesetArgs::default(), &args.limits, args.threads.threads)?;
    let mut state = State::open(args.resume.as_deref(), &census, args.limits.max_states)?;
    let bar = Progress::on_terminal(|| Progress::of(census.units() as u64, "pieces"));
    bar.advance(state.number_done() as u64);
    let limit = count_all(&census, &options, &mut state, &bar)?;
    bar.finish();
    let counted = CensusReport {
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
    if !args.json && !args.timing.no_timing {
        writeln!(out, "({})", duration(start.elapsed()))?;
    }
    report(limit, &state, args)
}

fn write_firsts(counted: &CensusReport, args: &CensusArgs) -> Result<()> {
    let Some(path) = &args.output else {
        return Ok(());
    };
    let written = fs::write(path, firsts(counted));
    written.map_err(|error| anyhow!("can't write {}", failed(path, &error)))
}

fn report(limit: Option<Limit>, state: &State, args: &CensusArgs) -> Result<ExitCode> {
    let is_undecided = state.totals.0.contains_key(&Answer::Undecided);
    let Some(limit) = limit else {
        return Ok(ExitCode::from(if is_undecided { 3 } else { 0 }));
    };
    let advice = match &args.resume {
        Some(_) => "run the same command to continue",
        None => "use `--resume STATE` to be able to continue",
    };
    exit::stopped(&format!("{limit}: not all boards are counted; {advice}"))
}

fn kind(args: &CensusArgs) -> Result<BoardKind> {
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
        bar.advance(1);
        Ok(())
    };
    let counted = pool.install(|| todo.par_iter().try_for_each(count));
    if let Some(journal) = &state.journal {
        journal.finish()?;
    }
    match counted {
        Ok(()) => Ok(None),
        Err(error) => error.downcast().map(Some),
    }
}

/// A line of the journal: the totals of one unit, a part of the census.
#[derive(Serialize, Deserialize)]
struct Counts {
    unit: usize,
    totals: Vec<(Answer, Tally)>,
}

struct State {
    totals: Totals,
    is_done: Vec<bool>,
    journal: Option<Journal>,
}

impl State {
    fn open(path: Option<&Path>, census: &Census, max_states: Option<u64>) -> Result<Self> {
        let mut state = Self {
            totals: Totals::default(),
            is_done: vec![false; census.units()],
            journal: None,
        };
        if let Some(path) = path {
            let settings = settings(census, max_states);
            let mut take = |Counts { unit, totals }: &Counts| {
                let is_possible = *unit < census.units()
                    && totals.iter().all(|(_, tally)| is_consistent(census, tally));
                if is_possible {
                    state.is_done[*unit] = true;
                    let totals = totals.iter().cloned().collect();
                    state.totals.add(Totals(totals));
                }
                is_possible
            };
            let journal = Journal::open(path)?;
            let found = journal.begin(settings, &[], &mut take)?;
            let done = state.number_done();
            if found == JournalState::Damage || done < census.units() {
                journal.report(found, &format!("{done} of {} pieces", census.units()));
            }
            state.journal = Some(journal);
        }
        Ok(state)
    }

    fn add(&mut self, unit: usize, totals: Totals) -> io::Result<()> {
        self.is_done[unit] = true;
        self.totals.add(totals.clone());
        let totals = totals.0.into_iter().collect();
        match &self.journal {
            Some(journal) => journal.add(&Counts { unit, totals }),
            None => Ok(()),
        }
    }

    fn todo(&self) -> Vec<usize> {
        let units = 0..self.is_done.len();
        units.filter(|&unit| !self.is_done[unit]).collect()
    }

    fn number_done(&self) -> usize {
        self.is_done.iter().filter(|&&is_done| is_done).count()
    }
}

/// Returns whether a tally from a file is possible, and so small that sums can't overflow.
fn is_consistent(census: &Census, tally: &Tally) -> bool {
    tally.boards.max(tally.fixed) >> 96 == 0
        && tally.first.as_ref().is_none_or(|first| census.has(first))
}

/// Describes the census, as in `jimmy 4x4, o 1, g 1`. The version is empty, since the counts do not depend on it.
fn settings(census: &Census, max_states: Option<u64>) -> RunSettings {
    let (kind, grid) = (census.kind(), census.kind().grid());
    let mut text = format!("{} {}x{}", kind.ruleset(), grid.rows(), grid.cols());
    for (glyph, number) in kind.actors() {
        text += &format!(", {glyph} {number}");
    }
    if let Some(states) = max_states {
        text += &format!(", at most {states} states");
    }
    RunSettings {
        version: String::new(),
        paths: Vec::new(),
        flags: vec![text],
    }
}
