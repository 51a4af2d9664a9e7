//! `getaway compare`: compares policies and programs on the same boards with the same luck.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::agents::Errors;
use crate::fault::BoardError;
use crate::game::{Game, Plan};
use crate::limits::{Limit, Limits};
use crate::play::external::ExternalAgents;
use crate::play::trace::{Ending, Forfeit, GameResult, RUNNER, TraceError};
use crate::puzzle::{Origin, Puzzle};
use crate::solution::{Evidence, Verdict};
use anyhow::{Context, Result, anyhow, bail};

use super::simulate::fresh_seed;
use crate::answers::points::points;
use crate::answers::words::safe;
use crate::cli::agents::agents;
use crate::cli::args::Color;
use crate::cli::args::compare::Compare;
use crate::cli::boards::find;
use crate::cli::entrants::{Entrant, entrants};
use crate::cli::exit;
use crate::cli::games::{Game as Played, Luck, Series, Tally};
use crate::cli::inputs::{Input, failed, named_format, open};
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::comparison::{
    Board, Comparison, EntrantResult, csv, gradescope, json, plot,
};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::output::progress::Progress;
use crate::cli::output::statistics::Games;
use crate::cli::output::words::path_name;
use crate::cli::output_file;
use crate::puzzle::input;

pub fn run(args: &Compare, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, args.threads.threads)?;
    if let Some(path) = &args.report {
        output_file::check(path)?;
    }
    let entrants = entrants(&args.roles);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let pool = options.pool()?;
    let mut contest = Contest {
        args,
        diagnostics: Diagnostics::new(colors(color, &io::stderr())),
        options: &options,
        entrants: &entrants,
        seed,
        pool: &pool,
        boards: Vec::new(),
        has_fault: false,
    };
    for file in &args.files {
        if let Err(error) = contest.file(file) {
            return stopped(error);
        }
    }
    let Contest {
        boards, has_fault, ..
    } = contest;
    if !boards.is_empty() {
        let names: Vec<_> = entrants.into_iter().map(|entrant| entrant.name).collect();
        tell(args, &Comparison::new((seed, args.runs), &names, boards))?;
    } else if !has_fault {
        bail!("there is no board to compare on");
    }
    Ok(if has_fault {
        exit::wrong()
    } else {
        ExitCode::SUCCESS
    })
}

fn tell(args: &Compare, comparison: &Comparison) -> Result<()> {
    let text = match () {
        () if args.json => json::line(comparison)?,
        () if args.csv => csv::lines(comparison)?,
        () => comparison.text(),
    };
    io::stdout().write_all(text.as_bytes())?;
    if let Some(path) = &args.plot {
        let picture = plot::svg(comparison);
        output_file::write(path, |out| Ok(out.write_all(picture.as_bytes())?))?;
    }
    if let Some(path) = &args.report {
        let results = gradescope::results(comparison);
        output_file::write(path, |out| Ok(writeln!(out, "{results}")?))?;
    }
    Ok(())
}

fn stopped(error: anyhow::Error) -> Result<ExitCode> {
    let board = error.downcast_ref::<BoardError>();
    let limit = board.and_then(BoardError::limit);
    let Some(limit) = limit.or(error.downcast_ref().copied()) else {
        return Err(error);
    };
    writeln!(io::stderr(), "{limit} before all games were played")?;
    Ok(ExitCode::from(3))
}

struct Contest<'a> {
    args: &'a Compare,
    diagnostics: Diagnostics,
    options: &'a Options,
    entrants: &'a [Entrant<'a>],
    seed: u64,
    pool: &'a rayon::ThreadPool,
    boards: Vec<Board>,
    /// True if a board was left out because of a fault.
    has_fault: bool,
}

