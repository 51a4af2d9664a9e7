//! `maze`: winding corridors one cell wide, with a loop wherever a piece of wall is missing. The walls between them
//! are the moving walls, each a path of cells with a moving end.

mod corner;
mod corridors;
mod walls;

use crate::layout::{
    Canvas, CriteriaError, Layout, Piece, Plan, Question, Size, Style, ThingKind, WallKind, scatter,
};
use crate::sketch::Sketch;
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;
use getaway_rules::maze::WALL_LETTERS;

use corner::Corner;
use corridors::is_node;

/// The layout of `maze`. It has no symmetries: the runner's search breaks ties by row and column, so no symmetry preserves the
/// answer.
pub struct Maze;

const STYLE: Style = Style {
    ruleset: "maze",
    question: Question::Food,
    amounts: AMOUNTS,
    size: Size::new(11, 17),
    runner: b'R',
    kind_of_walls: WallKind::Long,
    // In a drawing the runner is always `R`.
    setting_of_drawing: Some("runner"),
    ..Style::PLAIN
};

const AMOUNTS: &[ThingKind] = &[
    ThingKind::new("food", "food", Some(b'*')).usually(|_, _, _| 1..=3),
    ThingKind::new("walls", "moving wall", None)
        .allowed(0, WALL_LETTERS.len())
        .usually(|rows, cols, _| {
            let max = (rows * cols / 12).clamp(1, WALL_LETTERS.len());
            max - max / 4..=max
        }),
];

impl Layout for Maze {
    fn style(&self) -> Style<'_> {
        STYLE
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b'.');
        let (food, wanted) = (plan.amount(0, rng), plan.amount(1, rng));
        let corner = is_shut(plan, food).then(|| Corner::draw(plan, rng));
        let walls = walls::draw(plan, wanted, corner.as_ref(), rng)?;
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
        nodes.retain(|&cell| plan.is_anywhere || is_node(grid, cell));
        let mut rest = Vec::new();
        if let Some(corner) = &corner {
            // The runner is in the corner and the food outside, or the other way round.
            (nodes, rest) = nodes.into_iter().partition(|&cell| corner.holds(cell));
            if rng.chance(0.5) {
                std::mem::swap(&mut nodes, &mut rest);
            }
        }
        scatter(&mut sketch, &mut nodes, b'R', 1, rng)?;
        let nodes = if corner.is_some() {
            &mut rest
        } else {
            &mut nodes
        };
        scatter(&mut sketch, nodes, b'*', food, rng)?;
        Some(sketch)
    }

    fn check(&self, plan: &Plan) -> Result<(), CriteriaError> {
        let [food, walls] = [0, 1].map(|number| &plan.amounts[number]);
        CriteriaError::check([
            (
                plan.verdict == Some(Verdict::Food) && *food.end() == 0,
                "the verdict `food` needs a piece of food".into(),
            ),
            (
                is_shut(plan, *food.start()) && *walls.end() == 0,
                "without a moving wall, nothing keeps the runner from the food".into(),
            ),
        ])
    }

    fn capacity(&self, plan: &Plan) -> usize {
        (plan.rows * plan.cols - 1).saturating_sub(*plan.amounts[1].start())
    }

    fn canvas(&self, plan: &Plan) -> Option<Canvas> {
        let mut canvas = STYLE.open_canvas(plan);
        let heads = WALL_LETTERS.iter().take(*plan.amounts[1].end());
        let letters = heads.flat_map(|&head| [head, head.to_ascii_lowercase()]);
        let letters: Vec<u8> = letters.collect();
        for place in &mut canvas.places {
            place.glyphs.extend(&letters);
        }
        Some(canvas)
    }

    /// Returns the wall cells, and the empty cells beside a wall as places for a cell of that wall. A change may leave a wall
    /// whose cells do not form a path from its moving end. Such boards can't be played, so `Meter::game` rejects them.
    fn walls(&self, sketch: &Sketch) -> Vec<Piece> {
        let grid = sketch.grid();
        let wall = |at, letter: u8| Piece {
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

    fn without_chasers(&self, _sketch: &Sketch) -> Option<Sketch> {
        None
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        usize::midpoint(plan.rows, plan.cols)
    }

    /// Without walls, every shortest path is direct.
    fn max_moves(&self, plan: &Plan) -> Option<usize> {
        Some(match *plan.amounts[1].end() {
            0 => plan.rows + plan.cols - 2,
            _ => plan.rows * plan.cols - 1,
        })
    }
}

fn is_shut(plan: &Plan, food: usize) -> bool {
    plan.verdict == Some(Verdict::NoFood) && food > 0
}

fn is_letter(glyph: u8) -> bool {
    glyph.is_ascii_alphabetic() && !glyph.eq_ignore_ascii_case(&b'R')
}
