//! `getaway simulate`: a board played by a policy, once with its trace, or many times with statistics.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use getaway::game::{Game, Given, Player, TraceError};
use getaway::limits::Limit;
use getaway::play::rollout::{Conduct, Named};
use getaway::puzzle::Puzzle;
use getaway::rng::Rng;
use rayon::prelude::*;

use super::trace::{finish, narrator};
use crate::cli::args::{Color, PolicyName, Simulate};
use crate::cli::one_board::OneBoard;
use crate::cli::options::{Options, Share};
use crate::cli::output::progress::Progress;
use crate::cli::output::statistics::Games;

/// Plays the board that was asked for.
pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, args.threads)?;
    let single = OneBoard::new(&args.board.file, &options, color);
    single.run(|puzzle, game| board(args, &single, puzzle, game))
}

fn board(args: &Simulate, single: &OneBoard, puzzle: &Puzzle, game: &dyn Game) -> Result<ExitCode> {
    let given = match Given::of(puzzle) {
        Ok(given) => given,
        Err(fault) => return Ok(single.print_error(&fault.into())),
    };
    let conduct = Conduct {
        moves: args
            .moves
            .as_deref()
            .or(given.moves.filter(|_| args.policy.is_none())),
        policy: args.policy.map_or(Named::Solver, PolicyName::named),
        order: single.options.order,
        limits: single.options.limits(Share::All),
    };
    let plan = Runs {
        args,
        seed: args.seed.or(given.seed).unwrap_or_else(fresh_seed),
    };
    match game.player(&conduct) {
        Ok(player) if args.runs.is_some() => plan.many(&*player, &conduct),
        Ok(player) => plan.one(single, puzzle, &*player),
        Err(error) => {
            let mut out = io::stdout().lock();
            let mut teller = narrator(args.json, single, puzzle, &mut out);
            finish(
                Err(error),
                &mut *teller,
                (single, puzzle),
                args.moves.is_some(),
            )
        }
    }
}

/// A seed that nobody has asked for; it is kept short, so that it can be typed again.
fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

/// What is to be played.
struct Runs<'a> {
    args: &'a Simulate,
    seed: u64,
}

impl Runs<'_> {
    fn one(&self, single: &OneBoard, puzzle: &Puzzle, player: &dyn Player) -> Result<ExitCode> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut teller = narrator(self.args.json, single, puzzle, &mut out);
        let rng = &mut Rng::new(self.seed);
        let bout = player.play(rng, self.args.turns, Some(&mut *teller));
        let gathered = bout.as_ref().ok().and_then(|bout| bout.gathered);
        let ending = bout.map(|bout| bout.ending);
        let code = finish(
            ending,
            &mut *teller,
            (single, puzzle),
            self.args.moves.is_some(),
        )?;
        drop(teller);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(&self, player: &dyn Player, conduct: &Conduct) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(conduct.limits.threads)
            .build()?;
        let bar = if Progress::is_wanted() {
            Progress::of_games(runs)
        } else {
            Progress::hidden()
        };
        let games = pool.install(|| self.play_all((player, conduct), runs, &bar));
        bar.finish();
        let done = games.count();
        let statistics = games.statistics(self.seed, policy_name(conduct));
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
        let limit = conduct.limits.time_is_up().unwrap_or(Limit::Interrupt);
        writeln!(io::stderr(), "{limit} after {done} of {runs} games")?;
        Ok(ExitCode::from(3))
    }

    /// All games, each with a luck of its own, up to the first that a limit breaks off.
    fn play_all(
        &self,
        (player, conduct): (&dyn Player, &Conduct),
        runs: u64,
        bar: &Progress,
    ) -> Games {
        let none = || Games::of_turns(self.args.turns);
        let play = |mut games: Games, run| {
            let rng = &mut Rng::of_run(self.seed, run);
            match player.play(rng, self.args.turns, None) {
                Ok(bout) => games.add(&bout),
                // Silence does not fail, so only a limit can have ended the game.
                Err(error) => debug_assert!(matches!(error, TraceError::Undecided(_))),
            }
            if run % 256 == 0 {
                bar.advance_games(256);
            }
            games
        };
        (0..runs)
            .into_par_iter()
            .take_any_while(|_| conduct.limits.time_is_up().is_none())
            .fold(none, play)
            .reduce(none, Games::and)
    }
}

const fn policy_name(conduct: &Conduct) -> &'static str {
    match (conduct.moves, conduct.policy) {
        (Some(_), _) => "moves",
        (None, Named::Solver) => "solver",
        (None, Named::Greedy) => "greedy",
        (None, Named::Random) => "random",
        (None, Named::Stay) => "stay",
    }
}
