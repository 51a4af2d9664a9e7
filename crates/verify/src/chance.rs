//! Games of chance, such as `dungeon`: exact bounds on the probability of escape under best play.
//!
//! The claim `chance` is followed by `positions: N` and a line for each reachable position with the player to move. A line has
//! five words: the *lower* and the *upper* bound for the position, as multiples of 2^-60; the *move* of its strategy, as an index
//! from 0 into the rulebook's list of legal moves; a *rank*; and the number of *turns* within which the player can escape
//! whatever happens, or `-`. The lines are in the order of discovery: position by position, move by move, and then in the
//! rulebook's order of the chasers' choices, with the first chaser varying slowest.
//!
//! # Why this is a proof
//!
//! Let E(m, f) be the expected value of f after the move m, where f is 1 after an escape and 0 after a catch.
//!
//! *Upper.* Every line has upper >= E(m, upper) for every legal move m. So the upper bound of the current position never grows on
//! average, whatever the player does. It is never below 0, and 1 after an escape; so its mean after n turns, and thus the first
//! upper bound, is at least the probability of an escape by then.
//!
//! *Lower.* Every line with lower > 0 has lower <= E(m, lower) for its move m, and some outcome of m has a lower *rank*, where a
//! game that is over and a line with lower = 0 have rank 0. Let the player make these moves until the game is over or the lower
//! bound is 0. This happens with probability 1, since from each of the finitely many positions it happens within as many turns as
//! the highest rank with at least some fixed positive probability. The lower bound never shrinks on average; at the end it is 1
//! after an escape and otherwise 0. So the probability of escape is at least the first lower bound. (Without ranks, endless
//! waiting would prove any bound.)
//!
//! *Possible.* A probability of less than 2^-60 has the lower bound 0. A rank above 0 on a line with lower = 0 claims that the
//! probability is not 0: some outcome of its move is an escape, a line with lower > 0, or another such line with a lower rank.
//!
//! *Certain.* Every line with a number of turns has a move whose outcomes are all escapes or lines with a lower number.
//!
//! Expected values are computed in whole numbers, one adversary's draw at a time, rounded down for the lower bound and up for the
//! upper one. The rulebook's probabilities are floating-point numbers that approximate fractions with small denominators, so
//! these fractions can be recovered exactly; those of each draw must sum to 1.

mod weights;

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use super::closed::read_number;
use super::{CertificateReader, Proof, VerifyError};
use getaway_board::limits::{Bounds, Clock, Limit};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Outcome, Stochastic, legal};

pub use weights::InexactError;
use weights::weights;
pub use weights::{mean_above, mean_below};

/// The bound 1, as a multiple of 2^-60.
pub const ONE: u64 = 1 << 60;

/// The end of a turn: the position from which the game goes on, or the outcome if it is over.
pub type TurnEnd<'s, S> = Result<&'s S, Outcome>;

/// The outcomes of a draw with their weights, and the sum of the weights.
pub type Draw<T> = (Vec<(u64, T)>, u64);

/// Gives each end of a turn a value, and combines the values of a draw into one.
pub trait Visit<S> {
    /// The value of an end or a draw.
    type Value;
    /// The reason to stop early.
    type Stop: From<Limit> + From<InexactError>;

