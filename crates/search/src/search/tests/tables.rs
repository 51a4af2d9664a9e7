//! All visited sets must agree on which states are new, and must take no more memory than they report.

use super::super::blocks;
use super::*;
use crate::visited::{Antichain, Dominance, ExactSet, Lookup, Pack, Packed, Visited};
use getaway_testing::Measured;

/// A model whose states are numbers. It reports `self.0` bytes of heap memory for each.
struct Numbers(usize);

impl Model for Numbers {
    type State = u32;
    type Move = u32;

    fn opened(&self) -> Result<u32, Outcome> {
        Ok(1)
    }

    fn moves(&self, at: &u32, out: &mut Vec<u32>) {
        out.extend([2 * at, 2 * at + 1, at + 3].map(|next| next % MAX));
    }

    fn play(&self, at: &mut u32, mv: u32) -> Option<Outcome> {
        *at = mv;
        None
    }

    fn state_bytes(&self) -> usize {
        size_of::<u32>() + self.0
    }
}

/// Enough numbers for a search in blocks.
const MAX: u32 = 2 * blocks::LARGE as u32 + 7;

impl Dominance for Numbers {
    fn places(&self) -> usize {
        MAX as usize / 4 + 1
    }

    fn place(&self, state: &u32) -> usize {
        *state as usize / 4
    }

    fn is_no_harder(&self, a: &u32, b: &u32) -> bool {
        a == b
    }
}

impl Pack<u16> for Numbers {
    fn width(&self) -> usize {
        2
    }

    fn pack(&self, state: &u32, out: &mut Vec<u16>) {
        out.clear();
        out.extend([*state as u16, (state >> 16) as u16]);
    }

    fn unpack(&self, words: &[u16], into: &mut u32) {
        *into = u32::from(words[0]) | u32::from(words[1]) << 16;
    }
}

#[test]
fn a_large_search_meets_every_state_once_whatever_its_tables() {
    fn states(visited: impl Visited<Numbers>, threads: usize) -> (Finding<u32>, u64) {
        let limits = Limits {
            threads,
            ..Limits::default()
        };
        let mut search = Search::new(visited);
        let finding = search.run(&Numbers(0), Order::Shortest, &limits);
        (finding, search.states())
    }
    let all = (Finding::Caught, u64::from(MAX));
    for threads in [1, 2] {
        assert_eq!(states(ExactSet::default(), threads), all);
        assert_eq!(states(Packed::<u16>::default(), threads), all);
        assert_eq!(states(Antichain::default(), threads), all);
    }
}

#[test]
fn tables_take_what_is_told() {
    #[track_caller]
    fn grow<V: Visited<Numbers> + Default>(share: f64) {
        let (model, mut visited, mut measured) = (Numbers(0), V::default(), Measured::default());
        let told = visited.bytes(&model, 0);
        measured.assert_takes(told, 1.0, || visited.clear(&model));
        let mut first = 0;
        for states in [1 << 14, 30_000, MAX] {
            let told = visited.bytes(&model, states as usize);
            measured.assert_takes(told, share, || {
                visited.reserve(&model, states as usize);
                for state in first..states {
                    visited.insert(&model, &state, 0);
                }
            });
            first = states;
        }
    }
    grow::<ExactSet<u32>>(0.15);
    grow::<Packed<u16>>(0.15);
    grow::<Antichain<u32>>(0.15);
}

#[test]
fn a_search_takes_what_it_tells() {
    let (model, limits) = (Numbers(0), Limits::default());
    for order in [Order::DepthFirst, Order::Shortest] {
        let mut search = Search::new(ExactSet::default());
        let few = Limits {
            max_states: Some(1 << 14),
            ..Limits::default()
        };
        let mut measured = Measured::after(|| {
            search.run(&model, order, &few);
        });
        let states = search.tables.len();
        let told = search.tables.bytes_for(&model, states);
        measured.assert_takes(told, 0.01, || {});
        // The tables grow one after another, so their old copies do not all exist at once.
        let told = search.tables.bytes_for(&model, states + states / 2);
        measured.assert_takes(told, 0.3, || search.tables.grow(&model, &limits).unwrap());
    }
}

#[test]
fn states_take_no_more_memory_than_was_told_and_not_much_less() {
    /// Returns the bytes announced for `states` states and the bytes taken afterwards, both minus those of an empty
    /// set.
    fn told_and_taken<V: Visited<Numbers> + Default>(heap: usize, states: u32) -> [u64; 2] {
        let (model, mut visited) = (Numbers(heap), V::default());
        visited.clear(&model);
        let none = visited.bytes(&model, 0);
        let told = visited.bytes(&model, states as usize);
        visited.reserve(&model, states as usize);
        for state in 0..states {
            assert_eq!(visited.insert(&model, &state, 0), Lookup::New(state));
        }
        [told, visited.bytes(&model, 0)].map(|bytes| bytes - none)
    }
    let states = 1 << 14;
    for heap in [0, 100] {
        for ([told, taken], keeps_heap) in [
            (told_and_taken::<ExactSet<u32>>(heap, states), true),
            (told_and_taken::<Packed<u16>>(heap, states), false),
            (told_and_taken::<Antichain<u32>>(heap, states), true),
        ] {
            let own = if keeps_heap {
                heap as u64 * u64::from(states)
            } else {
                0
            };
            assert!(told >= taken + own, "{told} {taken} {own}");
            let least = u64::from(states) * size_of::<u32>() as u64;
            assert!(
                taken >= least && told <= 12 * least + 2 * own,
                "{told} {taken} {own}"
            );
        }
    }
}
