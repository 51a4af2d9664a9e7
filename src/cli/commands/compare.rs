//! `getaway compare`: compares policies and programs on the same boards with the same luck.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use console::Term;
use getaway_board::fault::BoardError;
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::{Origin, Puzzle};
use getaway_play::agent::{Policy, TURNS};
use getaway_play::external::ExternalAgents;
use getaway_play::solution::{Evidence, Verdict};
use getaway_play::trace::{Ending, RUNNER, TraceError};
use getaway_solvers::game::{Game, Plan};
use serde_json::{Value, json};

use super::simulate::fresh_seed;
use crate::cli::agents::{AgentLimitArgs, Entrant, RoleArgs, board_info, entrants};
use crate::cli::args::{Color, ErrorArgs, SearchArgs, ThreadArgs};
use crate::cli::games::Series;
use crate::cli::inputs::{Input, for_each_board};
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::comparison::{BoardComparison, Comparison, EntrantRow};
use crate::cli::output::printer::Errors;
use crate::cli::output::progress::Progress;
use crate::cli::output::report;
use crate::cli::output::statistics::Games;
use crate::cli::output::text;
use crate::cli::pipeline::Writer as _;
use crate::cli::{exit, output_file};
use getaway_board::words::{path_name, safe};
use getaway_solvers::answers::points;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every runner plays against every choice of chasers, with the same boards and the same luck in each game. Differences \
are tested game by game with McNemar's exact test and Holm's correction for the number of comparisons. The results \
hold for these boards.