    /// Returns the value of an end.
    ///
    /// # Errors
    ///
    /// Returns a reason to stop.
    fn end(&mut self, end: TurnEnd<'_, S>) -> Result<Self::Value, Self::Stop>;

    /// Returns the value of a draw from those of its outcomes.
    ///
    /// # Errors
    ///
    /// Returns a reason to stop.
    fn draw(&mut self, draw: Draw<Self::Value>) -> Result<Self::Value, Self::Stop>;
}

/// Visits all possible ends of a turn. Keeps the latest values, since the same position with the same chasers still to move often
/// recurs.
pub struct TurnVisitor<S, C, T> {
    known: HashTable<PositionEntry<S, C, T>>,
    max: usize,
    bytes: u64,
    spare: Vec<S>,
}

struct PositionEntry<S, C, T> {
    at: S,
    chasers: Vec<C>,
    value: T,
}

impl<S: Clone + Eq + Hash, C: Copy + Eq + Hash, T: Copy> TurnVisitor<S, C, T> {
    /// Creates a visitor that keeps at most `max` values, or fewer if they would not fit into `memory_left` bytes.
    pub fn new<R>(rules: &R, max: usize, memory_left: Option<u64>) -> Self
    where
        R: Stochastic<State = S, Chaser = C>,
    {
        let mut chasers = Vec::new();
        rules.chasers(&rules.start(), &mut chasers);
        let each = size_of::<PositionEntry<(), C, T>>() + size_of_val(chasers.as_slice());
        let each = 2 * (rules.state_bytes() + each) as u64;
        let max = memory_left.map_or(max, |memory_left| max.min((memory_left / each) as usize));
        Self {
            known: HashTable::new(),
            max,
            bytes: max as u64 * each,
            spare: Vec::new(),
        }
    }

    /// Returns the maximum memory of the values kept, in bytes.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the value of the runner's move `mv` followed by all possible moves of the chasers.
    ///
    /// # Errors
    ///
    /// Returns the reason why `visit` stopped, or [`InexactError`].
    pub fn turn<R, V>(
        &mut self,
        rules: &R,
        at: &S,
        mv: R::Move,
        visit: &mut V,
    ) -> Result<T, V::Stop>
    where
        R: Stochastic<State = S, Chaser = C>,
        V: Visit<S, Value = T>,
    {
        let mut then = at.clone();
        let over = rules.act(&mut then, mv, &mut ());
        if let Some(outcome) = over.or_else(|| rules.after_runners(&mut then, &mut ())) {
            return visit.end(Err(outcome));
        }
        let mut chasers = Vec::new();
        rules.chasers(&then, &mut chasers);
        self.chase(rules, &then, &chasers, visit)
    }

    fn chase<R, V>(&mut self, rules: &R, at: &S, chasers: &[C], visit: &mut V) -> Result<T, V::Stop>
    where
        R: Stochastic<State = S, Chaser = C>,
        V: Visit<S, Value = T>,
    {
        let Some((&who, rest)) = chasers.split_first() else {
            return visit.end(Ok(at));
        };
        let hash = hash_of(at, chasers);
        let is_it = |known: &PositionEntry<S, C, T>| known.at == *at && known.chasers == chasers;
        if let Some(known) = self.known.find(hash, is_it) {
            return Ok(known.value);
        }
        let mut choices = Distribution::new();
        rules.outcomes(at, who, &mut choices);
        let (weights, total) = weights(&choices)?;
        let mut outcomes = Vec::with_capacity(weights.len());
        let mut then = self.spare.pop().unwrap_or_else(|| at.clone());
        for ((choice, _), weight) in choices.iter().zip(weights) {
            then.clone_from(at);
            let value = match rules.carry_out(&mut then, who, choice, &mut ()) {
                Some(outcome) => visit.end(Err(outcome))?,
                None => self.chase(rules, &then, rest, visit)?,
            };
            outcomes.push((weight, value));
        }
        self.spare.push(then);
        let value = visit.draw((outcomes, total))?;
        if self.known.len() >= self.max {
            self.known.clear();
        }
        let known = PositionEntry {
            at: at.clone(),
            chasers: chasers.to_vec(),
            value,
        };
        let hash_again = |known: &PositionEntry<S, C, T>| hash_of(&known.at, &known.chasers);
        self.known.insert_unique(hash, known, hash_again);
        Ok(value)
    }
}

fn hash_of<S: Hash, C: Hash>(at: &S, chasers: &[C]) -> u64 {
    FixedState::default().hash_one((at, chasers))
}

/// The line for a position in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The lower bound, as a multiple of 2^-60.
    pub lower: u64,
    /// The upper bound, as a multiple of 2^-60.
    pub upper: u64,
    /// The index of the strategy's move in the list of legal moves, from 0.
    pub choice: u64,
    /// The rank; 0 if the line does not claim that an escape is possible.
    pub rank: u64,
    /// The number of turns within which the player can escape whatever happens, if any.
    pub turns: Option<u64>,
}

