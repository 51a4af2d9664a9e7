use super::level::{Level, Ways};
use crate::grid::{Cell, Dir};

#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) level: &'a Level,
    pub(super) from: Cell,
    pub(super) open: Ways,
    pub(super) players: &'a [Cell],
}

impl<'a> Mover<'a> {
    pub(super) fn tile(&self, dir: Dir) -> Cell {
        let to = self.level.grid.step(self.from, dir);
        to.expect("a way leads to a tile of the level")
    }

    pub(super) fn players_within(self, radius: u32) -> impl Iterator<Item = Cell> + Clone + 'a {
        let is_near = move |cell: &Cell| self.level.grid.distance(self.from, *cell) <= radius;
        self.players.iter().copied().filter(is_near)
    }

    pub(super) fn players_in_room(self) -> impl Iterator<Item = Cell> + Clone + 'a {
        let is_there = move |cell: &Cell| self.level.share_a_room(self.from, *cell);
        self.players.iter().copied().filter(is_there)
    }
}
