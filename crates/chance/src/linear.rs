//! Solves sets of linear equations, such as those of a strongly connected component: a few equations by elimination, more by
//! `BiCGSTAB` (van der Vorst, 1992), preconditioned by sweeps.

use getaway_board::limits::{Budget, Clock, Limit};

const MAX_DIRECT: usize = 40;
const MAX_RESTARTS: usize = 6;
const MAX_STEPS: usize = 200;
const CHECK_INTERVAL: usize = 8;

/// The equations `x[i] = share[i] * (the sum of x over the items of i) + constant[i]`, with exactly
/// one solution.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    ends: Vec<u32>,
    items: Vec<u32>,
    shares: Vec<f64>,
    constants: Vec<f64>,
}

impl Equations {
    pub(crate) fn with_capacity(len: usize, items: usize, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            ends: budget.with_capacity(len)?,
            items: budget.with_capacity(items)?,
            shares: budget.with_capacity(len)?,
            constants: budget.with_capacity(len)?,
        })
    }

    pub(crate) fn add_item(&mut self, item: u32) {
        self.items.push(item);
    }

    pub(crate) fn finish(&mut self, share: f64, constant: f64) {
        self.ends.push(self.items.len() as u32);
        self.shares.push(share);
        self.constants.push(constant);
    }

    pub(crate) fn replace_constants(&mut self, constants: Vec<f64>) -> Vec<f64> {
        std::mem::replace(&mut self.constants, constants)
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn work(&self) -> u64 {
        (self.len() + self.items.len()) as u64
    }

    fn items(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[at] as usize]
    }

    #[inline]
    fn share(&self, at: usize, x: &[f64]) -> f64 {
        let sum: f64 = self.items(at).iter().map(|&item| x[item as usize]).sum();
        sum * self.shares[at]
    }

    /// Returns the largest absolute value of a residual; NaN if any residual is NaN.
    pub(crate) fn max_residual(&self, x: &[f64]) -> f64 {
        let errors = (0..self.len()).map(|at| self.share(at, x) + self.constants[at] - x[at]);
        errors.fold(0.0, |max, error| {
            if error.abs() <= max || max.is_nan() {
                max
            } else {
                error.abs()
            }
        })
    }

    /// Moves `x` to the solution if the equations are few, and otherwise towards it until the residuals are at most `tolerance`
    /// or no longer become smaller, in at most [`MAX_RESTARTS`] attempts. Leaves `x` as it is if its residuals are small enough
    /// already. Returns the number of values computed.
    pub(crate) fn solve(
        &self,
        x: &mut [f64],
        tolerance: f64,
        budget: &Budget,
    ) -> Result<u64, Limit> {
        let mut clock = budget.clock();
        clock.work(self.work())?;
        let mut error = self.max_residual(x);
        if error <= tolerance {
            return Ok(0);
        }
        if self.len() <= MAX_DIRECT {
            clock.work((self.len() * self.len()) as u64)?;
            self.eliminate(x);
            return Ok(self.len() as u64);
        }
        let (mut sweeps, taken) = (0, budget.taken());
        let mut solver = BiCgStab::new(self.len(), budget)?;
        for _ in 0..MAX_RESTARTS {
            let before = x.to_vec();
            sweeps += solver.correct(self, x, tolerance, &mut clock)?;
            let left = self.max_residual(x);
            let is_better = left < error;
            if !is_better {
                x.copy_from_slice(&before);
                break;
            }
            error = left;
            if error <= tolerance {
                break;
            }
        }
        budget.reset_to(taken);
        Ok(sweeps * 2 * self.len() as u64)
    }

    fn eliminate(&self, x: &mut [f64]) {
        let len = self.len();
        let mut rows = vec![vec![0.0; len + 1]; len];
        for (at, row) in rows.iter_mut().enumerate() {
            row[at] = 1.0;
            row[len] = self.constants[at];
            for &item in self.items(at) {
                row[item as usize] -= self.shares[at];
            }
        }
        x.copy_from_slice(&eliminate(rows));
    }

    fn sweep(&self, x: &mut [f64], constants: Option<&[f64]>) {
        let forwards = 0..self.len();
        for at in forwards.clone().chain(forwards.rev()) {
            x[at] = self.share(at, x) + constants.map_or(0.0, |constants| constants[at]);
        }
    }

    /// Computes the difference between a vector and its image under a sweep without constants.
    fn image(&self, vector: &[f64], image: &mut [f64], clock: &mut Clock) -> Result<(), Limit> {
        clock.work(2 * self.work())?;
        image.copy_from_slice(vector);
        self.sweep(image, None);
        image
            .iter_mut()
            .zip(vector)
            .for_each(|(to, from)| *to = from - *to);
        Ok(())
    }
}

