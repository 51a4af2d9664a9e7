//! The ground of the cells where it is the same in all positions of a game; [`Scene::marks`] draws the rest.

use super::Scene;
use crate::figures::Figure;
use crate::outline::outline;
use crate::shapes::{Path, Shape};
use crate::theme::Ink;

impl Scene<'_> {
    /// Returns the parts of the picture that stay the same in all positions, from bottom to top.
    pub fn ground(&self) -> Vec<Shape> {
        let (cols, rows) = self.size();
        let (width, height) = (cols as f32, rows as f32);
        let floor = Path::rectangle((0.0, 0.0), (width, height), 0.2);
        let mut lines = Path::default();
        (1..cols).for_each(|col| lines.add_lines([(col as f32, 0.0), (col as f32, height)]));
        (1..rows).for_each(|row| lines.add_lines([(0.0, row as f32), (width, row as f32)]));
        let mut shapes = vec![
            floor.clone().fill(Ink::Floor),
            lines.pen(0.025, Ink::Lines),
            floor.clone().pen(0.04, Ink::Lines),
        ];
        let mut add = |path: Path, ink, down| {
            if !path.0.is_empty() {
                shapes.push(path.placed(1.0, (0.0, down)).fill(ink));
            }
        };
        if self.has(Figure::Void) {
            // The void continues beneath the walls.
            let void = self.joined(&[Figure::Void, Figure::Wall], 0.16);
            add(void, Ink::Void, 0.0);
        }
        let abyss = self.joined(&[Figure::Abyss], 0.34);
        add(abyss.clone(), Ink::DangerRim, -0.03);
        add(abyss, Ink::Danger, 0.03);
        let walls = self.joined(&[Figure::Wall], 0.16);
        add(walls.clone(), Ink::WallSide, 0.09);
        add(walls, Ink::Wall, 0.0);
        shapes.extend(self.thin_walls());
        if self.figures.legend.is_framed() {
            shapes.push(floor.pen(0.18, Ink::Wall));
        }
        for index in self.cells().filter(|&index| self.has_fixed_ground[index]) {
            let figure = self.figure_beneath(index);
            if !is_joined(figure) {
                let at = self.middle_at(index);
                shapes.extend(figure.shapes().into_iter().map(|shape| shape.moved(at)));
            }
        }
        shapes
    }

    fn has(&self, figure: Figure) -> bool {
        let is_there = |index| self.has_fixed_ground[index] && self.figure_beneath(index) == figure;
        self.cells().any(is_there)
    }

    fn joined(&self, figures: &[Figure], radius: f32) -> Path {
        let (cols, rows) = self.size();
        outline(cols, rows, radius, |col, row| {
            let index = self.index((col, row));
            self.has_fixed_ground[index] && figures.contains(&self.figure_beneath(index))
        })
    }

    fn thin_walls(&self) -> Vec<Shape> {
        if !self.figures.legend.is_doubled() {
            return Vec::new();
        }
        let mut path = Path::default();
        for (index, &glyph) in self.board.glyphs.iter().enumerate() {
            let (x, y) = self.middle_at(index);
            match glyph {
                '-' => path.add_lines([(x - 0.5, y), (x + 0.5, y)]),
                '|' => path.add_lines([(x, y - 0.5), (x, y + 0.5)]),
                _ => {}
            }
        }
        let side = path.clone().placed(1.0, (0.0, 0.05));
        vec![side.pen(0.13, Ink::WallSide), path.pen(0.13, Ink::Wall)]
    }
}

/// Returns whether [`Scene::ground`] draws all cells with this figure together, rather than one by one.
const fn is_joined(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::Floor | Figure::Wall | Figure::Void | Figure::Abyss
    )
}
