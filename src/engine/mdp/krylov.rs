//! Linear equations for the values of a policy, solved approximately (`BiCGSTAB`).
//!
//! Where a play lasts long, sweeps converge slowly, but what they leave over is soon a combination of a few slow
//! modes. In the space that a vector and its images under some sweeps span, there is a correction that gets rid of
//! these modes at once, however slow they are.

use rayon::prelude::*;

use crate::limits::{Budget, Limit, bytes};

/// How many numbers one thread works on at a time: what sums come to does not depend on how many threads there are.
const PIECE: usize = 1 << 14;
/// The most steps of one correction, of two sweeps each.
const MAX_STEPS: usize = 200;

/// Vectors shorter than this are not worth more than one thread.
const MIN_PARALLEL: usize = 1 << 16;

/// The vectors that a correction is made of, in single precision: its errors are corrected in turn.
pub(super) struct Krylov {
    /// What is left over at the beginning, and the vector that everything is projected on.
    first: Vec<f32>,
    residual: Vec<f32>,
    direction: Vec<f32>,
    /// The images of direction and residual.
    images: [Vec<f32>; 2],
    correction: Vec<f32>,
    team: Team,
}

/// Whether several threads work on a vector.
#[derive(Clone, Copy, Debug)]
struct Team {
    is_one: bool,
}

/// How much memory it takes for so many states.
pub(super) const fn max_bytes(len: usize) -> u64 {
    6 * bytes::<f32>(len)
}

impl Krylov {
    pub(super) fn new(len: usize, budget: &Budget) -> Result<Self, Limit> {
        let vector = || budget.filled(0.0, len);
        Ok(Self {
            first: vector()?,
            residual: vector()?,
            direction: vector()?,
            images: [vector()?, vector()?],
            correction: vector()?,
            team: Team::of(len, budget),
        })
    }

    pub(super) fn free(self, budget: &Budget) {
        let [first, second] = self.images;
        for vector in [
            self.first,
            self.residual,
            self.direction,
            first,
            second,
            self.correction,
        ] {
            budget.free(vector);
        }
    }

    /// Where what is left over goes.
    pub(super) fn residual(&mut self) -> &mut [f32] {
        &mut self.first
    }

    /// Corrects values that have just been updated by a linear sweep, which has changed them by
    /// [`Krylov::residual`], so that another one would change them by about `reduction` of that, or at least by less;
    /// says whether that came off. `propagate` is the linear part of the sweep.
    pub(super) fn correct(
        &mut self,
        values: &mut [f64],
        reduction: f64,
        mut propagate: impl FnMut(&mut [f32]) -> Result<(), Limit>,
    ) -> Result<bool, Limit> {
        let team = self.team;
        self.residual.copy_from_slice(&self.first);
        self.direction.copy_from_slice(&self.first);
        self.correction.fill(0.0);
        let mut projection = team.dot(&self.first, &self.residual);
        let norm = projection.sqrt();
        let mut left = norm;
        for _ in 0..MAX_STEPS {
            let [along, across] = &mut self.images;
            team.image(&self.direction, along, &mut propagate)?;
            let alpha = projection / team.dot(&self.first, along);
            team.add(&mut self.residual, -alpha, along);
            team.image(&self.residual, across, &mut propagate)?;
            let (shared, length) = (team.dot(across, &self.residual), team.dot(across, across));
            // The first half may have left nothing over.
            let omega = if length > 0.0 { shared / length } else { 0.0 };
            team.add(&mut self.correction, alpha, &self.direction);
            team.add(&mut self.correction, omega, &self.residual);
            team.add(&mut self.residual, -omega, across);
            left = team.dot(&self.residual, &self.residual).sqrt();
            let next = team.dot(&self.first, &self.residual);
            let beta = next / projection * alpha / omega;
            if left <= reduction * norm || !beta.is_finite() {
                break;
            }
            projection = next;
            team.turn(&mut self.direction, beta, &self.residual, omega, along);
        }
        let is_better = left < norm;
        if is_better {
            // The residual itself has been added already.
            team.apply(values, &self.correction, &self.first);
        }
        Ok(is_better)
    }
}