struct BiCgStab {
    shadow_residual: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    direction_image: Vec<f64>,
    residual_image: Vec<f64>,
}

impl BiCgStab {
    fn new(len: usize, budget: &Budget) -> Result<Self, Limit> {
        let vector = || budget.filled(0.0, len);
        Ok(Self {
            shadow_residual: vector()?,
            residual: vector()?,
            direction: vector()?,
            direction_image: vector()?,
            residual_image: vector()?,
        })
    }

    /// Moves `x` towards the solution until the estimated residuals are at most half of `tolerance`, a coefficient is not finite,
    /// or [`MAX_STEPS`] steps are done. Returns the number of sweeps.
    fn correct(
        &mut self,
        equations: &Equations,
        x: &mut [f64],
        tolerance: f64,
        clock: &mut Clock,
    ) -> Result<u64, Limit> {
        clock.work(2 * equations.work())?;
        let mut sweeps = 2;
        self.shadow_residual.copy_from_slice(x);
        equations.sweep(&mut self.shadow_residual, Some(&equations.constants));
        add(&mut self.shadow_residual, -1.0, x);
        self.residual.copy_from_slice(&self.shadow_residual);
        self.direction.copy_from_slice(&self.shadow_residual);
        let mut rho = dot(&self.shadow_residual, &self.residual);
        for step in 1..=MAX_STEPS {
            sweeps += 2;
            equations.image(&self.direction, &mut self.direction_image, clock)?;
            let alpha = rho / dot(&self.shadow_residual, &self.direction_image);
            if !alpha.is_finite() {
                break;
            }
            add(&mut self.residual, -alpha, &self.direction_image);
            equations.image(&self.residual, &mut self.residual_image, clock)?;
            let shared = dot(&self.residual_image, &self.residual);
            let omega = shared / dot(&self.residual_image, &self.residual_image);
            add(x, alpha, &self.direction);
            if !omega.is_finite() {
                break;
            }
            add(x, omega, &self.residual);
            add(&mut self.residual, -omega, &self.residual_image);
            let next = dot(&self.shadow_residual, &self.residual);
            let beta = next / rho * alpha / omega;
            if !beta.is_finite()
                || step.is_multiple_of(CHECK_INTERVAL) && self.has_converged(tolerance)
            {
                break;
            }
            rho = next;
            self.update_direction(beta, omega);
        }
        equations.sweep(x, Some(&equations.constants));
        Ok(sweeps)
    }

    fn has_converged(&self, tolerance: f64) -> bool {
        let is_small = |left: &f64| left.abs() <= tolerance / 2.0;
        self.residual.iter().all(is_small)
    }

    fn update_direction(&mut self, beta: f64, omega: f64) {
        let all = self.residual.iter().zip(&self.direction_image);
        for (direction, (residual, direction_image)) in self.direction.iter_mut().zip(all) {
            *direction = residual + beta * (*direction - omega * direction_image);
        }
    }
}

/// Solves linear equations, each given as a row of coefficients with the right-hand side last. The matrices need no pivoting:
/// they are diagonally dominant or positive semidefinite. An unknown whose pivot is not positive is 0.
pub(super) fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    for at in 0..rows.len() {
        let pivot = rows[at].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at && pivot[at] > 0.0 {
                let factor = -row[at] / pivot[at];
                add(row, factor, &pivot);
            }
        }
    }
    let value = |(at, row): (usize, &Vec<f64>)| match row[at] {
        pivot if pivot > 0.0 => row[rows.len()] / pivot,
        _ => 0.0,
    };
    rows.iter().enumerate().map(value).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

fn add(to: &mut [f64], share: f64, vector: &[f64]) {
    to.iter_mut()
        .zip(vector)
        .for_each(|(to, from)| *to += share * from);
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
