//! Evaluations of games without chance. Each request searches from its position, unless the value is known already.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{MoveOf, Searches, StateOf, verified};
use getaway_board::limits::{Limit, Limits};
use getaway_play::evaluation::{Evaluation, Lifetime, PositionEvaluator, PositionValue};
use getaway_ruleset::{Cause, Deterministic, Outcome, Ruleset, legal};
use getaway_search::search::{Finding, Order};
use getaway_search::survival::Survival;

pub(super) struct SearchEvaluator<S: Searches> {
    rules: Arc<S::Rules>,
    known: HashMap<StateOf<S>, KnownValue<MoveOf<S>>, FixedState>,
    /// The latest limit that ended a search for the longest survival.
    lives_limit: Option<Limit>,
}

#[derive(Clone, Copy, Debug)]
enum KnownValue<M> {
    /// A shortest escape takes `moves` moves, and `first` is the first of them.
    Escape {
        moves: usize,
        first: M,
    },
    Caught(Option<Lifetime>),
}

/// A move with its successor, or with the outcome if it ends the game.
pub(super) type Choice<S> = (MoveOf<S>, Result<StateOf<S>, Outcome>);

const MAX_STATES: u64 = 200_000;

const MEMORY: u64 = 256 << 20;

impl<S: Searches> SearchEvaluator<S> {
    pub(super) fn new(rules: Arc<S::Rules>) -> Self {
        Self {
            rules,
            known: HashMap::default(),
            lives_limit: None,
        }
    }

    pub(super) const fn lives_limit(&self) -> Option<Limit> {
        self.lives_limit
    }

    pub(super) fn choices(&self, at: &StateOf<S>) -> Vec<Choice<S>> {
        let choice = |mv| {
            let mut then = at.clone();
            let outcome = Deterministic::play(&*self.rules, &mut then, mv);
            (mv, outcome.map_or(Ok(then), Err))
        };
        legal(&*self.rules, at).into_iter().map(choice).collect()
    }

    fn position(
        &mut self,
        at: &StateOf<S>,
        limits: &Limits,
    ) -> Result<KnownValue<MoveOf<S>>, Limit> {
        if let Some(&known) = self.known.get(at) {
            return Ok(known);
        }
        let limits = &limits.without(self.bytes(self.known.len()))?;
        let start = || Ok(at.clone());
        let finding = S::shortest_from(&self.rules, at, limits);
        let (finding, _) = verified(&*self.rules, start, finding, 0, Order::Shortest, limits);
        match finding {
            Finding::Escape(line) => self.learn(at, &line, limits),
            Finding::Caught => self.learn_caught(at),
            Finding::Undecided(limit) => return Err(limit),
        }
        Ok(self.known[at])
    }

    /// Returns the bytes of the table `known` with this many positions, including its old copy while it grows.
    fn bytes(&self, positions: usize) -> u64 {
        let entry = size_of::<(StateOf<S>, KnownValue<MoveOf<S>>)>();
        (positions * (4 * entry + Ruleset::state_bytes(&*self.rules))) as u64
    }

    /// Remembers a shortest escape for each position on the line, as far as memory allows.
    fn learn(&mut self, at: &StateOf<S>, line: &[MoveOf<S>], limits: &Limits) {
        let mut at = at.clone();
        let room = limits.max_memory.unwrap_or(u64::MAX) / self.bytes(1);
        // The first position is stored in any case, since the caller looks it up.
        for (played, &first) in line.iter().enumerate().take(1 + room as usize) {
            let moves = line.len() - played;
            let known = KnownValue::Escape { moves, first };
            self.known.insert(at.clone(), known);
            Deterministic::play(&*self.rules, &mut at, first);
        }
    }

    fn learn_caught(&mut self, at: &StateOf<S>) {
        self.known
            .entry(at.clone())
            .or_insert(KnownValue::Caught(None));
    }

    fn value(&mut self, then: &Result<StateOf<S>, Outcome>, limits: &Limits) -> PositionValue {
        let at = match then {
            Err(Outcome::Escaped) => return PositionValue::Escape { moves: Some(1) },
            Err(Outcome::Caught(_)) => return caught(Some(Lifetime::Moves(1))),
            Ok(at) => at,
        };
        match self.position(at, limits) {
            Ok(KnownValue::Escape { moves, .. }) => PositionValue::Escape {
                moves: Some(moves + 1),
            },
            Ok(KnownValue::Caught(Some(lifetime))) => caught(Some(lifetime.longer())),
            Ok(KnownValue::Caught(None)) => caught(self.lifetime(at, limits).map(Lifetime::longer)),
            Err(limit) => PositionValue::Unknown(Some(limit)),
        }
    }

