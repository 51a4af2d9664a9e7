//! The first states of a depth-first search on a board of one word. They decide most boards of a few cells, and then there
//! is no need for the tables of a search.
//!
//! Tables tell whether as good a position at the same cell has been met before. As long as the search comes to no cell
//! twice there is nothing to ask them, but for a step back: it leads to what he had before, and no easier. So positions
//! are not compared here, and the ghosts are a set of cells that moves by the rules. As soon as the search does come to a
//! cell again it is given up, and begins anew with its tables.

use super::field::{border, flood};
use crate::bits::low_bits;
use crate::engine::search::Finding;
use crate::grid::Dir;
use crate::limits::Limits;
use crate::rules::jimmy::Jimmy;

/// More states are left to a search with tables.
const MOST_STATES: usize = 32;

/// What is on the board when Jimmy is to move: sets of cells, bit `i` for cell number `i`.
#[derive(Clone, Copy, Debug, Default)]
struct Scene {
    jimmy: u128,
    /// The column that he is in.
    column: u128,
    ghosts: u128,
}

/// A scene that the search looks at, and what it has tried there.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    scene: Scene,
    /// Where he can step to, as far as that has not been tried.
    untried: u128,
    /// Those of these cells that the search had seen before.
    seen: u128,
    /// The step that was tried last, as [`Dir::ALL`] has it.
    last: u8,
}

/// A search, for one board after the other.
#[derive(Debug, Default)]
pub struct BriefSearch {
    /// What it looks at on its way from the start, each scene a step after the one before.
    looks: [Look; MOST_STATES],
}

impl BriefSearch {
    /// What a depth-first search finds on a board on which Jimmy does not start on the border, and how many states it
    /// looks at. `None` if it takes many, or tables, or if a limit may come first.
    pub fn run(&mut self, jimmy: &Jimmy, limits: &Limits) -> Option<(Finding<Dir>, u64)> {
        let (solid, ghosts) = (jimmy.solid.word()?, jimmy.ghosts.word()?);
        limits.check_states(MOST_STATES as u64).ok()?;
        limits.check_time().ok()?;
        let Some(ahead) = flood(jimmy.grid, solid, jimmy.start) else {
            return Some((Finding::Caught, 0));
        };
        let board = Board::new(jimmy, solid, ahead);
        let scene = Scene {
            jimmy: 1 << jimmy.start.index(),
            column: jimmy.first_column << jimmy.grid.col(jimmy.start),
            ghosts,
        };
        match board.chased(scene) {
            Some(scene) => self.search(&board, scene),
            None => Some((Finding::Caught, 0)),
        }
    }

    fn search(&mut self, board: &Board, start: Scene) -> Option<(Finding<Dir>, u64)> {
        let (mut scene, mut depth) = (start, 0);
        let (mut before, mut seen) = (0, start.jimmy);
        for states in 1..MOST_STATES as u64 {
            let free = board.free(scene);
            let exits = free & board.border;
            if exits != 0 {
                let (exit, _) = board.first_step(scene, exits)?;
                return Some((Finding::Escape(self.line(depth, exit)), states));
            }
            let untried = free & !before;
            self.looks[depth] = Look {
                scene,
                untried,
                seen: untried & seen,
                last: 0,
            };
            seen |= untried;
            let Some(next) = self.next(board, &mut depth) else {
                return Some((Finding::Caught, states));
            };
            let look = &self.looks[depth];
            if look.seen & next.jimmy != 0 {
                return None;
            }
            (before, scene, depth) = (look.scene.jimmy, next, depth + 1);
        }
        None
    }

    /// The next scene to look at: the first that has not been tried, and in which Jimmy is alive, after the last look that
    /// has one. That is number `depth` then; until now it was the last one.
    #[inline]
    fn next(&mut self, board: &Board, depth: &mut usize) -> Option<Scene> {
        loop {
            let look = &mut self.looks[*depth];
            if let Some((dir, to)) = board.first_step(look.scene, look.untried) {
                look.untried &= !to.jimmy;
                look.last = dir as u8;
                if let Some(next) = board.chased(to) {
                    return Some(next);
                }
            } else {
                *depth = depth.checked_sub(1)?;
            }
        }
    }

    /// The line through the first `depth` looks, and then this step.
    fn line(&self, depth: usize, exit: Dir) -> Vec<Dir> {
        let steps = self.looks[..depth]
            .iter()
            .map(|look| Dir::ALL[usize::from(look.last)]);
        steps.chain([exit]).collect()
    }
}

