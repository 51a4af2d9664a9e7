//! `getaway simulate`: a board played by a policy, once with its trace, or many times with statistics.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Result, bail};
use getaway::agents::Errors;
use getaway::limits::Limit;
use getaway::play::outside::Outside;
use getaway::play::policy::Player;
use getaway::play::policy::{PolicyKind, PolicySpec};
use getaway::play::trace::{Ending, GameResult, TraceError};
use getaway::rng::Rng;
use rayon::prelude::*;

use super::trace::{Layout, finish, writer};
use crate::cli::agents::agents;
use crate::cli::args::{Color, PolicyName, Simulate};
use crate::cli::one_board::{OneBoard, Opened, Output};
use crate::cli::options::Options;
use crate::cli::output::progress::Progress;
use crate::cli::output::statistics::Games;
use crate::cli::output::trace::MovesFrom;
use crate::cli::output::words::{count, safe};

/// Plays the board that was asked for.
pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, args.threads)?;
    let one = OneBoard::new(&args.board.file, &options, color).with_output(Output::of(args.json));
    one.run(|opened| board(args, &one, opened))
}

fn board(args: &Simulate, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let given = opened.given;
    let limits = opened.puzzle.limits_left();
    let errors = args.runs.map_or(Errors::Shown, |_| Errors::Kept);
    let commands = args.agents.commands();
    let agents = agents(&commands, opened, (&args.agents.manner, errors, limits))?;
    let is_own_way = args.policy.is_some() || args.agents.runner.is_some();
    let spec = PolicySpec {
        moves: args
            .moves
            .as_deref()
            .or(given.moves.filter(|_| !is_own_way)),
        policy: args.policy.map_or(PolicyKind::Solver, PolicyName::kind),
        limits,
        outside: agents.as_ref().map(|agents| agents as &dyn Outside),
    };
    let runs = Runs {
        args,
        seed: args.seed.or(given.seed).unwrap_or_else(fresh_seed),
    };
    match opened.game.player(&spec, one.options.order) {
        Ok(player) if args.runs.is_some() => runs.many(&*player, &spec),
        Ok(player) => runs.one(one, opened, &*player),
        Err(error) => {
            let from = MovesFrom::of(args.moves.as_deref());
            let mut out = io::stdout().lock();
            let layout = Layout::of(&args.layout, Output::of(args.json))?;
            let mut writer = writer(layout, one, opened, (from, &mut out));
            finish(Err(error), &mut *writer, (one, opened), from)
        }
    }
}

/// A seed that nobody has asked for; it is kept short, so that it can be typed again.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

/// What is to be played.
struct Runs<'a> {
    args: &'a Simulate,
    seed: u64,
}

impl Runs<'_> {
    fn one(&self, one: &OneBoard, opened: &Opened, player: &dyn Player) -> Result<ExitCode> {
        let from = MovesFrom::of(self.args.moves.as_deref());
        let mut out = BufWriter::new(io::stdout().lock());
        let layout = Layout::of(&self.args.layout, Output::of(self.args.json))?;
        let mut writer = writer(layout, one, opened, (from, &mut out));
        let rng = &mut Rng::new(self.seed);
        let result = player.play(rng, self.args.turns, Some(&mut *writer));
        let gathered = result.as_ref().ok().and_then(|result| result.gathered);
        let ending = result.map(|result| result.ending);
        let code = finish(ending, &mut *writer, (one, opened), from)?;
        drop(writer);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(&self, player: &dyn Player, spec: &PolicySpec) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(spec.limits.threads)
            .build()?;
        let bar = if Progress::is_wanted() {
            Progress::of_games(runs)
        } else {
            Progress::hidden()
        };
        let played = pool.install(|| self.play_all((player, spec), runs, &bar));
        bar.finish();
        self.tell(played, spec)
    }

    /// Prints what came of the games.
    fn tell(&self, played: Played, spec: &PolicySpec) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let most = self.args.agents.manner.max_forfeits;
        if let Some(error) = played.error {
            bail!("{}", safe(&error));
        }
        if let Some((game, fault)) = &played.first_fault {
            let fault = format!("game {game} was forfeited: {}", safe(fault));
            if played.games.forfeits() >= most {
                bail!(
                    "{fault}; {} came to nothing in this way (`--max-forfeits`)",
                    count(most, "game")
                );
            }
            writeln!(io::stderr(), "{fault}")?;
        }
        let done = played.games.count();
        let policy = self.args.agents.runner.as_deref();
        let policy = policy.unwrap_or_else(|| policy_name(spec));
        let statistics = played.games.statistics(self.seed, policy);
        let mut out = io::stdout().lock();
        if self.args.json {
            serde_json::to_writer(&mut out, &statistics)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", statistics.text())?;
        }
        if done == runs {
            return Ok(ExitCode::SUCCESS);
        }
        let limit = spec.limits.time_is_up().unwrap_or(Limit::Interrupt);
        writeln!(io::stderr(), "{limit} after {done} of {runs} games")?;
        Ok(ExitCode::from(3))
    }

    /// All games, each with a luck of its own, up to the first that a limit breaks off.
    fn play_all(
        &self,
        (player, spec): (&dyn Player, &PolicySpec),
        runs: u64,
        bar: &Progress,
    ) -> Played {
        let forfeits = AtomicU64::new(0);
        let is_over = AtomicBool::new(false);
        let play = |mut played: Played, run| {
            let rng = &mut Rng::of_run(self.seed, run);
            match player.play(rng, self.args.turns, None) {
                Ok(result) => {
                    if matches!(result.ending, Ending::Forfeited { .. })
                        && forfeits.fetch_add(1, Ordering::Relaxed) + 1
                            >= self.args.agents.manner.max_forfeits
                    {
                        is_over.store(true, Ordering::Relaxed);
                    }
                    played.add(run, &result);
                }
                Err(TraceError::Undecided(_)) => {}
                Err(error) => {
                    played.error = Some(error.to_string());
                    is_over.store(true, Ordering::Relaxed);
                }
            }
            if run % 256 == 0 {
                bar.advance_games(256);
            }
            played
        };
        let none = || Played::of_turns(self.args.turns);
        (0..runs)
            .into_par_iter()
            .take_any_while(|_| {
                spec.limits.time_is_up().is_none() && !is_over.load(Ordering::Relaxed)
            })
            .fold(none, play)
            .reduce(none, Played::and)
    }
}

/// Games that were played.
struct Played {
    games: Games,
    /// The number of the first game that was forfeited, from 0, and why.
    first_fault: Option<(u64, String)>,
    /// Why games can't be played.
    error: Option<String>,
}

impl Played {
    const fn of_turns(most: usize) -> Self {
        Self {
            games: Games::of_turns(most),
            first_fault: None,
            error: None,
        }
    }

    fn add(&mut self, run: u64, result: &GameResult) {
        self.games.add(result);
        if let (Ending::Forfeited { fault, .. }, None) = (&result.ending, &self.first_fault) {
            self.first_fault = Some((run, fault.to_string()));
        }
    }

    fn and(self, others: Self) -> Self {
        let faults = [self.first_fault, others.first_fault];
        Self {
            games: self.games.and(others.games),
            first_fault: faults.into_iter().flatten().min(),
            error: self.error.or(others.error),
        }
    }
}

const fn policy_name(spec: &PolicySpec) -> &'static str {
    match (spec.moves, spec.policy) {
        (Some(_), _) => "moves",
        (None, PolicyKind::Solver) => "solver",
        (None, PolicyKind::Greedy) => "greedy",
        (None, PolicyKind::Random) => "random",
        (None, PolicyKind::Stay) => "stay",
    }
}
