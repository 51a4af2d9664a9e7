//! The constant data of a block: the players' lines, and the adversaries' states and draws.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use super::{DungeonMdp, JointPositions, Lines};
use crate::abstraction::{Draw, GhostStates, StateIndex, Target, binomial};
use crate::code::PackedAdversary;
use crate::geometry::{Behaviour, Geometry, Landing};
use getaway_board::grid::Dir;
use getaway_board::limits::bytes;
use getaway_rules::dungeon::level::DirSet;

#[derive(Debug)]
pub(super) struct Block {
    pub(super) lines: Vec<BlockLine>,
    pub(super) sides: [Arc<Side>; 2],
    /// The tile of each player, and the block after this player is caught; `None` if that loses the game.
    pub(super) caught: Vec<(u32, Option<usize>)>,
    pub(super) teleports: Teleports,
}

/// The tiles to which a ghost may teleport, if the other adversary is on none of them.
#[derive(Debug)]
pub(super) struct Teleports {
    /// The tiles of each room that has some.
    pub(super) rooms: Vec<Vec<u32>>,
    /// The only tile, if there is just one.
    pub(super) only: Option<u32>,
}

/// For each room, the tiles to which a ghost may teleport, and its state there.
pub(super) type Arrivals = Vec<Vec<(u32, StateIndex)>>;

/// A way in which the players may move.
#[derive(Debug)]
pub(super) struct BlockLine {
    /// The block at which it ends; `None` if it wins.
    pub(super) end: Option<usize>,
    /// The tiles that must be free of adversaries.
    pub(super) free: Vec<u32>,
    /// The tile on which a mobile adversary must stand, since a player walks into that adversary; `None` if no player walks into
    /// one.
    pub(super) meets: Option<u32>,
    /// True if no player walks into a mobile adversary, the states of the block at the end are those of this block after the
    /// adversaries' moves, and those in which an adversary blocks the line are lost there.
    pub(super) is_aligned: bool,
}

impl BlockLine {
    /// Returns whether the line is possible with the adversaries where they are.
    pub(super) fn is_open(&self, adversaries: [PackedAdversary; 2]) -> bool {
        let is_on = |tile| adversaries.iter().any(|other| other.tile() == tile);
        !self.free.iter().any(|&tile| is_on(tile)) && self.meets.is_none_or(is_on)
    }
}

/// The states of an adversary, and its draws. There are also states on the tiles of players, where the adversary can't be, so
/// that most blocks have the same states.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) waiting: GhostStates,
    pub(super) moved: GhostStates,
    /// The draws, indexed by [`Obstacle`] and by state.
    draws: Vec<Draw>,
    /// The results of draws that are not states. Their targets follow those of the states and the target of no result.
    pub(super) ends: Vec<End>,
}

/// A result of a draw that is not a state of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The player with this number is caught by an adversary that then has this cooldown; 0 for a zombie.
    Caught(usize, u8),
    /// The ghost teleports, and then has this cooldown.
    Teleports(u8),
}

/// The place of the other adversary, as far as it restricts an adversary's move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Obstacle {
    /// The direction of the other adversary, if it is adjacent.
    pub(super) adjacent_dir: Option<usize>,
    /// True if the other adversary is on the only tile to which the one that moves could teleport.
    pub(super) is_on_only_tile: bool,
}

impl Obstacle {
    const WAYS: usize = Dir::ALL.len() + 1;

    /// Lists all obstacles, in the order of [`Self::index`].
    fn all() -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(|is_on_only_tile| {
            let ways = iter::once(None).chain((0..Dir::ALL.len()).map(Some));
            ways.map(move |adjacent_dir| Self {
                adjacent_dir,
                is_on_only_tile,
            })
        })
    }

    fn index(self) -> usize {
        self.adjacent_dir.map_or(0, |adjacent_dir| adjacent_dir + 1)
            + usize::from(self.is_on_only_tile) * Self::WAYS
    }
}

impl Side {
    pub(super) fn draw_at(&self, obstacle: Obstacle, state: StateIndex) -> &Draw {
        &self.draws[obstacle.index() * self.waiting.len() + usize::from(state)]
    }

    pub(super) fn draws_at(&self, obstacle: Obstacle, states: Range<StateIndex>) -> &[Draw] {
        let first = obstacle.index() * self.waiting.len();
        &self.draws[first + usize::from(states.start)..first + usize::from(states.end)]
    }

    /// Returns the number of an adversary's state before its move.
    pub(super) fn find(&self, adversary: PackedAdversary) -> StateIndex {
        let state = self.waiting.find(adversary);
        state.expect("there are states wherever the adversary can be")
    }

    /// Returns the target that stands for no result. It fills the unused places of a [`Draw`].
    pub(super) fn none(&self) -> usize {
        self.moved.len()
    }

