//! A search that records the result of each move. It is [`Search`] itself: only its model and its visited set are wrapped.

use std::sync::{Mutex, PoisonError};

use crate::Model;
use crate::search::{Finding, Order, Search};
use crate::visited::{Lookup, Visited};
use getaway_board::limits::Limits;
use getaway_ruleset::{Cause, Outcome};

/// The maximum number of states that a watched search expands.
pub const MAX_STATES: u64 = 10_000;

/// The result of a search, and notes about it.
#[derive(Clone, Debug)]
pub struct WatchedSearch<M> {
    /// The outcome of the search: a line of play that escapes, the fact that there is none, or the limit that was reached.
    pub finding: Finding<M>,
    /// The first steps, and counts of moves by their result.
    pub notes: Notes<M>,
}

/// The notes of a search. States are numbered from 0, the start, in the order in which they were found.
#[derive(Clone, Debug)]
pub struct Notes<M> {
    /// The first steps, at most as many as were asked for.
    pub steps: Vec<Expansion<M>>,
    /// The numbers of moves by their result.
    pub counts: Counts,
    /// The step that found each state but the start: the parent's number and the move.
    parents: Vec<(u32, M)>,
    /// The maximum number of steps to keep.
    max: usize,
    /// The number of the state that is expanded.
    at: u32,
    /// The last move, if its result is still unknown.
    pending: Option<M>,
}

/// A step: a state is taken, and its moves are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion<M> {
    /// The number of the state.
    pub state: u32,
    /// The moves and their results.
    pub branches: Vec<(M, Branch)>,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// The state after the move is new, and gets this number.
    New(u32),
    /// The state after the move equals the one with this number.
    Visited(u32),
    /// The state with this number is no harder for the runner than the one after the move.
    Dominated(u32),
    /// No way out is left.
    Hopeless,
    /// The game is lost.
    Caught(Cause),
    /// The runner escapes.
    Escaped,
}

/// The number of states taken, and the numbers of moves by their result. A move that escapes is not counted, since it ends the
/// search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of states taken.
    pub taken: u64,
    /// The number of moves to new states.
    pub new: u64,
    /// The number of moves to states that were found before.
    pub visited: u64,
    /// The number of moves to states for which one was found that is no harder.
    pub dominated: u64,
    /// The number of moves after which no way out is left.
    pub hopeless: u64,
    /// The number of moves that lose.
    pub caught: u64,
}

impl<M: Copy> Notes<M> {
    /// Returns the moves from the start to a state.
    pub fn line(&self, mut state: u32) -> Vec<M> {
        let mut line = Vec::new();
        while let Some(before) = state.checked_sub(1) {
            let (parent, mv) = self.parents[before as usize];
            line.push(mv);
            state = parent;
        }
        line.reverse();
        line
    }

    fn new(max: usize) -> Self {
        Self {
            steps: Vec::new(),
            counts: Counts::default(),
            parents: Vec::new(),
            max,
            at: 0,
            pending: None,
        }
    }

    fn take(&mut self) {
        self.note_hopeless();
        self.counts.taken += 1;
        if self.steps.len() < self.max {
            self.steps.push(Expansion {
                state: self.at,
                branches: Vec::new(),
            });
        }
    }

    fn note_outcome(&mut self, mv: M, outcome: Option<Outcome>) {
        self.note_hopeless();
        match outcome {
            None => self.pending = Some(mv),
            Some(Outcome::Escaped) => self.note(mv, Branch::Escaped),
            Some(Outcome::Caught(cause)) => {
                self.counts.caught += 1;
                self.note(mv, Branch::Caught(cause));
            }
        }
    }

    fn note_branch(&mut self, branch: Branch) {
        // The start has no move.
        let Some(mv) = self.pending.take() else {
            return;
        };
        match branch {
            Branch::New(_) => {
                self.counts.new += 1;
                self.parents.push((self.at, mv));
            }
            Branch::Dominated(_) => self.counts.dominated += 1,
            _ => self.counts.visited += 1,
        }
        self.note(mv, branch);
    }

    /// Notes the last move if its state was not looked up, since no way out is left.
    fn note_hopeless(&mut self) {
        if let Some(mv) = self.pending.take() {
            self.counts.hopeless += 1;
            self.note(mv, Branch::Hopeless);
        }
    }

