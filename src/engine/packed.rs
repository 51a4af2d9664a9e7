//! A visited set that stores states packed into words.

use std::hash::Hash;

use rayon::ThreadPool;

use super::Model;
use super::row_set::{Batch, RowSet};
use super::visited::{Visit, Visited};

/// A model whose states can be written as a fixed number of words. Two states are equal if and only if their words
/// are.
pub trait Pack<W>: Model {
    fn width(&self) -> usize;

    fn pack(&self, state: &Self::State, out: &mut Vec<W>);

    fn unpack(&self, words: &[W], into: &mut Self::State);
}

#[derive(Debug)]
pub struct Packed<W> {
    states: RowSet<W>,
    scratch: Vec<W>,
}

impl<W> Default for Packed<W> {
    fn default() -> Self {
        Self {
            states: RowSet::default(),
            scratch: Vec::new(),
        }
    }
}

impl<W: Copy + Eq + Hash + Send + Sync, M: Pack<W>> Visited<M> for Packed<W> {
    type Batch = Batch<W>;

    fn clear(&mut self, model: &M) {
        self.states.clear(model.width());
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let scratch = model.width() * size_of::<W>();
        self.states.bytes(states) + scratch as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        self.states.reserve(states);
    }

    fn insert(&mut self, model: &M, state: &M::State, _depth: u32) -> Visit {
        self.scratch.clear();
        model.pack(state, &mut self.scratch);
        self.states
            .visit(&self.scratch, RowSet::hash(&self.scratch))
    }

    fn clear_batch(&self, model: &M, batch: &mut Batch<W>) {
        batch.clear(model.width());
    }

    fn meet(&self, model: &M, state: &M::State, depth: u32, batch: &mut Batch<W>) -> Visit {
        let mut words = std::mem::take(&mut batch.scratch);
        words.clear();
        model.pack(state, &mut words);
        let visit = self.states.meet(&words, depth, batch);
        batch.scratch = words;
        visit
    }

    fn insert_met(&mut self, _model: &M, batch: &Batch<W>, number: u32, _depth: u32) -> Visit {
        self.states.visit_met(batch, number)
    }

    fn flush(&mut self, pool: Option<&ThreadPool>) {
        self.states.flush(pool);
    }

    fn load(&self, model: &M, number: u32, into: &mut M::State) {
        model.unpack(self.states.row(number), into);
    }
}
