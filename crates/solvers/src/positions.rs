//! The graph of all positions of a game.

use getaway_board::limits::{Bounds, Budget, Clock, Limit, Limits, bytes};
use getaway_chance::{Class, Mdp, Owner, Successor};
use getaway_ruleset::Outcome;
use getaway_search::Model;
use getaway_search::search::{room_for, work_of_a_move};
use getaway_search::visited::{Lookup, Visited};

/// The positions in which the runner is to move, numbered in the order of discovery.
#[derive(Clone, Debug)]
pub struct Positions {
    successors: Vec<Successor>,
    ends: Vec<usize>,
}

impl Positions {
    /// Explores all positions. If a position counts as visited because of an earlier one, which it need not equal, the earlier
    /// one represents it. An error holds the number of positions found.
    pub fn explore<M: Model, V: Visited<M>>(
        model: &M,
        visited: V,
        limits: &Limits,
    ) -> Result<Self, (Limit, u64)> {
        let mut exploration = Exploration {
            model,
            visited,
            found: Self {
                successors: Vec::new(),
                ends: Vec::new(),
            },
            met: 0,
            room: 0,
        };
        match exploration.run(limits) {
            Ok(()) => Ok(exploration.found),
            Err(limit) => Err((limit, exploration.met as u64)),
        }
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no positions, because the game is over before the first move.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes::<Successor>(self.successors.capacity()) + bytes::<usize>(self.ends.capacity())
    }

    /// Returns the successors of the position with this number.
    pub fn successors(&self, number: usize) -> &[Successor] {
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[first..self.ends[number]]
    }

    /// Returns the number of moves in a longest line from each position; `None` if a line returns to an earlier position.
    pub fn longest(&self) -> Option<Vec<u64>> {
        const UNKNOWN: u64 = u64::MAX;
        const ON_PATH: u64 = u64::MAX - 1;
        let mut longest = vec![UNKNOWN; self.len()];
        // A depth-first path: each position with the index of its next successor to visit.
        let mut path = Vec::new();
        for first in 0..self.len() {
            if longest[first] == UNKNOWN {
                path.push((first, 0));
                longest[first] = ON_PATH;
            }
            while let Some((number, next)) = path.last_mut() {
                let Some(successor) = self.successors(*number).get(*next) else {
                    let after = self.successors(*number).iter().map(|after| match after {
                        Successor::Node(after) => 1 + longest[*after as usize],
                        Successor::Won | Successor::Lost => 1,
                    });
                    longest[*number] = after.max().unwrap_or(0);
                    path.pop();
                    continue;
                };
                *next += 1;
                if let Successor::Node(after) = successor {
                    let after = *after as usize;
                    match longest[after] {
                        ON_PATH => return None,
                        UNKNOWN => {
                            longest[after] = ON_PATH;
                            path.push((after, 0));
                        }
                        _ => {}
                    }
                }
            }
        }
        Some(longest)
    }

    /// Returns the number of positions from which no line escapes.
    pub fn dead_ends(&self, limits: &Limits) -> Result<usize, Limit> {
        let classes = getaway_chance::classes(self, &Budget::new(limits))?;
        let lost = classes.iter().filter(|&&class| class == Class::Lost);
        Ok(lost.count())
    }

    /// Returns bounds on the probability of an escape by uniformly random moves, and the limit that was reached, if any. Without
    /// positions, the bounds are unknown.
    pub fn random_walk(&self, limits: &Limits) -> (Bounds, Option<Limit>) {
        if self.is_empty() {
            return (Bounds::UNKNOWN, None);
        }
        let valuation = getaway_chance::solve(self, limits);
        (valuation.bounds, valuation.limit)
    }
}

/// The random walk, in which every position is a chance node.
impl Mdp for Positions {
    fn initial(&self) -> u64 {
        0
    }

    /// Lists the successors. A runner with no legal move has lost.
    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        clock.work(1)?;
        out.extend(Self::successors(self, node as usize));
        if out.is_empty() {
            out.push(Successor::Lost);
        }
        Ok(Owner::Chance)
    }
}

struct Exploration<'m, M, V> {
    model: &'m M,
    visited: V,
    found: Positions,
    met: usize,
    room: usize,
}

impl<M: Model, V: Visited<M>> Exploration<'_, M, V> {
    fn run(&mut self, limits: &Limits) -> Result<(), Limit> {
        limits.check_memory(self.visited.bytes(self.model, 0))?;
        self.visited.clear(self.model);
        let Ok(mut at) = self.model.opened() else {
            return Ok(());
        };
        let mut clock = Clock::new(limits);
        let (mut next, mut moves) = (at.clone(), Vec::new());
        self.number_of(&at, limits)?;
        while self.found.len() < self.met {
            limits.check_states(self.found.len() as u64)?;
            self.visited
                .load(self.model, self.found.len() as u32, &mut at);
            moves.clear();
            self.model.moves(&at, &mut moves);
            for &mv in &moves {
                clock.work(work_of_a_move(self.model))?;
                next.clone_from(&at);
                let successor = match self.model.play(&mut next, mv) {
                    Some(Outcome::Escaped) => Successor::Won,
                    Some(Outcome::Caught(_)) => Successor::Lost,
                    None => self.number_of(&next, limits)?,
                };
                self.found.successors.push(successor);
            }
            self.found.ends.push(self.found.successors.len());
        }
        Ok(())
    }

    fn number_of(&mut self, state: &M::State, limits: &Limits) -> Result<Successor, Limit> {
        if self.room == 0 {
            let states = room_for(self.met, |states| limits.check_memory(self.bytes(states)))?;
            self.visited.reserve(self.model, states);
            self.room = states - self.met;
        }
        let number = match self.visited.insert(self.model, state, 0) {
            Lookup::Known(number) => number,
            Lookup::New(number) => {
                self.met += 1;
                self.room -= 1;
                number
            }
        };
        Ok(Successor::Node(number.into()))
    }

    fn bytes(&self, states: usize) -> u64 {
        self.visited.bytes(self.model, states)
            + 2 * bytes::<usize>(states)
            + 2 * bytes::<Successor>(self.found.successors.len())
    }
}

#[cfg(test)]
#[path = "positions_tests.rs"]
mod tests;