Examples:
  getaway compare --runner greedy --runner 'python3 mine.py' level.txt
  getaway compare --runner ./a --runner ./b --runs 99 levels/*.txt
  getaway compare --ghost chase --ghost cooldown --ghost ./sly level.txt")]
pub struct Compare {
    /// Board files, or boards as FILE#N or FILE#ID; `-` is standard input.
    ///
    /// N counts from 1.
    #[arg(required = true, value_name = "FILE", hide_short_help = true)]
    pub files: Vec<PathBuf>,
    /// Play N games on each board.
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// The seed for chance [default: new, and printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    ///
    /// A longer game counts as unfinished.
    #[arg(long, value_name = "N", default_value_t = TURNS, hide_short_help = true)]
    pub turns: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values with a header.
    ///
    /// A line follows for each board and entrant.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Write marks and a leaderboard for Gradescope.
    ///
    /// The first runner is marked: it gets its escape rate times the board's `points`. A runner that forfeits too often
    /// loses all its games on that board.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report::gradescope_file)]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub errors: ErrorArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub roles: RoleArgs,
    #[command(flatten)]
    pub limits: AgentLimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Compare, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, args.threads.threads)?;
    if let Some(path) = &args.report {
        output_file::check(path)?;
    }
    let mut entrants = entrants(&args.roles)?;
    if entrants[0].name.is_empty() {
        Policy::Solver.name().clone_into(&mut entrants[0].name);
    }
    let mut contest = Contest {
        args,
        errors: Errors::new(
            args.errors.max_errors,
            colors(color, &io::stderr()),
            Progress::hidden(),
        ),
        options: &options,
        entrants: &entrants,
        seed: args.seed.unwrap_or_else(fresh_seed),
        pool: options.pool()?,
        boards: Vec::new(),
        has_fault: false,
        limit: None,
        is_unfinished: false,
    };
    args.files.iter().all(|file| contest.file(file));
    contest.errors.finish()?;
    contest.finish()
}

/// Returns a report without tests, with a score of 0 and the reason `why`.
fn unmarked(why: &str) -> Value {
    let mut results = report::gradescope_head(0.0, why);
    results["tests"] = json!([]);
    results
}

fn print(args: &Compare, comparison: &Comparison) -> Result<()> {
    let text = match () {
        () if args.json => comparison.json()?,
        () if args.csv => comparison.csv()?,
        () => text::fitted(comparison.text(), text::width(&Term::stdout())),
    };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// The games played, the numbers of those that the runner won, by an escape or because a chaser's program forfeited, and the reason
/// for the first forfeit.
type Played = (Games, Vec<u64>, Option<String>);

struct Contest<'a> {
    args: &'a Compare,
    errors: Errors,
    options: &'a Options,
    entrants: &'a [Entrant],
    seed: u64,
    pool: rayon::ThreadPool,
    boards: Vec<BoardComparison>,
    has_fault: bool,
    /// The first limit that kept a board out of the comparison.
    limit: Option<Limit>,
    /// True if a limit ended a game of a board that was compared.
    is_unfinished: bool,
}

impl Contest<'_> {
    /// Plays the boards of a file. Returns whether to go on with the next file.
    fn file(&mut self, path: &Path) -> bool {
        let (name, input) = (path_name(path), Input::of(path));
        let (options, mut goes_on) = (self.options, true);
        let read = for_each_board(&input, options, Share::All, &mut |puzzle, number, read| {
            let address = match (&input, number) {
                (Input::Board(..), _) | (_, 1) => name.clone(),
                _ => format!("{name}#{number}"),
            };
            let read = read.map_err(Into::into);
            let played = read.and_then(|()| self.board(&address, puzzle));
            goes_on = self.report(&input, &address, played);
            goes_on
        });
        let read = read.map(drop).context(name.clone());
        goes_on && self.report(&input, &name, read)
    }

    /// Reports what keeps a board out of the comparison. Returns whether to go on with the next board.
    fn report(&mut self, input: &Input, address: &str, played: Result<()>) -> bool {
        let Err(error) = played else {
            return true;
        };
        let errors = &mut self.errors;
        let board = error.downcast_ref::<BoardError>();
        let limit = board.and_then(BoardError::limit);
        if let Some(limit) = limit.or_else(|| error.downcast_ref().copied()) {
            errors.line(&format!("{address}: {limit} before all games were played"));
            self.limit.get_or_insert(limit);
            return limit != Limit::Interrupt;
        }
        match board {
            Some(board) => errors.board(&input.path().to_string_lossy(), board, ""),
            None => errors.error(&format!("{error:#}")),
        }
        self.has_fault = true;
        true
    }

    /// Prints the comparison, and writes the report.
    fn finish(self) -> Result<ExitCode> {
        let is_open = self.limit.is_some() || self.is_unfinished;
        let args = self.args;
        let comparison =
            (!self.boards.is_empty()).then(|| Comparison::new(self.seed, args.runs, self.boards));
        if let Some(comparison) = &comparison {
            print(args, comparison)?;
        }
        let why = match self.limit {
            Some(limit) => format!("{limit} before all games were played"),
            None => "there is no board to compare on".to_owned(),
        };
        if let Some(path) = &args.report {
            let results = match &comparison {
                Some(comparison) if self.limit.is_none() => comparison.gradescope(),
                // An old report must not remain.
                _ => unmarked(&why),
            };
            output_file::write(path, |out| Ok(writeln!(out, "{results}")?))?;
        }
        match comparison {
            _ if self.has_fault => Ok(exit::wrong()),
            _ if is_open => Ok(exit::undecided()),
            Some(_) => Ok(ExitCode::SUCCESS),
            None => bail!(why),
        }
    }

    fn board(&mut self, address: &str, puzzle: &Puzzle) -> Result<()> {
        let points = points(puzzle).map_err(BoardError::from)?;
        let (ruleset, game) = self.options.read(puzzle)?;
        let warnings = self.options.warnings(ruleset, &*game, puzzle)?;
        self.errors.warnings(address, &warnings);
        let mut best = BTreeMap::new();
        let entrants = self.entrants;
        let row = |entrant| self.row(entrant, address, puzzle, &mut best);
        let rows = entrants.iter().map(row).collect::<Result<_>>()?;
        let mut by_rule = entrants.iter().filter(|entrant| entrant.is_by_rule());
        self.boards.push(BoardComparison {
            rows,
            address: address.to_owned(),
            points,
            lacks_best: by_rule.any(|entrant| best[&entrant.strategy].is_none()),
        });
        Ok(())
    }

    /// Lets an entrant play a board, and returns its results. `best` has the best possible escape rate for each strategy tried
    /// so far, or `None` if it is unknown.
    fn row(
        &mut self,
        entrant: &Entrant,
        address: &str,
        puzzle: &Puzzle,
        best: &mut BTreeMap<Option<&'static str>, Option<f64>>,
    ) -> Result<EntrantRow> {
        let limits = puzzle.limits_left();
        let mut own = puzzle.clone();
        if let Some(strategy) = entrant.strategy {
            own.set_header("strategy", strategy, Origin::Override);
        }
        let (ruleset, game) = self.options.read(&own)?;
        let best = best.entry(entrant.strategy);
        let best = *best.or_insert_with(|| best_possible(&*game, self.options, &limits));
        let name = format!("{address}: {}", safe(&entrant.name));
        let agents = entrant.agents(board_info(ruleset, &own), &self.args.limits, limits);
        let plan = Plan {
            policy: entrant.policy.unwrap_or_default(),
            limits,
            external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
            ..Plan::default()
        };
        let played = self.games(&*game, &plan, &name);
        let (games, escapes, fault) = played.with_context(|| name)?;
        let best = best.filter(|_| entrant.is_by_rule());
        Ok(EntrantRow::new(&entrant.name, games, escapes, best, fault))
    }

    /// Plays the games of an entrant. With `--report`, if all programs are runners, an error such as too many forfeits makes them
    /// forfeit all games.
    fn games(&mut self, game: &dyn Game, plan: &Plan, name: &str) -> Result<Played> {
        let args = self.args;
        let series = Series {
            seed: self.seed,
            runs: args.runs,
            max_turns: args.turns,
            limits: plan.limits,
        };
        let simulator = game.simulator(plan).map_err(|error| match error {
            TraceError::Undecided(limit) => limit.into(),
            error => anyhow!("{}", safe(&error.to_string())),
        })?;
        let mut escapes = Vec::new();
        let played = series.play(&self.pool, &*simulator, &mut |game| {
            escapes.extend(has_won(&game.result.ending).then_some(game.number));
        });
        let is_runners =
            |agents: &dyn ExternalAgents| agents.roles().iter().all(|&role| role == RUNNER);
        let (games, fault) = match played {
            Err(fault) if args.report.is_some() && plan.external.is_some_and(is_runners) => {
                escapes.clear();
                let games = Games::all_forfeited(args.turns, args.runs);
                (games, Some(fault.to_string()))
            }
            played => played?,
        };
        if let Some(fault) = &fault {
            self.errors.line(&format!("{name}: {fault}"));
        }
        if let Some(limit) = series.limit(&games) {
            return Err(limit.into());
        }
        if let Some(limit) = games.limit {
            let _ = writeln!(io::stderr(), "{name}: games unfinished: {limit}");
            self.is_unfinished = true;
        }
        Ok((games, escapes, fault))
    }
}

fn best_possible(game: &dyn Game, options: &Options, limits: &Limits) -> Option<f64> {
    game.solvable().ok()?;
    let solution = game.solve(options.order, limits);
    match (solution.verdict(), &solution.evidence) {
        (_, Evidence::Chance { .. }) => solution.evidence.probability(),
        (Verdict::Escape, _) => Some(1.0),
        (Verdict::Caught, _) => Some(0.0),
        _ => None,
    }
}

fn has_won(ending: &Ending) -> bool {
    match ending {
        Ending::Escaped { .. } => true,
        Ending::Forfeited { fault, .. } => !fault.is_runners(),
        _ => false,
    }
}
