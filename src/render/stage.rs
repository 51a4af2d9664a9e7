//! A recorded game, position by position, with the ground beneath the actors. On a cell with an actor, a board shows only the
//! actor. So the ground there is the last glyph seen without an actor or, if there is none, the next one.
//! glyph seen without an actor or, if there is none, the next one.

use super::figures::{Figure, Figures};
use super::recording::{Board, Half, Recording};
use super::shapes::Point;

pub(super) struct Stage<'r> {
    pub(super) recording: &'r Recording,
    pub(super) figures: Figures,
    pub(super) position: usize,
    pub(super) board: Board,
    /// The ground of each cell; `None` where it is unknown.
    ground: Vec<Option<char>>,
    still: Vec<bool>,
}

impl<'r> Stage<'r> {
    pub(super) fn new(recording: &'r Recording) -> Self {
        let subject = &recording.subject;
        let figures = Figures::of(subject.ruleset, subject.legend);
        let seen = |glyph: char| (!figures.figure(glyph).is_actor()).then_some(glyph);
        let glyphs = recording.start.glyphs();
        let mut ground: Vec<_> = glyphs.iter().map(|&glyph| seen(glyph)).collect();
        let mut still = vec![true; ground.len()];
        let changes = recording.halves.iter().flat_map(Half::changes);
        for &(index, glyph) in changes {
            if let Some(glyph) = seen(glyph) {
                let first = *ground[index].get_or_insert(glyph);
                still[index] &= first == glyph;
            }
            // An actor hides the thing on its cell, and may have taken it.
            let is_thing = |glyph| figures.figure(glyph).is_thing();
            still[index] &= !ground[index].is_some_and(is_thing);
        }
        Self {
            recording,
            figures,
            position: 0,
            board: recording.start.clone(),
            ground,
            still,
        }
    }

    pub(super) fn half(&self) -> Option<&'r Half> {
        self.recording.halves.get(self.position.checked_sub(1)?)
    }

    pub(super) fn is_last(&self) -> bool {
        self.position == self.recording.halves.len()
    }

    pub(super) fn advance(&mut self) -> Option<&'r Half> {
        let half = self.recording.halves.get(self.position)?;
        self.position += 1;
        self.board.advance(half);
        for &(index, glyph) in half.changes() {
            if !self.figures.figure(glyph).is_actor() {
                self.ground[index] = Some(glyph);
            }
        }
        Some(half)
    }

    pub(super) fn figure(&self, index: usize) -> Figure {
        self.figures.figure(self.board.glyphs()[index])
    }

    pub(super) fn ground(&self, index: usize) -> Figure {
        self.ground[index].map_or(Figure::Floor, |glyph| self.figures.figure(glyph))
    }

    pub(super) fn is_still(&self, index: usize) -> bool {
        self.still[index]
    }

    pub(super) fn size(&self) -> (usize, usize) {
        let (cols, rows) = (self.board.cols(), self.board.rows());
        if self.figures.legend.is_doubled() {
            (cols / 2, rows / 2)
        } else {
            (cols, rows)
        }
    }

    pub(super) fn index(&self, (col, row): (usize, usize)) -> usize {
        if self.figures.legend.is_doubled() {
            (2 * row + 1) * self.board.cols() + 2 * col + 1
        } else {
            row * self.board.cols() + col
        }
    }

    pub(super) fn middle(&self, (row, col): (u32, u32)) -> Point {
        if self.figures.legend.is_doubled() {
            (col as f32 / 2.0, row as f32 / 2.0)
        } else {
            (col as f32 + 0.5, row as f32 + 0.5)
        }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        let (cols, rows) = self.size();
        (0..rows).flat_map(move |row| (0..cols).map(move |col| self.index((col, row))))
    }
}