    fn note(&mut self, mv: M, branch: Branch) {
        let is_kept = self.counts.taken <= self.max as u64;
        if let Some(step) = self.steps.last_mut().filter(|_| is_kept) {
            step.branches.push((mv, branch));
        }
    }
}

/// Searches depth first, through at most [`MAX_STATES`] states. Notes the first `max` steps, and counts moves by their result.
pub fn watch<M: Model<State: PartialEq>, V: Visited<M>>(
    model: &M,
    visited: V,
    max: usize,
    limits: &Limits,
) -> WatchedSearch<M::Move> {
    let watched = WatchedModel {
        model,
        notes: Mutex::new(Notes::new(max)),
    };
    // A larger search would go on in parallel, without notes.
    let max_states = Some(limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES));
    let limits = &Limits {
        max_states,
        ..*limits
    };
    let mut search = Search::new(WatchedSet(visited));
    let finding = search.run(&watched, Order::DepthFirst, limits);
    watched.with(Notes::note_hopeless);
    let notes = watched.notes.into_inner();
    WatchedSearch {
        finding,
        notes: notes.unwrap_or_else(PoisonError::into_inner),
    }
}

struct WatchedModel<'m, M: Model> {
    model: &'m M,
    notes: Mutex<Notes<M::Move>>,
}

impl<M: Model> WatchedModel<'_, M> {
    fn with(&self, note: impl FnOnce(&mut Notes<M::Move>)) {
        note(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<M: Model> Model for WatchedModel<'_, M> {
    type State = M::State;
    type Move = M::Move;

    fn opened(&self) -> Result<M::State, Outcome> {
        self.model.opened()
    }

    fn moves(&self, at: &M::State, out: &mut Vec<M::Move>) {
        self.with(Notes::take);
        self.model.moves(at, out);
    }

    fn play(&self, at: &mut M::State, mv: M::Move) -> Option<Outcome> {
        let outcome = self.model.play(at, mv);
        self.with(|notes| notes.note_outcome(mv, outcome));
        outcome
    }

    fn state_bytes(&self) -> usize {
        self.model.state_bytes()
    }

    fn lower_bound(&self, at: &M::State) -> u32 {
        self.model.lower_bound(at)
    }
}

struct WatchedSet<V>(V);

impl<M: Model<State: PartialEq>, V: Visited<M>> Visited<WatchedModel<'_, M>> for WatchedSet<V> {
    type Query = V::Query;

    fn clear(&mut self, watched: &WatchedModel<M>) {
        self.0.clear(watched.model);
    }

    fn bytes(&self, watched: &WatchedModel<M>, states: usize) -> u64 {
        self.0.bytes(watched.model, states)
    }

    fn reserve(&mut self, watched: &WatchedModel<M>, states: usize) {
        self.0.reserve(watched.model, states);
    }

    fn insert(&mut self, watched: &WatchedModel<M>, state: &M::State, depth: u32) -> Lookup {
        let lookup = self.0.insert(watched.model, state, depth);
        let branch = match lookup {
            Lookup::New(number) => Branch::New(number),
            Lookup::Known(number) => {
                let mut known = state.clone();
                self.0.load(watched.model, number, &mut known);
                if known == *state {
                    Branch::Visited(number)
                } else {
                    Branch::Dominated(number)
                }
            }
        };
        watched.with(|notes| notes.note_branch(branch));
        lookup
    }

    fn insert_prepared(
        &mut self,
        watched: &WatchedModel<M>,
        query: &V::Query,
        depth: u32,
    ) -> Lookup {
        self.0.insert_prepared(watched.model, query, depth)
    }

    fn prepare(&self, watched: &WatchedModel<M>, state: &M::State, query: &mut V::Query) {
        self.0.prepare(watched.model, state, query);
    }

    fn fetch(&self, query: &mut V::Query) {
        self.0.fetch(query);
    }

    fn find(&self, watched: &WatchedModel<M>, query: &V::Query, depth: u32) -> Option<u32> {
        self.0.find(watched.model, query, depth)
    }

    fn load(&self, watched: &WatchedModel<M>, number: u32, into: &mut M::State) {
        self.0.load(watched.model, number, into);
        watched.with(|notes| notes.at = number);
    }

    fn is_dominated(&self, number: u32) -> bool {
        self.0.is_dominated(number)
    }
}

#[cfg(test)]
#[path = "watched_tests.rs"]
mod tests;
