//! Depth-first search with a visited set: [`Search::search`] pops a state, loads it and plays its moves; positions that were not
//! visited before join the frontier. Breadth-first search and A* differ in the frontier alone. The tables grow within the limit
//! on memory ([`tables`]), and a large search goes on in parallel ([`blocks`]).

mod blocks;
mod frontier;
mod successors;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use super::Model;
use super::visited::Visited;
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_ruleset::Outcome;
use tables::{ParentLink, Tables};

pub use tables::room_for;

/// A search whose tables can be reused for many boards, one after another.
#[derive(Debug)]
pub struct Search<M: Model, V> {
    tables: Tables<M, V>,
    moves: Vec<M::Move>,
    states: u64,
}

impl<M: Model, V: Visited<M>> Search<M, V> {
    /// Expands one state after another until a move escapes, no state is left, or a limit is reached.
    fn search(
        &mut self,
        model: &M,
        mut at: M::State,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        let (mut clock, work) = (Clock::new(limits), work_of_a_move(model));
        let mut next = at.clone();
        self.tables.insert(model, &at, ParentLink::START, limits)?;
        while let Some(number) = self.tables.pop() {
            limits.check_states(self.states)?;
            clock.work(work)?;
            self.states += 1;
            let tables = &mut self.tables;
            tables.load(model, number, &mut at);
            let escape = model.expand(&at, &mut self.moves, &mut next, |mv, next| {
                clock.work(work)?;
                tables.insert(model, next, ParentLink::new(number, mv), limits)?;
                Ok(())
            })?;
            if let Some(mv) = escape {
                let line = tables.line(ParentLink::new(number, mv));
                return Ok(Finding::Escape(line));
            }
            if self.states == blocks::LARGE {
                return self.search_by_blocks(model, &at, limits);
            }
        }
        Ok(Finding::Caught)
    }

    /// Creates a search with this visited set.
    pub const fn new(visited: V) -> Self {
        Self {
            tables: Tables::new(visited),
            moves: Vec::new(),
            states: 0,
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

    /// Searches for a line of play that escapes from `start`: a position, or the outcome if the game is already over, as
    /// [`Model::opened`] returns it.
    pub fn run_from(
        &mut self,
        model: &M,
        start: Result<M::State, Outcome>,
        order: Order,
        limits: &Limits,
    ) -> Finding<M::Move> {
        self.states = 0;
        Finding::from_start(start, |start| {
            self.tables.clear(model, order, limits)?;
            self.search(model, start, limits)
        })
    }
}

impl<M: Model, V: Visited<M> + Default> Default for Search<M, V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

/// The order in which states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Expands the newest states first, to find some escape early. States that were found together are taken in their order.
    #[default]
    DepthFirst,
    /// Expands states in order of depth plus `Model::lower_bound` (A*), so the first line found is a shortest one. With the
    /// default bound, this is breadth-first search.
    Shortest,
}

/// The result of a search.
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
    /// Returns what `search` finds from the start, or the result of a game that is already over.
    pub(crate) fn from_start<S>(
        start: Result<S, Outcome>,
        search: impl FnOnce(S) -> Result<Self, Limit>,
    ) -> Self {
        match start {
            Ok(start) => search(start).unwrap_or_else(Self::Undecided),
            Err(Outcome::Escaped) => Self::Escape(Vec::new()),
            Err(Outcome::Caught(_)) => Self::Caught,
        }
    }

    /// Converts the line of play, if there is one.
    pub fn map<N>(self, line: impl FnOnce(Vec<M>) -> Vec<N>) -> Finding<N> {
        match self {
            Self::Escape(moves) => Finding::Escape(line(moves)),
            Self::Caught => Finding::Caught,
            Self::Undecided(limit) => Finding::Undecided(limit),
        }
    }
}

/// Returns the work of playing a move, in units of [`Clock::work`].
pub fn work_of_a_move<M: Model>(model: &M) -> u64 {
    64 + model.state_bytes() as u64
}
