//! Tables for a ghost and zombies, each zombie in a room of its own. A zombie's move depends on the ghost only if they
//! are next to each other, and never on other zombies.

mod combinations;
mod sweep;

use super::super::block::{Arrivals, Block, Draw, Slot, Target};
use super::super::ghost_states::{GhostState, StateIndex};
use super::super::tracking::Tracking;
use super::super::{Abstraction, OnePlayerMdp};
use super::Turns;
use crate::engine::mdp::{SweepView, ValueDomain};
use crate::limits::{Budget, Limit};
use combinations::{MOST_ZOMBIES, Region, split};
use sweep::{Scratch, Turn};

/// Represents catching the player.
pub(super) const CATCH: StateIndex = StateIndex::MAX;

/// The moves of a zombie on a tile: tile numbers, or [`CATCH`]. The first `count` are equally likely.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) targets: [StateIndex; 4],
    pub(super) count: u16,
}

/// The plan for a player position: the zombies' moves, the order of the adversaries, and the rows to compute.
#[derive(Debug)]
pub(in crate::solvers::dungeon) struct Plan {
    /// Indexed by zombie and tile; nothing blocks the zombie.
    steps: Vec<Vec<Step>>,
    /// The first tile from which each zombie moves after the ghost, indexed by waiting ghost state and zombie.
    firsts: Vec<[StateIndex; MOST_ZOMBIES]>,
    /// Indexed by moved ghost state: the sets of zombies that may have yet to move, as bits.
    stages: Vec<u8>,
    inside: Vec<Option<Inside>>,
}

/// The zombie in a room that the ghost may teleport to.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) zombie: usize,
    /// Indexed by the zombie's tile: the number of tiles free for the ghost.
    pub(super) free: Vec<u16>,
}

impl Turns for Plan {
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn fit(mdp: &OnePlayerMdp) -> bool {
        let zombies = mdp.mobile().saturating_sub(mdp.ghosts);
        let is_right = mdp.ghosts == 1 && (1..=MOST_ZOMBIES).contains(&zombies);
        is_right && Tracking::new(mdp, u32::MAX).are_apart()
    }

    fn new(model: &Abstraction, block: usize) -> Option<Self> {
        let (mdp, block) = (&model.mdp, &model.blocks[block]);
        let steps = |slot: &Slot| {
            let locals = 0..slot.tiles.len() as StateIndex;
            locals.map(|local| Step::of(slot, local, 0)).collect()
        };
        let rooms = block.arrivals.iter();
        let mut plan = Self {
            steps: block.slots.iter().map(steps).collect(),
            firsts: Vec::new(),
            stages: vec![1; block.moved.len()],
            inside: rooms.map(|room| Inside::of(block, room)).collect(),
        };
        let is_near: Vec<_> = block.slots.iter().map(|slot| near(mdp, slot)).collect();
        for ghost in 0..block.waiting.len() as StateIndex {
            let firsts = firsts(block, ghost, &is_near);
            for before in 0..1 << block.slots.len() {
                if split(block, before, firsts).is_some() {
                    plan.note_stages(block, ghost, before);
                }
            }
            plan.firsts.push(firsts);
        }
        plan.note_arrivals(mdp, block);
        Some(plan)
    }

    fn bytes(&self) -> u64 {
        let steps: usize = self.steps.iter().map(Vec::capacity).sum();
        let inside = self.inside.iter().flatten();
        let free: usize = inside.map(|inside| inside.free.capacity()).sum();
        let bytes = steps * size_of::<Step>()
            + self.steps.capacity() * size_of::<Vec<Step>>()
            + self.firsts.capacity() * size_of::<[StateIndex; MOST_ZOMBIES]>()
            + self.stages.capacity()
            + self.inside.capacity() * size_of::<Option<Inside>>()
            + free * size_of::<u16>();
        bytes as u64
    }

    fn values(&self, model: &Abstraction, block: usize) -> usize {
        Turn::values(&model.blocks[block])
    }

    fn update<'s, V: ValueDomain>(
        &self,
        model: &Abstraction,
        view: &SweepView<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let turn = Turn {
            mdp: &model.mdp,
            block: &model.blocks[view.block()],
            plan: self,
            choice: &model.choices[view.block()],
            surroundings: &model.surroundings,
            threads: view.threads(),
        };
        turn.update(view, scratch, budget)
    }
}

impl Plan {
    pub(super) fn steps(&self, nth: usize) -> &[Step] {
        &self.steps[nth]
    }

