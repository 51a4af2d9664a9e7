//! Plays many games on one board in parallel.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::limits::Limits;
use crate::play::simulation::Simulator;
use crate::play::trace::{Ending, GameResult, HalfTurn, TraceError, TraceSink};
use crate::rng::Rng;
use anyhow::{Result, bail};
use rayon::prelude::*;

use super::output::progress::Progress;
use crate::answers::words::{count, safe};

#[derive(Clone, Copy, Debug)]
pub struct Series<'l> {
    /// Determines each game, whatever the number of threads.
    pub seed: u64,
    pub runs: u64,
    pub turns: usize,
    pub luck: Luck,
    pub max_forfeits: u64,
    pub limits: Limits<'l>,
}

/// The source of a game's luck, determined by the seed and the game's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// A separate stream of the shared seed.
    Shared,
    /// A seed of its own, so that a board file can replay the game.
    Own,
}

#[derive(Debug)]
pub struct Game<'r> {
    pub number: u64,
    pub seed: u64,
    pub result: &'r GameResult,
    /// Empty unless the moves are recorded.
    pub line: Line,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub moves: Vec<String>,
    /// Moves of chasers controlled by a program, grouped by turn.
    pub chasers: Vec<String>,
}

#[derive(Default)]
struct Notes {
    moves: Vec<(usize, String)>,
    chasers: Vec<String>,
}

impl Notes {
    /// Returns the line to replay; after a forfeit, only its complete turns.
    fn line(self, ending: &Ending) -> Line {
        let last = match ending {
            Ending::Forfeited { turns, .. } => *turns,
            _ => usize::MAX,
        };
        let moves = self.moves.into_iter();
        let kept = moves.take_while(|(turn, _)| *turn <= last);
        Line {
            moves: kept.map(|(_, mv)| mv).collect(),
            chasers: self.chasers,
        }
    }
}

impl TraceSink for Notes {
    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.moves.extend(half.mv.clone().map(|mv| (half.turn, mv)));
        if !half.orders.is_empty() {
            self.chasers.push(half.orders.clone());
        }
        Ok(())
    }
}

/// Collects games, which may come in any order.
pub trait Tally: Send {
    fn add(&mut self, game: Game);

    #[must_use]
    fn and(self, others: Self) -> Self;
}

pub struct Played<T> {
    pub tally: T,
    forfeits: u64,
    /// The first forfeit: the game's number, from 0, and the reason.
    first_fault: Option<(u64, String)>,
    /// The reason why games can't be played.
    error: Option<String>,
}

impl<T: Tally> Played<T> {
    fn add(&mut self, game: Game) {
        if let Ending::Forfeited { fault, .. } = &game.result.ending {
            self.forfeits += 1;
            let fault = (game.number, fault.to_string());
            let known = self.first_fault.take();
            self.first_fault = known.into_iter().chain([fault]).min();
        }
        self.tally.add(game);
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
    /// Returns the first forfeit. Fails if games can't be played or too many were forfeited.
    pub fn fault(&self, series: &Series) -> Result<Option<String>> {
        if let Some(error) = &self.error {
            bail!("{}", safe(error));
        }
        let Some((game, fault)) = &self.first_fault else {
            return Ok(None);
        };
        let fault = format!("game {game} was forfeited: {}", safe(fault));
        if self.forfeits >= series.max_forfeits {
            let most = count(series.max_forfeits, "forfeit");
            bail!("{fault}; stopped after {most} (`--max-forfeits`)");
        }
        Ok(Some(fault))
    }
}

impl Series<'_> {
    /// Plays on the current thread pool, and stops at the first game that is ended by a limit.
    pub fn play<T: Tally>(
        &self,
        simulator: &dyn Simulator,
        none: impl Fn() -> T + Send + Sync,
        bar: &Progress,
    ) -> Played<T> {
        let forfeits = AtomicU64::new(0);
        let is_over = AtomicBool::new(false);
        let play = |mut played: Played<T>, number| {
            let mut rng = Rng::of_run(self.seed, number);
            let mut notes = Notes::default();
            let mut sink: Option<&mut dyn TraceSink> = None;
            if self.luck == Luck::Own {
                rng = Rng::new(rng.for_others());
                sink = Some(&mut notes);
            }
            let seed = rng.seed();
            match simulator.play(rng, self.turns, sink) {
                Ok(result) => {
                    played.add(Game {
                        number,
                        seed,
                        result: &result,
                        line: notes.line(&result.ending),
                    });
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
            if number % 256 == 0 {
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
        let goes_on = || self.limits.check_time().is_ok() && !is_over.load(Ordering::Relaxed);
        (0..self.runs)
            .into_par_iter()
            .take_any_while(|_| goes_on())
            .fold(nothing, play)
            .reduce(nothing, Played::and)
    }
}
