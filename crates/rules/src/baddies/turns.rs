//! The turns from one position, which share what does not depend on the hero's move.

use super::{Baddie, Baddies, Key, Offset, State, holds};
use getaway_board::grid::{Cell, Grid};
use getaway_ruleset::Outcome;

/// The turns from a position, one for each key that points to a cell without a wall.
#[derive(Debug)]
pub struct Turns<'a> {
    board: &'a Baddies,
    at: &'a State,
    /// The cells on which each baddie lands, in the order of [`Key::ALL`].
    landings: &'a [[Cell; 9]],
    /// The cells to which the keys point, in the same order; the hero's cell instead of one beyond the edge.
    targets: [Cell; 9],
    /// For each key, 0 unless it points beyond the edge or to a cell on which a baddie lands.
    useless: [u32; 9],
    occupied: Occupied,
}

impl Turns<'_> {
    /// Returns the cell to which the key points, and whether that is a cell on which no baddie lands.
    #[inline]
    pub const fn target(&self, key: Key) -> (Cell, bool) {
        (self.targets[key.index()], self.useless[key.index()] == 0)
    }

    /// Sets `next` to the position after a turn; returns an outcome if it ends the game.
    #[inline]
    pub fn play(&mut self, key: Key, next: &mut State) -> Option<Outcome> {
        let Self { board, at, .. } = *self;
        let to = self.targets[key.index()];
        next.hero = to;
        let is_held = || self.occupied.before[to.index() % 1024] && holds(&at.baddies, to);
        let (_, outcome) = board.hero_fate(to, is_held);
        if outcome.is_some() {
            return outcome;
        }
        let aims = self.landings.iter().map(|lands| lands[key.index()]);
        board.move_to_aims(&at.baddies, aims, next, &mut self.occupied, &mut ())
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
        let hero = self.grid.position(at.hero);
        for (lands, &baddie) in landings.iter_mut().zip(&at.baddies) {
            self.baddie_lands_by_key(baddie, hero, lands);
        }
        let targets = Key::ALL.map(|key| {
            let Offset { rows, cols } = key.offset();
            self.grid.offset(at.hero, rows, cols)
        });
        let mut useless = targets.map(|target| u32::from(target.is_none()));
        let targets = targets.map(|target| target.unwrap_or(at.hero));
        // This compares all, since processors cannot predict which is the first.
        for lands in &*landings {
            for (useless, (lands, target)) in useless.iter_mut().zip(lands.iter().zip(&targets)) {
                *useless |= u32::from(lands == target);
            }
        }
        explore(&mut Turns {
            board: self,
            at,
            landings,
            targets,
            useless,
            occupied: Occupied::by(&at.baddies, self.grid),
        })
    }
}

/// The cells of baddies, who move in the order of their cells. Cells share entries on large boards.
#[derive(Debug)]
pub(super) struct Occupied {
    /// Whether a baddie stood on a cell before the turn.
    before: [bool; 1024],
    /// The number of the last turn in which a baddie moved to a cell, so that a new turn need not clear them.
    turns: [u8; 1024],
    turn: u8,
    pub(super) is_exact: bool,
}

impl Occupied {
    pub(super) fn by(baddies: &[Baddie], grid: Grid) -> Self {
        let mut before = [false; 1024];
        for baddie in baddies {
            before[baddie.cell.index() % 1024] = true;
        }
        Self {
            before,
            turns: [0; 1024],
            turn: 0,
            is_exact: grid.size() <= 1024,
        }
    }

    /// Begins another turn from the same position.
    pub(super) const fn begin_turn(&mut self) {
        if self.turn == u8::MAX {
            (self.turns, self.turn) = ([0; 1024], 0);
        }
        self.turn += 1;
    }

    /// Returns whether another baddie is on `aim` when the one of the cell `from` moves.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "processors cannot predict a jump here"
    )]
    pub(super) fn contains(&self, from: Cell, aim: Cell) -> bool {
        let entry = aim.index() % 1024;
        (self.turns[entry] == self.turn) | (self.before[entry] & (aim > from))
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        self.turns[cell.index() % 1024] = self.turn;
    }
}
