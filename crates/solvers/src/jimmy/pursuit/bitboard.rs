//! The first states of a depth-first search, found without tables, on a board of up to 128 cells (one word of
//! [`Bits`](getaway_board::bits::Bits)). They decide most small boards: without this module, random 10x10 boards take three times
//! as long.
//!
//! The ghosts are a set of cells that moves by the rules ([`board`]). A search with tables compares each new position with all
//! earlier ones at its cell. This search delays the same comparisons until it expands a position at a cell seen before. So it
//! skips the same positions and finds the same line in as many states.

mod board;

use board::{BitBoard, BitScene, flood};
use getaway_board::grid::Dir;
use getaway_board::limits::Limits;
use getaway_rules::jimmy::Jimmy;
use getaway_search::search::Finding;

/// The maximum number of states; a longer search needs tables.
const MAX_STATES: usize = 32;

#[derive(Clone, Copy, Debug, Default)]
struct BitboardState {
    scene: BitScene,
    /// The index of the parent; the first state is its own.
    from: usize,
    /// The cells to step to, except those where Jimmy is known to be caught or to gain nothing.
    steps: u128,
    untried: u128,
    /// The cells in `steps` that the search has seen before.
    seen: u128,
    last: Option<Dir>,
}

#[derive(Debug, Default)]
pub struct BitboardSearch {
    states: [BitboardState; MAX_STATES],
    count: usize,
}

impl BitboardSearch {
    /// Searches a board on which Jimmy does not start on the border. Returns `None` if the search takes too many
    /// states, the board is larger than a word, or a limit may be reached.
    pub fn run(&mut self, jimmy: &Jimmy, limits: &Limits) -> Option<(Finding<Dir>, u64)> {
        let (solid, ghosts) = (jimmy.solid.word()?, jimmy.ghosts.word()?);
        limits.check_states(MAX_STATES as u64).ok()?;
        limits.check_time().ok()?;
        let Some(ahead) = flood(jimmy, solid) else {
            return Some((Finding::Caught, 0));
        };
        let board = BitBoard::new(jimmy, solid, ahead);
        let start = BitScene::new(jimmy, ghosts);
        match board.chased(start) {
            Some(scene) => self.search(&board, scene),
            None => Some((Finding::Caught, 0)),
        }
    }

    fn search(&mut self, board: &BitBoard, start: BitScene) -> Option<(Finding<Dir>, u64)> {
        let (mut scene, mut from) = (start, 0);
        let (mut before, mut seen) = (start.jimmy, start.jimmy);
        for number in 0..MAX_STATES {
            let visited = number as u64 + 1;
            let free = board.free(scene);
            let exits = free & board.border;
            if exits != 0 {
                let (exit, _) = board.first_step(scene, exits)?;
                self.states[number].from = from;
                return Some((Finding::Escape(self.line(number, exit)), visited));
            }
            // Stepping back or to the start gains nothing.
            let steps = free & !before & !start.jimmy;
            self.states[number] = BitboardState {
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
                return Some((Finding::Caught, visited));
            };
            (from, scene) = next;
            before = self.states[from].scene.jimmy;
        }
        None
    }

    /// Goes back from the last state to one with an untried step worth taking. Returns its index and the scene after the step and
    /// the ghosts' answer; `None` if no such step is left.
    #[inline]
    fn next(&mut self, board: &BitBoard) -> Option<(usize, BitScene)> {
        let mut number = self.count - 1;
        loop {
            let state = &mut self.states[number];
            let Some((dir, to)) = board.first_step(state.scene, state.untried) else {
                if number == 0 {
                    return None;
                }
                number = state.from;
                continue;
            };
            state.untried &= !to.jimmy;
            state.last = Some(dir);
            let is_seen = state.seen & to.jimmy != 0;
            if let Some(scene) = board.chased(to)
                && (!is_seen || self.is_kept(board, number, to.jimmy))
            {
                return Some((number, scene));
            }
        }
    }

    /// Returns whether a search with tables would keep the position after the step from state `number` to `cell`. Drops all steps
    /// to `cell` after which Jimmy is caught, or that lead to a position that such a search would not keep.
    #[cold]
    fn is_kept(&mut self, board: &BitBoard, number: usize, cell: u128) -> bool {
        let mut kept: Vec<(usize, BitScene)> = Vec::with_capacity(MAX_STATES);
        for at in 0..self.count {
            let state = self.states[at];
            if state.steps & cell == 0 {
                continue;
            }
            let step = board.first_step(state.scene, cell);
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
        self.states[number].steps &= !cell;
        self.states[number].untried &= !cell;
    }

    fn line(&self, number: usize, exit: Dir) -> Vec<Dir> {
        let mut line = Vec::with_capacity(MAX_STATES);
        line.push(exit);
        let mut at = number;
        while at > 0 {
            at = self.states[at].from;
            line.extend(self.states[at].last);
        }
        line.reverse();
        line
    }
}

#[cfg(test)]
mod tests;
