//! The tables of a search: the visited set, the frontier, and the way back to the start. They count their memory and grow within
//! the limit on it.

use super::Order;
use super::frontier::Frontier;
use crate::Model;
use crate::rows::{reserve, vec_bytes};
use crate::visited::{Visit, Visited};
use getaway_board::limits::{Limit, Limits};

#[derive(Debug)]
pub(super) struct Tables<M: Model, V> {
    pub(super) visited: V,
    pub(super) frontier: Frontier,
    links: Vec<ParentLink<M::Move>>,
    /// The number of states that can be queued before the tables grow.
    room: usize,
    /// The memory of a parallel search beside the tables.
    pub(super) block_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct ParentLink<M> {
    parent: u32,
    mv: Option<M>,
}

/// How a search came to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<M> {
    link: ParentLink<M>,
    /// The depth of the parent; `None` for the start.
    parent_depth: Option<u32>,
}

impl<M> Arrival<M> {
    pub(super) const START: Self = Self {
        link: ParentLink {
            parent: 0,
            mv: None,
        },
        parent_depth: None,
    };

    pub(super) const fn by(mv: M, parent: u32, parent_depth: u32) -> Self {
        Self {
            link: ParentLink {
                parent,
                mv: Some(mv),
            },
            parent_depth: Some(parent_depth),
        }
    }
}

/// The lengths of the lines through a state that was reached in `depth` moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) depth: u32,
    /// The minimum length of an escape through the state.
    pub(super) length: usize,
}

/// The maximum number of states. Their numbers have 32 bits, and the largest stands for "no state".
pub(crate) const MAX_STATES: usize = u32::MAX as usize;

/// Returns a new capacity for tables that hold `len` states and need room for `more`: half as much again, or less if `fits`
/// refuses that.
pub fn room_for(
    len: usize,
    more: usize,
    fits: impl Fn(usize) -> Result<(), Limit>,
) -> Result<usize, Limit> {
    const LEAST: usize = 256;
    let least = len + more;
    if least > MAX_STATES {
        return Err(Limit::Memory);
    }
    let asked = |more: usize| {
        let states = (len + more).clamp(least, MAX_STATES);
        fits(states).map(|()| states)
    };
    asked(LEAST.max(len / 2)).or_else(|_| asked(len / 32))
}

impl<M: Model, V> Tables<M, V> {
    pub(super) const fn new(visited: V) -> Self {
        Self {
            visited,
            frontier: Frontier::new(),
            links: Vec::new(),
            room: 0,
            block_bytes: 0,
        }
    }

    /// Returns the moves from the start to the state `number`, then `last`.
    pub(super) fn line(&self, mut number: u32, last: M::Move) -> Vec<M::Move> {
        let mut line = Vec::with_capacity(16);
        line.push(last);
        while let ParentLink {
            parent,
            mv: Some(mv),
        } = self.links[number as usize]
        {
            line.push(mv);
            number = parent;
        }
        line.reverse();
        line
    }

    pub(super) fn put_back(&mut self, number: u32, depth: u32) {
        self.frontier.put_back(number, depth);
    }

    /// Returns the depth and length of a state; `None` if it can't lead to an escape.
    pub(super) fn reach(
        &self,
        model: &M,
        state: &M::State,
        arrival: &Arrival<M::Move>,
    ) -> Option<Reach> {
        let bound = model.lower_bound(state);
        let depth = arrival
            .parent_depth
            .map_or(0, |depth| self.frontier.depth_after(depth));
        (bound != u32::MAX).then(|| Reach {
            depth,
            length: depth as usize + bound as usize,
        })
    }
}

impl<M: Model, V: Visited<M>> Tables<M, V> {
    pub(super) fn clear(&mut self, model: &M, order: Order, limits: &Limits) -> Result<(), Limit> {
        limits.check_memory(self.visited.bytes(model, 0))?;
        self.visited.clear(model);
        self.links.clear();
        self.frontier.clear(order);
        self.block_bytes = 0;
        self.room = 0;
        Ok(())
    }

    /// Removes the next state and returns its number and depth.
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop_within(usize::MAX)
    }

    /// Like [`Self::pop`], but a breadth-first search returns `None` if the lines through all other states are longer than
    /// `length`.
    pub(super) fn pop_within(&mut self, length: usize) -> Option<(u32, u32)> {
        loop {
            match self.frontier.pop_within(length) {
                Some((number, _)) if self.visited.is_dominated(number) => {}
                next => return next,
            }
        }
    }

    pub(super) fn load(&self, model: &M, number: u32, into: &mut M::State) {
        self.visited.load(model, number, into);
    }

    /// Stores and queues a state, unless it cannot lead to an escape or was already reached in as few moves.
    pub(super) fn insert(
        &mut self,
        model: &M,
        state: &M::State,
        arrival: Arrival<M::Move>,
        limits: &Limits,
    ) -> Result<(), Limit> {
        let Some(reach) = self.reach(model, state, &arrival) else {
            return Ok(());
        };
        self.make_room(model, reach.length, limits)?;
        let visit = self.visited.insert(model, state, reach.depth);
        self.note(visit, arrival, reach);
        Ok(())
    }

    /// Queues a state that was looked up, unless an earlier line reached it in as few moves.
    pub(super) fn note(&mut self, visit: Visit, arrival: Arrival<M::Move>, reach: Reach) {
        let number = match visit {
            Visit::New(number) => {
                self.links.push(arrival.link);
                number
            }
            Visit::Known(number) if self.frontier.is_shorter(number, reach.depth) => {
                self.links[number as usize] = arrival.link;
                number
            }
            Visit::Known(_) => return,
        };
        self.frontier.push(number, reach);
        self.room -= 1;
    }

    pub(super) fn make_room(
        &mut self,
        model: &M,
        length: usize,
        limits: &Limits,
    ) -> Result<(), Limit> {
        if self.room == 0 {
            self.grow(model, limits)?;
        }
        if !self.frontier.has_list(length) {
            self.add_lists(model, length, limits)?;
        }
        Ok(())
    }

    #[cold]
    pub(super) fn grow(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        let len = self.links.len();
        let states = room_for(len, 1, |states| {
            limits.check_memory(self.bytes_for(model, states))
        })?;
        self.frontier.reserve(states, states - len)?;
        self.visited.reserve(model, states);
        reserve(&mut self.links, states);
        self.room = states - len;
        Ok(())
    }

    #[cold]
    fn add_lists(&mut self, model: &M, length: usize, limits: &Limits) -> Result<(), Limit> {
        let tables = self.bytes_for(model, self.links.len());
        limits.check_memory(tables + self.frontier.list_bytes(length))?;
        self.frontier.add_lists(length);
        Ok(())
    }

    /// Returns the memory of the tables as they are.
    pub(super) fn bytes(&self, model: &M) -> u64 {
        self.bytes_for(model, self.links.len() + self.room)
    }

    /// Returns the memory of tables with room for `states` states.
    pub(super) fn bytes_for(&self, model: &M, states: usize) -> u64 {
        let waiting = self.frontier.bytes(states, states - self.links.len());
        let state = 2 * model.state_bytes() as u64;
        let tables = self.visited.bytes(model, states) + vec_bytes(&self.links, states);
        state + tables + waiting + self.block_bytes
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }
}
