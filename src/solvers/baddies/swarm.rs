//! `baddies` as the search sees it: the board with what each of the hero's moves leads to worked out
//! beforehand, cells that need no division, and states packed small.
//!
//! A cell is numbered `row << shift | col` here, with `shift` wide enough for a column, so that rows
//! and columns can be read off it. A baddie is `cell << 2 | kind` in one word: sorting the words sorts
//! by place, and an order by place is also the order in which they move, so a sorted list of them
//! is all there is to know about them.

use std::collections::VecDeque;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::engine::search::{Finding, Order, Search, Visit, Visited};
use crate::engine::{Limits, Model};
use crate::grid::Cell;
use crate::rules::baddies::{Baddie, Baddies, Key, Kind};
use crate::ruleset::{Cause, Outcome};

/// A board ready to be searched.
#[derive(Clone, Debug)]
pub struct Swarm {
    shift: u32,
    rows: i32,
    cols: i32,
    /// What stands on each cell.
    floor: Vec<Floor>,
    /// For each cell the hero's useful moves, nearest to the ladder first.
    ways: Vec<Ways>,
    start: Position,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    hero: u32,
    /// `cell << 2 | kind`, sorted.
    baddies: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floor {
    Empty,
    Abyss,
    /// A ladder blocks baddies as a wall does; the hero never asks.
    Blocking,
}

/// The hero's moves from one cell: one key for each cell that he can land on and live.
#[derive(Clone, Debug)]
struct Ways {
    ways: Vec<(Key, Landing)>,
    /// The least number of moves from here to the ladder, if there were no baddies; [`FAR`] if there is
    /// no way.
    distance: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Landing {
    Ladder,
    At(u32),
}

/// One of the hero's moves: its place among the moves from the cell where he is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way(u8);

/// Further than any way is long.
const FAR: u32 = u32::MAX;

impl Swarm {
    /// The board as the search sees it.
    pub fn new(board: &Baddies) -> Self {
        let grid = board.grid;
        let shift = u32::BITS - (grid.cols() - 1).leading_zeros();
        let mut swarm = Self {
            shift,
            rows: grid.rows().cast_signed(),
            cols: grid.cols().cast_signed(),
            floor: vec![Floor::Empty; (grid.rows() as usize) << shift],
            ways: Vec::new(),
            start: Position {
                hero: 0,
                baddies: Vec::new(),
            },
        };
        for cell in grid.cells() {
            let number = swarm.number(board, cell) as usize;
            swarm.floor[number] = match () {
                () if board.walls.contains(cell) || board.ladders.contains(cell) => Floor::Blocking,
                () if board.abyss.contains(cell) => Floor::Abyss,
                () => Floor::Empty,
            };
        }
        let pack = |baddie: &Baddie| swarm.number(board, baddie.cell) << 2 | baddie.kind as u32;
        swarm.start = Position {
            hero: swarm.number(board, board.start.hero),
            baddies: board.start.baddies.iter().map(pack).collect(),
        };
        swarm.ways = swarm.find_ways(board);
        swarm
    }

    fn number(&self, board: &Baddies, cell: Cell) -> u32 {
        let (row, col) = board.grid.position(cell);
        row << self.shift | col
    }

    /// The hero's moves from all cells, sorted by how soon they could bring him to the ladder.
    fn find_ways(&self, board: &Baddies) -> Vec<Ways> {
        let mut ways = vec![Vec::new(); self.floor.len()];
        for cell in board.grid.cells() {
            if !board.walls.contains(cell) && !board.abyss.contains(cell) {
                ways[self.number(board, cell) as usize] = self.ways_from(board, cell);
            }
        }
        let distances = distances(&ways);
        for ways in &mut ways {
            ways.sort_by_key(|&(_, landing)| match landing {
                Landing::Ladder => 0,
                Landing::At(cell) => distances[cell as usize],
            });
        }
        ways.into_iter()
            .zip(distances)
            .map(|(ways, distance)| Ways { ways, distance })
            .collect()
    }

    fn ways_from(&self, board: &Baddies, cell: Cell) -> Vec<(Key, Landing)> {
        let mut ways: Vec<(Key, Landing)> = Vec::new();
        for key in Key::PLAINEST_FIRST {
            let to = board.hero_lands(cell, key);
            let landing = match () {
                () if board.ladders.contains(to) => Landing::Ladder,
                () => Landing::At(self.number(board, to)),
            };
            if !board.abyss.contains(to) && ways.iter().all(|&(_, other)| other != landing) {
                ways.push((key, landing));
            }
        }
        ways
    }

    /// Whether the hero would find the ladder if there were no baddies.
    fn is_open(&self) -> bool {
        self.ways[self.start.hero as usize].distance != FAR
    }

    /// Where a baddie lands that is alone on the board.
    fn lands(&self, baddie: u32, hero: u32) -> u32 {
        let from = baddie >> 2;
        let low = (1 << self.shift) - 1;
        let (row, col) = (
            (from >> self.shift).cast_signed(),
            (from & low).cast_signed(),
        );
        let rows = (hero >> self.shift).cast_signed() - row;
        let cols = (hero & low).cast_signed() - col;
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
        if self.floor[across as usize] != Floor::Blocking {
            across
        } else if self.floor[down as usize] != Floor::Blocking {
            down
        } else {
            from
        }
    }

