//! The parallel loop of a large search. All threads expand a block of states; then one stores the successors in the order in
//! which a single thread would find them. Blocks depend only on the state of the search, so the result does not depend on the
//! number of threads.
//!
//! In a depth-first search, a block holds the states that would be popped next if none were added. In a search for shortest
//! lines, it holds states with the same minimum length of a line through them.

use rayon::prelude::*;

use super::successors::Successors;
use super::tables::{ParentLink, Tables};
use super::{Finding, Search, work_of_a_move};
use crate::Model;
use crate::visited::{Lookup, Visited};
use getaway_board::limits::{Clock, Limit, Limits};

#[cfg(not(test))]
pub(super) const LARGE: u64 = 1 << 16;
#[cfg(test)]
pub(super) const LARGE: u64 = getaway_testing::sized(1 << 14, 1 << 16);

/// The maximum number of parts in a block, and of states in a part: enough for many threads, and few enough for the processor's
/// cache.
const PARTS: usize = 32;
const PART: usize = 32;
/// Once this many successors wait, they are looked up together: enough to overlap, and few enough for the processor's cache.
const GROUP: usize = 32;
/// The maximum size of a part's states in bytes, unless a single state needs more.
const PART_BYTES: usize = 1 << 16;

impl<M: Model, V: Visited<M>> Search<M, V> {
    pub(super) fn search_by_blocks(
        &mut self,
        model: &M,
        start: &M::State,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        let mut parts: Vec<_> = (0..PARTS).map(|_| Part::new(start)).collect();
        // The thread that stores the successors expands states as well, and need not be woken for each block.
        limits.on_threads(|| self.search_with(&mut parts, model, limits))
    }

    fn search_with(
        &mut self,
        parts: &mut [Part<M, V::Query>],
        model: &M,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        loop {
            let used = self.take_block(model, parts, limits)?;
            let tables = &self.tables;
            let explore = |part: &mut Part<_, _>| part.explore(model, tables, limits);
            match &mut parts[..used] {
                [] => return Ok(Finding::Caught),
                used if used.len() == 1 || limits.threads <= 1 => used.iter_mut().for_each(explore),
                // Threads take one part at a time, so that all finish at about the same time.
                used => used.par_iter_mut().with_max_len(1).for_each(explore),
            }
            self.tables.block_bytes = parts.iter().map(|part| part.found.bytes(model)).sum();
            limits.check_memory(self.tables.bytes(model))?;
            if let Some(way_out) = self.keep_block(model, &mut parts[..used], limits)? {
                return Ok(Finding::Escape(way_out));
            }
        }
    }

    /// Divides the next states among the parts; returns the number of parts used.
    fn take_block(
        &mut self,
        model: &M,
        parts: &mut [Part<M, V::Query>],
        limits: &Limits,
    ) -> Result<usize, Limit> {
        let Some(first) = self.tables.pop() else {
            return Ok(0);
        };
        limits.check_states(self.states)?;
        let left = limits
            .max_states
            .map_or(u64::MAX, |most| most - self.states);
        let size = PART.min(PART_BYTES / model.state_bytes().max(1)).max(1);
        let most = left.min((size * parts.len()) as u64);
        let length = self.tables.frontier.lowest();
        let others = std::iter::from_fn(|| self.tables.pop_within(length));
        let block: Vec<u32> = std::iter::once(first)
            .chain(others)
            .take(most as usize)
            .collect();
        for (part, block) in parts.iter_mut().zip(block.chunks(size)) {
            part.block.clear();
            part.block.extend_from_slice(block);
        }
        Ok(block.len().div_ceil(size))
    }

    /// Stores the successors found in a block; returns the line of the first escape, if any.
    fn keep_block(
        &mut self,
        model: &M,
        parts: &mut [Part<M, V::Query>],
        limits: &Limits,
    ) -> Result<Option<Vec<M::Move>>, Limit> {
        for part in parts {
            let way_out = part.way_out?;
            self.states += part.expanded;
            if let Some(link) = way_out {
                return Ok(Some(self.tables.line(link)));
            }
            part.found.fetch(&self.tables);
            for found in part.found.listed() {
                let lookup = match found.known {
                    None => {
                        self.tables.make_room(model, limits)?;
                        let visited = &mut self.tables.visited;
                        visited.insert_prepared(model, &found.query, found.arrival.depth)
                    }
                    Some(number) => Lookup::Known(number),
                };
                self.tables.note(lookup, found.arrival);
            }
        }
        Ok(None)
    }
}

/// A part of a block, which one thread expands.
struct Part<M: Model, Q> {
    block: Vec<u32>,
    at: M::State,
    moves: Vec<M::Move>,
    next: M::State,
    /// The successors that are worth storing.
    found: Successors<M, Q>,
    /// The number of states expanded, up to the first escape.
    expanded: u64,
    /// The link with the first move that escapes, if any; or the limit that was reached.
    way_out: Result<Option<ParentLink<M::Move>>, Limit>,
}

impl<M: Model, Q: Default> Part<M, Q> {
    fn new(at: &M::State) -> Self {
        Self {
            block: Vec::new(),
            at: at.clone(),
            moves: Vec::new(),
            next: at.clone(),
            found: Successors::new(),
            expanded: 0,
            way_out: Ok(None),
        }
    }

    fn explore<V>(&mut self, model: &M, tables: &Tables<M, V>, limits: &Limits)
    where
        V: Visited<M, Query = Q>,
    {
        self.found.clear();
        self.expanded = 0;
        self.way_out = self.expand_states(model, tables, limits);
    }

    /// Expands the states of the part, up to the first with a move that escapes; returns the link with that move.
    fn expand_states<V>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
        limits: &Limits,
    ) -> Result<Option<ParentLink<M::Move>>, Limit>
    where
        V: Visited<M, Query = Q>,
    {
        let (mut clock, work) = (Clock::new(limits), work_of_a_move(model));
        for &parent in &self.block {
            self.expanded += 1;
            tables.load(model, parent, &mut self.at);
            let found = &mut self.found;
            let escape = model.expand(&self.at, &mut self.moves, &mut self.next, |mv, next| {
                clock.work(work)?;
                found.push(model, tables, next, ParentLink::new(parent, mv));
                Ok(())
            })?;
            if let Some(mv) = escape {
                return Ok(Some(ParentLink::new(parent, mv)));
            }
            if self.found.waiting() >= GROUP {
                self.found.remove_known(model, tables);
            }
        }
        self.found.remove_known(model, tables);
        Ok(None)
    }
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
