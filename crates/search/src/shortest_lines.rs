//! Counts the shortest lines of play that escape.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::Model;
use super::search::work_of_a_move;
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_ruleset::Outcome;

/// Counts the lines of play that escape in `length` moves, provided that none escapes sooner; saturates at [`u128::MAX`].
/// Visits each position at most once, in order of depth, and stores the number of lines that lead to it.
pub fn count<M>(model: &M, length: usize, limits: &Limits) -> Result<u128, Limit>
where
    M: Model<State: Eq + Hash>,
{
    let Ok(start) = model.opened() else {
        return Ok(u128::from(length == 0));
    };
    let mut count = LineCounter {
        model,
        length,
        met: HashSet::default(),
        layer: HashMap::from_iter([(start, 1)]),
        lines: 0,
        expanded: 0,
        clock: Clock::new(limits),
    };
    for depth in 0..length {
        count.next_layer(depth)?;
    }
    Ok(count.lines)
}

struct LineCounter<'m, 'l, M: Model> {
    model: &'m M,
    length: usize,
    met: HashSet<M::State, FixedState>,
    layer: HashMap<M::State, u128, FixedState>,
    lines: u128,
    expanded: u64,
    clock: Clock<'l>,
}

impl<M: Model<State: Eq + Hash>> LineCounter<'_, '_, M> {
    fn next_layer(&mut self, depth: usize) -> Result<(), Limit> {
        let layer = std::mem::take(&mut self.layer);
        self.met.extend(layer.keys().cloned());
        let mut moves = Vec::new();
        for (at, lines) in layer {
            self.clock.limits().check_states(self.expanded)?;
            self.check_memory()?;
            self.expanded += 1;
            moves.clear();
            self.model.moves(&at, &mut moves);
            for &mv in &moves {
                self.clock.work(work_of_a_move(self.model))?;
                self.follow(&at, mv, depth + 1, lines);
            }
        }
        Ok(())
    }

    fn follow(&mut self, at: &M::State, mv: M::Move, depth: usize, lines: u128) {
        let mut then = at.clone();
        match self.model.play(&mut then, mv) {
            Some(Outcome::Escaped) => self.lines = self.lines.saturating_add(lines),
            Some(Outcome::Caught(_)) => {}
            None => {
                let left = self.length - depth;
                // An escape in `left` moves from a position met before would make a shorter line, and there is none.
                if self.model.lower_bound(&then) as usize <= left && !self.met.contains(&then) {
                    let all = self.layer.entry(then).or_insert(0);
                    *all = all.saturating_add(lines);
                }
            }
        }
    }

    fn check_memory(&self) -> Result<(), Limit> {
        let states = self.met.capacity() + self.layer.capacity();
        let each = self.model.state_bytes() + size_of::<u128>() + 1;
        self.clock.limits().check_memory((states * each) as u64)
    }
}

#[cfg(test)]
#[path = "shortest_lines_tests.rs"]
mod tests;
