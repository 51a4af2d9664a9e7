//! Where one can stay for ever: the maximal end components of a table, each a set of positions, and moves that never
//! lead out of it, by which one gets from any of them to any other.

use super::table::{Node, Table};
use crate::limits::{Budget, Clock, Limit};

/// In the place of a component.
pub const NONE: usize = usize::MAX;

/// Positions, each in a part of its own number or in none.
pub struct Parts {
    /// The number of each position's part, or [`NONE`].
    pub of: Vec<usize>,
    /// The same for draws all of whose outcomes are in one part.
    draws: Vec<usize>,
}

impl Parts {
    fn new(of: Vec<usize>, table: &Table, budget: &Budget) -> Result<Self, Limit> {
        let part = |node| match node {
            Node::Position(number) => of[number],
            _ => NONE,
        };
        let same = |one, other| if one == other { one } else { NONE };
        let draws = table.joined(part, same, budget)?.draws;
        Ok(Self { of, draws })
    }

    /// Whether a move of this position never leads out of its part.
    pub fn is_inner(&self, position: usize, mv: Node) -> bool {
        let to = match mv {
            Node::Position(number) => self.of[number],
            Node::Draw(draw) => self.draws[draw],
            _ => NONE,
        };
        to != NONE && to == self.of[position]
    }

    /// The moves of a position that never lead out of its part.
    fn inner_moves<'t>(
        &'t self,
        table: &'t Table,
        position: usize,
    ) -> impl Iterator<Item = Node> + 't {
        let moves = table.moves(position).iter().copied();
        moves.filter(move |&mv| self.is_inner(position, mv))
    }

    /// Gives back what they take.
    pub fn free(self, budget: &Budget) {
        budget.free(self.of);
        budget.free(self.draws);
    }
}

/// The components of all positions.
pub fn components(table: &Table, budget: &Budget) -> Result<Parts, Limit> {
    let mut clock = budget.clock();
    let mut parts = Parts::new(budget.filled(0, table.len())?, table, budget)?;
    loop {
        let finer = strong_parts(table, &parts, (budget, &mut clock))?;
        let finer = Parts::new(finer, table, budget)?;
        // One without a move that stays in its part is in none.
        let has_way = |&position: &usize| finer.inner_moves(table, position).next().is_some();
        let mut next = budget.filled(NONE, table.len())?;
        for position in (0..table.len()).filter(has_way) {
            next[position] = finer.of[position];
        }
        finer.free(budget);
        if next == parts.of {
            budget.free(next);
            return Ok(parts);
        }
        parts.free(budget);
        parts = Parts::new(next, table, budget)?;
    }
}

/// The strongly connected parts of what the inner moves lead to, by Tarjan's algorithm; each is named by one of its
/// positions.
fn strong_parts(
    table: &Table,
    within: &Parts,
    (budget, clock): (&Budget, &mut Clock),
) -> Result<Vec<usize>, Limit> {
    let mut walk = Walk {
        table,
        within,
        budget,
        order: budget.filled(NONE, table.len())?,
        low: budget.filled(NONE, table.len())?,
        part: budget.filled(NONE, table.len())?,
        open: Vec::new(),
        path: Vec::new(),
        ahead: Vec::new(),
        after: Vec::new(),
        met: 0,
    };
    for first in 0..table.len() {
        if within.of[first] != NONE && walk.order[first] == NONE {
            walk.from(first, clock)?;
        }
    }
    budget.free(walk.order);
    budget.free(walk.low);
    budget.free(walk.open);
    budget.free(walk.path);
    budget.free(walk.ahead);
    budget.free(walk.after);
    Ok(walk.part)
}

struct Walk<'t> {
    table: &'t Table,
    within: &'t Parts,
    budget: &'t Budget<'t>,
    order: Vec<usize>,
    low: Vec<usize>,
    part: Vec<usize>,
    /// Those met that are in no part yet.
    open: Vec<usize>,
    /// Those on the way to the one that is looked at, each with the place in `ahead` where what it leads to begins.
    path: Vec<(usize, usize)>,
    /// What those on the path lead to and is still to be looked at.
    ahead: Vec<usize>,
    /// What one position leads to.
    after: Vec<usize>,
    met: usize,
}

impl Walk<'_> {
    /// Walks to all that a position leads to.
    fn from(&mut self, first: usize, clock: &mut Clock) -> Result<(), Limit> {
        self.enter(first)?;
        while let Some(&(position, begin)) = self.path.last() {
            clock.work(64)?;
            if self.ahead.len() == begin {
                self.leave(position);
                continue;
            }
            match self.ahead.pop() {
                Some(next) if self.order[next] == NONE => self.enter(next)?,
                Some(next) if self.part[next] == NONE => {
                    self.low[position] = self.low[position].min(self.order[next]);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Meets a position, and lists where its inner moves lead.
    fn enter(&mut self, position: usize) -> Result<(), Limit> {
        let Self {
            table,
            within,
            budget,
            ..
        } = *self;
        self.order[position] = self.met;
        self.low[position] = self.met;
        self.met += 1;
        budget.push(&mut self.open, position)?;
        budget.push(&mut self.path, (position, self.ahead.len()))?;
        self.after.clear();
        let mut listed = Ok(());
        for mv in within.inner_moves(table, position) {
            table.each(mv, &mut |node| {
                if let (Node::Position(number), Ok(())) = (node, listed) {
                    listed = budget.push(&mut self.after, number);
                }
            });
        }
        listed?;
        self.after.sort_unstable();
        self.after.dedup();
        budget.make_room(&mut self.ahead, self.after.len())?;
        self.ahead.extend_from_slice(&self.after);
        Ok(())
    }

    /// All that the last one on the path leads to has been looked at.
    fn leave(&mut self, position: usize) {
        self.path.pop();
        if self.low[position] == self.order[position] {
            while let Some(last) = self.open.pop() {
                self.part[last] = position;
                if last == position {
                    break;
                }
            }
        }
        if let Some((before, _)) = self.path.last() {
            self.low[*before] = self.low[*before].min(self.low[position]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Ring, table_of};
    use super::*;
    use crate::limits::{Limits, bytes};

    #[test]
    fn where_one_can_go_round_for_ever_is_a_component() {
        let table = table_of(&Ring(5));
        let limits = Limits::default();
        let found = components(&table, &Budget::new(&limits)).unwrap();
        // The pit is found first; there is no way back from it.
        assert_eq!(found.of, [0, NONE, 0, 0, 0, 0]);
    }

    #[test]
    fn all_that_the_walk_takes_counts_and_is_given_back() {
        const POSITIONS: usize = 1_001;
        let table = table_of(&Ring(POSITIONS as u32 - 1));
        let of = |most| {
            let limits = Limits {
                max_memory: Some(most),
                ..Limits::default()
            };
            let budget = Budget::new(&limits);
            components(&table, &budget).map(|_| budget.taken())
        };
        let plenty = 1 << 20;
        assert_eq!(of(plenty), Ok(bytes::<usize>(POSITIONS)));
        // What is divided; order, lowest and part; those open; the path, and what is ahead of it.
        assert_eq!(of(8 * bytes::<usize>(POSITIONS - 1)), Err(Limit::Memory));
    }
}
