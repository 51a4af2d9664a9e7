//! The constant data of a player position: the adversaries' states and moves.

use std::ops::Range;

use super::super::code::PackedAdversary;
use super::super::geometry::{Behaviour, Landing};
use super::DungeonMdp;
use super::ghost_states::{GhostStates, StateIndex, binomial};
use super::tracking::{Tracked, Tracking};
use getaway_board::grid::Dir;
use getaway_rules::dungeon::CooldownChange;
use getaway_rules::dungeon::Intent;
use getaway_rules::dungeon::level::{DirSet, RoomNumber};

pub(super) const MAX_TILES: usize = 512;

pub(super) type TileRanges = [(StateIndex, StateIndex); MAX_SLOTS];

pub(super) const MAX_SLOTS: usize = 6;

/// The number of a result of an adversary's move. The states after the move come first, then one number for no result, then those
/// of other results: in a [`Block`], one for a capture, and those of teleports, in the order of [`Block::teleports`].
pub(crate) type Target = u16;

/// Equally likely outcomes of an adversary's move. Unused targets stand for no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    pub(crate) targets: [Target; 4],
    pub(crate) count: u16,
}

impl Draw {
    /// Creates a draw of at most four targets; `none`, the target of no result, fills the unused ones.
    pub(crate) fn new(none: Target, all: impl Iterator<Item = Target>) -> Self {
        let (mut targets, mut count) = ([none; 4], 0);
        for target in all {
            targets[usize::from(count)] = target;
            count += 1;
        }
        Self { targets, count }
    }
}

#[derive(Debug)]
pub(super) struct TrackedZombie {
    /// The number of this zombie among all zombies that can move.
    pub(super) zombie: usize,
    pub(super) room: RoomNumber,
    pub(super) tiles: Vec<u32>,
    /// The distance between the indices of combinations with successive tiles.
    pub(super) stride: usize,
    /// The zombie's draws, indexed by tile and set of blocked ways. Targets that are not tiles are losses or unused.
    draws: Vec<Draw>,
}

impl TrackedZombie {
    /// Returns the tile's number within the room; `None` if it is not in the room.
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
pub(super) struct RoomArrivals {
    pub(super) room: RoomNumber,
    /// The room's tiles, except those with the player, the key, the exit or a zombie that never moves.
    pub(super) tiles: Vec<u32>,
    /// The ghost states on these tiles, for each of the [`Block::teleports`].
    pub(super) states: Vec<Vec<StateIndex>>,
    /// The number of zombies in the room whose tiles are not tracked.
    pub(super) hidden: usize,
    /// For each combination of zombies, the number of these tiles that tracked zombies occupy. Empty if no zombie of the room is
    /// tracked.
    pub(super) taken: Vec<u8>,
}

/// A player position, with the states of the adversaries when the player has just moved there.
///
/// Values are ordered by ghost states, parities of hidden zombies, and tiles of tracked zombies.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) position: u32,
    /// The states of a ghost that waits for its move.
    pub(super) waiting: GhostStates,
    /// The states of a ghost that has moved.
    pub(super) moved: GhostStates,
    pub(super) slots: Vec<TrackedZombie>,
    pub(super) player_tile: Option<u32>,
    pub(super) parities: Vec<usize>,
    pub(super) tile_combinations: usize,
    pub(super) all_tiles: TileRanges,
    pub(super) arrivals: Vec<RoomArrivals>,
    /// The possible cooldowns of a teleported ghost.
    pub(super) teleports: Vec<u8>,
    /// The range of draws from which nature may choose, indexed by the set of ways that tracked adversaries block and by ghost
    /// state.
    ranges: Vec<Range<u32>>,
    draws: Vec<Draw>,
}

