use std::sync::Arc;

use super::leap::rest;
use super::rounding::{Accuracy, Bound, Lower, Upper};
use super::sweeps::{RisingBounds, SweepOptions};
use super::{Abstraction, Detail, DungeonMdp};
use getaway_board::limits::{Bounds, Budget, Limit, bytes};
use getaway_chance::{Mdp, SweepProgress};

/// The reason why a refinement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The bounds are as close as requested.
    Close,
    /// The maximum number of values was computed.
    Spent,
    /// Even the finest model that fits in memory, if any does, leaves the bounds farther apart than requested.
    Exhausted,
}

/// Tracking distances for zombies, from the coarsest model to the finest.
const STEPS: [u32; 6] = [3, 6, 10, 16, 32, u32::MAX];

/// The coarsest model distinguishes as many cooldowns as it can with at most this number of values. With more than two
/// adversaries, the number is smaller.
const FIRST_VALUES: usize = 1 << 24;

/// The finest model is used at once if it has fewer values than this multiple of the coarsest one, since coarser models would
/// take nearly as much work for weaker bounds.
const MIN_RATIO: usize = 3;

/// The maximum detours for lower bounds: at first only ways that are nearly shortest, later all of them.
const DETOURS: [u32; 2] = [10, u32::MAX];

const ROUND: usize = 8;

/// For each pass, its sweeps for lower bounds end after a round that raises the initial node's bound by no more than this.
const MIN_GAINS: [f64; 3] = [2e-3, 1e-4, 0.0];

/// An upper bound is only useful if it reduces the width by at least this share.
const MIN_SHARE: f64 = 0.02;

/// The search for an upper bound stops once its value at the initial node has risen by at most `STILL` in each of
/// `STILL_ROUNDS` consecutive rounds, a number for each pass. Values elsewhere may rise slowly for hundreds of rounds; a finer
/// model gains more in that time.
const STILL: f64 = 2e-5;
const STILL_ROUNDS: [usize; 3] = [8, 64, usize::MAX];

/// The precision of upper bounds in each pass: they are rounded to multiples of 2^-bits. With coarse multiples, values that
/// nearly stand still do not delay the first bound.
const UPPER_BITS: [u32; 3] = [14, 24, 28];

/// For each pass, the multiple of all later gains that a leap adds. A larger multiple finishes the proof sooner, with a weaker
/// bound.
const FAR: [f64; 3] = [2.0, 1.5, 1.2];

/// The discount in lower bounds, as an exponent: each turn takes the share 2^-`DISCOUNT` from every value. With a
/// discount, the policy escapes at least as often as its bounds say.
const DISCOUNT: u32 = 23;

type Watch<'w> = dyn FnMut(&Abstraction, &[Lower]) + Send + 'w;

/// Bounds that get closer with ever more detailed abstractions.
pub struct Refinement<'m> {
    mdp: &'m Arc<DungeonMdp>,
    /// The bounds proved so far.
    pub known: Bounds,
    width: f64,
    spent: u64,
    max: u64,
    /// The number of states of all models so far, added up.
    pub states: u64,
    watch: &'m mut Watch<'m>,
}

