use std::sync::atomic::AtomicUsize;

use super::*;
use getaway_board::limits::Limits;

/// A random walk, lost at one end and won at the other, that pauses with probability `idle`.
struct Line {
    len: usize,
    idle: f64,
    sweeps: AtomicUsize,
    max_sweeps: usize,
    stop: AtomicBool,
}

impl BellmanOperator for Line {
    fn parts(&self) -> Vec<Range<usize>> {
        std::iter::once(0..self.len).collect()
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        values[self.len / 2]
    }

    fn known(&self, _state: usize) -> Option<f64> {
        None
    }

    fn sweep<const N: usize>(
        &self,
        values: &mut [[f64; N]],
        _part: usize,
        _nth: usize,
        budget: &Budget,
        change: impl Fn([f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<(), Limit> {
        budget.limits.check_time()?;
        if self.sweeps.fetch_add(1, Ordering::Relaxed) + 1 >= self.max_sweeps {
            self.stop.store(true, Ordering::Relaxed);
        }
        for at in 0..self.len {
            let left = at.checked_sub(1).map_or([0.0; N], |left| values[left]);
            let right = values.get(at + 1).copied().unwrap_or([1.0; N]);
            let old = values[at];
            let new = std::array::from_fn(|side| {
                self.idle * old[side] + (1.0 - self.idle) * (left[side] + right[side]) / 2.0
            });
            values[at] = change(old, new);
        }
        Ok(())
    }
}

/// Stops a computation on a line after `max_sweeps` sweeps; returns the result and the bounds proven by then.
fn stopped_after(
    (len, idle): (usize, f64),
    max_sweeps: usize,
) -> (Result<Option<Intervals>, Limit>, [f64; 2]) {
    let line = Line {
        len,
        idle,
        sweeps: AtomicUsize::new(0),
        max_sweeps,
        stop: AtomicBool::new(false),
    };
    let limits = Limits {
        stop: Some(&line.stop),
        ..Limits::default()
    };
    let mut proven = [0.0, 1.0];
    let found = guess_and_verify(&line, usize::MAX, &mut proven, &Budget::new(&limits));
    (found, proven)
}

#[test]
fn an_estimate_goes_on_while_its_changes_become_much_smaller() {
    let quick_after = |changes: &[f64]| {
        let mut convergence = Convergence::default();
        let segments = changes
            .iter()
            .flat_map(|&change| [change; PROGRESS_INTERVAL]);
        segments.for_each(|change| convergence.note(change));
        convergence.is_converging
    };
    assert!(!quick_after(&[0.5]));
    assert!(quick_after(&[0.5, 0.1]));
    assert!(!quick_after(&[0.5, 0.1, 0.03]));
    assert!(quick_after(&[0.5, 0.6, 0.1]));
}

#[test]
fn trials_become_rarer_and_are_made_of_the_last_part_alone() {
    let line = Line {
        len: 1,
        idle: 0.5,
        sweeps: AtomicUsize::new(0),
        max_sweeps: usize::MAX,
        stop: AtomicBool::new(false),
    };
    let limits = Limits::default();
    let iteration = Iteration {
        operator: &line,
        max_rounds: usize::MAX,
        budget: &Budget::new(&limits),
        proven: &mut [0.0, 1.0],
        bounds: vec![[0.0, 1.0]],
    };
    let trials = |is_last| -> Vec<usize> {
        let part = Part {
            number: 0,
            states: 0..1,
            is_last,
            margin: 0.0,
            margin_before: 0.0,
        };
        let is_due = |&rounds: &usize| iteration.is_trial_due(&part, rounds);
        (1..2000).filter(is_due).collect()
    };
    assert_eq!(trials(true), [16, 64, 256, 1024]);
    assert!(trials(false).is_empty());
}

/// A line of one state, at which 998 of 1,000 turns change nothing.
const SLOW: (usize, f64) = (1, 0.998);

#[test]
fn an_estimate_becomes_bounds() {
    let (found, proven) = stopped_after(SLOW, usize::MAX);
    let [lower, upper] = found.unwrap().unwrap()[0];
    assert!(lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH);
    assert_eq!(proven.map(f64::to_bits), [lower, upper].map(f64::to_bits));
}

#[test]
fn a_limit_leaves_the_bounds_reached_even_after_an_extrapolation() {
    // The value after n sweeps from 0.
    let after = |sweeps: i32| 0.5 * (1.0 - 0.998_f64.powi(sweeps));
    // The first extrapolation follows two rounds of four sweeps.
    for (max_sweeps, sweeps) in [(1, 1), (6, 6), (10, 8)] {
        let (found, [lower, upper]) = stopped_after(SLOW, max_sweeps);
        assert_eq!((found, upper), (Err(Limit::Interrupt), 1.0));
        assert!(
            (lower - after(sweeps)).abs() < 1e-12,
            "{max_sweeps}: {lower}"
        );
    }
}

fn with_one_state(bounds: [f64; 2], then: impl FnOnce(&mut Iteration<Line>, &Part)) {
    let (len, idle) = SLOW;
    let line = Line {
        len,
        idle,
        sweeps: AtomicUsize::new(0),
        max_sweeps: usize::MAX,
        stop: AtomicBool::new(false),
    };
    let limits = Limits::default();
    let part = Part {
        number: 0,
        states: 0..1,
        is_last: true,
        margin: WIDTH / 2.0,
        margin_before: 0.0,
    };
    let mut iteration = Iteration {
        operator: &line,
        max_rounds: 1,
        budget: &Budget::new(&limits),
        proven: &mut [0.0, 1.0],
        bounds: vec![bounds],
    };
    then(&mut iteration, &part);
}

#[test]
fn bounds_are_tried_while_the_estimate_goes_on() {
    with_one_state([0.0, 1.0], |iteration, part| {
        iteration.attempt(part, &[[0.5]], 0.2).unwrap();
        let [lower, upper] = *iteration.proven;
        assert!((0.3..0.5).contains(&lower) && 0.5 < upper && upper <= 0.7);
        // This margin can't halve the gap, so the bounds are not tried.
        iteration.attempt(part, &[[0.5]], 0.15).unwrap();
        assert_eq!(iteration.operator.sweeps.load(Ordering::Relaxed), 1);
        iteration.attempt(part, &[[0.5]], 0.05).unwrap();
        let [lower, upper] = *iteration.proven;
        assert!(0.45 <= lower && upper <= 0.55);
        // Bounds that can't be verified leave the proven ones unchanged.
        iteration.attempt(part, &[[0.6]], 0.01).unwrap();
        assert_eq!(iteration.bounds, [[0.0, 1.0]]);
        assert_eq!(iteration.proven[0].to_bits(), lower.to_bits());
    });
}

#[test]
fn trials_are_rare_and_of_the_last_part() {
    with_one_state([0.0, 1.0], |iteration, part| {
        let mut times = (1..300).filter(|&rounds| iteration.is_trial_due(part, rounds));
        assert!(times.by_ref().eq([16, 64, 256]));
        let part = Part {
            states: part.states.clone(),
            is_last: false,
            ..*part
        };
        assert!(!iteration.is_trial_due(&part, 16));
    });
}

fn verified(bounds: [f64; 2]) -> (Option<Intervals>, [f64; 2]) {
    let mut result = (None, [0.0, 1.0]);
    with_one_state(bounds, |iteration, part| {
        let is_proven = iteration.tighten_until_inductive(part, MAX_VERIFICATION_SWEEPS);
        let found = is_proven.unwrap().then(|| iteration.bounds.clone());
        result = (found, *iteration.proven);
    });
    result
}

#[test]
fn a_value_that_is_no_bound_is_rejected() {
    // Both bounds are too low: one sweep raises them and proves the lower one.
    let (found, [lower, upper]) = verified([0.4, 0.400_000_1]);
    assert_eq!((found, upper), (None, 1.0));
    assert!((0.4..0.5).contains(&lower), "{lower}");
    let (found, [lower, upper]) = verified([0.6, 0.600_000_1]);
    assert_eq!((found, lower), (None, 0.0));
    assert!(0.5 < upper && upper <= 0.600_000_1, "{upper}");
    let (found, proven) = verified([0.4, 0.6]);
    let [lower, upper] = found.unwrap()[0];
    assert!((0.4..0.5).contains(&lower) && 0.5 < upper && upper <= 0.6);
    assert_eq!(proven.map(f64::to_bits), [lower, upper].map(f64::to_bits));
}

#[test]
fn the_value_itself_is_a_bound_on_either_side() {
    let (found, _) = verified([0.5, 0.5]);
    assert!(found.is_some());
}
