//! Depth-first and breadth-first search with a visited set, and a parallel loop for large searches.

mod blocks;
#[cfg(test)]
mod tests;

use super::Model;
use super::bucket_queue::BucketQueue;
use super::rows::{reserve, vec_bytes};
use super::visited::{Visit, Visited};
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_ruleset::Outcome;

/// The order in which states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Expands the newest state first, to find some escape early.
    #[default]
    DepthFirst,
    /// Expands states in order of depth plus `Model::lower_bound` (A*). The first line found is a shortest one.
    BreadthFirst,
}

impl Order {
    /// Returns the depth after a move; always 0 if depths do not matter.
    const fn depth_after(self, depth: u32) -> u32 {
        match self {
            Self::DepthFirst => 0,
            Self::BreadthFirst => depth + 1,
        }
    }
}

/// The conclusion of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding<M> {
    /// A line of play that escapes.
    Escape(Vec<M>),
    /// No line of play escapes: the search has ruled out all of them.
    Caught,
    /// A limit ended the search first.
    Undecided(Limit),
}

impl<M> Finding<M> {
    /// Converts the line of play, if there is one.
    pub fn map<N>(self, line: impl FnOnce(Vec<M>) -> Vec<N>) -> Finding<N> {
        match self {
            Self::Escape(moves) => Finding::Escape(line(moves)),
            Self::Caught => Finding::Caught,
            Self::Undecided(limit) => Finding::Undecided(limit),
        }
    }
}