    /// Returns the target of a move to this tile.
    fn target(&self, tile: u32, cooldown: u8) -> Target {
        let state = self.moved.find(PackedAdversary::moved(tile, cooldown));
        state.expect("an adversary can be where it moves")
    }

    /// Returns the target of a result that is not a state, and adds the result if it is new.
    fn target_of_end(&mut self, end: End) -> Target {
        let known = self.ends.iter().position(|&known| known == end);
        let nth = known.unwrap_or_else(|| {
            self.ends.push(end);
            self.ends.len() - 1
        });
        (self.none() + 1 + nth) as Target
    }

    /// Returns the number of targets.
    pub(super) fn targets(&self) -> usize {
        self.moved.len() + 1 + self.ends.len()
    }
}

impl Block {
    /// Lists the blocks on whose values this one depends.
    pub(super) fn sources(&self, blocks: &[Self]) -> Vec<usize> {
        let caught = self
            .caught
            .iter()
            .filter_map(|&(_, block)| Some(&blocks[block?]));
        let all = caught.chain([self]).flat_map(|block| &block.lines);
        let mut all: Vec<usize> = all.filter_map(|line| line.end).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn is_aligned(&self, line: &BlockLine, there: &Self) -> bool {
        let mut sides = self.sides.iter().zip(&there.sides);
        there.barred(line).next().is_none()
            && sides.all(|(here, there)| here.moved == there.waiting)
    }

    /// Lists the tiles that must be free for a line to this block although no player ends there.
    pub(super) fn barred(&self, line: &BlockLine) -> impl Iterator<Item = u32> {
        let is_barred = |tile: &u32| self.caught.iter().all(|(player, _)| player != tile);
        line.free.iter().copied().filter(is_barred)
    }

    /// Returns the obstacle that the other adversary, on the tile `other`, forms for an adversary on `tile`.
    pub(super) fn obstacle(&self, geometry: &Geometry, tile: u32, other: u32) -> Obstacle {
        let mut ways = geometry.neighbours(tile).iter();
        Obstacle {
            adjacent_dir: ways.position(|&next| next == Some(other)),
            ..self.distant(other)
        }
    }

    /// Lists where a ghost may arrive, for each of its ends; nowhere if a player is caught.
    pub(super) fn arrivals(&self, side: usize) -> Vec<Arrivals> {
        let side = &self.sides[side];
        let of_end = |end: &End| {
            let End::Teleports(cooldown) = *end else {
                return Arrivals::new();
            };
            let landing = |&tile: &u32| {
                let state = side.moved.find(PackedAdversary::moved(tile, cooldown));
                (tile, state.expect("a ghost can be on a free tile"))
            };
            let rooms = self.teleports.rooms.iter();
            rooms
                .map(|room| room.iter().map(landing).collect())
                .collect()
        };
        side.ends.iter().map(of_end).collect()
    }

    /// Returns the obstacle that the other adversary forms on the tile `other` if it is not adjacent.
    pub(super) fn distant(&self, other: u32) -> Obstacle {
        Obstacle {
            adjacent_dir: None,
            is_on_only_tile: self.teleports.only == Some(other),
        }
    }
}

/// An adversary that is about to move.
struct Actor {
    is_ghost: bool,
    can_teleport: bool,
    state: PackedAdversary,
}

/// Builds the blocks of a level.
pub(super) struct BlockBuilder<'a> {
    pub(super) mdp: &'a DungeonMdp,
    pub(super) joint: &'a JointPositions,
    pub(super) grounds: &'a [Vec<u32>; 2],
    pub(super) are_alike: bool,
    pub(super) max_cooldown: u8,
    pub(super) lines: &'a Lines,
    pub(super) number: &'a BTreeMap<u32, usize>,
}

