//! Where everybody can be, numbered; and what the rules say there, each asked once.

use std::sync::atomic::{AtomicU8, Ordering};

use super::NoDuel;
use super::places::{Place, Places};
use crate::grid::{Cell, Dir};
use crate::limits::{Budget, Limit, bytes};
use crate::rules::dungeon::cooldown::{Change, ways};
use crate::rules::dungeon::level::{Tile, Ways};
use crate::rules::dungeon::{Adversary, Dungeon, Intent, Kind, Scene, Strategy};
use crate::ruleset::Ruleset;

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

/// The places of the player and the *haunts* of the adversaries, the tiles on which one of them can
/// be, in reading order.
#[derive(Debug)]
pub(super) struct Atlas {
    pub(super) places: Places,
    haunts: Vec<Cell>,
    haunt_of: Vec<u32>,
    /// Row and column of each place.
    place_positions: Vec<(u32, u32)>,
    /// Row and column of each haunt.
    haunt_positions: Vec<(u32, u32)>,
    /// For each haunt what each step leads to.
    steps: Vec<[Step; 4]>,
    /// The rooms as haunts.
    pub(super) rooms: Vec<Vec<u32>>,
    /// How many tiles the rooms have.
    tiles: usize,
    /// For each haunt whether an adversary stands there that never moves.
    statues: Vec<bool>,
    intents: Intents,
}

/// No haunt.
const NONE: u32 = u32::MAX;

impl Atlas {
    /// The atlas of this level.
    pub(super) fn new(dungeon: &Dungeon, budget: &Budget) -> Result<Self, NoDuel> {
        let level = &dungeon.level;
        let mut at = dungeon.start();
        at.adversaries.retain(|other| is_statue(dungeon, *other));
        let statue_cells: Vec<Cell> = at.adversaries.iter().map(|statue| statue.cell).collect();
        let places = Places::new(dungeon, at, budget)?;
        let (haunts, haunt_of) = haunts(dungeon, budget)?;
        let number = |cell: &Cell| haunt_of[cell.index()];
        let mut statues = budget.filled(false, haunts.len())?;
        for cell in &statue_cells {
            statues[number(cell) as usize] = true;
        }
        let mut clock = budget.clock();
        let mut place_positions = budget.with_capacity(places.len() as usize)?;
        for place in 0..places.len() {
            clock.work(1)?;
            place_positions.push(level.grid.position(places.get(place).cell));
        }
        let mut haunt_positions = budget.with_capacity(haunts.len())?;
        let mut all_steps = budget.with_capacity(haunts.len())?;
        for &cell in &haunts {
            clock.work(8)?;
            haunt_positions.push(level.grid.position(cell));
            all_steps.push(steps(dungeon, &haunt_of, cell));
        }
        let mut rooms = budget.with_capacity(level.rooms().len())?;
        for room in level.rooms() {
            clock.work((1 + room.len()) as u64)?;
            budget.take(bytes::<u32>(room.len()))?;
            rooms.push(room.iter().map(number).collect());
        }
        Ok(Self {
            place_positions,
            haunt_positions,
            steps: all_steps,
            tiles: rooms.iter().map(Vec::len).sum(),
            rooms,
            statues,
            intents: Intents::new(dungeon, places.len() as usize * haunts.len(), budget)?,
            places,
            haunts,
            haunt_of,
        })
    }

    /// Whether an adversary stands there that never moves.
    pub(super) fn has_statue(&self, haunt: u32) -> bool {
        self.statues[haunt as usize]
    }

