//! What is always the same at a position of the player: where the adversaries can be, what each can do, and what the
//! player can.

use super::super::code::{Node, PackedAdversary, Phase};
use super::super::geometry::Step;
use super::super::player_positions::Goal;
use super::super::{Landing, OnePlayerMdp};
use super::states::{Kind, Shape, StateIndex, States};
use crate::grid::Dir;
use crate::limits::{Budget, Limit, bytes};
use crate::rules::dungeon::Dungeon;
use crate::rules::dungeon::cooldown::Change;
use crate::rules::dungeon::level::RoomNumber;

/// A set of the four directions, a bit for each.
pub(super) type Ways = u8;

/// How many sets of directions there are.
const SETS: usize = 16;

/// What an adversary's draw can lead to: `count` targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    targets: [Target; Outcomes::MAX],
    count: u8,
}

impl Outcomes {
    /// The most ways that an adversary has to go.
    const MAX: usize = 4;

    pub(super) fn targets(&self) -> &[Target] {
        &self.targets[..self.count.into()]
    }
}

/// Something that an adversary can do, as a number: the states after a move come first, then
/// [`KindTable::caught`], and the teleports.
pub(super) type Target = u16;

/// The same for all cooldowns above 0: where the ways lead, as numbers of tiles, and what becomes of the cooldown.
#[derive(Clone, Copy, Debug)]
struct Rule {
    landings: [u32; Outcomes::MAX],
    count: u8,
    change: Change,
}

/// Landings that are no tiles.
const CAUGHT: u32 = u32::MAX;
const TRANSIT: u32 = u32::MAX - 1;

/// What adversaries of a kind can do at a position.
#[derive(Debug)]
pub(super) struct KindTable {
    /// For each state of one that waits what it can do if nobody is in its way.
    free: Vec<Outcomes>,
    /// For each tile what it can do there, by whether its cooldown is above 0 and by the ways that others block.
    rules: Vec<[[Rule; SETS]; 2]>,
    /// For each tile the rules there.
    rules_of: Vec<u32>,
    /// The cooldowns after a teleport.
    pub(super) teleports: Vec<u8>,
}

/// A position that the player can go to.
#[derive(Debug)]
pub(super) struct Destination {
    pub(super) position: u32,
    /// For each kind and each of its states here the one there; `None` for an adversary that is there already.
    pub(super) states: Vec<Vec<Option<StateIndex>>>,
}

/// What the player can do at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Escape.
    Out,
    /// Go to one of these of [`PositionTable::destinations`].
    Destinations(Vec<u8>),
}

/// What the player and each adversary can do at a position of the player.
#[derive(Debug)]
pub(super) struct PositionTable {
    /// For each kind the states of one that has moved; all have when it is the player's turn.
    pub(super) moved: Vec<States>,
    pub(super) moved_shape: Shape,
    pub(super) kinds: Vec<KindTable>,
    /// The tiles to teleport to, by rooms; rooms without any are left out.
    pub(super) rooms: Vec<Vec<u32>>,
    /// For each tile the number of its room among these.
    pub(super) room: Vec<Option<RoomNumber>>,
    pub(super) destinations: Vec<Destination>,
    /// For each kind and each state of one that has moved the number of its tile among those that may be in the
    /// player's way, from 1; 0 for the others.
    pub(super) nearness: Vec<Vec<u8>>,
    /// One more than there are such tiles.
    near: usize,
    /// What the player can do, by the nearness of all adversaries.
    choices: Vec<Choice>,
}

/// The most choices of a position.
const MAX_CHOICES: usize = 1 << 12;

