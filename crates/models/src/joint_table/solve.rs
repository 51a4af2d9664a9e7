//! Bounds on the value of a level, from sweeps over its tables.
//!
//! - *Almost sure wins* are found first, by counting turns. Their value is 1, and all others are below it.
//! - *From below.* Other values rise from 0. Each stays at most what follows from the others, less a small [`DELAY`]. Along the best moves
//!   such values can't stay positive for ever, so they are lower bounds, even where the players could avoid an end for ever. This
//!   also holds for extrapolated values, as soon as a sweep lowers none of them.
//! - *From above.* If a sweep raises none of the values, they are upper bounds: the probability of winning is the least fixed
//!   point. Such values are found a little above the lower bounds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::JointTable;
use super::update::{TurnUpdate, Workspace};
use getaway_board::limits::{Bounds, Budget, Limit};
use getaway_chance::{Mdp, SafeCase, Stale, SweepView, ValueDomain, WorstCase};

/// The value of a level.
#[derive(Clone, Copy, Debug)]
pub struct JointValue {
    /// Bounds on the probability of winning.
    pub bounds: Bounds,
    /// True if the players win whatever the draws.
    pub is_certain: bool,
    /// The limit that ended the solution early, if any.
    pub limit: Option<Limit>,
    /// The number of positions in the tables.
    pub states: u64,
}

/// The loss of lower bounds per turn: far more than rounding errors, and far less than the precision of an answer.
const DELAY: f64 = 1e-13;

/// The gap between the bounds.
const WIDTH: f64 = 8e-7;

/// The largest rise of an upper bound that rounding can cause.
const ROUNDING: f64 = 1e-15;

/// For each attempt to find upper bounds, the largest change in a sweep at which values have risen enough.
const TOLERANCES: [f64; 3] = [1e-9, 1e-10, 1e-11];

/// The number of sweeps in a round.
const ROUND: usize = 6;
const MAX_ROUNDS: usize = 100;
/// Extrapolation begins when no value gains more than this in a round.
const MAX_GAIN: f64 = 0.1;
/// The largest ratio of a value's gains in two rounds.
const MAX_RATIO: f64 = 0.98;
/// Extrapolation is worth its checks if gains fall more slowly than this.
const MIN_RATIO: f64 = 0.3;
/// The share of the expected gain that is extrapolated, so that the next sweeps still raise values.
const CAUTION: f64 = 0.9;
/// The number of sweeps after which extrapolated values are given up.
const MAX_CHECKS: usize = 8;
const MAX_UPPER_SWEEPS: usize = 60;

/// The values of a table, and which blocks need an update.
struct Values<V> {
    all: Vec<V>,
    stale: Stale,
}

type Probabilities = Values<[f64; 1]>;

/// The last rounds of a part of the states.
struct Rounds {
    states: Range<usize>,
    /// The values at the start of the round.
    before: Vec<[f64; 1]>,
    /// The gains in the round before.
    gains: Vec<f32>,
    /// The largest gain in the round before.
    largest: f64,
    /// The number of rounds before the next extrapolation.
    wait: usize,
    /// The number of rounds to wait after a failure.
    pause: usize,
}

impl Rounds {
    fn new(states: Range<usize>, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            before: budget.filled([0.0], states.len())?,
            gains: budget.filled(0.0, states.len())?,
            states,
            largest: 1.0,
            wait: 1,
            pause: 1,
        })
    }

    fn begin(&mut self, values: &[[f64; 1]]) {
        self.before.copy_from_slice(&values[self.states.clone()]);
    }

    /// Ends a round. Extrapolates the values if it is time to, and then returns true and keeps the old values in `before`.
    fn end(&mut self, values: &mut [[f64; 1]]) -> bool {
        let values = &mut values[self.states.clone()];
        let all = values.iter().zip(&self.before);
        let largest = all.fold(0.0_f64, |largest, ([new], [old])| largest.max(new - old));
        let ratio_of_all = largest / std::mem::replace(&mut self.largest, largest);
        let leaps = self.wait == 0 && largest <= MAX_GAIN && ratio_of_all > MIN_RATIO;
        let max_ratio = ratio_of_all.min(MAX_RATIO);
        self.wait = self.wait.saturating_sub(1);
        let rounds = self.before.iter_mut().zip(&mut self.gains);
        for ([value], ([before], last)) in values.iter_mut().zip(rounds) {
            let gain = *value - *before;
            if leaps {
                let ratio = (gain / f64::from(*last)).min(max_ratio);
                *before = *value;
                if ratio > 0.0 {
                    *value = (*value + CAUTION * gain * ratio / (1.0 - ratio)).min(1.0 - DELAY);
                }
            }
            *last = gain as f32;
        }
        leaps
    }

    /// Notes whether the extrapolated values are bounds, and goes back to the old ones if not.
    fn judge(&mut self, is_bound: bool, values: &mut [[f64; 1]]) {
        if is_bound {
            (self.wait, self.pause) = (2, 1);
        } else {
            values[self.states.clone()].copy_from_slice(&self.before);
            (self.wait, self.pause) = (self.pause, 2 * self.pause);
        }
    }
}

