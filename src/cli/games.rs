//! Many games on one board, side by side.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::limits::Limits;
use crate::play::simulation::Simulator;
use crate::play::trace::{Ending, GameResult, HalfTurn, TraceError, TraceSink};
use crate::rng::Rng;
use anyhow::{Result, bail};
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
    /// What each game's luck is.
    pub luck: Luck,
    /// When so many were forfeited, no more are played.
    pub max_forfeits: u64,
    /// What breaks them off.
    pub limits: Limits<'l>,
}

/// What the luck of each game is, which in either case depends on the seed and its number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// A part of the seed's.
    Shared,
    /// That of a seed of its own, by which it can be played again from a board file; its moves are told.
    Own,
}

/// A game that is over.
#[derive(Debug)]
pub struct Game<'r> {
    /// Its number, from 0.
    pub number: u64,
    /// The seed of its luck.
    pub seed: u64,
    /// What came of it.
    pub result: &'r GameResult,
    /// What was played, where that is told.
    pub line: Line,
}

/// The line of play of a game, as board files tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The runner's moves.
    pub moves: Vec<String>,
    /// What the chasers did whom somebody led: a group for each turn.
    pub chasers: Vec<String>,
}

/// One who notes the line of play.
#[derive(Default)]
struct Notes {
    /// With the turns that they were made in.
    moves: Vec<(usize, String)>,
    chasers: Vec<String>,
}

impl Notes {
    /// What there is to replay of a game that ended so: of one that was forfeited the whole turns before that.
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

/// What is kept of games. It must not matter in which order they are added.
pub trait Tally: Send {
    /// A game is over.
    fn add(&mut self, game: Game);

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
    /// Why the first game was forfeited, if any was.
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
        let goes_on = || self.limits.time_is_up().is_none() && !is_over.load(Ordering::Relaxed);
        (0..self.runs)
            .into_par_iter()
            .take_any_while(|_| goes_on())
            .fold(nothing, play)
            .reduce(nothing, Played::and)
    }
}
