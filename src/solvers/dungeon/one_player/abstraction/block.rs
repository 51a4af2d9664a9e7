//! The constant data of a player position: the adversaries' states and moves.

use std::ops::Range;

use super::super::geometry::{Actor, Behaviour, Step};
use super::ghost_states::{GhostState, GhostStates, StateIndex, sets};
use super::tracking::{Kept, Tracking};
use super::{OnePlayerMdp, Shape};
use crate::grid::Dir;
use crate::rules::dungeon::Intent;
use crate::rules::dungeon::cooldown::Change;
use crate::rules::dungeon::level::{RoomNumber, Ways};

pub(super) const MOST_TILES: usize = 512;

pub(super) type Tiles = [(StateIndex, StateIndex); MOST_SLOTS];

pub(super) const MOST_SLOTS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Caught,
    State(StateIndex),
    /// A teleport; the number is the index of the resulting cooldown in [`Block::teleports`].
    Teleport(u8),
}

/// Equally likely outcomes of an adversary's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draw {
    targets: [Target; 4],
    count: u8,
}

impl Draw {
    fn new(targets: impl Iterator<Item = Target>) -> Self {
        let mut draw = Self {
            targets: [Target::Caught; 4],
            count: 0,
        };
        for target in targets {
            draw.targets[usize::from(draw.count)] = target;
            draw.count += 1;
        }
        draw
    }

    pub(super) fn count(&self) -> u16 {
        self.count.into()
    }

    pub(super) fn teleports(&self) -> bool {
        let is_teleport = |target: &Target| matches!(target, Target::Teleport(_));
        self.targets().iter().any(is_teleport)
    }

    /// The rows of the targets, in the form that [`means`](crate::engine::mdp::means) expects.
    #[inline]
    pub(super) fn sources<'r, V>(&self, row: impl Fn(Target) -> &'r [V]) -> [&'r [V]; 4] {
        self.targets.map(row)
    }

    #[inline]
    pub(super) fn targets(&self) -> &[Target] {
        &self.targets[..usize::from(self.count)]
    }
}

#[derive(Debug)]
pub(super) struct Slot {
    /// The number of the zombie in this slot, counted among all zombies.
    pub(super) zombie: usize,
    pub(super) room: RoomNumber,
    pub(super) tiles: Vec<u32>,
    /// The distance between the indices of combinations with successive tiles.
    pub(super) stride: usize,
    /// The zombie's draws, indexed by tile and set of blocked ways.
    draws: Vec<Draw>,
}

impl Slot {
    /// Returns the tile's number within the room.
    pub(super) fn local(&self, tile: u32) -> Option<StateIndex> {
        let found = self.tiles.binary_search(&tile).ok()?;
        Some(found as StateIndex)
    }

    pub(super) fn tile_in(&self, combination: usize) -> u32 {
        self.tiles[combination / self.stride % self.tiles.len()]
    }

    pub(super) fn draw(&self, local: StateIndex, blocked: u8) -> &Draw {
        &self.draws[usize::from(local) << 4 | usize::from(blocked)]
    }
}

#[derive(Debug)]
pub(super) struct Arrivals {
    /// All tiles except those with the player, the key or the exit.
    pub(super) tiles: Vec<u32>,
    /// The number of untracked zombies.
    pub(super) hidden: usize,
    /// For each combination of zombies, the number of these tiles that tracked zombies occupy. Empty if no zombie is tracked.
    pub(super) taken: Vec<u8>,
}

/// A player position, with the states of the adversaries when the player has just moved there.
///
/// Values are ordered by ghost states, parities of hidden zombies, and tiles of tracked zombies.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) position: u32,
    /// The states of a ghost that waits for its move, and those of a ghost that has moved.
    pub(super) waiting: GhostStates,
    pub(super) moved: GhostStates,
    pub(super) slots: Vec<Slot>,
    pub(super) player_tile: Option<u32>,
    pub(super) parities: Vec<usize>,
    pub(super) zombies: usize,
    pub(super) all_tiles: Tiles,
    pub(super) arrivals: Vec<Arrivals>,
    /// The possible cooldowns of a teleported ghost.
    pub(super) teleports: Vec<u8>,
    /// The range of draws from which nature may choose, indexed by ghost state and by the set of ways that tracked adversaries
    /// block.
    ranges: Vec<Range<u32>>,
    draws: Vec<Draw>,
}