impl PositionTable {
    /// The table at `position`, given for each position and kind the states of one that waits; `None` if there are
    /// more of anything than numbers.
    pub(super) fn new(
        mdp: &OnePlayerMdp,
        position: u32,
        kinds: &[Kind],
        waiting: &[Vec<States>],
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let builder = Builder {
            mdp,
            position,
            kinds,
        };
        budget.take(kinds.iter().map(|kind| States::max_bytes(mdp, kind)).sum())?;
        let states = |kind| States::new(mdp, position, kind, false);
        let Some(moved) = kinds.iter().map(states).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let Some(moved_shape) = Shape::new(kinds, &moved, super::MAX_STATES) else {
            return Ok(None);
        };
        budget.take(builder.max_bytes(&moved, &waiting[position as usize]))?;
        let mut clock = budget.clock();
        let mut tables = Vec::new();
        for (number, moved) in moved.iter().enumerate() {
            let waiting = &waiting[position as usize][number];
            clock.work((SETS * 64 * moved.len()) as u64)?;
            tables.push(builder.kind(number, waiting, moved));
        }
        let rooms: Vec<Vec<u32>> = builder.rooms().collect();
        let mut room = vec![None; mdp.geometry.tile_count() as usize];
        for (number, tiles) in (0..).zip(&rooms) {
            for &tile in tiles {
                room[tile as usize] = Some(number);
            }
        }
        let mut table = Self {
            moved,
            moved_shape,
            kinds: tables,
            rooms,
            room,
            destinations: Vec::new(),
            nearness: Vec::new(),
            near: 1,
            choices: Vec::new(),
        };
        Ok(builder.add_choices(&mut table, waiting).map(|()| table))
    }

    /// What the player can do, given the nearness of all adversaries as one number.
    pub(super) fn choice(&self, nearness: usize) -> &Choice {
        &self.choices[nearness]
    }

    /// That number with one more adversary, of this nearness.
    pub(super) fn nearer(&self, nearness: usize, next: u8) -> usize {
        nearness * self.near + usize::from(next)
    }

    /// What an adversary that waits in this state can do when others block these ways.
    pub(super) fn outcomes(
        &self,
        mdp: &OnePlayerMdp,
        kind: usize,
        (state, adversary): (StateIndex, PackedAdversary),
        blocked: Ways,
    ) -> Outcomes {
        let table = &self.kinds[kind];
        if blocked == 0 {
            return table.free[usize::from(state)];
        }
        table.resolve(mdp, &self.moved[kind], adversary, blocked)
    }
}

impl KindTable {
    /// The target of catching the player.
    pub(super) fn caught(moved: &States) -> Target {
        moved.len() as Target
    }

    fn resolve(
        &self,
        mdp: &OnePlayerMdp,
        moved: &States,
        adversary: PackedAdversary,
        blocked: Ways,
    ) -> Outcomes {
        let rules = &self.rules[self.rules_of[adversary.tile() as usize] as usize];
        let rule = &rules[usize::from(adversary.cooldown() > 0)][usize::from(blocked)];
        let set = mdp.dungeon.settings.cooldown;
        let cooldown = rule.change.apply(adversary.cooldown(), set);
        let target = |landing| match landing {
            CAUGHT => Self::caught(moved),
            TRANSIT => {
                let at = self.teleports.iter().position(|&known| known == cooldown);
                let at = at.expect("all cooldowns after teleports are listed");
                Self::caught(moved) + 1 + at as Target
            }
            tile => {
                let state = moved.find(tile, cooldown);
                state.expect("an adversary gets where it can be")
            }
        };
        let mut outcomes = Outcomes {
            count: rule.count,
            ..Outcomes::default()
        };
        let landings = &rule.landings[..rule.count.into()];
        for (to, &landing) in outcomes.targets.iter_mut().zip(landings) {
            *to = target(landing);
        }
        outcomes
    }
}

/// The builder of a table.
#[derive(Clone, Copy)]
struct Builder<'a> {
    mdp: &'a OnePlayerMdp,
    position: u32,
    kinds: &'a [Kind],
}

