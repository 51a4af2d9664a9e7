//! Bounds on the value of an MDP, from sweeps over tables whose end components would be too large to list.
//!
//! - *Almost sure wins* are found first, by counting turns. Their value is 1, and all others are below it.
//! - *From below.* Other values rise from 0, and are extrapolated. Each sweep subtracts a little from each of them. If it still
//!   lowers none, they are lower bounds: along the best moves, the expected value grows every turn, so the play ends. Where play
//!   could go on forever, values that are too high and only support each other fall.
//! - *From above.* If a sweep raises none of the values, they are upper bounds: the probability of winning is the least fixed
//!   point. Such values are found a little above the lower bounds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::anderson::Anderson;
use super::estimate::LargestChange;
use super::model::Successor;
use super::solve::Valuation;
use super::sweeper::Stale;
use super::tables::{Tables, Tabular, value_of};
use super::value_domain::{SafeCase, ValueDomain, WorstCase};
use getaway_board::limits::{Bounds, Budget, Decision, Limit};

/// The intended gap between the bounds. If the lower bound is this close to 1, the upper bound 1 is close enough.
const WIDTH: f64 = 8e-7;

/// The loss of lower bounds per turn: far more than rounding errors, and far less than the precision of an answer.
const DELAY: f64 = 1e-13;

/// The largest rise of an upper bound that rounding can cause.
const ROUNDING: f64 = 1e-15;

/// For each attempt to find upper bounds, the largest change in a sweep at which the lower bounds have risen enough.
const TOLERANCES: [f64; 3] = [1e-9, 1e-10, 1e-11];

/// The number of sweeps in a round.
const ROUND: usize = 4;
const MAX_UPPER_ROUNDS: usize = 30;
/// The extrapolation of lower bounds begins when no value changes by more than this in a sweep.
const MAX_CHANGE: f64 = 1e-2;
/// The share of an extrapolated change by which lower bounds are set lower, and upper bounds higher, so that the next sweeps
/// correct them in the right direction.
const CAUTION: f64 = 0.1;
/// The number of rounds after which values that are not bounds yet are given up, if they have converged or if values that are too
/// high may support each other.
const MAX_UNPROVEN: usize = 12;
/// The number of rounds between the first extrapolations if values that are too high may support each other.
const PAUSE: usize = 2;

impl<M: Tabular> Tables<M> {
    /// Solves the MDP, whose player first chooses among `choices`. The valuation has no strategy. Returns `None` if the values
    /// converge too slowly, or some number of turns is too large to count. A limit that is reached is part of the result.
    pub fn enclose(&self, choices: &[Successor], budget: &Budget) -> Option<Valuation> {
        let mut enclosure = Enclosure {
            tables: self,
            choices,
            budget,
            known: Bounds::UNKNOWN,
            reached: 0,
        };
        let solved = budget.limits.on_threads(|| enclosure.solve());
        Some(Valuation {
            sure: solved.unwrap_or(Some(false))?,
            bounds: enclosure.known,
            limit: solved.err(),
            nodes: enclosure.reached,
            possible: match enclosure.known.lower {
                lower if lower > 0.0 => Decision::Yes,
                _ => Decision::Undecided,
            },
            strategy: None,
        })
    }
}

/// A part of the states, none of which depends on a later part.
struct EnclosedPart {
    number: usize,
    states: Range<usize>,
    /// True if play can go on forever in states without an almost sure win.
    can_stall: bool,
    /// The distance above the lower bounds at which the search for upper bounds starts.
    width: f64,
    /// The distance by which converged values are lowered, so that sweeps raise them to bounds.
    margin: f64,
}

impl EnclosedPart {
    fn all<M: Tabular>(tables: &Tables<M>) -> Vec<Self> {
        // The values of a part depend on the bounds of earlier parts, so the gap grows from part to part.
        let step = WIDTH / tables.parts.len() as f64;
        let part = |(number, states)| Self {
            number,
            states,
            can_stall: false,
            width: step * (number + 1) as f64,
            margin: step / 4.0,
        };
        tables.parts().into_iter().enumerate().map(part).collect()
    }
}

struct Enclosure<'a, M> {
    tables: &'a Tables<M>,
    /// The player's first choices.
    choices: &'a [Successor],
    budget: &'a Budget<'a>,
    /// Bounds on the value of the best first choice.
    known: Bounds,
    /// The number of states that sweeps have reached.
    reached: u64,
}

