//! Visited sets: stores of states that decide which states a search need not expand.

use std::hash::Hash;

use super::Model;
use super::row_set::{RowHash, RowSet, Slot};
use super::rows::{heap_bytes, reserve, vec_bytes};

/// A store of states, numbered from 0 in the order of insertion, that decides which count as visited.
pub trait Visited<M: Model>: Send + Sync {
    /// A state in the form in which [`Self::find`] looks it up.
    type Query: Default + Send + Sync;

    /// Removes all states, and prepares for a search of `model`.
    fn clear(&mut self, model: &M);

    /// Returns the bytes needed for `states` states, including old copies while the tables grow.
    fn bytes(&self, model: &M, states: usize) -> u64;

    /// Makes room for `states` states in total.
    fn reserve(&mut self, model: &M, states: usize);

    /// Stores a state, reached in `depth` moves, unless it counts as visited. It may count as visited because of another state
    /// only if leaving it out makes the shortest escape no longer. Searches to which lengths do not matter pass 0 as every depth.
    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Lookup;

    /// Like [`Self::insert`], for a state that was prepared.
    fn insert_prepared(&mut self, model: &M, query: &Self::Query, depth: u32) -> Lookup;

    /// Sets `query` to the form in which the state is looked up.
    fn prepare(&self, model: &M, state: &M::State, query: &mut Self::Query);

    /// Begins the look-up of a prepared state. Look-ups of a group are faster if all begin before the first goes on, because they
    /// then don't wait for the memory one after another.
    fn fetch(&self, _query: &mut Self::Query) {}

    /// Returns the number of the stored state because of which a prepared and fetched state, reached in `depth` moves, counts as
    /// visited; `None` if it is new.
    fn find(&self, model: &M, query: &Self::Query, depth: u32) -> Option<u32>;

    /// Copies the state with this number to `into`.
    fn load(&self, model: &M, number: u32, into: &mut M::State);

    /// Returns whether a later state makes expanding this one unnecessary.
    fn is_dominated(&self, _number: u32) -> bool {
        false
    }
}

/// The result of [`Visited::insert`], [`Visited::insert_prepared`] or [`RowSet::find_or_add`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The state is new, and was stored under this number.
    New(u32),
    /// The state counts as visited because of the stored state with this number.
    Known(u32),
}

impl Lookup {
    /// Returns the number of the state that was stored now or before.
    pub const fn number(self) -> u32 {
        match self {
            Self::New(number) | Self::Known(number) => number,
        }
    }
}

/// A model whose states can be written as rows, which are equal exactly if the states are.
pub trait Pack<T>: Model {
    /// Returns the number of items in a row.
    fn width(&self) -> usize;

    /// Replaces the contents of `row` by the state.
    fn pack(&self, state: &Self::State, row: &mut Vec<T>);

    /// Sets `into` to the state that `row` describes.
    fn unpack(&self, row: &[T], into: &mut Self::State);

    /// Returns the maximum heap memory of the items in a row, in bytes.
    fn row_heap(&self) -> usize {
        0
    }
}

/// A state as the only item of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Whole<S>(S);

impl<M: Model> Pack<Whole<M::State>> for M {
    fn width(&self) -> usize {
        1
    }

    fn pack(&self, state: &M::State, row: &mut Vec<Whole<M::State>>) {
        match row.first_mut() {
            Some(Whole(old)) => old.clone_from(state),
            None => row.push(Whole(state.clone())),
        }
    }

    fn unpack(&self, row: &[Whole<M::State>], into: &mut M::State) {
        into.clone_from(&row[0].0);
    }

    fn row_heap(&self) -> usize {
        self.state_bytes() - size_of::<M::State>()
    }
}

/// A visited set of states packed into rows. A state counts as visited if it equals an earlier one.
#[derive(Clone, Debug)]
pub struct Packed<T> {
    states: RowSet<T>,
    row: Vec<T>,
}

/// A packed state with its hash, and the slot at which its look-up begins.
#[derive(Clone, Debug)]
pub struct HashedRow<T> {
    row: Vec<T>,
    hash: RowHash,
    slot: Slot,
}

impl<T> Default for HashedRow<T> {
    fn default() -> Self {
        Self {
            row: Vec::new(),
            hash: 0,
            slot: Slot::VACANT,
        }
    }
}

/// A visited set that stores the states as they are.
pub type ExactSet<S> = Packed<Whole<S>>;

