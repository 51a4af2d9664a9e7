//! Random numbers, the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};

/// A stream of random numbers, from `ChaCha` with 8 rounds.
#[derive(Debug, PartialEq, Eq)]
pub struct Rng {
    seed: u64,
    stream: ChaCha8Rng,
}

impl Rng {
    /// Creates the stream for this seed.
    pub fn new(seed: u64) -> Self {
        Self::of_run(seed, 0)
    }

    /// Creates the stream for game number `run`.
    pub fn of_run(seed: u64, run: u64) -> Self {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        stream.set_stream(run);
        Self { seed, stream }
    }

    /// Returns the seed of the stream.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns a seed below 2^53 for another stream. That seed reveals nothing about this stream, and does not depend on earlier
    /// draws.
    pub fn fork_seed(&self) -> u64 {
        let mut other = Self::of_run(!self.seed, self.stream.get_stream());
        other.stream.next_u64() >> (u64::BITS - f64::MANTISSA_DIGITS)
    }

    /// Draws a number from 0 to 1 (excluded), in steps of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        (self.stream.next_u64() >> (u64::BITS - f64::MANTISSA_DIGITS)) as f64 / STEPS
    }

    /// Draws a number below `end`; returns 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.uniform() * end as f64) as usize
    }

    /// Draws a number from `min` to `max`, both included; returns `min` if `max` is less.
    pub fn between(&mut self, min: usize, max: usize) -> usize {
        min + self.below(max.saturating_sub(min) + 1)
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Picks one of the items at random; `None` if there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

impl Clone for Rng {
    // `ChaCha8Rng` does not implement `Clone`.
    fn clone(&self) -> Self {
        let mut stream = ChaCha8Rng::from_seed(self.stream.get_seed());
        stream.set_stream(self.stream.get_stream());
        stream.set_word_pos(self.stream.get_word_pos());
        Self {
            seed: self.seed,
            stream,
        }
    }
}

#[cfg(test)]
#[path = "rng_tests.rs"]
mod tests;
