use std::hash::Hash;
use std::slice;

use rayon::ThreadPool;

use super::Model;
use super::row_set::{Batch, RowHash, RowSet};
use super::rows::{heap_bytes, reserve, vec_bytes};

/// A store of states that decides which count as visited. It numbers them from 0 in the order of insertion.
pub trait Visited<M: Model>: Sync {
    /// States that a thread has found but not stored yet.
    type Batch: Default + Send + Sync;

    fn clear(&mut self, model: &M);

    /// Returns the memory needed for `states` states, including old copies while the tables grow.
    fn bytes(&self, model: &M, states: usize) -> u64;

    /// Makes room for `states` states in total, so that inserting them takes no more memory.
    fn reserve(&mut self, model: &M, states: usize);

    /// Stores a state, reached in `depth` moves, unless it counts as visited. A set may skip a state in favour of
    /// another only if no line gets longer as a result, counting the moves that reach either state. (If lengths do not
    /// matter, all depths are 0.)
    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Visit;

    fn clear_batch(&self, model: &M, batch: &mut Self::Batch);

    /// Adds a state to the batch, unless it counts as visited. A set may also reject a state that the batch already has at the
    /// same or a smaller depth.
    fn meet(&self, model: &M, state: &M::State, depth: u32, batch: &mut Self::Batch) -> Visit;

    /// Inserts a state from a batch. The search fills all batches, inserts their states, and calls [`Visited::flush`]
    /// before it fills the next ones.
    fn insert_met(&mut self, model: &M, batch: &Self::Batch, number: u32, depth: u32) -> Visit;

    /// Makes the states inserted from batches available to lookups.
    fn flush(&mut self, _pool: Option<&ThreadPool>) {}

    fn load(&self, model: &M, number: u32, into: &mut M::State);

    /// Returns whether a better state was inserted later, so that this one need not be expanded.
    fn is_dominated(&self, _number: u32) -> bool {
        false
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    New(u32),
    Known(u32),
    /// The batch already has the state.
    Repeated,
}

/// A visited set in which a state counts as visited if it equals an earlier one.
#[derive(Clone, Debug)]
pub struct ExactSet<S>(RowSet<S>);

impl<S> Default for ExactSet<S> {
    fn default() -> Self {
        Self(RowSet::default())
    }
}

impl<M: Model<State: Eq + Hash>> Visited<M> for ExactSet<M::State> {
    type Batch = Batch<M::State>;

    fn clear(&mut self, _model: &M) {
        self.0.clear(1);
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let heap = model.state_bytes() - size_of::<M::State>();
        self.0.bytes(states) + (states * heap_bytes(heap)) as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        self.0.reserve(states);
    }

    fn insert(&mut self, _model: &M, state: &M::State, _depth: u32) -> Visit {
        let row = slice::from_ref(state);
        self.0.visit(row, RowSet::hash(row))
    }

    fn clear_batch(&self, _model: &M, batch: &mut Batch<M::State>) {
        batch.clear(1);
    }

    fn meet(&self, _model: &M, state: &M::State, depth: u32, batch: &mut Batch<M::State>) -> Visit {
        self.0.meet(slice::from_ref(state), depth, batch)
    }

    fn insert_met(
        &mut self,
        _model: &M,
        batch: &Batch<M::State>,
        number: u32,
        _depth: u32,
    ) -> Visit {
        self.0.visit_met(batch, number)
    }

    fn flush(&mut self, pool: Option<&ThreadPool>) {
        self.0.flush(pool);
    }

    fn load(&self, _model: &M, number: u32, into: &mut M::State) {
        into.clone_from(&self.0.row(number)[0]);
    }
}

impl<T: Clone + Eq + Hash> RowSet<T> {
    pub(super) fn visit(&mut self, row: &[T], hash: RowHash) -> Visit {
        match self.find(row, hash) {
            Some(number) => Visit::Known(number),
            None => Visit::New(self.add(row, hash)),
        }
    }

    /// Adds a batch's row, unless another batch has added it since the last [`RowSet::flush`].
    pub(super) fn visit_met(&mut self, batch: &Batch<T>, number: u32) -> Visit {
        let (row, hash) = batch.row(number);
        match self.add_fresh(row, hash) {
            (number, true) => Visit::New(number),
            (number, false) => Visit::Known(number),
        }
    }

    pub(super) fn meet(&self, row: &[T], depth: u32, batch: &mut Batch<T>) -> Visit {
        let hash = Self::hash(row);
        match self.find(row, hash) {
            Some(number) => Visit::Known(number),
            None => batch
                .meet(row, hash, depth)
                .map_or(Visit::Repeated, Visit::New),
        }
    }
}

/// Compares positions by how hard they are for the runner.
pub trait Dominance: Model {
    fn places(&self) -> usize;