impl<T> Default for Packed<T> {
    fn default() -> Self {
        Self {
            states: RowSet::default(),
            row: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + Hash + Send + Sync, M: Pack<T>> Visited<M> for Packed<T> {
    type Query = HashedRow<T>;

    fn clear(&mut self, model: &M) {
        self.states.clear(model.width());
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let heap = (states + 1) * heap_bytes(model.row_heap());
        self.states.bytes(states) + (heap + model.width() * size_of::<T>()) as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        self.states.reserve(states);
    }

    fn insert(&mut self, model: &M, state: &M::State, _depth: u32) -> Lookup {
        model.pack(state, &mut self.row);
        self.states.find_or_add(&self.row)
    }

    fn insert_prepared(&mut self, _model: &M, query: &Self::Query, _depth: u32) -> Lookup {
        self.states.find_or_add_hashed(&query.row, query.hash)
    }

    fn prepare(&self, model: &M, state: &M::State, query: &mut HashedRow<T>) {
        model.pack(state, &mut query.row);
        query.hash = RowSet::hash(&query.row);
    }

    fn fetch(&self, query: &mut HashedRow<T>) {
        query.slot = self.states.slot(query.hash);
    }

    fn find(&self, _model: &M, query: &HashedRow<T>, _depth: u32) -> Option<u32> {
        self.states.find_from(query.slot, &query.row, query.hash)
    }

    fn load(&self, model: &M, number: u32, into: &mut M::State) {
        model.unpack(self.states.row(number), into);
    }
}

/// Compares positions by how hard they are for the runner.
pub trait Dominance: Model {
    /// Returns the number of places among which states are divided. Only states at the same place are compared.
    fn places(&self) -> usize;

    /// Returns the state's place, a number below [`Self::places`].
    fn place(&self, state: &Self::State) -> usize;

    /// Returns whether the runner can escape from `a` in no more moves than from `b` at the same place, if there is an escape
    /// from `b`. The relation is transitive; `false` may also mean unknown.
    fn is_no_harder(&self, a: &Self::State, b: &Self::State) -> bool;
}

/// A visited set that keeps the easiest states of each place (an antichain, as in De Wulf et al., 2006). A state counts as
/// visited if an earlier one at its place is no harder and was reached in no more moves. (The shortest line may lead through a
/// harder state that is closer to the start.)
#[derive(Clone, Debug)]
pub struct Antichain<S> {
    kept: Vec<AntichainEntry<S>>,
    /// The newest state of each place, or [`END`] if there is none.
    heads: Vec<u32>,
}

#[derive(Clone, Debug)]
struct AntichainEntry<S> {
    state: S,
    /// The next state in the list of the same place, or [`END`].
    next: u32,
    /// The number of moves from the start to the state, or [`DOMINATED`].
    depth: u32,
}

const PREPARED: &str = "the state was prepared";

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
    /// Returns the number of states at the place with the most.
    #[cfg(test)]
    pub fn widest(&self) -> usize {
        let next = |&at: &u32| Some(self.kept.get(at as usize)?.next);
        let length = |&head: &u32| std::iter::successors(Some(head), next).count() - 1;
        self.heads.iter().map(length).max().unwrap_or(0)
    }
}

impl<M: Dominance> Visited<M> for Antichain<M::State> {
    type Query = Option<M::State>;

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

    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Lookup {
        let place = model.place(state);
        let head = self.heads[place];
        if let Some(known) = self.dominating(model, state, depth, head) {
            return Lookup::Known(known);
        }
        let rest = self.without_harder(model, state, depth, head);
        let kept = AntichainEntry {
            state: state.clone(),
            next: rest,
            depth,
        };
        self.heads[place] = self.kept.len() as u32;
        self.kept.push(kept);
        Lookup::New(self.heads[place])
    }

    fn insert_prepared(&mut self, model: &M, query: &Self::Query, depth: u32) -> Lookup {
        self.insert(model, query.as_ref().expect(PREPARED), depth)
    }

    fn prepare(&self, _model: &M, state: &M::State, query: &mut Self::Query) {
        match query {
            Some(old) => old.clone_from(state),
            None => *query = Some(state.clone()),
        }
    }

    fn find(&self, model: &M, query: &Self::Query, depth: u32) -> Option<u32> {
        let state = query.as_ref().expect(PREPARED);
        self.dominating(model, state, depth, self.heads[model.place(state)])
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
        state: &S,
        depth: u32,
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

    /// Removes from the list that begins at `head` all states that are no easier and no less deep than `state`, and marks them as
    /// dominated. Returns the new head.
    fn without_harder<M: Dominance<State = S>>(
        &mut self,
        model: &M,
        state: &S,
        depth: u32,
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
