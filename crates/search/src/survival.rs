//! Survival of a runner who can't escape: forever if some line of play returns to a position, otherwise to the end of the
//! longest line.

use super::Model;
use super::rows::{reserve, vec_bytes};
use super::search::{room_for, work_of_a_move};
use super::visited::Visited;
use getaway_board::limits::{Clock, Limit, Limits};

/// The longest survival of a runner who can't escape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Survival<M> {
    /// `line` returns to the position after its first `back_to` moves.
    Forever {
        /// The moves, the last of which returns.
        line: Vec<M>,
        /// The number of moves before the position that recurs.
        back_to: usize,
    },
    /// The last move of `line` loses, or leads to a position without a legal move.
    Mortal {
        /// The moves of a longest line; empty if the first position has no legal move.
        line: Vec<M>,
    },
    /// A limit ended the search; `line` is the longest line found.
    Unknown {
        /// The limit that was reached.
        limit: Limit,
        /// The moves of that line.
        line: Vec<M>,
    },
}

impl<M> Survival<M> {
    /// Returns the result of a search that a limit ended before it found a line.
    pub const fn unknown(limit: Limit) -> Self {
        let line = Vec::new();
        Self::Unknown { limit, line }
    }
}

/// Returns the longest survival from `start`, from which no line escapes, and the number of states on the lines that were tried.
/// In `visited`, only equal states may count as visited.
pub fn survival<M: Model, V: Visited<M>>(
    model: &M,
    start: &M::State,
    visited: V,
    limits: &Limits,
) -> (Survival<M::Move>, u64) {
    let mut walk = SurvivalWalk::new(model, visited);
    let found = match walk.run(start, limits) {
        Ok(Some(back_to)) => Survival::Forever {
            line: walk.line(),
            back_to,
        },
        Ok(None) => Survival::Mortal {
            line: walk.best_line(),
        },
        Err(limit) => {
            walk.remember_line();
            let line = std::mem::take(&mut walk.longest);
            Survival::Unknown { limit, line }
        }
    };
    (found, walk.states)
}

/// A depth-first walk whose stack is the line of play itself.
pub struct SurvivalWalk<'m, M: Model, V> {
    model: &'m M,
    visited: V,
    notes: Vec<StateNote<M::Move>>,
    room: usize,
    /// The number of states that were on the path.
    states: u64,
    path: Vec<PathStep<M::Move>>,
    /// The untried moves of all states on the path, the next one last, and the states to which they lead.
    untried: Vec<(M::Move, u32)>,
    moves: Vec<M::Move>,
    successors: Vec<(M::Move, u32)>,
    longest: Vec<M::Move>,
}

#[derive(Clone, Copy, Debug)]
struct StateNote<M> {
    stage: Stage,
    /// The length of the longest known line from this state.
    turns: u32,
    /// The first move of the longest known line.
    mv: Option<M>,
    /// The state to which `mv` leads, or [`OVER`] if it loses.
    next: u32,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Ahead,
    OnPath,
    Finished,
}

const OVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct PathStep<M> {
    number: u32,
    /// The index in `untried` at which the state's moves begin.
    first: usize,
    tried: Option<M>,
}

impl<'m, M: Model, V: Visited<M>> SurvivalWalk<'m, M, V> {
    const fn new(model: &'m M, visited: V) -> Self {
        Self {
            model,
            visited,
            notes: Vec::new(),
            room: 0,
            states: 0,
            path: Vec::new(),
            untried: Vec::new(),
            moves: Vec::new(),
            successors: Vec::new(),
            longest: Vec::new(),
        }
    }

    /// Walks from `start` until a move returns to a state on the path, and returns that state's index in `path`; `None` if no
    /// move does.
    fn run(&mut self, start: &M::State, limits: &Limits) -> Result<Option<usize>, Limit> {
        limits.check_memory(self.visited.bytes(self.model, 0))?;
        self.visited.clear(self.model);
        let mut clock = Clock::new(limits);
        let (mut at, mut next) = (start.clone(), start.clone());
        let start = self.number(start, limits)?;
        self.enter(start, &mut at, &mut next, &mut clock)?;
        while let Some(step) = self.path.last_mut() {
            if self.untried.len() == step.first {
                self.leave();
                continue;
            }
            let (mv, to) = self.untried.pop().expect("a move is left to try");
            step.tried = Some(mv);
            let from = step.number;
            match self.notes[to as usize].stage {
                Stage::Ahead => self.enter(to, &mut at, &mut next, &mut clock)?,
                Stage::OnPath => return Ok(self.path.iter().position(|step| step.number == to)),
                Stage::Finished => self.note(from, mv, to),
            }
        }
        Ok(None)
    }

