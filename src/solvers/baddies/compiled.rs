//! `baddies` compiled for search: cells without division, precomputed distances to the ladder, and packed states.
//!
//! A cell is `row << shift | col`, a baddie `cell << 2 | kind` in one word. Sorting these words sorts baddies by cell,
//! the order in which they move.
//!
//! The hero reaches each neighbour without a wall with the key that points there. A move that loses its row or column
//! change at a wall or an edge has the same effect as a simpler key. So the hero can land on his own cell and on
//! neighbours without walls. This relation is symmetric, so distances are computed backwards from the ladder (proved in
//! `tests/proofs/baddies-keys.smt2`).

use std::collections::VecDeque;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::engine::Model;
use crate::engine::packed::{Pack, Packed};
use crate::engine::search::{Finding, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::limits::{Clock, Limit, Limits};
use crate::rules::baddies::{Baddie, Baddies, Key, Kind, State};
use crate::ruleset::{Cause, Outcome};

#[derive(Clone, Debug)]
pub struct CompiledBoard {
    shift: u32,
    rows: i32,
    cols: i32,
    floor: Vec<Floor>,
    /// The number of moves from each cell to the ladder, ignoring baddies; [`FAR`] if the ladder can't be reached.
    distances: Vec<u32>,
    start: Position,
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Position {
    hero: u32,
    /// Each baddie as `cell << 2 | kind`, sorted.
    baddies: Vec<u32>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        let (hero, baddies) = (self.hero, self.baddies.clone());
        Self { hero, baddies }
    }

    /// Copies into the existing list, since a search clones a position for every move.
    fn clone_from(&mut self, source: &Self) {
        self.hero = source.hero;
        self.baddies.clone_from(&source.baddies);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floor {
    Empty,
    Abyss,
    Wall,
    Ladder,
}

impl Floor {
    const fn is_blocking(self) -> bool {
        matches!(self, Self::Wall | Self::Ladder)
    }

    const fn is_safe(self) -> bool {
        matches!(self, Self::Empty | Self::Ladder)
    }
}

pub mod plainest_first;

use plainest_first::PlainestFirst;

const FAR: u32 = u32::MAX;

impl CompiledBoard {
    pub fn new(board: &Baddies, limits: &Limits) -> Result<Self, Limit> {
        Self::from(board, &board.start, limits)
    }

    pub fn from(board: &Baddies, at: &State, limits: &Limits) -> Result<Self, Limit> {
        let grid = board.grid;
        let shift = u32::BITS - (grid.cols() - 1).leading_zeros();
        let cells = (grid.rows() as usize) << shift;
        limits.check_memory(Self::bytes_of(cells))?;
        let mut compiled = Self {
            shift,
            rows: grid.rows().cast_signed(),
            cols: grid.cols().cast_signed(),
            floor: vec![Floor::Empty; cells],
            distances: vec![FAR; cells],
            start: Position {
                hero: 0,
                baddies: Vec::new(),
            },
        };
        let mut clock = Clock::new(limits);
        compiled.lay_floor(board, &mut clock)?;
        compiled.measure(&mut clock)?;
        let number = |cell| {
            let (row, col) = grid.position(cell);
            row << shift | col
        };
        let pack = |baddie: &Baddie| number(baddie.cell) << 2 | baddie.kind as u32;
        compiled.start = Position {
            hero: number(at.hero),
            baddies: at.baddies.iter().map(pack).collect(),
        };
        Ok(compiled)
    }

    const fn bytes_of(cells: usize) -> u64 {
        (cells * (size_of::<Floor>() + size_of::<u32>())) as u64
    }

    fn bytes(&self) -> u64 {
        Self::bytes_of(self.floor.len())
    }

    fn lay_floor(&mut self, board: &Baddies, clock: &mut Clock) -> Result<(), Limit> {
        let cols = board.grid.cols() as usize;
        let mut cells = board.grid.cells();
        for row in self.floor.chunks_mut(1 << self.shift) {
            clock.work(2 * cols as u64)?;
            for (floor, cell) in row[..cols].iter_mut().zip(cells.by_ref()) {
                *floor = match () {
                    () if board.walls.contains(cell) => Floor::Wall,
                    () if board.ladders.contains(cell) => Floor::Ladder,
                    () if board.abyss.contains(cell) => Floor::Abyss,
                    () => Floor::Empty,
                };
            }
        }
        Ok(())
    }

    fn measure(&mut self, clock: &mut Clock) -> Result<(), Limit> {
        let mut queue = VecDeque::new();
        let (rows, cols) = (self.rows.cast_unsigned(), self.cols.cast_unsigned());
        for first in (0..rows).map(|row| row << self.shift) {
            clock.work(u64::from(cols))?;
            let cells = first..first + cols;
            queue.extend(cells.filter(|&cell| self.floor[cell as usize] == Floor::Ladder));
        }
        for &ladder in &queue {
            self.distances[ladder as usize] = 0;
        }
        while let Some(to) = queue.pop_front() {
            clock.work(16)?;
            if queue.len() == queue.capacity() {
                let bytes = 3 * (queue.len() * size_of::<u32>()) as u64;
                clock.limits().check_memory(self.bytes() + bytes)?;
            }
            let distance = self.distances[to as usize] + 1;
            for key in Key::ALL {
                if let Some(from) = self.neighbour(to, key)
                    && self.floor[from as usize] == Floor::Empty
                    && self.distances[from as usize] == FAR
                {
                    self.distances[from as usize] = distance;
                    queue.push_back(from);
                }
            }
        }
        Ok(())
    }

    const fn position(&self, cell: u32) -> (i32, i32) {
        let low = (1 << self.shift) - 1;
        (
            (cell >> self.shift).cast_signed(),
            (cell & low).cast_signed(),
        )
    }

    fn neighbour(&self, from: u32, key: Key) -> Option<u32> {
        let ((row, col), (down, right)) = (self.position(from), key.offset());
        let (row, col) = (row + down, col + right);
        let is_on_board = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
        is_on_board.then_some((row << self.shift | col).cast_unsigned())
    }

    fn useful_keys(&self, hero: u32) -> impl Iterator<Item = Key> {
        let is_useful = move |key: &Key| {
            self.neighbour(hero, *key)
                .is_some_and(|to| self.floor[to as usize].is_safe())
        };
        Key::PLAINEST_FIRST.into_iter().filter(is_useful)
    }

    /// Returns the cell on which the hero lands with `key`, which must be a useful one.
    const fn lands_hero(&self, hero: u32, key: Key) -> u32 {
        let (down, right) = key.offset();
        hero.wrapping_add_signed((down << self.shift) + right)
    }

    fn is_open(&self) -> bool {
        self.distances[self.start.hero as usize] != FAR
    }

    /// Returns the cell where a baddie lands if no other baddie is in its way.
    fn lands(&self, baddie: u32, hero: u32) -> u32 {
        let from = baddie >> 2;
        let ((row, col), (hero_row, hero_col)) = (self.position(from), self.position(hero));
        let (rows, cols) = (hero_row - row, hero_col - col);
        let (to_row, to_col) = match Kind::ALL[baddie as usize & 3] {
            Kind::Monster => (row + rows.signum(), col + cols.signum()),
            Kind::SuperMonster => (
                within(row, 2 * rows.signum(), self.rows),
                within(col, 2 * cols.signum(), self.cols),
            ),
            Kind::Bat => (row, col + cols),
        };
        let down = to_row.cast_unsigned() << self.shift;
        let (across, down) = (down | to_col.cast_unsigned(), down | col.cast_unsigned());
        if !self.floor[across as usize].is_blocking() {
            across
        } else if !self.floor[down as usize].is_blocking() {
            down
        } else {
            from
        }
    }

    fn chase(&self, at: &mut Position) -> bool {
        if at.baddies.len() > Seen::MANY {
            self.chase_many(at)
        } else {
            self.chase_few(at)
        }
    }

    fn chase_few(&self, at: &mut Position) -> bool {
        let mut kept = 0;
        let mut seen = Seen::of(&at.baddies);
        for next in 0..at.baddies.len() {
            let baddie = at.baddies[next];
            let to = self.lands(baddie, at.hero);
            if to == at.hero {
                return true;
            }
            if self.floor[to as usize] == Floor::Abyss {
                continue;
            }
            let stands = |&other: &u32| other >> 2 == to;
            let is_taken = seen.may_hold(to)
                && (at.baddies[..kept].iter().any(stands)
                    || at.baddies[next + 1..].iter().any(stands));
            at.baddies[kept] = if is_taken {
                baddie
            } else {
                to << 2 | baddie & 3
            };
            seen.insert(to);
            kept += 1;
        }
        at.baddies.truncate(kept);
        sort(&mut at.baddies);
        false
    }

    /// Does the same as [`Self::chase`] without comparing each baddie with all others.
    fn chase_many(&self, at: &mut Position) -> bool {
        let cells = at.baddies.iter().map(|baddie| baddie >> 2);
        let mut taken: HashSet<u32, FixedState> = cells.collect();
        let mut is_caught = false;
        at.baddies.retain_mut(|baddie| {
            if is_caught {
                return true;
            }
            let (from, to) = (*baddie >> 2, self.lands(*baddie, at.hero));
            is_caught = to == at.hero;
            if !taken.contains(&to) {
                taken.remove(&from);
                taken.insert(to);
                *baddie = to << 2 | *baddie & 3;
            }
            let stays = self.floor[to as usize] != Floor::Abyss;
            if !stays {
                taken.remove(&to);
            }
            stays
        });
        at.baddies.sort_unstable();
        is_caught
    }
}

/// The lowest six bits of the baddies' cells, as a set. If a cell's bits are not in it, no baddie is on that cell.
struct Seen(u64);

impl Seen {
    /// The maximum number of baddies for which checking `Seen` first saves time.
    const MANY: usize = 64;

    fn of(baddies: &[u32]) -> Self {
        Self(
            baddies
                .iter()
                .fold(0, |seen, baddie| seen | 1 << (baddie >> 2 & 63)),
        )
    }

    const fn may_hold(&self, cell: u32) -> bool {
        self.0 >> (cell & 63) & 1 == 1
    }

    const fn insert(&mut self, cell: u32) {
        self.0 |= 1 << (cell & 63);
    }
}

fn sort(baddies: &mut [u32]) {
    for end in 1..baddies.len() {
        let mut at = end;
        while at > 0 && baddies[at - 1] > baddies[at] {
            baddies.swap(at - 1, at);
            at -= 1;
        }
    }
}

const fn within(from: i32, change: i32, size: i32) -> i32 {
    let to = from + change;
    if 0 <= to && to < size { to } else { from }
}

impl Model for CompiledBoard {
    type State = Position;
    type Move = Key;

    fn opened(&self) -> Result<Position, Outcome> {
        Ok(self.start.clone())
    }

    /// Lists the legal moves; those that end nearest to the ladder come first.
    fn moves(&self, at: &Position, out: &mut Vec<Key>) {
        let distance = |key| self.distances[self.lands_hero(at.hero, key) as usize];
        let mut keys = [(FAR, Key::ALL[0]); Key::ALL.len()];
        let mut count = 0;
        for key in self.useful_keys(at.hero) {
            keys[count] = (distance(key), key);
            count += 1;
        }
        keys[..count].sort_by_key(|&(distance, _)| distance);
        out.extend(keys[..count].iter().map(|&(_, key)| key));
    }

    fn play(&self, at: &mut Position, key: Key) -> Option<Outcome> {
        at.hero = self.lands_hero(at.hero, key);
        if self.floor[at.hero as usize] == Floor::Ladder {
            return Some(Outcome::Escaped);
        }
        if at.baddies.iter().any(|&baddie| baddie >> 2 == at.hero) {
            return Some(Outcome::Caught(Cause::WalkedInto));
        }
        self.chase(at).then_some(Outcome::Caught(Cause::Chaser))
    }

    fn state_bytes(&self) -> usize {
        size_of::<Position>() + size_of::<u32>() * self.start.baddies.len()
    }

    fn lower_bound(&self, at: &Position) -> u32 {
        self.distances[at.hero as usize]
    }
}

impl CompiledBoard {
    pub fn search(&self, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
        let limits = match limits.without(self.bytes()) {
            Ok(rest) if self.is_open() => rest,
            Ok(_) => return (Finding::Caught, 0),
            Err(limit) => return (Finding::Undecided(limit), 0),
        };
        if self.is_small() {
            run::<u16>(self, order, &limits)
        } else {
            run::<u32>(self, order, &limits)
        }
    }

    pub fn survival(&self, limits: &Limits) -> (Survival<Key>, u64) {
        let limits = match limits.without(self.bytes()) {
            Ok(rest) => rest,
            Err(limit) => return (Survival::unknown(limit), 0),
        };
        let model = PlainestFirst::useful(self);
        if self.is_small() {
            survival(&model, Packed::<u16>::default(), &limits)
        } else {
            survival(&model, Packed::<u32>::default(), &limits)
        }
    }

    fn is_small(&self) -> bool {
        u16::try_from(self.floor.len() << 2).is_ok()
    }
}

fn run<W: Word>(compiled: &CompiledBoard, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
    let mut search = Search::new(Packed::<W>::default());
    let finding = search.run(compiled, order, limits);
    (finding, search.states())
}

trait Word: Copy + Default + Eq + std::hash::Hash + Send + Sync {
    const GONE: Self;

    fn pack(number: u32) -> Self;
    fn unpack(self) -> u32;
}

impl Word for u16 {
    const GONE: Self = Self::MAX;

    fn pack(number: u32) -> Self {
        number as Self
    }

    fn unpack(self) -> u32 {
        self.into()
    }
}

impl Word for u32 {
    const GONE: Self = Self::MAX;

    fn pack(number: u32) -> Self {
        number
    }

    fn unpack(self) -> u32 {
        self
    }
}

/// Packs the hero into one word, and each baddie of the starting position into another.
impl<W: Word> Pack<W> for CompiledBoard {
    fn width(&self) -> usize {
        1 + self.start.baddies.len()
    }

    fn pack(&self, state: &Position, out: &mut Vec<W>) {
        out.push(W::pack(state.hero));
        out.extend(state.baddies.iter().map(|&baddie| W::pack(baddie)));
        out.resize(Pack::<W>::width(self), W::GONE);
    }

    fn unpack(&self, words: &[W], into: &mut Position) {
        let (hero, baddies) = words.split_first().expect("a state has a hero");
        into.hero = hero.unpack();
        into.baddies.clear();
        let standing = baddies.iter().take_while(|&&baddie| baddie != W::GONE);
        into.baddies.extend(standing.map(|baddie| baddie.unpack()));
    }
}

#[cfg(test)]
mod tests;
