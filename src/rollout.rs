//! Playing a game of chance turn by turn, with luck from a seed.

use crate::chance::Chances;
use crate::engine::luck::Luck;
use crate::game::{Ending, Half, LineKind, Teller, Told, TraceError};
use crate::replay::{ending, illegal};
use crate::rules::{Event, Outcome, Playable, Stochastic};

/// A game about to be played.
pub struct Rollout<'a> {
    /// What is played, for the teller.
    pub kind: LineKind,
    /// The most turns to play.
    pub turns: usize,
    /// Where luck comes from.
    pub luck: &'a mut Luck,
    /// Who is told of each half turn.
    pub teller: &'a mut dyn Teller,
}

impl Rollout<'_> {
    /// Plays the runners' moves as `choose` says, until the game or the moves end.
    ///
    /// Every move of a runner is told as a half of its own, and so are the moves of those who
    /// chase. The turns of the ending are rounds: where several run, each moves once in a turn.
    ///
    /// # Errors
    ///
    /// Those of the teller.
    pub fn play<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        mut choose: impl FnMut(&R::State) -> Option<R::Move>,
    ) -> Result<Ending, TraceError> {
        let mut at = rules.start();
        self.teller.begin(&self.kind, &|| rules.picture(&at))?;
        let mut events = Vec::new();
        let opening = rules.open(&mut at, &mut events);
        self.tell(rules, &at, &mut Part { turn: 1, mv: None, events: &mut events })?;
        if let Some(outcome) = opening {
            return Ok(ending(outcome, 0));
        }
        for turn in 1..=self.turns {
            let mut has_moved = false;
            while !has_moved {
                let Some(mv) = choose(&at) else { return Ok(Ending::Open { turns: turn - 1 }) };
                if rules.refusal(&at, mv).is_some() {
                    return Ok(illegal(rules, &at, mv, turn - 1));
                }
                let outcome = rules.act(&mut at, mv, &mut events);
                self.tell(rules, &at, &mut Part { turn, mv: Some(mv), events: &mut events })?;
                if let Some(outcome) = outcome {
                    return Ok(ending(outcome, turn));
                }
                has_moved = rules.all_moved(&at);
            }
            let outcome = self.chase(rules, &mut at, &mut events);
            let turn_told = turn + usize::from(R::CHASERS_FIRST);
            self.tell(rules, &at, &mut Part { turn: turn_told, mv: None, events: &mut events })?;
            if let Some(outcome) = outcome {
                return Ok(ending(outcome, turn));
            }
        }
        Ok(Ending::Open { turns: self.turns })
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
        let (mut chasers, mut chances) = (Vec::new(), Chances::new());
        rules.chasers(at, &mut chasers);
        chasers.into_iter().find_map(|who| {
            chances.clear();
            rules.chances(at, who, &mut chances);
            let choice = chances.draw(self.luck.uniform()).clone();
            rules.carry_out(at, who, &choice, events)
        })
    }

    /// Tells a half turn, if anything happened in it.
    fn tell<R: Playable>(
        &mut self,
        rules: &R,
        at: &R::State,
        part: &mut Part<R::Move>,
    ) -> Result<(), TraceError> {
        if part.events.is_empty() {
            return Ok(());
        }
        let told = |event: Event| Told {
            actor: event.actor,
            from: rules.position(event.from),
            to: rules.position(event.to),
            fate: event.fate,
        };
        let half = Half {
            turn: part.turn,
            who: if part.mv.is_some() { R::RUNNER } else { R::CHASERS },
            mv: part.mv.map(|mv| mv.to_string()),
            events: part.events.drain(..).map(told).collect(),
            rows: rules.picture(at),
        };
        Ok(self.teller.half(&half)?)
    }
}

/// A half turn that was just played.
struct Part<'a, M> {
    turn: usize,
    mv: Option<M>,
    events: &'a mut Vec<Event>,
}