impl Contest<'_> {
    fn file(&mut self, path: &Path) -> Result<()> {
        let (name, options) = (path_name(path), self.options);
        let mut result = Ok(());
        if let Input::Board(file, wanted) = Input::of(path) {
            let found = find(&file, &wanted, (options, Share::All), &mut |puzzle, _| {
                result = self.judge(path, &name, puzzle, Ok(()));
            });
            found.with_context(|| name.clone())?;
            return result;
        }
        let most = options.max_memory(Share::All);
        let input = open(path, most).map_err(|error| failed(path, &error))?;
        let mut number = 0;
        let limits = || options.limits(Share::All);
        let format = named_format(path);
        let read = input::each((input, most), format, &limits, &mut |puzzle, read| {
            number += 1;
            let address = match number {
                1 => name.clone(),
                number => format!("{name}#{number}"),
            };
            options.apply_headers(puzzle);
            result = self.judge(path, &address, puzzle, read);
            result.is_ok()
        });
        read.map_err(|error| failed(path, &error))?;
        result
    }

    /// Plays on a board; reports and leaves out one with a fault.
    fn judge(
        &mut self,
        path: &Path,
        address: &str,
        puzzle: &Puzzle,
        read: Result<(), BoardError>,
    ) -> Result<()> {
        let result = read
            .map_err(Into::into)
            .and_then(|()| self.board(address, puzzle));
        let error = result.as_ref().err();
        match error.and_then(|error| error.downcast_ref::<BoardError>()) {
            Some(board) if board.limit().is_none() => {
                let text = self.diagnostics.board(&path.to_string_lossy(), board);
                io::stderr().write_all(text.as_bytes())?;
                self.has_fault = true;
                Ok(())
            }
            _ => result,
        }
    }

    fn board(&mut self, address: &str, puzzle: &Puzzle) -> Result<()> {
        let limits = puzzle.limits_left();
        let points = points(puzzle).map_err(BoardError::from)?;
        let (ruleset, _) = self.options.read(puzzle)?;
        let warnings = self.options.warnings(ruleset, puzzle)?;
        let warnings = self.diagnostics.warnings(address, &warnings);
        let _ = io::stderr().write_all(warnings.as_bytes());
        let mut best = BTreeMap::new();
        let mut results = Vec::new();
        for entrant in self.entrants {
            let mut own = puzzle.clone();
            if let Some(strategy) = entrant.strategy {
                own.set_header("strategy", strategy, Origin::Override);
            }
            let (ruleset, game) = self.options.read(&own)?;
            let known = best.entry(entrant.strategy);
            let known = *known.or_insert_with(|| best_possible(&*game, self.options, &limits));
            let name = format!("{address}: {}", safe(&entrant.name));
            let board = (ruleset, &own);
            let manner = (&self.args.manner, Errors::Kept, limits);
            let agents = agents(&entrant.commands, board, manner).with_context(|| name.clone())?;
            let plan = Plan {
                policy: entrant.policy.unwrap_or_default(),
                limits,
                external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
                ..Plan::default()
            };
            let games = self.games(&*game, &plan, &name);
            let (Escapes { games, escapes }, fault) = games.with_context(|| name.clone())?;
            results.push(EntrantResult {
                games,
                escapes,
                best: known.filter(|_| entrant.is_by_rule()),
                fault,
            });
        }
        self.boards.push(Board {
            address: address.to_owned(),
            points,
            results,
        });
        Ok(())
    }

    /// Plays all games of an entrant; returns also the reason for the first forfeit.
    fn games(&self, game: &dyn Game, plan: &Plan, name: &str) -> Result<(Escapes, Option<String>)> {
        let args = self.args;
        let series = Series {
            seed: self.seed,
            runs: args.runs,
            turns: args.turns,
            luck: Luck::Shared,
            max_forfeits: args.forfeits.max_forfeits,
            limits: plan.limits,
        };
        let simulator = game.simulator(plan).map_err(|error| match error {
            TraceError::Undecided(limit) => limit.into(),
            error => anyhow!("{}", safe(&error.to_string())),
        })?;
        let bar = Progress::where_wanted(|| Progress::of(args.runs, "games"));
        let none = || Escapes {
            games: Games::of_turns(args.turns),
            escapes: Vec::new(),
        };
        let all = self.pool.install(|| series.play(&*simulator, none, &bar));
        bar.finish();
        let is_runners = |agents: &dyn ExternalAgents| agents.roles() == [RUNNER];
        let fault = match all.fault(&series) {
            Err(fault) if args.report.is_some() && plan.external.is_some_and(is_runners) => {
                let _ = writeln!(io::stderr(), "{name}: {fault}");
                return Ok((Escapes::all_forfeited(args), Some(fault.to_string())));
            }
            fault => fault?,
        };
        if let Some(fault) = &fault {
            let _ = writeln!(io::stderr(), "{name}: {fault}");
        }
        if all.tally.games.count() < args.runs {
            let limit = plan.limits.check_time().err().unwrap_or(Limit::Interrupt);
            return Err(limit.into());
        }
        let mut tally = all.tally;
        tally.escapes.sort_unstable();
        Ok((tally, fault))
    }
}

/// The probability of escape under best play, if the solver can compute it.
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

struct Escapes {
    games: Games,
    escapes: Vec<u64>,
}

impl Escapes {
    /// The games of an entrant whose program can't play on.
    fn all_forfeited(args: &Compare) -> Self {
        let fault = Forfeit {
            role: RUNNER.into(),
            reason: String::new(),
        };
        let result = GameResult {
            ending: Ending::Forfeited { turns: 0, fault },
            gathered: None,
            unplayed: None,
        };
        let mut games = Games::of_turns(args.turns);
        (0..args.runs).for_each(|_| games.add(&result));
        Self {
            games,
            escapes: Vec::new(),
        }
    }
}

impl Tally for Escapes {
    fn add(&mut self, game: Played) {
        self.games.add(game.result);
        let has_won = match &game.result.ending {
            Ending::Escaped { .. } => true,
            Ending::Forfeited { fault, .. } => !fault.is_runners(),
            _ => false,
        };
        if has_won {
            self.escapes.push(game.number);
        }
    }

    fn and(mut self, mut others: Self) -> Self {
        self.escapes.append(&mut others.escapes);
        Self {
            games: self.games.and(others.games),
            escapes: self.escapes,
        }
    }
}
