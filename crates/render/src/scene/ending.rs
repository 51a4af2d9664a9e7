//! The marks of catches, falls and escapes, and of a trapped runner.

use super::{Mark, Scene};
use crate::figures::Figure;
use crate::shapes::{Brush, Path, Point, Segment};
use crate::theme::Ink;
use getaway_play::trace::{Ending, TraceEvent};
use getaway_ruleset::{Cause, Fate};

impl Scene<'_> {
    pub(super) fn clashes(&self) -> Vec<(u32, u32)> {
        let meets = |event: &&TraceEvent| {
            let is_runner = self.figure_of(event) == Figure::Runner;
            let there = self.at(event.to);
            let meets = is_runner && there.is_some_and(|(_, figure)| figure.is_chaser());
            event.fate == Fate::Catches || meets
        };
        let clashes = self.events().iter().filter(meets);
        clashes.map(|event| event.to).collect()
    }

    pub(super) fn clash(&self, place: (u32, u32)) -> Vec<Mark> {
        let (x, y) = self.middle(place);
        let mut marks = vec![
            Mark::shape(star((x, y), 0.78, 0.5).fill(Ink::Catch)),
            Mark::figure(Figure::Runner, (x - 0.19, y + 0.13)).scaled(0.72),
        ];
        let chaser = self.at(place).filter(|(_, figure)| figure.is_chaser());
        if let Some((glyph, chaser)) = chaser {
            let mut mark = Mark::figure(chaser, (x + 0.17, y - 0.12)).scaled(0.85);
            mark.comes_from = self.comes_from(place, glyph);
            marks.push(mark);
        }
        marks
    }

    pub(super) fn falls(&self) -> Vec<Mark> {
        let fallen = self
            .events()
            .iter()
            .filter(|event| event.fate == Fate::Fell);
        let marks = fallen.flat_map(|event| {
            let at = self.middle(event.to);
            let ring = |radius| Path::circle(at, radius).pen(0.035, Ink::DangerRim);
            [
                Mark::shape(ring(0.4)),
                Mark::shape(ring(0.31)),
                Mark::figure(self.figure_of(event), at)
                    .scaled(0.5)
                    .faint(0.75),
            ]
        });
        marks.collect()
    }

    /// Returns marks for the runners that just left the board; the game may continue for other runners.
    pub(super) fn departures(&self) -> Vec<Mark> {
        let has_left = |event: &&TraceEvent| {
            self.figure_of(event) == Figure::Runner
                && event.fate != Fate::Fell
                && !self.is_taken(event.to)
        };
        let marks = self.events().iter().filter(has_left).flat_map(|event| {
            let at = self.middle(event.to);
            let mut runner = Mark::figure(Figure::Runner, at);
            runner.comes_from = self.comes_from(event.to, event.actor);
            [rays(at), runner]
        });
        marks.collect()
    }

    fn is_taken(&self, place: (u32, u32)) -> bool {
        self.at(place).is_some_and(|(_, figure)| figure.is_actor())
    }

    pub(super) fn end(&self) -> Option<Mark> {
        let is_last = self.position == self.recording.plies.len();
        let place = self.runner().filter(|_| is_last)?;
        let at = self.middle(place);
        match self.recording.ending {
            Ending::Escaped { .. } => self.is_taken(place).then(|| rays(at)),
            Ending::Caught {
                cause: Cause::Trapped,
                ..
            } => {
                let ring = Path::circle(at, 0.46).shape(Brush::Dashes(0.08), Ink::Chaser);
                Some(Mark::shape(ring))
            }
            _ => None,
        }
    }

    /// Returns the cell of the runner that moved last or, if none has moved, of the first runner; `None` if there is no runner.
    pub fn runner(&self) -> Option<(u32, u32)> {
        let plies = &self.recording.plies[..self.position];
        let mut events = plies.iter().flat_map(|ply| &ply.events);
        let moved = events.rfind(|event| self.figure_of(event) == Figure::Runner);
        let is_runner = |&index: &usize| self.figure(index) == Figure::Runner;
        let first = || Some(self.board.place(self.cells().find(is_runner)?));
        moved.map(|event| event.to).or_else(first)
    }
}

fn rays((x, y): Point) -> Mark {
    let mut rays = Path::default();
    for number in 0..12 {
        let (sin, cos) = (number as f32 * std::f32::consts::TAU / 12.0).sin_cos();
        rays.add_lines([0.56, 0.7].map(|far| (x + cos * far, y + sin * far)));
    }
    Mark::shape(rays.pen(0.07, Ink::Goal))
}

fn star(at: Point, outer: f32, inner: f32) -> Path {
    let points = (0..20).map(|number| {
        let radius = if number % 2 == 0 { outer } else { inner };
        let (sin, cos) = (number as f32 * std::f32::consts::TAU / 20.0).sin_cos();
        (at.0 + cos * radius, at.1 + sin * radius)
    });
    let mut path = Path::lines(points);
    path.0.push(Segment::Close);
    path
}