impl JointTable {
    /// Solves the level; `None` if the values converge too slowly.
    pub fn solve(&self, budget: &Budget) -> Option<JointValue> {
        let mut known = Bounds::UNKNOWN;
        let solve = || self.solve_here(&mut known, budget);
        let solved = budget.limits.on_threads(solve);
        Some(JointValue {
            is_certain: solved.unwrap_or(Some(false))?,
            bounds: known,
            limit: solved.err(),
            states: self.len() as u64,
        })
    }

    /// Returns whether the players win whatever the draws; `None` if the values converge too slowly.
    fn solve_here(&self, known: &mut Bounds, budget: &Budget) -> Result<Option<bool>, Limit> {
        let Some(almost_sure) = self.almost_sure(budget)? else {
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
        for tolerance in TOLERANCES {
            let mut has_risen = true;
            for part in self.sweeper.parts() {
                has_risen = has_risen && self.raise(part, &mut lower, tolerance, known, budget)?;
            }
            if has_risen && let Some(upper) = self.upper(&lower.all, budget)? {
                known.upper = upper;
            }
            if known.upper < 1.0 || known.lower >= 1.0 - WIDTH {
                break;
            }
        }
        budget.free(lower.all);
        let is_done = known.upper < 1.0 || known.lower >= 1.0 - WIDTH;
        Ok(is_done.then_some(false))
    }

    /// Returns the almost-sure winning set (prob1E), part by part. Each round first removes states from which the play can't be
    /// kept in the set, and then those from which no win can be reached within it. Returns `None` if some number of turns is too
    /// large to count.
    fn almost_sure(&self, budget: &Budget) -> Result<Option<Values<SafeCase>>, Limit> {
        let mut turns = self.filled(SafeCase::NONE, budget)?;
        let starts = self.sweeper.starts();
        for part in self.sweeper.parts() {
            let states = starts[part.start]..starts[part.end];
            while !self.keep_in_set(part.clone(), &mut turns, budget)? {
                let wins = turns.all[states.clone()].iter_mut();
                wins.filter(|turns| turns.is_some())
                    .for_each(|turns| *turns = SafeCase::NONE);
                self.settle(part.clone(), &mut turns, budget, SafeCase::or)?;
                for turns in &mut turns.all[states.clone()] {
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
        part: Range<usize>,
        turns: &mut Values<SafeCase>,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let is_kept = AtomicBool::new(true);
        self.settle(part.clone(), turns, budget, |old, new| {
            if old.is_some() && old.better(new) != new {
                is_kept.store(false, Ordering::Relaxed);
            }
            old.or_barred(new)
        })?;
        let starts = self.sweeper.starts();
        let is_complete =
            !turns.all[starts[part.start]..starts[part.end]].contains(&SafeCase::NONE);
        Ok(is_complete && is_kept.into_inner())
    }

    fn wins_surely(&self, budget: &Budget) -> Result<bool, Limit> {
        let mut turns = self.filled(WorstCase::NONE, budget)?;
        let all = 0..self.blocks.len();
        self.settle(all, &mut turns, budget, WorstCase::better)?;
        let is_sure = self.initial(&turns.all).is_some();
        budget.free(turns.all);
        Ok(is_sure)
    }

    /// Raises the values of a part until a sweep changes none by more than `tolerance`; returns whether that happens.
    fn raise(
        &self,
        part: Range<usize>,
        values: &mut Probabilities,
        tolerance: f64,
        known: &mut Bounds,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let taken = budget.taken();
        let starts = self.sweeper.starts();
        let mut rounds = Rounds::new(starts[part.start]..starts[part.end], budget)?;
        values.stale.mark_all();
        let mut has_risen = false;
        for _ in 0..MAX_ROUNDS {
            rounds.begin(&values.all);
            let mut largest = 0.0;
            for nth in 0..ROUND {
                largest = self.raise_once(part.clone(), nth, values, budget)?;
            }
            known.lower = known.lower.max(self.initial(&values.all)[0]);
            budget.limits.note_bounds(*known);
            has_risen = largest <= tolerance;
            if has_risen || known.lower >= 1.0 - WIDTH {
                break;
            }
            if rounds.end(&mut values.all) {
                values.stale.mark_all();
                let is_bound = self.is_bound(part.clone(), values, budget)?;
                rounds.judge(is_bound, &mut values.all);
                values.stale.mark_all();
            }
        }
        drop(rounds);
        budget.reset_to(taken);
        Ok(has_risen)
    }

    /// Raises the values of a part in a sweep; returns the largest change.
    fn raise_once(
        &self,
        part: Range<usize>,
        nth: usize,
        values: &mut Probabilities,
        budget: &Budget,
    ) -> Result<f64, Limit> {
        // Positive numbers have the same order as their bit patterns.
        let largest = AtomicU64::new(0);
        self.sweep(part, nth, values, budget, |[old], [new]| {
            let change = (new - DELAY - old).max(0.0);
            if change.to_bits() > largest.load(Ordering::Relaxed) {
                largest.fetch_max(change.to_bits(), Ordering::Relaxed);
            }
            [old + change]
        })?;
        Ok(f64::from_bits(largest.into_inner()))
    }

    /// Sweeps over the extrapolated values of a part until none falls; returns whether that happens.
    fn is_bound(
        &self,
        part: Range<usize>,
        values: &mut Probabilities,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        for nth in 0..MAX_CHECKS {
            let falls = AtomicBool::new(false);
            self.sweep(part.clone(), nth, values, budget, |[old], [new]| {
                let new = if old < 1.0 {
                    (new - DELAY).max(0.0)
                } else {
                    old
                };
                if new < old {
                    falls.store(true, Ordering::Relaxed);
                }
                [new]
            })?;
            if !falls.into_inner() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns an upper bound on the initial value, if there are upper bounds on all values a little above `lower`.
    fn upper(&self, lower: &[[f64; 1]], budget: &Budget) -> Result<Option<f64>, Limit> {
        let mut upper = self.filled([0.0], budget)?;
        let parts = self.sweeper.parts();
        let starts = self.sweeper.starts();
        for (nth, part) in parts.iter().enumerate() {
            // The values of a part depend on the bounds of earlier parts, so the margin grows from part to part.
            let margin = WIDTH * (nth + 1) as f64 / parts.len() as f64;
            let states = starts[part.start]..starts[part.end];
            for ([upper], [lower]) in upper.all[states.clone()].iter_mut().zip(&lower[states]) {
                *upper = (lower + margin).min(1.0);
            }
        }
        let all = 0..self.blocks.len();
        let mut bound = None;
        for nth in 0..MAX_UPPER_SWEEPS {
            let rises = AtomicBool::new(false);
            self.sweep(all.clone(), nth, &mut upper, budget, |[old], [new]| {
                if new > old + ROUNDING {
                    rises.store(true, Ordering::Relaxed);
                }
                [new]
            })?;
            if !rises.into_inner() {
                let [value] = self.initial(&upper.all);
                bound = Some(value.min(1.0));
                break;
            }
        }
        budget.free(upper.all);
        Ok(bound)
    }

    fn filled<V: ValueDomain>(&self, value: V, budget: &Budget) -> Result<Values<V>, Limit> {
        Ok(Values {
            all: budget.filled(value, self.len())?,
            stale: self.sweeper.stale(),
        })
    }

    fn initial<V: ValueDomain>(&self, values: &[V]) -> V {
        let initial = self.mdp.unpack(self.mdp.initial());
        let view = SweepView::of(self.sweeper.starts(), values, 0);
        let turn = TurnUpdate {
            table: self,
            view: &view,
        };
        let adversaries = [0, 1].map(|at| initial.adversaries[at]);
        turn.value(&self.blocks[self.first], adversaries)
    }

    /// Sweeps over the values of a part until none changes.
    fn settle<V: ValueDomain>(
        &self,
        part: Range<usize>,
        values: &mut Values<V>,
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        values.stale.mark_all();
        let mut nth = 0;
        while self.sweep(part.clone(), nth, values, budget, &change)? {
            nth += 1;
        }
        Ok(())
    }

    /// Updates the stale blocks, backwards in every other sweep; returns whether a value has changed.
    fn sweep<V: ValueDomain>(
        &self,
        blocks: Range<usize>,
        nth: usize,
        Values { all, stale }: &mut Values<V>,
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<bool, Limit> {
        let mut blocks: Vec<usize> = blocks.collect();
        if nth % 2 == 1 {
            blocks.reverse();
        }
        let progress = self.sweeper.sweep(
            &blocks,
            budget.limits.threads,
            all,
            stale,
            |view, workspace: &mut Workspace<V>| {
                TurnUpdate { table: self, view }.values(workspace, &mut budget.clock())
            },
            change,
        )?;
        Ok(progress.has_changed)
    }
}
