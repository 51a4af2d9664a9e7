//! Bounds on the value of a level, from sweeps over its tables.
//!
//! - *Almost sure wins* are found first, by counting turns. Their value is 1, and all others are below it.
//! - *From below.* Other values rise from 0, and are extrapolated. Each sweep subtracts a little from each of them. If it still
//!   lowers none, they are lower bounds: along the best moves, the expected value grows every turn, so the play ends. Where play
//!   could go on forever, values that are too high and only support each other fall.
//! - *From above.* If a sweep raises none of the values, they are upper bounds: the probability of winning is the least fixed
//!   point. Such values are found a little above the lower bounds.

use std::sync::atomic::{AtomicBool, Ordering};

use super::JointTable;
use super::bounds::{TablePart, WIDTH};
use super::values::{Probabilities, Values};
use getaway_board::limits::{Bounds, Budget, Limit};
use getaway_chance::{SafeCase, ValueDomain, WorstCase};

/// The value of a level.
#[derive(Clone, Copy, Debug)]
pub struct JointValue {
    /// Bounds on the probability of winning.
    pub bounds: Bounds,
    /// True if the players win whatever the draws.
    pub is_certain: bool,
    /// The limit that ended the solution early, if any.
    pub limit: Option<Limit>,
    /// The number of positions that sweeps have reached.
    pub states: u64,
}

impl JointTable {
    /// Solves the level; `None` if the values converge too slowly, or some number of turns is too large to count.
    pub fn solve(&self, budget: &Budget) -> Option<JointValue> {
        let (mut known, mut states) = (Bounds::UNKNOWN, 0);
        let solve = || self.solve_here(&mut known, &mut states, budget);
        let solved = budget.limits.on_threads(solve);
        Some(JointValue {
            is_certain: solved.unwrap_or(Some(false))?,
            bounds: known,
            limit: solved.err(),
            states,
        })
    }

    /// Returns whether the players win whatever the draws; `None` if the values converge too slowly, or some number of turns is
    /// too large to count.
    fn solve_here(
        &self,
        known: &mut Bounds,
        states: &mut u64,
        budget: &Budget,
    ) -> Result<Option<bool>, Limit> {
        let mut parts = TablePart::all(self);
        let Some(almost_sure) = self.almost_sure(&mut parts, states, budget)? else {
            return Ok(None);
        };
        if self.initial(&almost_sure.all).is_some() {
            budget.free(almost_sure.all);
            *known = Bounds::exact(1.0);
            return self.wins_surely(budget).map(Some);
        }
        let mut lower = self.filled([0.0], budget)?;
        for ([value], turns) in lower.all.iter_mut().zip(&almost_sure.all) {
            *value = f64::from(u8::from(turns.is_some()));
        }
        budget.free(almost_sure.all);
        let mut upper = Probabilities {
            all: Vec::new(),
            stale: self.sweeper.stale(),
        };
        let mut is_done = true;
        for part in parts {
            is_done = self.enclose(&part, [&mut lower, &mut upper], known, budget)?;
            if !is_done || known.lower >= 1.0 - WIDTH {
                break;
            }
        }
        if is_done && known.lower < 1.0 - WIDTH {
            known.upper = self.initial(&upper.all)[0].min(1.0);
        }
        budget.free(lower.all);
        budget.free(upper.all);
        Ok(is_done.then_some(false))
    }

    /// Returns the almost-sure winning set (prob1E), part by part. Each round first removes states from which the play can't be
    /// kept in the set, and then those from which no win can be reached within it. Sets `reached` to the number of states that were
    /// swept. Returns `None` if some number of turns is too large to count.
    fn almost_sure(
        &self,
        parts: &mut [TablePart],
        reached: &mut u64,
        budget: &Budget,
    ) -> Result<Option<Values<SafeCase>>, Limit> {
        let mut turns = self.filled(SafeCase::NONE, budget)?;
        for part in parts {
            loop {
                let is_kept = self.keep_in_set(part, &mut turns, budget)?;
                *reached = part.states.end as u64;
                if is_kept {
                    break;
                }
                let wins = turns.all[part.states.clone()].iter_mut();
                wins.filter(|turns| turns.is_some())
                    .for_each(|turns| *turns = SafeCase::NONE);
                self.sweep_until_stable(part.blocks.clone(), &mut turns, budget, SafeCase::or)?;
                let states = &mut turns.all[part.states.clone()];
                part.can_stall |= states.contains(&SafeCase::NONE);
                for turns in states {
                    *turns = turns.or_barred(SafeCase::candidate(turns.is_some()));
                }
            }
        }
        if turns.all.iter().all(|turns| turns.has_counted()) {
            return Ok(Some(turns));
        }
        budget.free(turns.all);
        Ok(None)
    }

    /// Bars the states of a part from which the play can't be kept in the set. Returns whether all others still have a win within
    /// the number of turns that was found.
    fn keep_in_set(
        &self,
        part: &TablePart,
        turns: &mut Values<SafeCase>,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let is_kept = AtomicBool::new(true);
        self.sweep_until_stable(part.blocks.clone(), turns, budget, |old, new| {
            if old.is_some() && old.better(new) != new {
                is_kept.store(false, Ordering::Relaxed);
            }
            old.or_barred(new)
        })?;
        let is_complete = !turns.all[part.states.clone()].contains(&SafeCase::NONE);
        Ok(is_complete && is_kept.into_inner())
    }

    fn wins_surely(&self, budget: &Budget) -> Result<bool, Limit> {
        let mut turns = self.filled(WorstCase::NONE, budget)?;
        let all = 0..self.blocks.len();
        self.sweep_until_stable(all, &mut turns, budget, WorstCase::better)?;
        let is_sure = self.initial(&turns.all).is_some();
        budget.free(turns.all);
        Ok(is_sure)
    }
}