impl Builder<'_> {
    /// How much memory a table takes at most, in bytes; the states of those that have moved are there already.
    fn max_bytes(self, moved: &[States], waiting: &[States]) -> u64 {
        let tiles = self.mdp.geometry.tile_count() as usize;
        let kinds: u64 = waiting
            .iter()
            .map(|waiting| {
                let places = tiles.min(waiting.len());
                bytes::<Outcomes>(waiting.len())
                    + bytes::<[[Rule; SETS]; 2]>(2 * places)
                    + bytes::<u32>(tiles)
            })
            .sum();
        let states: usize = moved.iter().map(States::len).sum();
        let destinations = self.mdp.geometry.positions.paths(self.position).len();
        kinds
            + bytes::<u32>(2 * tiles)
            + bytes::<Option<RoomNumber>>(tiles)
            + bytes::<u8>(states)
            + destinations as u64 * bytes::<Option<StateIndex>>(states)
    }

    fn kind(self, number: usize, waiting: &States, moved: &States) -> KindTable {
        let tiles = self.mdp.geometry.tile_count();
        let mut table = KindTable {
            free: Vec::new(),
            rules: Vec::new(),
            rules_of: vec![0; tiles as usize],
            teleports: Vec::new(),
        };
        for tile in (0..tiles).filter(|&tile| !waiting.at(tile).is_empty()) {
            table.rules_of[tile as usize] = table.rules.len() as u32;
            table.rules.push(self.rules(number, tile));
        }
        for adversary in waiting.iter() {
            let rules = &table.rules[table.rules_of[adversary.tile() as usize] as usize];
            for rule in &rules[usize::from(adversary.cooldown() > 0)] {
                let set = self.mdp.dungeon.settings.cooldown;
                let landings = &rule.landings[..rule.count.into()];
                if landings.contains(&TRANSIT) {
                    let cooldown = rule.change.apply(adversary.cooldown(), set);
                    if !table.teleports.contains(&cooldown) {
                        table.teleports.push(cooldown);
                    }
                }
            }
        }
        let free = waiting
            .iter()
            .map(|adversary| table.resolve(self.mdp, moved, adversary, 0));
        table.free = free.collect();
        table
    }

    /// What an adversary of a kind can do on a tile, by whether its cooldown is above 0 and by the ways that others
    /// block.
    fn rules(self, kind: usize, tile: u32) -> [[Rule; SETS]; 2] {
        let neighbours = self.mdp.neighbour_tiles(tile);
        let can_stand = |tile: &u32| self.mdp.can_stand(self.position, *tile);
        let rules = |cooldown| {
            std::array::from_fn(|blocked| {
                let others = Dir::ALL.into_iter().zip(neighbours);
                let others = others.filter(|(dir, _)| blocked >> *dir as usize & 1 == 1);
                // Nobody blocks a way to where nobody can be.
                let others = others.filter_map(|(_, tile)| tile.filter(can_stand));
                self.rule(kind, PackedAdversary::moved(tile, cooldown), others)
            })
        };
        let ready = rules(0);
        let is_ever_cooling = self.kinds[kind].room.is_none() && self.mdp.most_cooldown() > 0;
        [ready, if is_ever_cooling { rules(1) } else { ready }]
    }

    fn rule(
        self,
        kind: usize,
        adversary: PackedAdversary,
        others: impl Iterator<Item = u32>,
    ) -> Rule {
        // Ghosts come first; in transit they are in nobody's way.
        let ghosts = if self.kinds[kind].room.is_some() {
            self.mdp.ghosts
        } else {
            0
        };
        let away = PackedAdversary::moved(self.mdp.transit(), 0);
        let others = others.map(|tile| PackedAdversary::moved(tile, 0));
        let all = std::iter::repeat_n(away, ghosts).chain([adversary.waiting()]);
        let node = Node::new(self.position, Phase::Adversaries, all.chain(others));
        let mut rule = Rule {
            landings: [CAUGHT; Outcomes::MAX],
            count: 0,
            change: self.mdp.intent(&node, ghosts).change,
        };
        let (_, landings) = self.mdp.landings(&node, ghosts);
        for (to, landing) in rule.landings.iter_mut().zip(landings) {
            rule.count += 1;
            *to = match landing {
                Landing::Caught => CAUGHT,
                Landing::Transit => TRANSIT,
                Landing::Tile(tile) => tile,
            };
        }
        rule
    }

    /// The free tiles of each room that has some, adversaries aside.
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
    fn add_choices(self, table: &mut PositionTable, waiting: &[Vec<States>]) -> Option<()> {
        let near = (0..self.mdp.geometry.tile_count())
            .filter(|&tile| self.mdp.can_stand(self.position, tile) && self.is_in_the_way(tile));
        let near: Vec<u32> = near.collect();
        table.near = near.len() + 1;
        let number = |tile| near.iter().position(|&near| near == tile);
        for states in &table.moved {
            let nearness = states.iter().map(|adversary| {
                let number = number(adversary.tile()).map_or(0, |number| number + 1);
                u8::try_from(number).ok()
            });
            table.nearness.push(nearness.collect::<Option<_>>()?);
        }
        let adversaries: usize = self.kinds.iter().map(|kind| kind.count).sum();
        let all = table.near.checked_pow(adversaries as u32)?;
        if all > MAX_CHOICES {
            return None;
        }
        for number in 0..all {
            let digits = std::iter::successors(Some(number), |rest| Some(rest / table.near));
            let digits = digits.take(adversaries).map(|rest| rest % table.near);
            let tiles = digits.filter_map(|digit| Some(near[digit.checked_sub(1)?]));
            let tiles: Vec<u32> = tiles.collect();
            let choice = self.choice(table, waiting, &tiles)?;
            table.choices.push(choice);
        }
        Some(())
    }

    /// Whether an adversary there may leave the player less to do than to keep off its tile.
    fn is_in_the_way(self, tile: u32) -> bool {
        let Dungeon {
            level, settings, ..
        } = &self.mdp.dungeon;
        let speed = u32::from(settings.speed);
        let is_detour_possible = speed > 1 || level.exit == Some(self.mdp.geometry.cell(tile));
        is_detour_possible && self.mdp.geometry.distance(self.position, tile) <= speed
    }

    /// What the player can do with adversaries on these tiles; `None` if there are too many goals.
    fn choice(
        self,
        table: &mut PositionTable,
        waiting: &[Vec<States>],
        near: &[u32],
    ) -> Option<Choice> {
        let geometry = &self.mdp.geometry;
        let taken = |cell| near.iter().any(|&tile| geometry.cell(tile) == cell);
        let mut destinations = Vec::new();
        for path in geometry.positions.paths_around(self.position, taken) {
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

impl PositionTable {
    /// The number of a goal, given the states of those that wait there; `None` if there are too many goals.
    fn destination(&mut self, position: u32, there: &[States]) -> Option<u8> {
        let known = self
            .destinations
            .iter()
            .position(|destination| destination.position == position);
        let at = known.unwrap_or_else(|| {
            let states = self.moved.iter().zip(there).map(|(here, there)| {
                here.iter()
                    .map(|adversary| there.find(adversary.tile(), adversary.cooldown()))
                    .collect()
            });
            let states = states.collect();
            self.destinations.push(Destination { position, states });
            self.destinations.len() - 1
        });
        u8::try_from(at).ok()
    }
}

impl OnePlayerMdp {
    /// The tile in each direction on which an adversary can be.
    pub(super) fn neighbour_tiles(&self, tile: u32) -> [Option<u32>; 4] {
        Dir::ALL.map(|dir| match self.geometry.step(tile, dir) {
            Step::Tile(to) => Some(to),
            // An adversary may have been drawn in a wall.
            Step::Teleports | Step::Blocked => {
                let to = self.dungeon.level.grid.step(self.geometry.cell(tile), dir);
                to.and_then(|to| self.geometry.tile_at(to))
            }
        })
    }
}
