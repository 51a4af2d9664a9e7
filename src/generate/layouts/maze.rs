//! `maze`: winding corridors, one cell wide, with a loop wherever a piece of wall is missing. The walls
//! between them are the moving walls, each a path of cells with its moving end where it can move.

use crate::generate::impossible::Impossible;
use crate::generate::layout::{Amount, Layout, Plan, Question, Wall, fixed, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::generate::spanning::spanning_tree;
use crate::grid::{Cell, Dir, Grid};
use crate::rng::Rng;
use crate::rules::maze::format::WALL_LETTERS;

/// How boards of `maze` are drawn.
pub struct Maze;

const AMOUNTS: &[Amount] = &[
    Amount {
        name: "food",
        one: "food",
        glyph: Some(b'*'),
        is_chaser: false,
        allowed: (0, usize::MAX),
        by_default: fixed::<1, 3>,
    },
    Amount {
        name: "walls",
        one: "moving wall",
        glyph: None,
        is_chaser: false,
        allowed: (0, WALL_LETTERS.len()),
        by_default: |rows, cols| {
            let most = (rows * cols / 12).clamp(1, WALL_LETTERS.len());
            (most - most / 4, most)
        },
    },
];

/// The most cells of one wall.
const LONGEST: usize = 12;

impl Layout for Maze {
    fn ruleset(&self) -> &'static str {
        "maze"
    }

    fn question(&self) -> Question {
        Question::Food
    }

    fn amounts(&self) -> &'static [Amount] {
        AMOUNTS
    }

    fn size(&self) -> (usize, usize) {
        (11, 17)
    }

    fn floor(&self) -> u8 {
        b'.'
    }

    fn runner(&self) -> u8 {
        b'R'
    }

    fn room(&self, plan: &Plan) -> usize {
        plan.rows.div_ceil(2) * plan.cols.div_ceil(2) - 1
    }

    fn refuse(&self, plan: &Plan) -> Result<(), Impossible> {
        let (wanted, room) = (*plan.amounts[1].start(), pillars(plan.grid()).count());
        if wanted > room {
            return Err(Impossible::Crowded { wanted, room });
        }
        Ok(())
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b'.');
        let (food, wanted) = (plan.amount(0, rng), plan.amount(1, rng));
        let mut walls = paths(&wall_cells(grid, rng), (grid, wanted), rng);
        walls.sort_by_key(|wall| std::cmp::Reverse(wall.len()));
        for (wall, &letter) in walls.iter().zip(&WALL_LETTERS[..wanted]) {
            for &cell in wall {
                sketch.put(cell, letter.to_ascii_lowercase());
            }
        }
        for (mut wall, &letter) in walls.into_iter().zip(&WALL_LETTERS[..wanted]) {
            let can_move = |cell: Cell| grid.neighbours(cell).any(|(_, to)| sketch.at(to) == b'.');
            if !can_move(wall[0]) {
                wall.reverse();
            }
            sketch.put(wall[0], letter);
        }
        let mut nodes: Vec<Cell> = sketch.all(b'.');
        nodes.retain(|&cell| is_node(grid, cell));
        scatter(&mut sketch, &mut nodes, (b'R', 1), rng)?;
        scatter(&mut sketch, &mut nodes, (b'*', food), rng)?;
        Some(sketch)
    }

    /// In a drawing the runner is always `R`.
    fn is_about_writing(&self, key: &str) -> bool {
        key == "runner"
    }

    /// A wall can lose its last cell, or get one more; whether what is left is a wall that can move
    /// shows when it is read.
    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let grid = sketch.grid();
        let wall = |at, letter: u8| Wall {
            at,
            open: b'.',
            closed: letter,
        };
        let mut all = Vec::new();
        for at in grid.cells() {
            match sketch.at(at) {
                letter if is_letter(letter) => all.push(wall(at, letter)),
                b'.' => {
                    let beside = grid.neighbours(at).map(|(_, to)| sketch.at(to));
                    let letters = beside.filter(|&glyph| is_letter(glyph));
                    let mut letters: Vec<u8> =
                        letters.map(|glyph| glyph.to_ascii_lowercase()).collect();
                    letters.sort_unstable();
                    letters.dedup();
                    all.extend(letters.into_iter().map(|letter| wall(at, letter)));
                }
                _ => {}
            }
        }
        all
    }

    fn is_usual(&self, sketch: &Sketch, _glyph: u8, cell: Cell) -> bool {
        is_node(sketch.grid(), cell)
    }

    /// Which of equally good cells the search takes goes by row and column.
    fn mirrors(&self, _sketch: &Sketch) -> &'static [Mirror] {
        &[]
    }

    /// Nobody chases the runner.
    fn without_chasers(&self, _sketch: &Sketch) -> Option<Sketch> {
        None
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        usize::midpoint(plan.rows, plan.cols)
    }
}