    /// Returns the number of a state, which is stored if it is new.
    fn number(&mut self, state: &M::State, limits: &Limits) -> Result<u32, Limit> {
        if self.room == 0 {
            self.grow(limits)?;
        }
        let number = self.visited.insert(self.model, state, 0).number();
        if number as usize == self.notes.len() {
            self.room -= 1;
            self.notes.push(StateNote {
                stage: Stage::Ahead,
                turns: 0,
                mv: None,
                next: OVER,
            });
        }
        Ok(number)
    }

    /// Puts a state on the path, and its moves that don't lose at once among the untried. `at` and `next` are buffers.
    fn enter(
        &mut self,
        number: u32,
        at: &mut M::State,
        next: &mut M::State,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let (model, limits, work) = (self.model, *clock.limits(), work_of_a_move(self.model));
        limits.check_states(self.states)?;
        self.visited.load(model, number, at);
        self.successors.clear();
        let mut moves = std::mem::take(&mut self.moves);
        // No line from the start escapes, so no move does.
        model.expand(at, &mut moves, next, |mv, next| {
            clock.work(work)?;
            let to = self.number(next, &limits)?;
            self.successors.push((mv, to));
            Ok(())
        })?;
        let mut tried = None;
        if self.successors.is_empty() {
            // Every move loses, so the line may end with any of them.
            moves.clear();
            model.moves(at, &mut moves);
            tried = moves.first().copied();
        }
        self.moves = moves;
        if let Some(mv) = tried {
            self.note(number, mv, OVER);
        }
        self.lengthen_path(&limits)?;
        self.states += 1;
        self.notes[number as usize].stage = Stage::OnPath;
        let first = self.untried.len();
        self.path.push(PathStep {
            number,
            first,
            tried,
        });
        self.untried.extend(self.successors.iter().rev());
        Ok(())
    }

    #[cold]
    fn grow(&mut self, limits: &Limits) -> Result<(), Limit> {
        let len = self.notes.len();
        let states = room_for(len, |states| limits.check_memory(self.bytes(states)))?;
        self.visited.reserve(self.model, states);
        reserve(&mut self.notes, states);
        self.room = states - len;
        Ok(())
    }

    fn lengthen_path(&mut self, limits: &Limits) -> Result<(), Limit> {
        let moves = self.untried.len() + self.successors.len();
        if self.path.len() < self.path.capacity() && moves <= self.untried.capacity() {
            return Ok(());
        }
        let (path, moves) = (64 + 2 * self.path.len(), 64 + 2 * moves);
        let tables = self.bytes(self.notes.len());
        limits
            .check_memory(tables + vec_bytes(&self.path, path) + vec_bytes(&self.untried, moves))?;
        reserve(&mut self.path, path);
        reserve(&mut self.untried, moves);
        Ok(())
    }

    fn bytes(&self, states: usize) -> u64 {
        2 * self.model.state_bytes() as u64
            + self.visited.bytes(self.model, states)
            + vec_bytes(&self.notes, states)
            + vec_bytes(&self.path, 0)
            + vec_bytes(&self.untried, 0)
            + 2 * vec_bytes(&self.longest, self.path.len())
    }

    fn leave(&mut self) {
        self.remember_line();
        let left = self.path.pop().expect("there is a last state");
        self.notes[left.number as usize].stage = Stage::Finished;
        if let Some(&PathStep {
            number,
            tried: Some(mv),
            ..
        }) = self.path.last()
        {
            self.note(number, mv, left.number);
        }
    }

    fn remember_line(&mut self) {
        if self.path.len() > self.longest.len() {
            self.longest = self.line();
        }
    }

    fn note(&mut self, from: u32, mv: M::Move, to: u32) {
        // `OVER` is the number of no state, so a losing move counts as one turn.
        let turns = 1 + self.notes.get(to as usize).map_or(0, |to| to.turns);
        let note = &mut self.notes[from as usize];
        if turns > note.turns {
            note.turns = turns;
            note.mv = Some(mv);
            note.next = to;
        }
    }

    fn line(&self) -> Vec<M::Move> {
        let mut line = Vec::with_capacity(self.path.len());
        line.extend(self.path.iter().filter_map(|step| step.tried));
        line
    }

    fn best_line(&self) -> Vec<M::Move> {
        let mut line = Vec::new();
        // The start has the number 0.
        let mut at = 0;
        while let Some(StateNote {
            mv: Some(mv), next, ..
        }) = self.notes.get(at as usize)
        {
            line.push(*mv);
            at = *next;
        }
        line
    }
}

#[cfg(test)]
#[path = "survival_tests.rs"]
mod tests;