    fn lifetime(&mut self, at: &StateOf<S>, limits: &Limits) -> Option<Lifetime> {
        let lifetime = match self.survival(at, limits) {
            Survival::Forever { .. } => Lifetime::Forever,
            Survival::Mortal { line } => Lifetime::Moves(line.len()),
            Survival::Unknown { limit, .. } => {
                self.lives_limit = Some(limit);
                return None;
            }
        };
        self.known
            .insert(at.clone(), KnownValue::Caught(Some(lifetime)));
        Some(lifetime)
    }

    pub(super) fn survival(&self, at: &StateOf<S>, limits: &Limits) -> Survival<MoveOf<S>> {
        let capped = Limits {
            max_states: Some(limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES)),
            max_memory: Some(limits.max_memory.unwrap_or(MEMORY).min(MEMORY)),
            ..*limits
        };
        S::survival(&self.rules, at, &capped).0
    }

    fn line(&self, at: &StateOf<S>) -> Vec<MoveOf<S>> {
        let (mut at, mut line) = (at.clone(), Vec::new());
        while let Some(&KnownValue::Escape { first, .. }) = self.known.get(&at) {
            line.push(first);
            if Deterministic::play(&*self.rules, &mut at, first).is_some() {
                break;
            }
        }
        line
    }

    pub(super) fn values(
        &mut self,
        at: &StateOf<S>,
        choices: &[Choice<S>],
        limits: &Limits,
    ) -> (PositionValue, Vec<PositionValue>) {
        let position = self.position(at, limits);
        if matches!(position, Ok(KnownValue::Caught(_))) {
            // No move from a lost position leads to an escape, so the positions after its moves need no search of their own.
            for then in choices.iter().filter_map(|(_, then)| then.as_ref().ok()) {
                self.learn_caught(then);
            }
        }
        let value = |(_, then): &Choice<S>| self.value(then, limits);
        let moves: Vec<_> = choices.iter().map(value).collect();
        let value = match position {
            Ok(KnownValue::Escape { moves, .. }) => PositionValue::Escape { moves: Some(moves) },
            Ok(KnownValue::Caught(_)) => caught(longest(&moves)),
            Err(limit) => by_moves(&moves, limit),
        };
        (value, moves)
    }
}

impl<S: Searches> PositionEvaluator<StateOf<S>> for SearchEvaluator<S> {
    fn evaluate_at(&mut self, at: &StateOf<S>, limits: &Limits) -> Evaluation {
        let choices = self.choices(at);
        if choices.is_empty() {
            return Evaluation::over(Outcome::Caught(Cause::Trapped));
        }
        let (value, values) = self.values(at, &choices, limits);
        let way_out = self.line(at);
        let moves: Vec<_> = choices.iter().map(|(mv, _)| mv.to_string()).collect();
        let best = match way_out.first() {
            Some(mv) => Some(mv.to_string()),
            None => best(&values).map(|at| moves[at].clone()),
        };
        Evaluation {
            value,
            moves: moves.into_iter().zip(values).collect(),
            best,
            line: way_out.iter().map(ToString::to_string).collect(),
        }
    }
}

const fn caught(lives: Option<Lifetime>) -> PositionValue {
    PositionValue::Caught { lives }
}

/// Returns the longest survival among moves none of which escapes; `None` if it is unknown.
fn longest(moves: &[PositionValue]) -> Option<Lifetime> {
    let lives = |value: &PositionValue| match value {
        PositionValue::Caught { lives } => *lives,
        _ => None,
    };
    let all: Vec<_> = moves.iter().map(lives).collect();
    let longest = all.iter().flatten().max().copied();
    let is_known = longest == Some(Lifetime::Forever) || all.iter().all(Option::is_some);
    longest.filter(|_| is_known)
}

/// Returns the value of a position whose search reached a limit, as far as the values of its moves determine it.
fn by_moves(moves: &[PositionValue], limit: Limit) -> PositionValue {
    let is_escape = |value: &PositionValue| matches!(value, PositionValue::Escape { .. });
    let is_caught = |value: &PositionValue| matches!(value, PositionValue::Caught { .. });
    if moves.iter().any(is_escape) {
        PositionValue::Escape { moves: None }
    } else if moves.iter().all(is_caught) {
        caught(longest(moves))
    } else {
        PositionValue::Unknown(Some(limit))
    }
}

/// Returns the index of the first move that escapes soonest, or else may escape, or else survives longest.
fn best(moves: &[PositionValue]) -> Option<usize> {
    let key = |value: &PositionValue| match value {
        PositionValue::Escape { moves } => {
            (3, Lifetime::Moves(usize::MAX - moves.unwrap_or(usize::MAX)))
        }
        PositionValue::Chance(_) | PositionValue::Food { .. } | PositionValue::Unknown(_) => {
            (2, Lifetime::Moves(0))
        }
        PositionValue::Caught { lives } => (1, lives.unwrap_or(Lifetime::Moves(0))),
    };
    // `max_by_key` returns the last maximum.
    (0..moves.len()).rev().max_by_key(|&at| key(&moves[at]))
}
