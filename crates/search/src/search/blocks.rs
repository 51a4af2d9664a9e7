//! The parallel loop of a large search. All threads expand a block of states; then one stores the successors in the order in
//! which a single thread would find them. Blocks depend only on the state of the search, so the result does not depend on the
//! number of threads.
//!
//! In a depth-first search, a block holds the states that would be popped next if none were added. In a breadth-first search,
//! it holds states with the same minimum length of a line through them.

use rayon::prelude::*;

use super::tables::{Arrival, Reach, Tables};
use super::{Finding, Search, play_each};
use crate::Model;
use crate::rows::heap_bytes;
use crate::visited::{Visit, Visited};
use getaway_board::limits::{Budget, Limit, Limits, bytes};

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
        let mut parts: Vec<_> = (0..PARTS).map(|_| Share::new(start)).collect();
        loop {
            let used = self.take_block(model, &mut parts, limits)?;
            let (tables, budget) = (&self.tables, Budget::new(limits));
            budget.take(tables.bytes(model))?;
            let explore = |part: &mut Share<_, _>| part.explore(model, tables, &budget);
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
            if let Some(way_out) = self.keep_block(model, &parts[..used], limits)? {
                return Ok(Finding::Escape(way_out));
            }
        }
    }

    fn take_block(
        &mut self,
        model: &M,
        parts: &mut [Share<M, V::Buffer>],
        limits: &Limits,
    ) -> Result<usize, Limit> {
        let size = PART.min(PART_BYTES / model.state_bytes().max(1)).max(1);
        let (mut count, mut length) = (0, usize::MAX);
        while count < size * parts.len() {
            let Some((number, depth)) = self.tables.pop_within(length) else {
                break;
            };
            length = self.tables.frontier.lowest();
            match limits.check_states(self.states + count as u64) {
                Err(limit) if count == 0 => return Err(limit),
                Err(_) => {
                    self.tables.put_back(number, depth);
                    break;
                }
                Ok(()) => {}
            }
            let part = &mut parts[count / size];
            if count.is_multiple_of(size) {
                part.block.clear();
            }
            part.block.push((number, depth));
            count += 1;
        }
        Ok(count.div_ceil(size))
    }

    /// Stores the successors found in a block; returns the line of the first escape, if any.
    fn keep_block(
        &mut self,
        model: &M,
        parts: &[Share<M, V::Buffer>],
        limits: &Limits,
    ) -> Result<Option<Vec<M::Move>>, Limit> {
        // Which part runs out of memory depends on the order in which threads finish, so this limit comes before all other
        // results.
        if parts.iter().any(|part| part.limit == Some(Limit::Memory)) {
            return Err(Limit::Memory);
        }
        for part in parts {
            if let Some(limit) = part.limit {
                return Err(limit);
            }
            self.states += part.expanded;
            if let Some((number, last)) = part.way_out {
                return Ok(Some(self.tables.line(number, last)));
            }
            for found in &part.found {
                self.keep_found(model, found, &part.states, limits)?;
            }
        }
        Ok(None)
    }

    fn keep_found(
        &mut self,
        model: &M,
        found: &Found<M::Move>,
        states: &[M::State],
        limits: &Limits,
    ) -> Result<(), Limit> {
        self.tables.make_room(model, found.reach.length, limits)?;
        let visit = match found.visit {
            Visit::New(number) => {
                let state = &states[number as usize];
                self.tables.visited.insert(model, state, found.reach.depth)
            }
            known @ Visit::Known(_) => known,
        };
        self.tables.note(visit, found.arrival, found.reach);
        Ok(())
    }
}

struct Share<M: Model, B> {
    block: Vec<(u32, u32)>,
    at: M::State,
    next: M::State,
    moves: Vec<M::Move>,
    buffer: B,
    /// The successors that are worth storing.
    found: Vec<Found<M::Move>>,
    /// The new states in `found`, followed by states of earlier blocks, whose memory is reused.
    states: Vec<M::State>,
    /// The number of states expanded, up to the first escape.
    expanded: u64,
    way_out: Option<(u32, M::Move)>,
    limit: Option<Limit>,
}

/// A successor. `visit` holds its index in [`Share::states`] if it is new, or its state number if it is known.
#[derive(Clone, Copy, Debug)]
struct Found<M> {
    visit: Visit,
    arrival: Arrival<M>,
    reach: Reach,
}

impl<M: Model, B: Default> Share<M, B> {
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

    fn heap_bytes(model: &M) -> u64 {
        heap_bytes(model.state_bytes() - size_of::<M::State>()) as u64
    }

    fn bytes(&self, model: &M) -> u64 {
        let found = bytes::<Found<M::Move>>(self.found.capacity());
        let states = bytes::<M::State>(self.states.capacity());
        found + states + self.states.len() as u64 * Self::heap_bytes(model)
    }

    fn explore<V>(&mut self, model: &M, tables: &Tables<M, V>, budget: &Budget)
    where
        V: Visited<M, Buffer = B>,
    {
        self.found.clear();
        self.expanded = 0;
        self.way_out = None;
        self.limit = self.explore_all(model, tables, budget).err();
    }

    fn explore_all<V>(
        &mut self,
        model: &M,
        tables: &Tables<M, V>,
        budget: &Budget,
    ) -> Result<(), Limit>
    where
        V: Visited<M, Buffer = B>,
    {
        let (mut new, mut clock) = (0, budget.clock());
        for nth in 0..self.block.len() {
            let (parent, depth) = self.block[nth];
            self.expanded += 1;
            tables.load(model, parent, &mut self.at);
            self.moves.clear();
            model.moves(&self.at, &mut self.moves);
            budget.make_room(&mut self.found, self.moves.len())?;
            let (at, next) = (&self.at, &mut self.next);
            let way_out = play_each(model, &self.moves, at, next, &mut clock, |mv, state| {
                let arrival = Arrival::by(mv, parent, depth);
                let Some(reach) = tables.reach(model, state, &arrival) else {
                    return Ok(());
                };
                let known = tables
                    .visited
                    .find(model, state, reach.depth, &mut self.buffer);
                let visit = match known {
                    None => {
                        if new == self.states.len() {
                            budget.take(Self::heap_bytes(model))?;
                            budget.make_room(&mut self.states, 1)?;
                        }
                        Visit::New(store(&mut self.states, &mut new, state))
                    }
                    Some(number) => Visit::Known(number),
                };
                if known.is_none_or(|number| tables.frontier.is_shorter(number, reach.depth)) {
                    self.found.push(Found {
                        visit,
                        arrival,
                        reach,
                    });
                }
                Ok(())
            })?;
            if let Some(mv) = way_out {
                self.way_out = Some((parent, mv));
                return Ok(());
            }
        }
        Ok(())
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
