//! Playing a game turn by turn: the runner's moves as somebody chooses, what is left to chance from a seed.

use super::replay::{ending, illegal, open_or_trapped};
use super::trace::{Ending, HalfTurn, LineKind, TraceError, TraceEvent, TraceSink};
use crate::distribution::Distribution;
use crate::limits::Limits;
use crate::rng::Rng;
use crate::ruleset::{Event, Outcome, Playable, Ruleset, Stochastic};

/// Who decides for the runner in one game: it is told the position, and may draw random numbers; no move ends
/// the playing.
pub type Chooser<'p, R> = Box<Choose<'p, R>>;

/// What a [`Chooser`] calls.
pub type Choose<'p, R> =
    dyn FnMut(&<R as Ruleset>::State, &mut Rng) -> Option<<R as Ruleset>::Move> + 'p;

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
        if let Some(sink) = &mut self.sink {
            sink.begin(&self.kind, &|| rules.picture(at))?;
        }
        let mut events = Vec::new();
        let opening = rules.open(at, &mut events);
        self.tell(
            rules,
            at,
            Part {
                turn: 1,
                mv: None,
                events: &mut events,
            },
        )?;
        if let Some(outcome) = opening {
            return Ok(ending(outcome, 0));
        }
        for turn in 1..=self.turns {
            self.limits.check_time()?;
            let mut has_moved = false;
            while !has_moved {
                let Some(mv) = choose(at, self.rng) else {
                    // It may be that he was not given the time to choose.
                    self.limits.check_time()?;
                    return Ok(open_or_trapped(rules, at, turn - 1));
                };
                if rules.refusal(at, mv).is_some() {
                    return Ok(illegal(rules, at, mv, turn - 1));
                }
                let outcome = rules.act(at, mv, &mut events);
                self.tell(
                    rules,
                    at,
                    Part {
                        turn,
                        mv: Some(mv),
                        events: &mut events,
                    },
                )?;
                if let Some(outcome) = outcome {
                    return Ok(ending(outcome, turn));
                }
                has_moved = rules.all_moved(at);
            }
            let outcome = self.chase(rules, at, &mut events);
            let turn_told = turn + usize::from(R::CHASERS_FIRST);
            self.tell(
                rules,
                at,
                Part {
                    turn: turn_told,
                    mv: None,
                    events: &mut events,
                },
            )?;
            if let Some(outcome) = outcome {
                return Ok(ending(outcome, turn));
            }
        }
        Ok(open_or_trapped(rules, at, self.turns))
    }

    /// All who chase move, as luck will have it.
    fn chase<R: Stochastic>(
        &mut self,
        rules: &R,
        at: &mut R::State,
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
            let choice = chances.draw(self.rng.uniform()).clone();
            rules.carry_out(at, who, &choice, events)
        })
    }

    /// Tells a half turn, if anything happened in it.
    fn tell<R: Playable>(
        &mut self,
        rules: &R,
        at: &R::State,
        Part { turn, mv, events }: Part<R::Move>,
    ) -> Result<(), TraceError> {
        let events = events.drain(..);
        let Some(sink) = &mut self.sink else {
            return Ok(());
        };
        if events.len() == 0 {
            return Ok(());
        }
        // A picture of a large board takes its time.
        self.limits.check_time()?;
        let told = |event: Event| TraceEvent {
            actor: event.actor,
            from: rules.grid().position(event.from),
            to: rules.grid().position(event.to),
            fate: event.fate,
        };
        let half = HalfTurn {
            turn,
            who: if mv.is_some() { R::RUNNER } else { R::CHASERS },
            mv: mv.map(|mv| mv.to_string()),
            events: events.map(told).collect(),
            rows: rules.picture(at),
        };
        Ok(sink.half(&half)?)
    }
}

/// A half turn that was just played.
struct Part<'a, M> {
    turn: usize,
    mv: Option<M>,
    events: &'a mut Vec<Event>,
}