impl Block {
    /// Returns the number of values of a block: one for each combination of the ghost states, the parities of hidden zombies,
    /// and the tiles of tracked zombies. Returns `None` if there are too many values or ghost states to number, or too many
    /// zombies whose tiles or parities are kept.
    pub(super) fn size(
        mdp: &DungeonMdp,
        tracking: &Tracking,
        position: u32,
        max_cooldown: u8,
    ) -> Option<usize> {
        let cell = mdp.geometry.positions.get(position).cell.index();
        let kept: Vec<Tracked> = (0..tracking.len())
            .map(|zombie| tracking.kept(zombie, cell))
            .collect();
        let tracked = kept.iter().filter(|&&kept| kept == Tracked::Tile).count();
        let waiting = GhostStates::new(mdp, position, true, max_cooldown)?;
        let tiles = |zombie: usize| mdp.geometry.rooms[tracking.room(zombie) as usize].len();
        let mut zombies = (0..kept.len()).filter(|&zombie| kept[zombie] == Tracked::Tile);
        let parities = kept.iter().filter(|&&kept| kept == Tracked::Parity).count();
        if tracked > MAX_SLOTS || parities >= 8 {
            return None;
        }
        let rows = binomial(waiting.len(), mdp.ghosts).checked_mul(1 << parities)?;
        let size = zombies.try_fold(rows, |all, zombie| all.checked_mul(tiles(zombie)))?;
        u32::try_from(size).ok().map(|size| size as usize)
    }

    pub(super) fn new(
        mdp: &DungeonMdp,
        tracking: &Tracking,
        position: u32,
        max_cooldown: u8,
    ) -> Option<Self> {
        let cell = mdp.geometry.positions.get(position).cell.index();
        let (mut slots, mut parities) = (Vec::new(), Vec::new());
        for zombie in 0..tracking.len() {
            match tracking.kept(zombie, cell) {
                Tracked::Tile => slots.push(slot(mdp, position, zombie, tracking.room(zombie))),
                Tracked::Parity => parities.push(zombie),
                Tracked::Nothing => {}
            }
        }
        let mut zombies = 1;
        for slot in slots.iter_mut().rev() {
            slot.stride = zombies;
            zombies *= slot.tiles.len();
        }
        let mut block = Self {
            position,
            waiting: GhostStates::new(mdp, position, true, max_cooldown)?,
            moved: GhostStates::new(mdp, position, false, max_cooldown)?,
            player_tile: mdp
                .geometry
                .tile_at(mdp.geometry.positions.get(position).cell),
            all_tiles: all_tiles(&slots),
            slots,
            parities,
            tile_combinations: zombies,
            arrivals: Vec::new(),
            teleports: Vec::new(),
            ranges: Vec::new(),
            draws: Vec::new(),
        };
        let hidden = |room| {
            let zombies = (0..tracking.len()).filter(|&zombie| tracking.room(zombie) == room);
            let hidden = zombies.filter(|&zombie| tracking.kept(zombie, cell) != Tracked::Tile);
            hidden.count()
        };
        if mdp.ghosts > 0 {
            let builder = GhostDrawBuilder {
                mdp,
                position,
                max_cooldown,
                hidden: &hidden,
            };
            builder.add_to(&mut block);
        }
        block.outcomes()?;
        for (room, tiles) in (0..).zip(&mdp.geometry.rooms) {
            let bare = |&tile: &u32| mdp.is_bare(position, tile);
            let tiles: Vec<u32> = tiles.iter().copied().filter(bare).collect();
            if !tiles.is_empty() {
                let states = |&cooldown: &u8| {
                    let state =
                        |&tile: &u32| block.moved.find(PackedAdversary::moved(tile, cooldown));
                    let states = tiles.iter().map(state).collect::<Option<_>>();
                    states.expect("a ghost can be on a free tile")
                };
                block.arrivals.push(RoomArrivals {
                    room,
                    states: block.teleports.iter().map(states).collect(),
                    taken: block.taken(room, &tiles),
                    hidden: hidden(room),
                    tiles,
                });
            }
        }
        Some(block)
    }

    pub(super) fn draws(&self, state: StateIndex, blocked: u8) -> &[Draw] {
        let at = usize::from(blocked) * self.waiting.len() + usize::from(state);
        let range = &self.ranges[at];
        &self.draws[range.start as usize..range.end as usize]
    }

    /// Returns the draw of each ghost state if no way is blocked; valid only if nature has no choice.
    pub(super) fn free_draws(&self) -> &[Draw] {
        &self.draws[..self.waiting.len()]
    }

    pub(super) fn caught_target(&self) -> usize {
        self.moved.len() + 1
    }

    pub(super) fn first_teleport(&self) -> usize {
        self.moved.len() + 2
    }

