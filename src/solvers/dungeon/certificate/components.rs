//! Where one can stay for ever: the maximal end components of a table, each a set of positions, and moves that never
//! lead out of it, by which one gets from any of them to any other.

use super::table::{Node, Table};
use crate::limits::{Budget, Clock, Limit, bytes};

/// In the place of a component.
pub const NONE: usize = usize::MAX;

/// For each position the number of its component, or [`NONE`].
pub fn components(table: &Table, budget: &Budget) -> Result<Vec<usize>, Limit> {
    let mut clock = budget.clock();
    // What the walk takes is at most five numbers a position, and those in its path.
    let taken = budget.taken();
    let mut component = budget.filled(0, table.len())?;
    budget.take(bytes::<[usize; 8]>(table.len()))?;
    loop {
        let parts = strong_parts(table, &component, &mut clock)?;
        // One without a move that stays in its part is in none.
        let next: Vec<usize> = (0..table.len())
            .map(|position| match parts[position] {
                NONE => NONE,
                part if inner_moves(table, position, &parts).next().is_some() => part,
                _ => NONE,
            })
            .collect();
        if next == component {
            budget.reset_to(taken + bytes::<usize>(table.len()));
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
    clock: &mut Clock,
) -> Result<Vec<usize>, Limit> {
    let mut walk = Walk {
        order: vec![NONE; table.len()],
        low: vec![NONE; table.len()],
        part: vec![NONE; table.len()],
        open: Vec::new(),
        met: 0,
    };
    let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
    for first in 0..table.len() {
        if component[first] == NONE || walk.order[first] != NONE {
            continue;
        }
        path.push((first, walk.enter(table, first, component)));
        while let Some((position, rest)) = path.last_mut() {
            clock.work(64)?;
            let position = *position;
            match rest.pop() {
                Some(next) if walk.order[next] == NONE => {
                    path.push((next, walk.enter(table, next, component)));
                }
                Some(next) if walk.part[next] == NONE => {
                    walk.low[position] = walk.low[position].min(walk.order[next]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    walk.leave(position);
                    if let Some((before, _)) = path.last() {
                        walk.low[*before] = walk.low[*before].min(walk.low[position]);
                    }
                }
            }
        }
    }
    Ok(walk.part)
}

struct Walk {
    order: Vec<usize>,
    low: Vec<usize>,
    part: Vec<usize>,
    /// Those met that are in no part yet.
    open: Vec<usize>,
    met: usize,
}

impl Walk {
    /// Meets a position; where its inner moves lead.
    fn enter(&mut self, table: &Table, position: usize, component: &[usize]) -> Vec<usize> {
        self.order[position] = self.met;
        self.low[position] = self.met;
        self.met += 1;
        self.open.push(position);
        let mut after = Vec::new();
        for mv in inner_moves(table, position, component) {
            table.each(mv, &mut |node| {
                if let Node::Position(number) = node {
                    after.push(number);
                }
            });
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    /// All that `position` leads to has been looked at.
    fn leave(&mut self, position: usize) {
        if self.low[position] < self.order[position] {
            return;
        }
        while let Some(last) = self.open.pop() {
            self.part[last] = position;
            if last == position {
                break;
            }
        }
    }
}
