//! Many games on one board, side by side.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Result, bail};
use getaway::limits::Limits;
use getaway::play::policy::Player;
use getaway::play::trace::{Ending, GameResult, TraceError};
use getaway::rng::Rng;
use rayon::prelude::*;

use super::output::progress::Progress;
use super::output::words::{count, safe};

/// Which games are played.
#[derive(Clone, Copy, Debug)]
pub struct Series<'l> {
    /// What their luck comes from: game `n` is the same on any number of threads.
    pub seed: u64,
    /// How many there are.
    pub runs: u64,
    /// The most turns of each.
    pub turns: usize,
    /// When so many were forfeited, no more are played.
    pub max_forfeits: u64,
    /// What breaks them off.
    pub limits: Limits<'l>,
}

/// What is kept of games. It must not matter in which order they are added.
pub trait Tally: Send {
    /// Game number `run`, from 0, is over.
    fn add(&mut self, run: u64, result: &GameResult);

    /// These games and others.
    #[must_use]
    fn and(self, others: Self) -> Self;
}

/// Games that were played.
pub struct Played<T> {
    /// What was kept of them.
    pub tally: T,
    forfeits: u64,
    /// The number of the first that was forfeited, from 0, and why.
    first_fault: Option<(u64, String)>,
    /// Why games can't be played.
    error: Option<String>,
}

impl<T: Tally> Played<T> {
    fn add(&mut self, run: u64, result: &GameResult) {
        self.tally.add(run, result);
        if let Ending::Forfeited { fault, .. } = &result.ending {
            self.forfeits += 1;
            let fault = (run, fault.to_string());
            let known = self.first_fault.take();
            self.first_fault = known.into_iter().chain([fault]).min();
        }
    }

    fn and(self, others: Self) -> Self {
        let faults = [self.first_fault, others.first_fault];
        Self {
            tally: self.tally.and(others.tally),
            forfeits: self.forfeits + others.forfeits,
            first_fault: faults.into_iter().flatten().min(),
            error: self.error.or(others.error),
        }
    }
}

impl<T> Played<T> {
    /// Why the first game was forfeited, if any was.
    ///
    /// # Errors
    ///
    /// If games can't be played, or too many were forfeited.
    pub fn fault(&self, series: &Series) -> Result<Option<String>> {
        if let Some(error) = &self.error {
            bail!("{}", safe(error));
        }
        let Some((game, fault)) = &self.first_fault else {
            return Ok(None);
        };
        let fault = format!("game {game} was forfeited: {}", safe(fault));
        if self.forfeits >= series.max_forfeits {
            let most = count(series.max_forfeits, "game");
            bail!("{fault}; no more games after {most} that ended so (`--max-forfeits`)");
        }
        Ok(Some(fault))
    }
}

impl Series<'_> {
    /// All games, on the threads of the pool that this is called in, up to the first that a limit breaks off.
    pub fn play<T: Tally>(
        &self,
        player: &dyn Player,
        none: impl Fn() -> T + Send + Sync,
        bar: &Progress,
    ) -> Played<T> {
        let forfeits = AtomicU64::new(0);
        let is_over = AtomicBool::new(false);
        let play = |mut played: Played<T>, run| {
            match player.play(&mut Rng::of_run(self.seed, run), self.turns, None) {
                Ok(result) => {
                    played.add(run, &result);
                    let is_forfeited = matches!(result.ending, Ending::Forfeited { .. });
                    let before = forfeits.fetch_add(is_forfeited.into(), Ordering::Relaxed);
                    if is_forfeited && before + 1 >= self.max_forfeits {
                        is_over.store(true, Ordering::Relaxed);
                    }
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
        let nothing = || Played {
            tally: none(),
            forfeits: 0,
            first_fault: None,
            error: None,
        };
        let goes_on = || self.limits.time_is_up().is_none() && !is_over.load(Ordering::Relaxed);
        (0..self.runs)
            .into_par_iter()
            .take_any_while(|_| goes_on())
            .fold(nothing, play)
            .reduce(nothing, Played::and)
    }
}
