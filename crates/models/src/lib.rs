//! A level as an MDP for [`getaway_chance`].
//!
//! A turn consists of each player's choice and a draw for each adversary. Each of these is a separate node, so that the draws are
//! never multiplied out. A ghost that teleports is *in transit*: the node does not record where the ghost came from. It leads to
//! one node for each room with a free tile, and each of these to one node for each free tile of the room. So a step into a wall
//! leads to a single node, however large the level is.
//!
//! Ghosts are interchangeable, and so are the zombies in a room: they are packed in the order of their tiles, in which they also
//! move, but those that have moved in this turn come first. If a ghost is certain to see the player at its next move and to have
//! at least two ways to go, the node leaves out its cooldown, which becomes 0 anyway. Zombies that can never move are left out of
//! nodes, since they are always on the same tiles. The last two simplifications are proved for levels of any size in
//! `tests/proofs/dungeon-chasers.smt2` and `dungeon-unchased.smt2`.
//!
//! A single mind moves all players. Those who have moved in this turn are interchangeable, and so are all of them between turns.
//! A ghost's cooldown is left out only if the ghost is certain to see all of them: it then sees whoever is left when it moves.
//!
//! This package knows the rules of `dungeon` and how an MDP is solved. It must not know how an answer is chosen, checked or
//! shown.
//!
//! ```
//! use getaway_board::limits::{Budget, Limits};
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//! use getaway_models::DungeonMdp;
//! use getaway_rules::dungeon::Dungeon;
//! use getaway_ruleset::Notation;
//!
//! let mut puzzle = Puzzle::empty();
//! Boards::new(b"-------\n|P.K.E|\n-------\n", 1).read(&mut puzzle)?;
//! let limits = Limits::default();
//! let mdp = DungeonMdp::new(&Dungeon::read(&puzzle)?, &Budget::new(&limits))?;
//! let solved = getaway_chance::solve(&mdp, &limits);
//! assert_eq!(solved.bounds.lower, 1.0, "nobody is in the way");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

pub mod abstraction;
mod breadth_first;
mod code;
mod geometry;
mod interner;
mod joint_positions;
pub mod joint_table;
mod player_positions;
mod restricted;
mod unconditional_line;

use std::sync::{Mutex, MutexGuard, PoisonError};

use code::{Code, Group, Node, PackedAdversary};
use geometry::{Behaviour, Geometry, Landing};
use getaway_board::grid::{Cell, Dir};
use getaway_board::limits::{Budget, Clock, Limit};
use getaway_chance::{Mdp, Owner, Successor};
use getaway_rules::dungeon::CooldownChange;
use getaway_rules::dungeon::level::{DirSet, Level};
use getaway_rules::dungeon::{
    Adversary, AdversaryKind, Dungeon, Intent, Move, State, Strategy, Surroundings,
};
use getaway_ruleset::Ruleset;
use interner::Interner;
use joint_positions::{JointGoal, JointPath, Players};
use player_positions::{MovePath, PathEnd, PlayerPosition};
use restricted::PLAYER_BITS;

pub use code::Phase;
pub use joint_positions::MAX_PLAYERS;
pub use restricted::{BarredSteps, RestrictedMdp};

/// The Markov decision process of a dungeon with one to four players. A node's number is the node itself, packed into 64 bits. In
/// levels whose nodes don't fit, they are numbered as they are found.
#[derive(Debug)]
pub struct DungeonMdp {
    dungeon: Dungeon,
    geometry: Geometry,
    code: Code,
    interner: Option<Mutex<Interner>>,
    /// The number of ghosts, which come first among the adversaries.
    ghosts: usize,
    /// For each tile, true if a ghost there has at least two ways to go even if each other adversary blocks one. The key blocks a
    /// way only under `chase`, where there are no cooldowns, and is disregarded.
    is_roomy: Vec<bool>,
    /// True if cooldowns are stages (see `two_ghosts/segments.rs`), which do not fall from turn to turn.
    has_stages: bool,
}