    /// How many tiles of rooms are free with the player at `place`, adversaries aside.
    pub(super) fn free(&self, dungeon: &Dungeon, place: u32) -> usize {
        let level = &dungeon.level;
        let Place { key, cell } = self.places.get(place);
        // The player may stand on the closed exit; the key is somewhere else.
        let exit = level.exit.filter(|&exit| exit != cell);
        let things = [Some(cell), key, exit].into_iter().flatten();
        let taken = things.filter(|&cell| level.room_of(cell).is_some());
        self.tiles - taken.count()
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

    /// How many ways lead from a haunt that a ghost under `cooldown` may take, without other
    /// adversaries.
    pub(super) fn freedom(&self, dungeon: &Dungeon, haunt: u32) -> usize {
        let scene = Scene {
            players: &[],
            others: &[],
            key: None,
        };
        ways(&dungeon.level, self.cell(haunt), &scene).len()
    }

    /// The intent of an adversary. Of the other adversaries it depends on those alone that are in
    /// its ways.
    pub(super) fn intent(&self, dungeon: &Dungeon, actor: Actor) -> Intent {
        let pair = actor.place as usize * self.haunts.len() + actor.haunt as usize;
        self.intents.get(pair, actor, || self.ask(dungeon, actor))
    }

    fn ask(&self, dungeon: &Dungeon, actor: Actor) -> Intent {
        let Place { key, cell: player } = self.places.get(actor.place);
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

/// Whether this adversary can never move: a zombie outside all rooms.
pub(super) fn is_statue(dungeon: &Dungeon, adversary: Adversary) -> bool {
    adversary.kind == Kind::Zombie && dungeon.level.room_of(adversary.cell).is_none()
}

/// The tiles on which an adversary can be: floor, doorways, and where one was drawn in a wall; and
/// for each tile its number among them.
fn haunts(dungeon: &Dungeon, budget: &Budget) -> Result<(Vec<Cell>, Vec<u32>), Limit> {
    let grid = dungeon.level.grid;
    let mut clock = budget.clock();
    let mut haunt_of = budget.filled(NONE, grid.size())?;
    for other in &dungeon.adversaries {
        haunt_of[other.cell.index()] = 0;
    }
    let mut haunts = Vec::new();
    for cell in grid.cells() {
        clock.work(1)?;
        let is_open = matches!(dungeon.level.tile(cell), Tile::Floor | Tile::Door);
        let number = &mut haunt_of[cell.index()];
        if is_open || *number != NONE {
            *number = haunts.len() as u32;
            budget.push(&mut haunts, cell)?;
        }
    }
    Ok((haunts, haunt_of))
}

fn steps(dungeon: &Dungeon, haunt_of: &[u32], from: Cell) -> [Step; 4] {
    Dir::ALL.map(|dir| match dungeon.level.grid.step(from, dir) {
        None => Step::Blocked,
        Some(to) if dungeon.level.tile(to).teleports() => Step::Teleports,
        Some(to) => Step::Haunt(haunt_of[to.index()]),
    })
}

/// The intents that were asked for: for each pair of a place and a haunt, for each mood and for
/// each set of ways that are blocked, a byte.
#[derive(Debug)]
struct Intents {
    known: Vec<AtomicU8>,
    /// How many there are for a pair; 0 if none are kept.
    per_pair: usize,
}

impl Intents {
    /// How many sets of ways there are.
    const WAYS: usize = 16;
    /// The most intents that are kept; on larger levels each is asked for again.
    const MOST: usize = 1 << 28;
    /// So many are made between two looks at the clock.
    const PIECE: usize = 1 << 24;
    /// The bit of an intent that was asked for.
    const KNOWN: u8 = 1 << 7;

    fn new(dungeon: &Dungeon, pairs: usize, budget: &Budget) -> Result<Self, Limit> {
        let moods = match dungeon.settings.strategy {
            Strategy::Chase => Mood::Cool as usize + 1,
            Strategy::Cooldown => Mood::Hot as usize + 1,
        };
        let per_pair = moods * Self::WAYS;
        let all = pairs.saturating_mul(per_pair);
        // For a single adversary few of them would ever be asked for; and the positions need most
        // of the memory.
        let is_worth_it = dungeon.adversaries.len() > 1
            && all <= Self::MOST
            && budget.check(8 * bytes::<AtomicU8>(all)).is_ok();
        if !is_worth_it {
            return Ok(Self {
                known: Vec::new(),
                per_pair: 0,
            });
        }
        let mut known = budget.with_capacity(all)?;
        while known.len() < all {
            budget.limits.check_time()?;
            let piece = Self::PIECE.min(all - known.len());
            known.extend(std::iter::repeat_with(AtomicU8::default).take(piece));
        }
        Ok(Self { known, per_pair })
    }

    fn get(&self, pair: usize, actor: Actor, ask: impl Fn() -> Intent) -> Intent {
        if self.per_pair == 0 {
            return ask();
        }
        let case = actor.mood as usize * Self::WAYS + usize::from(actor.blocked.bits());
        let slot = &self.known[pair * self.per_pair + case];
        let known = slot.load(Ordering::Relaxed);
        if known & Self::KNOWN != 0 {
            return Self::unpack(known);
        }
        let intent = ask();
        let packed = Self::KNOWN | intent.ways.bits() | (intent.change as u8) << 4;
        slot.store(packed, Ordering::Relaxed);
        intent
    }

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
}
