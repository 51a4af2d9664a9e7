//! A game in play: somebody chooses the runner's moves one by one, and may take them back.

use std::ops::Deref;

use super::orders::Orders;
use super::replay::{ending, open_or_trapped};
use super::trace::{Ending, HalfTurn, TraceError};
use super::turn::Half;
use crate::rng::Rng;
use crate::ruleset::led::NoOrder;
use crate::ruleset::{Event, NoMove, Outcome, Playable, Ruleset, Stochastic};

/// A game in play, whatever its ruleset.
///
/// Its positions are numbered: 0 is the start, and every move of a runner leads from one to the next. Luck
/// belongs to the position: a move that is taken back and made again meets the same luck, and the whole game
/// is the one that its moves and its seed replay.
pub trait Session {
    /// The number of the position that is looked at.
    fn now(&self) -> usize;

    /// The number of the last position there is, to which one can go forward again.
    fn last(&self) -> usize;

    /// Looks at position `number`, or at the last where there are not so many.
    fn go_to(&mut self, number: usize);

    /// Position `number`, with how it came about.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    fn position(&self, number: usize) -> Position;

    /// Row and column, from 0, of the runner when he made the move to position `number`; `None` for the start.
    ///
    /// # Panics
    ///
    /// If there are not so many positions.
    fn left(&self, number: usize) -> Option<(u32, u32)>;

    /// The legal moves in the position that is looked at; none if the game is over there.
    fn legal(&self) -> Vec<String>;

    /// Makes a move; what came after the position that is looked at is forgotten, unless it began with the
    /// same move.
    ///
    /// # Errors
    ///
    /// Why it can't be made.
    fn play(&mut self, mv: &str) -> Result<(), NotPlayed>;

    /// Makes the moves of a line, as far as they can be made.
    ///
    /// # Errors
    ///
    /// Why the first of them that can't be made can't be, or why the line is none; the moves before it
    /// are made.
    fn play_line(&mut self, line: &str) -> Result<(), NotPlayed>;

    /// The moves that led to position `number`, as a line of play that can be replayed.
    fn line(&self, number: usize) -> String;

    /// In the turns that are still to be played chasers do as `chasers` says, in the form of the header of that name,
    /// rather than move by their own rules. What was said so before holds for the turns before.
    fn lead(&mut self, chasers: &str);

    /// What chasers did up to position `number` whom somebody led, as the header `chasers` tells it; empty if nobody
    /// led any.
    fn chasers(&self, number: usize) -> String;

    /// The seed of its luck.
    fn seed(&self) -> u64;

    /// Whether luck has a part in this game: whether anybody moves by chance.
    fn is_by_chance(&self) -> bool;

    /// The moves as they lie on a numeric pad, from 7 (up and left) to 3 (down and right); empty where there
    /// is none.
    fn pad(&self) -> [String; 9];
}

/// A position of a game in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// How many turns have been begun up to here; where one runs, that is how many moves were made.
    pub turns: usize,
    /// The board.
    pub rows: Vec<String>,
    /// What led here from the position before: the runner's half turn, then that of those who chase. Before
    /// the first move, what they did by then. They have no pictures of their own (their `rows` are empty): on a
    /// large board a picture takes longer than the move.
    pub halves: Vec<HalfTurn>,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
    /// How much the runner has gathered, where there is something to gather.
    pub gathered: Option<usize>,
}

