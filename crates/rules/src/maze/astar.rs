//! Rule 5, the next move: exactly the assignment's pseudocode, which differs from textbook A*.
//!
//! A cell taken out of OPEN *overwrites* the cost and `prev` of each unvisited neighbour that waits in OPEN, even if that
//! raises the cost, and so changes the neighbour's rank (`cost+h`). OPEN is a heap here, whose entries count only if their cell
//! still waits with the entry's rank. [`OverwriteRule::Textbook`] is for comparison.
//!
//! The path along `prev` has no loops: the `prev` of a cell is visited, and the cost of a visited cell can only fall. So the
//! costs fall strictly along `prev`, down to the head's 0.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::{Map, NextMoveError, Tile, Way};
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::{Clock, Limit, Limits};

const WORK: u64 = 256;

/// Manhattan distances to the nearest food, regardless of walls; 0 everywhere without food.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances(Arc<[u32]>);

impl Distances {
    /// Returns the distances on a map.
    pub fn of(map: &Map) -> Self {
        Self::within(map, &Limits::default()).expect("a search without limits finishes")
    }

    /// Returns the distances on a map, unless a limit is reached.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn within(map: &Map, limits: &Limits) -> Result<Self, Limit> {
        // There are two lists of distances while the second one is copied from the first.
        limits.check_memory(2 * (map.grid().size() * size_of::<u32>()) as u64)?;
        let mut clock = Clock::new(limits);
        let is_food = |cell| map.tile(cell) == Tile::FOOD;
        let distances = map.grid().distances(is_food, |cells| clock.work(2 * cells));
        let mut near = distances?;
        if near[0] == u32::MAX {
            near.fill(0);
        }
        Ok(Self(near.into()))
    }

    /// Returns the distance from a cell.
    pub fn at(&self, cell: Cell) -> u32 {
        self.0[cell.index()]
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AStarResult {
    /// The cells from the head to the food; `None` without food that can be reached.
    pub path: Option<Vec<Cell>>,
    /// The number of cells taken out of OPEN.
    pub states: u64,
}

/// Returns the bytes that a search takes, except those of OPEN.
pub(super) const fn bytes(grid: Grid) -> u64 {
    let cell = size_of::<u32>() + size_of::<Option<Way>>();
    (grid.size() * cell + grid.size() / 4) as u64
}

/// The rule for a neighbour that is already in OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverwriteRule {
    /// Its cost and `prev` are overwritten by any cost or, if it has been visited before, only by a lower one (rule 5).
    Assignment,
    /// Its cost and `prev` are overwritten only by a lower cost.
    Textbook,
}

/// A change of OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A cell is taken out.
    Taken {
        /// The cell.
        cell: Cell,
        /// Its cost.
        cost: u32,
    },
    /// A neighbour of the cell taken last is put into OPEN.
    Put {
        /// The neighbour.
        cell: Cell,
        /// Its cost.
        cost: u32,
        /// The cost that this overwrites if the neighbour waited already.
        overwritten: Option<u32>,
    },
}

/// Searches for food (rule 5, or its textbook variant). Calls `observe` with each change of OPEN after the head was put in.
///
/// # Errors
///
/// Returns an error if a limit ends the search.
pub fn search(
    map: &Map,
    head: Cell,
    near: &Distances,
    rule: OverwriteRule,
    limits: &Limits,
    mut observe: impl FnMut(Event),
) -> Result<AStarResult, NextMoveError> {
    let tables = bytes(map.grid());
    let mut states = 0;
    let undecided = |states| move |limit| NextMoveError { limit, states };
    limits.check_memory(tables).map_err(undecided(0))?;
    let mut search = AStar::new(map, near);
    search.put(head);
    let mut clock = Clock::new(limits);
    while let Some(at) = search.take() {
        limits
            .check_states(states)
            .and_then(|()| clock.work(WORK))
            .and_then(|()| limits.check_memory(tables + search.queue_bytes()))
            .map_err(undecided(states))?;
        states += 1;
        let cost = search.cost[at.index()];
        observe(Event::Taken { cell: at, cost });
        if map.tile(at) == Tile::FOOD {
            let path = Some(search.path(at));
            return Ok(AStarResult { path, states });
        }
        search.visit(at, rule, &mut observe);
    }
    Ok(AStarResult { path: None, states })
}

struct AStar<'a> {
    map: &'a Map,
    near: &'a Distances,
    cost: Vec<u32>,
    visited: Bits,
    /// The step to each cell from its `prev`; `None` for cells without one.
    came_from: Vec<Option<Way>>,
    waiting: Bits,
    /// OPEN, ordered by rank and then in row-major order. It may contain outdated entries.
    queue: BinaryHeap<Reverse<(u32, Cell)>>,
}

impl<'a> AStar<'a> {
    fn new(map: &'a Map, near: &'a Distances) -> Self {
        let size = map.grid().size();
        Self {
            map,
            near,
            cost: vec![0; size],
            visited: Bits::new(map.grid()),
            came_from: vec![None; size],
            waiting: Bits::new(map.grid()),
            queue: BinaryHeap::new(),
        }
    }

    /// Returns the bytes of OPEN while the next cell is visited, including the old copy of the heap if it may have to grow.
    fn queue_bytes(&self) -> u64 {
        let (len, capacity) = (self.queue.len() + Way::ALL.len(), self.queue.capacity());
        let entries = if len > capacity {
            3 * capacity
        } else {
            capacity
        };
        (entries * size_of::<Reverse<(u32, Cell)>>()) as u64
    }

    /// Returns the cost plus the distance. It cannot overflow, since each visit raises the largest cost by at most 1.
    fn rank(&self, cell: Cell) -> u32 {
        self.cost[cell.index()] + self.near.at(cell)
    }

    fn put(&mut self, cell: Cell) {
        self.waiting.insert(cell);
        self.queue.push(Reverse((self.rank(cell), cell)));
    }

    fn take(&mut self) -> Option<Cell> {
        loop {
            let Reverse((rank, cell)) = self.queue.pop()?;
            if rank == self.rank(cell) && self.waiting.remove(cell) {
                return Some(cell);
            }
        }
    }

    fn visit(&mut self, at: Cell, rule: OverwriteRule, observe: &mut impl FnMut(Event)) {
        self.visited.insert(at);
        let cost = self.cost[at.index()] + 1;
        for (way, to) in self.map.ways(at) {
            let is_waiting = self.waiting.contains(to);
            let is_kept =
                self.visited.contains(to) || rule == OverwriteRule::Textbook && is_waiting;
            if !is_kept || cost < self.cost[to.index()] {
                let overwritten = is_waiting.then_some(self.cost[to.index()]);
                observe(Event::Put {
                    cell: to,
                    cost,
                    overwritten,
                });
                self.cost[to.index()] = cost;
                self.came_from[to.index()] = Some(way);
                self.put(to);
            }
        }
    }

    fn path(&self, food: Cell) -> Vec<Cell> {
        let prev = |&cell: &Cell| {
            let way = self.came_from[cell.index()]?;
            let prev = self.map.grid().step(cell, way.dir().opposite());
            Some(prev.expect("the way back from a step is on the board"))
        };
        let mut path: Vec<_> = std::iter::successors(Some(food), prev).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
#[path = "astar_tests.rs"]
mod tests;
