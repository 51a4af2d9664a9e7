//! Plays many games on one board in parallel.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::Limits;
use crate::play::simulation::Simulator;
use crate::play::trace::{Ending, GameResult, HalfTurn, TraceError, TraceSink};
use crate::rng::Rng;
use anyhow::{Result, anyhow, bail};
use rayon::prelude::*;

use super::output::progress::Progress;
use crate::answers::words::{count, safe};

#[derive(Clone, Copy, Debug)]
pub struct Series<'l> {
    pub seed: u64,
    pub runs: u64,
    pub turns: usize,
    /// Gives each game its own seed instead of a stream of the shared one, so that a board file can replay it, and keeps its
    /// moves.
    pub keeps_games: bool,
    pub max_forfeits: u64,
    pub limits: Limits<'l>,
}

#[derive(Clone, Debug)]
pub struct Game {
    pub number: u64,
    pub seed: u64,
    pub result: GameResult,
    /// Empty unless games are kept.
    pub line: Line,
}

impl Game {
    fn fault(&self) -> Option<String> {
        let Ending::Forfeited { fault, .. } = &self.result.ending else {
            return None;
        };
        let (number, fault) = (self.number, safe(&fault.to_string()));
        Some(format!("game {number} was forfeited: {fault}"))
    }

    /// Returns the moves to replay, with only the complete turns of a forfeited game.
    pub fn moves(&self) -> String {
        let last = match self.result.ending {
            Ending::Forfeited { turns, .. } => turns,
            _ => usize::MAX,
        };
        let moves = self.line.moves.iter();
        let kept = moves.take_while(|(turn, _)| *turn <= last);
        kept.map(|(_, mv)| &**mv).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The runner's moves, each with the number of its turn.
    moves: Vec<(usize, String)>,
    pub chasers: Vec<String>,
}

impl TraceSink for Line {
    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.moves.extend(half.mv.clone().map(|mv| (half.turn, mv)));
        if !half.orders.is_empty() {
            self.chasers.push(half.orders.clone());
        }
        Ok(())
    }
}

impl Series<'_> {
    /// Plays until a limit ends a game, and passes the games to `each` in order. Returns the first forfeit; too many are an
    /// error.
    pub fn play(
        &self,
        simulator: &dyn Simulator,
        bar: &Progress,
        each: &mut dyn FnMut(Game),
    ) -> Result<Option<String>> {
        // A game may have a hundred thousand moves.
        let batch = if self.keeps_games { 16 } else { 1 << 10 };
        let forfeits = AtomicU64::new(0);
        let is_over = || forfeits.load(Ordering::Relaxed) >= self.max_forfeits;
        let goes_on = || !is_over() && self.limits.check_time().is_ok();
        let play = |number| {
            if number % 256 == 0 {
                bar.advance_games(256);
            }
            let game = self.game(simulator, number)?;
            let is_forfeited = game.as_ref().is_some_and(|game| game.fault().is_some());
            forfeits.fetch_add(is_forfeited.into(), Ordering::Relaxed);
            Ok(game)
        };
        let mut first = None;
        for start in (0..self.runs).step_by(batch as usize) {
            let numbers = start..self.runs.min(start + batch);
            let numbers = numbers.into_par_iter().take_any_while(|_| goes_on());
            let games: Result<Vec<_>, TraceError> = numbers.map(play).collect();
            let games = games.map_err(|error| anyhow!("{}", safe(&error.to_string())))?;
            for game in games.into_iter().flatten() {
                first = first.or_else(|| game.fault());
                each(game);
            }
            if !goes_on() {
                break;
            }
        }
        match first {
            Some(fault) if is_over() => {
                let most = count(self.max_forfeits, "forfeit");
                bail!("{fault}; stopped after {most} (`--max-forfeits`)")
            }
            first => Ok(first),
        }
    }

    fn game(&self, simulator: &dyn Simulator, number: u64) -> Result<Option<Game>, TraceError> {
        let mut rng = Rng::of_run(self.seed, number);
        let mut line = Line::default();
        let mut sink: Option<&mut dyn TraceSink> = None;
        if self.keeps_games {
            rng = Rng::new(rng.for_others());
            sink = Some(&mut line);
        }
        let seed = rng.seed();
        let result = match simulator.play(rng, self.turns, sink) {
            Err(TraceError::Undecided(_)) => return Ok(None),
            result => result?,
        };
        Ok(Some(Game {
            number,
            seed,
            result,
            line,
        }))
    }
}
