//! Paths through given cells, such as the body of a snake.
//!
//! [`through_all`] searches depth first for a path through all cells, which is hard in general. So the search backtracks as soon
//! as the remaining cells are disconnected, or form blocks (biconnected components) that no path can visit one after the other,
//! and gives up after too much work.

use super::{Cell, Dir, Grid};
use crate::limits::{Clock, Limit, Limits};

/// The reason why no path was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// There is no path.
    NoPath,
    /// The search took too much work.
    TooTangled,
    /// A limit was reached.
    Undecided(Limit),
}

impl From<Limit> for PathError {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}

/// The limits on the searches for several paths together.
#[derive(Clone, Debug)]
pub struct WorkBudget<'l> {
    remaining: u64,
    clock: Clock<'l>,
}

impl<'l> WorkBudget<'l> {
    /// Allows `work` units, each a step of the search or a visit to a cell in a connectivity check.
    pub const fn new(work: u64, limits: &Limits<'l>) -> Self {
        Self {
            remaining: work,
            clock: Clock::new(limits),
        }
    }

    const fn spend(&mut self, work: u64) {
        self.remaining = self.remaining.saturating_sub(work);
    }
}

/// Returns the cells of `rest` in the order of the first path from `head` through all of them. `rest` must be in row-major order.
/// Directions are tried in the order up, right, down, left.
///
/// # Errors
///
/// Returns the reason why no path was found.
pub fn through_all(
    grid: Grid,
    head: Cell,
    rest: &[Cell],
    budget: &mut WorkBudget,
) -> Result<Vec<Cell>, PathError> {
    let bytes = (rest.len() * BYTES) as u64;
    budget.clock.limits().check_memory(bytes)?;
    let graph = CellGraph::new(grid, head, rest, &mut budget.clock)?;
    let mut walk = PathSearch::new(&graph, budget);
    let path = walk.run()?.into_iter().skip(1);
    Ok(path.map(|at| rest[at as usize - 1]).collect())
}

/// The approximate size of all tables of a search, in bytes per cell.
const BYTES: usize = 160;

const NONE: u32 = u32::MAX;

const DIRECTIONS: [Dir; 4] = [Dir::Up, Dir::Right, Dir::Down, Dir::Left];

/// The cells that a path must pass, by number: 0 for the head, then the rest from 1.
struct CellGraph {
    around: Vec<[u32; 4]>,
    /// The chessboard colour of each cell, 1 or -1.
    colors: Vec<i32>,
}

impl CellGraph {
    fn new(grid: Grid, head: Cell, rest: &[Cell], clock: &mut Clock) -> Result<Self, Limit> {
        let number = |cell: Cell| match rest.binary_search(&cell) {
            Ok(at) => at as u32 + 1,
            Err(_) if cell == head => 0,
            Err(_) => NONE,
        };
        let mut graph = Self {
            around: Vec::with_capacity(rest.len() + 1),
            colors: Vec::with_capacity(rest.len() + 1),
        };
        for &cell in [head].iter().chain(rest) {
            clock.work(64)?;
            let (row, col) = grid.position(cell);
            let neighbour = |dir| grid.step(cell, dir).map_or(NONE, number);
            graph.around.push(DIRECTIONS.map(neighbour));
            graph.colors.push(if (row + col) % 2 == 0 { 1 } else { -1 });
        }
        Ok(graph)
    }
}

struct PathSearch<'a, 'l> {
    graph: &'a CellGraph,
    budget: &'a mut WorkBudget<'l>,
    /// Each cell of the path, with the number of directions tried from it.
    path: Vec<(u32, usize)>,
    /// True for the last cell of the path, and for cells not on the path yet.
    remaining: Vec<bool>,
    blocks: Blocks,
}

impl<'a, 'l> PathSearch<'a, 'l> {
    fn new(graph: &'a CellGraph, budget: &'a mut WorkBudget<'l>) -> Self {
        let size = graph.around.len();
        Self {
            graph,
            budget,
            path: vec![(0, 0)],
            remaining: vec![true; size],
            blocks: Blocks::new(size),
        }
    }

    fn run(&mut self) -> Result<Vec<u32>, PathError> {
        let mut hopeful = self.is_chain()?;
        while self.budget.remaining > 0 {
            if hopeful && self.path.len() == self.graph.around.len() {
                return Ok(self.path.iter().map(|&(at, _)| at).collect());
            }
            match self.next().filter(|_| hopeful) {
                Some(to) => hopeful = self.go(to)?,
                None if self.path.len() == 1 => return Err(PathError::NoPath),
                None => {
                    self.path.pop();
                    let end = self.end();
                    self.remaining[end as usize] = true;
                    hopeful = true;
                }
            }
        }
        Err(PathError::TooTangled)
    }

    fn end(&self) -> u32 {
        self.path.last().expect("the head stays on the path").0
    }