    /// The region in which exactly these zombies move before the ghost; `None` if empty.
    pub(super) fn region(&self, block: &Block, ghost: StateIndex, set: usize) -> Option<Region> {
        split(block, set, self.firsts[usize::from(ghost)])
    }

    /// Returns whether the row between the ghost's move and those of these zombies is needed.
    pub(super) fn is_needed(&self, ghost: StateIndex, set: usize) -> bool {
        self.stages[usize::from(ghost)] >> set & 1 == 1
    }

    pub(super) fn inside(&self, room: usize) -> Option<&Inside> {
        self.inside[room].as_ref()
    }

    fn note_stages(&mut self, block: &Block, ghost: StateIndex, before: usize) {
        let all = (1 << block.slots.len()) - 1;
        let draws = (0..16).flat_map(|blocked| block.draws(ghost, blocked));
        for target in draws.flat_map(Draw::targets) {
            if let Target::State(to) = target {
                self.note(*to, all & !before);
            }
        }
    }

    /// Notes the stages needed for teleports, in which a zombie of the room has yet to move.
    fn note_arrivals(&mut self, mdp: &OnePlayerMdp, block: &Block) {
        for &cooldown in &block.teleports {
            for (nth, slot) in block.slots.iter().enumerate() {
                for &tile in slot
                    .tiles
                    .iter()
                    .filter(|&&tile| mdp.is_bare(block.position, tile))
                {
                    let to = block.moved.find(GhostState { tile, cooldown });
                    self.note(to.expect("a ghost can be on a free tile"), 1 << nth);
                }
            }
        }
    }

    /// Notes a stage and those needed to compute it.
    fn note(&mut self, ghost: StateIndex, set: usize) {
        let mut set = set;
        while set > 0 {
            self.stages[usize::from(ghost)] |= 1 << set;
            set &= set - 1;
        }
    }
}

impl Step {
    pub(super) fn of(slot: &Slot, local: StateIndex, blocked: u8) -> Self {
        let targets = slot.draw(local, blocked).targets();
        let number = |target: &Target| match target {
            Target::State(to) => *to,
            Target::Caught | Target::Teleport(_) => CATCH,
        };
        Self {
            targets: std::array::from_fn(|nth| targets.get(nth).map_or(CATCH, number)),
            count: targets.len() as u16,
        }
    }

    pub(super) fn tiles(&self) -> impl Iterator<Item = usize> {
        let targets = self.targets[..usize::from(self.count)].iter();
        let tiles = targets.filter(|&&target| target != CATCH);
        tiles.map(|&target| usize::from(target))
    }
}

impl Inside {
    fn of(block: &Block, room: &Arrivals) -> Option<Self> {
        let is_in = |slot: &Slot| room.tiles.iter().any(|&tile| slot.local(tile).is_some());
        let zombie = block.slots.iter().position(is_in)?;
        let free = |tile: &u32| {
            let is_taken = room.tiles.binary_search(tile).is_ok();
            (room.tiles.len() - usize::from(is_taken)) as u16
        };
        let free = block.slots[zombie].tiles.iter().map(free).collect();
        Some(Self { zombie, free })
    }
}

/// True for tiles where a ghost and this zombie may block each other within a turn.
fn near(mdp: &OnePlayerMdp, slot: &Slot) -> Vec<bool> {
    let (grid, geometry) = (mdp.dungeon.level.grid, &mdp.geometry);
    let distance = |a, b| grid.distance(geometry.cell(a), geometry.cell(b));
    let is_near = |tile| slot.tiles.iter().any(|&other| distance(tile, other) <= 2);
    (0..geometry.tile_count()).map(is_near).collect()
}

/// For each zombie, the first tile from which it moves after the ghost. 0 if the order doesn't matter, because they
/// never block each other and the ghost does not teleport.
fn firsts(block: &Block, ghost: StateIndex, is_near: &[Vec<bool>]) -> [StateIndex; MOST_ZOMBIES] {
    let tile = block.waiting.get(ghost).tile;
    let mut draws = (0..16).flat_map(|blocked| block.draws(ghost, blocked));
    let is_teleport = |target: &Target| matches!(target, Target::Teleport(_));
    let teleports = draws.any(|draw| draw.targets().iter().any(is_teleport));
    let mut firsts = [0; MOST_ZOMBIES];
    for ((first, slot), is_near) in firsts.iter_mut().zip(&block.slots).zip(is_near) {
        if teleports || is_near[tile as usize] {
            *first = slot.tiles.partition_point(|&other| other < tile) as StateIndex;
        }
    }
    firsts
}

#[cfg(test)]
mod tests;
