//! `dungeon`: rooms in a grid, with doors and hallways. The player is in one room; the exit is in a far room and the key in a
//! third, if there are three. Zombies guard the exit and the key; ghosts are outside the player's room, if there are other rooms.

mod hallways;
mod rooms;

use crate::layout::{
    Canvas, CriteriaError, Layout, Piece, Plan, Question, Size, Style, ThingKind, WallKind, scatter,
};
use crate::sketch::{Sketch, Symmetry};
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;

use rooms::Room;

pub struct Dungeon;

const STYLE: Style = Style {
    ruleset: "dungeon",
    question: Question::Chance,
    amounts: AMOUNTS,
    size: Size::new(14, 26),
    min_size: Size::new(rooms::MIN_SIDE, rooms::MIN_SIDE),
    runner: b'P',
    max_players: 4,
    kind_of_walls: WallKind::Rooms,
    synonyms: &[(b' ', b'.'), (b'x', b'X')],
    setting_of_drawing: Some("drawing"),
    usual_states: 100_000,
    ..Style::PLAIN
};

/// The usual minimum distance between the player and an adversary.
const MIN_DISTANCE: u32 = 3;

const ROOMS: usize = 0;
const EXITS: usize = 1;
const KEYS: usize = 2;
const GHOSTS: usize = 3;
const ZOMBIES: usize = 4;

const AMOUNTS: &[ThingKind] = &[
    ThingKind::new("rooms", "room", None)
        .allowed(1, 100)
        .usually(|rows, cols, players| {
            // Positions multiply with each player.
            let usual = if players > 1 { 1 } else { 3 };
            let max = rooms::max_rooms(rows, cols).min(usual);
            max..=max
        }),
    ThingKind::new("exits", "exit", Some(b'E')).allowed(0, 1),
    ThingKind::new("keys", "key", Some(b'K'))
        .allowed(0, 1)
        .usually(|_, _, _| 0..=1),
    ThingKind::chaser("ghosts", "ghost", b'G'),
    ThingKind::chaser("zombies", "zombie", b'Z')
        .usually(|rows, cols, _| usize::from(rows * cols <= STYLE.size.cells())..=1),
];

impl Layout for Dungeon {
    fn style(&self) -> Style<'_> {
        STYLE
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let count = plan.amount(ROOMS, rng);
        let largest = rooms::largest(plan.is_sized);
        let slots = rooms::shape(plan.grid(), count, largest, rng)?;
        let mut sketch = plan.empty(grid(plan, slots), b'X');
        let all = rooms::place(sketch.grid(), slots, count, largest, rng)?;
        for room in &all {
            room.draw(&mut sketch);
        }
        hallways::connect(&mut sketch, &all, rng)?;
        put_things(&mut sketch, &all, plan, rng)?;
        if plan.verdict == Some(Verdict::Caught) {
            shut_exit(&mut sketch, &all);
        }
        Some(if plan.is_sized {
            sketch
        } else {
            sketch.cropped(b'X')
        })
    }

    fn check(&self, plan: &Plan) -> Result<(), CriteriaError> {
        let wanted = *plan.amounts[ROOMS].end();
        let max = rooms::max_rooms(plan.rows, plan.cols);
        let [exits, ghosts, zombies] = [EXITS, GHOSTS, ZOMBIES].map(|number| &plan.amounts[number]);
        let is_open = wanted == 1 && *exits.start() > 0 && *ghosts.end() + *zombies.end() == 0;
        CriteriaError::check([
            (
                plan.verdict == Some(Verdict::Caught) && is_open,
                "in a single room, only ghosts and zombies keep the player from the exit".into(),
            ),
            (
                plan.verdict == Some(Verdict::Escape) && *exits.end() == 0,
                "the verdict `escape` needs an exit".into(),
            ),
            (
                wanted > max,
                format!("only {max} of {wanted} rooms fit: make the board larger"),
            ),
        ])
    }

    fn capacity(&self, plan: &Plan) -> usize {
        let largest = rooms::largest(plan.is_sized);
        let floor = (largest.rows.min(plan.rows) - 2) * (largest.cols.min(plan.cols) - 2);
        (*plan.amounts[ROOMS].start() * floor).saturating_sub(plan.players)
    }

    /// Returns the floor of a room of the requested size; `None` if there may be several rooms, or the size is too large for one.
    fn canvas(&self, plan: &Plan) -> Option<Canvas> {
        let is_single = *plan.amounts[ROOMS].end() == 1;
        let fits = Size::new(plan.rows, plan.cols).fits(rooms::largest(plan.is_sized));
        let mut canvas = STYLE.open_canvas(plan);
        let grid = canvas.sketch.grid();
        Room::of_grid(grid).draw(&mut canvas.sketch);
        canvas.places.retain(|place| !grid.is_border(place.cell));
        (is_single && fits).then_some(canvas)
    }

    /// Returns the doors, and the walls that can become doors.
    fn walls(&self, sketch: &Sketch) -> Vec<Piece> {
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
            let open = b'D';
            Some(Piece { at, open, closed })
        };
        grid.cells().filter_map(wall).collect()
    }

    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        let grid = sketch.grid();
        let mut beside = grid.neighbours(cell).map(|(_, to)| sketch.at(to));
        let is_inside = !grid.is_border(cell) && beside.all(|glyph| glyph != b'X');
        is_inside && STYLE.are_apart(sketch, glyph, cell, MIN_DISTANCE)
    }

    /// Returns the symmetries that preserve the answer: all or, with several players or adversaries, none, since a symmetry
    /// changes their reading order.
    fn symmetries(&self, sketch: &Sketch) -> &'static [Symmetry] {
        let has_order = sketch.count(b'P') > 1 || sketch.count(b'G') + sketch.count(b'Z') > 1;
        if has_order { &[] } else { &Symmetry::ALL }
    }

    /// In a shortest way out without adversaries, each player visits each tile at most twice: before and after the key is taken.
    fn max_moves(&self, plan: &Plan) -> Option<usize> {
        let mut adversaries = [GHOSTS, ZOMBIES].iter();
        let is_calm = adversaries.all(|&number| *plan.amounts[number].end() == 0);
        is_calm.then_some(2 * plan.rows * plan.cols)
    }
}

