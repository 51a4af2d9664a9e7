//! The line that a depth-first search tries first. Most boards of a few cells are won by it, and then there is no need
//! for the tables of a search.

use super::{Field, Position, Pursuit};
use crate::engine::Model;
use crate::grid::{Cell, Dir};
use crate::limits::Limits;

/// A line through more states is left to the search.
const MOST_STATES: usize = 32;

impl<F: Field> Pursuit<F> {
    /// What a depth-first search finds if it never has to turn back: its line of play, a state looked at for each move.
    /// `None` if it has to, or that can't be known without its tables, or a limit may come first.
    pub fn first_line(&self, limits: &Limits) -> Option<Vec<Dir>> {
        limits.check_states(MOST_STATES as u64).ok()?;
        limits.check_time().ok()?;
        let mut at = self.opened().ok()?;
        let mut line = Vec::with_capacity(MOST_STATES);
        loop {
            if let Some(last) = self.way_out(&at) {
                line.push(last);
                return Some(line);
            }
            let (dir, next) = self.first_kept(&at, &line)?;
            line.push(dir);
            if line.len() == MOST_STATES {
                return None;
            }
            at = next;
        }
    }

    /// The first step that leads to the border at once.
    fn way_out(&self, at: &Position) -> Option<Dir> {
        for dir in self.ordered(at.cell) {
            let to = self.grid.step(at.cell, dir)?;
            if self.grid.is_border(to) && self.is_open(at, dir) {
                return Some(dir);
            }
        }
        None
    }

    /// The first step that leads to something new, and what that is. `None` if there is no step, or the search may
    /// have met something as good before on its way along `line`.
    fn first_kept(&self, at: &Position, line: &[Dir]) -> Option<(Dir, Position)> {
        for dir in self.ordered(at.cell) {
            // Back to where he was before is no easier than it was then.
            let is_back = line.last().is_some_and(|&last| dir == last.opposite());
            if is_back || !self.is_open(at, dir) {
                continue;
            }
            let mut next = *at;
            if self.play(&mut next, dir).is_none() {
                return (!self.has_met(next.cell, line)).then_some((dir, next));
            }
        }
        None
    }

    /// Whether a cell is beside one that the search has left along `line`, or one of those: only there it may have met
    /// something else.
    fn has_met(&self, cell: Cell, line: &[Dir]) -> bool {
        let mut left = self.start;
        for &dir in line {
            if self.grid.distance(left, cell) <= 1 {
                return true;
            }
            match self.grid.step(left, dir) {
                Some(next) => left = next,
                None => return true,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::{Wide, Word};
    use super::super::{Position, ToMove};
    use super::*;
    use crate::bits::Bits;
    use crate::engine::search::{Finding, Order, Search};
    use crate::engine::visited::Antichain;
    use crate::grid::Grid;
    use crate::rng::Rng;
    use crate::rules::jimmy::Jimmy;
    use crate::ruleset::{Playable, Ruleset};

    /// A random board whose Jimmy is not on the border.
    fn board(seed: u64) -> Jimmy {
        let mut luck = Rng::new(seed);
        let mut below = |end: usize| (luck.uniform() * end as f64) as usize;
        let (rows, cols) = (3 + below(9), 3 + below(8));
        let (ghosts, solids) = (below(20), below(40));
        let grid = Grid::new(rows, cols).unwrap();
        let start = grid.cell(1 + below(rows - 2) as u32, 1 + below(cols - 2) as u32);
        let (mut ghost, mut solid) = (Bits::new(grid), Bits::new(grid));
        for cell in grid.cells().filter(|&cell| Some(cell) != start) {
            match below(100) {
                lot if lot < ghosts => ghost.insert(cell),
                lot if lot < ghosts + solids => solid.insert(cell),
                _ => continue,
            };
        }
        Jimmy {
            solid,
            ..Jimmy::without_solids(grid, start.unwrap(), ghost)
        }
    }

    fn drawn(jimmy: &Jimmy) -> String {
        let picture = jimmy.picture(&Ruleset::start(jimmy));
        picture.join("\n")
    }

    /// The first line is what a search finds, if there is one; its length.
    fn agrees<F: Field>(jimmy: &Jimmy) -> Option<usize> {
        let limits = Limits::default();
        let pursuit = Pursuit::<F>::new(jimmy, ToMove::Ghosts, &limits).unwrap()?;
        let line = pursuit.first_line(&limits)?;
        let mut search: Search<_, Antichain<Position>> = Search::default();
        let found = search.run(&pursuit, Order::DepthFirst, &limits);
        let length = line.len();
        let wanted = (Finding::Escape(line), length as u64);
        assert_eq!((found, search.states()), wanted, "{}", drawn(jimmy));
        Some(length)
    }

    #[test]
    fn the_first_line_is_the_one_that_a_search_finds() {
        let boards = if cfg!(feature = "exhaustive") {
            200_000
        } else {
            1_000
        };
        let (mut told, mut longest) = (0, 0);
        for seed in 0..boards {
            let jimmy = board(seed);
            // They know different ways to the border, and so need not try the same line first.
            agrees::<Wide>(&jimmy);
            let length = agrees::<Word>(&jimmy);
            told += u64::from(length.is_some());
            longest = longest.max(length.unwrap_or_default());
        }
        assert!(
            2 * told > boards && longest > 5,
            "{told} told, {longest} moves"
        );
    }
}