impl Block {
    /// Returns the size of the block; `None` if its numbers are too large.
    pub(super) fn shape_of(
        mdp: &OnePlayerMdp,
        tracking: &Tracking,
        position: u32,
        most_cooldown: u8,
    ) -> Option<Shape> {
        let cell = mdp.geometry.positions.get(position).cell.index();
        let kept: Vec<Kept> = (0..tracking.len())
            .map(|zombie| tracking.kept(zombie, cell))
            .collect();
        let tracked = kept.iter().filter(|&&kept| kept == Kept::Tile).count();
        let waiting = GhostStates::new(mdp, position, true, most_cooldown)?;
        let tiles = |zombie: usize| mdp.geometry.rooms[tracking.room(zombie) as usize].len();
        let mut zombies = (0..kept.len()).filter(|&zombie| kept[zombie] == Kept::Tile);
        let zombies = zombies.try_fold(1_usize, |all, zombie| all.checked_mul(tiles(zombie)))?;
        let parities = kept.iter().filter(|&&kept| kept == Kept::Parity).count();
        (tracked <= MOST_SLOTS && parities < 8).then_some(Shape {
            parities: 1 << parities,
            ghosts: sets(waiting.len(), mdp.ghosts),
            zombies,
        })
    }

    pub(super) fn new(
        mdp: &OnePlayerMdp,
        tracking: &Tracking,
        position: u32,
        most_cooldown: u8,
    ) -> Option<Self> {
        let cell = mdp.geometry.positions.get(position).cell.index();
        let (mut slots, mut parities) = (Vec::new(), Vec::new());
        for zombie in 0..tracking.len() {
            match tracking.kept(zombie, cell) {
                Kept::Tile => slots.push(slot(mdp, position, (zombie, tracking.room(zombie)))),
                Kept::Parity => parities.push(zombie),
                Kept::Nothing => {}
            }
        }
        let mut zombies = 1;
        for slot in slots.iter_mut().rev() {
            slot.stride = zombies;
            zombies *= slot.tiles.len();
        }
        let mut block = Self {
            position,
            waiting: GhostStates::new(mdp, position, true, most_cooldown)?,
            moved: GhostStates::new(mdp, position, false, most_cooldown)?,
            player_tile: mdp
                .geometry
                .tile_at(mdp.geometry.positions.get(position).cell),
            all_tiles: all_tiles(&slots),
            slots,
            parities,
            zombies,
            arrivals: Vec::new(),
            teleports: Vec::new(),
            ranges: Vec::new(),
            draws: Vec::new(),
        };
        let hidden = |room| {
            let zombies = (0..tracking.len()).filter(|&zombie| tracking.room(zombie) == room);
            let hidden = zombies.filter(|&zombie| tracking.kept(zombie, cell) != Kept::Tile);
            hidden.count()
        };
        for (room, tiles) in (0..).zip(&mdp.geometry.rooms) {
            let bare = tiles
                .iter()
                .copied()
                .filter(|&tile| mdp.is_bare(position, tile));
            let tiles: Vec<u32> = bare.collect();
            if !tiles.is_empty() {
                block.arrivals.push(Arrivals {
                    taken: block.taken(room, &tiles),
                    hidden: hidden(room),
                    tiles,
                });
            }
        }
        if mdp.ghosts > 0 {
            let options = GhostOptions {
                mdp,
                position,
                most_cooldown,
                hidden: &hidden,
            };
            options.add_to(&mut block);
        }
        Some(block)
    }

    pub(super) fn draws(&self, state: StateIndex, blocked: u8) -> &[Draw] {
        let range = &self.ranges[usize::from(state) << 4 | usize::from(blocked)];
        &self.draws[range.start as usize..range.end as usize]
    }

    pub(super) const fn width(&self) -> usize {
        self.zombies << self.parities.len()
    }

    /// Returns whether no other tracked zombie is in the same room.
    pub(super) fn is_alone(&self, nth: usize) -> bool {
        let mut others = (0..self.slots.len()).filter(|&other| other != nth);
        others.all(|other| self.slots[other].room != self.slots[nth].room)
    }

    fn taken(&self, room: RoomNumber, tiles: &[u32]) -> Vec<u8> {
        let slots: Vec<&Slot> = self.slots.iter().filter(|slot| slot.room == room).collect();
        let is_taken = |slot: &Slot, at| tiles.binary_search(&slot.tile_in(at)).is_ok();
        let count = |at| slots.iter().filter(|slot| is_taken(slot, at)).count() as u8;
        let all = if slots.is_empty() { 0 } else { self.width() };
        (0..all).map(count).collect()
    }

