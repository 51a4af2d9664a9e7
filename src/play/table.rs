//! The table that a game is played at: some decide from outside, the others by a policy or by their rules.

use super::orders::BY_RULE;
use super::outside::{Fault, Outside, Question, RUNNER, Scene, SeatError, Seats, Start};
use super::rollout::{Chooser, Deciders, Stop};
use super::roster::Roster;
use super::trace::{Ending, TraceError};
use super::turn;
use crate::grid::Cell;
use crate::rng::Rng;
use crate::ruleset::led::Led;
use crate::ruleset::{Event, Outcome, Playable, Stochastic};

/// One game with those outside.
pub(super) struct Table<'t, R: Playable> {
    seats: Box<dyn Seats + 't>,
    outside: &'t dyn Outside,
    /// Who decides for the runner; `None`: somebody outside.
    chooser: Option<Chooser<'t, R>>,
    roster: Roster,
    /// What may be answered.
    legal: Vec<String>,
    /// What the chasers did in this round, where some of them are led.
    orders: String,
}

impl<'t, R: Playable> Table<'t, R> {
    /// A game that begins.
    ///
    /// # Errors
    ///
    /// If those outside are not there.
    pub(super) fn new(
        rules: &R,
        outside: &'t dyn Outside,
        chooser: Option<Chooser<'t, R>>,
    ) -> Result<Self, TraceError> {
        Ok(Self {
            seats: outside.sit()?,
            outside,
            chooser,
            roster: Roster::new(rules.grid(), &[]),
            legal: Vec::new(),
            orders: String::new(),
        })
    }

    /// Asks somebody outside.
    fn ask(
        &mut self,
        (role, actor): (&str, u32),
        turn: usize,
        rows: &[String],
    ) -> Result<String, Stop> {
        let question = Question {
            role,
            actor,
            turn,
            legal: &self.legal,
            scene: Scene {
                rows,
                actors: self.roster.actors(),
            },
        };
        let answer = self.seats.decide(&question);
        answer.map_err(|error| stop(error, turn))
    }

    /// What becomes of a game in which an answer can't be accepted.
    fn refused(&mut self, role: &str, (answer, reason): (&str, &str), turn: usize) -> Stop {
        let legal = self.legal.join(", ");
        let answer = answer.escape_debug();
        let reason = format!("answered `{answer}`, which is illegal: {reason}; legal: {legal}");
        stop(self.seats.refuse(role, reason), turn)
    }

    /// All chasers move, one after the other.
    fn lead(
        &mut self,
        (rules, led): (&R, &dyn Led<R::State>),
        at: &mut R::State,
        (turn, rng): (usize, &mut Rng),
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, Stop> {
        let mut chasers = Vec::new();
        led.in_turn(at, &mut chasers);
        self.roster.begin_half();
        for (glyph, who) in chasers {
            let told = events.len();
            let role = led.roles().iter().find(|role| role.glyphs.contains(glyph));
            let role = role.filter(|role| self.outside.decides_for(role.name));
            let outcome = match role {
                None => {
                    self.orders.push(BY_RULE);
                    led.by_rule(at, who, rng, events)
                }
                Some(role) => {
                    let actor = (role.name, (glyph, who));
                    let order = self.order((rules, led), at, actor, turn)?;
                    self.orders.push_str(order);
                    led.obey(at, (who, order), rng, events)
                }
            };
            for event in &events[told..] {
                self.roster.see(event);
            }
            if outcome.is_some() {
                return Ok(outcome);
            }
            self.roster.retain(&rules.actors(at));
        }
        Ok(None)
    }

    /// What a chaser is to do.
    fn order(
        &mut self,
        (rules, led): (&R, &dyn Led<R::State>),
        at: &R::State,
        (role, actor): (&str, (char, Cell)),
        turn: usize,
    ) -> Result<&'static str, Stop> {
        let mut orders = Vec::new();
        led.orders(at, actor.1, &mut orders);
        self.legal.clear();
        self.legal.extend(orders.iter().map(ToString::to_string));
        let id = self.roster.id(actor).expect("who moves is known");
        let answer = self.ask((role, id), turn, &rules.picture(at))?;
        let order = orders.into_iter().find(|order| *order == answer);
        order.ok_or_else(|| self.refused(role, (&answer, "that is not open to it"), turn))
    }
}

