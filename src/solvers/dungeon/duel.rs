//! One player against the adversaries of a level, as a game of nodes and numbers for
//! [`crate::engine::mdp`].
//!
//! A turn is a choice of the player and then, for each adversary in turn, a draw; each of these is
//! a node of its own, so that the draws of several adversaries are never multiplied out. A ghost
//! that teleports is *in transit*: at a node that tells no longer where it came from, and that
//! leads to a node for each room, and that to one for each free tile. So a teleport is a single
//! reference, whatever the size of the level.
//!
//! Ghosts are interchangeable, and so are the zombies of a room: since the reading order of their
//! tiles decides who moves first, it is also the order in which they are packed. The cooldown of a
//! ghost is left out where it makes no difference: when it is bound to see the player at its next
//! move, and to have two ways to go at least, the cooldown becomes 0 whatever it was. Zombies
//! outside rooms never move, and are no part of the node.

mod atlas;
mod code;
pub(super) mod pair;
mod places;
mod register;

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::mdp::{Mdp, Owner, Successor};
use crate::grid::{Cell, Dir};
use crate::limits::{Budget, Limit};
use crate::rules::dungeon::level::{Level, Ways};
use crate::rules::dungeon::{Adversary, Dungeon, Intent, Kind, Move, State, Strategy};
use crate::ruleset::Ruleset;
use atlas::{Actor, Atlas, Mood, Step};
use code::{Code, Group, Node, Token};
use places::{Goal, Path, Place};
use register::Register;

pub(super) use code::Phase;

/// A level with one player.
#[derive(Debug)]
pub(super) struct Duel {
    dungeon: Dungeon,
    atlas: Atlas,
    code: Code,
    /// The positions, where a number has no room for them.
    register: Option<Mutex<Register>>,
    /// How many of the adversaries are ghosts; they come first.
    ghosts: usize,
    /// The haunts from which a ghost always has two ways to go at least, whatever the others do.
    is_roomy: Vec<bool>,
}

/// What an adversary's move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Landing {
    /// The player is caught.
    Caught,
    /// The adversary is in transit.
    Transit,
    /// The adversary is there.
    Haunt(u32),
}

/// Why a level is not turned into a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoDuel {
    /// The player can't get out even if no adversary moves.
    NoWayOut,
    /// A limit was reached before.
    Limit(Limit),
}

impl From<Limit> for NoDuel {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl Duel {
    /// The duel of a level that has one player.
    pub(super) fn new(dungeon: &Dungeon, budget: &Budget) -> Result<Self, NoDuel> {
        budget.take(Level::bytes(dungeon.level.grid))?;
        let atlas = Atlas::new(dungeon, budget)?;
        let groups = groups(dungeon, &atlas);
        let code = Code::new(atlas.places.len(), &groups);
        let others = dungeon.adversaries.len().saturating_sub(1);
        let mut clock = budget.clock();
        let mut is_roomy = budget.with_capacity(atlas.haunts() as usize)?;
        for haunt in 0..atlas.haunts() {
            clock.work(16)?;
            is_roomy.push(atlas.freedom(dungeon, haunt) >= 2 + others);
        }
        Ok(Self {
            dungeon: dungeon.clone(),
            atlas,
            register: (code.bits() > u64::BITS).then(Mutex::default),
            code,
            ghosts: groups[0].count,
            is_roomy,
        })
    }

    /// The number of the node for this position, when the adversaries on the tiles `moved` have
    /// moved and it is the turn of those of `phase`. `None` for a position that no play leads to.
    pub(super) fn number(&self, at: &State, phase: Phase, moved: &[Cell]) -> Option<u64> {
        let node = self.finished(self.node(at, phase, moved)?);
        match self.register() {
            None => Some(self.code.pack(&node)),
            Some(mut register) => register.find(&self.code, &node),
        }
    }

    /// The node for this position.
    fn node(&self, at: &State, phase: Phase, moved: &[Cell]) -> Option<Node> {
        let place = Place {
            key: at.key,
            cell: *at.players.first()?,
        };
        let place = self.atlas.places.find(place)?;
        let mobile = at
            .adversaries
            .iter()
            .filter(|other| !atlas::is_statue(&self.dungeon, **other));
        let mut mobile: Vec<&Adversary> = mobile.collect();
        mobile.sort_by_key(|other| group(&self.dungeon, **other));
        let token = |other: &Adversary| {
            let cooldown = match other.kind {
                Kind::Zombie => 0,
                Kind::Ghost { cooldown } => cooldown,
            };
            let token = Token::moved(self.atlas.find_haunt(other.cell)?, cooldown);
            Some(if moved.contains(&other.cell) {
                token
            } else {
                token.waiting()
            })
        };
        let tokens: Vec<Token> = mobile.into_iter().map(token).collect::<Option<_>>()?;
        Some(self.code.node(place, phase, tokens.into_iter()))
    }

