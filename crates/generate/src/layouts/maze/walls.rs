//! The moving walls of a maze: the cells between its corridors, cut into paths.

use std::cmp::Reverse;

use super::corner::Corner;
use super::corridors::{Corridors, edges, gaps, is_node, pillars};
use crate::layout::{Plan, part};
use crate::sketch::Mirror;
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

const LONGEST: usize = 12;

/// One wall or two, such as a wall and its image.
type Group = Vec<Vec<Cell>>;

/// Draws the wanted number of walls, including those around the corner, if any; returns `None` if there are too few.
pub fn draw(
    plan: &Plan,
    (wanted, corner): (usize, Option<&Corner>),
    rng: &mut Rng,
) -> Option<Vec<Vec<Cell>>> {
    let grid = plan.grid();
    let around = match corner {
        None => Group::new(),
        Some(corner) => around(plan, corner)?,
    };
    let other = wanted.checked_sub(around.len())?;
    let is_free = |cell: &Cell| !around.iter().flatten().any(|taken| taken == cell);
    let mut groups = match plan.symmetry {
        None => {
            let mut cells = wall_cells(plan, rng);
            cells.retain(is_free);
            let walls = paths(&cells, (grid, other), rng);
            longest(walls.into_iter().map(|wall| vec![wall]).collect(), other)
        }
        Some(mirror) => {
            let mut cells = Corridors::draw(plan, mirror, rng)?.walls();
            cells.retain(is_free);
            mirrored_walls(cells, (grid, mirror), other, rng)?
        }
    };
    if let Some(share) = plan.density {
        let places = grid.cells().filter(|&cell| !is_node(grid, cell)).count();
        let cells = part(share, places);
        shorten(&mut groups, cells.checked_sub(size(&around))?)?;
    }
    let walls: Vec<_> = groups.into_iter().flatten().chain(around).collect();
    (walls.len() == wanted).then_some(walls)
}

fn around(plan: &Plan, corner: &Corner) -> Option<Group> {
    let mut group = vec![corner.wall()];
    if let Some(mirror) = plan.symmetry {
        let image = |&cell: &Cell| mirror.image(plan.grid(), cell);
        let image: Vec<Cell> = group[0].iter().map(image).collect();
        if image.iter().any(|cell| group[0].contains(cell)) {
            return None;
        }
        group.push(image);
    }
    Some(group)
}

fn longest(mut groups: Vec<Group>, count: usize) -> Vec<Group> {
    groups.sort_by_key(|group| Reverse(size(group)));
    groups.truncate(count);
    groups
}

fn size(group: &Group) -> usize {
    group.iter().map(Vec::len).sum()
}

/// Removes cells from the ends of the longest walls until `wanted` cells are left, or one fewer; returns `None` if that is
/// impossible.
fn shorten(groups: &mut [Group], wanted: usize) -> Option<()> {
    let mut all: usize = groups.iter().map(size).sum();
    if all < wanted {
        return None;
    }
    while all > wanted {
        let can_give = |group: &&mut Group| group.iter().all(|wall| wall.len() > 1);
        let group = groups
            .iter_mut()
            .filter(can_give)
            .max_by_key(|group| size(group))?;
        all -= group.len();
        for wall in group {
            wall.pop();
        }
    }
    Some(())
}

fn wall_cells(plan: &Plan, rng: &mut Rng) -> Vec<Cell> {
    let grid = plan.grid();
    let [_, walls] = edges(grid, rng);
    let gaps = gaps(plan, rng);
    let mut cells: Vec<Cell> = pillars(grid).collect();
    cells.extend(walls.into_iter().filter(|_| !rng.chance(gaps)));
    cells
}

fn mirrored_walls(
    cells: Vec<Cell>,
    (grid, mirror): (Grid, Mirror),
    wanted: usize,
    rng: &mut Rng,
) -> Option<Vec<Group>> {
    let image = |&cell: &Cell| mirror.image(grid, cell);
    let (axis, rest): (Vec<Cell>, Vec<Cell>) =
        cells.into_iter().partition(|cell| *cell == image(cell));
    let half: Vec<Cell> = rest
        .into_iter()
        .filter(|cell| *cell < image(cell))
        .collect();
    let mut own = paths(&axis, (grid, wanted % 2), rng);
    own.sort_by_key(Vec::len);
    let mut groups = Vec::new();
    if wanted % 2 == 1 {
        groups.push(vec![own.pop()?]);
    }
    let halves = paths(&half, (grid, wanted / 2), rng).into_iter();
    let pair = |wall: Vec<Cell>| {
        let other = wall.iter().map(image).collect();
        vec![wall, other]
    };
    let mut pairs: Vec<Group> = halves.map(pair).collect();
    pairs.extend(own.chunks_exact(2).map(<[_]>::to_vec));
    groups.extend(longest(pairs, wanted / 2));
    Some(groups)
}

/// Cuts the cells into paths that do not touch themselves, at least `wanted` if possible.
fn paths(cells: &[Cell], (grid, wanted): (Grid, usize), rng: &mut Rng) -> Vec<Vec<Cell>> {
    let mut order: Vec<Cell> = cells.to_vec();
    rng.shuffle(&mut order);
    let mut left = Bits::new(grid);
    for &cell in &order {
        left.insert(cell);
    }
    let mut paths = Vec::new();
    // Paths become longer if they start at cells with few neighbours.
    for most_beside in 0..=4 {
        for &cell in &order {
            if left.contains(cell) && beside(grid, cell, &left).count() <= most_beside {
                paths.push(path(cell, &mut left, (grid, rng)));
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

fn path(first: Cell, left: &mut Bits, (grid, rng): (Grid, &mut Rng)) -> Vec<Cell> {
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
