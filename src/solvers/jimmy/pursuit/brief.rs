//! The first states of a depth-first search, without tables, on a board of one word. They decide most small boards;
//! without this module a million random 10x10 boards take half as long again.
//!
//! The ghosts are a set of cells that moves by the rules ([`board`]). A search with tables compares each new position
//! with all earlier ones at its cell. This search makes the same comparisons in the same order, but only before it
//! expands a position at a cell seen before. So it skips the same positions and finds the same line in as many states.

mod board;

use super::field::flood;
use crate::engine::search::Finding;
use crate::grid::Dir;
use crate::limits::Limits;
use crate::rules::jimmy::Jimmy;
use board::{Board, Scene};

/// A longer search needs tables.
const MOST_STATES: usize = 32;

#[derive(Clone, Copy, Debug, Default)]
struct BriefState {
    scene: Scene,
    /// The index of its parent; the first state is its own parent.
    from: usize,
    /// Cells to step to, except those where Jimmy is caught or no better off than before.
    steps: u128,
    untried: u128,
    /// The cells in `steps` that the search had seen before.
    seen: u128,
    last: Option<Dir>,
}

#[derive(Debug, Default)]
pub struct BriefSearch {
    /// The states in the order of expansion.
    looks: [BriefState; MOST_STATES],
    count: usize,
}

impl BriefSearch {
    /// Jimmy must not start on the border. Returns `None` if the search takes too many states, the board is larger
    /// than a word, or a limit may be reached.
    pub fn run(&mut self, jimmy: &Jimmy, limits: &Limits) -> Option<(Finding<Dir>, u64)> {
        let (solid, ghosts) = (jimmy.solid.word()?, jimmy.ghosts.word()?);
        limits.check_states(MOST_STATES as u64).ok()?;
        limits.check_time().ok()?;
        let Some(ahead) = flood(jimmy.grid, solid, jimmy.start) else {
            return Some((Finding::Caught, 0));
        };
        let board = Board::new(jimmy, solid, ahead);
        let start = Scene::new(jimmy, ghosts);
        match board.chased(start) {
            Some(scene) => self.search(&board, scene),
            None => Some((Finding::Caught, 0)),
        }
    }

    fn search(&mut self, board: &Board, start: Scene) -> Option<(Finding<Dir>, u64)> {
        let (mut scene, mut from) = (start, 0);
        let (mut before, mut seen) = (start.jimmy, start.jimmy);
        for number in 0..MOST_STATES {
            let states = number as u64 + 1;
            let free = board.free(scene);
            let exits = free & board.border;
            if exits != 0 {
                let (exit, _) = board.first_step(scene, exits)?;
                self.looks[number].from = from;
                return Some((Finding::Escape(self.line(number, exit)), states));
            }
            // A step back or to the start gains nothing.
            let steps = free & !before & !start.jimmy;
            self.looks[number] = BriefState {
                scene,
                from,
                steps,
                untried: steps,
                seen: steps & seen,
                last: None,
            };
            self.count = number + 1;
            seen |= steps;
            let Some(next) = self.next(board) else {
                return Some((Finding::Caught, states));
            };
            (from, scene) = next;
            before = self.looks[from].scene.jimmy;
        }
        None
    }

    /// The next scene to expand, with its parent's index: the first untried step of the last state that has one.
    #[inline]
    fn next(&mut self, board: &Board) -> Option<(usize, Scene)> {
        let mut number = self.count - 1;
        loop {
            let look = &mut self.looks[number];
            let Some((dir, to)) = board.first_step(look.scene, look.untried) else {
                if number == 0 {
                    return None;
                }
                number = look.from;
                continue;
            };
            look.untried &= !to.jimmy;
            look.last = Some(dir);
            let is_seen = look.seen & to.jimmy != 0;
            if let Some(scene) = board.chased(to)
                && (!is_seen || self.is_kept(board, number, to.jimmy))
            {
                return Some((number, scene));
            }
        }
    }

    /// Returns whether a search with tables would keep the state after this step: no earlier state at the cell is as
    /// easy, and no later one is easier. Drops the steps that it would not keep.
    #[cold]
    fn is_kept(&mut self, board: &Board, number: usize, cell: u128) -> bool {
        let mut kept: Vec<(usize, Scene)> = Vec::with_capacity(MOST_STATES);
        for at in 0..self.count {
            let look = self.looks[at];
            if look.steps & cell == 0 {
                continue;
            }
            let step = board.first_step(look.scene, cell);
            let scene = step.and_then(|(_, to)| board.chased(to));
            let Some(scene) = scene.filter(|scene| {
                !kept
                    .iter()
                    .any(|(_, earlier)| board.is_no_harder(earlier, scene))
            }) else {
                self.drop_step(at, cell);
                continue;
            };
            kept.retain(|(earlier, other)| {
                let is_harder = board.is_no_harder(&scene, other);
                if is_harder {
                    self.drop_step(*earlier, cell);
                }
                !is_harder
            });
            kept.push((at, scene));
        }
        kept.iter().any(|&(at, _)| at == number)
    }

