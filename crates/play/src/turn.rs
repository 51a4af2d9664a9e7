//! The plies of a turn: each runner moves, then all chasers together.

use super::replay::{ending, open_or_trapped};
use super::trace::{Ending, Ply, TraceError, TraceEvent};
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Event, Meaning, Outcome, Playable, Ruleset, Stochastic, Watch};

#[derive(Clone, Debug)]
pub(super) struct GameProgress<S> {
    pub(super) at: S,
    pub(super) rng: Rng,
    pub(super) outcome: Option<Outcome>,
    pub(super) turns: usize,
    /// True if the next move begins a turn, in which each runner moves once.
    pub(super) is_turn_over: bool,
}

impl<S> GameProgress<S> {
    pub(super) fn new<R: Ruleset<State = S>>(rules: &R, rng: Rng) -> Self {
        Self {
            at: rules.start(),
            rng,
            outcome: None,
            turns: 0,
            is_turn_over: true,
        }
    }

    /// Returns the turn of the next move, from 1.
    pub(super) fn turn(&self) -> usize {
        self.turns + usize::from(self.is_turn_over)
    }

    pub(super) fn act<R>(&mut self, rules: &R, mv: R::Move, events: &mut Vec<Event>)
    where
        R: Ruleset<State = S>,
    {
        self.turns = self.turn();
        self.outcome = rules.act(&mut self.at, mv, events);
        self.is_turn_over = self.outcome.is_some() || rules.all_moved(&self.at);
    }

    pub(super) fn ending<R: Ruleset<State = S>>(&self, rules: &R) -> Ending {
        match self.outcome {
            Some(outcome) => ending(outcome, self.turns),
            None => open_or_trapped(rules, &self.at, self.turns),
        }
    }
}

pub(super) enum Stop {
    Over(Ending),
    Error(TraceError),
}

impl<E: Into<TraceError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Moves the chasers by their own rules or by chance, and reuses its buffers.
pub(crate) struct Chase<R: Stochastic> {
    chasers: Vec<R::Chaser>,
    outcomes: Distribution<R::Choice>,
}

impl<R: Stochastic> Default for Chase<R> {
    fn default() -> Self {
        Self {
            chasers: Vec::new(),
            outcomes: Distribution::new(),
        }
    }
}

impl<R: Stochastic> Chase<R> {
    /// Plays the chasers' half of a turn; returns the outcome if that ends the game.
    pub(crate) fn play<W: Watch>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        rng: &mut Rng,
        watch: &mut W,
    ) -> Option<Outcome> {
        if let Some(outcome) = rules.after_runners(at, watch) {
            return Some(outcome);
        }
        let Self { chasers, outcomes } = self;
        chasers.clear();
        rules.chasers(at, chasers);
        chasers.iter().find_map(|&who| {
            outcomes.clear();
            rules.outcomes(at, who, outcomes);
            let choice = outcomes.draw(rng.uniform()).clone();
            rules.carry_out(at, who, &choice, watch)
        })
    }
}

/// Moves each chaser by the order that `order` returns or, without one, by its own rules. Returns the outcome if that ends
/// the game.
pub(crate) fn control<R: Playable, E>(
    rules: &R,
    controlled: &dyn Controlled<R::State>,
    at: &mut R::State,
    rng: &mut Rng,
    events: &mut Vec<Event>,
    mut order: impl FnMut(&R::State, (char, Cell), &[Event]) -> Result<Option<&'static str>, E>,
) -> Result<Option<Outcome>, E> {
    for chaser in rules.actors_of(at, Meaning::Chaser) {
        let order = order(at, chaser, events)?;
        let outcome = controlled.control(at, chaser.1, order, rng, events);
        if outcome.is_some() {
            return Ok(outcome);
        }
    }
    Ok(None)
}

impl Ply {
    /// Returns the ply of a runner's move, without the board, which [`Ply::drawn`] adds.
    pub fn of_runner<R: Playable>(rules: &R, turn: usize, mv: R::Move, events: &[Event]) -> Self {
        Self {
            turn,
            who: R::RUNNER,
            mv: Some(mv.to_string()),
            ..Self::of_chasers(rules, turn, String::new(), events)
        }
    }

    /// Returns the ply of the chasers' moves, without the board. `turn` is the runner's last turn; if the chasers move first,
    /// they begin the next one.
    pub fn of_chasers<R: Playable>(
        rules: &R,
        turn: usize,
        orders: String,
        events: &[Event],
    ) -> Self {
        Self {
            turn: turn + usize::from(R::CHASERS_FIRST),
            who: R::CHASERS,
            mv: None,
            orders,
            events: recorded(rules, events),
            rows: Vec::new(),
        }
    }

    /// Adds the board after the ply.
    #[must_use]
    pub fn drawn<R: Playable>(self, rules: &R, at: &R::State) -> Self {
        Self {
            rows: rules.picture(at),
            ..self
        }
    }
}

fn recorded<R: Playable>(rules: &R, events: &[Event]) -> Vec<TraceEvent> {
    let recorded = |event: &Event| TraceEvent {
        actor: event.actor,
        from: rules.grid().position(event.from),
        to: rules.grid().position(event.to),
        fate: event.fate,
    };
    events.iter().map(recorded).collect()
}