/// What does not change.
struct Board {
    /// How many places a step up or down is in a set.
    cols: u32,
    first_column: u128,
    border: u128,
    /// Where nothing solid is.
    open: u128,
    /// The cells from which a step in this direction leads nearer to the border.
    ahead: [u128; 4],
}

impl Board {
    #[inline]
    fn new(jimmy: &Jimmy, solid: u128, ahead: [u128; 4]) -> Self {
        Self {
            cols: jimmy.grid.cols(),
            first_column: jimmy.first_column,
            border: border(jimmy.grid),
            open: low_bits(jimmy.grid.size() as u32) & !solid,
            ahead,
        }
    }

    /// All these cells a row up. A board of less than 64 columns makes for short shifts; one of more is all border.
    #[inline]
    const fn up(&self, cells: u128) -> u128 {
        cells >> (self.cols % 64)
    }

    /// All these cells a row down.
    #[inline]
    const fn down(&self, cells: u128) -> u128 {
        cells << (self.cols % 64)
    }

    /// The cells that Jimmy can step to. He is not on the border.
    #[inline]
    fn free(&self, scene: Scene) -> u128 {
        let Scene { jimmy, ghosts, .. } = scene;
        let beside = self.up(jimmy) | self.down(jimmy) | jimmy >> 1 | jimmy << 1;
        beside & self.open & !ghosts
    }

    /// The first step to one of these cells, in the order of [`super::Pursuit::ordered`], and the scene before the ghosts
    /// answer it.
    #[inline]
    fn first_step(&self, scene: Scene, cells: u128) -> Option<(Dir, Scene)> {
        let steps = self
            .order(scene.jimmy)
            .iter()
            .map(|&dir| (dir, self.stepped(scene, dir)));
        steps.into_iter().find(|(_, to)| to.jimmy & cells != 0)
    }

    #[inline]
    fn order(&self, jimmy: u128) -> &'static [Dir; 4] {
        use Dir::{Down, Left, Right, Up};
        const ORDERS: [[Dir; 4]; 4] = [
            [Up, Down, Left, Right],
            [Down, Up, Left, Right],
            [Up, Down, Right, Left],
            [Down, Up, Right, Left],
        ];
        let is_ahead = |dir: Dir| self.ahead[dir as usize] & jimmy != 0;
        let is_second = |first, second| usize::from(!is_ahead(first) & is_ahead(second));
        &ORDERS[is_second(Up, Down) | is_second(Left, Right) << 1]
    }

    /// The scene after a step of Jimmy's, who is not on the border.
    #[inline]
    fn stepped(&self, scene: Scene, dir: Dir) -> Scene {
        let Scene {
            jimmy,
            column,
            ghosts,
        } = scene;
        let (jimmy, column) = match dir {
            Dir::Up => (self.up(jimmy), column),
            Dir::Down => (self.down(jimmy), column),
            Dir::Left => (jimmy >> 1, column >> 1),
            Dir::Right => (jimmy << 1, column << 1),
        };
        Scene {
            jimmy,
            column,
            ghosts,
        }
    }

    /// The scene after the ghosts have moved, unless one has caught him.
    #[inline]
    fn chased(&self, scene: Scene) -> Option<Scene> {
        let Scene {
            jimmy,
            column,
            ghosts,
        } = scene;
        // Bit by bit, a column less the first one fills all columns to its left.
        let left = column.wrapping_sub(self.first_column);
        let right = !(left | column);
        let shadows = ghosts & column;
        let above = shadows & (jimmy - 1);
        let ghosts = (ghosts & left) << 1
            | (ghosts & right) >> 1
            | self.down(above)
            | self.up(shadows & !above);
        (ghosts & jimmy == 0).then_some(Scene { ghosts, ..scene })
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

    /// A random board whose Jimmy is not on the border.
    fn board(seed: u64) -> Jimmy {
        let mut luck = Rng::new(seed);
        let mut below = |end: usize| (luck.uniform() * end as f64) as usize;
        let (rows, cols) = (3 + below(9), 3 + below(8));
        let (ghosts, solids) = (below(20), below(50));
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

    /// What a search with tables finds, and the states that it looks at.
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
            200_000
        } else {
            1_000
        };
        let mut brief = BriefSearch::default();
        let (mut escapes, mut caught, mut longest, mut turned_back) = (0, 0, 0, 0);
        for seed in 0..boards {
            let jimmy = board(seed);
            let Some((finding, states)) = brief.run(&jimmy, &Limits::default()) else {
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
        assert!(2 * escapes > boards, "{told:?}");
        assert!(caught > 20 && longest > 5 && turned_back > 8, "{told:?}");
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
