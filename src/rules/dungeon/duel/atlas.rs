//! Where the player and the adversaries can be, numbered; and what the rules say there, each asked once.

use std::sync::atomic::{AtomicU8, Ordering};

use super::super::cooldown::{Change, ways};
use super::super::level::{Tile, Ways};
use super::super::{Adversary, Dungeon, Intent, Kind, Move, Scene, State, Strategy};
use crate::grid::{Cell, Dir};
use crate::rules::{Outcome, Ruleset};

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Where the player is, and where the key lies if it still does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) key: Option<Cell>,
    pub(super) cell: Cell,
}

/// What the player gets to by a step, or by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Out.
    Out,
    /// The place of this number.
    Place(u32),
}

/// A move of the player that keeps clear of all adversaries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) mv: Move,
    pub(super) goal: Goal,
}

/// What an adversary gets to by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nowhere.
    Blocked,
    /// Into a wall or void.
    Teleports,
    /// The haunt of this number.
    Haunt(u32),
}

/// What kind of adversary is to move, as far as its intent depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Zombie,
    /// A ghost with cooldown 0.
    Cool,
    /// A ghost with a cooldown above 0.
    Hot,
}

/// The places and haunts of a level with one player.
#[derive(Debug)]
pub(super) struct Atlas {
    /// The places that the player can get to, those nearest to the way out first.
    places: Vec<Place>,
    /// For each place what each step leads to, adversaries that move aside.
    goals: Vec<[Option<Goal>; 4]>,
    /// For each place all moves, adversaries that move aside.
    paths: Vec<Vec<Path>>,
    /// The tiles on which an adversary can be, in reading order.
    haunts: Vec<Cell>,
    haunt_of: Vec<u32>,
    /// Row and column of each place and haunt.
    place_positions: Vec<(u32, u32)>,
    haunt_positions: Vec<(u32, u32)>,
    /// For each haunt what each step leads to.
    steps: Vec<[Step; 4]>,
    /// The rooms as haunts.
    pub(super) rooms: Vec<Vec<u32>>,
    /// Haunts of adversaries that never move.
    pub(super) statues: Vec<u32>,
    /// The intents, see [`Atlas::intent`]; 0: not yet asked for.
    intents: Vec<AtomicU8>,
    /// How many intents are kept for each place and haunt.
    kept: usize,
}