    /// Returns the number of targets of ghosts; `None` if there are too many to number.
    pub(super) fn outcomes(&self) -> Option<usize> {
        outcomes(self.moved.len(), self.teleports.len())
    }

    pub(super) fn teleports(&self, draw: &Draw) -> bool {
        let mut targets = draw.targets.iter();
        targets.any(|&target| usize::from(target) >= self.first_teleport())
    }

    pub(super) const fn width(&self) -> usize {
        self.tile_combinations << self.parities.len()
    }

    /// Returns whether no other tracked zombie is in the room of the zombie in slot `nth`.
    pub(super) fn is_alone(&self, nth: usize) -> bool {
        let mut others = (0..self.slots.len()).filter(|&other| other != nth);
        others.all(|other| self.slots[other].room != self.slots[nth].room)
    }

    fn taken(&self, room: RoomNumber, tiles: &[u32]) -> Vec<u8> {
        let slots: Vec<&TrackedZombie> =
            self.slots.iter().filter(|slot| slot.room == room).collect();
        let is_taken = |slot: &TrackedZombie, at| tiles.binary_search(&slot.tile_in(at)).is_ok();
        let count = |at| slots.iter().filter(|slot| is_taken(slot, at)).count() as u8;
        let all = if slots.is_empty() { 0 } else { self.width() };
        (0..all).map(count).collect()
    }

    /// Returns the maximum number of intermediate values in an update.
    pub(super) fn scratch_values(&self, ghosts: usize) -> usize {
        let others = |moved: usize, waits: usize| {
            binomial(self.moved.len(), moved) * binomial(self.waiting.len(), waits) * self.width()
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
            + (self.waiting.len() + self.moved.len()) * 2 * size_of::<PackedAdversary>();
        let zombies: usize = self.slots.iter().map(|slot| slot.draws.capacity()).sum();
        let arrivals = self.arrivals.iter().map(|room| {
            let states = room.tiles.len() * self.teleports.len();
            room.taken.capacity() + states * size_of::<StateIndex>()
        });
        (ghosts + zombies * size_of::<Draw>() + arrivals.sum::<usize>()) as u64
    }
}

pub(super) fn outcomes(states: usize, teleports: usize) -> Option<usize> {
    let count = states + 2 + teleports;
    Target::try_from(count).ok().map(usize::from)
}

fn all_tiles(slots: &[TrackedZombie]) -> TileRanges {
    let mut tiles = [(0, 1); MAX_SLOTS];
    for (tiles, slot) in tiles.iter_mut().zip(slots) {
        *tiles = (0, slot.tiles.len() as StateIndex);
    }
    tiles
}

fn slot(mdp: &DungeonMdp, position: u32, zombie: usize, room: RoomNumber) -> TrackedZombie {
    let tiles = mdp.geometry.rooms[room as usize].clone();
    let local = |tile: u32| {
        let found = tiles.binary_search(&tile);
        found.expect("zombies stay in their room") as Target
    };
    let none = tiles.len() as Target;
    let mut draws = Vec::new();
    for &tile in &tiles {
        for blocked in 0..16 {
            let blocked = DirSet::from_bits(blocked);
            let intent = mdp.intent(position, tile, Behaviour::Zombie, blocked);
            let target = |landing| match landing {
                Landing::Caught(_) => none + 1,
                Landing::Tile(to) => local(to),
                Landing::Teleport => unreachable!("zombies walk on floor"),
            };
            let landings = mdp.geometry.landings(position, tile, intent.ways);
            draws.push(Draw::new(none, landings.map(target)));
        }
    }
    TrackedZombie {
        zombie,
        room,
        tiles,
        stride: 1,
        draws,
    }
}

/// The possible intents of a ghost on a tile.
struct Intents {
    perhaps_blocked: Vec<u8>,
    /// The intents computed so far, indexed by behaviour and set of blocked ways.
    known: [[Option<Intent>; 16]; 2],
}

struct GhostDrawBuilder<'a> {
    mdp: &'a DungeonMdp,
    position: u32,
    max_cooldown: u8,
    /// Returns the number of hidden zombies in a room.
    hidden: &'a dyn Fn(RoomNumber) -> usize,
}

