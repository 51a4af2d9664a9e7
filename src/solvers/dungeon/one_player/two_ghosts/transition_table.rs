//! What is always the same at a position of the player: where the ghosts can be, and what each can
//! do.

use std::ops::Range;

use super::super::code::{Node, PackedAdversary, Phase};
use super::super::player_positions::Goal;
use super::super::{Landing, OnePlayerMdp};
use super::{Budget, Limit, bytes};
use crate::rules::dungeon::Dungeon;
use crate::rules::dungeon::level::RoomNumber;

/// The number of a ghost state among those of a position.
pub(super) type StateIndex = u16;

/// The most ghost states at a position: as many as there are numbers that are not needed for other
/// targets, of which there are two and one for each cooldown.
const MAX_GHOST_STATES: usize = StateIndex::MAX as usize - 2 - (u8::MAX as usize + 1);

/// The ghost states that a ghost can have: each a tile and a cooldown. In the order of the tiles,
/// which is the reading order.
#[derive(Debug)]
pub(super) struct GhostStates {
    adversaries: Vec<PackedAdversary>,
    /// For each tile its ghost states. There is a single one where the cooldown makes no
    /// difference, or one for each cooldown.
    of_tile: Vec<Range<StateIndex>>,
}

impl GhostStates {
    /// The ghost states with the player at `position`, of a ghost that waits for its move or has
    /// made it; `None` if there are more than [`MAX_GHOST_STATES`].
    pub(super) fn new(mdp: &OnePlayerMdp, position: u32, waits: bool) -> Option<Self> {
        let mut states = Self {
            adversaries: Vec::new(),
            of_tile: Vec::new(),
        };
        for tile in 0..mdp.geometry.tile_count() {
            let first = states.adversaries.len();
            if mdp.can_stand(position, tile) {
                let is_all_one = mdp.will_see(position, tile, waits);
                let greatest = if is_all_one { 0 } else { mdp.most_cooldown() };
                let adversaries =
                    (0..=greatest).map(|cooldown| PackedAdversary::moved(tile, cooldown));
                states.adversaries.extend(adversaries);
            }
            if states.adversaries.len() > MAX_GHOST_STATES {
                return None;
            }
            let ends = [first, states.adversaries.len()];
            let [first, end] = ends.map(|at| at as StateIndex);
            states.of_tile.push(first..end);
        }
        Some(states)
    }

    /// How much memory the ghost states of a position take at most, in bytes.
    pub(super) fn max_bytes(mdp: &OnePlayerMdp) -> u64 {
        let tiles = mdp.geometry.tile_count() as usize;
        let all = tiles * (usize::from(mdp.most_cooldown()) + 1);
        // A list may have grown to twice its length.
        bytes::<Range<StateIndex>>(2 * tiles)
            + bytes::<PackedAdversary>(2 * all.min(MAX_GHOST_STATES))
    }

    pub(super) fn len(&self) -> usize {
        self.adversaries.len()
    }

    /// All numbers in order.
    pub(super) fn all(&self) -> Range<StateIndex> {
        0..self.adversaries.len() as StateIndex
    }

    pub(super) fn adversary(&self, at: StateIndex) -> PackedAdversary {
        self.adversaries[usize::from(at)]
    }

    pub(super) fn tile(&self, at: StateIndex) -> u32 {
        self.adversaries[usize::from(at)].tile()
    }

    /// The ghost states at a tile.
    pub(super) fn at(&self, tile: u32) -> Range<StateIndex> {
        self.of_tile[tile as usize].clone()
    }

    /// How many ghost states are at tiles before that of this one.
    pub(super) fn before(&self, at: StateIndex) -> StateIndex {
        self.at(self.tile(at)).start
    }

    /// The ghost state of a ghost with this cooldown; `None` if no ghost can be there.
    pub(super) fn find(&self, tile: u32, cooldown: u8) -> Option<StateIndex> {
        let states = self.at(tile);
        match states.len() {
            0 => None,
            1 => Some(states.start),
            _ => Some(states.start + StateIndex::from(cooldown)),
        }
    }
}

/// What a ghost's draw can lead to: [`Outcomes::MAX`] targets, of which `count` are draws and the
/// others neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) targets: [Target; Outcomes::MAX],
    pub(super) count: u16,
}

