//! Playing a game turn by turn: the runner's moves as somebody chooses, what is left to chance from a seed.

use super::orders::Orders;
use super::replay::{ending, illegal, open_or_trapped};
use super::trace::{Ending, LineKind, TraceError, TraceSink};
use super::turn::{Half, chase};
use crate::limits::Limits;
use crate::rng::Rng;
use crate::ruleset::led::NoOrder;
use crate::ruleset::{Event, Outcome, Playable, Ruleset, Stochastic};

/// Who decides for the runner in one game: it is told the position, and may draw random numbers; no move ends
/// the playing.
pub type Chooser<'p, R> = Box<Choose<'p, R>>;

/// What a [`Chooser`] calls.
pub type Choose<'p, R> =
    dyn FnMut(&<R as Ruleset>::State, &mut Rng) -> Option<<R as Ruleset>::Move> + 'p;

/// Those who decide in one game of `R`.
pub(crate) trait Deciders<R: Stochastic> {
    /// The game begins, of so many turns at most.
    ///
    /// # Errors
    ///
    /// Why it is over.
    fn begin(&mut self, _rules: &R, _at: &R::State, _game: (usize, &Rng)) -> Result<(), Stop> {
        Ok(())
    }

    /// The runner's move in this turn; none ends the playing.
    ///
    /// # Errors
    ///
    /// Why the game is over.
    fn choose(
        &mut self,
        rules: &R,
        at: &R::State,
        turn: (usize, &mut Rng),
    ) -> Result<Option<R::Move>, Stop>;

    /// All who chase move in this turn; an outcome if that ends the game.
    ///
    /// # Errors
    ///
    /// Why the game is over.
    fn chase(
        &mut self,
        rules: &R,
        at: &mut R::State,
        (_, rng): (usize, &mut Rng),
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, Stop> {
        Ok(chase(rules, at, rng, events))
    }

    /// What chasers were told to do in the round that was just played, as a group of the header `chasers`; empty where
    /// nobody led any.
    fn orders(&self) -> String {
        String::new()
    }

    /// What happened before the first turn, or in a runner's half of one.
    fn see(&mut self, _rules: &R, _at: &R::State, _events: &[Event]) {}

    /// The game is over.
    fn end(&mut self, _ending: &Ending) {}
}

/// Why a game does not go on.
pub(crate) enum Stop {
    /// It is over.
    Over(Ending),
    /// It can't be played.
    Error(TraceError),
}

impl<E: Into<TraceError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// The runner's moves are chosen, and what chasers did whom somebody led is known.
pub(crate) struct ByChooser<'c, 'p, R: Ruleset> {
    choose: &'c mut Choose<'p, R>,
    orders: &'c Orders,
    /// How often the chasers have moved.
    rounds: usize,
}

impl<'c, 'p, R: Ruleset> ByChooser<'c, 'p, R> {
    /// One game with these moves and orders.
    pub(crate) fn new(choose: &'c mut Choose<'p, R>, orders: &'c Orders) -> Self {
        Self {
            choose,
            orders,
            rounds: 0,
        }
    }

    /// Whether all orders were carried out, in a game that does not go on.
    ///
    /// # Errors
    ///
    /// The first that was not.
    pub(crate) fn must_be_done(&self) -> Result<(), NoOrder> {
        self.orders.must_end(self.rounds)
    }
}

impl<R: Stochastic + Playable> Deciders<R> for ByChooser<'_, '_, R> {
    fn choose(
        &mut self,
        _rules: &R,
        at: &R::State,
        (_, rng): (usize, &mut Rng),
    ) -> Result<Option<R::Move>, Stop> {
        Ok((self.choose)(at, rng))
    }