impl Atlas {
    /// The atlas of this level; `None` if the player can't get out even if no adversary moves.
    pub(super) fn new(dungeon: &Dungeon) -> Option<Self> {
        let level = &dungeon.level;
        let is_statue = |other: &&Adversary| is_statue(dungeon, **other);
        let mut at = dungeon.start();
        at.adversaries = dungeon
            .adversaries
            .iter()
            .filter(is_statue)
            .copied()
            .collect();
        let (places, goals) = by_distance(&explore(dungeon, &mut at))?;
        let is_haunt = |cell: &Cell| {
            matches!(level.tile(*cell), Tile::Floor | Tile::Door)
                || dungeon.adversaries.iter().any(|other| other.cell == *cell)
        };
        let haunts: Vec<Cell> = level.grid.cells().filter(is_haunt).collect();
        let mut haunt_of = vec![NONE; level.grid.size()];
        for (haunt, cell) in haunts.iter().enumerate() {
            haunt_of[cell.index()] = haunt as u32;
        }
        let number = |cell: &Cell| haunt_of[cell.index()];
        let rooms = level
            .rooms()
            .iter()
            .map(|room| room.iter().map(number).collect())
            .collect();
        let statues = at
            .adversaries
            .iter()
            .map(|statue| number(&statue.cell))
            .collect();
        let position = |cell: Cell| level.grid.position(cell);
        let place_positions = places.iter().map(|place| position(place.cell)).collect();
        let haunt_positions = haunts.iter().map(|&cell| position(cell)).collect();
        let kept = intents_kept(dungeon, places.len() * haunts.len());
        let intents = (0..places.len() * haunts.len() * kept)
            .map(|_| AtomicU8::new(0))
            .collect();
        let mut atlas = Self {
            places,
            goals,
            paths: Vec::new(),
            steps: haunts
                .iter()
                .map(|&cell| steps(dungeon, &haunt_of, cell))
                .collect(),
            place_positions,
            haunt_positions,
            haunts,
            haunt_of,
            rooms,
            statues,
            intents,
            kept,
        };
        let paths = |place| atlas.paths_around(dungeon, place, |_| false);
        atlas.paths = (0..atlas.places.len() as u32).map(paths).collect();
        Some(atlas)
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// The place of this number.
    pub(super) fn place(&self, number: u32) -> Place {
        self.places[number as usize]
    }

    /// The number of this place, if the player can get there.
    pub(super) fn find_place(&self, place: Place) -> Option<u32> {
        Some(self.places.iter().position(|&known| known == place)? as u32)
    }

    /// How many haunts there are.
    pub(super) fn haunts(&self) -> u32 {
        self.haunts.len() as u32
    }

    /// The tile of a haunt.
    pub(super) fn cell(&self, haunt: u32) -> Cell {
        self.haunts[haunt as usize]
    }

    /// The distance between a place and a haunt.
    pub(super) fn distance(&self, place: u32, haunt: u32) -> u32 {
        let (row, col) = self.place_positions[place as usize];
        let (other_row, other_col) = self.haunt_positions[haunt as usize];
        row.abs_diff(other_row) + col.abs_diff(other_col)
    }

    /// The haunt on this tile.
    pub(super) fn find_haunt(&self, cell: Cell) -> Option<u32> {
        Some(self.haunt_of[cell.index()]).filter(|&haunt| haunt != NONE)
    }

    /// What a step from a haunt leads to.
    pub(super) fn step(&self, haunt: u32, dir: Dir) -> Step {
        self.steps[haunt as usize][dir as usize]
    }

    /// All moves from a place, shorter ones first, when no adversary is near.
    pub(super) fn paths(&self, place: u32) -> &[Path] {
        &self.paths[place as usize]
    }

    /// The moves from a place that keep clear of tiles that are `taken`: a shortest one to each goal,
    /// shorter ones first; and if one leads out, that alone.
    pub(super) fn paths_around(
        &self,
        dungeon: &Dungeon,
        place: u32,
        taken: impl Fn(Cell) -> bool,
    ) -> Vec<Path> {
        // Under `cooldown` an adversary may stand on the exit.
        let is_shut = dungeon.level.exit.is_some_and(&taken);
        let mut paths = vec![Path {
            mv: Move::STAY,
            goal: Goal::Place(place),
        }];
        let mut next = 0;
        while let Some(&Path {
            mv,
            goal: Goal::Place(from),
        }) = paths.get(next)
        {
            next += 1;
            if mv.len() == usize::from(dungeon.settings.speed) {
                break;
            }
            for dir in Dir::ALL {
                let (goal, mv) = match (self.goals[from as usize][dir as usize], mv.and(dir)) {
                    (Some(Goal::Out), Some(mv)) if !is_shut => {
                        return vec![Path {
                            mv,
                            goal: Goal::Out,
                        }];
                    }
                    (Some(Goal::Place(to)), Some(mv)) if !taken(self.place(to).cell) => {
                        (Goal::Place(to), mv)
                    }
                    _ => continue,
                };
                if paths.iter().all(|path| path.goal != goal) {
                    paths.push(Path { mv, goal });
                }
            }
        }
        paths
    }

    /// How many ways lead from a haunt that a ghost under `cooldown` may take, without other adversaries.
    pub(super) fn freedom(&self, dungeon: &Dungeon, haunt: u32) -> usize {
        let scene = Scene {
            players: &[],
            others: &[],
            key: None,
        };
        ways(&dungeon.level, self.cell(haunt), &scene).len()
    }

    /// The intent of an adversary: where it is, and which ways are blocked by other adversaries, whom
    /// alone of the others it depends on.
    pub(super) fn intent(&self, dungeon: &Dungeon, actor: Actor) -> Intent {
        if self.kept == 0 {
            return self.ask(dungeon, actor);
        }
        let at = actor.place as usize * self.haunts.len() + actor.haunt as usize;
        let case = actor.mood as usize * WAYS + usize::from(actor.blocked.bits());
        let slot = &self.intents[at * self.kept + case];
        let known = slot.load(Ordering::Relaxed);
        if known & KNOWN != 0 {
            return unpack(known);
        }
        let intent = self.ask(dungeon, actor);
        slot.store(
            KNOWN | intent.ways.bits() | (intent.change as u8) << 4,
            Ordering::Relaxed,
        );
        intent
    }

    fn ask(&self, dungeon: &Dungeon, actor: Actor) -> Intent {
        let Place { key, cell: player } = self.place(actor.place);
        let cell = self.cell(actor.haunt);
        let kind = match actor.mood {
            Mood::Zombie => Kind::Zombie,
            Mood::Cool => Kind::Ghost { cooldown: 0 },
            Mood::Hot => Kind::Ghost { cooldown: 1 },
        };
        let others = actor
            .blocked
            .iter()
            .filter_map(|dir| dungeon.level.grid.step(cell, dir));
        let others: Vec<Cell> = others.collect();
        dungeon.intent(
            cell,
            kind,
            &Scene {
                players: &[player],
                others: &others,
                key,
            },
        )
    }
}

/// An adversary that is to move, and what its intent depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Actor {
    /// The player's place.
    pub(super) place: u32,
    pub(super) mood: Mood,
    pub(super) haunt: u32,
    /// The ways to other adversaries.
    pub(super) blocked: Ways,
}

