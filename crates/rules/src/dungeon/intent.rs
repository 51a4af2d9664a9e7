//! The tiles on which adversaries may step (rule 6), and their choice among them (rule 8).

use super::level::{DirSet, Mover, Tile};
use super::{AdversaryKind, CooldownChange, Dungeon, Strategy, chase, cooldown};
use getaway_board::bits::Bits;
use getaway_board::grid::Cell;

/// The other actors and the key when an adversary is about to move.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The players' cells.
    pub players: &'a [Cell],
    /// The other adversaries' cells.
    pub others: &'a [Cell],
    /// The key's cell, unless the key has been taken.
    pub key: Option<Cell>,
}

/// The steps among which an adversary draws by its strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The directions, all equally likely; if there are none, the adversary stays.
    pub ways: DirSet,
    /// The change of a ghost's cooldown.
    pub change: CooldownChange,
}

impl Dungeon {
    /// Returns the directions of the tiles on which an adversary may step (rule 6).
    pub fn open_ways(&self, from: Cell, kind: AdversaryKind, scene: &Surroundings) -> DirSet {
        let level = &self.level;
        let chases = self.settings.strategy == Strategy::Chase;
        DirSet::of_neighbours(level.grid, from, |to| {
            let is_object = level.exit == Some(to) || scene.key == Some(to);
            let is_its_ground = match kind {
                AdversaryKind::Zombie => level.share_a_room(from, to),
                AdversaryKind::Ghost { .. } => chases || level.tile(to) != Tile::Void,
            };
            is_its_ground && !(chases && is_object) && !scene.others.contains(&to)
        })
    }

    /// Returns the steps among which an adversary on `from` draws, and the change of its cooldown (rule 8).
    pub fn intent(&self, from: Cell, kind: AdversaryKind, scene: &Surroundings) -> Intent {
        let radius = u32::from(self.settings.radius);
        let mover = Mover {
            level: &self.level,
            from,
            open: self.open_ways(from, kind, scene),
            players: scene.players,
        };
        let (ways, change) = match (self.settings.strategy, kind) {
            (Strategy::Chase, AdversaryKind::Zombie) => {
                (chase::zombie(mover), CooldownChange::Keeps)
            }
            (Strategy::Chase, AdversaryKind::Ghost { .. }) => {
                (chase::ghost(mover, radius), CooldownChange::Keeps)
            }
            (Strategy::Cooldown, AdversaryKind::Zombie) => {
                (cooldown::zombie(mover), CooldownChange::Keeps)
            }
            (Strategy::Cooldown, AdversaryKind::Ghost { cooldown }) => {
                cooldown::ghost(mover, radius, cooldown)
            }
        };
        Intent { ways, change }
    }

    /// Returns the cells of the zombies that can never move, because the level or other such zombies block every step.
    pub fn stuck(&self) -> Bits {
        let grid = self.level.grid;
        let mut zombies = self.adversaries.clone();
        zombies.retain(|other| other.kind == AdversaryKind::Zombie);
        let mut stuck = Bits::of_cells(grid, zombies.iter().map(|zombie| zombie.cell));
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
        let scene = Surroundings {
            players: &[],
            others: &others,
            key: None,
        };
        self.open_ways(zombie, AdversaryKind::Zombie, &scene)
            .is_empty()
    }
}