fn stop(error: SeatError, turn: usize) -> Stop {
    match error {
        SeatError::Fault(Fault { role, reason }) => Stop::Over(Ending::Forfeited {
            turns: turn - 1,
            fault: Fault { role, reason },
        }),
        SeatError::Limit(limit) => Stop::Error(TraceError::Undecided(limit)),
        SeatError::Gone(why) => Stop::Error(TraceError::Unplayable(why)),
    }
}

impl<R: Stochastic + Playable> Deciders<R> for Table<'_, R> {
    fn begin(&mut self, rules: &R, at: &R::State, (turns, rng): (usize, &Rng)) -> Result<(), Stop> {
        self.roster = Roster::new(rules.grid(), &rules.actors(at));
        let start = Start {
            seed: rng.for_others(),
            turns,
            scene: Scene {
                rows: &rules.picture(at),
                actors: self.roster.actors(),
            },
        };
        self.seats.start(&start).map_err(|error| stop(error, 1))
    }

    fn choose(
        &mut self,
        rules: &R,
        at: &R::State,
        (turn, rng): (usize, &mut Rng),
    ) -> Result<Option<R::Move>, Stop> {
        if let Some(choose) = &mut self.chooser {
            return Ok(choose(at, rng));
        }
        let mut moves = Vec::new();
        rules.moves(at, &mut moves);
        let own = rules.actors(at).get(rules.mover(at)).copied();
        let Some(actor) = own.and_then(|own| self.roster.id(own)) else {
            return Ok(moves.first().copied());
        };
        if moves.is_empty() {
            return Ok(None);
        }
        self.legal.clear();
        self.legal.extend(moves.iter().map(ToString::to_string));
        let answer = self.ask((RUNNER, actor), turn, &rules.picture(at))?;
        let mv: R::Move = match answer.parse() {
            Ok(mv) => mv,
            Err(why) => return Err(self.refused(RUNNER, (&answer, &format!("{why}")), turn)),
        };
        match rules.refusal(at, mv) {
            None => Ok(Some(mv)),
            Some(why) => Err(self.refused(RUNNER, (&answer, &why), turn)),
        }
    }

    fn chase(
        &mut self,
        rules: &R,
        at: &mut R::State,
        luck: (usize, &mut Rng),
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, Stop> {
        self.orders.clear();
        let is_led = |role: &str| self.outside.decides_for(role);
        match rules.led() {
            Some(led) if led.roles().iter().any(|role| is_led(role.name)) => {
                self.lead((rules, led), at, luck, events)
            }
            _ => {
                let outcome = turn::chase(rules, at, luck.1, events);
                self.see(rules, at, events);
                Ok(outcome)
            }
        }
    }

    fn orders(&self) -> String {
        self.orders.clone()
    }

    fn see(&mut self, rules: &R, at: &R::State, events: &[Event]) {
        self.roster.begin_half();
        for event in events {
            self.roster.see(event);
        }
        self.roster.retain(&rules.actors(at));
    }

    fn end(&mut self, ending: &Ending) {
        self.seats.end(ending);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_a_turn_ends_the_game_after_the_turns_before_it() {
        let fault = || Fault {
            role: RUNNER.into(),
            reason: "crashed".into(),
        };
        for turn in [1, 7] {
            let Stop::Over(Ending::Forfeited { turns, fault: told }) =
                stop(SeatError::Fault(fault()), turn)
            else {
                panic!("turn {turn}");
            };
            assert_eq!((turns, told), (turn - 1, fault()));
        }
    }
}
