//! Bounds on the values of a part of the table, from sweeps and their extrapolation.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::JointTable;
use super::values::Probabilities;
use getaway_board::limits::{Bounds, Budget, Limit};
use getaway_chance::Anderson;

/// The maximum gap between the bounds.
pub(super) const WIDTH: f64 = 8e-7;

/// The loss of lower bounds per turn: far more than rounding errors, and far less than the precision of an answer.
const DELAY: f64 = 1e-13;

/// The largest rise of an upper bound that rounding can cause.
const ROUNDING: f64 = 1e-15;

/// For each attempt to find upper bounds, the largest change in a sweep at which the lower bounds have risen enough.
const TOLERANCES: [f64; 3] = [1e-9, 1e-10, 1e-11];

/// The number of sweeps in a round.
const ROUND: usize = 4;
const MAX_ROUNDS: usize = 150;
const MAX_UPPER_ROUNDS: usize = 30;
/// Extrapolation begins when no value changes by more than this in a sweep.
const MAX_CHANGE: f64 = 1e-2;
/// The share of an extrapolated change by which lower bounds are set lower, and upper bounds higher, so that the next sweeps
/// correct them in the right direction.
const CAUTION: f64 = 0.1;
/// The number of rounds after which values that are not bounds yet are given up, if they have converged or if values that are too
/// high may support each other.
const MAX_UNPROVEN: usize = 12;
/// The number of rounds between extrapolations if values that are too high may support each other.
const PAUSE: usize = 2;

/// A part of the table, none of whose blocks depends on a later part.
pub(super) struct TablePart {
    pub(super) blocks: Range<usize>,
    pub(super) states: Range<usize>,
    /// True if play can go on forever in states without an almost sure win.
    pub(super) can_stall: bool,
    /// The distance above the lower bounds at which the search for upper bounds starts.
    width: f64,
    /// The distance by which converged values are lowered, so that sweeps raise them to bounds.
    margin: f64,
}

#[derive(Clone, Copy)]
enum BoundKind {
    Lower,
    Upper,
}

impl BoundKind {
    /// Returns the value to keep in a sweep.
    fn keep(self, old: f64, new: f64) -> f64 {
        let (new, tolerance) = match self {
            Self::Lower if old < 1.0 => ((new - DELAY).max(0.0), DELAY / 4.0),
            Self::Lower => return old,
            Self::Upper => (new, ROUNDING),
        };
        // Tiny changes would never end. The delay makes up for those that are left out.
        if (new - old).abs() <= tolerance {
            old
        } else {
            new
        }
    }

    /// Returns whether a value with this change was no bound.
    fn is_refuted_by(self, change: f64) -> bool {
        match self {
            Self::Lower => change < 0.0,
            Self::Upper => change > 0.0,
        }
    }
}

/// The changes in the last sweep of a round.
struct RoundChanges {
    largest: f64,
    are_bounds: bool,
    sample: Vec<f64>,
}

/// The lower bounds of a part as they rise.
struct Ascent<'a> {
    part: &'a TablePart,
    history: Anderson<'a>,
    /// The latest values that are bounds.
    proven: Vec<[f64; 1]>,
    /// The number of rounds since the values were last bounds.
    unproven: usize,
    /// The number of rounds before the next extrapolation.
    wait: usize,
    /// The number of rounds between extrapolations.
    pause: usize,
    /// True if values no longer change, and have been lowered a little.
    has_converged: bool,
}

impl<'a> Ascent<'a> {
    fn new(part: &'a TablePart, values: &[[f64; 1]], budget: &'a Budget) -> Result<Self, Limit> {
        let mut proven = budget.with_capacity(values.len())?;
        proven.extend_from_slice(values);
        let pause = if part.can_stall { PAUSE } else { 0 };
        Ok(Self {
            part,
            history: Anderson::new(budget),
            proven,
            unproven: 0,
            wait: pause,
            pause,
            has_converged: false,
        })
    }

    /// Ends a round; returns whether it has replaced the values.
    fn end_round(
        &mut self,
        values: &mut [[f64; 1]],
        changes: RoundChanges,
        tolerance: f64,
    ) -> Result<bool, Limit> {
        self.unproven += 1;
        if changes.are_bounds {
            self.unproven = 0;
            self.proven.copy_from_slice(values);
        }
        if self.unproven > MAX_UNPROVEN && (self.has_converged || self.part.can_stall) {
            self.go_back(values);
            return Ok(true);
        }
        if self.has_converged {
            return Ok(false);
        }
        if changes.largest <= tolerance {
            self.lower(values);
            return Ok(true);
        }
        self.history.note(values, changes.sample)?;
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(false);
        }
        Ok(changes.largest <= MAX_CHANGE && self.extrapolate(values))
    }

    fn extrapolate(&mut self, values: &mut [[f64; 1]]) -> bool {
        self.wait = self.pause;
        let is_new = self.history.extrapolate(values, -CAUTION);
        for ([value], [proven]) in values.iter_mut().zip(&self.proven) {
            *value = value.min(1.0 - DELAY).max(*proven);
        }
        is_new
    }

    /// Lowers the values so that sweeps raise them.
    fn lower(&mut self, values: &mut [[f64; 1]]) {
        for ([value], [proven]) in values.iter_mut().zip(&self.proven) {
            *value = (*value - self.part.margin).max(*proven);
        }
        (self.has_converged, self.unproven) = (true, 0);
    }

    fn go_back(&mut self, values: &mut [[f64; 1]]) {
        values.copy_from_slice(&self.proven);
        self.history.clear();
        (self.has_converged, self.unproven) = (false, 0);
        self.pause = 2 * self.pause + 1;
        self.wait = self.pause;
    }
}

