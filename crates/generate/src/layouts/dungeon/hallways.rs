//! Doors and hallways, which connect all rooms, sometimes in loops.

use std::collections::VecDeque;

use super::rooms::Room;
use crate::sketch::Sketch;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;

const LOOP_PROBABILITY: f64 = 0.4;

pub fn connect(sketch: &mut Sketch, rooms: &[Room], rng: &mut Rng) -> Option<()> {
    let mut pairs: Vec<(usize, usize)> = (0..rooms.len())
        .flat_map(|a| (a + 1..rooms.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| rooms[a].distance(&rooms[b]) == 1)
        .collect();
    rng.shuffle(&mut pairs);
    let mut group: Vec<usize> = (0..rooms.len()).collect();
    for (a, b) in pairs {
        let (old, new) = (group[a], group[b]);
        if old != new || rng.chance(LOOP_PROBABILITY) {
            let joined = join(sketch, &rooms[a], &rooms[b], rng);
            // A hallway that only makes a loop may fail.
            if old != new {
                joined?;
                let merged = group.iter_mut().filter(|number| **number == old);
                merged.for_each(|number| *number = new);
            }
        }
    }
    group.iter().all(|&all| all == group[0]).then_some(())
}

fn join(sketch: &mut Sketch, a: &Room, b: &Room, rng: &mut Rng) -> Option<()> {
    let towards = match (b.slot.0 > a.slot.0, b.slot.1 > a.slot.1) {
        (true, _) => Dir::Down,
        (_, true) => Dir::Right,
        _ => return join(sketch, b, a, rng),
    };
    let grid = sketch.grid();
    let from = door(sketch, a, towards, &b.floor(grid), rng)?;
    let to = door(sketch, b, towards.opposite(), &[from.0], rng)?;
    let way = hallway(sketch, from.1, towards, to.1, rng)?;
    let hall = way.into_iter().map(|cell| (cell, b'.'));
    for (cell, glyph) in hall.chain([(from.0, b'D'), (to.0, b'D')]) {
        sketch.put(cell, glyph);
    }
    Some(())
}

/// Returns a cell for a door as near as possible to one of the goals, and the cell in front of it.
fn door(
    sketch: &Sketch,
    room: &Room,
    side: Dir,
    goals: &[Cell],
    rng: &mut Rng,
) -> Option<(Cell, Cell)> {
    let grid = sketch.grid();
    let floor = room.floor(grid).into_iter();
    let along = floor.filter_map(|cell| grid.step(cell, side));
    let walls = along.filter(|&cell| !matches!(sketch.at(cell), b'.' | b'D'));
    let is_alone = |cell: Cell| {
        let mut beside = grid.neighbours(cell);
        beside.all(|(_, to)| sketch.at(to) != b'D')
    };
    let is_free = |cell: &Cell| matches!(sketch.at(*cell), b'X' | b'.');
    let place = |cell| Some((cell, grid.step(cell, side).filter(is_free)?));
    let places = walls.filter(|&cell| is_alone(cell)).filter_map(place);
    let mut places: Vec<(Cell, Cell)> = places.collect();
    let far = |&(door, _): &(Cell, Cell)| goals.iter().map(|&to| grid.distance(door, to)).min();
    let nearest = places.iter().map(far).min()?;
    places.retain(|place| far(place) == nearest);
    rng.pick(&places).copied()
}

/// Returns a shortest path with few bends.
fn hallway(
    sketch: &Sketch,
    from: Cell,
    mut heading: Dir,
    to: Cell,
    rng: &mut Rng,
) -> Option<Vec<Cell>> {
    let grid = sketch.grid();
    let steps = distances(sketch, to);
    let mut way = vec![from];
    steps[from.index()]?;
    while let Some(&at) = way.last().filter(|&&at| at != to) {
        let left = steps[at.index()];
        let is_nearer = |next: Cell| steps[next.index()].is_some_and(|far| Some(far + 1) == left);
        let neighbours = grid.neighbours(at);
        let nearer: Vec<(Dir, Cell)> = neighbours.filter(|&(_, to)| is_nearer(to)).collect();
        let straight = nearer.iter().find(|(dir, _)| *dir == heading);
        let &(dir, next) = straight.or_else(|| rng.pick(&nearer))?;
        heading = dir;
        way.push(next);
    }
    Some(way)
}

fn distances(sketch: &Sketch, to: Cell) -> Vec<Option<u32>> {
    let grid: Grid = sketch.grid();
    let mut steps = vec![None; grid.size()];
    steps[to.index()] = Some(0);
    let mut queue = VecDeque::from([(to, 0)]);
    while let Some((at, far)) = queue.pop_front() {
        for (_, next) in grid.neighbours(at) {
            if matches!(sketch.at(next), b'X' | b'.') && steps[next.index()].is_none() {
                steps[next.index()] = Some(far + 1);
                queue.push_back((next, far + 1));
            }
        }
    }
    steps
}