    fn register(&self) -> Option<MutexGuard<'_, Register>> {
        let register = self.register.as_ref()?;
        Some(register.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of a node.
    fn pack(&self, node: &Node) -> u64 {
        match self.register() {
            None => self.code.pack(node),
            Some(mut register) => register.enter(&self.code, node),
        }
    }

    /// The node of a number.
    fn unpack(&self, number: u64) -> Node {
        match self.register() {
            None => self.code.unpack(number),
            Some(register) => register.position(&self.code, number),
        }
    }

    /// Whether a ghost is in transit at this node.
    pub(super) fn is_in_transit(&self, number: u64) -> bool {
        self.in_transit(&self.unpack(number)).is_some()
    }

    /// The moves that [`Mdp::successors`] lists at a node where the player is to move.
    pub(super) fn moves(&self, number: u64) -> Vec<Move> {
        self.paths(&self.unpack(number))
            .iter()
            .map(|path| path.mv)
            .collect()
    }

    /// The moves by which the player keeps clear of the adversaries.
    fn paths(&self, node: &Node) -> Cow<'_, [Path]> {
        let taken = |cell| {
            node.tokens()
                .iter()
                .any(|token| self.atlas.cell(token.haunt()) == cell)
        };
        if self.is_near(node) {
            Cow::Owned(self.atlas.places.paths_around(node.place, taken))
        } else {
            self.atlas.places.paths(node.place)
        }
    }

    /// Whether some adversary stands where the player could step.
    fn is_near(&self, node: &Node) -> bool {
        let speed = u32::from(self.dungeon.settings.speed);
        node.tokens()
            .iter()
            .any(|token| self.distance(node, *token) <= speed)
    }

    /// The distance between the player and an adversary.
    fn distance(&self, node: &Node, token: Token) -> u32 {
        self.atlas.distance(node.place, token.haunt())
    }

    /// The node as a number, with the next to move: the player, if no adversary waits any more.
    fn finish(&self, node: Node) -> u64 {
        self.pack(&self.finished(node))
    }

    /// The node with the next to move.
    fn finished(&self, mut node: Node) -> Node {
        let is_over = |token: &Token| !token.waits() && !self.is_transit(*token);
        if node.tokens().iter().all(is_over) {
            node.phase = Phase::Player;
            for token in node.tokens_mut() {
                *token = token.waiting();
            }
        }
        self.cool(&mut node);
        node
    }

    /// Leaves out the cooldowns that make no difference.
    fn cool(&self, node: &mut Node) {
        for at in 0..self.ghosts {
            let token = node.tokens()[at];
            let waits = node.phase == Phase::Adversaries && token.waits();
            if token.cooldown() > 0
                && !self.is_transit(token)
                && self.will_see(node.place, token.haunt(), waits)
            {
                node.tokens_mut()[at] = token.cooled();
            }
        }
    }

    /// Whether a ghost is bound to see the player at its next move, and to have two ways to go
    /// then. If it `waits`, the player does not move before.
    fn will_see(&self, place: u32, haunt: u32, waits: bool) -> bool {
        let settings = self.dungeon.settings;
        let farther = if waits { 0 } else { u32::from(settings.speed) };
        self.is_roomy[haunt as usize]
            && self.atlas.distance(place, haunt) + farther <= u32::from(settings.radius)
    }

    /// The greatest cooldown that a ghost can have.
    fn most_cooldown(&self) -> u8 {
        most_cooldown(&self.dungeon)
    }

    /// Whether an adversary can be there with the player at `place`.
    fn can_haunt(&self, place: u32, haunt: u32) -> bool {
        self.atlas.cell(haunt) != self.atlas.places.get(place).cell && !self.atlas.has_statue(haunt)
    }

    /// The haunts next to this one where another adversary can be.
    fn neighbours(&self, place: u32, haunt: u32) -> impl Iterator<Item = u32> {
        let cells = self.dungeon.level.grid.neighbours(self.atlas.cell(haunt));
        cells
            .filter_map(|(_, cell)| self.atlas.find_haunt(cell))
            .filter(move |&next| self.can_haunt(place, next))
    }