    /// Returns the maximum number of intermediate values in an update.
    pub(super) fn scratch_values(&self, ghosts: usize) -> usize {
        let others = |moved: usize, waits: usize| {
            sets(self.moved.len(), moved) * sets(self.waiting.len(), waits) * self.width()
        };
        let stages: usize = (0..=ghosts)
            .map(|moved| others(moved, ghosts - moved))
            .sum();
        let teleports = (0..ghosts)
            .map(|moved| others(moved, ghosts - moved - 1))
            .max();
        let hidden = self.arrivals.iter().map(|room| room.hidden).max();
        // Room for two rows of sums, each up to twice as large as a value, one row of counts, and one of losses.
        let rows = 6 + hidden.unwrap_or(0);
        2 * (stages << self.slots.len())
            + 2 * teleports.unwrap_or(0) * self.teleports.len()
            + rows * self.width()
    }

    pub(super) fn bytes(&self) -> u64 {
        let ghosts = self.ranges.capacity() * size_of::<Range<u32>>()
            + self.draws.capacity() * size_of::<Draw>()
            + (self.waiting.len() + self.moved.len()) * 2 * size_of::<GhostState>();
        let zombies: usize = self.slots.iter().map(|slot| slot.draws.capacity()).sum();
        let taken: usize = self.arrivals.iter().map(|room| room.taken.capacity()).sum();
        (ghosts + zombies * size_of::<Draw>() + taken) as u64
    }
}

fn all_tiles(slots: &[Slot]) -> Tiles {
    let mut tiles = [(0, 1); MOST_SLOTS];
    for (tiles, slot) in tiles.iter_mut().zip(slots) {
        *tiles = (0, slot.tiles.len() as StateIndex);
    }
    tiles
}

fn slot(mdp: &OnePlayerMdp, position: u32, (zombie, room): (usize, RoomNumber)) -> Slot {
    let tiles = mdp.geometry.rooms[room as usize].clone();
    let local = |tile: u32| {
        tiles
            .binary_search(&tile)
            .expect("zombies stay in their room")
    };
    let player = mdp.geometry.positions.get(position).cell;
    let mut draws = Vec::new();
    for &tile in &tiles {
        for blocked in 0..16 {
            let intent = mdp.geometry.intent(
                &mdp.dungeon,
                Actor {
                    position,
                    behaviour: Behaviour::Zombie,
                    tile,
                    blocked: Ways::from_bits(blocked),
                },
            );
            let target = |dir| match mdp.geometry.step(tile, dir) {
                Step::Tile(to) if mdp.geometry.cell(to) == player => Target::Caught,
                Step::Tile(to) => Target::State(local(to) as StateIndex),
                Step::Teleports | Step::Blocked => unreachable!("zombies walk on floor"),
            };
            let stays = Target::State(local(tile) as StateIndex);
            let stays = intent.ways.is_empty().then_some(stays);
            draws.push(Draw::new(intent.ways.iter().map(target).chain(stays)));
        }
    }
    Slot {
        zombie,
        room,
        tiles,
        stride: 1,
        draws,
    }
}

struct Intents {
    perhaps_blocked: Vec<u8>,
    /// The intents computed so far, indexed by behaviour and set of blocked ways.
    known: [[Option<Intent>; 16]; 2],
}

struct GhostOptions<'a> {
    mdp: &'a OnePlayerMdp,
    position: u32,
    most_cooldown: u8,
    /// Returns the number of hidden zombies in a room.
    hidden: &'a dyn Fn(RoomNumber) -> usize,
}

