//! Sessions: games in progress, whose moves are made one by one and can be taken back.

use std::sync::Arc;

use super::orders::Orders;
use super::trace::{Ending, Ply, TraceError};
use super::turn::GameProgress;
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::OrderError;
use getaway_ruleset::{Event, LineError, Meaning, Outcome, Playable, Ruleset, Stochastic, legal};

/// A game in progress. Positions are numbered from 0 (the start); every move by a runner leads to the next one. A session
/// keeps the state of the random numbers at each position, so a move that is taken back and made again has the same result.
pub trait Session {
    /// Returns the number of the current position.
    fn now(&self) -> usize;

    /// Returns the number of the last position. Positions after the current one are kept.
    fn last(&self) -> usize;

    /// Goes to a position, or to the last one if there is no such position.
    fn go_to(&mut self, number: usize);

    /// Returns a position, which must exist, with the plies that led to it.
    fn position(&self, number: usize) -> Position;

    /// Returns the row and column, from 0, where the runner stood before its move to this position; `None` for the start, or on
    /// a board without a runner.
    fn departed_cell(&self, number: usize) -> Option<(u32, u32)>;

    /// Returns the legal moves; none if the game is over.
    fn legal(&self) -> Vec<String>;

    /// Makes a move, and discards the positions after the current one unless they begin with the same move.
    ///
    /// # Errors
    ///
    /// Returns the reason why the move can't be made.
    fn play(&mut self, mv: &str) -> Result<(), PlayError>;

    /// Makes the moves of a line, up to the first that can't be made.
    ///
    /// # Errors
    ///
    /// Returns the reason why that move can't be made, or why the line can't be read.
    fn play_line(&mut self, line: &str) -> Result<(), PlayError>;

    /// Returns the line of play that leads to a position.
    fn line(&self, number: usize) -> String;

    /// Adds orders for the chasers, as in the header `chasers`. They apply to the turns after those that have orders already.
    fn control(&mut self, chasers: &str);

    /// Returns the chasers' orders up to a position, as in the header `chasers`.
    fn chasers(&self, number: usize) -> String;

    /// Returns the seed for chance.
    fn seed(&self) -> u64;

    /// Returns whether any chaser moves by chance.
    fn is_by_chance(&self) -> bool;

    /// Returns the moves for the keys of a numeric keypad, from 7 (up and left) to 3 (down and right); an empty string stands for
    /// no move.
    fn keypad(&self) -> [String; 9];
}

/// Joins the moves of several runners in one turn.
const RUNNER_SEPARATOR: char = ',';

/// A position of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of turns begun. With one runner, this is the number of moves.
    pub turns: usize,
    /// The board.
    pub rows: Vec<String>,
    /// The plies since the previous position, with empty `rows`, since drawing takes longer than moving.
    pub plies: Vec<Ply>,
    /// The ending; `None` while the game goes on.
    pub ending: Option<Ending>,
    /// The amount gathered, in games with something to gather.
    pub gathered: Option<usize>,
    /// On a board with several runners, the row and column, from 0, of the one to move; `None` once the game is over.
    pub mover: Option<(u32, u32)>,
}

/// The reason why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The text, or a part of the line, is not a move.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The move is illegal, for this reason.
    #[error("{0}")]
    Illegal(String),
    /// The orders for the chasers can't be followed.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// A session on one board.
pub struct BoardSession<R: Ruleset> {
    rules: Arc<R>,
    seed: u64,
    orders: Orders,
    records: Vec<Record<R>>,
    now: usize,
}

/// A position, and the move that led to it, which is `None` at the start.
struct Record<R: Ruleset> {
    mv: Option<R::Move>,
    progress: GameProgress<R::State>,
}

impl<R: Stochastic + Playable> BoardSession<R> {
    /// Begins a game. `seed` determines chance.
    pub fn new(rules: Arc<R>, seed: u64) -> Self {
        let (start, _) = Record::start(&*rules, seed);
        Self {
            rules,
            seed,
            orders: Orders::default(),
            records: vec![start],
            now: 0,
        }
    }

    /// Plays a line from the start, with orders for the chasers, and returns the position after it, and the outcome if the last
    /// ply ended the game. A beginning that it shares with the previous line, with the same seed and orders, is not played again.
    pub(crate) fn replay(
        &mut self,
        line: &str,
        chasers: &str,
        seed: u64,
    ) -> Result<(&R::State, Option<Outcome>), TraceError> {
        if seed != self.seed {
            *self = Self::new(Arc::clone(&self.rules), seed);
        }
        self.set_orders(Orders::read(chasers));
        self.now = 0;
        for (at, mv) in self.rules.parse_moves(line)?.into_iter().enumerate() {
            let refused = |why| TraceError::Unplayable(format!("move {} (`{mv}`): {why}", at + 1));
            self.make(mv).map_err(refused)?;
        }
        Ok(self.present())
    }

    /// Replaces the orders, and forgets the positions from the first changed turn on.
    fn set_orders(&mut self, orders: Orders) {
        if let Some(turn) = self.orders.first_difference(&orders) {
            self.records.retain(|record| record.progress.turns < turn);
            self.orders = orders;
        }
    }

    fn present(&self) -> (&R::State, Option<Outcome>) {
        let progress = &self.records[self.now].progress;
        (&progress.at, progress.outcome)
    }

