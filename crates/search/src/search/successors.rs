//! The successors of the states in a part of a block.

use super::tables::{Arrival, ParentLink, Tables};
use crate::Model;
use crate::rows::heap_bytes;
use crate::visited::Visited;
use getaway_board::limits::bytes;

/// A list of successors that reuses the memory of those it has removed.
pub(super) struct Successors<M: Model, Q> {
    all: Vec<Successor<M, Q>>,
    len: usize,
    /// The number of successors, from the first on, that were looked up and are new or reached in fewer moves.
    looked_up: usize,
}

/// A state that a move leads to, prepared for a look-up in the visited set.
pub(super) struct Successor<M: Model, Q> {
    pub(super) query: Q,
    pub(super) arrival: Arrival<M::Move>,
    /// The number of a known state that is reached in fewer moves than before.
    pub(super) known: Option<u32>,
}

impl<M: Model, Q: Default> Successors<M, Q> {
    pub(super) const fn new() -> Self {
        Self {
            all: Vec::new(),
            len: 0,
            looked_up: 0,
        }
    }

    pub(super) fn listed(&self) -> &[Successor<M, Q>] {
        &self.all[..self.len]
    }

    /// Begins to look up all successors, as [`Visited::fetch`] does.
    pub(super) fn fetch<V: Visited<M, Query = Q>>(&mut self, tables: &Tables<M, V>) {
        for next in &mut self.all[..self.len] {
            tables.visited.fetch(&mut next.query);
        }
    }

    pub(super) fn clear(&mut self) {
        (self.len, self.looked_up) = (0, 0);
    }

    /// Appends a state, unless it can't lead to an escape.
    pub(super) fn push<V: Visited<M, Query = Q>>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
        state: &M::State,
        link: ParentLink<M::Move>,
    ) {
        let Some(arrival) = tables.arrival(model, state, link) else {
            return;
        };
        if self.len == self.all.len() {
            self.all.push(Successor {
                query: Q::default(),
                arrival,
                known: None,
            });
        }
        let next = &mut self.all[self.len];
        tables.visited.prepare(model, state, &mut next.query);
        next.arrival = arrival;
        self.len += 1;
    }

    /// Returns the number of successors that wait for [`Self::remove_known`].
    pub(super) const fn waiting(&self) -> usize {
        self.len - self.looked_up
    }

    /// Looks up the waiting successors, and removes those that count as visited, except those reached in fewer moves than before.
    pub(super) fn remove_known<V: Visited<M, Query = Q>>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
    ) {
        let end = std::mem::replace(&mut self.len, self.looked_up);
        for next in &mut self.all[self.looked_up..end] {
            tables.visited.fetch(&mut next.query);
        }
        for at in self.looked_up..end {
            let next = &mut self.all[at];
            let depth = next.arrival.depth;
            next.known = tables.visited.find(model, &next.query, depth);
            let is_shorter = |known| tables.frontier.is_shorter(known, depth);
            if next.known.is_none_or(is_shorter) {
                self.all.swap(self.len, at);
                self.len += 1;
            }
        }
        self.looked_up = self.len;
    }

    pub(super) fn bytes(&self, model: &M) -> u64 {
        let heap = heap_bytes(model.state_bytes());
        bytes::<Successor<M, Q>>(self.all.capacity()) + (self.all.len() * heap) as u64
    }
}