    /// Returns the state's place. Only states with the same place are compared.
    fn place(&self, state: &Self::State) -> usize;

    /// Returns whether the runner can escape from `a` in no more moves than from `b`, if he can escape from `b` at all.
    /// The two states must have the same place. The relation is transitive; `false` may also mean unknown.
    fn is_no_harder(&self, a: &Self::State, b: &Self::State) -> bool;
}

/// A visited set in which a state counts as visited if an earlier one at its place is no harder and no deeper. It compares a
/// state only with the easiest ones of its place (an antichain). Depth matters too, because in a breadth-first search the
/// shortest line may lead through a harder state closer to the start.
#[derive(Clone, Debug)]
pub struct Antichain<S> {
    kept: Vec<Kept<S>>,
    /// The newest state of each place, or [`END`].
    heads: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Kept<S> {
    state: S,
    /// The next state in the list of the same place, or [`END`].
    next: u32,
    /// The number of moves that reach the state, or [`DOMINATED`].
    depth: u32,
}

const END: u32 = u32::MAX;
const DOMINATED: u32 = u32::MAX;

impl<S> Default for Antichain<S> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            heads: Vec::new(),
        }
    }
}

impl<S> Antichain<S> {
    #[cfg(test)]
    pub fn widest(&self) -> usize {
        let length = |&head: &u32| {
            std::iter::successors((head != END).then_some(head), |&at| {
                let next = self.kept[at as usize].next;
                (next != END).then_some(next)
            })
            .count()
        };
        self.heads.iter().map(length).max().unwrap_or(0)
    }
}

impl<M: Dominance> Visited<M> for Antichain<M::State> {
    type Batch = Vec<M::State>;

    fn clear(&mut self, model: &M) {
        self.kept.clear();
        self.heads.clear();
        reserve(&mut self.heads, model.places());
        self.heads.resize(model.places(), END);
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let heap = model.state_bytes() - size_of::<M::State>();
        vec_bytes(&self.heads, model.places())
            + vec_bytes(&self.kept, states)
            + (states * heap_bytes(heap)) as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        reserve(&mut self.kept, states);
    }

    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Visit {
        let place = model.place(state);
        let head = self.heads[place];
        if let Some(known) = self.dominating(model, (state, depth), head) {
            return Visit::Known(known);
        }
        let rest = self.without_harder(model, (state, depth), head);
        let kept = Kept {
            state: state.clone(),
            next: rest,
            depth,
        };
        self.heads[place] = self.kept.len() as u32;
        self.kept.push(kept);
        Visit::New(self.heads[place])
    }

    fn clear_batch(&self, _model: &M, batch: &mut Vec<M::State>) {
        batch.clear();
    }

    fn meet(&self, model: &M, state: &M::State, depth: u32, batch: &mut Vec<M::State>) -> Visit {
        let head = self.heads[model.place(state)];
        if let Some(known) = self.dominating(model, (state, depth), head) {
            return Visit::Known(known);
        }
        batch.push(state.clone());
        Visit::New(batch.len() as u32 - 1)
    }

    fn insert_met(&mut self, model: &M, batch: &Vec<M::State>, number: u32, depth: u32) -> Visit {
        self.insert(model, &batch[number as usize], depth)
    }

    fn load(&self, _model: &M, number: u32, into: &mut M::State) {
        into.clone_from(&self.kept[number as usize].state);
    }

    fn is_dominated(&self, number: u32) -> bool {
        self.kept[number as usize].depth == DOMINATED
    }
}

impl<S: Clone> Antichain<S> {
    fn dominating<M: Dominance<State = S>>(
        &self,
        model: &M,
        (state, depth): (&S, u32),
        head: u32,
    ) -> Option<u32> {
        let mut at = head;
        while let Some(kept) = self.kept.get(at as usize) {
            if kept.depth <= depth && model.is_no_harder(&kept.state, state) {
                return Some(at);
            }
            at = kept.next;
        }
        None
    }

    /// Removes the harder states from a list; returns the new head.
    fn without_harder<M: Dominance<State = S>>(
        &mut self,
        model: &M,
        (state, depth): (&S, u32),
        head: u32,
    ) -> u32 {
        let (mut first, mut last, mut at) = (END, END, head);
        while at != END {
            let kept = &mut self.kept[at as usize];
            let next = kept.next;
            if depth <= kept.depth && model.is_no_harder(state, &kept.state) {
                kept.depth = DOMINATED;
            } else {
                if last == END {
                    first = at;
                } else {
                    self.kept[last as usize].next = at;
                }
                last = at;
            }
            at = next;
        }
        if last != END {
            self.kept[last as usize].next = END;
        }
        first
    }
}