impl Line {
    fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [lower, upper, choice, rank, turns] = *words else {
            return None;
        };
        let bound = |text| read_number(text).filter(|&bound| bound <= ONE);
        Some(Self {
            lower: bound(lower)?,
            upper: bound(upper)?,
            choice: read_number(choice)?,
            rank: read_number(rank)?,
            turns: match turns {
                "-" => None,
                turns => Some(read_number(turns)?),
            },
        })
    }
}

/// Checks the lines after the claim `chance`.
///
/// # Errors
///
/// Returns the reason why the certificate does not hold or can't be read, or the limit that was reached.
pub fn check<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
    rules: &R,
    content: &mut CertificateReader,
) -> Result<Proof, VerifyError> {
    let (lines, memory_left) = read_lines(rules.state_bytes(), content)?;
    let mut turns = TurnVisitor::new(rules, KEPT * lines.len(), memory_left);
    let mut check = BoundsCheck {
        positions: Vec::with_capacity(lines.len()),
        numbers: HashMap::with_capacity_and_hasher(lines.len(), FixedState::default()),
        lines,
        clock: Clock::new(content.limits()),
    };
    let mut at = rules.start();
    let over = rules.open(&mut at, &mut ());
    let first = check.end(over.map_or(Ok(&at), Err))?;
    let mut number = 0;
    while let Some(at) = check.positions.get(number).cloned() {
        check.check_position(rules, number, &at, &mut turns)?;
        number += 1;
    }
    if number < check.lines.len() {
        let why = "it has lines for unreachable positions";
        return Err(VerifyError::fails(why));
    }
    // Such bounds would prove neither `escape` nor `caught`.
    if first.escape_rank.is_none() && first.upper > 0 {
        let why = "it does not say whether the player can escape";
        return Err(VerifyError::fails(why));
    }
    Ok(Proof::Chance {
        // Multiples of 2^-52 are exact as `f64`, so the bounds are rounded outwards to those.
        bounds: Bounds {
            lower: (first.lower >> 8) as f64 / (ONE >> 8) as f64,
            upper: first.upper.div_ceil(1 << 8) as f64 / (ONE >> 8) as f64,
        },
        certain: first.turns,
        positions: number as u64,
    })
}

fn read_lines(
    position_bytes: usize,
    content: &mut CertificateReader,
) -> Result<(Vec<Line>, Option<u64>), VerifyError> {
    let positions = read_number(content.field("positions: ")?)
        .ok_or_else(|| content.malformed("this should be a number"))?;
    // Each position is in a list and in a table. The table may have more than twice the capacity needed, and the list of lines up
    // to twice.
    let bytes = (4 * position_bytes + 2 * size_of::<Line>() + 3 * size_of::<usize>()) as u64;
    let left = content.limits().without(positions.saturating_mul(bytes))?;
    let memory_left = left.max_memory;
    // `check_states` checks that there is room for one more position, here the last.
    content.limits().check_states(positions.saturating_sub(1))?;
    let mut lines = Vec::new();
    for _ in 0..positions {
        let line = Line::read(content.line()?);
        lines.push(line.ok_or_else(|| content.malformed("five numbers should be here"))?);
    }
    Ok((lines, memory_left))
}

/// The maximum number of values kept per position of the certificate, on average.
const KEPT: usize = 4;

struct BoundsCheck<'l, S> {
    positions: Vec<S>,
    numbers: HashMap<S, usize, FixedState>,
    lines: Vec<Line>,
    clock: Clock<'l>,
}