impl Outcomes {
    /// The most ways that a ghost has to go.
    pub(super) const MAX: usize = 4;
}

/// Something that a ghost can do, as a number: the ghost states after a move come first, then
/// [`TransitionTable::neutral`], [`TransitionTable::caught`], and the teleports.
pub(super) type Target = u16;

/// A teleport with a certain cooldown: for each room the ghost states on those of its tiles on
/// which neither player, key nor exit is.
#[derive(Debug)]
pub(super) struct TeleportDistribution {
    cooldown: u8,
    pub(super) rooms: Vec<Vec<StateIndex>>,
}

/// What the player can do at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Escape.
    Out,
    /// Go to one of these of [`TransitionTable::destinations`].
    Destinations(Vec<u8>),
}

/// A position that the player can go to.
#[derive(Debug)]
pub(super) struct Destination {
    pub(super) position: u32,
    /// For each ghost state here the one there; `None` for a ghost that is there already.
    pub(super) states: Vec<Option<StateIndex>>,
    /// The same in runs.
    pub(super) runs: Vec<Run>,
}

/// Consecutive ghost states here that are consecutive ones there, or one and the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) here: StateIndex,
    pub(super) there: StateIndex,
    pub(super) len: StateIndex,
    pub(super) is_one: bool,
}

impl Run {
    /// Takes in the next pair of ghost states, if it can.
    fn grow(&mut self, (here, there): (StateIndex, StateIndex)) -> bool {
        let is_one = self.there == there && (self.is_one || self.len == 1);
        let is_next = self.there + self.len == there && !self.is_one;
        if self.here + self.len != here || !(is_one || is_next) {
            return false;
        }
        self.len += 1;
        self.is_one = is_one;
        true
    }
}

impl Destination {
    fn new(position: u32, states: Vec<Option<StateIndex>>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (here, there) in (0..).zip(&states) {
            let Some(there) = *there else { continue };
            if !runs.last_mut().is_some_and(|run| run.grow((here, there))) {
                runs.push(Run {
                    here,
                    there,
                    len: 1,
                    is_one: false,
                });
            }
        }
        Self {
            position,
            states,
            runs,
        }
    }
}

/// What the player and each of two ghosts can do at a position of the player.
#[derive(Debug)]
pub(super) struct TransitionTable {
    /// The ghost states of a ghost that has moved; both have when it is the player's turn.
    pub(super) moved: GhostStates,
    /// For each ghost state of a ghost that waits what it can do if the other is out of its way.
    pub(super) outcomes: Vec<Outcomes>,
    /// What it can do if the other is on this tile, which is next to it.
    pub(super) adjacent: Vec<Vec<(u32, Outcomes)>>,
    pub(super) teleports: Vec<TeleportDistribution>,
    /// For each tile the number of its room, counted among those with a tile to teleport to.
    pub(super) room: Vec<Option<RoomNumber>>,
    pub(super) destinations: Vec<Destination>,
    /// The ghost states of a ghost that is near enough to be in the player's way.
    pub(super) near: Vec<StateIndex>,
    /// For each ghost state the number of its tile among the near ones, from 1; 0 for the far ones.
    nearness: Vec<u8>,
    /// What the player can do, by the nearness of both ghosts.
    choices: Vec<Vec<Choice>>,
}

impl TransitionTable {
    /// The table at `position`, given for each position the ghost states of a ghost that waits;
    /// `None` if there are more than numbers.
    pub(super) fn new(
        mdp: &OnePlayerMdp,
        position: u32,
        waiting: &[GhostStates],
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        budget.take(GhostStates::max_bytes(mdp))?;
        let Some(moved) = GhostStates::new(mdp, position, false) else {
            return Ok(None);
        };
        let mut table = Self {
            moved,
            outcomes: Vec::new(),
            adjacent: Vec::new(),
            teleports: Vec::new(),
            room: vec![None; mdp.geometry.tile_count() as usize],
            destinations: Vec::new(),
            near: Vec::new(),
            nearness: Vec::new(),
            choices: Vec::new(),
        };
        let builder = TableBuilder { mdp, position };
        let adversaries = &waiting[position as usize].adversaries;
        budget.take(table.max_bytes(mdp, position, adversaries.len()))?;
        let mut clock = budget.clock();
        for &adversary in adversaries {
            clock.work(64)?;
            let outcomes = builder.outcomes(&mut table, adversary, None);
            table.outcomes.push(outcomes);
            let neighbours = mdp.neighbours(position, adversary.tile());
            let adjacent = neighbours
                .map(|other| (other, builder.outcomes(&mut table, adversary, Some(other))));
            let adjacent = adjacent.collect();
            table.adjacent.push(adjacent);
        }
        for (room, tiles) in (0..).zip(builder.rooms()) {
            for tile in tiles {
                table.room[tile as usize] = Some(room);
            }
        }
        clock.work((64 * table.moved.len()) as u64)?;
        Ok(builder.add_choices(&mut table, waiting).map(|()| table))
    }