/// How many sets of ways there are.
const WAYS: usize = 16;
/// The most intents that are kept; on larger levels each is asked for again.
const MOST_INTENTS: usize = 1 << 28;
/// The bit of an intent that was asked for.
const KNOWN: u8 = 1 << 7;

fn unpack(known: u8) -> Intent {
    let change = match known >> 4 & 3 {
        0 => Change::Keeps,
        1 => Change::Ends,
        2 => Change::Falls,
        _ => Change::Starts,
    };
    Intent {
        ways: Ways::from_bits(known),
        change,
    }
}

/// How many intents to keep for each of so many pairs of a place and a haunt: all, or none.
fn intents_kept(dungeon: &Dungeon, pairs: usize) -> usize {
    let kept = match dungeon.settings.strategy {
        Strategy::Chase => 2 * WAYS,
        Strategy::Cooldown => 3 * WAYS,
    };
    let is_lonely = dungeon.adversaries.len() < 2;
    if is_lonely || pairs.saturating_mul(kept) > MOST_INTENTS {
        0
    } else {
        kept
    }
}

/// Whether this adversary can never move: a zombie outside all rooms.
pub(super) fn is_statue(dungeon: &Dungeon, adversary: Adversary) -> bool {
    adversary.kind == Kind::Zombie && dungeon.level.room_of(adversary.cell).is_none()
}

fn steps(dungeon: &Dungeon, haunt_of: &[u32], from: Cell) -> [Step; 4] {
    Dir::ALL.map(|dir| match dungeon.level.grid.step(from, dir) {
        None => Step::Blocked,
        Some(to) if dungeon.level.tile(to).teleports() => Step::Teleports,
        Some(to) => Step::Haunt(haunt_of[to.index()]),
    })
}

type Steps = [Option<Goal>; 4];

/// All places that the player can get to in the company of `at`'s adversaries, if these stay, and what
/// its steps lead to there.
fn explore(dungeon: &Dungeon, at: &mut State) -> Vec<(Place, Steps)> {
    let mut places = vec![Place {
        key: at.key,
        cell: at.players[0],
    }];
    let mut explored = Vec::new();
    while let Some(&place) = places.get(explored.len()) {
        at.key = place.key;
        at.players[0] = place.cell;
        let steps = Dir::ALL.map(|dir| {
            let walk = dungeon.follow(at, Move::STAY.and(dir)?).ok()?;
            match walk.end {
                Some(Outcome::Escaped) => Some(Goal::Out),
                Some(Outcome::Caught(_)) => None,
                None => {
                    let place = Place {
                        key: walk.key,
                        cell: walk.cell,
                    };
                    let known = places.iter().position(|&known| known == place);
                    Some(Goal::Place(known.unwrap_or_else(|| {
                        places.push(place);
                        places.len() - 1
                    }) as u32))
                }
            }
        });
        explored.push((place, steps));
    }
    explored
}

/// The places, those from which fewer steps lead out first; `None` if there is no way out.
fn by_distance(explored: &[(Place, Steps)]) -> Option<(Vec<Place>, Vec<Steps>)> {
    let mut distances = vec![NONE; explored.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (at, (_, steps)) in explored.iter().enumerate() {
            let through = |goal: &Goal| match goal {
                Goal::Out => 1,
                Goal::Place(to) => distances[*to as usize].saturating_add(1),
            };
            let distance = steps.iter().flatten().map(through).min().unwrap_or(NONE);
            changed |= distance < distances[at];
            distances[at] = distances[at].min(distance);
        }
    }
    if distances[0] == NONE {
        return None;
    }
    let mut order: Vec<usize> = (0..explored.len()).collect();
    order.sort_by_key(|&at| (distances[at], explored[at].0));
    let mut rank = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new as u32;
    }
    let renumber = |goal| match goal {
        Goal::Out => Goal::Out,
        Goal::Place(old) => Goal::Place(rank[old as usize]),
    };
    let places = order.iter().map(|&at| explored[at].0).collect();
    let steps = order
        .iter()
        .map(|&at| explored[at].1.map(|goal| goal.map(renumber)))
        .collect();
    Some((places, steps))
}
