//! Where one can stay for ever: the maximal end components of a table, each a set of positions, and moves that never
//! lead out of it, by which one gets from any of them to any other.

use super::table::{Node, Table};
use crate::limits::{Budget, Clock, Limit};

/// In the place of a component.
pub const NONE: usize = usize::MAX;

/// For each position the number of its component, or [`NONE`].
pub fn components(table: &Table, budget: &Budget) -> Result<Vec<usize>, Limit> {
    let mut clock = budget.clock();
    let mut component = budget.filled(0, table.len())?;
    let mut next = budget.with_capacity(table.len())?;
    loop {
        let parts = strong_parts(table, &component, (budget, &mut clock))?;
        // One without a move that stays in its part is in none.
        next.clear();
        next.extend((0..table.len()).map(|position| match parts[position] {
            NONE => NONE,
            part if inner_moves(table, position, &parts).next().is_some() => part,
            _ => NONE,
        }));
        budget.free(parts);
        if next == component {
            budget.free(next);
            return Ok(component);
        }
        component.copy_from_slice(&next);
    }
}

/// Whether a move of this position never leads out of its component.
pub fn is_inner(table: &Table, component: &[usize], position: usize, mv: Node) -> bool {
    let own = component[position];
    let is_inside =
        |node| matches!(node, Node::Position(number) if own != NONE && component[number] == own);
    table.all(mv, &is_inside)
}

/// The moves of a position that never lead out of its component.
fn inner_moves<'t>(
    table: &'t Table,
    position: usize,
    component: &'t [usize],
) -> impl Iterator<Item = Node> + 't {
    let moves = table.moves(position).iter().copied();
    moves.filter(move |&mv| is_inner(table, component, position, mv))
}

/// The strongly connected parts of what the inner moves lead to, by Tarjan's algorithm; each is named by one of its
/// positions.
fn strong_parts(
    table: &Table,
    component: &[usize],
    (budget, clock): (&Budget, &mut Clock),
) -> Result<Vec<usize>, Limit> {
    let mut walk = Walk {
        table,
        component,
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
        if component[first] != NONE && walk.order[first] == NONE {
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
    component: &'t [usize],
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
        let Self { table, budget, .. } = *self;
        self.order[position] = self.met;
        self.low[position] = self.met;
        self.met += 1;
        budget.push(&mut self.open, position)?;
        budget.push(&mut self.path, (position, self.ahead.len()))?;
        self.after.clear();
        let mut listed = Ok(());
        for mv in inner_moves(table, position, self.component) {
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
        assert_eq!(found, [0, NONE, 0, 0, 0, 0]);
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
        // The components before and after; order, lowest and part; those open; the path, and what is ahead of it.
        assert_eq!(of(9 * bytes::<usize>(POSITIONS - 1)), Err(Limit::Memory));
    }
}