fn is_letter(glyph: u8) -> bool {
    glyph.is_ascii_alphabetic() && !glyph.eq_ignore_ascii_case(&b'R')
}

/// A cell where corridors meet.
fn is_node(grid: Grid, cell: Cell) -> bool {
    let (row, col) = grid.position(cell);
    row % 2 == 0 && col % 2 == 0
}

/// The cells that are in no corridor, whatever the maze.
fn pillars(grid: Grid) -> impl Iterator<Item = Cell> {
    grid.cells()
        .filter(move |&cell| grid.row(cell) % 2 == 1 && grid.col(cell) % 2 == 1)
}

/// The cells between the corridors of a random maze, some of which are left out.
fn wall_cells(grid: Grid, rng: &mut Rng) -> Vec<Cell> {
    let half = |size: u32| size.div_ceil(2) as usize;
    let nodes = Grid::new(half(grid.rows()), half(grid.cols())).expect("half a grid is a grid");
    let tree = spanning_tree(nodes, rng);
    let loops = 0.1 + 0.25 * rng.uniform();
    let mut cells: Vec<Cell> = pillars(grid).collect();
    for node in nodes.cells() {
        for dir in [Dir::Right, Dir::Down] {
            let is_wall = nodes.step(node, dir).is_some() && !tree.contains(&(node, dir));
            if is_wall && !rng.chance(loops) {
                let (row, col) = nodes.position(node);
                let at = grid.cell(2 * row, 2 * col).expect("nodes are on the grid");
                cells.extend(grid.step(at, dir));
            }
        }
    }
    cells
}

/// The cells as paths, none of whose cells has a neighbour in the same path but those before and
/// after it; as many as wanted, where there are so many cells.
fn paths(cells: &[Cell], (grid, wanted): (Grid, usize), rng: &mut Rng) -> Vec<Vec<Cell>> {
    let mut left: Vec<Cell> = cells.to_vec();
    let mut paths = Vec::new();
    while !left.is_empty() {
        rng.shuffle(&mut left);
        paths.push(path(&mut left, grid));
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

/// A path through these cells, which it takes, as long as it gets from one of their ends.
fn path(left: &mut Vec<Cell>, grid: Grid) -> Vec<Cell> {
    let beside = |cell: Cell| {
        let cells = grid.neighbours(cell).filter(|(_, to)| left.contains(to));
        cells.count()
    };
    let first = (0..left.len()).min_by_key(|&at| beside(left[at]));
    let mut path = vec![left.swap_remove(first.expect("there are cells left"))];
    while path.len() < LONGEST {
        let (end, before) = (path[path.len() - 1], &path[..path.len() - 1]);
        let touches = |cell| before.iter().any(|&old| grid.distance(old, cell) == 1);
        let follows = |&cell: &Cell| grid.distance(cell, end) == 1 && !touches(cell);
        match left.iter().position(follows) {
            None => break,
            Some(next) => path.push(left.swap_remove(next)),
        }
    }
    path
}
