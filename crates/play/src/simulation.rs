//! Games played by agents, turn by turn, with chance from a seed.

use std::sync::Arc;

use super::agent::{Agent, Strategy};
use super::external::ExternalAgents;
use super::orders::Orders;
use super::referee::Referee;
use super::replay::{illegal, open_or_trapped};
use super::trace::{Ending, GameResult, LineKind, Ply, TraceError, TraceSink};
use super::turn::{GameProgress, Stop};
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_ruleset::{Event, Outcome, Playable, Ruleset, Stochastic};

/// Plays games on one board, always with the same agents.
pub trait Simulator: Sync {
    /// Plays a game of at most `turns` turns.
    fn play(
        &self,
        rng: Rng,
        turns: usize,
        sink: Option<&mut dyn TraceSink>,
    ) -> Result<GameResult, TraceError>;
}

/// Everything that determines the games of a simulation, except for their seeds and their maximum number of turns.
pub struct Simulation<'g, R: Ruleset> {
    /// The board.
    pub rules: Arc<R>,
    /// The runner's strategy; `None` if an external agent decides.
    pub strategy: Option<Strategy<'g, R>>,
    /// The kind of line; `None` if the line is a game played with a seed.
    pub kind: Option<LineKind>,
    /// The orders for controlled chasers.
    pub orders: Orders,
    /// The external agents, if any take part.
    pub external: Option<&'g dyn ExternalAgents>,
    /// The limits on a game.
    pub limits: Limits<'g>,
}

impl<'g, R: Ruleset> Simulation<'g, R> {
    /// Returns a simulation without orders or external agents.
    pub fn new(rules: Arc<R>, strategy: Strategy<'g, R>, limits: Limits<'g>) -> Self {
        Self {
            rules,
            strategy: Some(strategy),
            kind: None,
            orders: Orders::default(),
            external: None,
            limits,
        }
    }
}

impl<R: Stochastic + Playable + Send> Simulator for Simulation<'_, R> {
    fn play(
        &self,
        rng: Rng,
        turns: usize,
        sink: Option<&mut dyn TraceSink>,
    ) -> Result<GameResult, TraceError> {
        let rules = &*self.rules;
        let seed = rng.seed();
        let kind = self.kind.clone().unwrap_or(LineKind::Played { seed });
        let progress = GameProgress::new(rules, rng);
        let referee = self
            .external
            .map(|agents| Referee::new(rules, &progress, agents, turns));
        let mut game = SimulatedGame {
            rules,
            progress,
            agent: self.strategy.as_ref().map(|strategy| strategy.agent(rules)),
            orders: &self.orders,
            chaser_plies: 0,
            referee,
            limits: self.limits,
            turns,
            sink,
            events: Vec::new(),
        };
        let mut ending = game.play(&kind)?;
        let mut unplayed = None;
        if let Some(Strategy::Line { limit: end, .. }) = &self.strategy {
            match &mut ending {
                Ending::Open {
                    turns: played,
                    is_mid_turn,
                    limit,
                } => {
                    *limit = end.filter(|_| *played < turns);
                    *is_mid_turn = !game.progress.is_turn_over;
                }
                Ending::Escaped { .. } | Ending::Caught { .. } => {
                    unplayed = game.choose().ok().flatten();
                }
                Ending::Forfeited { .. } | Ending::Illegal { .. } => {}
            }
        }
        Ok(GameResult {
            ending,
            gathered: rules.gathered(&game.progress.at),
            unplayed: unplayed.map(|mv| mv.to_string()),
        })
    }
}

struct SimulatedGame<'g, 's, R: Ruleset> {
    rules: &'g R,
    progress: GameProgress<R::State>,
    agent: Option<Agent<'g, R>>,
    orders: &'g Orders,
    chaser_plies: usize,
    referee: Option<Referee<'g>>,
    limits: Limits<'g>,
    turns: usize,
    sink: Option<&'s mut dyn TraceSink>,
    events: Vec<Event>,
}

impl<R: Stochastic + Playable> SimulatedGame<'_, '_, R> {
    fn play(&mut self, kind: &LineKind) -> Result<Ending, TraceError> {
        let ending = match self.play_on(kind) {
            Ok(ending) | Err(Stop::Over(ending)) => ending,
            Err(Stop::Error(error)) => return Err(error),
        };
        match &mut self.referee {
            Some(referee) => referee.end(&ending),
            None if is_done(&ending, self.turns) => self.orders.must_end(self.chaser_plies)?,
            None => {}
        }
        Ok(ending)
    }

