//! The parallel loop of a large search. All threads expand a block of states; then one stores the successors in the order in
//! which a single thread would find them. Blocks depend only on the state of the search, so the result does not depend on the
//! number of threads.
//!
//! In a depth-first search, a block holds the states that would be popped next if none were added. In a breadth-first search,
//! it holds states with the same minimum length of a line through them.

use rayon::prelude::*;

use super::tables::{Arrival, ParentLink, Tables};
use super::{Finding, Search, work_of_a_move};
use crate::Model;
use crate::rows::heap_bytes;
use crate::visited::{Lookup, Visited};
use getaway_board::limits::{Clock, Limit, Limits, bytes};
use getaway_ruleset::Outcome;

#[cfg(not(test))]
pub(super) const LARGE: u64 = 1 << 16;
#[cfg(test)]
pub(super) const LARGE: u64 = getaway_testing::sized(1 << 14, 1 << 16);

const PARTS: usize = 64;
const PART: usize = 64;
/// The maximum size of a part's states in bytes, unless a single state needs more.
const PART_BYTES: usize = 1 << 16;

impl<M: Model, V: Visited<M>> Search<M, V> {
    pub(super) fn search_by_blocks(
        &mut self,
        model: &M,
        start: &M::State,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        let pool = limits.pool();
        let mut parts: Vec<_> = (0..PARTS).map(|_| Part::new(start)).collect();
        loop {
            let used = self.take_block(model, &mut parts, limits)?;
            let tables = &self.tables;
            let explore = |part: &mut Part<_, _>| part.explore(model, tables, limits);
            match (&pool, &mut parts[..used]) {
                (_, []) => return Ok(Finding::Caught),
                (None, used) => used.iter_mut().for_each(explore),
                (_, [part]) => explore(part),
                // Threads take one part at a time, so that all finish at about the same time.
                (Some(pool), used) => {
                    let used = used.par_iter_mut().with_max_len(1);
                    pool.install(|| used.for_each(explore));
                }
            }
            self.tables.block_bytes = parts.iter().map(|part| part.bytes(model)).sum();
            limits.check_memory(self.tables.bytes(model))?;
            if let Some(way_out) = self.keep_block(model, &parts[..used], limits)? {
                return Ok(Finding::Escape(way_out));
            }
        }
    }

    /// Divides the next states among the parts; returns the number of parts used.
    fn take_block(
        &mut self,
        model: &M,
        parts: &mut [Part<M, V::Buffer>],
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
        parts: &[Part<M, V::Buffer>],
        limits: &Limits,
    ) -> Result<Option<Vec<M::Move>>, Limit> {
        for part in parts {
            if let Some(limit) = part.limit {
                return Err(limit);
            }
            self.states += part.expanded;
            if let Some(link) = part.way_out {
                return Ok(Some(self.tables.line(link)));
            }
            for &Discovery { visit, arrival } in &part.found {
                match visit {
                    Lookup::New(number) => {
                        let state = &part.states[number as usize];
                        self.tables.store(model, state, arrival, limits)?;
                    }
                    Lookup::Known(_) => self.tables.note(visit, arrival),
                }
            }
        }
        Ok(None)
    }
}

/// A part of a block, which one thread expands.
struct Part<M: Model, B> {
    block: Vec<u32>,
    at: M::State,
    next: M::State,
    moves: Vec<M::Move>,
    buffer: B,
    /// The successors that are worth storing.
    found: Vec<Discovery<M::Move>>,
    /// The new states in `found`, followed by states of earlier blocks, whose memory is reused.
    states: Vec<M::State>,
    /// The number of states expanded, up to the first escape.
    expanded: u64,
    way_out: Option<ParentLink<M::Move>>,
    limit: Option<Limit>,
}

/// A successor. `visit` holds its index in [`Part::states`] if it is new, or its state number if it is known.
#[derive(Clone, Copy, Debug)]
struct Discovery<M> {
    visit: Lookup,
    arrival: Arrival<M>,
}

impl<M: Model, B: Default> Part<M, B> {
    fn new(at: &M::State) -> Self {
        Self {
            block: Vec::new(),
            at: at.clone(),
            next: at.clone(),
            moves: Vec::new(),
            buffer: B::default(),
            found: Vec::new(),
            states: Vec::new(),
            expanded: 0,
            way_out: None,
            limit: None,
        }
    }

    fn bytes(&self, model: &M) -> u64 {
        let found = bytes::<Discovery<M::Move>>(self.found.capacity());
        let states = bytes::<M::State>(self.states.capacity());
        let heap = self.states.len() * heap_bytes(model.state_bytes() - size_of::<M::State>());
        found + states + heap as u64
    }

    fn explore<V>(&mut self, model: &M, tables: &Tables<M, V>, limits: &Limits)
    where
        V: Visited<M, Buffer = B>,
    {
        self.found.clear();
        self.expanded = 0;
        match self.way_out(model, tables, limits) {
            Ok(way_out) => (self.way_out, self.limit) = (way_out, None),
            Err(limit) => self.limit = Some(limit),
        }
    }

    /// Expands the states of the block, up to the first that leads to an escape.
    fn way_out<V>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
        limits: &Limits,
    ) -> Result<Option<ParentLink<M::Move>>, Limit>
    where
        V: Visited<M, Buffer = B>,
    {
        let (mut clock, work) = (Clock::new(limits), work_of_a_move(model));
        let mut new = 0;
        for &parent in &self.block {
            self.expanded += 1;
            tables.load(model, parent, &mut self.at);
            self.moves.clear();
            model.moves(&self.at, &mut self.moves);
            for &mv in &self.moves {
                clock.work(work)?;
                self.next.clone_from(&self.at);
                let link = ParentLink::new(parent, mv);
                match model.play(&mut self.next, mv) {
                    None => {}
                    Some(Outcome::Escaped) => return Ok(Some(link)),
                    Some(Outcome::Caught(_)) => continue,
                }
                let Some(arrival) = tables.arrival(model, &self.next, link) else {
                    continue;
                };
                let depth = arrival.depth;
                let visit = match tables
                    .visited
                    .find(model, &self.next, depth, &mut self.buffer)
                {
                    None => Lookup::New(store(&mut self.states, &mut new, &self.next)),
                    Some(known) if tables.frontier.is_shorter(known, depth) => Lookup::Known(known),
                    Some(_) => continue,
                };
                self.found.push(Discovery { visit, arrival });
            }
        }
        Ok(None)
    }
}

/// Stores a state after the first `count` ones, and returns its index.
fn store<S: Clone>(states: &mut Vec<S>, count: &mut usize, state: &S) -> u32 {
    let index = *count;
    match states.get_mut(index) {
        Some(old) => old.clone_from(state),
        None => states.push(state.clone()),
    }
    *count += 1;
    index as u32
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
