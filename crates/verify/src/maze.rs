//! `maze`: the search that rule 5 prescribes, step by step ([`getaway_rules::maze`]).
//!
//! The claim `food D` or `no-food D`, where D is the direction of the next move, is followed by a line for each cell that the
//! search takes out of OPEN, in that order: its row, its column and its cost. The last line is for food or for the last cell in
//! OPEN.

use std::collections::{BTreeSet, VecDeque};

use super::{CertificateReader, Proof, VerifyError};
use getaway_board::grid::Cell;
use getaway_board::limits::Clock;
use getaway_rules::maze::{Map, Maze, Tile, Way};

/// The maximum memory of [`PrescribedSearch`] per cell, in bytes; OPEN is a tree, whose nodes may be half empty.
const CELL_BYTES: usize = 2 * size_of::<u64>()
    + size_of::<bool>()
    + size_of::<Option<Cell>>()
    + 3 * size_of::<(u64, Cell)>();

pub(super) fn check(maze: &Maze, content: &mut CertificateReader) -> Result<Proof, VerifyError> {
    let claim = content.line()?.to_owned();
    let size = maze.map().grid().size();
    content.limits().check_memory((size * CELL_BYTES) as u64)?;
    let (mut cells, mut path) = (0, Vec::new());
    let mut way = None;
    if let Some(head) = maze.head() {
        let mut search = PrescribedSearch::new(maze.map(), head);
        let food = search.run(content)?;
        cells = search.taken;
        path = food.map_or_else(Vec::new, |food| search.path(food));
        // Rule 6: the first step to the food, or else the first direction whose neighbour is able to go.
        way = match path.get(1) {
            Some(&first) => maze.map().ways(head).find(|&(_, to)| to == first),
            None => maze.map().ways(head).next(),
        };
    }
    let direction = way.map_or(-1, |(way, _): (Way, Cell)| way.number());
    let verdict = if path.is_empty() { "no-food" } else { "food" };
    let found = format!("{verdict} {direction}");
    if claim != found {
        return Err(VerifyError::fails(&format!("the search finds `{found}`")));
    }
    let position = |&cell: &Cell| maze.map().grid().position(cell);
    Ok(Proof::NextMove {
        direction,
        steps: path.iter().map(position).collect(),
        cells,
    })
}

struct PrescribedSearch<'m> {
    map: &'m Map,
    near: Vec<u64>,
    cost: Vec<u64>,
    visited: Vec<bool>,
    prev: Vec<Option<Cell>>,
    open: BTreeSet<(u64, Cell)>,
    taken: u64,
}

impl<'m> PrescribedSearch<'m> {
    fn new(map: &'m Map, head: Cell) -> Self {
        let size = map.grid().size();
        let mut search = Self {
            map,
            near: distances(map),
            cost: vec![0; size],
            visited: vec![false; size],
            prev: vec![None; size],
            open: BTreeSet::new(),
            taken: 0,
        };
        search.open.insert(search.rank(head));
        search
    }

    fn rank(&self, cell: Cell) -> (u64, Cell) {
        (self.cost[cell.index()] + self.near[cell.index()], cell)
    }

    fn run(&mut self, content: &mut CertificateReader) -> Result<Option<Cell>, VerifyError> {
        let mut clock = Clock::new(content.limits());
        while let Some((_, at)) = self.open.pop_first() {
            clock.work(64)?;
            let (row, col) = self.map.grid().position(at);
            let cost = self.cost[at.index()];
            if content.line()? != format!("{row} {col} {cost}") {
                let next = format!("the next cell is {row} {col}, with a cost of {cost}");
                return Err(content.line_fails(&next));
            }
            self.taken += 1;
            if self.map.tile(at) == Tile::FOOD {
                return Ok(Some(at));
            }
            self.visit(at);
        }
        Ok(None)
    }

    fn visit(&mut self, at: Cell) {
        self.visited[at.index()] = true;
        let cost = self.cost[at.index()] + 1;
        for (_, to) in self.map.ways(at) {
            // An unvisited cell gets the new cost even if it is in OPEN with a lower one; a visited cell is reopened only by a
            // lower cost.
            if !self.visited[to.index()] || cost < self.cost[to.index()] {
                self.open.remove(&self.rank(to));
                self.cost[to.index()] = cost;
                self.prev[to.index()] = Some(at);
                self.open.insert(self.rank(to));
            }
        }
    }

    fn path(&self, food: Cell) -> Vec<Cell> {
        let prev = |cell: &Cell| self.prev[cell.index()];
        let mut path: Vec<Cell> = std::iter::successors(Some(food), prev).collect();
        path.reverse();
        path
    }
}

fn distances(map: &Map) -> Vec<u64> {
    // The distances of rule 5 ignore walls, and are 0 if there is no food.
    let mut near = vec![None; map.grid().size()];
    let food = map.cells().filter(|(_, tile)| *tile == Tile::FOOD);
    let mut queue: VecDeque<Cell> = food.map(|(cell, _)| cell).collect();
    for food in &queue {
        near[food.index()] = Some(0);
    }
    while let Some(cell) = queue.pop_front() {
        let further = near[cell.index()].map(|distance| distance + 1);
        for (_, to) in map.grid().neighbours(cell) {
            if near[to.index()].is_none() {
                near[to.index()] = further;
                queue.push_back(to);
            }
        }
    }
    near.into_iter().map(Option::unwrap_or_default).collect()
}
