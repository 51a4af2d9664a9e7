//! `maze`: winding corridors, one cell wide, with a loop wherever a piece of wall is missing. The walls
//! between them are the moving walls, each a path of cells with its moving end where it can move.

mod corner;
mod corridors;
mod edges;
mod walls;

use crate::generate::impossible::Impossible;
use crate::generate::layout::{Amount, Layout, Plan, Question, Wall, fixed, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::grid::Cell;
use crate::rng::Rng;
use crate::rules::maze::format::WALL_LETTERS;
use crate::solution::Verdict;

use corner::Corner;
use edges::is_node;

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

    fn has_density(&self) -> bool {
        true
    }

    fn room(&self, plan: &Plan) -> usize {
        plan.rows.div_ceil(2) * plan.cols.div_ceil(2) - 1
    }

    fn refuse(&self, plan: &Plan) -> Result<(), Impossible> {
        let (wanted, room) = (
            *plan.amounts[1].start(),
            edges::pillars(plan.grid()).count(),
        );
        if wanted > room {
            return Err(Impossible::Crowded { wanted, room });
        }
        if is_shut(plan, *plan.amounts[0].start()) && *plan.amounts[1].end() == 0 {
            let why = "without a moving wall nothing keeps the runner from the food";
            return Err(Impossible::Contradiction(why));
        }
        Ok(())
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b'.');
        let (food, wanted) = (plan.amount(0, rng), plan.amount(1, rng));
        let corner = is_shut(plan, food).then(|| Corner::draw(plan, rng));
        let walls = walls::draw(plan, (wanted, corner.as_ref()), rng)?;
        for (wall, &letter) in walls.iter().zip(WALL_LETTERS) {
            for &cell in wall {
                sketch.put(cell, letter.to_ascii_lowercase());
            }
        }
        for (mut wall, &letter) in walls.into_iter().zip(WALL_LETTERS) {
            let can_move = |cell: Cell| grid.neighbours(cell).any(|(_, to)| sketch.at(to) == b'.');
            if !can_move(wall[0]) {
                wall.reverse();
            }
            sketch.put(wall[0], letter);
        }
        let mut nodes: Vec<Cell> = sketch.all(b'.');
        nodes.retain(|&cell| is_node(grid, cell));
        let mut rest = Vec::new();
        if let Some(corner) = &corner {
            (nodes, rest) = nodes.into_iter().partition(|&cell| corner.holds(cell));
            if rng.chance(0.5) {
                std::mem::swap(&mut nodes, &mut rest);
            }
        }
        scatter(&mut sketch, &mut nodes, (b'R', 1), rng)?;
        let nodes = if corner.is_some() {
            &mut rest
        } else {
            &mut nodes
        };
        scatter(&mut sketch, nodes, (b'*', food), rng)?;
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

/// Whether walls must keep the runner from so much food.
fn is_shut(plan: &Plan, food: usize) -> bool {
    plan.verdict == Some(Verdict::NoFood) && food > 0
}

fn is_letter(glyph: u8) -> bool {
    glyph.is_ascii_alphabetic() && !glyph.eq_ignore_ascii_case(&b'R')
}
