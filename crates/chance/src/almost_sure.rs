//! The almost-sure winning set (prob1E) of a table, part by part.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tables::{Tables, Tabular};
use super::value_domain::{SafeCase, ValueDomain};
use getaway_board::limits::{Budget, Limit};

impl<M: Tabular> Tables<M> {
    /// Reduces the candidates of a part to the almost-sure winning set, and gives each of its states a number of turns to a win;
    /// the earlier parts must be done. Each round first removes states from which the play can't be kept in the set, and then
    /// those from which no win can be reached within it. `count` takes an old number of turns and a new one, and returns the one
    /// to keep. Returns whether play can go on forever in states outside the set.
    pub(super) fn find_almost_sure(
        &self,
        part: usize,
        turns: &mut [SafeCase],
        count: impl Fn(SafeCase, SafeCase) -> SafeCase + Sync,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let (blocks, states) = (&self.parts[part], self.part(part));
        let mut can_stall = false;
        while !self.is_kept(blocks, turns, budget)? {
            for turns in turns[states.clone()]
                .iter_mut()
                .filter(|turns| turns.is_some())
            {
                *turns = SafeCase::NONE;
            }
            self.iterate_within(blocks.clone(), turns, budget, &count)?;
            let states = &mut turns[states.clone()];
            can_stall |= states.contains(&SafeCase::NONE);
            for turns in states {
                *turns = turns.or_barred(SafeCase::candidate(turns.is_some()));
            }
        }
        Ok(can_stall)
    }

    /// Bars the states from which the play can't be kept in the set. Returns whether each state that had a number of turns still
    /// has a win within that number, and all other states are barred.
    fn is_kept(
        &self,
        blocks: &Range<usize>,
        turns: &mut [SafeCase],
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let are_kept = AtomicBool::new(true);
        self.iterate_within(blocks.clone(), turns, budget, |old, new| {
            if old.is_some() && old.better(new) != new {
                are_kept.store(false, Ordering::Relaxed);
            }
            old.or_barred(new)
        })?;
        let states = self.model.sweeper().value_range(blocks);
        Ok(are_kept.into_inner() && !turns[states].contains(&SafeCase::NONE))
    }
}