const ARRIVAL: u64 = 64;

/// The reason why a dungeon has no Markov decision process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MdpError {
    /// There is no way to win, even without the adversaries that can move.
    #[error("the player can't reach the exit")]
    NoWayOut {
        /// True if a player can take the key, or there is none.
        takes_key: bool,
    },
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Limit),
}

impl DungeonMdp {
    /// Builds the process; nodes are explored on demand.
    ///
    /// # Errors
    ///
    /// Returns why there is none, or the limit that was reached.
    pub fn new(dungeon: &Dungeon, budget: &Budget) -> Result<Self, MdpError> {
        budget.take(Level::bytes(dungeon.level.grid))?;
        let geometry = Geometry::new(dungeon, budget)?;
        let groups = groups(dungeon, &geometry);
        let code = Code::new(geometry.position_count(), &groups);
        let others = dungeon.adversaries.len().saturating_sub(1);
        // A `RestrictedMdp` appends a player's number to the number of a node.
        let spare_bits = geometry.joint.as_ref().map_or(0, |_| PLAYER_BITS);
        let mut clock = budget.clock();
        let mut is_roomy = budget.with_capacity(geometry.tile_count() as usize)?;
        for tile in 0..geometry.tile_count() {
            clock.work(16)?;
            // Each of the other adversaries blocks at most one way.
            is_roomy.push(geometry.count_open_ways(dungeon, tile) >= 2 + others);
        }
        Ok(Self {
            dungeon: dungeon.clone(),
            geometry,
            interner: (code.bits() + spare_bits > u64::BITS)
                .then(|| Mutex::new(Interner::new(&code))),
            code,
            ghosts: groups[0].count,
            is_roomy,
            has_stages: false,
        })
    }

    /// Builds an MDP whose cooldowns are stages, which do not fall from turn to turn. A teleport that starts the cooldown leads
    /// to the stage `last`.
    fn with_stages(dungeon: &Dungeon, last: u8, budget: &Budget) -> Result<Self, MdpError> {
        let mut dungeon = dungeon.clone();
        dungeon.settings.cooldown = last;
        Ok(Self {
            has_stages: true,
            ..Self::new(&dungeon, budget)?
        })
    }

    /// Returns the number of the node for this state after the adversaries on the cells `moved` have moved; `None` if no player
    /// is on the board or some actor can't be where it is.
    pub fn number(&self, at: &State, phase: Phase, moved: &[Cell]) -> Option<u64> {
        Some(self.pack_finished(self.node(at, phase, moved)?))
    }

    fn node(&self, at: &State, phase: Phase, moved: &[Cell]) -> Option<Node> {
        let position = match &self.geometry.joint {
            None => self.geometry.positions.find(PlayerPosition {
                key: at.key,
                cell: *at.players.first()?,
            }),
            Some(joint) => joint.number(&Players::of(at)?),
        }?;
        let mobile = at
            .adversaries
            .iter()
            .filter(|other| !self.geometry.is_immobile(other.cell));
        let mut mobile: Vec<&Adversary> = mobile.collect();
        mobile.sort_by_key(|other| group(&self.dungeon, **other));
        let adversary = |other: &Adversary| {
            let cooldown = match other.kind {
                AdversaryKind::Zombie => 0,
                AdversaryKind::Ghost { cooldown } => cooldown,
            };
            let adversary = PackedAdversary::moved(self.geometry.tile_at(other.cell)?, cooldown);
            Some(if moved.contains(&other.cell) {
                adversary
            } else {
                adversary.waiting()
            })
        };
        let adversaries: Vec<PackedAdversary> =
            mobile.into_iter().map(adversary).collect::<Option<_>>()?;
        Some(self.code.node(position, phase, adversaries.into_iter()))
    }