/// Returns the requested size, or one as small as the rooms allow.
fn grid(plan: &Plan, slots: Grid) -> Grid {
    let snug = rooms::snug(slots, rooms::largest(plan.is_sized));
    let snug = Grid::new(plan.rows.min(snug.rows), plan.cols.min(snug.cols));
    snug.filter(|_| !plan.is_sized)
        .unwrap_or_else(|| plan.grid())
}

fn put_things(sketch: &mut Sketch, rooms: &[Room], plan: &Plan, rng: &mut Rng) -> Option<()> {
    let mut order: Vec<&Room> = rooms.iter().collect();
    rng.shuffle(&mut order);
    let home = order.remove(0);
    order.sort_by_key(|room| std::cmp::Reverse(room.distance(home)));
    for _ in 0..plan.players {
        place(sketch, &[home], b'P', rng)?;
    }
    let mut guarded = Vec::new();
    for (number, glyph, at) in [(EXITS, b'E', 0), (KEYS, b'K', 1)] {
        let room = order.get(at).or(order.last()).copied().unwrap_or(home);
        for _ in 0..plan.amount(number, rng) {
            place_inside(sketch, room, glyph, rng)?;
            guarded.push(room);
        }
    }
    let all: Vec<&Room> = rooms.iter().collect();
    for (number, glyph, usual) in [(GHOSTS, b'G', order), (ZOMBIES, b'Z', guarded)] {
        for _ in 0..plan.amount(number, rng) {
            let room = rng.pick(&usual).copied().unwrap_or(home);
            place(sketch, &[room], glyph, rng).or_else(|| place(sketch, &all, glyph, rng))?;
        }
    }
    Some(())
}

/// Closes the doors of the exit's room, unless the player is in it.
fn shut_exit(sketch: &mut Sketch, rooms: &[Room]) {
    let grid = sketch.grid();
    let holds = |room: &Room, glyph| {
        room.floor(grid)
            .iter()
            .any(|&cell| sketch.at(cell) == glyph)
    };
    let mut shut = rooms.iter();
    let Some(room) = shut.find(|room| holds(room, b'E') && !holds(room, b'P')) else {
        return;
    };
    for cell in sketch.all(b'D') {
        let (row, col) = grid.position(cell);
        if room.contains(row, col) {
            let is_level = row == room.top || row == room.bottom;
            sketch.put(cell, if is_level { b'-' } else { b'|' });
        }
    }
}

fn place(sketch: &mut Sketch, rooms: &[&Room], glyph: u8, rng: &mut Rng) -> Option<()> {
    let mut free = free(sketch, rooms);
    scatter(sketch, &mut free, glyph, 1, rng)
}

fn place_inside(sketch: &mut Sketch, room: &Room, glyph: u8, rng: &mut Rng) -> Option<()> {
    let doors = sketch.all(b'D');
    let grid = sketch.grid();
    let depth = |cell: &Cell| doors.iter().map(|&door| grid.distance(*cell, door)).min();
    let mut free = free(sketch, &[room]);
    let deepest = free.iter().map(depth).max()?;
    free.retain(|cell| depth(cell) == deepest);
    scatter(sketch, &mut free, glyph, 1, rng)
}

fn free(sketch: &Sketch, rooms: &[&Room]) -> Vec<Cell> {
    let floor = rooms.iter().flat_map(|room| room.floor(sketch.grid()));
    floor.filter(|&cell| sketch.at(cell) == b'.').collect()
}
