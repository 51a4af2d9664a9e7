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
    /// Those on the way to the one that is looked at, each with what it leads to that is still to be looked at.
    path: Vec<(usize, Vec<usize>)>,
    met: usize,
}

impl Walk<'_> {
    /// Walks to all that a position leads to.
    fn from(&mut self, first: usize, clock: &mut Clock) -> Result<(), Limit> {
        self.enter(first)?;
        while let Some((position, rest)) = self.path.last_mut() {
            clock.work(64)?;
            let position = *position;
            match rest.pop() {
                Some(next) if self.order[next] == NONE => self.enter(next)?,
                Some(next) if self.part[next] == NONE => {
                    self.low[position] = self.low[position].min(self.order[next]);
                }
                Some(_) => {}
                None => self.leave(position),
            }
        }
        Ok(())
    }

    /// Meets a position, and lists where its inner moves lead.
    fn enter(&mut self, position: usize) -> Result<(), Limit> {
        self.order[position] = self.met;
        self.low[position] = self.met;
        self.met += 1;
        self.budget.push(&mut self.open, position)?;
        let mut after = Vec::new();
        let mut listed = Ok(());
        for mv in inner_moves(self.table, position, self.component) {
            self.table.each(mv, &mut |node| {
                if let (Node::Position(number), Ok(())) = (node, listed) {
                    listed = self.budget.push(&mut after, number);
                }
            });
        }
        listed?;
        after.sort_unstable();
        after.dedup();
        self.budget.push(&mut self.path, (position, after))
    }

    /// All that the last one on the path leads to has been looked at.
    fn leave(&mut self, position: usize) {
        if let Some((_, looked_at)) = self.path.pop() {
            self.budget.free(looked_at);
        }
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
