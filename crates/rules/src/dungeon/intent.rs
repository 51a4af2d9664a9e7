//! The intents of adversaries: rules 6 and 8.

use super::cooldown::Change;
use super::level::{Mover, Tile, Ways};
use super::{Dungeon, Kind, Strategy, chase, cooldown};
use getaway_board::bits::Bits;
use getaway_board::grid::Cell;

#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub players: &'a [Cell],
    pub others: &'a [Cell],
    pub key: Option<Cell>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The directions, all equally likely; if there are none, the adversary stays.
    pub ways: Ways,
    pub change: Change,
}

impl Dungeon {
    pub fn open_ways(&self, from: Cell, kind: Kind, scene: &Scene) -> Ways {
        let level = &self.level;
        let chases = self.settings.strategy == Strategy::Chase;
        Ways::from(level.grid, from, |to| {
            let is_object = level.exit == Some(to) || scene.key == Some(to);
            let is_its_ground = match kind {
                Kind::Zombie => level.share_a_room(from, to),
                Kind::Ghost { .. } => chases || level.tile(to) != Tile::Void,
            };
            is_its_ground && !(chases && is_object) && !scene.others.contains(&to)
        })
    }

    /// Returns an adversary's intent (rule 8).
    pub fn intent(&self, from: Cell, kind: Kind, scene: &Scene) -> Intent {
        let radius = u32::from(self.settings.radius);
        let mover = Mover {
            level: &self.level,
            from,
            open: self.open_ways(from, kind, scene),
            players: scene.players,
        };
        let (ways, change) = match (self.settings.strategy, kind) {
            (Strategy::Chase, Kind::Zombie) => (chase::zombie(mover), Change::Keeps),
            (Strategy::Chase, Kind::Ghost { .. }) => (chase::ghost(mover, radius), Change::Keeps),
            (Strategy::Cooldown, Kind::Zombie) => (cooldown::zombie(mover), Change::Keeps),
            (Strategy::Cooldown, Kind::Ghost { cooldown }) => {
                cooldown::ghost(mover, radius, cooldown)
            }
        };
        Intent { ways, change }
    }

    /// Returns the cells of the zombies that can never move, because the level or other such zombies block every step.
    pub fn stuck(&self) -> Bits {
        let grid = self.level.grid;
        let mut stuck = Bits::new(grid);
        for other in &self.adversaries {
            if other.kind == Kind::Zombie {
                stuck.insert(other.cell);
            }
        }
        loop {
            let is_free = |cell: &Cell| !self.is_shut_in(*cell, &stuck);
            let free: Vec<Cell> = stuck.iter(grid).filter(is_free).collect();
            if free.is_empty() {
                return stuck;
            }
            for cell in free {
                stuck.remove(cell);
            }
        }
    }

    /// Returns whether a zombie can't move while adversaries are on the cells `taken`, even once the key is gone.
    fn is_shut_in(&self, zombie: Cell, taken: &Bits) -> bool {
        let neighbours = self.level.grid.neighbours(zombie).map(|(_, cell)| cell);
        let others: Vec<Cell> = neighbours.filter(|&cell| taken.contains(cell)).collect();
        let scene = Scene {
            players: &[],
            others: &others,
            key: None,
        };
        self.open_ways(zombie, Kind::Zombie, &scene).is_empty()
    }
}