/// A search whose tables can be reused for many boards, one after another.
#[derive(Debug)]
pub struct Search<M: Model, V> {
    visited: V,
    links: Vec<ParentLink<M::Move>>,
    /// The states that a depth-first search has yet to expand, the next one last.
    stack: Vec<u32>,
    /// The states that a breadth-first search has yet to expand.
    ranks: BucketQueue,
    moves: Vec<M::Move>,
    order: Order,
    states: u64,
    room: usize,
    block_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct ParentLink<M> {
    parent: u32,
    mv: Option<M>,
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

impl<M: Model, V: Visited<M> + Default> Default for Search<M, V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<M: Model, V: Visited<M>> Search<M, V> {
    /// Creates a search with this visited set.
    pub const fn new(visited: V) -> Self {
        Self {
            visited,
            links: Vec::new(),
            stack: Vec::new(),
            moves: Vec::new(),
            ranks: BucketQueue::new(),
            order: Order::DepthFirst,
            states: 0,
            room: 0,
            block_bytes: 0,
        }
    }

    /// Returns the number of states that the last search expanded.
    pub const fn states(&self) -> u64 {
        self.states
    }

    /// Searches for a line of play that escapes.
    pub fn run(&mut self, model: &M, order: Order, limits: &Limits) -> Finding<M::Move> {
        self.run_from(model, model.opened(), order, limits)
    }

    /// Searches for a line of play that escapes from `start`, which has the form of a result of `Model::opened`.
    pub fn run_from(
        &mut self,
        model: &M,
        start: Result<M::State, Outcome>,
        order: Order,
        limits: &Limits,
    ) -> Finding<M::Move> {
        self.states = 0;
        self.order = order;
        match start {
            Ok(start) => self
                .search(model, start, limits)
                .unwrap_or_else(Finding::Undecided),
            Err(Outcome::Escaped) => Finding::Escape(Vec::new()),
            Err(Outcome::Caught(_)) => Finding::Caught,
        }
    }

    fn search(
        &mut self,
        model: &M,
        mut at: M::State,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        self.clear(model, limits)?;
        let mut clock = Clock::new(limits);
        let start = ParentLink {
            parent: 0,
            mv: None,
        };
        self.keep(model, &at, start, 0, limits)?;
        let mut next = at.clone();
        while let Some((number, depth)) = self.pop() {
            if self.visited.is_dominated(number) {
                continue;
            }
            if self.states >= blocks::LARGE {
                self.put_back(number, depth);
                return self.search_by_blocks(model, &at, limits);
            }
            limits.check_states(self.states)?;
            clock.work(0)?;
            self.states += 1;
            self.visited.load(model, number, &mut at);
            if let Some(last) = self.expand(model, number, depth, &at, &mut next, &mut clock)? {
                return Ok(Finding::Escape(self.line(number, last)));
            }
        }
        Ok(Finding::Caught)
    }

    fn clear(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        limits.check_memory(self.visited.bytes(model, 0))?;
        self.visited.clear(model);
        self.links.clear();
        self.stack.clear();
        self.ranks.clear();
        self.block_bytes = 0;
        self.room = 0;
        Ok(())
    }

    #[cold]
    fn grow(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        let len = self.links.len();
        let states = room_for(len, 1, |states| {
            limits.check_memory(self.bytes(model, states))
        })?;
        if self.ranks.is_full(states - len) {
            return Err(Limit::Memory);
        }
        self.visited.reserve(model, states);
        reserve(&mut self.links, states);
        match self.order {
            Order::DepthFirst => reserve(&mut self.stack, states),
            Order::BreadthFirst => self.ranks.reserve(states, states - len),
        }
        self.room = states - len;
        Ok(())
    }

    #[cold]
    fn add_lists(&mut self, model: &M, length: usize, limits: &Limits) -> Result<(), Limit> {
        let tables = self.bytes(model, self.links.len());
        limits.check_memory(tables + self.ranks.list_bytes(length))?;
        self.ranks.add_lists(length);
        Ok(())
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let waiting = match self.order {
            Order::DepthFirst => vec_bytes(&self.stack, states),
            Order::BreadthFirst => self.ranks.bytes(states, states - self.links.len()),
        };
        let state = 2 * model.state_bytes() as u64;
        let tables = self.visited.bytes(model, states) + vec_bytes(&self.links, states);
        state + tables + waiting + self.block_bytes
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        match self.order {
            Order::DepthFirst => self.stack.pop().map(|number| (number, 0)),
            Order::BreadthFirst => self.ranks.pop(),
        }
    }

    fn expand(
        &mut self,
        model: &M,
        number: u32,
        depth: u32,
        at: &M::State,
        next: &mut M::State,
        clock: &mut Clock,
    ) -> Result<Option<M::Move>, Limit> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        model.moves(at, &mut moves);
        let first = self.stack.len();
        let depth = self.order.depth_after(depth);
        let limits = *clock.limits();
        let way_out = follow(model, &moves, at, next, clock, |mv, state| {
            let link = ParentLink {
                parent: number,
                mv: Some(mv),
            };
            self.keep(model, state, link, depth, &limits)
        })?;
        self.stack[first..].reverse();
        self.moves = moves;
        Ok(way_out)
    }

    /// Stores and queues a state, unless it cannot lead to an escape or was already reached in as few moves.
    fn keep(
        &mut self,
        model: &M,
        state: &M::State,
        link: ParentLink<M::Move>,
        depth: u32,
        limits: &Limits,
    ) -> Result<(), Limit> {
        let bound = model.lower_bound(state);
        if bound == u32::MAX {
            return Ok(());
        }
        let length = depth as usize + bound as usize;
        self.make_room(model, length, limits)?;
        let visit = self.visited.insert(model, state, depth);
        self.note(visit, link, depth, length);
        Ok(())
    }

    fn make_room(&mut self, model: &M, length: usize, limits: &Limits) -> Result<(), Limit> {
        if self.room == 0 {
            self.grow(model, limits)?;
        }
        if self.order == Order::BreadthFirst && !self.ranks.has_list(length) {
            self.add_lists(model, length, limits)?;
        }
        Ok(())
    }

    /// Queues a state that was looked up, unless an earlier line reached it in as few moves.
    fn note(&mut self, visit: Visit, link: ParentLink<M::Move>, depth: u32, length: usize) {
        match (visit, self.order) {
            (Visit::New(number), Order::DepthFirst) => {
                self.links.push(link);
                self.stack.push(number);
            }
            (Visit::New(number), Order::BreadthFirst) => {
                self.links.push(link);
                self.ranks.push(number, depth, length);
            }
            (Visit::Known(number), Order::BreadthFirst) if self.ranks.is_shorter(number, depth) => {
                self.links[number as usize] = link;
                self.ranks.push(number, depth, length);
            }
            _ => return,
        }
        self.room -= 1;
    }

    /// Returns the moves from the start to the state `number`, then `last`.
    fn line(&self, mut number: u32, last: M::Move) -> Vec<M::Move> {
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
}

/// Plays `moves` from `at` up to the first that escapes, and returns that one. Passes each position in which the game goes on to
/// `keep`.
fn follow<M: Model>(
    model: &M,
    moves: &[M::Move],
    at: &M::State,
    next: &mut M::State,
    clock: &mut Clock,
    mut keep: impl FnMut(M::Move, &M::State) -> Result<(), Limit>,
) -> Result<Option<M::Move>, Limit> {
    let work = WORK_OF_A_MOVE + model.state_bytes() as u64;
    for &mv in moves {
        clock.work(work)?;
        next.clone_from(at);
        match model.play(next, mv) {
            Some(Outcome::Escaped) => return Ok(Some(mv)),
            Some(Outcome::Caught(_)) => {}
            None => keep(mv, next)?,
        }
    }
    Ok(None)
}

/// The work of playing a move, in units of [`Clock::work`]. Each byte of the state adds another unit.
pub const WORK_OF_A_MOVE: u64 = 64;
