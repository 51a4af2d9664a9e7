//! Design metrics for a map.

use std::collections::VecDeque;

use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_play::analysis::{Analysis, Count, Section};
use getaway_play::evaluation::PositionValue;
use getaway_play::solution::{Evidence, Solution};
use getaway_rules::maze::{Map, Maze, TileKind};

/// Analyses the map with its walls at rest. The value of a first move is the number of steps to the nearest food.
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
        && let Err(limit) = walk(&mut analysis, maze, head, limits)
    {
        analysis.cut_short.push((Section::Moves, limit));
    }
    analysis
}

fn walk(analysis: &mut Analysis, maze: &Maze, head: Cell, limits: &Limits) -> Result<(), Limit> {
    let value = |steps| match steps {
        Some(steps) => PositionValue::Escape { moves: Some(steps) },
        None => PositionValue::Caught { lives: None },
    };
    let ways = steps_to_food(maze.map(), head, limits)?.into_iter();
    analysis.first_moves = ways.map(|(way, steps)| (way, value(steps))).collect();
    let reached = distances(maze.map(), std::iter::once(head), limits)?;
    let cells = reached.iter().flatten().count() as u64;
    analysis.reachable = Some(Count::Exactly(cells));
    Ok(())
}

/// Returns the possible first steps from `head`, each with the number of steps to the nearest food, itself included, or with
/// `None` if it leads to no food.
pub(super) fn steps_to_food(
    map: &Map,
    head: Cell,
    limits: &Limits,
) -> Result<Vec<(String, Option<usize>)>, Limit> {
    let food = map
        .cells()
        .filter(|(_, tile)| tile.kind() == TileKind::Food);
    let to_food = distances(map, food.map(|(cell, _)| cell), limits)?;
    let steps = |to: Cell| to_food[to.index()].map(|steps| steps + 1);
    let ways = map.ways(head);
    Ok(ways.map(|(way, to)| (way.to_string(), steps(to))).collect())
}

fn distances(
    map: &Map,
    from: impl Iterator<Item = Cell>,
    limits: &Limits,
) -> Result<Vec<Option<usize>>, Limit> {
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
