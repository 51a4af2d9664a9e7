//! `dungeon`: rooms in a loose grid, doors in their walls, hallways that bend between them; the player
//! in one room, key and exit in others, ghosts and zombies where the player is not.

mod hallways;
mod rooms;

use crate::generate::impossible::Impossible;
use crate::generate::layout::{Amount, Layout, Plan, Question, Wall, are_apart, fixed, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::grid::{Cell, Dir, Grid};
use crate::rng::Rng;
use crate::solution::Verdict;

use rooms::Room;

/// How levels of `dungeon` are drawn.
pub struct Dungeon;

/// How many steps ghosts and zombies are away from the player at least, where a level is improved.
const NEAR: u32 = 3;

const ROOMS: usize = 0;
const EXITS: usize = 1;
const KEYS: usize = 2;
const GHOSTS: usize = 3;
const ZOMBIES: usize = 4;

const AMOUNTS: &[Amount] = &[
    Amount {
        name: "rooms",
        one: "room",
        glyph: None,
        is_chaser: false,
        allowed: (1, 100),
        by_default: |rows, cols| {
            let most = rooms::most(rows, cols);
            (most.min(3), most.min(3))
        },
    },
    Amount {
        name: "exits",
        one: "exit",
        glyph: Some(b'E'),
        is_chaser: false,
        allowed: (0, 1),
        by_default: fixed::<1, 1>,
    },
    Amount {
        name: "keys",
        one: "key",
        glyph: Some(b'K'),
        is_chaser: false,
        allowed: (0, 1),
        by_default: fixed::<0, 1>,
    },
    Amount {
        name: "ghosts",
        one: "ghost",
        glyph: Some(b'G'),
        is_chaser: true,
        allowed: (0, usize::MAX),
        by_default: fixed::<1, 1>,
    },
    Amount {
        name: "zombies",
        one: "zombie",
        glyph: Some(b'Z'),
        is_chaser: true,
        allowed: (0, usize::MAX),
        by_default: fixed::<0, 1>,
    },
];

impl Layout for Dungeon {
    fn ruleset(&self) -> &'static str {
        "dungeon"
    }

    fn question(&self) -> Question {
        Question::Chance
    }

    fn amounts(&self) -> &'static [Amount] {
        AMOUNTS
    }

    fn size(&self) -> (usize, usize) {
        (14, 26)
    }

    fn least_size(&self) -> (usize, usize) {
        (rooms::LEAST, rooms::LEAST)
    }

    fn floor(&self) -> u8 {
        b'.'
    }

    fn runner(&self) -> u8 {
        b'P'
    }

    fn room(&self, plan: &Plan) -> usize {
        let (rows, cols) = rooms::largest(plan.is_sized);
        let floor = (rows.min(plan.rows) - 2) * (cols.min(plan.cols) - 2);
        *plan.amounts[ROOMS].start() * floor - 1
    }

    fn refuse(&self, plan: &Plan) -> Result<(), Impossible> {
        let (wanted, most) = (
            *plan.amounts[ROOMS].end(),
            rooms::most(plan.rows, plan.cols),
        );
        if wanted > most {
            return Err(Impossible::Rooms { wanted, most });
        }
        Ok(())
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = grid(plan);
        let mut sketch = plan.empty(grid, b'X');
        let (rows, cols) = rooms::largest(plan.is_sized);
        let most = (rows as u32, cols as u32);
        let wanted = (plan.amount(ROOMS, rng), most);
        let all = rooms::place(grid, wanted, plan.symmetry, rng)?;
        for room in &all {
            room.draw(&mut sketch);
        }
        hallways::connect(&mut sketch, &all, plan.symmetry, rng)?;
        put_things(&mut sketch, &all, plan, rng)?;
        if plan.verdict == Some(Verdict::Caught) && plan.symmetry.is_none() {
            shut_exit(&mut sketch, &all);
        }
        Some(if plan.is_sized {
            sketch
        } else {
            sketch.cropped(b'X')
        })
    }

    fn normal(&self, glyph: u8) -> u8 {
        match glyph {
            b' ' => b'.',
            b'x' => b'X',
            glyph => glyph,
        }
    }

    fn is_about_writing(&self, key: &str) -> bool {
        key == "drawing"
    }

    fn usual_states(&self) -> u64 {
        100_000
    }

    /// In a room, away from each other.
    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        let grid = sketch.grid();
        let mut beside = grid.neighbours(cell).map(|(_, to)| sketch.at(to));
        let is_inside = !grid.is_border(cell) && beside.all(|glyph| glyph != b'X');
        is_inside && are_apart(self, sketch, (glyph, cell), NEAR)
    }

    /// A wall between two floors can become a door, and a door a wall.
    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let grid = sketch.grid();
        let is_floor = |cell: Cell| !b"-|DXx".contains(&sketch.at(cell));
        let between = |at, a, b| {
            grid.step(at, a).is_some_and(is_floor) && grid.step(at, b).is_some_and(is_floor)
        };
        let wall = |at: Cell| {
            let closed = match sketch.at(at) {
                b'|' | b'D' if between(at, Dir::Left, Dir::Right) => b'|',
                b'-' | b'D' if between(at, Dir::Up, Dir::Down) => b'-',
                _ => return None,
            };
            Some(Wall {
                at,
                open: b'D',
                closed,
            })
        };
        grid.cells().filter_map(wall).collect()
    }

    /// Nobody misses a door that is not there.
    fn walls_can_go(&self) -> bool {
        false
    }

    /// Of several adversaries the first in reading order moves first; mirrors change that.
    fn mirrors(&self, sketch: &Sketch) -> &'static [Mirror] {
        if sketch.count(b'G') + sketch.count(b'Z') <= 1 {
            &Mirror::ALL
        } else {
            &[]
        }
    }
}