    /// How much memory it takes with so many ghost states of a ghost that waits, in bytes; the
    /// ghost states of one that has moved are there already.
    fn max_bytes(&self, mdp: &OnePlayerMdp, position: u32, waiting: usize) -> u64 {
        let tiles = mdp.geometry.tile_count() as usize;
        // A ghost has four neighbours at most. A list may have grown to twice its length.
        let outcomes = bytes::<Outcomes>(2 * waiting)
            + bytes::<Vec<(u32, Outcomes)>>(2 * waiting)
            + bytes::<(u32, Outcomes)>(4 * waiting);
        let teleports = (u64::from(mdp.most_cooldown()) + 1)
            * (bytes::<StateIndex>(2 * tiles) + bytes::<Vec<StateIndex>>(mdp.geometry.rooms.len()));
        let destinations = mdp.geometry.positions.paths(position).len();
        let destination =
            bytes::<Option<StateIndex>>(self.moved.len()) + bytes::<Run>(2 * self.moved.len());
        outcomes
            + teleports
            + bytes::<Option<RoomNumber>>(tiles)
            + destinations as u64 * destination
    }

    /// The number of a goal, given the ghost states of a ghost that waits there; `None` if there
    /// are too many goals.
    fn destination(&mut self, position: u32, there: &GhostStates) -> Option<u8> {
        let known = self
            .destinations
            .iter()
            .position(|destination| destination.position == position);
        let at = known.unwrap_or_else(|| {
            let state =
                |adversary: &PackedAdversary| there.find(adversary.tile(), adversary.cooldown());
            let states = self.moved.adversaries.iter().map(state).collect();
            self.destinations.push(Destination::new(position, states));
            self.destinations.len() - 1
        });
        u8::try_from(at).ok()
    }

    /// The target that changes no value.
    pub(super) fn neutral(&self) -> Target {
        self.moved.len() as Target
    }

    /// The target of catching the player.
    pub(super) fn caught(&self) -> Target {
        self.neutral() + 1
    }

    /// The target of the first teleport.
    pub(super) fn first_teleport(&self) -> Target {
        self.neutral() + 2
    }

    /// How many targets there are.
    pub(super) fn targets(&self) -> usize {
        usize::from(self.first_teleport()) + self.teleports.len()
    }

    /// What the player can do when no ghost is near.
    pub(super) fn free_choice(&self) -> &Choice {
        &self.choices[0][0]
    }

    /// What the player can do with the ghosts at these ghost states.
    pub(super) fn choice(&self, a: StateIndex, b: StateIndex) -> &Choice {
        let [a, b] = [a, b].map(|at| usize::from(self.nearness[usize::from(at)]));
        &self.choices[a][b]
    }

    pub(super) fn is_near(&self, at: StateIndex) -> bool {
        self.nearness[usize::from(at)] > 0
    }
}

/// The builder of a table.
#[derive(Clone, Copy)]
struct TableBuilder<'a> {
    mdp: &'a OnePlayerMdp,
    position: u32,
}

