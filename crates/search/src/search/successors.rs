//! The states to which the moves of a state lead.

use super::tables::{Arrival, ParentLink, Tables};
use super::work_of_a_move;
use crate::Model;
use crate::rows::heap_bytes;
use crate::visited::Visited;
use getaway_board::limits::{Clock, Limit, bytes};
use getaway_ruleset::Outcome;

/// A list of successors that reuses the memory of those it has removed.
pub(super) struct Successors<M: Model, Q> {
    moves: Vec<M::Move>,
    all: Vec<Successor<M, Q>>,
    len: usize,
    /// The number of successors, from the first on, that were looked up and are new or reached in fewer moves.
    looked_up: usize,
}

/// A state that a move leads to, prepared for a look-up in the visited set.
pub(super) struct Successor<M: Model, Q> {
    pub(super) state: M::State,
    pub(super) query: Q,
    pub(super) arrival: Arrival<M::Move>,
    /// The number of a known state that is reached in fewer moves than before.
    pub(super) known: Option<u32>,
}

impl<M: Model, Q: Default> Successors<M, Q> {
    pub(super) const fn new() -> Self {
        Self {
            moves: Vec::new(),
            all: Vec::new(),
            len: 0,
            looked_up: 0,
        }
    }

    pub(super) fn listed(&self) -> &[Successor<M, Q>] {
        &self.all[..self.len]
    }

    pub(super) fn clear(&mut self) {
        (self.len, self.looked_up) = (0, 0);
    }

    /// Appends the states after a move from `at`, the state with the number `parent`, except those that can't lead to an escape.
    /// Returns the link of the first move that escapes, if any.
    pub(super) fn expand<V: Visited<M, Query = Q>>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
        parent: u32,
        at: &M::State,
        clock: &mut Clock,
    ) -> Result<Option<ParentLink<M::Move>>, Limit> {
        let work = work_of_a_move(model);
        self.moves.clear();
        model.moves(at, &mut self.moves);
        for &mv in &self.moves {
            clock.work(work)?;
            let link = ParentLink::new(parent, mv);
            if self.len == self.all.len() {
                self.all.push(Successor::new(at, link));
            }
            let next = &mut self.all[self.len];
            match model.play_from(at, mv, &mut next.state) {
                None => {}
                Some(Outcome::Escaped) => return Ok(Some(link)),
                Some(Outcome::Caught(_)) => continue,
            }
            if let Some(arrival) = tables.arrival(model, &next.state, link) {
                next.arrival = arrival;
                tables.visited.prepare(model, &next.state, &mut next.query);
                self.len += 1;
            }
        }
        Ok(None)
    }

    /// Returns the number of successors that wait for [`Self::remove_known`].
    pub(super) const fn waiting(&self) -> usize {
        self.len - self.looked_up
    }

    /// Looks up the waiting successors, and removes those that count as visited, except those reached in fewer moves than before.
    /// One loop over many look-ups is fast, because they don't wait for the memory one after another.
    pub(super) fn remove_known<V: Visited<M, Query = Q>>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
    ) {
        let end = std::mem::replace(&mut self.len, self.looked_up);
        for at in self.looked_up..end {
            let next = &mut self.all[at];
            let depth = next.arrival.depth;
            next.known = tables.visited.find(model, &next.state, &next.query, depth);
            let is_shorter = |known| tables.frontier.is_shorter(known, depth);
            if next.known.is_none_or(is_shorter) {
                self.all.swap(self.len, at);
                self.len += 1;
            }
        }
        self.looked_up = self.len;
    }

    pub(super) fn bytes(&self, model: &M) -> u64 {
        let state = model.state_bytes();
        let heap = heap_bytes(state - size_of::<M::State>()) + heap_bytes(state);
        bytes::<M::Move>(self.moves.capacity())
            + bytes::<Successor<M, Q>>(self.all.capacity())
            + (self.all.len() * heap) as u64
    }
}

impl<M: Model, Q: Default> Successor<M, Q> {
    /// Returns a successor with the memory of a copy of `at`, before its move is played.
    fn new(at: &M::State, link: ParentLink<M::Move>) -> Self {
        Self {
            state: at.clone(),
            query: Q::default(),
            arrival: Arrival {
                link,
                depth: 0,
                length: 0,
            },
            known: None,
        }
    }
}
