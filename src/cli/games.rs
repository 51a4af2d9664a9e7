//! Plays many games on one board in parallel.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, anyhow, bail};
use getaway_board::limits::{Limit, Limits};
use getaway_board::rng::Rng;
use getaway_play::simulation::Simulator;
use getaway_play::trace::{Ending, GameResult, TraceError};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::output::progress::Progress;
use super::output::statistics::Games;
use getaway_board::words::safe;

#[derive(Clone, Copy, Debug)]
pub struct Series<'l> {
    pub seed: u64,
    pub runs: u64,
    pub max_turns: usize,
    pub limits: Limits<'l>,
}

#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub number: u64,
    pub result: GameResult,
}

impl PlayedGame {
    fn fault(&self) -> Option<String> {
        let Ending::Forfeited { fault, .. } = &self.result.ending else {
            return None;
        };
        let (number, fault) = (self.number, safe(&fault.to_string()));
        Some(format!("game {number} was forfeited: {fault}"))
    }
}

/// The number of games whose results are in memory at a time.
const BATCH: u64 = 1 << 10;

/// The number of forfeits after which no more games begin. A program that forfeits so often is broken, so the rest would only
/// cost time.
const MAX_FORFEITS: u64 = 10;

impl Series<'_> {
    /// Plays the games, or stops at a limit, and passes them to `each` in order. Returns their results and the reason for the
    /// first forfeit. [`MAX_FORFEITS`] forfeits are an error.
    pub fn play(
        &self,
        pool: &ThreadPool,
        simulator: &dyn Simulator,
        each: &mut dyn FnMut(PlayedGame),
    ) -> Result<(Games, Option<String>)> {
        let bar = Progress::on_terminal(|| Progress::of(self.runs, "games"));
        let forfeits = AtomicU64::new(0);
        let is_over = || forfeits.load(Ordering::Relaxed) >= MAX_FORFEITS;
        let goes_on = || !is_over() && self.limits.check_time().is_ok();
        let play = |number| {
            let game = self.game(simulator, number)?;
            bar.advance(1);
            let is_forfeited = game.as_ref().is_some_and(|game| game.fault().is_some());
            forfeits.fetch_add(is_forfeited.into(), Ordering::Relaxed);
            Ok(game)
        };
        let (mut all, mut first) = (Games::of_turns(self.max_turns), None);
        for start in (0..self.runs).step_by(BATCH as usize) {
            let numbers = (start..self.runs.min(start + BATCH))
                .into_par_iter()
                .take_any_while(|_| goes_on());
            let games: Result<Vec<_>, TraceError> = pool.install(|| numbers.map(play).collect());
            let games = games.map_err(|error| {
                bar.finish();
                anyhow!("{}", safe(&error.to_string()))
            })?;
            for game in games.into_iter().flatten() {
                all.add(&game.result);
                first = first.or_else(|| game.fault());
                each(game);
            }
            if !goes_on() {
                break;
            }
        }
        bar.finish();
        match first {
            Some(fault) if is_over() => bail!("{fault}; stopped after {MAX_FORFEITS} forfeits"),
            first => Ok((all, first)),
        }
    }

    /// Returns the limit that ended the games, unless all have been played.
    pub fn limit(&self, games: &Games) -> Option<Limit> {
        let limit = || self.limits.check_time().err().unwrap_or(Limit::Interrupt);
        (games.count() < self.runs).then(limit)
    }

    fn game(
        &self,
        simulator: &dyn Simulator,
        number: u64,
    ) -> Result<Option<PlayedGame>, TraceError> {
        let rng = Rng::of_run(self.seed, number);
        match simulator.play(rng, self.max_turns, None) {
            Err(TraceError::Undecided(_)) => Ok(None),
            result => Ok(Some(PlayedGame {
                number,
                result: result?,
            })),
        }
    }
}
