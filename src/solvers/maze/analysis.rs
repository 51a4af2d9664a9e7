//! Design metrics for a map: the cells from which food can be reached, and the excess of the path found over a
//! shortest one.

use std::collections::VecDeque;

use crate::advice::Worth;
use crate::analysis::{Analysis, Count, Section};
use crate::grid::Cell;
use crate::limits::{Clock, Limit, Limits};
use crate::rules::maze::Maze;
use crate::rules::maze::map::Kind;
use crate::solution::{Evidence, Solution};

/// Ignores that walls move. The value of a first move is the number of steps to the nearest food.
pub(super) fn analysis(maze: &Maze, solution: &Solution, limits: &Limits) -> Analysis {
    let length = match &solution.evidence {
        Evidence::Direction { steps, .. } => steps.len().checked_sub(1),
        _ => None,
    };
    let mut analysis = Analysis {
        length,
        ..Analysis::default()
    };
    if let Some(head) = maze.map().head(maze.runner())
        && let Err(limit) = analysis.walk(maze, head, limits)
    {
        analysis.cut_short.push((Section::Moves, limit));
    }
    analysis
}

impl Analysis {
    fn walk(&mut self, maze: &Maze, head: Cell, limits: &Limits) -> Result<(), Limit> {
        let map = maze.map();
        let from_food = map.cells().filter(|(_, tile)| tile.kind() == Kind::Food);
        let to_food = distances(maze, from_food.map(|(cell, _)| cell), limits)?;
        let reached = distances(maze, std::iter::once(head), limits)?;
        let cells = reached.iter().flatten().count() as u64;
        self.reachable = Some(Count::Exactly(cells));
        let worth = |to: Cell| match to_food[to.index()] {
            Some(steps) => Worth::Escape {
                moves: Some(steps + 1),
            },
            None => Worth::Caught { lives: None },
        };
        let moves = map.ways(head).filter(|(_, to)| map.tile(*to).is_open());
        self.first_moves = moves
            .map(|(way, to)| (way.to_string(), worth(to)))
            .collect();
        Ok(())
    }
}

/// Distances over open cells to the nearest of the given cells.
fn distances(
    maze: &Maze,
    from: impl Iterator<Item = Cell>,
    limits: &Limits,
) -> Result<Vec<Option<usize>>, Limit> {
    let map = maze.map();
    limits.check_memory((map.grid().size() * size_of::<Option<usize>>()) as u64)?;
    let mut clock = Clock::new(limits);
    let mut distances = vec![None; map.grid().size()];
    let mut open: VecDeque<Cell> = from.collect();
    for cell in &open {
        distances[cell.index()] = Some(0);
    }
    while let Some(cell) = open.pop_front() {
        clock.work(16)?;
        let next = distances[cell.index()].map(|steps| steps + 1);
        for (_, to) in map.ways(cell) {
            if map.tile(to).is_open() && distances[to.index()].is_none() {
                distances[to.index()] = next;
                open.push_back(to);
            }
        }
    }
    Ok(distances)
}
