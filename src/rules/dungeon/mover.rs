use super::level::{Level, Ways};
use crate::grid::{Cell, Dir};

#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) level: &'a Level,
    pub(super) from: Cell,
    /// The ways that rule 6 leaves open.
    pub(super) open: Ways,
    pub(super) players: &'a [Cell],
}

impl Mover<'_> {
    pub(super) fn tile(&self, dir: Dir) -> Cell {
        let to = self.level.grid.step(self.from, dir);
        to.expect("a way leads to a tile of the level")
    }

    pub(super) fn players_within(&self, radius: u32) -> Vec<Cell> {
        let is_near = |cell: &Cell| self.level.grid.distance(self.from, *cell) <= radius;
        self.players.iter().copied().filter(is_near).collect()
    }

    pub(super) fn players_in_room(&self) -> Vec<Cell> {
        let is_there = |cell: &Cell| self.level.share_a_room(self.from, *cell);
        self.players.iter().copied().filter(is_there).collect()
    }
}