type Probabilities = Vec<[f64; 1]>;

impl<M: Tabular> Enclosure<'_, M> {
    fn initial<V: ValueDomain>(&self, values: &[V]) -> V {
        let choices = self.choices.iter().map(|&end| value_of(values, end));
        choices.fold(V::LOST, V::better).after_turn()
    }

    /// Returns whether the player wins whatever the draws; `None` if the values converge too slowly, or some number of turns is
    /// too large to count.
    fn solve(&mut self) -> Result<Option<bool>, Limit> {
        let budget = self.budget;
        let mut parts = EnclosedPart::all(self.tables);
        let Some(almost_sure) = self.almost_sure(&mut parts)? else {
            return Ok(None);
        };
        if self.initial(&almost_sure).is_some() {
            budget.free(almost_sure);
            self.known = Bounds::exact(1.0);
            return self.wins_surely().map(Some);
        }
        let mut lower = budget.filled([0.0], self.tables.len())?;
        for ([value], turns) in lower.iter_mut().zip(&almost_sure) {
            *value = f64::from(u8::from(turns.is_some()));
        }
        budget.free(almost_sure);
        let (mut upper, mut is_done) = (Probabilities::new(), true);
        for part in parts {
            is_done = self.enclose(&part, [&mut lower, &mut upper])?;
            // Once the lower bound is near 1, the upper bound 1 is close enough.
            if !is_done || self.known.lower >= 1.0 - WIDTH {
                break;
            }
        }
        if is_done && self.known.lower < 1.0 - WIDTH {
            self.known.upper = self.initial(&upper)[0].min(1.0);
        }
        budget.free(lower);
        budget.free(upper);
        Ok(is_done.then_some(false))
    }

    /// Returns the almost-sure winning set (prob1E); `None` if some number of turns is too large to count. Notes in which parts
    /// play can stall.
    fn almost_sure(&mut self, parts: &mut [EnclosedPart]) -> Result<Option<Vec<SafeCase>>, Limit> {
        let budget = self.budget;
        let mut turns = budget.filled(SafeCase::NONE, self.tables.len())?;
        for part in parts {
            part.can_stall =
                self.tables
                    .find_almost_sure(part.number, &mut turns, SafeCase::or, budget)?;
            self.reached = part.states.end as u64;
        }
        if turns.iter().all(|turns| turns.has_counted()) {
            return Ok(Some(turns));
        }
        budget.free(turns);
        Ok(None)
    }

    fn wins_surely(&self) -> Result<bool, Limit> {
        let mut turns = self.budget.filled(WorstCase::NONE, self.tables.len())?;
        self.tables
            .iterate(&mut turns, self.budget, WorstCase::better)?;
        let is_sure = self.initial(&turns).is_some();
        self.budget.free(turns);
        Ok(is_sure)
    }

    /// Finds bounds on the values of a part, from those of earlier parts; returns whether it does. A lower bound near 1 on the
    /// best first choice is enough.
    fn enclose(
        &mut self,
        part: &EnclosedPart,
        [lower, upper]: [&mut Probabilities; 2],
    ) -> Result<bool, Limit> {
        for tolerance in TOLERANCES {
            let has_risen = self.raise(part, lower, tolerance)?;
            if !has_risen || self.known.lower >= 1.0 - WIDTH {
                return Ok(has_risen);
            }
            let above = |[lower]: &[f64; 1]| [(lower + part.width).min(1.0)];
            upper.truncate(part.states.start);
            let values = &lower[part.states.clone()];
            self.budget.make_room(upper, values.len())?;
            upper.extend(values.iter().map(above));
            if self.confirm(part, upper)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Raises the lower bounds of a part until sweeps change them by no more than `tolerance`, or the one on the best first
    /// choice is near 1; returns whether that happens.
    fn raise(
        &mut self,
        part: &EnclosedPart,
        values: &mut [[f64; 1]],
        tolerance: f64,
    ) -> Result<bool, Limit> {
        let budget = self.budget;
        let taken = budget.taken();
        let states = part.states.clone();
        let mut ascent = Ascent::new(part, &values[states.clone()], budget)?;
        let mut stale = self.tables.model.sweeper().stale();
        let mut has_risen = false;
        for _ in 0..self.tables.max_rounds {
            let changes = self.round(part, BoundKind::Lower, values, &mut stale)?;
            if changes.are_bounds {
                self.known.lower = self.known.lower.max(self.initial(values)[0]);
                budget.limits.note_bounds(self.known);
                let is_flat = ascent.has_converged || changes.largest <= tolerance;
                has_risen = is_flat || self.known.lower >= 1.0 - WIDTH;
            }
            if has_risen {
                break;
            }
            if ascent.end_round(&mut values[states.clone()], changes, tolerance)? {
                stale.mark_all();
            }
        }
        drop(ascent);
        budget.reset_to(taken);
        Ok(has_risen)
    }

    /// Sweeps over values of a part until a sweep raises none, which makes them upper bounds; returns whether that happens.
    fn confirm(&self, part: &EnclosedPart, values: &mut [[f64; 1]]) -> Result<bool, Limit> {
        let budget = self.budget;
        let taken = budget.taken();
        let mut history = Anderson::new(budget);
        let mut stale = self.tables.model.sweeper().stale();
        let mut is_bound = false;
        for nth in 0..MAX_UPPER_ROUNDS {
            let changes = self.round(part, BoundKind::Upper, values, &mut stale)?;
            is_bound = changes.are_bounds;
            if is_bound {
                break;
            }
            // Most values are bounds after two rounds, which need no history.
            let here = &mut values[part.states.clone()];
            if nth > 0 {
                history.note(here, changes.sample)?;
            }
            if history.extrapolate(here, CAUTION) {
                for [value] in here {
                    *value = value.min(1.0);
                }
                stale.mark_all();
            }
        }
        drop(history);
        budget.reset_to(taken);
        Ok(is_bound)
    }

    /// Sweeps [`ROUND`] times over the values of a part; returns the changes in the last sweep.
    fn round(
        &self,
        part: &EnclosedPart,
        kind: BoundKind,
        values: &mut [[f64; 1]],
        stale: &mut Stale,
    ) -> Result<RoundChanges, Limit> {
        let blocks = || self.tables.parts[part.number].clone();
        for nth in 0..ROUND - 1 {
            let keep = |[old]: [f64; 1], [new]: [f64; 1]| [kind.keep(old, new)];
            self.tables
                .sweep_stale(blocks(), nth, values, stale, self.budget, keep)?;
        }
        let before = Anderson::sample(&values[part.states.clone()]);
        let (largest, is_unproven) = (LargestChange::default(), AtomicBool::new(false));
        let keep = |[old]: [f64; 1], [new]: [f64; 1]| {
            let new = kind.keep(old, new);
            largest.note(new - old);
            if kind.is_unproven_by(new - old) {
                is_unproven.store(true, Ordering::Relaxed);
            }
            [new]
        };
        self.tables
            .sweep_stale(blocks(), ROUND - 1, values, stale, self.budget, keep)?;
        let after = Anderson::sample(&values[part.states.clone()]);
        Ok(RoundChanges {
            largest: largest.into_inner(),
            are_bounds: !is_unproven.into_inner(),
            sample: after.into_iter().zip(before).map(|(a, b)| a - b).collect(),
        })
    }
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
        // Tiny changes would never end. In lower bounds, the delay makes up for those that are left out.
        if (new - old).abs() <= tolerance {
            old
        } else {
            new
        }
    }

    /// Returns whether a value with this change keeps a sweep from proving the bounds.
    fn is_unproven_by(self, change: f64) -> bool {
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
    part: &'a EnclosedPart,
    history: Anderson<'a>,
    /// The latest values that are bounds.
    proven: Vec<[f64; 1]>,
    /// The number of rounds since the values were last bounds, or were lowered.
    unproven: usize,
    /// The number of rounds before the next extrapolation.
    wait: usize,
    /// The number of rounds between extrapolations.
    pause: usize,
    /// True after a sweep has changed no value by more than the tolerance, and the values have been lowered a little.
    has_converged: bool,
}

impl<'a> Ascent<'a> {
    fn new(part: &'a EnclosedPart, values: &[[f64; 1]], budget: &'a Budget) -> Result<Self, Limit> {
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