    /// Plays the game until it is over, the turns run out, or the runner's agent stops or makes an illegal move. Each runner's
    /// move is a ply, as are the moves of all chasers together.
    fn play_on(&mut self, kind: &LineKind) -> Result<Ending, Stop> {
        let rules = self.rules;
        if let Some(referee) = &mut self.referee {
            referee.start()?;
        }
        if let Some(sink) = &mut self.sink {
            sink.begin(kind, &|| rules.picture(&self.progress.at))?;
        }
        let opening = rules.open(&mut self.progress.at, &mut self.events);
        self.progress.outcome = opening;
        // The chasers' opening moves are the first half of turn 1, which is not played here.
        if R::CHASERS_FIRST && self.turns == 0 && opening != Some(Outcome::Escaped) {
            return Ok(Ending::open(0));
        }
        self.show_referee();
        self.record(|events| Ply::of_chasers(rules, 0, String::new(), events))?;
        while self.progress.outcome.is_none() {
            if self.progress.is_turn_over {
                if self.progress.turns == self.turns {
                    break;
                }
                self.limits.check_time()?;
            }
            if let Some(ending) = self.runner_ply()? {
                return Ok(ending);
            }
            if self.progress.outcome.is_none() && self.progress.is_turn_over {
                if R::CHASERS_FIRST && self.progress.turns == self.turns {
                    // The chasers' next move would be the first half of another turn.
                    return Ok(Ending::open(self.turns));
                }
                self.chasers_ply()?;
            }
        }
        Ok(self.progress.ending(rules))
    }

    fn runner_ply(&mut self) -> Result<Option<Ending>, Stop> {
        let (rules, turn) = (self.rules, self.progress.turn());
        let Some(mv) = self.choose()? else {
            // The agent may have used up the time.
            self.limits.check_time()?;
            return Ok(Some(open_or_trapped(rules, &self.progress.at, turn - 1)));
        };
        if rules.refusal(&self.progress.at, mv).is_some() {
            return Ok(Some(illegal(rules, &self.progress.at, mv, turn - 1)));
        }
        self.progress.act(rules, mv, &mut self.events);
        self.show_referee();
        self.record(|events| Ply::of_runner(rules, turn, mv, events))?;
        Ok(None)
    }

    fn choose(&mut self) -> Result<Option<R::Move>, Stop> {
        let game = &mut self.progress;
        match (&mut self.agent, &mut self.referee) {
            (Some(agent), _) => Ok(agent(&game.at, &mut game.rng)),
            (None, Some(referee)) => referee.choose(self.rules, game),
            (None, None) => unreachable!("without a strategy an external agent decides"),
        }
    }

    fn chasers_ply(&mut self) -> Result<(), Stop> {
        let (rules, game, events) = (self.rules, &mut self.progress, &mut self.events);
        let turn = game.turns;
        self.chaser_plies += 1;
        let (outcome, orders) = if let Some(referee) = &mut self.referee {
            referee.chase(rules, game, events)?
        } else {
            let outcome = self
                .orders
                .chase(rules, turn, &mut game.at, &mut game.rng, events)?;
            (outcome, self.orders.group(turn))
        };
        game.outcome = outcome;
        self.record(|events| Ply::of_chasers(rules, turn, orders, events))
    }

    fn show_referee(&mut self) {
        if let Some(referee) = &mut self.referee {
            referee.observe(self.rules, &self.progress.at, &self.events);
        }
    }

    fn record(&mut self, ply: impl FnOnce(&[Event]) -> Ply) -> Result<(), Stop> {
        if let Some(sink) = self.sink.as_mut().filter(|_| !self.events.is_empty()) {
            self.limits.check_time()?;
            sink.ply(&ply(&self.events).drawn(self.rules, &self.progress.at))?;
        }
        self.events.clear();
        Ok(())
    }
}

/// Returns whether the game or line ended by itself: not at the limit of `turns` turns, by a forfeit or at an illegal move. Any
/// orders for later turns are then too many.
const fn is_done(ending: &Ending, turns: usize) -> bool {
    match ending {
        Ending::Escaped { .. } | Ending::Caught { .. } => true,
        Ending::Open { turns: played, .. } => *played < turns,
        Ending::Forfeited { .. } | Ending::Illegal { .. } => false,
    }
}