    /// The haunt of a ghost that is about to appear in this room.
    fn transit_to(&self, room: usize) -> u32 {
        self.atlas.haunts() + room as u32
    }

    /// The haunt of a ghost that is about to appear in a random room.
    fn transit(&self) -> u32 {
        self.transit_to(self.atlas.rooms.len())
    }

    fn is_transit(&self, token: Token) -> bool {
        token.haunt() >= self.atlas.haunts()
    }

    fn in_transit(&self, node: &Node) -> Option<usize> {
        node.tokens()
            .iter()
            .position(|&token| self.is_transit(token))
    }

    /// The node after adversary number `at` has got to `haunt`.
    fn after(&self, node: &Node, at: usize, haunt: u32, cooldown: u8) -> Successor {
        let mut node = node.clone();
        node.tokens_mut()[at] = Token::moved(haunt, cooldown);
        self.code.sort(&mut node);
        Successor::Node(self.finish(node))
    }

    /// The player's choice.
    fn choose(&self, node: &Node, out: &mut Vec<Successor>) {
        out.extend(self.paths(node).iter().map(|path| match path.goal {
            Goal::Out => Successor::Won,
            Goal::Place(place) => {
                let mut node = node.clone();
                node.place = place;
                node.phase = Phase::Adversaries;
                Successor::Node(self.finish(node))
            }
        }));
    }

    /// The next adversary's move.
    fn draw(&self, node: &Node, out: &mut Vec<Successor>) {
        if let Some(at) = self.in_transit(node) {
            return self.arrive(node, at, out);
        }
        let waiting = node
            .tokens()
            .iter()
            .enumerate()
            .filter(|(_, token)| token.waits());
        let (at, _) = waiting
            .min_by_key(|(_, token)| token.haunt())
            .expect("some adversary waits");
        let (cooldown, landings) = self.landings(node, at);
        out.extend(landings.map(|landing| match landing {
            Landing::Caught => Successor::Lost,
            Landing::Transit => self.after(node, at, self.transit(), cooldown),
            Landing::Haunt(to) => self.after(node, at, to, cooldown),
        }));
    }

    /// What adversary number `at` can do, all of it equally likely, and its cooldown after that.
    fn landings(&self, node: &Node, at: usize) -> (u8, impl Iterator<Item = Landing>) {
        let token = node.tokens()[at];
        let Intent { ways, change } = self.intent(node, at);
        let cooldown = change.apply(token.cooldown(), self.dungeon.settings.cooldown);
        let player = self.atlas.places.get(node.place).cell;
        let can_teleport = ways
            .iter()
            .any(|dir| self.atlas.step(token.haunt(), dir) == Step::Teleports)
            && self.has_free_tile(node, at);
        let landing = move |dir| match self.atlas.step(token.haunt(), dir) {
            Step::Haunt(to) if self.atlas.cell(to) == player => Landing::Caught,
            Step::Haunt(to) => Landing::Haunt(to),
            Step::Teleports if can_teleport => Landing::Transit,
            Step::Teleports | Step::Blocked => Landing::Haunt(token.haunt()),
        };
        let stays = ways.is_empty().then_some(Landing::Haunt(token.haunt()));
        (cooldown, ways.iter().map(landing).chain(stays))
    }

    /// Where adversary number `at` wants to go.
    fn intent(&self, node: &Node, at: usize) -> Intent {
        let token = node.tokens()[at];
        let mood = match (at < self.ghosts, token.cooldown()) {
            (false, _) => Mood::Zombie,
            (true, 0) => Mood::Cool,
            (true, _) => Mood::Hot,
        };
        let is_blocked = |dir: &Dir| match self.atlas.step(token.haunt(), *dir) {
            Step::Haunt(to) => self.is_taken(node, to),
            // An adversary may have been drawn in a wall.
            Step::Teleports => self.has_actor_in_wall(node, token, *dir),
            Step::Blocked => false,
        };
        let blocked = Ways::of(Dir::ALL.into_iter().filter(is_blocked));
        let actor = Actor {
            place: node.place,
            mood,
            haunt: token.haunt(),
            blocked,
        };
        self.atlas.intent(&self.dungeon, actor)
    }

    fn has_actor_in_wall(&self, node: &Node, token: Token, dir: Dir) -> bool {
        let to = self
            .dungeon
            .level
            .grid
            .step(self.atlas.cell(token.haunt()), dir);
        let haunt = to.and_then(|to| self.atlas.find_haunt(to));
        haunt.is_some_and(|haunt| self.is_taken(node, haunt))
    }

