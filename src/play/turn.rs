//! One turn: those who chase move as luck will have it, and each half is told in rows and columns.

use super::trace::{HalfTurn, TraceEvent};
use crate::distribution::Distribution;
use crate::rng::Rng;
use crate::ruleset::{Event, Outcome, Playable, Ruleset, Stochastic};

/// All who chase move; an outcome if that ends the game.
pub(crate) fn chase<R: Stochastic>(
    rules: &R,
    at: &mut R::State,
    rng: &mut Rng,
    events: &mut Vec<Event>,
) -> Option<Outcome> {
    if let Some(outcome) = rules.settle(at, events) {
        return Some(outcome);
    }
    let (mut chasers, mut chances) = (Vec::new(), Distribution::new());
    rules.chasers(at, &mut chasers);
    chasers.into_iter().find_map(|who| {
        chances.clear();
        rules.chances(at, who, &mut chances);
        let choice = chances.draw(rng.uniform()).clone();
        rules.carry_out(at, who, &choice, events)
    })
}

/// Half a turn that was just played: the runner's with a move, or that of those who chase.
pub(crate) struct Half<M> {
    /// The turn, from 1.
    pub(crate) turn: usize,
    /// The runner's move.
    pub(crate) mv: Option<M>,
    /// What led chasers were told to do, as [`HalfTurn::orders`].
    pub(crate) orders: String,
}

impl<M> Half<M> {
    /// The runner's.
    pub(crate) const fn of_runner(turn: usize, mv: M) -> Self {
        Self {
            turn,
            mv: Some(mv),
            orders: String::new(),
        }
    }

    /// That of those who chase.
    pub(crate) const fn of_chasers(turn: usize) -> Self {
        Self {
            turn,
            mv: None,
            orders: String::new(),
        }
    }
}

impl<M: ToString> Half<M> {
    /// How it is told, where it led to this position.
    pub(crate) fn told<R>(self, rules: &R, at: &R::State, events: &[Event]) -> HalfTurn
    where
        R: Ruleset<Move = M> + Playable,
    {
        HalfTurn {
            rows: rules.picture(at),
            ..self.told_without_picture(rules, events)
        }
    }

    /// The same without the board after it.
    pub(crate) fn told_without_picture<R>(self, rules: &R, events: &[Event]) -> HalfTurn
    where
        R: Ruleset<Move = M> + Playable,
    {
        let told = |event: &Event| TraceEvent {
            actor: event.actor,
            from: rules.grid().position(event.from),
            to: rules.grid().position(event.to),
            fate: event.fate,
        };
        HalfTurn {
            turn: self.turn,
            who: if self.mv.is_some() {
                R::RUNNER
            } else {
                R::CHASERS
            },
            mv: self.mv.map(|mv| mv.to_string()),
            orders: self.orders,
            events: events.iter().map(told).collect(),
            rows: Vec::new(),
        }
    }
}
