//! `baddies` compiled for search: cells without division, distances to the ladder, and packed states.
//!
//! A cell is `row << shift | col`, a baddie `cell << 2 | kind` in one word. Sorting these words sorts baddies by cell, the
//! order in which they move.
//!
//! The hero reaches each neighbour without a wall with the key that points there, and other keys only repeat such moves
//! (`tests/proofs/baddies-keys.smt2`). The relation is symmetric, so distances are computed backwards from the ladder.

use std::collections::VecDeque;
use std::fmt;

use crate::engine::Model;
use crate::engine::positions::Positions;
use crate::engine::search::{Finding, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::engine::visited::{Pack, Packed, Visited};
use crate::limits::{Clock, Limit, Limits};
use crate::rules::baddies::{Baddie, Baddies, Key, Kind, State};
use crate::ruleset::{Cause, Outcome};

#[derive(Clone, Debug)]
pub struct CompiledBoard {
    shift: u32,
    rows: i32,
    cols: i32,
    floor: Vec<Floor>,
    /// The number of moves to the ladder, ignoring baddies; [`FAR`] if it can't be reached.
    distances: Vec<u32>,
    start: Position,
    keys: Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// The useful keys, with those that end nearest to the ladder first.
    NearestFirst,
    /// The useful keys, the simplest first.
    PlainestFirst,
    /// All nine keys, the simplest first.
    All,
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

    /// A search clones a position for every move, so this reuses the list.
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

const FAR: u32 = u32::MAX;

impl CompiledBoard {
    pub fn new(board: &Baddies, at: &State, limits: &Limits) -> Result<Self, Limit> {
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
            keys: Keys::NearestFirst,
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

    /// Returns the keys that move the hero to a cell of their own without death, and those cells.
    fn useful_keys(&self, hero: u32) -> impl Iterator<Item = (Key, u32)> {
        let landing = move |key| {
            let to = self.neighbour(hero, key)?;
            self.floor[to as usize].is_safe().then_some((key, to))
        };
        Key::PLAINEST_FIRST.into_iter().filter_map(landing)
    }

    fn is_open(&self) -> bool {
        self.distances[self.start.hero as usize] != FAR
    }

    /// Returns the cell to which a change of row and column leads. If it is blocked, drops the change of column, then the
    /// other.
    fn land(&self, from: u32, (rows, cols): (i32, i32), is_blocked: impl Fn(Floor) -> bool) -> u32 {
        let (row, col) = self.position(from);
        let (to_row, to_col) = (within(row, rows, self.rows), within(col, cols, self.cols));
        let down = to_row.cast_unsigned() << self.shift;
        let aims = [to_col, col].map(|col| down | col.cast_unsigned());
        let is_free = |aim: &u32| !is_blocked(self.floor[*aim as usize]);
        aims.into_iter().find(is_free).unwrap_or(from)
    }

    /// Returns the cell where a baddie lands if no other baddie is in its way.
    fn baddie_lands(&self, baddie: u32, hero: u32) -> u32 {
        let from = baddie >> 2;
        let ((row, col), (hero_row, hero_col)) = (self.position(from), self.position(hero));
        let (rows, cols) = (hero_row - row, hero_col - col);
        let change = match Kind::ALL[baddie as usize & 3] {
            Kind::Monster => (rows.signum(), cols.signum()),
            Kind::SuperMonster => (2 * rows.signum(), 2 * cols.signum()),
            Kind::Bat => (0, cols),
        };
        self.land(from, change, Floor::is_blocking)
    }

    /// Moves the baddies; returns whether one catches the hero.
    fn chase(&self, at: &mut Position) -> bool {
        let mut kept = 0;
        let mut seen = Seen::of(&at.baddies);
        for next in 0..at.baddies.len() {
            let baddie = at.baddies[next];
            let to = self.baddie_lands(baddie, at.hero);
            if to == at.hero {
                return true;
            }
            if self.floor[to as usize] == Floor::Abyss {
                continue;
            }
            let is_taken = seen.may_hold(to)
                && (holds(&at.baddies[..kept], to) || holds(&at.baddies[next + 1..], to));
            let moved = if is_taken {
                baddie
            } else {
                to << 2 | baddie & 3
            };
            seen.insert(to);
            // Keeps the baddies that have moved sorted. Their order seldom changes.
            let mut place = kept;
            while place > 0 && at.baddies[place - 1] > moved {
                at.baddies[place] = at.baddies[place - 1];
                place -= 1;
            }
            at.baddies[place] = moved;
            kept += 1;
        }
        at.baddies.truncate(kept);
        false
    }
}

/// Returns whether a baddie of a sorted list is on this cell.
fn holds(baddies: &[u32], cell: u32) -> bool {
    let before = baddies.partition_point(|baddie| baddie >> 2 < cell);
    baddies
        .get(before)
        .is_some_and(|baddie| baddie >> 2 == cell)
}

/// The lowest six bits of the baddies' cells, as a set that rules out most cells at once.
struct Seen(u64);

impl Seen {
    fn of(baddies: &[u32]) -> Self {
        let with = |seen, baddie: &u32| seen | 1 << (baddie >> 2 & 63);
        Self(baddies.iter().fold(0, with))
    }

    const fn may_hold(&self, cell: u32) -> bool {
        self.0 >> (cell & 63) & 1 == 1
    }

    const fn insert(&mut self, cell: u32) {
        self.0 |= 1 << (cell & 63);
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

    fn moves(&self, at: &Position, out: &mut Vec<Key>) {
        match self.keys {
            Keys::NearestFirst => {
                let mut keys = [(FAR, Key::ALL[0]); Key::ALL.len()];
                let mut count = 0;
                for (key, to) in self.useful_keys(at.hero) {
                    keys[count] = (self.distances[to as usize], key);
                    count += 1;
                }
                keys[..count].sort_by_key(|&(distance, _)| distance);
                out.extend(keys[..count].iter().map(|&(_, key)| key));
            }
            Keys::PlainestFirst => out.extend(self.useful_keys(at.hero).map(|(key, _)| key)),
            Keys::All => out.extend(Key::PLAINEST_FIRST),
        }
    }

    fn play(&self, at: &mut Position, key: Key) -> Option<Outcome> {
        at.hero = self.land(at.hero, key.offset(), |floor| floor == Floor::Wall);
        match self.floor[at.hero as usize] {
            Floor::Ladder => return Some(Outcome::Escaped),
            Floor::Abyss => return Some(Outcome::Caught(Cause::Abyss)),
            Floor::Empty | Floor::Wall => {}
        }
        if holds(&at.baddies, at.hero) {
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
    /// Lists all keys, so that lines with different keys to the same cell count as different.
    pub fn with_all_keys(self) -> Self {
        let keys = Keys::All;
        Self { keys, ..self }
    }

    pub fn search(&self, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
        fn run<V>(board: &CompiledBoard, order: Order, limits: &Limits) -> (Finding<Key>, u64)
        where
            V: Visited<CompiledBoard> + Default,
        {
            let mut search = Search::new(V::default());
            let finding = search.run(board, order, limits);
            (finding, search.states())
        }
        match limits.without(self.bytes()) {
            Ok(_) if !self.is_open() => (Finding::Caught, 0),
            Ok(rest) if self.is_small() => run::<Packed<u16>>(self, order, &rest),
            Ok(rest) => run::<Packed<u32>>(self, order, &rest),
            Err(limit) => (Finding::Undecided(limit), 0),
        }
    }

    pub fn survival(self, limits: &Limits) -> (Survival<Key>, u64) {
        let keys = Keys::PlainestFirst;
        let model = Self { keys, ..self };
        let start = &model.start;
        match limits.without(model.bytes()) {
            Ok(rest) if model.is_small() => {
                survival(&model, start, Packed::<u16>::default(), &rest)
            }
            Ok(rest) => survival(&model, start, Packed::<u32>::default(), &rest),
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }

    /// Explores all positions, with successors in the rulebook's order.
    pub fn positions(self, limits: &Limits) -> Result<Positions, (Limit, u64)> {
        let model = self.with_all_keys();
        match limits.without(model.bytes()) {
            Ok(rest) if model.is_small() => {
                Positions::explore(&model, Packed::<u16>::default(), &rest)
            }
            Ok(rest) => Positions::explore(&model, Packed::<u32>::default(), &rest),
            Err(limit) => Err((limit, 0)),
        }
    }

    fn is_small(&self) -> bool {
        u16::try_from(self.floor.len() << 2).is_ok()
    }
}

/// A word for a baddie that does not exist: no kind has this number.
const GONE: u8 = 3;

/// Uses one word for the hero, and one for each baddie of the starting position.
impl<W> Pack<W> for CompiledBoard
where
    W: Copy + PartialEq + From<u8> + TryFrom<u32, Error: fmt::Debug> + Into<u32>,
{
    fn width(&self) -> usize {
        1 + self.start.baddies.len()
    }

    fn pack(&self, state: &Position, row: &mut Vec<W>) {
        let word = |number: u32| W::try_from(number).expect("the board is small enough");
        row.clear();
        row.push(word(state.hero));
        row.extend(state.baddies.iter().map(|&baddie| word(baddie)));
        row.resize(Pack::<W>::width(self), GONE.into());
    }

    fn unpack(&self, row: &[W], into: &mut Position) {
        let (hero, baddies) = row.split_first().expect("a state has a hero");
        into.hero = (*hero).into();
        into.baddies.clear();
        let standing = baddies.iter().take_while(|&&baddie| baddie != GONE.into());
        into.baddies.extend(standing.map(|&baddie| baddie.into()));
    }
}

#[cfg(test)]
mod tests;