    fn interner(&self) -> Option<MutexGuard<'_, Interner>> {
        let interner = self.interner.as_ref()?;
        Some(interner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn pack(&self, node: &Node) -> u64 {
        match self.interner() {
            None => self.code.pack(node),
            Some(mut interner) => interner.intern(&self.code, node),
        }
    }

    fn unpack(&self, number: u64) -> Node {
        match self.interner() {
            None => self.code.unpack(&[number]),
            Some(interner) => interner.node(&self.code, number),
        }
    }

    /// Returns whether a ghost is in transit at this node: its teleport has not ended yet.
    pub fn is_in_transit(&self, number: u64) -> bool {
        self.in_transit(&self.unpack(number)).is_some()
    }

    /// Returns whether the level has several players.
    pub const fn is_joint(&self) -> bool {
        self.geometry.joint.is_some()
    }

    /// Returns the number of adversaries that can move.
    pub const fn mobile_count(&self) -> usize {
        self.code.len()
    }

    /// Returns the number of steps the player needs to escape if no adversary that can move is in the way; if there is no escape,
    /// one more than the largest such number of any position. With several players, these numbers disregard all adversaries;
    /// returns their minimum, or their sum if all have to escape. Appends to `encounters` a number for each pair of a player and
    /// an adversary that can move, made of the player's position, the adversary's tile, and whether it is a ghost.
    pub fn steps_to_go(&self, number: u64, encounters: &mut Vec<u64>) -> u32 {
        let node = self.unpack(number);
        // A player has at most 2^29 positions, two for each cell, so each of the numbers fits into 64 bits.
        let mut meet = |position: u32| {
            let adversaries = node.adversaries.iter().enumerate();
            encounters.extend(adversaries.map(|(at, adversary)| {
                let adversary = u64::from(adversary.tile()) << 1 | u64::from(at < self.ghosts);
                u64::from(position) << 33 | adversary
            }));
        };
        match &self.geometry.joint {
            None => {
                meet(node.position);
                self.geometry.positions.distance(node.position)
            }
            Some(joint) => {
                let players = joint.get(node.position);
                joint.singles_of(&players).for_each(meet);
                joint.distance(&players)
            }
        }
    }

    /// Forgets the nodes that were numbered as they were found: their numbers become invalid. Does nothing in levels whose nodes
    /// are packed into their numbers.
    pub fn forget(&self) {
        if let Some(mut interner) = self.interner() {
            *interner = Interner::new(&self.code);
        }
    }

    /// Returns the moves that lead to the [`Mdp::successors`] of a player's node, in the same order.
    pub fn moves(&self, number: u64) -> Vec<Move> {
        let paths = self.paths(&self.unpack(number), BarredSteps::default());
        paths.iter().map(|path| path.mv).collect()
    }

    fn paths(&self, node: &Node, barred: BarredSteps) -> Vec<JointPath> {
        let cell = |other: &PackedAdversary| self.geometry.cell(other.tile());
        let taken = |at| node.adversaries.iter().any(|other| cell(other) == at);
        if let Some(joint) = &self.geometry.joint {
            let is_immobile = |cell| self.geometry.is_immobile(cell);
            let has_adversary = |cell| taken(cell) || is_immobile(cell);
            return joint.paths(&joint.get(node.position), barred, has_adversary);
        }
        let paths = self.geometry.positions.paths_around(node.position, taken);
        let joint = |path: MovePath| JointPath {
            mv: path.mv,
            goal: match path.goal {
                PathEnd::Out => JointGoal::Won,
                PathEnd::Position(position) => JointGoal::TurnOver(position),
            },
        };
        paths.into_iter().map(joint).collect()
    }

    fn pack_finished(&self, node: Node) -> u64 {
        self.pack(&self.finished(node))
    }

    fn finished(&self, mut node: Node) -> Node {
        let is_over =
            |adversary: &PackedAdversary| !adversary.waits() && !self.is_transit(*adversary);
        if node.adversaries.iter().all(is_over) {
            node.phase = Phase::Player;
            for adversary in &mut node.adversaries {
                *adversary = adversary.waiting();
            }
        }
        self.drop_irrelevant_cooldowns(&mut node);
        node
    }

    fn drop_irrelevant_cooldowns(&self, node: &mut Node) {
        for at in 0..self.ghosts {
            let adversary = node.adversaries[at];
            let waits = node.phase == Phase::Adversaries && adversary.waits();
            if adversary.cooldown() > 0
                && !self.is_transit(adversary)
                && self.will_see(node.position, adversary.tile(), waits)
            {
                node.adversaries[at] = adversary.without_cooldown();
            }
        }
    }

    /// Returns whether a ghost is certain to see every player left at its next move and has at least two ways to go. If
    /// the ghost `waits`, no player moves before it.
    fn will_see(&self, position: u32, tile: u32, waits: bool) -> bool {
        let settings = self.dungeon.settings;
        let players = self.geometry.players(position);
        let sees = |(number, &player): (usize, &Cell)| {
            let stays = waits || players.has_moved(number);
            let farther = if stays { 0 } else { u32::from(settings.speed) };
            let distance = self.geometry.distance_to(player, tile);
            distance + farther <= u32::from(settings.radius)
        };
        self.is_roomy[tile as usize] && players.cells().iter().enumerate().all(sees)
    }

    fn max_cooldown(&self) -> u8 {
        max_cooldown(&self.dungeon)
    }

    fn can_stand(&self, position: u32, tile: u32) -> bool {
        let cell = self.geometry.cell(tile);
        !self.geometry.players(position).cells().contains(&cell)
            && !self.geometry.has_immobile(tile)
    }

    fn transit_to(&self, room: usize) -> u32 {
        self.geometry.tile_count() + room as u32
    }

    fn transit(&self) -> u32 {
        self.transit_to(self.geometry.rooms.len())
    }

    fn is_transit(&self, adversary: PackedAdversary) -> bool {
        adversary.tile() >= self.geometry.tile_count()
    }

    fn in_transit(&self, node: &Node) -> Option<usize> {
        node.adversaries
            .iter()
            .position(|&adversary| self.is_transit(adversary))
    }

    fn after(&self, node: &Node, at: usize, tile: u32, cooldown: u8) -> Successor {
        let mut node = node.clone();
        node.adversaries[at] = PackedAdversary::moved(tile, cooldown);
        self.code.sort(&mut node);
        Successor::Node(self.pack_finished(node))
    }

    fn after_catch(&self, node: &Node, at: usize, to: u32, cooldown: u8) -> Successor {
        let caught = self.geometry.joint.as_ref().and_then(|joint| {
            let players = joint.get(node.position);
            joint.caught(players, self.geometry.cell(to))
        });
        caught.map_or(Successor::Lost, |position| {
            let left = Node {
                position,
                ..node.clone()
            };
            self.after(&left, at, to, cooldown)
        })
    }

    /// Lists the successors of a node, and returns who chooses among them. With several players, the one who moves may not take
    /// the `barred` steps.
    fn list(
        &self,
        node: &Node,
        barred: BarredSteps,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        match node.phase {
            Phase::Player => {
                self.choose(node, barred, out);
                Ok(Owner::Player)
            }
            Phase::Adversaries => {
                self.draw(node, out, clock)?;
                Ok(Owner::Chance)
            }
        }
    }

    fn choose(&self, node: &Node, barred: BarredSteps, out: &mut Vec<Successor>) {
        let after = |position, phase| {
            let mut node = node.clone();
            node.position = position;
            node.phase = phase;
            Successor::Node(self.pack_finished(node))
        };
        out.extend(self.paths(node, barred).iter().map(|path| match path.goal {
            JointGoal::Won => Successor::Won,
            JointGoal::NextPlayer(position) => after(position, Phase::Player),
            JointGoal::TurnOver(position) => after(position, Phase::Adversaries),
        }));
    }

    fn draw(&self, node: &Node, out: &mut Vec<Successor>, clock: &mut Clock) -> Result<(), Limit> {
        if let Some(at) = self.in_transit(node) {
            return self.arrive(node, at, out, clock);
        }
        let waiting = node
            .adversaries
            .iter()
            .enumerate()
            .filter(|(_, adversary)| adversary.waits());
        let (at, _) = waiting
            .min_by_key(|(_, adversary)| adversary.tile())
            .expect("some adversary waits");
        let adversary = node.adversaries[at];
        let Intent { ways, change } = self.intent_at(node, at);
        let cooldown = match change {
            CooldownChange::Falls if self.has_stages => adversary.cooldown(),
            _ => change.apply(adversary.cooldown(), self.dungeon.settings.cooldown),
        };
        let tile = adversary.tile();
        let landings = || self.geometry.landings(node.position, tile, ways);
        let can_teleport =
            landings().any(|landing| landing == Landing::Teleport) && self.has_free_tile(node, at);
        out.extend(landings().map(|landing| match landing {
            Landing::Caught(to) => self.after_catch(node, at, to, cooldown),
            Landing::Teleport if can_teleport => self.after(node, at, self.transit(), cooldown),
            Landing::Teleport => self.after(node, at, tile, cooldown),
            Landing::Tile(to) => self.after(node, at, to, cooldown),
        }));
        Ok(())
    }

    /// Returns the intent of an adversary. The other adversaries matter only through the ways that they block next to it.
    fn intent(&self, position: u32, tile: u32, behaviour: Behaviour, blocked: DirSet) -> Intent {
        let players = self.geometry.players(position);
        let cell = self.geometry.cell(tile);
        let kind = match behaviour {
            Behaviour::Zombie => AdversaryKind::Zombie,
            Behaviour::ReadyGhost => AdversaryKind::Ghost { cooldown: 0 },
            Behaviour::CoolingGhost => AdversaryKind::Ghost { cooldown: 1 },
        };
        let step = |dir| self.dungeon.level.grid.step(cell, dir);
        let others: Vec<Cell> = blocked.iter().filter_map(step).collect();
        let scene = Surroundings {
            players: players.cells(),
            others: &others,
            key: players.key,
        };
        self.dungeon.intent(cell, kind, &scene)
    }

    fn intent_at(&self, node: &Node, at: usize) -> Intent {
        let adversary = node.adversaries[at];
        let behaviour = Behaviour::of(at < self.ghosts, adversary.cooldown());
        let next = self.geometry.neighbours(adversary.tile());
        // An adversary inside a wall also blocks its tile: no ghost can teleport by stepping there.
        let is_blocked =
            |dir: &Dir| next[*dir as usize].is_some_and(|tile| self.is_taken(node, tile));
        let blocked = DirSet::of(Dir::ALL.into_iter().filter(is_blocked));
        self.intent(node.position, adversary.tile(), behaviour, blocked)
    }

    fn is_taken(&self, node: &Node, tile: u32) -> bool {
        node.adversaries
            .iter()
            .any(|adversary| adversary.tile() == tile)
            || self.geometry.has_immobile(tile)
    }

    /// Lists the successors of a node with a ghost in transit: one for each room with a free tile or, once the room is drawn, one
    /// for each of its free tiles. There may be millions.
    fn arrive(
        &self,
        node: &Node,
        at: usize,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let ghost = node.adversaries[at];
        let (tile, cooldown) = (ghost.tile(), ghost.cooldown());
        let is_free = |tile: &u32| self.is_free(node, at, *tile);
        if tile == self.transit() {
            for (number, room) in self.geometry.rooms.iter().enumerate() {
                clock.work(ARRIVAL)?;
                if room.iter().any(is_free) {
                    out.push(self.after(node, at, self.transit_to(number), cooldown));
                }
            }
        } else {
            let room = (tile - self.geometry.tile_count()) as usize;
            for tile in &self.geometry.rooms[room] {
                clock.work(ARRIVAL)?;
                if is_free(tile) {
                    out.push(self.after(node, at, *tile, cooldown));
                }
            }
        }
        Ok(())
    }

    /// Counts the free tiles in rooms as if no mobile adversary occupied one.
    fn count_free(&self, position: u32) -> usize {
        let level = &self.dungeon.level;
        let players = self.geometry.players(position);
        // A player, the key and the exit may share a tile.
        let is_vacant = |cell: &Cell| !players.cells().contains(cell);
        let key = players.key.filter(is_vacant);
        let exit = level.exit.filter(is_vacant);
        let exit = exit.filter(|&exit| Some(exit) != key);
        let things = players.cells().iter().copied().chain(key).chain(exit);
        let taken = things.filter(|&cell| level.room_of(cell).is_some());
        self.geometry.room_tiles - taken.count()
    }

    fn has_free_tile(&self, node: &Node, at: usize) -> bool {
        // The other adversaries take at most one tile each, so one is left if there are more free tiles than other adversaries.
        self.count_free(node.position) >= node.adversaries.len()
            || self
                .geometry
                .rooms
                .iter()
                .flatten()
                .any(|&tile| self.is_free(node, at, tile))
    }

    fn is_free(&self, node: &Node, at: usize, tile: u32) -> bool {
        let mut all = node.adversaries.iter().enumerate();
        self.is_bare(node.position, tile)
            && all.all(|(other, adversary)| other == at || adversary.tile() != tile)
    }

    fn is_bare(&self, position: u32, tile: u32) -> bool {
        let players = self.geometry.players(position);
        let cell = self.geometry.cell(tile);
        !players.cells().contains(&cell)
            && players.key != Some(cell)
            && self.dungeon.level.exit != Some(cell)
    }
}

impl Mdp for DungeonMdp {
    fn initial(&self) -> u64 {
        let node = self.node(&self.dungeon.start(), Phase::Player, &[]);
        self.pack_finished(node.expect("the start is a position"))
    }