/// Why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayed {
    /// It is not a move.
    #[error(transparent)]
    NoMove(#[from] NoMove),
    /// It is illegal.
    #[error("{0}")]
    Illegal(String),
    /// The chasers can't do what is told of them.
    #[error(transparent)]
    NoOrder(#[from] NoOrder),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// A game in play on the board `rules`, or on the one that it refers to.
pub(crate) struct InPlay<G: Deref<Target: Ruleset + Sized>> {
    rules: G,
    seed: u64,
    orders: Orders,
    records: Vec<Record<G::Target>>,
    now: usize,
}

/// All that a position is made of.
struct Record<R: Ruleset> {
    /// The move that led here; there is none to the start.
    mv: Option<R::Move>,
    at: R::State,
    /// The luck that is left.
    rng: Rng,
    outcome: Option<Outcome>,
    turns: usize,
    /// Whether the next move begins a turn: where several run, each moves once in a turn.
    is_turn_over: bool,
}

/// A position that comes about, with the half turns that are played.
struct Played<R: Ruleset> {
    record: Record<R>,
    halves: Vec<HalfTurn>,
}

impl<G: Deref<Target: Stochastic + Playable + Sized>> InPlay<G> {
    /// A game that begins, with luck from this seed.
    pub(crate) fn new(rules: G, seed: u64) -> Self {
        let start = Record::start(&*rules, seed).record;
        Self {
            rules,
            seed,
            orders: Orders::default(),
            records: vec![start],
            now: 0,
        }
    }

    /// Makes a move in the position that is looked at, if it can be made.
    fn make(&mut self, mv: <G::Target as Ruleset>::Move) -> Result<(), NotPlayed> {
        let record = &self.records[self.now];
        if record.ending(&*self.rules).is_some() {
            return Err(NotPlayed::Over);
        }
        if let Some(reason) = self.rules.refusal(&record.at, mv) {
            return Err(NotPlayed::Illegal(reason));
        }
        self.advance(mv)?;
        Ok(())
    }

    /// The game after the moves of a line, in which chasers were led as `chasers` says.
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    pub(crate) fn after(mut self, (line, chasers): (&str, &str)) -> Result<Self, TraceError> {
        self.lead(chasers);
        for (at, mv) in G::Target::read_line(line)?.into_iter().enumerate() {
            let refused = |why| TraceError::Unplayable(format!("move {} (`{mv}`): {why}", at + 1));
            self.make(mv).map_err(refused)?;
        }
        Ok(self)
    }

    /// The position that is looked at, and how the game ended with it, if it did.
    pub(crate) fn present(&self) -> (&<G::Target as Ruleset>::State, Option<Outcome>) {
        let record = &self.records[self.now];
        (&record.at, record.outcome)
    }

    /// Makes a legal move in the position that is looked at.
    fn advance(&mut self, mv: <G::Target as Ruleset>::Move) -> Result<(), NoOrder> {
        let next = self.now + 1;
        if self
            .records
            .get(next)
            .is_none_or(|then| then.mv != Some(mv))
        {
            let then = self.records[self.now].then(&*self.rules, mv, &self.orders)?;
            self.records.truncate(next);
            self.records.push(then.record);
        }
        self.now = next;
        Ok(())
    }
}

impl<R: Stochastic + Playable> Record<R> {
    /// The position in which the runner moves first.
    fn start(rules: &R, seed: u64) -> Played<R> {
        let mut played = Played {
            record: Self {
                mv: None,
                at: rules.start(),
                rng: Rng::new(seed),
                outcome: None,
                turns: 0,
                is_turn_over: true,
            },
            halves: Vec::new(),
        };
        let mut events = Vec::new();
        played.record.outcome = rules.open(&mut played.record.at, &mut events);
        played.tell(rules, Half::of_chasers(1), &mut events);
        played
    }

    /// The position that this legal move leads to.
    ///
    /// # Errors
    ///
    /// If the chasers can't do as they are told.
    fn then(&self, rules: &R, mv: R::Move, orders: &Orders) -> Result<Played<R>, NoOrder> {
        let turn = self.turns + usize::from(self.is_turn_over);
        let mut played = Played {
            record: Self {
                mv: Some(mv),
                at: self.at.clone(),
                rng: self.rng.clone(),
                outcome: None,
                turns: turn,
                is_turn_over: false,
            },
            halves: Vec::new(),
        };
        let mut events = Vec::new();
        played.record.outcome = rules.act(&mut played.record.at, mv, &mut events);
        played.tell(rules, Half::of_runner(turn, mv), &mut events);
        let record = &mut played.record;
        record.is_turn_over = record.outcome.is_some() || rules.all_moved(&record.at);
        if record.outcome.is_none() && record.is_turn_over {
            let luck = (turn, &mut record.rng);
            record.outcome = orders.chase(rules, &mut record.at, luck, &mut events)?;
            let half = Half {
                orders: orders.group(turn),
                ..Half::of_chasers(turn + usize::from(R::CHASERS_FIRST))
            };
            played.tell(rules, half, &mut events);
        }
        Ok(played)
    }

    fn ending(&self, rules: &R) -> Option<Ending> {
        let ending = match self.outcome {
            Some(outcome) => ending(outcome, self.turns),
            None => open_or_trapped(rules, &self.at, self.turns),
        };
        (!matches!(ending, Ending::Open { .. })).then_some(ending)
    }
}

impl<R: Playable> Played<R> {
    /// Tells a half turn, if anything happened in it.
    fn tell(&mut self, rules: &R, half: Half<R::Move>, events: &mut Vec<Event>) {
        if !events.is_empty() {
            self.halves.push(half.told_without_picture(rules, events));
            events.clear();
        }
    }
}

impl<G: Deref<Target: Stochastic + Playable + Sized>> Session for InPlay<G> {
    fn now(&self) -> usize {
        self.now
    }

    fn last(&self) -> usize {
        self.records.len() - 1
    }

    fn go_to(&mut self, number: usize) {
        self.now = number.min(self.last());
    }

    /// It is played again from the one before: to keep pictures of all positions would take memory.
    fn position(&self, number: usize) -> Position {
        let (rules, record) = (&*self.rules, &self.records[number]);
        let played = match record.mv {
            None => Record::start(rules, self.seed),
            Some(mv) => self.records[number - 1]
                .then(rules, mv, &self.orders)
                .expect("it was played once"),
        };
        Position {
            turns: record.turns,
            rows: rules.picture(&record.at),
            halves: played.halves,
            ending: record.ending(rules),
            gathered: rules.gathered(&record.at),
        }
    }

    fn left(&self, number: usize) -> Option<(u32, u32)> {
        let mv = self.records[number].mv?;
        let mut at = self.records[number - 1].at.clone();
        let mut events: Vec<Event> = Vec::new();
        self.rules.act(&mut at, mv, &mut events);
        let from = events.first()?.from;
        Some(self.rules.grid().position(from))
    }

    fn legal(&self) -> Vec<String> {
        let record = &self.records[self.now];
        let mut moves = Vec::new();
        if record.outcome.is_none() {
            self.rules.moves(&record.at, &mut moves);
        }
        moves.iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, mv: &str) -> Result<(), NotPlayed> {
        let mv = mv.parse().map_err(|why| NoMove::new(0, mv, &why))?;
        self.make(mv)
    }

    fn play_line(&mut self, line: &str) -> Result<(), NotPlayed> {
        let moves = G::Target::read_line(line)?;
        moves.into_iter().try_for_each(|mv| self.make(mv))
    }

    fn line(&self, number: usize) -> String {
        let moves = self.records[1..=number]
            .iter()
            .filter_map(|record| record.mv);
        let moves: Vec<_> = moves.map(|mv| mv.to_string()).collect();
        moves.join(G::Target::SEPARATOR)
    }

    fn lead(&mut self, chasers: &str) {
        self.orders.add(chasers);
    }

    fn chasers(&self, number: usize) -> String {
        let record = &self.records[number];
        let begun = usize::from(!record.is_turn_over);
        self.orders.text(record.turns - begun)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn is_by_chance(&self) -> bool {
        let mut chasers = Vec::new();
        self.rules.chasers(&self.records[0].at, &mut chasers);
        !chasers.is_empty()
    }

    fn pad(&self) -> [String; 9] {
        let mut pad = G::Target::PAD.map(str::to_owned);
        pad[4] = G::Target::STAY.map_or(String::new(), |stay| stay.to_string());
        pad
    }
}
