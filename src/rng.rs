//! Random numbers, the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct Rng {
    seed: u64,
    stream: ChaCha8Rng,
}

impl Rng {
    /// The stream for this seed.
    pub fn new(seed: u64) -> Self {
        Self::of_run(seed, 0)
    }

    /// The stream for game number `run`.
    pub fn of_run(seed: u64, run: u64) -> Self {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        stream.set_stream(run);
        Self { seed, stream }
    }

    /// The seed of the stream.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// A seed below 2^53 for a stream that reveals nothing about this one. It does not depend on the numbers drawn so
    /// far.
    pub fn for_others(&self) -> u64 {
        let mut other = Self::of_run(!self.seed, self.stream.get_stream());
        other.stream.next_u64() >> (u64::BITS - f64::MANTISSA_DIGITS)
    }

    /// Draws a number from 0 (included) to 1 (excluded), in steps of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        (self.stream.next_u64() >> (u64::BITS - f64::MANTISSA_DIGITS)) as f64 / STEPS
    }

    /// Draws a number below `end`; returns 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.uniform() * end as f64) as usize
    }

    /// Draws a number from `least` to `most`, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Picks one of the items, if any.
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
mod tests {
    use super::*;

    /// The expected numbers are from `rand_chacha`, another implementation of `ChaCha8` with the same seeding.
    #[test]
    fn a_seed_has_the_same_luck_everywhere() {
        let known = [
            ((0, 0), [6_386_783_553_385_287, 4_196_649_789_774_616]),
            ((7, 3), [1_635_183_741_686_038, 836_447_931_249_957]),
            (
                (u64::MAX, u64::MAX),
                [1_863_292_749_466_527, 3_348_459_971_377_186],
            ),
        ];
        for ((seed, run), steps) in known {
            let mut rng = Rng::of_run(seed, run);
            let drawn = [(); 2].map(|()| (rng.uniform() * (1_u64 << 53) as f64) as u64);
            assert_eq!(drawn, steps, "seed {seed}, run {run}");
        }
    }

    #[test]
    fn a_copy_goes_on_where_the_stream_is() {
        let mut rng = Rng::of_run(5, 9);
        for _ in 0..100 {
            let mut copy = rng.clone();
            assert_eq!(copy, rng);
            assert_eq!(copy.uniform().to_bits(), rng.uniform().to_bits());
        }
    }

    #[test]
    fn a_seed_determines_its_luck() {
        let draw = |seed| -> Vec<f64> {
            let mut rng = Rng::new(seed);
            (0..4).map(|_| rng.uniform()).collect()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn every_order_comes_and_every_item_is_picked() {
        let mut rng = Rng::new(3);
        let mut orders = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            orders.insert(items);
            assert!((4..=6).contains(&rng.between(4, 6)));
        }
        assert_eq!(orders.len(), 6);
        let picked: std::collections::BTreeSet<_> =
            (0..100).filter_map(|_| rng.pick(&[1, 2, 3])).collect();
        assert_eq!(picked.len(), 3);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }

    #[test]
    fn luck_is_even() {
        let mut rng = Rng::new(7);
        let mut tenths = [0_u32; 10];
        for _ in 0..100_000 {
            tenths[(rng.uniform() * 10.0) as usize] += 1;
        }
        assert!(
            tenths.iter().all(|count| count.abs_diff(10_000) < 500),
            "{tenths:?}"
        );
    }
}