impl Team {
    /// Who works on vectors of this length: the threads of the pool in which this is called, if there is one.
    fn of(len: usize, budget: &Budget) -> Self {
        let is_pool = rayon::current_thread_index().is_some() && budget.limits.threads > 1;
        Self {
            is_one: !is_pool || len < MIN_PARALLEL,
        }
    }

    /// Does something with each pair of numbers.
    fn zip<T: Send>(self, to: &mut [T], from: &[f32], change: impl Fn(&mut T, f32) + Sync) {
        let piece = |(to, from): (&mut [T], &[f32])| {
            to.iter_mut()
                .zip(from)
                .for_each(|(to, from)| change(to, *from));
        };
        if self.is_one {
            return piece((to, from));
        }
        let pieces = to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
        pieces.for_each(piece);
    }

    fn dot(self, a: &[f32], b: &[f32]) -> f64 {
        let sums: Vec<f64> = if self.is_one {
            let pieces = a.chunks(PIECE).zip(b.chunks(PIECE));
            pieces.map(|(a, b)| dot_piece(a, b)).collect()
        } else {
            let pieces = a.par_chunks(PIECE).zip(b.par_chunks(PIECE));
            pieces.map(|(a, b)| dot_piece(a, b)).collect()
        };
        sums.iter().sum()
    }

    /// The image of a vector: what a sweep leaves of it, taken from it.
    fn image(
        self,
        vector: &[f32],
        image: &mut [f32],
        propagate: impl FnOnce(&mut [f32]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        image.copy_from_slice(vector);
        propagate(image)?;
        self.zip(image, vector, |to, from| *to = from - *to);
        Ok(())
    }

    /// Adds so much of a vector.
    fn add(self, to: &mut [f32], share: f64, vector: &[f32]) {
        let share = share as f32;
        self.zip(to, vector, |to, from| *to += share * from);
    }

    /// The next direction: the residual, and `beta` times what is new in the last direction.
    fn turn(self, direction: &mut [f32], beta: f64, residual: &[f32], omega: f64, along: &[f32]) {
        let (beta, omega) = (beta as f32, omega as f32);
        self.zip(direction, along, |to, from| {
            *to = beta * (*to - omega * from);
        });
        self.zip(direction, residual, |to, from| *to += from);
    }

    /// Puts the correction in the place of the residual that was added to the values.
    fn apply(self, values: &mut [f64], correction: &[f32], residual: &[f32]) {
        self.zip(values, correction, |to, from| *to += f64::from(from));
        self.zip(values, residual, |to, from| *to -= f64::from(from));
    }
}

fn dot_piece(a: &[f32], b: &[f32]) -> f64 {
    // Eight sums side by side are quicker than one.
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += f64::from(*a) * f64::from(*b);
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// `value[i] = (value[i - 1] + value[i + 1]) / 2`, there and back along a line with 0 at one end and `end` at the
    /// other.
    fn sweep<T: Copy + Into<f64>>(line: &mut [T], end: f64, from: impl Fn(f64) -> T) {
        for at in (0..line.len()).chain((0..line.len()).rev()) {
            let left = at.checked_sub(1).map_or(0.0, |left| line[left].into());
            let right = line.get(at + 1).map_or(end, |&right| right.into());
            line[at] = from(f64::midpoint(left, right));
        }
    }

    #[test]
    fn a_slow_line_is_straight_after_a_few_corrections() {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mut values = vec![0.0_f64; 300];
        let mut krylov = Krylov::new(values.len(), &budget).unwrap();
        let mut sweeps = 0;
        for _ in 0..10 {
            let before = values.clone();
            sweep(&mut values, 1.0, |value| value);
            for ((change, old), new) in krylov.residual().iter_mut().zip(&before).zip(&values) {
                *change = (new - old) as f32;
            }
            let correction = krylov.correct(&mut values, 1e-3, |vector| {
                sweeps += 1;
                sweep(vector, 0.0, |value| value as f32);
                Ok(())
            });
            assert!(correction.unwrap());
        }
        // By sweeps alone it would take some 300,000 of them.
        for (at, value) in values.iter().enumerate() {
            let straight = (at + 1) as f64 / 301.0;
            assert!((value - straight).abs() < 1e-9, "{at}: {value} {straight}");
        }
        assert!(sweeps < 2000, "{sweeps}");
    }
}
