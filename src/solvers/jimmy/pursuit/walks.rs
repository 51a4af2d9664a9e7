//! All of Jimmy's walks, for his longest survival without an escape. Visited cells matter here, so a position has a
//! bit for each reachable cell.

use super::{Field, Position, Pursuit, Shadows, ToMove};
use crate::engine::Model;
use crate::engine::packed::Pack;
use crate::grid::{Cell, Dir, Grid};
use crate::limits::{Clock, Limit, Limits};
use crate::rules::jimmy::Jimmy;
use crate::ruleset::Outcome;

/// The walks on a board; *reachable* cells are those that Jimmy could reach without ghosts.
#[derive(Clone, Debug)]
pub struct Walks {
    pursuit: Pursuit,
    /// Each cell's number among the reachable cells, or [`NONE`].
    numbers: Vec<u32>,
    cells: usize,
}

const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub struct Walk {
    at: Position,
    /// The visited cells, 32 to a word.
    visited: Vec<u32>,
}

impl Clone for Walk {
    fn clone(&self) -> Self {
        let (at, visited) = (self.at, self.visited.clone());
        Self { at, visited }
    }

    fn clone_from(&mut self, source: &Self) {
        self.at = source.at;
        self.visited.clone_from(&source.visited);
    }
}

impl Walk {
    const fn has_visited(&self, number: u32) -> bool {
        self.visited.as_slice()[number as usize / 32] >> (number % 32) & 1 == 1
    }

    const fn visit(&mut self, number: u32) {
        self.visited.as_mut_slice()[number as usize / 32] |= 1 << (number % 32);
    }
}

impl Walks {
    pub fn new(jimmy: &Jimmy, to_move: ToMove, limits: &Limits) -> Result<Self, Limit> {
        let table = (jimmy.grid.size() * size_of::<u32>()) as u64;
        let mut clock = Clock::new(&limits.without(table)?);
        let field = Field::new(jimmy, &jimmy.ghosts, Vec::new(), &mut clock)?;
        let pursuit = Pursuit::of(jimmy, to_move, field);
        let (numbers, cells) = pursuit.number_cells(&mut clock)?;
        Ok(Self {
            pursuit,
            numbers,
            cells,
        })
    }

    pub fn bytes(&self) -> u64 {
        self.pursuit.bytes() + (self.numbers.len() * size_of::<u32>()) as u64
    }

    const fn words(&self) -> usize {
        self.cells.div_ceil(32)
    }

    fn number(&self, cell: Cell) -> u32 {
        self.numbers[cell.index()]
    }

    const fn grid(&self) -> Grid {
        self.pursuit.grid
    }
}

impl Pursuit {
    fn number_cells(&self, clock: &mut Clock) -> Result<(Vec<u32>, usize), Limit> {
        let mut numbers = vec![NONE; self.grid.size()];
        let mut open = vec![self.start];
        numbers[self.start.index()] = 0;
        let mut cells = 1;
        while let Some(cell) = open.pop() {
            clock.work(8)?;
            for (_, to) in self.grid.neighbours(cell) {
                if numbers[to.index()] == NONE && !self.field.is_solid(to) {
                    numbers[to.index()] = cells;
                    cells += 1;
                    open.push(to);
                }
            }
        }
        Ok((numbers, cells as usize))
    }
}

impl Model for Walks {
    type State = Walk;
    type Move = Dir;

    fn opened(&self) -> Result<Walk, Outcome> {
        let mut walk = Walk {
            at: self.pursuit.opened()?,
            visited: vec![0; self.words()],
        };
        walk.visit(self.number(self.pursuit.start));
        Ok(walk)
    }

    fn moves(&self, walk: &Walk, out: &mut Vec<Dir>) {
        let is_new = |dir: Dir| {
            self.grid()
                .step(walk.at.cell, dir)
                .is_some_and(|to| !walk.has_visited(self.number(to)))
        };
        let is_open = |dir: &Dir| self.pursuit.is_open(&walk.at, *dir) && is_new(*dir);
        out.extend(Dir::ALL.into_iter().filter(is_open));
    }

    fn play(&self, walk: &mut Walk, dir: Dir) -> Option<Outcome> {
        let outcome = self.pursuit.play(&mut walk.at, dir);
        walk.visit(self.number(walk.at.cell));
        outcome
    }

    fn state_bytes(&self) -> usize {
        size_of::<Walk>() + self.words() * size_of::<u32>()
    }
}

impl Pack<u32> for Walks {
    fn width(&self) -> usize {
        HEAD + self.words()
    }

    fn pack(&self, walk: &Walk, out: &mut Vec<u32>) {
        let Position {
            cell,
            turn,
            shadows: Shadows { above, below },
        } = walk.at;
        out.extend([cell.index() as u32, turn]);
        out.extend(above.into_iter().chain(below));
        out.extend_from_slice(&walk.visited);
    }

    fn unpack(&self, words: &[u32], into: &mut Walk) {
        let (head, visited) = words.split_at(HEAD);
        let &[cell, turn, above_even, above_odd, below_even, below_odd] = head else {
            unreachable!("a head has {HEAD} words")
        };
        let cell = self.grid().nth(cell as usize);
        into.at = Position {
            cell: cell.expect("it was a cell when it was packed"),
            turn,
            shadows: Shadows {
                above: [above_even, above_odd],
                below: [below_even, below_odd],
            },
        };
        into.visited.clear();
        into.visited.extend_from_slice(visited);
    }
}

/// The number of words before the visited cells.
const HEAD: usize = 6;

#[cfg(test)]
mod tests;
