//! States packed into words: what a search keeps of them, where they would take more as they are.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::Model;
use super::rows::{Rows, hash_bytes};
use super::visited::{Visit, Visited};

/// A model whose states can be written as so many words each; equal states, and no others, as equal
/// words.
pub trait Pack<W>: Model {
    /// How many words a state has.
    fn width(&self) -> usize;

    /// Writes a state.
    fn pack(&self, state: &Self::State, out: &mut Vec<W>);

    /// Reads a state.
    fn unpack(&self, words: &[W], into: &mut Self::State);
}

/// States one behind the other; visited is what equals one of them.
#[derive(Debug)]
pub struct Packed<W> {
    states: Rows<W>,
    table: HashTable<u32>,
    scratch: Vec<W>,
}

impl<W> Default for Packed<W> {
    fn default() -> Self {
        Self {
            states: Rows::default(),
            table: HashTable::new(),
            scratch: Vec::new(),
        }
    }
}

impl<W: Eq + Hash> Packed<W> {
    /// The number of the state that is written like this, if it was met before.
    fn number_of(&self, words: &[W], hash: u64) -> Option<u32> {
        let is_same = |&number: &u32| self.states.row(number as usize) == words;
        self.table.find(hash, is_same).copied()
    }
}

impl<W: Copy + Eq + Hash + Send + Sync, M: Pack<W>> Visited<M> for Packed<W> {
    type Scratch = Vec<W>;

    fn clear(&mut self, model: &M) {
        self.states.clear(model.width());
        self.table.clear();
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let scratch = model.width() * size_of::<W>();
        self.states.bytes(states) + hash_bytes(&self.table, states) + scratch as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        let (hasher, rows) = (FixedState::default(), &self.states);
        let more = states.saturating_sub(self.table.len());
        self.table
            .reserve(more, |&number| hasher.hash_one(rows.row(number as usize)));
    }

    fn insert(&mut self, model: &M, state: &M::State, _depth: u32) -> Visit {
        self.scratch.clear();
        model.pack(state, &mut self.scratch);
        let (hasher, states) = (FixedState::default(), &self.states);
        let hash = hasher.hash_one(&*self.scratch);
        if let Some(number) = self.number_of(&self.scratch, hash) {
            return Visit::Known(number);
        }
        let number = states.len() as u32;
        let rehash = |&number: &u32| hasher.hash_one(states.row(number as usize));
        self.table.insert_unique(hash, number, rehash);
        self.states.push(&self.scratch);
        Visit::New(number)
    }

    fn find(
        &self,
        model: &M,
        state: &M::State,
        _depth: u32,
        scratch: &mut Vec<W>,
    ) -> Option<Visit> {
        scratch.clear();
        model.pack(state, scratch);
        let hash = FixedState::default().hash_one(&**scratch);
        self.number_of(scratch, hash).map(Visit::Known)
    }

    fn load(&self, model: &M, number: u32, into: &mut M::State) {
        model.unpack(self.states.row(number as usize), into);
    }
}