    fn has_fixed_numbers(&self) -> bool {
        self.interner.is_none()
    }

    fn begins_turn(&self, node: u64) -> bool {
        let joint = self.geometry.joint.as_ref();
        joint.is_none_or(|joint| joint.is_between_turns(self.unpack(node).position))
    }

    fn bytes(&self) -> u64 {
        self.interner().map_or(0, |interner| interner.bytes())
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        self.list(&self.unpack(node), BarredSteps::default(), out, clock)
    }
}

fn group(dungeon: &Dungeon, adversary: Adversary) -> usize {
    match (adversary.kind, dungeon.level.room_of(adversary.cell)) {
        (AdversaryKind::Zombie, Some(room)) => 1 + room as usize,
        _ => 0,
    }
}

fn max_cooldown(dungeon: &Dungeon) -> u8 {
    match dungeon.settings.strategy {
        Strategy::Chase => 0,
        Strategy::Cooldown => dungeon.settings.cooldown,
    }
}

fn groups(dungeon: &Dungeon, geometry: &Geometry) -> Vec<Group> {
    let rooms = geometry.rooms.len();
    let mut counts = vec![0; 1 + rooms];
    for other in dungeon
        .adversaries
        .iter()
        .filter(|other| !geometry.is_immobile(other.cell))
    {
        counts[group(dungeon, *other)] += 1;
    }
    // A ghost in transit has a number beyond the last tile: one for each room, and one for a room not yet drawn.
    let ghosts = Group {
        count: counts[0],
        tiles: (0, geometry.tile_count() + rooms as u32),
        cooldown: max_cooldown(dungeon),
    };
    let zombies = geometry
        .rooms
        .iter()
        .zip(&counts[1..])
        .map(|(room, &count)| {
            // In a room without tiles, no zombie moves.
            let ends = [room.first(), room.last()].map(|tile| tile.copied().unwrap_or(0));
            Group {
                count,
                tiles: ends.into(),
                cooldown: 0,
            }
        });
    std::iter::once(ghosts).chain(zombies).collect()
}

#[cfg(test)]
mod tests;