    /// Whether an adversary stands there.
    fn is_taken(&self, node: &Node, haunt: u32) -> bool {
        node.tokens().iter().any(|token| token.haunt() == haunt) || self.atlas.has_statue(haunt)
    }

    /// A ghost in transit gets one step nearer: into a room, or onto a tile.
    fn arrive(&self, node: &Node, at: usize, out: &mut Vec<Successor>) {
        let token = node.tokens()[at];
        let mut push = |haunt| out.push(self.after(node, at, haunt, token.cooldown()));
        if token.haunt() == self.transit() {
            let rooms = self.atlas.rooms.iter().enumerate();
            let free =
                rooms.filter(|(_, room)| room.iter().any(|&tile| self.is_free(node, at, tile)));
            free.for_each(|(room, _)| push(self.transit_to(room)));
        } else {
            let room = &self.atlas.rooms[(token.haunt() - self.atlas.haunts()) as usize];
            let free = room.iter().filter(|&&tile| self.is_free(node, at, tile));
            free.for_each(|&tile| push(tile));
        }
    }

    /// Whether there is a tile that the ghost of number `at` can be teleported to.
    fn has_free_tile(&self, node: &Node, at: usize) -> bool {
        // The others take a tile each at most, and it is quick to see that there are more.
        self.atlas.free(&self.dungeon, node.place) >= node.tokens().len()
            || self
                .atlas
                .rooms
                .iter()
                .flatten()
                .any(|&tile| self.is_free(node, at, tile))
    }

    /// Whether the ghost of number `at` can be teleported to this tile of a room.
    fn is_free(&self, node: &Node, at: usize, haunt: u32) -> bool {
        let others = node
            .tokens()
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != at);
        self.is_bare(node.place, haunt)
            && others.map(|(_, token)| token.haunt()).all(|o| o != haunt)
    }

    /// Whether neither player nor key nor exit is on this tile.
    fn is_bare(&self, place: u32, haunt: u32) -> bool {
        let Place { key, cell: player } = self.atlas.places.get(place);
        let cell = self.atlas.cell(haunt);
        cell != player && key != Some(cell) && self.dungeon.level.exit != Some(cell)
    }
}

impl Mdp for Duel {
    fn bits(&self) -> u32 {
        if self.register.is_some() {
            register::BITS
        } else {
            self.code.bits()
        }
    }

    fn initial(&self) -> u64 {
        let node = self.node(&self.dungeon.start(), Phase::Player, &[]);
        self.finish(node.expect("the start is a position"))
    }

    fn bytes(&self) -> u64 {
        self.register().map_or(0, |register| register.bytes())
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let node = self.unpack(node);
        match node.phase {
            Phase::Player => {
                self.choose(&node, out);
                Owner::Player
            }
            Phase::Adversaries => {
                self.draw(&node, out);
                Owner::Chance
            }
        }
    }
}

/// The number of the group of interchangeable adversaries that this one belongs to: ghosts first,
/// then the zombies room by room.
fn group(dungeon: &Dungeon, adversary: Adversary) -> usize {
    match (adversary.kind, dungeon.level.room_of(adversary.cell)) {
        (Kind::Zombie, Some(room)) => 1 + room as usize,
        _ => 0,
    }
}

/// The greatest cooldown that a ghost can have.
fn most_cooldown(dungeon: &Dungeon) -> u8 {
    match dungeon.settings.strategy {
        Strategy::Chase => 0,
        Strategy::Cooldown => dungeon.settings.cooldown,
    }
}

fn groups(dungeon: &Dungeon, atlas: &Atlas) -> Vec<Group> {
    let rooms = atlas.rooms.len();
    let mut counts = vec![0; 1 + rooms];
    for other in dungeon
        .adversaries
        .iter()
        .filter(|other| !atlas::is_statue(dungeon, **other))
    {
        counts[group(dungeon, *other)] += 1;
    }
    // In transit, a ghost has a haunt past the last tile: one for each room and one for all.
    let ghosts = Group {
        count: counts[0],
        haunts: (0, atlas.haunts() + rooms as u32),
        cooldown: most_cooldown(dungeon),
    };
    let zombies = atlas.rooms.iter().zip(&counts[1..]).map(|(room, &count)| {
        let ends = (room[0], *room.last().expect("a room has a tile"));
        Group {
            count,
            haunts: ends,
            cooldown: 0,
        }
    });
    std::iter::once(ghosts).chain(zombies).collect()
}