/// The shape of a level. Where that is free, one with a mirror has tiles on its axis, so that a door there is its own
/// image.
fn grid(plan: &Plan) -> Grid {
    let odd = Grid::new(plan.rows | 1, plan.cols | 1);
    let is_free = plan.symmetry.is_some() && !plan.is_sized;
    odd.filter(|_| is_free).unwrap_or_else(|| plan.grid())
}

/// The player in one room, the exit in a far one and the key in another where there are so many;
/// ghosts and zombies outside the player's room where they can.
fn put_things(sketch: &mut Sketch, rooms: &[Room], plan: &Plan, rng: &mut Rng) -> Option<()> {
    let grid = sketch.grid();
    let mut order: Vec<&Room> = rooms.iter().collect();
    rng.shuffle(&mut order);
    let home = order.remove(0);
    order.sort_by_key(|room| std::cmp::Reverse(room.distance(home)));
    let place = |sketch: &mut Sketch, room: &Room, glyph: u8, rng: &mut Rng| {
        let mut free = room.floor(grid);
        free.retain(|&cell| sketch.at(cell) == b'.');
        scatter(sketch, &mut free, (glyph, 1), rng)
    };
    place(sketch, home, b'P', rng)?;
    for (number, glyph, at) in [(EXITS, b'E', 0), (KEYS, b'K', 1)] {
        let room = order.get(at).or(order.last()).copied().unwrap_or(home);
        for _ in 0..plan.amount(number, rng) {
            place(sketch, room, glyph, rng)?;
        }
    }
    for (number, glyph) in [(GHOSTS, b'G'), (ZOMBIES, b'Z')] {
        for _ in 0..plan.amount(number, rng) {
            let room = rng.pick(&order).copied().unwrap_or(home);
            place(sketch, room, glyph, rng)
                .or_else(|| place_anywhere(sketch, rooms, glyph, rng))?;
        }
    }
    Some(())
}

/// Walls up the doors of the exit's room, unless the player is in it: a random level hardly ever has no way out.
fn shut_exit(sketch: &mut Sketch, rooms: &[Room]) {
    let grid = sketch.grid();
    let holds = |room: &Room, glyph| {
        room.floor(grid)
            .iter()
            .any(|&cell| sketch.at(cell) == glyph)
    };
    let mut shut = rooms
        .iter()
        .filter(|room| holds(room, b'E') && !holds(room, b'P'));
    let Some(&Room {
        top,
        left,
        bottom,
        right,
        ..
    }) = shut.next()
    else {
        return;
    };
    for cell in grid
        .cells()
        .filter(|&cell| sketch.at(cell) == b'D')
        .collect::<Vec<_>>()
    {
        let (row, col) = grid.position(cell);
        if (top..=bottom).contains(&row) && (left..=right).contains(&col) {
            let is_level = row == top || row == bottom;
            sketch.put(cell, if is_level { b'-' } else { b'|' });
        }
    }
}

fn place_anywhere(sketch: &mut Sketch, rooms: &[Room], glyph: u8, rng: &mut Rng) -> Option<()> {
    let grid = sketch.grid();
    let mut free: Vec<Cell> = rooms.iter().flat_map(|room| room.floor(grid)).collect();
    free.retain(|&cell| sketch.at(cell) == b'.');
    scatter(sketch, &mut free, (glyph, 1), rng)
}