impl TableBuilder<'_> {
    /// What a ghost can do that waits for its move, the other being on tile `other` or out of its
    /// way.
    fn outcomes(
        self,
        table: &mut TransitionTable,
        adversary: PackedAdversary,
        other: Option<u32>,
    ) -> Outcomes {
        let other = other.map(|tile| PackedAdversary::moved(tile, 0));
        let adversaries = [adversary.waiting()].into_iter().chain(other);
        let node = Node::new(self.position, Phase::Adversaries, adversaries);
        let (cooldown, landings) = self.mdp.landings(&node, 0);
        let mut outcomes = Outcomes {
            targets: [table.neutral(); Outcomes::MAX],
            count: 0,
        };
        for (target, landing) in outcomes.targets.iter_mut().zip(landings) {
            outcomes.count += 1;
            *target = match landing {
                Landing::Caught => table.caught(),
                Landing::Tile(to) => {
                    let state = table.moved.find(to, cooldown);
                    state.expect("a ghost gets where it can be")
                }
                Landing::Transit => self.teleport(table, cooldown),
            };
        }
        outcomes
    }

    /// The target of a teleport.
    fn teleport(self, table: &mut TransitionTable, cooldown: u8) -> Target {
        let known = table
            .teleports
            .iter()
            .position(|teleport| teleport.cooldown == cooldown);
        let at = known.unwrap_or_else(|| {
            let state = |tile| table.moved.find(tile, cooldown);
            let rooms = self.rooms().map(|tiles| {
                let states = tiles.iter().map(|&tile| state(tile));
                states
                    .map(|at| at.expect("a ghost can be on a free tile"))
                    .collect()
            });
            let rooms = rooms.collect();
            table
                .teleports
                .push(TeleportDistribution { cooldown, rooms });
            table.teleports.len() - 1
        });
        table.first_teleport() + at as Target
    }

    /// The free tiles of each room that has some, other ghosts aside.
    fn rooms(self) -> impl Iterator<Item = Vec<u32>> {
        let rooms = self.mdp.geometry.rooms.iter();
        let free = rooms.map(move |room| {
            let tiles = room.iter().copied();
            tiles
                .filter(|&tile| self.mdp.is_bare(self.position, tile))
                .collect::<Vec<u32>>()
        });
        free.filter(|tiles| !tiles.is_empty())
    }

    /// Adds what the player can do; `None` if that needs more than the numbers there are.
    fn add_choices(self, table: &mut TransitionTable, waiting: &[GhostStates]) -> Option<()> {
        let near = (0..self.mdp.geometry.tile_count())
            .filter(|&tile| !table.moved.at(tile).is_empty() && self.is_in_the_way(tile));
        let near: Vec<u32> = near.collect();
        let number = |at| near.iter().position(|&tile| tile == table.moved.tile(at));
        let nearness = table.moved.all().map(|at| {
            let number = number(at).map_or(0, |number| number + 1);
            u8::try_from(number).ok()
        });
        table.nearness = nearness.collect::<Option<_>>()?;
        table.near = table.moved.all().filter(|&at| table.is_near(at)).collect();
        let ghosts = || std::iter::once(None).chain(near.iter().copied().map(Some));
        for a in ghosts() {
            let choices = ghosts().map(|b| self.choice(table, waiting, [a, b]));
            let choices = choices.collect::<Option<_>>()?;
            table.choices.push(choices);
        }
        Some(())
    }

    /// Whether a ghost there may leave the player less to do than to keep off its tile.
    fn is_in_the_way(self, tile: u32) -> bool {
        let Dungeon {
            level, settings, ..
        } = &self.mdp.dungeon;
        let speed = u32::from(settings.speed);
        let is_detour_possible = speed > 1 || level.exit == Some(self.mdp.geometry.cell(tile));
        is_detour_possible && self.mdp.geometry.distance(self.position, tile) <= speed
    }

    /// What the player can do with these ghosts near; `None` if there are too many goals.
    fn choice(
        self,
        table: &mut TransitionTable,
        waiting: &[GhostStates],
        near: [Option<u32>; 2],
    ) -> Option<Choice> {
        let geometry = &self.mdp.geometry;
        let taken = |cell| {
            near.iter()
                .flatten()
                .any(|&tile| geometry.cell(tile) == cell)
        };
        let paths = geometry.positions.paths_around(self.position, taken);
        let mut destinations = Vec::new();
        for path in paths {
            match path.goal {
                Goal::Out => return Some(Choice::Out),
                Goal::Position(to) => {
                    destinations.push(table.destination(to, &waiting[to as usize])?);
                }
            }
        }
        Some(Choice::Destinations(destinations))
    }
}