    fn make(&mut self, mv: R::Move) -> Result<(), PlayError> {
        let record = &self.records[self.now];
        if record.ending(&*self.rules).is_some() {
            return Err(PlayError::Over);
        }
        if let Some(reason) = self.rules.refusal(&record.progress.at, mv) {
            return Err(PlayError::Illegal(reason.into_owned()));
        }
        let next = self.now + 1;
        let known = self.records.get(next).and_then(|then| then.mv);
        if known != Some(mv) {
            let (then, _) = record.then(&*self.rules, mv, &self.orders)?;
            self.records.truncate(next);
            self.records.push(then);
        }
        self.now = next;
        Ok(())
    }
}

impl<R: Stochastic + Playable> Record<R> {
    /// Returns the first position, and the chasers' ply before it, if any.
    fn start(rules: &R, seed: u64) -> (Self, Vec<Ply>) {
        let mut progress = GameProgress::new(rules, Rng::new(seed));
        let mut events = Vec::new();
        progress.outcome = rules.open(&mut progress.at, &mut events);
        let ply = Ply::of_chasers(rules, 0, String::new(), &events);
        let plies = Vec::from_iter((!events.is_empty()).then_some(ply));
        (Self { mv: None, progress }, plies)
    }

    fn then(
        &self,
        rules: &R,
        mv: R::Move,
        orders: &Orders,
    ) -> Result<(Self, Vec<Ply>), OrderError> {
        let mut progress = self.progress.clone();
        let (mut plies, mut events) = (Vec::new(), Vec::new());
        progress.act(rules, mv, &mut events);
        let turn = progress.turns;
        if !events.is_empty() {
            plies.push(Ply::of_runner(rules, turn, mv, &events));
        }
        if progress.outcome.is_none() && progress.is_turn_over {
            events.clear();
            progress.outcome = orders.chase(
                rules,
                turn,
                &mut progress.at,
                &mut progress.rng,
                &mut events,
            )?;
            if !events.is_empty() {
                let group = orders.group(turn);
                plies.push(Ply::of_chasers(rules, turn, group, &events));
            }
        }
        let mv = Some(mv);
        Ok((Self { mv, progress }, plies))
    }

    fn mover(&self, rules: &R) -> Option<(u32, u32)> {
        let runners = rules.actors_of(&rules.start(), Meaning::Runner);
        if runners.len() < 2 || self.ending(rules).is_some() {
            return None;
        }
        let all = rules.actors(&self.progress.at);
        let mover = all.get(rules.mover(&self.progress.at))?;
        Some(rules.grid().position(mover.1))
    }

    fn ending(&self, rules: &R) -> Option<Ending> {
        let ending = self.progress.ending(rules);
        (!matches!(ending, Ending::Open { .. })).then_some(ending)
    }
}

impl<R: Stochastic + Playable> Session for BoardSession<R> {
    fn now(&self) -> usize {
        self.now
    }

    fn last(&self) -> usize {
        self.records.len() - 1
    }

    fn go_to(&mut self, number: usize) {
        self.now = number.min(self.last());
    }

    /// Plays the move that led to the position again, since keeping the plies of all positions would take too much memory.
    fn position(&self, number: usize) -> Position {
        let (rules, record) = (&*self.rules, &self.records[number]);
        let (_, plies) = match record.mv {
            None => Record::start(rules, self.seed),
            Some(mv) => self.records[number - 1]
                .then(rules, mv, &self.orders)
                .expect("the move was played before"),
        };
        Position {
            turns: record.progress.turns,
            rows: rules.picture(&record.progress.at),
            plies,
            ending: record.ending(rules),
            gathered: rules.gathered(&record.progress.at),
            mover: record.mover(rules),
        }
    }

    fn departed_cell(&self, number: usize) -> Option<(u32, u32)> {
        let mv = self.records[number].mv?;
        let mut at = self.records[number - 1].progress.at.clone();
        let mut events: Vec<Event> = Vec::new();
        self.rules.act(&mut at, mv, &mut events);
        let from = events.first()?.from;
        Some(self.rules.grid().position(from))
    }

    fn legal(&self) -> Vec<String> {
        let (at, outcome) = self.present();
        match outcome {
            None => legal(&*self.rules, at)
                .iter()
                .map(ToString::to_string)
                .collect(),
            Some(_) => Vec::new(),
        }
    }

    fn play(&mut self, mv: &str) -> Result<(), PlayError> {
        let mv = mv.parse().map_err(|why| LineError::new(0, mv, &why))?;
        self.make(mv)
    }

    fn play_line(&mut self, line: &str) -> Result<(), PlayError> {
        let moves = self.rules.parse_moves(line)?;
        moves.into_iter().try_for_each(|mv| self.make(mv))
    }

    fn line(&self, number: usize) -> String {
        let mut line = String::new();
        for pair in self.records[..=number].windows(2) {
            if !pair[0].progress.is_turn_over {
                line.push(RUNNER_SEPARATOR);
            } else if !line.is_empty() {
                line.push_str(R::SEPARATOR);
            }
            line.extend(pair[1].mv.map(|mv| mv.to_string()));
        }
        line
    }

    fn control(&mut self, chasers: &str) {
        self.orders.add(chasers);
    }

    fn chasers(&self, number: usize) -> String {
        let progress = &self.records[number].progress;
        // In a turn that has begun but is not over, the chasers have not moved yet.
        let begun = usize::from(!progress.is_turn_over);
        self.orders.text(progress.turns - begun)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn is_by_chance(&self) -> bool {
        let mut chasers = Vec::new();
        self.rules
            .chasers(&self.records[0].progress.at, &mut chasers);
        !chasers.is_empty()
    }

    fn keypad(&self) -> [String; 9] {
        let mut pad = R::KEYPAD.map(str::to_owned);
        pad[4] = R::STAY.map_or(String::new(), |stay| stay.to_string());
        pad
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
