//! The tables of a search: the visited set, the frontier, and the way back to the start. They count their memory and grow within
//! the limit on it.

use super::Order;
use super::frontier::Frontier;
use crate::Model;
use crate::rows::{reserve, vec_bytes};
use crate::visited::{Lookup, Visited};
use getaway_board::limits::{Limit, Limits};

#[derive(Debug)]
pub(crate) struct Tables<M: Model, V> {
    pub(super) visited: V,
    pub(super) frontier: Frontier,
    links: Vec<ParentLink<M::Move>>,
    /// The number of states that the tables have room for.
    capacity: usize,
    /// The memory of a parallel search beside the tables.
    pub(super) block_bytes: u64,
}

/// The move that led to a state, and the state before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentLink<M> {
    parent: u32,
    /// `None` for the start.
    mv: Option<M>,
}

impl<M> ParentLink<M> {
    pub(crate) const START: Self = Self {
        parent: 0,
        mv: None,
    };

    pub(crate) const fn new(parent: u32, mv: M) -> Self {
        Self {
            parent,
            mv: Some(mv),
        }
    }
}

/// The parent link of a state, its depth, and the minimum length of an escape through it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<M> {
    pub(super) link: ParentLink<M>,
    /// The number of moves from the start; always 0 in a depth-first search.
    pub(super) depth: u32,
    /// The minimum length of an escape through the state.
    pub(super) length: usize,
}

/// The maximum number of states, and so of moves in a line. Both fit into 31 bits, so the frontier can mark depths with the
/// highest bit.
pub(crate) const MAX_STATES: usize = i32::MAX as usize;

/// Returns a new capacity for tables that hold `len` states and need room for another: half as much again and at least 256 more,
/// or only a 32nd and at least 1 more if `fits` refuses that, but never above the maximum. Returns an error if `fits` refuses
/// both, or if `len` is at the maximum.
pub fn room_for(len: usize, fits: impl Fn(usize) -> Result<(), Limit>) -> Result<usize, Limit> {
    const LEAST: usize = 256;
    if len >= MAX_STATES {
        return Err(Limit::Memory);
    }
    let asked = |more: usize| {
        let states = (len + more.max(1)).min(MAX_STATES);
        fits(states).map(|()| states)
    };
    asked(LEAST.max(len / 2)).or_else(|_| asked(len / 32))
}

impl<M: Model, V> Tables<M, V> {
    pub(crate) const fn new(visited: V) -> Self {
        Self {
            visited,
            frontier: Frontier::new(),
            links: Vec::new(),
            capacity: 0,
            block_bytes: 0,
        }
    }

    /// Returns the moves from the start up to and including the one in `link`.
    pub(crate) fn line(&self, mut link: ParentLink<M::Move>) -> Vec<M::Move> {
        let mut moves = Vec::with_capacity(16);
        while let Some(mv) = link.mv {
            moves.push(mv);
            link = self.links[link.parent as usize];
        }
        moves.reverse();
        moves
    }

    /// Returns the arrival at a state; `None` if the state can't lead to an escape.
    pub(super) fn arrival(
        &self,
        model: &M,
        state: &M::State,
        link: ParentLink<M::Move>,
    ) -> Option<Arrival<M::Move>> {
        let bound = model.lower_bound(state);
        let depth = match link.mv {
            None => 0,
            Some(_) => self.frontier.depth_after(link.parent),
        };
        (bound != u32::MAX).then(|| Arrival {
            link,
            depth,
            length: depth as usize + bound as usize,
        })
    }
}

impl<M: Model, V: Visited<M>> Tables<M, V> {
    pub(crate) fn clear(&mut self, model: &M, order: Order, limits: &Limits) -> Result<(), Limit> {
        limits.check_memory(self.visited.bytes(model, 0))?;
        self.visited.clear(model);
        self.links.clear();
        self.frontier.clear(order);
        self.block_bytes = 0;
        self.capacity = 0;
        Ok(())
    }

    /// Removes the next state that is not dominated, and returns its number; `None` if there is none.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.pop_within(usize::MAX)
    }

    /// Like [`Self::pop`], but a search for shortest lines returns `None` if the lines through all other states are longer than
    /// `length`.
    pub(super) fn pop_within(&mut self, length: usize) -> Option<u32> {
        loop {
            match self.frontier.pop_within(length) {
                Some(number) if self.visited.is_dominated(number) => {}
                next => return next,
            }
        }
    }

    pub(crate) fn load(&self, model: &M, number: u32, into: &mut M::State) {
        self.visited.load(model, number, into);
    }

    /// Stores and queues a state, unless it counts as visited; returns the result of the look-up, or `None` if the state cannot
    /// lead to an escape. A known state that is reached in fewer moves before it is expanded is queued again.
    pub(crate) fn insert(
        &mut self,
        model: &M,
        state: &M::State,
        link: ParentLink<M::Move>,
        limits: &Limits,
    ) -> Result<Option<Lookup>, Limit> {
        let Some(arrival) = self.arrival(model, state, link) else {
            return Ok(None);
        };
        self.make_room(model, limits)?;
        let visit = self.visited.insert(model, state, arrival.depth);
        self.note(visit, arrival);
        Ok(Some(visit))
    }

    /// Makes room for another state.
    pub(super) fn make_room(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        if self.links.len() == self.capacity {
            self.grow(model, limits)?;
        }
        Ok(())
    }

    /// Queues a state that was looked up if it is new, or if it is reached in fewer moves before it is expanded.
    pub(super) fn note(&mut self, visit: Lookup, arrival: Arrival<M::Move>) {
        let Arrival {
            link,
            depth,
            length,
        } = arrival;
        match visit {
            Lookup::New(number) => {
                self.links.push(link);
                self.frontier.push(number, depth, length);
            }
            Lookup::Known(number) if self.frontier.is_shorter(number, depth) => {
                self.links[number as usize] = link;
                self.frontier.push(number, depth, length);
            }
            Lookup::Known(_) => {}
        }
    }

    #[cold]
    pub(super) fn grow(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        let states = room_for(self.links.len(), |states| {
            limits.check_memory(self.bytes_for(model, states))
        })?;
        self.frontier.reserve(states);
        self.visited.reserve(model, states);
        reserve(&mut self.links, states);
        self.capacity = states;
        Ok(())
    }

    /// Returns the memory of the tables as they are.
    pub(super) fn bytes(&self, model: &M) -> u64 {
        self.bytes_for(model, self.capacity)
    }

    /// Returns the memory of tables with room for `states` states.
    pub(super) fn bytes_for(&self, model: &M, states: usize) -> u64 {
        let state = 2 * model.state_bytes() as u64;
        let tables = self.visited.bytes(model, states) + vec_bytes(&self.links, states);
        state + tables + self.frontier.bytes(states) + self.block_bytes
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }
}