impl GhostOptions<'_> {
    fn add_to(&self, block: &mut Block) {
        let others = self.mdp.dungeon.adversaries.len() as u32 - 1;
        for tile in 0..self.mdp.geometry.tile_count() {
            let mut intents = Intents {
                perhaps_blocked: self.perhaps_blocked(tile).collect(),
                known: [[None; 16]; 2],
            };
            for state in block.waiting.at(tile) {
                let state = block.waiting.get(state);
                for blocked in 0..16_u8 {
                    let first = block.draws.len();
                    if blocked.count_ones() <= others {
                        self.add_draws(block, (state, blocked), &mut intents);
                    }
                    block.ranges.push(first as u32..block.draws.len() as u32);
                }
            }
        }
    }

    fn add_draws(
        &self,
        block: &mut Block,
        (state, blocked): (GhostState, u8),
        Intents {
            perhaps_blocked,
            known,
        }: &mut Intents,
    ) {
        let first = block.draws.len();
        for more in perhaps_blocked {
            let blocked = blocked | *more;
            for &behaviour in self.behaviours(state.cooldown) {
                let is_cooling = usize::from(behaviour == Behaviour::CoolingGhost);
                let intent = &mut known[is_cooling][usize::from(blocked)];
                let intent =
                    intent.get_or_insert_with(|| self.intent(state.tile, behaviour, blocked));
                let Intent { ways, change } = *intent;
                for &cooldown in &self.cooldowns(state.cooldown, change) {
                    let draw = self.draw(block, (state.tile, cooldown), ways);
                    if !block.draws[first..].contains(&draw) {
                        block.draws.push(draw);
                    }
                }
            }
        }
    }

    /// Returns the behaviours possible with this cooldown: both if cooldowns are not kept.
    fn behaviours(&self, cooldown: u8) -> &'static [Behaviour] {
        let is_forgotten = self.most_cooldown == 0 && self.mdp.most_cooldown() > 0;
        match (is_forgotten, cooldown) {
            (true, _) => &[Behaviour::ReadyGhost, Behaviour::CoolingGhost],
            (false, 0) => &[Behaviour::ReadyGhost],
            (false, _) => &[Behaviour::CoolingGhost],
        }
    }

    fn intent(&self, tile: u32, behaviour: Behaviour, blocked: u8) -> Intent {
        let actor = Actor {
            position: self.position,
            behaviour,
            tile,
            blocked: Ways::from_bits(blocked | self.mdp.immobile_ways(tile).bits()),
        };
        self.mdp.geometry.intent(&self.mdp.dungeon, actor)
    }

    /// Lists the sets of ways that hidden zombies may block. Each zombie blocks at most one way, in its own room.
    fn perhaps_blocked(&self, tile: u32) -> impl Iterator<Item = u8> {
        let geometry = &self.mdp.geometry;
        let room = |dir: Dir| match geometry.step(tile, dir) {
            Step::Tile(to) => self.mdp.dungeon.level.room_of(geometry.cell(to)),
            Step::Teleports | Step::Blocked => None,
        };
        let rooms = Dir::ALL.map(room);
        let hidden = rooms.map(|room| room.map_or(0, self.hidden));
        (0..16_u8).filter(move |set| {
            Dir::ALL.into_iter().all(|dir| {
                let is_in = |other: &Dir| set & 1 << *other as u8 != 0;
                let same = |other: &Dir| rooms[*other as usize] == rooms[dir as usize];
                let blocked = Dir::ALL.iter().filter(|other| is_in(other) && same(other));
                !is_in(&dir) || blocked.count() <= hidden[dir as usize]
            })
        })
    }

    /// Returns the possible cooldowns after this change: several if the new one is not known exactly.
    fn cooldowns(&self, cooldown: u8, change: Change) -> Vec<u8> {
        let most = self.most_cooldown;
        let set = self.mdp.dungeon.settings.cooldown;
        match change {
            _ if most == 0 => vec![0],
            Change::Falls if self.mdp.has_stages => vec![cooldown],
            Change::Falls if cooldown == most && most < set => vec![most - 1, most],
            _ => vec![change.apply(cooldown, set).min(most)],
        }
    }

    fn draw(&self, block: &mut Block, (tile, cooldown): (u32, u8), ways: Ways) -> Draw {
        let geometry = &self.mdp.geometry;
        let player = geometry.positions.get(self.position).cell;
        let stays = ways.is_empty().then_some(tile);
        let stand = |block: &Block, tile| {
            let state = block.moved.find(GhostState { tile, cooldown });
            Target::State(state.expect("a ghost gets where it can be"))
        };
        let mut targets: Vec<Target> = Vec::new();
        for dir in ways.iter() {
            targets.push(match geometry.step(tile, dir) {
                Step::Tile(to) if geometry.cell(to) == player => Target::Caught,
                Step::Tile(to) => stand(block, to),
                Step::Teleports => Target::Teleport(teleport(&mut block.teleports, cooldown)),
                Step::Blocked => stand(block, tile),
            });
        }
        targets.extend(stays.map(|tile| stand(block, tile)));
        Draw::new(targets.into_iter())
    }
}

/// Returns the index of `cooldown` in `teleports`.
fn teleport(teleports: &mut Vec<u8>, cooldown: u8) -> u8 {
    let known = teleports.iter().position(|&other| other == cooldown);
    let number = known.unwrap_or_else(|| {
        teleports.push(cooldown);
        teleports.len() - 1
    });
    number as u8
}
