//! The marks of final events: catches, falls and escapes.

use super::{Mark, Scene};
use crate::play::trace::{Ending, TraceEvent};
use crate::render::figures::Figure;
use crate::render::shapes::{Brush, Path, Point};
use crate::render::theme::Ink;
use crate::ruleset::{Cause, Fate};

impl Scene<'_> {
    pub(super) fn clashes(&self) -> Vec<(u32, u32)> {
        let meets = |event: &&TraceEvent| {
            let is_runner = self.figure(event) == Figure::Runner;
            let meets = self
                .at(event.to)
                .is_some_and(|(_, figure)| figure.is_chaser());
            event.fate == Fate::Catches || (is_runner && meets)
        };
        let events = self.stage.half().map_or(&[][..], |half| &half.events);
        events.iter().filter(meets).map(|event| event.to).collect()
    }

    pub(super) fn clash(&self, place: (u32, u32)) -> Vec<Mark> {
        let (x, y) = self.stage.middle(place);
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
        let events = self.stage.half().map_or(&[][..], |half| &half.events);
        let fallen = events.iter().filter(|event| event.fate == Fate::Fell);
        let marks = fallen.flat_map(|event| {
            let at = self.stage.middle(event.to);
            let ring = |radius| Path::circle(at, radius).pen(0.035, Ink::DangerRim);
            [
                Mark::shape(ring(0.4)),
                Mark::shape(ring(0.31)),
                Mark::figure(self.figure(event), at).scaled(0.5).faint(0.75),
            ]
        });
        marks.collect()
    }

    /// Returns the runners that left the board. The game may continue for others.
    pub(super) fn departures(&self) -> Vec<Mark> {
        let has_left = |event: &&TraceEvent| {
            self.figure(event) == Figure::Runner
                && event.fate != Fate::Fell
                && !self.is_taken(event.to)
        };
        let events = self.stage.half().map_or(&[][..], |half| &half.events);
        let marks = events.iter().filter(has_left).flat_map(|event| {
            let at = self.stage.middle(event.to);
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
        let place = self.runner().filter(|_| self.stage.is_last())?;
        let at = self.stage.middle(place);
        match self.stage.recording.ending {
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

    /// Returns the runner that moved last or, if none has moved, the first runner.
    pub(super) fn runner(&self) -> Option<(u32, u32)> {
        let halves = &self.stage.recording.halves[..self.stage.position];
        let events = halves
            .iter()
            .rev()
            .flat_map(|half| half.events.iter().rev());
        let mut moved = events.filter(|event| self.figure(event) == Figure::Runner);
        let is_runner = |&index: &usize| self.stage.figure(index) == Figure::Runner;
        let mut cells = self.stage.cells();
        let mut first = || Some(self.stage.board.place(cells.find(is_runner)?));
        moved.next().map(|event| event.to).or_else(&mut first)
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
    Path::polygon(points)
}