    /// All baddies move, in order; whether one of them catches the hero.
    fn chase(&self, at: &mut Position) -> bool {
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
}

/// Where baddies may stand: a set of cells that knows only their lowest bits, to spare most of the
/// looking.
struct Seen(u64);

impl Seen {
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

/// Sorts what is nearly sorted.
fn sort(baddies: &mut [u32]) {
    for end in 1..baddies.len() {
        let mut at = end;
        while at > 0 && baddies[at - 1] > baddies[at] {
            baddies.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// `from` moved by `change`, unless that leaves the `size` rows or columns of the board.
const fn within(from: i32, change: i32, size: i32) -> i32 {
    let to = from + change;
    if 0 <= to && to < size { to } else { from }
}

/// For each cell the least number of moves from it to the ladder, if there were no baddies.
fn distances(ways: &[Vec<(Key, Landing)>]) -> Vec<u32> {
    let mut origins = vec![Vec::new(); ways.len()];
    let mut distances = vec![FAR; ways.len()];
    let mut queue = VecDeque::new();
    for (from, ways) in ways.iter().enumerate() {
        for &(_, landing) in ways {
            match landing {
                Landing::At(to) => origins[to as usize].push(from),
                Landing::Ladder => {
                    distances[from] = 1;
                    queue.push_back(from);
                }
            }
        }
    }
    while let Some(to) = queue.pop_front() {
        for &from in &origins[to] {
            if distances[from] == FAR {
                distances[from] = distances[to] + 1;
                queue.push_back(from);
            }
        }
    }
    distances
}

impl Model for Swarm {
    type State = Position;
    type Move = Way;

    fn opened(&self) -> Result<Position, Outcome> {
        Ok(self.start.clone())
    }

    fn moves(&self, at: &Position, out: &mut Vec<Way>) {
        out.extend((0..self.ways[at.hero as usize].ways.len() as u8).map(Way));
    }

    fn play(&self, at: &mut Position, Way(way): Way) -> Option<Outcome> {
        match self.ways[at.hero as usize].ways[usize::from(way)].1 {
            Landing::Ladder => return Some(Outcome::Escaped),
            Landing::At(hero) => at.hero = hero,
        }
        if at.baddies.iter().any(|&baddie| baddie >> 2 == at.hero) {
            return Some(Outcome::Caught(Cause::WalkedInto));
        }
        self.chase(at).then_some(Outcome::Caught(Cause::Chaser))
    }

    /// The way to the ladder if there were no baddies.
    fn lower_bound(&self, at: &Position) -> u32 {
        self.ways[at.hero as usize].distance
    }
}

/// Searches a board; beside the finding, the number of states looked at.
pub fn solve(board: &Baddies, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
    let swarm = Swarm::new(board);
    if !swarm.is_open() {
        return (Finding::Caught, 0);
    }
    let (finding, states) = if u16::try_from(swarm.floor.len() << 2).is_ok() {
        run::<u16>(&swarm, order, limits)
    } else {
        run::<u32>(&swarm, order, limits)
    };
    (finding.map(|line| swarm.keys(&line)), states)
}

impl Swarm {
    /// The keys that a line of play presses.
    fn keys(&self, line: &[Way]) -> Vec<Key> {
        let mut hero = self.start.hero;
        let press = |&Way(way): &Way| {
            let (key, landing) = self.ways[hero as usize].ways[usize::from(way)];
            if let Landing::At(cell) = landing {
                hero = cell;
            }
            key
        };
        line.iter().map(press).collect()
    }
}

fn run<W: Word>(swarm: &Swarm, order: Order, limits: &Limits) -> (Finding<Way>, u64) {
    let mut search = Search::new(Packed::<W>::default());
    let finding = search.run(swarm, order, limits);
    (finding, search.states())
}

/// A word that a packed state is made of.
trait Word: Copy + Default + Eq + std::hash::Hash {
    /// In the place of a baddie that is gone.
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

/// States one behind the other, a word for the hero and one for each baddie of the start; visited is
/// what equals one of them.
#[derive(Debug, Default)]
struct Packed<W> {
    words: Vec<W>,
    table: HashTable<u32>,
    /// The words of one state.
    width: usize,
    scratch: Vec<W>,
}

impl<W: Word> Packed<W> {
    fn state(&self, number: u32) -> &[W] {
        &self.words[number as usize * self.width..][..self.width]
    }
}

impl<W: Word> Visited<Swarm> for Packed<W> {
    fn clear(&mut self, swarm: &Swarm) {
        self.words.clear();
        self.table.clear();
        self.width = 1 + swarm.start.baddies.len();
    }

    fn insert(&mut self, _swarm: &Swarm, state: &Position) -> Visit {
        self.scratch.clear();
        self.scratch.push(W::pack(state.hero));
        self.scratch
            .extend(state.baddies.iter().map(|&baddie| W::pack(baddie)));
        self.scratch.resize(self.width, W::GONE);
        let hasher = FixedState::default();
        let hash = hasher.hash_one(&*self.scratch);
        let is_same = |&number: &u32| self.state(number) == self.scratch;
        if let Some(&number) = self.table.find(hash, is_same) {
            return Visit::Known(number);
        }
        let number = u32::try_from(self.words.len() / self.width)
            .expect("fewer than 2^32 states fit into memory");
        let (words, width) = (&self.words, self.width);
        let rehash = |&number: &u32| hasher.hash_one(&words[number as usize * width..][..width]);
        self.table.insert_unique(hash, number, rehash);
        self.words.extend_from_slice(&self.scratch);
        Visit::New(number)
    }

    fn load(&self, number: u32, into: &mut Position) {
        let (hero, baddies) = self
            .state(number)
            .split_first()
            .expect("a state has a hero");
        into.hero = hero.unpack();
        into.baddies.clear();
        let standing = baddies.iter().take_while(|&&baddie| baddie != W::GONE);
        into.baddies.extend(standing.map(|baddie| baddie.unpack()));
    }
}