    fn chase(
        &mut self,
        rules: &R,
        at: &mut R::State,
        turn: (usize, &mut Rng),
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, Stop> {
        self.rounds += 1;
        Ok(self.orders.chase(rules, at, turn, events)?)
    }

    fn orders(&self) -> String {
        self.orders.group(self.rounds)
    }
}

/// A game about to be played.
pub(crate) struct Rollout<'a, 't> {
    /// What is played, for the sink.
    pub(crate) kind: LineKind,
    /// The most turns to play.
    pub(crate) turns: usize,
    /// Where luck comes from.
    pub(crate) rng: &'a mut Rng,
    /// What breaks the playing off.
    pub(crate) limits: Limits<'a>,
    /// Who is told of each half turn, if anybody is.
    pub(crate) sink: Option<&'t mut dyn TraceSink>,
}

impl Rollout<'_, '_> {
    /// Plays from the start, `at`, the runners' moves as `choose` says, until the game or the moves
    /// end.
    ///
    /// Every move of a runner is told as a half of its own, and so are the moves of those who chase.
    /// The turns of the ending are rounds: where several run, each moves once in a turn.
    ///
    /// # Errors
    ///
    /// Those of the sink, and a limit that breaks the playing off.
    pub(crate) fn play<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        choose: &mut Choose<R>,
    ) -> Result<Ending, TraceError> {
        self.play_with(rules, at, &mut ByChooser::new(choose, &Orders::default()))
    }

    /// The same with moves as the deciders say.
    ///
    /// # Errors
    ///
    /// The same, and whatever keeps the deciders from deciding.
    pub(crate) fn play_with<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        deciders: &mut impl Deciders<R>,
    ) -> Result<Ending, TraceError> {
        let ending = match self.play_on(rules, at, deciders) {
            Ok(ending) | Err(Stop::Over(ending)) => ending,
            Err(Stop::Error(error)) => return Err(error),
        };
        deciders.end(&ending);
        Ok(ending)
    }

    fn play_on<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        deciders: &mut impl Deciders<R>,
    ) -> Result<Ending, Stop> {
        deciders.begin(rules, at, (self.turns, &*self.rng))?;
        if let Some(sink) = &mut self.sink {
            sink.begin(&self.kind, &|| rules.picture(at))?;
        }
        let mut events = Vec::new();
        let opening = rules.open(at, &mut events);
        if R::CHASERS_FIRST && self.turns == 0 && opening != Some(Outcome::Escaped) {
            return Ok(Ending::Open { turns: 0 });
        }
        deciders.see(rules, at, &events);
        self.tell(rules, at, Half::of_chasers(1), &mut events)?;
        if let Some(outcome) = opening {
            return Ok(ending(outcome, 0));
        }
        for turn in 1..=self.turns {
            self.limits.check_time()?;
            let mut has_moved = false;
            while !has_moved {
                let Some(mv) = deciders.choose(rules, at, (turn, &mut *self.rng))? else {
                    // It may be that he was not given the time to choose.
                    self.limits.check_time()?;
                    return Ok(open_or_trapped(rules, at, turn - 1));
                };
                if rules.refusal(at, mv).is_some() {
                    return Ok(illegal(rules, at, mv, turn - 1));
                }
                let outcome = rules.act(at, mv, &mut events);
                deciders.see(rules, at, &events);
                self.tell(rules, at, Half::of_runner(turn, mv), &mut events)?;
                if let Some(outcome) = outcome {
                    return Ok(ending(outcome, turn));
                }
                has_moved = rules.all_moved(at);
            }
            if R::CHASERS_FIRST && turn == self.turns {
                // What the chasers do next is the first half of another turn.
                return Ok(Ending::Open { turns: turn });
            }
            let outcome = deciders.chase(rules, at, (turn, &mut *self.rng), &mut events)?;
            let half = Half {
                orders: deciders.orders(),
                ..Half::of_chasers(turn + usize::from(R::CHASERS_FIRST))
            };
            self.tell(rules, at, half, &mut events)?;
            if let Some(outcome) = outcome {
                return Ok(ending(outcome, turn));
            }
        }
        Ok(open_or_trapped(rules, at, self.turns))
    }

    /// Tells a half turn, if anything happened in it.
    fn tell<R: Playable>(
        &mut self,
        rules: &R,
        at: &R::State,
        half: Half<R::Move>,
        events: &mut Vec<Event>,
    ) -> Result<(), TraceError> {
        let events = std::mem::take(events);
        let Some(sink) = self.sink.as_mut().filter(|_| !events.is_empty()) else {
            return Ok(());
        };
        // A picture of a large board takes its time.
        self.limits.check_time()?;
        Ok(sink.half(&half.told(rules, at, &events))?)
    }
}
