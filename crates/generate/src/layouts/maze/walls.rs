//! The moving walls of a maze: the cells between its corridors, cut into paths.

use std::cmp::Reverse;

use super::corner::Corner;
use super::corridors::{closed_edges, gap_probability, is_node, pillars};
use crate::layout::{Plan, cells_of_share};
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

const LONGEST: usize = 12;

/// Draws the wanted number of walls, including the one around the corner, if any. Returns `None` if there are too few walls, or
/// if walls with exactly the share of cells for the density can't be made.
pub fn draw(
    plan: &Plan,
    wanted: usize,
    corner: Option<&Corner>,
    rng: &mut Rng,
) -> Option<Vec<Vec<Cell>>> {
    let grid = plan.grid();
    let around = corner.map(Corner::wall);
    let other = wanted.checked_sub(usize::from(around.is_some()))?;
    let taken = around.as_deref().unwrap_or_default();
    let mut cells = wall_cells(plan, rng);
    cells.retain(|cell| !taken.contains(cell));
    let mut walls = paths(&cells, grid, other, rng);
    walls.sort_by_key(|wall| Reverse(wall.len()));
    walls.truncate(other);
    if let Some(share) = plan.density {
        let places = grid.cells().filter(|&cell| !is_node(grid, cell)).count();
        let cells = cells_of_share(share, places);
        shorten(&mut walls, cells.checked_sub(taken.len())?)?;
    }
    walls.extend(around);
    (walls.len() == wanted).then_some(walls)
}

/// Removes cells from the ends of the longest walls until `wanted` cells are left; returns `None` if that is impossible.
fn shorten(walls: &mut [Vec<Cell>], wanted: usize) -> Option<()> {
    let all: usize = walls.iter().map(Vec::len).sum();
    for _ in 0..all.checked_sub(wanted)? {
        let longest = walls.iter_mut().filter(|wall| wall.len() > 1);
        longest.max_by_key(|wall| wall.len())?.pop();
    }
    Some(())
}

fn wall_cells(plan: &Plan, rng: &mut Rng) -> Vec<Cell> {
    let grid = plan.grid();
    let walls = closed_edges(grid, rng);
    let gap_probability = gap_probability(plan, rng);
    let mut cells: Vec<Cell> = pillars(grid).collect();
    cells.extend(walls.into_iter().filter(|_| !rng.chance(gap_probability)));
    cells
}

/// Cuts the cells into paths that do not touch themselves, at least `wanted` if possible.
fn paths(cells: &[Cell], grid: Grid, wanted: usize, rng: &mut Rng) -> Vec<Vec<Cell>> {
    let mut order: Vec<Cell> = cells.to_vec();
    rng.shuffle(&mut order);
    let mut left = Bits::of_cells(grid, order.iter().copied());
    let mut paths = Vec::new();
    // Paths become longer if they start at cells with few neighbours.
    for max_neighbours in 0..=4 {
        for &cell in &order {
            if left.contains(cell) && beside(grid, cell, &left).count() <= max_neighbours {
                paths.push(path(cell, &mut left, grid, rng));
            }
        }
    }
    while paths.len() < wanted {
        paths.sort_by_key(Vec::len);
        let Some(longest) = paths.last_mut().filter(|path| path.len() > 1) else {
            break;
        };
        let half = longest.split_off(longest.len() / 2);
        paths.push(half);
    }
    paths
}

fn beside(grid: Grid, cell: Cell, set: &Bits) -> impl Iterator<Item = Cell> {
    let neighbours = grid.neighbours(cell).map(|(_, to)| to);
    neighbours.filter(|&to| set.contains(to))
}

fn path(first: Cell, left: &mut Bits, grid: Grid, rng: &mut Rng) -> Vec<Cell> {
    left.remove(first);
    let mut path = vec![first];
    while path.len() < LONGEST {
        let (end, before) = (path[path.len() - 1], &path[..path.len() - 1]);
        let touches = |cell| before.iter().any(|&old| grid.distance(old, cell) == 1);
        let next: Vec<Cell> = beside(grid, end, left)
            .filter(|&cell| !touches(cell))
            .collect();
        let Some(&next) = rng.pick(&next) else { break };
        left.remove(next);
        path.push(next);
    }
    path
}