#[derive(Clone, Copy)]
struct TurnValue {
    lower: u64,
    upper: u64,
    rank: u64,
    /// The lowest rank among the outcomes from which an escape is possible. An escape or a line with a lower bound above 0 counts
    /// as 0.
    escape_rank: Option<u64>,
    /// The maximum number of turns among all outcomes, if each has a number.
    turns: Option<u64>,
}

impl<S: Clone + Eq + Hash> Visit<S> for BoundsCheck<'_, S> {
    type Value = TurnValue;
    type Stop = VerifyError;

    fn end(&mut self, end: TurnEnd<'_, S>) -> Result<TurnValue, VerifyError> {
        self.clock.work(64)?;
        let at = match end {
            Ok(at) => at,
            Err(outcome) => {
                let value = if outcome == Outcome::Escaped { ONE } else { 0 };
                return Ok(TurnValue {
                    lower: value,
                    upper: value,
                    rank: 0,
                    escape_rank: (value == ONE).then_some(0),
                    turns: (value == ONE).then_some(0),
                });
            }
        };
        let known = self.numbers.get(at).copied();
        let number = known.unwrap_or_else(|| {
            let next = self.positions.len();
            self.positions.push(at.clone());
            self.numbers.insert(at.clone(), next);
            next
        });
        let Some(line) = self.lines.get(number) else {
            let why = format!("position {number} is reachable but has no line");
            return Err(VerifyError::fails(&why));
        };
        Ok(TurnValue {
            lower: line.lower,
            upper: line.upper,
            rank: if line.lower == 0 { 0 } else { line.rank },
            escape_rank: match (line.lower, line.rank) {
                (0, 0) => None,
                (0, rank) => Some(rank),
                _ => Some(0),
            },
            turns: line.turns,
        })
    }

    fn draw(&mut self, (outcomes, total): Draw<TurnValue>) -> Result<TurnValue, VerifyError> {
        let lower = outcomes
            .iter()
            .map(|(weight, value)| (*weight, value.lower));
        let upper = outcomes
            .iter()
            .map(|(weight, value)| (*weight, value.upper));
        let values = outcomes.iter().map(|(_, value)| value);
        let max = |max: u64, value: &TurnValue| Some(value.turns?.max(max));
        Ok(TurnValue {
            lower: mean_below(lower, total),
            upper: mean_above(upper, total),
            rank: values.clone().map(|value| value.rank).min().unwrap_or(0),
            escape_rank: values.clone().filter_map(|value| value.escape_rank).min(),
            turns: values.clone().try_fold(0, max),
        })
    }
}

impl<S: Clone + Eq + Hash> BoundsCheck<'_, S> {
    fn check_position<R: Stochastic<State = S, Chaser: Eq + Hash>>(
        &mut self,
        rules: &R,
        number: usize,
        at: &S,
        turns: &mut TurnVisitor<S, R::Chaser, TurnValue>,
    ) -> Result<(), VerifyError> {
        let line = self.lines[number];
        let mut holds = line.lower == 0 && line.rank == 0;
        let mut is_certain = line.turns.is_none();
        for (choice, mv) in (0..).zip(legal(rules, at)) {
            let value = turns.turn(rules, at, mv, self)?;
            if value.upper > line.upper {
                return Err(position_fails(number, "the upper bound is too low"));
            }
            if choice == line.choice {
                holds |= match line.lower {
                    0 => value.escape_rank.is_some_and(|rank| rank < line.rank),
                    lower => lower <= value.lower && value.rank < line.rank,
                };
            }
            is_certain |= value.turns < line.turns && value.turns.is_some();
        }
        let why = match (holds, is_certain) {
            (true, true) => return Ok(()),
            (false, _) => "its move does not support the lower bound and the rank",
            (true, false) => "no move supports the number of turns",
        };
        Err(position_fails(number, why))
    }
}

fn position_fails(number: usize, why: &str) -> VerifyError {
    VerifyError::fails(&format!("position {number}: {why}"))
}

impl From<InexactError> for VerifyError {
    fn from(error: InexactError) -> Self {
        Self::fails(&error.to_string())
    }
}
