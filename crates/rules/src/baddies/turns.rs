//! The turns from one position, which share what does not depend on the hero's move.

use super::{Baddie, Baddies, Key, State};
use getaway_board::grid::{Cell, Grid};
use getaway_ruleset::Outcome;

/// The turns from a position, one for each key that points to a cell without a wall.
#[derive(Debug)]
pub struct Turns<'a> {
    board: &'a Baddies,
    at: &'a State,
    /// The cells on which each baddie lands, in the order of [`Key::ALL`].
    landings: &'a [[Cell; 9]],
    occupied: &'a mut Occupied,
}

impl Turns<'_> {
    /// Returns whether a baddie lands on `to`, the cell to which the key points.
    #[inline]
    pub fn is_fatal(&self, key: Key, to: Cell) -> bool {
        // This counts all, since processors cannot predict which is the first.
        let catches = |lands: &&[Cell; 9]| lands[key.index()] == to;
        self.landings.iter().filter(catches).count() > 0
    }

    /// Sets `next` to the position after a turn; returns an outcome if it ends the game.
    #[inline]
    pub fn play(&mut self, key: Key, next: &mut State) -> Option<Outcome> {
        let Self { board, at, .. } = *self;
        next.hero = board.hero_lands(at.hero, key);
        let (_, outcome) = board.hero_fate(next.hero, &at.baddies);
        if outcome.is_some() {
            return outcome;
        }
        let aims = self.landings.iter().map(|lands| lands[key.index()]);
        let to_aim = |(&baddie, cell)| Baddie { cell, ..baddie };
        next.baddies.clear();
        next.baddies.extend(at.baddies.iter().zip(aims).map(to_aim));
        let outcome = board.move_to_aims(&at.baddies, next, self.occupied, &mut ());
        self.occupied.replace(&next.baddies, &at.baddies);
        outcome
    }
}

impl Baddies {
    /// Calls `explore` with the turns from a position.
    #[inline]
    pub fn with_turns<T>(&self, at: &State, explore: impl FnOnce(&mut Turns) -> T) -> T {
        // Most positions have few baddies, and don't wait for the allocator.
        let (mut few, mut many) = ([[at.hero; 9]; 16], Vec::new());
        let landings = if let Some(few) = few.get_mut(..at.baddies.len()) {
            few
        } else {
            many.resize(at.baddies.len(), [at.hero; 9]);
            &mut many[..]
        };
        let mut occupied = Occupied::empty(self.grid);
        for (lands, &baddie) in landings.iter_mut().zip(&at.baddies) {
            self.baddie_lands_by_key(baddie, at.hero, lands);
            occupied.insert(baddie.cell);
        }
        explore(&mut Turns {
            board: self,
            at,
            landings,
            occupied: &mut occupied,
        })
    }
}

/// The cells of baddies. On large boards, it contains other cells too, but still saves most searches of lists.
#[derive(Debug)]
pub(super) struct Occupied {
    /// A byte for each cell, since updates of bits would wait for one another. Cells share them if there are more than entries.
    cells: [bool; 1024],
    pub(super) is_exact: bool,
}

impl Occupied {
    pub(super) const fn empty(grid: Grid) -> Self {
        Self {
            cells: [false; 1024],
            is_exact: grid.size() <= 1024,
        }
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        self.cells[cell.index() % 1024] = true;
    }

    pub(super) const fn remove(&mut self, cell: Cell) {
        self.cells[cell.index() % 1024] = !self.is_exact;
    }

    pub(super) const fn contains(&self, cell: Cell) -> bool {
        self.cells[cell.index() % 1024]
    }

    fn replace(&mut self, old: &[Baddie], new: &[Baddie]) {
        for baddie in old {
            self.remove(baddie.cell);
        }
        for baddie in new {
            self.insert(baddie.cell);
        }
    }
}