enum Stop {
    Limit(Limit),
    Ended(Conclusion),
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl<'m> Refinement<'m> {
    /// Prepares to refine the bounds `known` until they are at most `width` apart. Each run ends by calling `watch` with its
    /// finest model, if any, and that model's lower bounds, unless a better bound is known.
    pub fn new(
        mdp: &'m Arc<DungeonMdp>,
        known: Bounds,
        width: f64,
        watch: &'m mut Watch<'m>,
    ) -> Self {
        Self {
            mdp,
            known,
            width,
            spent: 0,
            max: 0,
            states: 0,
            watch,
        }
    }

    /// Refines the bounds with about `max` computed values. A limit keeps the bounds proved by then.
    pub fn run(&mut self, max: u64, budget: &Budget) -> Result<Conclusion, Limit> {
        (self.spent, self.max) = (0, max);
        let taken = budget.taken();
        let stop = budget.limits.on_threads(|| self.models(budget));
        budget.reset_to(taken);
        match stop {
            Ok(()) => Ok(Conclusion::Exhausted),
            Err(Stop::Ended(ended)) => Ok(ended),
            Err(Stop::Limit(limit)) => Err(limit),
        }
    }

    fn models(&mut self, budget: &Budget) -> Result<(), Stop> {
        let details = details(self.mdp, budget)?;
        let [(_, coarsest), .., (finest, values)] = details[..] else {
            return self.climb(&details, budget).map(|_| ());
        };
        let is_soon = values / MIN_RATIO < coarsest;
        if !is_soon || !self.climb(&[(finest, values)], budget)? {
            self.climb(&details, budget)?;
        }
        Ok(())
    }

    /// Refines the bounds with one model after another; returns whether the first model fits in memory. Passes the finest model
    /// and its lower bounds to `watch`, even if a limit is reached, unless a better lower bound is known.
    fn climb(&mut self, details: &[(Detail, usize)], budget: &Budget) -> Result<bool, Stop> {
        let mut finest = None;
        let climbed = self.climb_to(&mut finest, details, budget);
        if let Some((model, lower)) = &finest
            && model.start_value(&lower.values) >= self.known.lower
        {
            (self.watch)(model, &lower.values);
        }
        climbed.map(|()| finest.is_some())
    }

    fn climb_to(
        &mut self,
        finest: &mut Option<(Abstraction, RisingBounds<Lower>)>,
        details: &[(Detail, usize)],
        budget: &Budget,
    ) -> Result<(), Stop> {
        for &(detail, values) in details {
            let taken = budget.taken();
            let Some(finer) = finer(self.mdp, detail, values, finest.as_ref(), budget)? else {
                budget.reset_to(taken);
                break;
            };
            let coarse = finest.take();
            let (model, lower) = finest.insert(finer);
            self.states += model.len() as u64;
            budget.limits.note_states(self.states);
            if let Some((coarse, lower)) = coarse {
                budget.free(lower.values);
                budget.give_back(coarse.bytes);
            }
            self.pass(0, model, lower, budget)?;
        }
        if let Some((model, lower)) = finest {
            for pass in 1..MIN_GAINS.len() {
                self.pass(pass, model, lower, budget)?;
            }
        }
        Ok(())
    }

    /// Raises the lower bounds, then tries to prove an upper bound. Every model gets pass 0, and the finest one also the later,
    /// longer passes.
    fn pass(
        &mut self,
        pass: usize,
        model: &Abstraction,
        lower: &mut RisingBounds<Lower>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let accuracy = Accuracy {
            bits: 24,
            discount: Some(DISCOUNT),
        };
        for detour in DETOURS.into_iter().take(pass + 1) {
            let options = SweepOptions { accuracy, detour };
            self.raise(model, lower, options, MIN_GAINS[pass], budget)?;
        }
        self.cap(pass, model, lower, budget)
    }

    fn raise(
        &mut self,
        model: &Abstraction,
        lower: &mut RisingBounds<Lower>,
        options: SweepOptions,
        min: f64,
        budget: &Budget,
    ) -> Result<(), Stop> {
        lower.start_over();
        loop {
            let before = model.start_value(&lower.values);
            for _ in 0..ROUND {
                let progress = model.sweep(lower, options, budget);
                self.known.lower = self.known.lower.max(model.start_value(&lower.values));
                let progress = progress?;
                self.note(progress, budget)?;
                if !progress.has_changed {
                    break;
                }
            }
            if model.start_value(&lower.values) - before <= min {
                return Ok(());
            }
        }
    }

    /// Tries to prove an upper bound: values start at the lower bounds, then rise and leap until none rises any more. Gives up if
    /// memory is short, or if the bound would hardly help or takes too long.
    fn cap(
        &mut self,
        pass: usize,
        model: &Abstraction,
        lower: &RisingBounds<Lower>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let room = || -> Result<_, Limit> {
            let upper = model.risen_from(lower, budget)?;
            let mut before = budget.with_capacity(upper.values.len())?;
            before.extend_from_slice(&upper.values);
            Ok((upper, before))
        };
        let taken = budget.taken();
        let (mut upper, mut before) = match room() {
            Err(Limit::Memory) => {
                budget.reset_to(taken);
                return Ok(());
            }
            room => room?,
        };
        let (mut last, mut still) = (model.start_value(&upper.values), 0);
        let mut history = vec![upper.total()];
        while self.rise(model, &mut upper, UPPER_BITS[pass], budget)? {
            let mut value = model.start_value(&upper.values);
            still = if value - last <= STILL { still + 1 } else { 0 };
            last = value;
            history.push(upper.total());
            if let Some(times) = rest(&history) {
                upper.leap(&before, FAR[pass] * times);
                value = model.start_value(&upper.values);
                history = vec![upper.total()];
            }
            before.copy_from_slice(&upper.values);
            // Values only rise, so an upper bound from this model can no longer be much better than the known one.
            let is_little = value >= self.known.upper - MIN_SHARE * self.known.width();
            if is_little || still >= STILL_ROUNDS[pass] {
                break;
            }
        }
        budget.free(before);
        budget.free(upper.values);
        Ok(())
    }

    /// Sweeps up to [`ROUND`] times for an upper bound, which is proved once no value rises; returns whether values still rise.
    fn rise(
        &mut self,
        model: &Abstraction,
        upper: &mut RisingBounds<Upper>,
        bits: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let options = SweepOptions {
            accuracy: Accuracy {
                bits,
                discount: None,
            },
            detour: u32::MAX,
        };
        for _ in 0..ROUND {
            let progress = model.sweep(upper, options, budget)?;
            if !progress.has_changed {
                self.known.upper = self.known.upper.min(model.start_value(&upper.values));
            }
            self.note(progress, budget)?;
            if !progress.has_changed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records the bounds, and ends the refinement once they are close or the effort is spent.
    fn note(&mut self, progress: SweepProgress, budget: &Budget) -> Result<(), Stop> {
        budget.limits.note_bounds(self.known);
        self.spent += progress.values;
        if self.known.width() <= self.width {
            return Err(Stop::Ended(Conclusion::Close));
        }
        if self.spent >= self.max {
            return Err(Stop::Ended(Conclusion::Spent));
        }
        Ok(())
    }
}

impl Abstraction {
    pub(super) fn start_value<const UP: bool>(&self, values: &[Bound<UP>]) -> f64 {
        let values = self.choice_values(values, self.mdp.initial());
        values.into_iter().fold(0.0, f64::max)
    }
}

fn finer(
    mdp: &Arc<DungeonMdp>,
    detail: Detail,
    values: usize,
    coarse: Option<&(Abstraction, RisingBounds<Lower>)>,
    budget: &Budget,
) -> Result<Option<(Abstraction, RisingBounds<Lower>)>, Limit> {
    let build = || -> Result<_, Limit> {
        // The model needs lower bounds, upper bounds, and a copy of the upper ones.
        budget.check(bytes::<Lower>(3 * values))?;
        let Some(mut model) = Abstraction::new(mdp, detail, budget)? else {
            return Ok(None);
        };
        model.take_scratch(budget)?;
        let lower = match coarse {
            None => model.zeros(budget)?,
            Some((coarse, lower)) => model.refined(coarse, &lower.values, budget)?,
        };
        Ok(Some((model, lower)))
    };
    match build() {
        Err(Limit::Memory) => Ok(None),
        finer => finer,
    }
}

/// Lists models from coarse to fine, each with its number of values, which increases.
fn details(mdp: &DungeonMdp, budget: &Budget) -> Result<Vec<(Detail, usize)>, Limit> {
    let max = mdp.max_cooldown();
    let size = |steps, cooldown| Abstraction::size(mdp, Detail { steps, cooldown }, budget);
    let mut cooldowns = vec![0, 1, max];
    cooldowns.retain(|&cooldown| cooldown <= max);
    cooldowns.dedup();
    // With more adversaries, each value takes more draws.
    let first_values = FIRST_VALUES >> (4 * mdp.mobile_count().saturating_sub(2)).min(24);
    let mut first = 0;
    for (at, &cooldown) in cooldowns.iter().enumerate() {
        if size(STEPS[0], cooldown)?.is_some_and(|values| values <= first_values) {
            first = at;
        }
    }
    let all = STEPS.map(|steps| (steps, cooldowns[first]));
    let finer = cooldowns[first + 1..]
        .iter()
        .map(|&cooldown| (u32::MAX, cooldown));
    let mut details: Vec<(Detail, usize)> = Vec::new();
    let mut last = 0;
    for (steps, cooldown) in all.into_iter().chain(finer) {
        let Some(values) = size(steps, cooldown)? else {
            break;
        };
        if values > last {
            details.push((Detail { steps, cooldown }, values));
            last = values;
        }
    }
    Ok(details)
}
