//! `getaway simulate`: lets a policy or programs play a board, once with a trace or many times with statistics.

mod kept;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::agents::Errors;
use crate::game::Plan;
use crate::limits::Limit;
use crate::play::agent::TURNS;
use crate::play::external::ExternalAgents;
use crate::play::simulation::Simulator;
use crate::rng::Rng;
use anyhow::{Result, bail};

use super::trace::{finish, writer};
use crate::cli::agents::agents;
use crate::cli::args::{Color, Simulate, name_of};
use crate::cli::entrants::{Entrant, entrant};
use crate::cli::games::{Game, Luck, Series, Tally};
use crate::cli::one_board::{OneBoard, Opened, Output};
use crate::cli::options::Options;
use crate::cli::output::progress::Progress;
use crate::cli::output::statistics::Games;
use crate::cli::output::trace::MovesFrom;
use kept::Kept;

pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, args.threads.threads)?;
    options.order = args.shortest.order();
    let entrant = entrant(&args.agents)?;
    if let Some(strategy) = entrant.strategy {
        options.set_header("strategy", strategy);
    }
    let one = OneBoard::new(&args.board.file, &options, color).with_output(Output::of(args.json));
    one.run(|opened| board((args, &entrant), &one, opened))
}

fn board(
    (args, entrant): (&Simulate, &Entrant),
    one: &OneBoard,
    opened: &Opened,
) -> Result<ExitCode> {
    let given = opened.given;
    let limits = opened.puzzle.limits_left();
    let errors = args.runs.map_or(Errors::Shown, |_| Errors::Kept);
    let board = (opened.ruleset, opened.puzzle);
    let agents = agents(
        &entrant.commands,
        board,
        (&args.agents.manner, errors, limits),
    )?;
    if entrant.has_runner() && args.game.moves.is_some() {
        bail!("`--moves` are the runner's moves, and `--runner` chooses others: give one of them");
    }
    let (moves, chasers) = if entrant.has_runner() {
        (None, None)
    } else {
        given.unless(args.game.moves.as_deref())
    };
    let plan = Plan {
        moves,
        chasers,
        policy: entrant.policy.unwrap_or_default(),
        limits,
        external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
        order: one.options.order,
        ..Plan::default()
    };
    let runs = Runs {
        args,
        turns: args.game.turns.unwrap_or(TURNS),
        seed: args.game.seed.or(given.seed).unwrap_or_else(fresh_seed),
    };
    match opened.game.simulator(&plan) {
        Ok(simulator) if args.runs.is_some() => runs.many(one, opened, (&*simulator, &plan)),
        Ok(simulator) => runs.one(one, opened, &*simulator),
        Err(error) => {
            let from = MovesFrom::of(args.game.moves.as_deref());
            let mut out = io::stdout().lock();
            let layout = (&args.layout, Output::of(args.json));
            let mut writer = writer(layout, one, opened, (from, &mut out))?;
            finish(Err(error), &mut writer, (one, opened), from)
        }
    }
}

/// A random seed, short enough to be typed again.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

struct Runs<'a> {
    args: &'a Simulate,
    turns: usize,
    seed: u64,
}

impl Runs<'_> {
    fn one(&self, one: &OneBoard, opened: &Opened, simulator: &dyn Simulator) -> Result<ExitCode> {
        let from = MovesFrom::of(self.args.game.moves.as_deref());
        let mut out = BufWriter::new(io::stdout().lock());
        let layout = (&self.args.layout, Output::of(self.args.json));
        let mut writer = writer(layout, one, opened, (from, &mut out))?;
        let rng = Rng::new(self.seed);
        let result = simulator.play(rng, self.turns, Some(&mut writer));
        let gathered = result.as_ref().ok().and_then(|result| result.gathered);
        let ending = result.map(|result| result.ending);
        let code = finish(ending, &mut writer, (one, opened), from)?;
        drop(writer);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(
        &self,
        one: &OneBoard,
        opened: &Opened,
        (simulator, plan): (&dyn Simulator, &Plan),
    ) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let pool = one.options.pool()?;
        let bar = Progress::where_wanted(|| Progress::of(runs, "games"));
        let series = Series {
            seed: self.seed,
            runs,
            turns: self.turns,
            luck: self.args.keep.as_ref().map_or(Luck::Shared, |_| Luck::Own),
            max_forfeits: self.args.forfeits.max_forfeits,
            limits: plan.limits,
        };
        let none = || Many {
            games: Games::of_turns(self.turns),
            kept: self.args.keep.as_ref().map(|_| Kept::default()),
        };
        let all = pool.install(|| series.play(simulator, none, &bar));
        bar.finish();
        if let Some(fault) = all.fault(&series)? {
            writeln!(io::stderr(), "{fault}")?;
        }
        if let (Some(folder), Some(kept)) = (&self.args.keep, &all.tally.kept) {
            kept.write(folder, (one, opened), self.seed)?;
        }
        self.tell(all.tally.games, plan)
    }

    fn tell(&self, games: Games, plan: &Plan) -> Result<ExitCode> {
        let (runs, done) = (self.args.runs.unwrap_or(1), games.count());
        let runner = self.args.agents.roles.runner.first().cloned();
        let policy = runner.unwrap_or_else(|| policy_name(plan));
        let statistics = games.statistics(self.seed, &policy);
        let mut out = io::stdout().lock();
        if self.args.json {
            crate::puzzle::written::to_writer(&mut out, &statistics)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", statistics.text())?;
        }
        if done == runs {
            return Ok(ExitCode::SUCCESS);
        }
        let limit = plan.limits.check_time().err().unwrap_or(Limit::Interrupt);
        writeln!(io::stderr(), "{limit} after {done} of {runs} games")?;
        Ok(ExitCode::from(3))
    }
}

struct Many {
    games: Games,
    /// `None` without `--keep`.
    kept: Option<Kept>,
}

impl Tally for Many {
    fn add(&mut self, game: Game) {
        self.games.add(game.result);
        if let Some(kept) = &mut self.kept {
            kept.add(game);
        }
    }

    fn and(self, others: Self) -> Self {
        Self {
            games: self.games.and(others.games),
            kept: self
                .kept
                .zip(others.kept)
                .map(|(own, other)| own.and(other)),
        }
    }
}

fn policy_name(plan: &Plan) -> String {
    match plan.moves {
        Some(_) => "moves".to_owned(),
        None => name_of(&plan.policy),
    }
}
