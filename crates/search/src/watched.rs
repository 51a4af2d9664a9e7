//! A search that records the result of each move. It has the tables of a depth-first [`Search`](crate::search::Search), and so
//! takes the same states in the same order.

use crate::Model;
use crate::search::tables::{ParentLink, Tables};
use crate::search::{Finding, Order, work_of_a_move};
use crate::visited::{Lookup, Visited};
use getaway_board::limits::{Clock, Limit, Limits};
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

    /// Notes a move from the state `from`. Its branch is kept if `max` allows to keep the step.
    fn note(&mut self, from: u32, mv: M, branch: Branch, max: usize) {
        match branch {
            Branch::New(_) => {
                self.counts.new += 1;
                self.parents.push((from, mv));
            }
            Branch::Visited(_) => self.counts.visited += 1,
            Branch::Dominated(_) => self.counts.dominated += 1,
            Branch::Hopeless => self.counts.hopeless += 1,
            Branch::Caught(_) => self.counts.caught += 1,
            Branch::Escaped => {}
        }
        let is_kept = self.counts.taken <= max as u64;
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
    let max_states = Some(limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES));
    let limits = &Limits {
        max_states,
        ..*limits
    };
    let mut search = Watcher {
        model,
        tables: Tables::new(visited),
        notes: Notes {
            steps: Vec::new(),
            counts: Counts::default(),
            parents: Vec::new(),
        },
        max,
    };
    let finding = Finding::from_start(model.opened(), |start| search.run(&start, limits));
    WatchedSearch {
        finding,
        notes: search.notes,
    }
}

struct Watcher<'m, M: Model, V> {
    model: &'m M,
    tables: Tables<M, V>,
    notes: Notes<M::Move>,
    /// The maximum number of steps to keep.
    max: usize,
}

impl<M: Model<State: PartialEq>, V: Visited<M>> Watcher<'_, M, V> {
    fn run(&mut self, start: &M::State, limits: &Limits) -> Result<Finding<M::Move>, Limit> {
        let (model, work) = (self.model, work_of_a_move(self.model));
        let (mut clock, mut moves) = (Clock::new(limits), Vec::new());
        let (mut at, mut next) = (start.clone(), start.clone());
        self.tables.clear(model, Order::DepthFirst, limits)?;
        self.tables
            .insert(model, start, ParentLink::START, limits)?;
        while let Some(state) = self.tables.pop() {
            limits.check_states(self.notes.counts.taken)?;
            clock.work(work)?;
            self.take(state);
            self.tables.load(model, state, &mut at);
            moves.clear();
            model.moves(&at, &mut moves);
            for &mv in &moves {
                clock.work(work)?;
                next.clone_from(&at);
                let link = ParentLink::new(state, mv);
                let branch = match model.play(&mut next, mv) {
                    None => self.insert(&next, link, limits)?,
                    Some(Outcome::Caught(cause)) => Branch::Caught(cause),
                    Some(Outcome::Escaped) => Branch::Escaped,
                };
                self.notes.note(state, mv, branch, self.max);
                if branch == Branch::Escaped {
                    return Ok(Finding::Escape(self.tables.line(link)));
                }
            }
        }
        Ok(Finding::Caught)
    }

    fn take(&mut self, state: u32) {
        self.notes.counts.taken += 1;
        if self.notes.steps.len() < self.max {
            self.notes.steps.push(Expansion {
                state,
                branches: Vec::new(),
            });
        }
    }

    fn insert(
        &mut self,
        state: &M::State,
        link: ParentLink<M::Move>,
        limits: &Limits,
    ) -> Result<Branch, Limit> {
        let branch = match self.tables.insert(self.model, state, link, limits)? {
            None => Branch::Hopeless,
            Some(Lookup::New(number)) => Branch::New(number),
            Some(Lookup::Known(number)) => {
                let mut known = state.clone();
                self.tables.load(self.model, number, &mut known);
                if known == *state {
                    Branch::Visited(number)
                } else {
                    Branch::Dominated(number)
                }
            }
        };
        Ok(branch)
    }
}

#[cfg(test)]
#[path = "watched_tests.rs"]
mod tests;