impl BlockBuilder<'_> {
    /// Returns the number of states of each adversary in a block; `None` if there are too many to number.
    pub(super) fn states_of_both(&self, position: u32) -> Option<[usize; 2]> {
        let first = self.states(position, 0, true)?.len();
        let second = if self.are_alike {
            first
        } else {
            self.states(position, 1, true)?.len()
        };
        Some([first, second])
    }

    /// Returns the number of values of a block with these numbers of states.
    pub(super) fn values(&self, [first, second]: [usize; 2]) -> usize {
        if self.are_alike {
            binomial(first, 2)
        } else {
            first * second
        }
    }

    /// Returns the approximate maximum number of bytes of a block with these numbers of states.
    pub(super) fn bytes(&self, position: u32, [first, second]: [usize; 2]) -> u64 {
        let states = if self.are_alike {
            first
        } else {
            first + second
        };
        bytes::<Draw>(2 * Obstacle::WAYS * states)
            + bytes::<BlockLine>(2 * self.lines[&position].len())
    }

    /// Lists the states of an adversary, before its move if `waits`, else after it; `None` if there are too many to number.
    fn states(&self, position: u32, side: usize, waits: bool) -> Option<GhostStates> {
        let is_ghost = side < self.mdp.ghosts;
        let max = if is_ghost { self.max_cooldown } else { 0 };
        let is_ground = |tile| self.grounds[side].binary_search(&tile).is_ok();
        GhostStates::on(self.mdp, position, waits, max, is_ground)
    }

    /// Makes the block of a position; `None` if there are too many states to number.
    pub(super) fn block(&self, position: u32) -> Option<Block> {
        let geometry = &self.mdp.geometry;
        let tile = |cell| {
            geometry
                .tile_at(cell)
                .expect("players walk on floor and doors")
        };
        let lines = self.lines[&position].iter().map(|line| BlockLine {
            end: line.end.map(|end| self.number[&end]),
            free: line.free.iter().map(|&cell| tile(cell)).collect(),
            meets: line.meets.map(tile),
            is_aligned: false,
        });
        let players = self.joint.get(position);
        let caught = players.cells().iter().map(|&cell| {
            let block = self.joint.caught(players, cell);
            (tile(cell), block.map(|position| self.number[&position]))
        });
        let teleports = self.teleports(position);
        let first = Arc::new(self.side(position, 0, &teleports)?);
        let second = if self.are_alike {
            Arc::clone(&first)
        } else {
            Arc::new(self.side(position, 1, &teleports)?)
        };
        Some(Block {
            lines: lines.collect(),
            sides: [first, second],
            caught: caught.collect(),
            teleports,
        })
    }

    fn teleports(&self, position: u32) -> Teleports {
        let is_bare = |&tile: &u32| self.mdp.is_bare(position, tile);
        let rooms = self.mdp.geometry.rooms.iter();
        let bare = rooms.map(|room| room.iter().copied().filter(is_bare).collect());
        let rooms: Vec<Vec<u32>> = bare.filter(|room: &Vec<u32>| !room.is_empty()).collect();
        let only = match &rooms[..] {
            [room] if room.len() == 1 => Some(room[0]),
            _ => None,
        };
        Teleports { rooms, only }
    }

    fn side(&self, position: u32, at: usize, teleports: &Teleports) -> Option<Side> {
        let is_ghost = at < self.mdp.ghosts;
        let is_possible =
            |obstacle: &Obstacle| !obstacle.is_on_only_tile || teleports.only.is_some();
        let obstacles: Vec<_> = Obstacle::all().filter(is_possible).collect();
        let waiting = self.states(position, at, true)?;
        let mut side = Side {
            draws: Vec::with_capacity(obstacles.len() * waiting.len()),
            waiting,
            moved: self.states(position, at, false)?,
            ends: Vec::new(),
        };
        for obstacle in obstacles {
            let can_teleport = !obstacle.is_on_only_tile && !teleports.rooms.is_empty();
            for state in side.waiting.numbers() {
                let state = side.waiting.get(state);
                let draw = if self.mdp.can_stand(position, state.tile()) {
                    let actor = Actor {
                        is_ghost,
                        can_teleport,
                        state,
                    };
                    self.draw(position, &actor, obstacle.adjacent_dir, &mut side)
                } else {
                    Draw::new(side.none() as Target, iter::once(side.none() as Target))
                };
                side.draws.push(draw);
            }
        }
        Some(side)
    }

    /// Returns the draw of an adversary while the other one is adjacent in the direction `adjacent_dir`, or not adjacent. Adds
    /// the results that are not states to the ends of `side` if they are new.
    fn draw(
        &self,
        position: u32,
        actor: &Actor,
        adjacent_dir: Option<usize>,
        side: &mut Side,
    ) -> Draw {
        let Self { mdp, joint, .. } = *self;
        let (tile, cooldown) = (actor.state.tile(), actor.state.cooldown());
        let behaviour = Behaviour::of(actor.is_ghost, cooldown);
        let adjacent = adjacent_dir.map_or(0, |dir| 1 << dir);
        let blocked = DirSet::from_bits(mdp.immobile_ways(tile).bits() | adjacent);
        let intent = mdp.intent(position, tile, behaviour, blocked);
        let cooldown = intent.change.apply(cooldown, mdp.dungeon.settings.cooldown);
        let none = side.none() as Target;
        let target = |landing| match landing {
            Landing::Tile(to) => side.target(to, cooldown),
            Landing::Teleport if !actor.can_teleport => side.target(tile, cooldown),
            Landing::Teleport => side.target_of_end(End::Teleports(cooldown)),
            Landing::Caught(to) => {
                let players = joint.get(position);
                let mut cells = players.cells().iter();
                let number = cells.position(|&cell| cell == mdp.geometry.cell(to));
                side.target_of_end(End::Caught(number.expect("a player is caught"), cooldown))
            }
        };
        let landings = mdp.geometry.landings(position, tile, intent.ways);
        Draw::new(none, landings.map(target))
    }
}
