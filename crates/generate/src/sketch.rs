//! Sketches: boards that a generator draws and changes.

use memchr::memchr_iter;

use getaway_board::fault::BoardError;
pub use getaway_board::grid::symmetry::{Symmetry, image};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::Limits;
use getaway_board::puzzle::{Origin, Puzzle, Row};
use getaway_solvers::game::Game;
use getaway_solvers::rulesets::Entry;

/// A rectangle of ASCII glyphs with settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sketch {
    grid: Grid,
    glyphs: Vec<u8>,
    /// The keys and values of settings in the header.
    pub settings: Vec<(String, String)>,
}

impl Sketch {
    pub(crate) fn filled(grid: Grid, glyph: u8) -> Self {
        Self {
            grid,
            glyphs: vec![glyph; grid.size()],
            settings: Vec::new(),
        }
    }

    /// Returns the sketch with these rows and no settings; `None` unless the rows form an ASCII rectangle.
    pub(crate) fn of_rows<R: AsRef<[u8]>>(rows: &[R]) -> Option<Self> {
        let cols = rows.first()?.as_ref().len();
        let grid = Grid::new(rows.len(), cols)?;
        let glyphs: Vec<u8> = rows.iter().flat_map(AsRef::as_ref).copied().collect();
        let is_rectangle = rows.iter().all(|row| row.as_ref().len() == cols);
        (is_rectangle && glyphs.is_ascii()).then_some(Self {
            grid,
            glyphs,
            settings: Vec::new(),
        })
    }

    /// Returns the shape of the drawing, in characters.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the glyph on a cell.
    pub fn at(&self, cell: Cell) -> u8 {
        self.glyphs[cell.index()]
    }

    /// Sets the glyph on a cell.
    pub fn put(&mut self, cell: Cell, glyph: u8) {
        self.glyphs[cell.index()] = glyph;
    }

    /// Returns the cells with a glyph, in row-major order.
    pub fn all(&self, glyph: u8) -> Vec<Cell> {
        let has = |cell: &Cell| self.at(*cell) == glyph;
        self.grid.cells().filter(has).collect()
    }

    /// Returns the number of cells with a glyph.
    pub fn count(&self, glyph: u8) -> usize {
        memchr_iter(glyph, &self.glyphs).count()
    }

    pub(crate) fn map(&self, new: impl Fn(u8) -> u8) -> Self {
        Self {
            glyphs: self.glyphs.iter().map(|&glyph| new(glyph)).collect(),
            ..self.clone()
        }
    }

    pub(crate) fn with(mut self, key: &str, value: &str) -> Self {
        self.settings.retain(|(known, _)| known != key);
        self.settings.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Returns the rows as text.
    pub fn rows(&self) -> Vec<String> {
        self.grid.draw(|cell| char::from(self.at(cell)))
    }

    /// Returns a copy without the outer rows and columns that hold nothing but `glyph`; a full copy if there is no other glyph.
    pub(crate) fn cropped(&self, glyph: u8) -> Self {
        let filled = self.grid.cells().filter(|&cell| self.at(cell) != glyph);
        let places = filled.map(|cell| self.grid.position(cell));
        let spans = places.map(|(row, col)| (row, row, col, col));
        let Some((top, bottom, left, right)) =
            spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1), a.2.min(b.2), a.3.max(b.3)))
        else {
            return self.clone();
        };
        let row = |row| {
            let cells = (left..=right).filter_map(move |col| self.grid.cell(row, col));
            cells.map(|cell| self.at(cell)).collect()
        };
        let rows: Vec<Vec<u8>> = (top..=bottom).map(row).collect();
        let cropped = Self::of_rows(&rows).expect("a crop of a sketch is an ASCII rectangle");
        Self {
            settings: self.settings.clone(),
            ..cropped
        }
    }

    /// Returns the image of the board under a symmetry.
    #[must_use]
    pub fn mirrored(&self, symmetry: Symmetry) -> Self {
        let mut image = self.clone();
        for cell in self.grid.cells() {
            image.put(symmetry.image(self.grid, cell), self.at(cell));
        }
        image
    }

    /// Returns a symmetrical copy. Of two cells that are images of each other, the later one in row-major order gets the glyph of
    /// the earlier one.
    pub(crate) fn symmetrized(&self, symmetry: Symmetry) -> Self {
        let mut whole = self.clone();
        for cell in self.grid.cells() {
            let image = symmetry.image(self.grid, cell);
            if image > cell {
                whole.put(image, self.at(cell));
            }
        }
        whole
    }

    /// Returns the grid, and the glyphs of this board or of a mirror image, whichever come first in lexicographic order.
    pub(crate) fn canonical(&self, symmetries: &[Symmetry]) -> (Grid, Vec<u8>) {
        let images = symmetries
            .iter()
            .map(|&symmetry| self.mirrored(symmetry).glyphs);
        let min = images.fold(self.glyphs.clone(), Vec::min);
        (self.grid, min)
    }

    /// Returns whether no mirror image comes before this board in the order of its glyphs.
    pub(crate) fn is_canonical(&self, symmetries: &[Symmetry]) -> bool {
        let image = |symmetry: Symmetry, cell| self.at(symmetry.image(self.grid, cell));
        symmetries.iter().all(|&symmetry| {
            let images = self.grid.cells().map(|cell| image(symmetry, cell));
            self.glyphs.iter().copied().le(images)
        })
    }

    pub(crate) fn puzzle<'a>(&self, ruleset: &str, headers: &[(String, String)]) -> Puzzle<'a> {
        let mut puzzle = Puzzle::empty();
        puzzle.set_header("ruleset", ruleset, Origin::Written);
        for (key, value) in headers.iter().chain(&self.settings) {
            puzzle.set_header(key, value, Origin::Written);
        }
        let rows = self.rows().into_iter().zip(1..);
        let row = |(text, line): (String, u64)| Row::new(text.into_bytes(), line);
        puzzle.rows = rows.map(row).collect();
        puzzle
    }

    pub(crate) fn game(
        &self,
        ruleset: &Entry,
        limits: &Limits,
    ) -> Result<Box<dyn Game>, BoardError> {
        let mut puzzle = self.puzzle(ruleset.name, &[]);
        puzzle.set_limits(*limits);
        (ruleset.read)(&puzzle)
    }
}

#[cfg(test)]
#[path = "sketch_tests.rs"]
mod tests;