impl GhostDrawBuilder<'_> {
    fn add_to(&self, block: &mut Block) {
        let others = self.mdp.dungeon.adversaries.len() as u32 - 1;
        let intents = |tile| Intents {
            perhaps_blocked: self.perhaps_blocked(tile).collect(),
            known: [[None; 16]; 2],
        };
        let tiles = 0..self.mdp.geometry.tile_count();
        let mut intents: Vec<Intents> = tiles.map(intents).collect();
        for blocked in 0..16_u8 {
            for state in block.waiting.numbers() {
                let state = block.waiting.get(state);
                let first = block.draws.len();
                // Each of the other adversaries blocks at most one way.
                if blocked.count_ones() <= others {
                    self.add_draws(block, (state, blocked), &mut intents[state.tile() as usize]);
                }
                block.ranges.push(first as u32..block.draws.len() as u32);
            }
        }
    }

    fn add_draws(
        &self,
        block: &mut Block,
        (state, blocked): (PackedAdversary, u8),
        Intents {
            perhaps_blocked,
            known,
        }: &mut Intents,
    ) {
        let first = block.draws.len();
        for more in perhaps_blocked {
            let blocked = blocked | *more;
            for &behaviour in self.behaviours(state.cooldown()) {
                let is_cooling = usize::from(behaviour == Behaviour::CoolingGhost);
                let intent = &mut known[is_cooling][usize::from(blocked)];
                let intent =
                    intent.get_or_insert_with(|| self.intent(state.tile(), behaviour, blocked));
                let Intent { ways, change } = *intent;
                for &cooldown in &self.cooldowns(state.cooldown(), change) {
                    let draw = self.draw(block, state.tile(), cooldown, ways);
                    if !block.draws[first..].contains(&draw) {
                        block.draws.push(draw);
                    }
                }
            }
        }
    }

    /// Returns the behaviours possible with this cooldown: both if the level has cooldowns but the model keeps none.
    fn behaviours(&self, cooldown: u8) -> &'static [Behaviour] {
        let is_forgotten = self.max_cooldown == 0 && self.mdp.max_cooldown() > 0;
        match (is_forgotten, cooldown) {
            (true, _) => &[Behaviour::ReadyGhost, Behaviour::CoolingGhost],
            (false, 0) => &[Behaviour::ReadyGhost],
            (false, _) => &[Behaviour::CoolingGhost],
        }
    }

    fn intent(&self, tile: u32, behaviour: Behaviour, blocked: u8) -> Intent {
        let blocked = DirSet::from_bits(blocked | self.mdp.immobile_ways(tile).bits());
        self.mdp.intent(self.position, tile, behaviour, blocked)
    }

    /// Lists the sets of ways that hidden zombies may block. Each zombie blocks at most one way, in its own room.
    fn perhaps_blocked(&self, tile: u32) -> impl Iterator<Item = u8> {
        let geometry = &self.mdp.geometry;
        let room = |next: Option<u32>| self.mdp.dungeon.level.room_of(geometry.cell(next?));
        let rooms = geometry.neighbours(tile).map(room);
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
    fn cooldowns(&self, cooldown: u8, change: CooldownChange) -> Vec<u8> {
        let max = self.max_cooldown;
        let set = self.mdp.dungeon.settings.cooldown;
        match change {
            _ if max == 0 => vec![0],
            CooldownChange::Falls if self.mdp.has_stages => vec![cooldown],
            CooldownChange::Falls if cooldown == max && max < set => vec![max - 1, max],
            _ => vec![change.apply(cooldown, set).min(max)],
        }
    }

    fn draw(&self, block: &mut Block, tile: u32, cooldown: u8, ways: DirSet) -> Draw {
        let none = block.moved.len();
        let target = |landing| match landing {
            Landing::Caught(_) => block.caught_target() as Target,
            Landing::Teleport => {
                let known = block.teleports.iter().position(|&other| other == cooldown);
                let nth = known.unwrap_or(block.teleports.len());
                if known.is_none() {
                    block.teleports.push(cooldown);
                }
                (block.first_teleport() + nth) as Target
            }
            Landing::Tile(tile) => {
                let state = block.moved.find(PackedAdversary::moved(tile, cooldown));
                state.expect("a moved ghost has a state")
            }
        };
        let landings = self.mdp.geometry.landings(self.position, tile, ways);
        Draw::new(none as Target, landings.map(target))
    }
}
