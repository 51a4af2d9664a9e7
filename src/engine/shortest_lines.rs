//! The number of shortest lines of play.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::Model;
use super::search::WORK_OF_A_MOVE;
use crate::limits::{Clock, Limit, Limits};
use crate::ruleset::Outcome;

/// Counts the lines of play that escape in `length` moves, provided that none escapes sooner; saturates at
/// [`u128::MAX`].
///
/// Each position along such a line is reached in the fewest moves, so the search visits each position once, in order
/// of depth, and keeps the number of lines that lead to it.
pub fn count<M>(model: &M, length: usize, limits: &Limits) -> Result<u128, Limit>
where
    M: Model<State: Eq + Hash>,
{
    let Ok(start) = model.opened() else {
        return Ok(u128::from(length == 0));
    };
    let mut count = Count {
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

struct Count<'m, 'l, M: Model> {
    model: &'m M,
    length: usize,
    met: HashSet<M::State, FixedState>,
    layer: HashMap<M::State, u128, FixedState>,
    lines: u128,
    expanded: u64,
    clock: Clock<'l>,
}

impl<M: Model<State: Eq + Hash>> Count<'_, '_, M> {
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
                self.clock
                    .work(WORK_OF_A_MOVE + self.model.state_bytes() as u64)?;
                self.follow(&at, mv, (depth + 1, lines));
            }
        }
        Ok(())
    }

    fn follow(&mut self, at: &M::State, mv: M::Move, (depth, lines): (usize, u128)) {
        let mut then = at.clone();
        match self.model.play(&mut then, mv) {
            Some(Outcome::Escaped) => self.lines = self.lines.saturating_add(lines),
            Some(Outcome::Caught(_)) => {}
            None => {
                let left = self.length - depth;
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
mod tests {
    use super::*;

    /// A walk on a grid that starts in the corner and goes right, down or back up until the coordinates sum to
    /// `self.0`.
    struct Corner(u32);

    impl Model for Corner {
        type State = (u32, u32);
        type Move = u8;

        fn opened(&self) -> Result<(u32, u32), Outcome> {
            Ok((0, 0))
        }

        fn moves(&self, _at: &(u32, u32), out: &mut Vec<u8>) {
            out.extend([0, 1, 2]);
        }

        fn play(&self, at: &mut (u32, u32), mv: u8) -> Option<Outcome> {
            match mv {
                0 => at.0 += 1,
                1 => at.1 += 1,
                _ => at.1 = at.1.saturating_sub(1),
            }
            (at.0 + at.1 == self.0).then_some(Outcome::Escaped)
        }
    }

    #[test]
    fn each_step_to_the_diagonal_is_one_of_two() {
        let limits = Limits::default();
        assert_eq!(count(&Corner(10), 10, &limits), Ok(1 << 10));
        assert_eq!(count(&Corner(127), 127, &limits), Ok(1 << 127));
        assert_eq!(count(&Corner(128), 128, &limits), Ok(u128::MAX));
    }

    struct Over;

    impl Model for Over {
        type State = ();
        type Move = u8;

        fn opened(&self) -> Result<(), Outcome> {
            Err(Outcome::Escaped)
        }

        fn moves(&self, (): &(), _out: &mut Vec<u8>) {}

        fn play(&self, (): &mut (), _mv: u8) -> Option<Outcome> {
            None
        }
    }

    #[test]
    fn a_game_that_is_over_has_the_empty_line() {
        assert_eq!(count(&Over, 0, &Limits::default()), Ok(1));
        assert_eq!(count(&Over, 1, &Limits::default()), Ok(0));
    }

    #[test]
    fn a_limit_ends_it() {
        let states = Limits {
            max_states: Some(20),
            ..Limits::default()
        };
        assert_eq!(count(&Corner(10), 10, &states), Err(Limit::States));
        let memory = Limits {
            max_memory: Some(2000),
            ..Limits::default()
        };
        assert_eq!(count(&Corner(30), 30, &memory), Err(Limit::Memory));
    }
}