impl TablePart {
    pub(super) fn all(table: &JointTable) -> Vec<Self> {
        let starts = table.sweeper.starts();
        let parts = table.sweeper.parts();
        // The values of a part depend on the bounds of earlier parts, so the gap grows from part to part.
        let step = WIDTH / parts.len() as f64;
        let part = |(nth, blocks): (usize, Range<usize>)| Self {
            states: starts[blocks.start]..starts[blocks.end],
            blocks,
            can_stall: false,
            width: step * (nth + 1) as f64,
            margin: step / 4.0,
        };
        parts.into_iter().enumerate().map(part).collect()
    }
}

impl JointTable {
    /// Finds bounds on the values of a part, from those of earlier parts; returns whether it does. A lower bound near 1 at the
    /// initial node is enough.
    pub(super) fn enclose(
        &self,
        part: &TablePart,
        [lower, upper]: [&mut Probabilities; 2],
        known: &mut Bounds,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        for tolerance in TOLERANCES {
            let has_risen = self.raise(part, lower, tolerance, known, budget)?;
            if !has_risen || known.lower >= 1.0 - WIDTH {
                return Ok(has_risen);
            }
            let above = |[lower]: &[f64; 1]| [(lower + part.width).min(1.0)];
            upper.all.truncate(part.states.start);
            let values = &lower.all[part.states.clone()];
            budget.make_room(&mut upper.all, values.len())?;
            upper.all.extend(values.iter().map(above));
            if self.confirm(part, upper, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Raises the lower bounds of a part until sweeps change them by no more than `tolerance`, or the one at the initial node is
    /// near 1; returns whether that happens.
    fn raise(
        &self,
        part: &TablePart,
        values: &mut Probabilities,
        tolerance: f64,
        known: &mut Bounds,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let taken = budget.taken();
        let states = part.states.clone();
        let mut ascent = Ascent::new(part, &values.all[states.clone()], budget)?;
        let mut has_risen = false;
        values.stale.mark_all();
        for _ in 0..MAX_ROUNDS {
            let changes = self.round(part, BoundKind::Lower, values, budget)?;
            if changes.are_bounds {
                known.lower = known.lower.max(self.initial(&values.all)[0]);
                budget.limits.note_bounds(*known);
                let is_flat = ascent.has_converged || changes.largest <= tolerance;
                has_risen = is_flat || known.lower >= 1.0 - WIDTH;
            }
            if has_risen {
                break;
            }
            if ascent.end_round(&mut values.all[states.clone()], changes, tolerance)? {
                values.stale.mark_all();
            }
        }
        drop(ascent);
        budget.reset_to(taken);
        Ok(has_risen)
    }

    /// Sweeps over values of a part until a sweep raises none, which makes them upper bounds; returns whether that happens.
    fn confirm(
        &self,
        part: &TablePart,
        values: &mut Probabilities,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let taken = budget.taken();
        let mut history = Anderson::new(budget);
        let mut is_bound = false;
        values.stale.mark_all();
        for nth in 0..MAX_UPPER_ROUNDS {
            let changes = self.round(part, BoundKind::Upper, values, budget)?;
            is_bound = changes.are_bounds;
            if is_bound {
                break;
            }
            // Most values are bounds after two rounds, which need no history.
            let here = &mut values.all[part.states.clone()];
            if nth > 0 {
                history.note(here, changes.sample)?;
            }
            if history.extrapolate(here, CAUTION) {
                for [value] in here {
                    *value = value.min(1.0);
                }
                values.stale.mark_all();
            }
        }
        drop(history);
        budget.reset_to(taken);
        Ok(is_bound)
    }

    /// Sweeps [`ROUND`] times over the values of a part; returns the changes in the last sweep.
    fn round(
        &self,
        part: &TablePart,
        kind: BoundKind,
        values: &mut Probabilities,
        budget: &Budget,
    ) -> Result<RoundChanges, Limit> {
        for nth in 1..ROUND {
            let keep = |[old]: [f64; 1], [new]: [f64; 1]| [kind.keep(old, new)];
            self.sweep(part.blocks.clone(), nth - 1, values, budget, keep)?;
        }
        let before = Anderson::sample(&values.all[part.states.clone()]);
        // Non-negative numbers have the same order as their bit patterns.
        let (largest, is_refuted) = (AtomicU64::new(0), AtomicBool::new(false));
        let keep = |[old]: [f64; 1], [new]: [f64; 1]| {
            let new = kind.keep(old, new);
            let bits = (new - old).abs().to_bits();
            if bits > largest.load(Ordering::Relaxed) {
                largest.fetch_max(bits, Ordering::Relaxed);
            }
            if kind.is_refuted_by(new - old) {
                is_refuted.store(true, Ordering::Relaxed);
            }
            [new]
        };
        self.sweep(part.blocks.clone(), ROUND - 1, values, budget, keep)?;
        let after = Anderson::sample(&values.all[part.states.clone()]);
        Ok(RoundChanges {
            largest: f64::from_bits(largest.into_inner()),
            are_bounds: !is_refuted.into_inner(),
            sample: after.into_iter().zip(before).map(|(a, b)| a - b).collect(),
        })
    }
}