    fn drop_step(&mut self, number: usize, cell: u128) {
        self.looks[number].steps &= !cell;
        self.looks[number].untried &= !cell;
    }

    fn line(&self, number: usize, exit: Dir) -> Vec<Dir> {
        let mut line = Vec::with_capacity(MOST_STATES);
        line.push(exit);
        let mut at = number;
        while at > 0 {
            at = self.looks[at].from;
            line.extend(self.looks[at].last);
        }
        line.reverse();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::Word;
    use super::super::{Position, Pursuit, ToMove};
    use super::*;
    use crate::bits::Bits;
    use crate::engine::search::{Order, Search};
    use crate::engine::visited::Antichain;
    use crate::grid::Grid;
    use crate::rng::Rng;
    use crate::ruleset::{Playable, Ruleset};

    /// A random board with Jimmy off the border; every other board is mostly solid.
    fn board(seed: u64) -> Jimmy {
        let mut luck = Rng::new(seed);
        let mut below = |end: usize| (luck.uniform() * end as f64) as usize;
        let (rows, cols) = (3 + below(9), 3 + below(8));
        let (ghosts, solids, ring) = (below(20), below(40), 80 * (seed % 2) as usize);
        let grid = Grid::new(rows, cols).unwrap();
        let start = grid.cell(1 + below(rows - 2) as u32, 1 + below(cols - 2) as u32);
        let (mut ghost, mut solid) = (Bits::new(grid), Bits::new(grid));
        for cell in grid.cells().filter(|&cell| Some(cell) != start) {
            let solids = if grid.is_border(cell) {
                solids.max(ring)
            } else {
                solids
            };
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

    /// The finding of a search with tables, and the number of its states.
    fn with_tables(jimmy: &Jimmy) -> (Finding<Dir>, u64) {
        let limits = Limits::default();
        let Some(pursuit) = Pursuit::<Word>::new(jimmy, ToMove::Ghosts, &limits).unwrap() else {
            return (Finding::Caught, 0);
        };
        let mut search: Search<_, Antichain<Position>> = Search::default();
        let found = search.run(&pursuit, Order::DepthFirst, &limits);
        (found, search.states())
    }

    #[test]
    fn a_brief_search_finds_what_one_with_tables_does_in_as_many_states() {
        let boards = if cfg!(feature = "exhaustive") {
            20_000
        } else {
            1_000
        };
        let mut brief = BriefSearch::default();
        let (mut escapes, mut caught, mut longest, mut turned_back) = (0, 0, 0, 0);
        for seed in 0..boards {
            let jimmy = board(seed);
            let Some((finding, states)) = brief.run(&jimmy, &Limits::default()) else {
                assert!(with_tables(&jimmy).1 > MOST_STATES as u64);
                continue;
            };
            match &finding {
                Finding::Escape(line) => {
                    escapes += 1;
                    longest = longest.max(line.len());
                    turned_back += u64::from(states > line.len() as u64);
                }
                _ => caught += u64::from(states > 1),
            }
            let drawn = jimmy.picture(&Ruleset::start(&jimmy)).join("\n");
            assert_eq!((finding, states), with_tables(&jimmy), "{drawn}");
        }
        let told = (escapes, caught, longest, turned_back);
        assert!(3 * escapes > boards && 20 * caught > boards, "{told:?}");
        assert!(longest > 9 && 50 * turned_back > boards, "{told:?}");
    }

    #[test]
    fn where_a_limit_may_come_first_or_there_is_more_than_a_word_the_search_is_left_to_others() {
        let mut brief = BriefSearch::default();
        let jimmy = board(0);
        let few = Limits {
            max_states: Some(MOST_STATES as u64),
            ..Limits::default()
        };
        assert_eq!(brief.run(&jimmy, &few), None);
        let stop = std::sync::atomic::AtomicBool::new(true);
        let stopped = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        assert_eq!(brief.run(&jimmy, &stopped), None);
        let grid = Grid::new(12, 12).unwrap();
        let start = grid.cell(5, 5).unwrap();
        let large = Jimmy::without_solids(grid, start, Bits::new(grid));
        assert_eq!(brief.run(&large, &Limits::default()), None);
    }
}