    fn next(&mut self) -> Option<u32> {
        let (at, next_edge) = self.path.last_mut().expect("the head stays on the path");
        let untried = &self.graph.around[*at as usize][*next_edge..];
        let is_left = |&to: &u32| to != NONE && self.remaining[to as usize];
        let next = untried.iter().position(is_left)?;
        *next_edge += next + 1;
        Some(untried[next])
    }

    fn go(&mut self, to: u32) -> Result<bool, Limit> {
        let from = self.end();
        self.remaining[from as usize] = false;
        self.path.push((to, 0));
        self.budget.spend(1);
        self.budget.clock.work(8)?;
        let around = self.graph.around[from as usize];
        let is_left = |&&neighbour: &&u32| neighbour != NONE && self.remaining[neighbour as usize];
        let ways = around.iter().filter(is_left).count();
        // If `to` is the only way on, `from` and `to` are a block of their own. Without `from`, the other blocks are still a
        // chain.
        Ok(ways == 1 || self.is_chain()?)
    }

    /// Returns whether the remaining cells form a chain of blocks that begins at the end of the path, with colours as
    /// [`Blocks`] requires.
    fn is_chain(&mut self) -> Result<bool, Limit> {
        let count = self.graph.around.len() - self.path.len() + 1;
        let (start, clock) = (self.end(), &mut self.budget.clock);
        let (seen, is_chain) = self
            .blocks
            .search(start, self.graph, &self.remaining, clock)?;
        self.budget.spend(seen as u64);
        Ok(is_chain && seen == count)
    }
}

/// The search for blocks, or biconnected components, by Hopcroft and Tarjan (*Algorithm 447*, 1973).
///
/// Two blocks share at most one cell, which a path passes only once. So a path through all cells visits the blocks in a row: seen
/// from its start, only the last block has no other behind it. Since a path alternates between the colours, the cells behind a
/// shared cell must be equally many of each colour, or one more of the colour of the cell that the path enters first.
struct Blocks {
    /// The discovery time of each cell; times up to `first_time` belong to earlier searches.
    discovered: Vec<u32>,
    first_time: u32,
    time: u32,
    stack: Vec<BlockVisit>,
    leaves: usize,
}

struct BlockVisit {
    at: u32,
    next_edge: usize,
    /// The earliest discovery time among this cell, its descendants in the search tree, and all their neighbours.
    low: u32,
    /// True if this cell and its descendants contain a whole block.
    has_block: bool,
    /// The sum of the colours of this cell and its descendants.
    balance: i32,
}

impl Blocks {
    fn new(size: usize) -> Self {
        Self {
            discovered: vec![0; size],
            first_time: 0,
            time: 0,
            stack: Vec::new(),
            leaves: 0,
        }
    }

    fn search(
        &mut self,
        start: u32,
        graph: &CellGraph,
        remaining: &[bool],
        clock: &mut Clock,
    ) -> Result<(usize, bool), Limit> {
        self.restart();
        self.discover(start, graph);
        let mut is_chain = true;
        while is_chain && let Some(visit) = self.stack.last_mut() {
            clock.work(2)?;
            let Some(&neighbour) = graph.around[visit.at as usize].get(visit.next_edge) else {
                is_chain = self.finish(graph);
                continue;
            };
            visit.next_edge += 1;
            if neighbour != NONE && remaining[neighbour as usize] {
                match self.discovered[neighbour as usize] {
                    time if time > self.first_time => visit.low = visit.low.min(time),
                    _ => self.discover(neighbour, graph),
                }
            }
        }
        Ok(((self.time - self.first_time) as usize, is_chain))
    }

    fn restart(&mut self) {
        self.stack.clear();
        self.leaves = 0;
        // The times of this search could overflow, so they begin at 1 again.
        if self.time > u32::MAX - self.discovered.len() as u32 {
            self.discovered.fill(0);
            self.time = 0;
        }
        self.first_time = self.time;
    }

    fn discover(&mut self, at: u32, graph: &CellGraph) {
        self.time += 1;
        self.discovered[at as usize] = self.time;
        let (low, balance) = (self.time, graph.colors[at as usize]);
        self.stack.push(BlockVisit {
            at,
            next_edge: 0,
            low,
            has_block: false,
            balance,
        });
    }

    fn finish(&mut self, graph: &CellGraph) -> bool {
        let (Some(child), Some(parent)) = (self.stack.pop(), self.stack.last_mut()) else {
            return true;
        };
        let is_block = child.low >= self.discovered[parent.at as usize];
        self.leaves += usize::from(is_block && !child.has_block);
        parent.low = parent.low.min(child.low);
        parent.has_block |= is_block || child.has_block;
        parent.balance += child.balance;
        // From the parent, a path through the child's part begins with the child's colour.
        let is_balanced = matches!(child.balance * graph.colors[child.at as usize], 0 | 1);
        self.leaves <= 1 && (is_balanced || !is_block)
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
