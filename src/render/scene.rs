//! Scenes: the shapes of a position, in drawing order. All formats draw the same scenes, so they look alike.

mod ending;
mod ground;
mod snake;

use std::collections::{BTreeMap, VecDeque};

use super::RenderError;
use super::figures::Figure;
use super::letters;
use super::recording::{Half, Recording};
use super::shapes::{Brush, Path, Point, Segment, Shape};
use super::stage::Stage;
use super::theme::Ink;
use crate::limits::Limits;
use crate::play::trace::TraceEvent;
use crate::ruleset::Fate;

#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub what: What,
    pub at: Point,
    pub scale: f32,
    pub opacity: f32,
    /// Where the actor was at the start and in the middle of the half turn, relative to `at`.
    pub comes_from: Option<[Point; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Figure(Figure),
    Shape(Shape),
}

/// The number of the runner's last steps shown in an animation.
pub const STEPS_SHOWN: usize = 24;

const FRESH: usize = 5;

/// The memory for each cell, in bytes, here and in the outlines of the ground.
const CELL_BYTES: u64 = 64;

pub struct Scene<'r> {
    stage: Stage<'r>,
    trail: VecDeque<[Point; 2]>,
    steps_shown: usize,
}

impl<'r> Scene<'r> {
    pub fn new(
        recording: &'r Recording,
        steps_shown: usize,
        limits: &Limits,
    ) -> Result<Self, RenderError> {
        let cells = recording.start.glyphs().len() as u64;
        if cells > RenderError::MOST_CELLS {
            return Err(RenderError::TooManyCells { cells });
        }
        limits.check_memory(cells * CELL_BYTES)?;
        Ok(Self {
            stage: Stage::new(recording),
            trail: VecDeque::new(),
            steps_shown,
        })
    }

    pub fn size(&self) -> (usize, usize) {
        self.stage.size()
    }

    pub const fn position(&self) -> usize {
        self.stage.position
    }

    /// Moves to the next position; returns false at the last one.
    pub fn advance(&mut self) -> bool {
        let Some(half) = self.stage.advance() else {
            return false;
        };
        for event in moves(half) {
            if self.figure(event) == Figure::Runner {
                let step = [event.from, event.to].map(|place| self.stage.middle(place));
                self.trail.push_back(step);
            }
        }
        while self.trail.len() > self.steps_shown {
            self.trail.pop_front();
        }
        true
    }

    /// Returns rings around these cells, and letters for glyphs without a figure.
    pub fn notes(&self, ringed: &[(u32, u32)]) -> Vec<Shape> {
        let stage = &self.stage;
        let ring = |&place| Path::circle(stage.middle(place), 0.5).pen(0.12, Ink::Chaser);
        let unknown = stage.cells().filter_map(|index| {
            let (glyph, (x, y)) = (stage.board.glyphs()[index], self.middle(index));
            let is_known = " .".contains(glyph) || stage.figures.has(glyph);
            (!is_known && stage.figure(index) == Figure::Floor).then(|| {
                let text = glyph.to_string();
                let left = x - letters::width(&text, 0.5) / 2.0;
                letters::path(&text, 0.5, (left, y + 0.25)).pen(0.1, Ink::Text)
            })
        });
        unknown.chain(ringed.iter().map(ring)).collect()
    }

    /// Goes to a position. Panics if it does not exist.
    pub fn go_to(&mut self, position: usize, limits: &Limits) -> Result<(), RenderError> {
        while self.position() < position {
            limits.check_time()?;
            assert!(self.advance(), "the game has this position");
        }
        Ok(())
    }

    fn at(&self, place: (u32, u32)) -> Option<(char, Figure)> {
        let index = self.stage.board.index(place)?;
        Some((self.stage.board.glyphs()[index], self.stage.figure(index)))
    }

    /// Returns the middle of the runner's cell; `None` if he is not on the board.
    pub fn middle_of_runner(&self) -> Option<Point> {
        self.runner().map(|place| self.stage.middle(place))
    }

    fn figure(&self, event: &TraceEvent) -> Figure {
        self.stage.figures.figure(event.actor)
    }

    fn middle(&self, index: usize) -> Point {
        self.stage.middle(self.stage.board.place(index))
    }

    /// Returns the parts that change, from bottom to top.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks = self.changing_ground();
        let mut cells = self.stage.cells();
        if !cells.any(|index| self.stage.figure(index) == Figure::Tail) {
            // If the runner has a tail, it already shows his way.
            marks.extend(self.trail());
        }
        if let Some(half) = self.stage.half() {
            for event in moves(half) {
                marks.extend(self.trace(event));
            }
        }
        marks.extend(self.snakes());
        let clashes = self.clashes();
        for index in self.stage.cells() {
            let place = self.stage.board.place(index);
            if self.stage.figure(index).is_actor() && !clashes.contains(&place) {
                marks.extend(self.actor(index));
            }
        }
        marks.extend(clashes.iter().flat_map(|&place| self.clash(place)));
        marks.extend(self.falls());
        marks.extend(self.departures());
        marks.extend(self.end());
        marks
    }

    fn changing_ground(&self) -> Vec<Mark> {
        let lies = |index: usize| {
            let figure = self.stage.ground(index);
            let is_hidden = figure.is_thing() && self.stage.figure(index).is_actor();
            let is_seen = figure != Figure::Floor && !is_hidden;
            is_seen.then(|| Mark::figure(figure, self.middle(index)))
        };
        let cells = self.stage.cells();
        let changing = cells.filter(|&index| !self.stage.is_still(index));
        changing.filter_map(lies).collect()
    }

    fn trail(&self) -> [Mark; 2] {
        let fresh = self.trail.len().saturating_sub(FRESH);
        let way = |steps: &mut dyn Iterator<Item = &[Point; 2]>, opacity| {
            let mut path = Path::default();
            let mut end = None;
            for &[from, to] in steps {
                if end != Some(from) {
                    path.0.push(Segment::Move(from));
                }
                path.0.push(Segment::Line(to));
                end = Some(to);
            }
            Mark::shape(path.pen(0.17, Ink::Runner).faint(opacity))
        };
        [
            way(&mut self.trail.iter().take(fresh), 0.2),
            way(&mut self.trail.iter().skip(fresh), 0.42),
        ]
    }

    fn trace(&self, event: &TraceEvent) -> Vec<Mark> {
        let figure = self.figure(event);
        let [from, to] = [event.from, event.to].map(|place| self.stage.middle(place));
        let ink = self.ink(event.actor);
        let line = Path::lines([from, to]);
        let ring = |at, radius| Mark::shape(Path::circle(at, radius).pen(0.05, ink).faint(0.7));
        if event.fate == Fate::Teleports {
            let way = line.shape(Brush::Dashes(0.06), ink).faint(0.55);
            return vec![
                Mark::shape(way),
                Mark::figure(figure, from).faint(0.22),
                ring(from, 0.3),
                ring(to, 0.47),
                ring(to, 0.56),
            ];
        }
        if figure == Figure::Runner || figure.is_snake() {
            return Vec::new();
        }
        vec![
            Mark::shape(line.pen(0.1, ink).faint(0.35)),
            Mark::figure(figure, from).faint(0.22),
        ]
    }

    fn ink(&self, glyph: char) -> Ink {
        let figure = self.stage.figures.figure(glyph);
        match figure {
            Figure::WallEnd | Figure::WallBody => match glyph.to_ascii_lowercase() as u32 % 3 {
                0 => Ink::WallOne,
                1 => Ink::WallTwo,
                _ => Ink::WallThree,
            },
            _ => figure.ink(),
        }
    }

    fn snakes(&self) -> Vec<Mark> {
        let mut bodies: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let has_tail = self
            .stage
            .cells()
            .any(|index| self.stage.figure(index) == Figure::Tail);
        for index in self.stage.cells() {
            let figure = self.stage.figure(index);
            if figure.is_snake() || (has_tail && figure == Figure::Runner) {
                let letter = self.stage.board.glyphs()[index].to_ascii_lowercase();
                bodies.entry(letter).or_default().push(index);
            }
        }
        bodies
            .iter()
            .map(|(&letter, body)| self.snake(letter, body))
            .collect()
    }

    fn snake(&self, letter: char, body: &[usize]) -> Mark {
        let cols = self.stage.board.cols();
        let ink = self.ink(letter);
        let is_wall = ink != Ink::Runner;
        let is_head = |index: &&usize| self.stage.board.glyphs()[**index].is_ascii_uppercase();
        let head = body.iter().find(is_head);
        let order = head.and_then(|&head| snake::order(body, head, cols));
        let path = match order {
            Some(order) => self.along(&order),
            None => self.blob(body, is_wall),
        };
        if !is_wall {
            return Mark::shape(path.pen(0.46, ink).faint(0.55));
        }
        Mark::shape(path.pen(0.66, ink))
    }

    fn along(&self, cells: &[usize]) -> Path {
        let mut path = Path::default();
        let at = |index: usize| self.middle(index);
        path.add_lines([at(cells[0]), at(cells[0])]);
        for pair in cells.windows(2) {
            path.add_lines([at(pair[0]), at(pair[1])]);
        }
        path
    }

    /// Draws a body in which the order of the cells is unknown.
    fn blob(&self, body: &[usize], is_wall: bool) -> Path {
        let cols = self.stage.board.cols();
        let mut path = Path::default();
        for &index in body {
            let at = self.middle(index);
            let has = |to: usize| body.binary_search(&to).is_ok();
            let goes_right = !(index + 1).is_multiple_of(cols) && has(index + 1);
            path.add_lines([at, at]);
            if goes_right {
                path.add_lines([at, (at.0 + 1.0, at.1)]);
            }
            if has(index + cols) {
                path.add_lines([at, (at.0, at.1 + 1.0)]);
            }
            if goes_right && is_wall && has(index + cols) && has(index + cols + 1) {
                // The point where four cells of a wall meet belongs to the wall.
                let inside = (at.0 + 0.5, at.1 + 0.5);
                path.add_lines([inside, inside]);
            }
        }
        path
    }

    fn actor(&self, index: usize) -> Vec<Mark> {
        let (figure, at) = (self.stage.figure(index), self.middle(index));
        let glyph = self.stage.board.glyphs()[index];
        let mut marks = match figure {
            Figure::Tail | Figure::WallBody => Vec::new(),
            Figure::WallEnd => {
                let end = Path::circle((0.0, 0.0), 0.42).fill(self.ink(glyph));
                vec![Mark::shape(end), letter(glyph)]
            }
            Figure::Chaser => vec![Mark::figure(figure, (0.0, 0.0)), letter(glyph)],
            _ => vec![Mark::figure(figure, (0.0, 0.0))],
        };
        let comes_from = self.comes_from(self.stage.board.place(index), glyph);
        for mark in &mut marks {
            mark.at = at;
            mark.comes_from = comes_from;
        }
        marks
    }

    /// Returns the path on which the actor on this cell came in this half turn.
    fn comes_from(&self, place: (u32, u32), glyph: char) -> Option<[Point; 2]> {
        let mut steps = self.stage.half()?.events.iter().rev();
        let is_he = |event: &&TraceEvent| {
            event.actor.eq_ignore_ascii_case(&glyph) && event.fate != Fate::Teleports
        };
        let last = steps
            .by_ref()
            .find(|event| is_he(event) && event.to == place)?;
        let before = steps.find(|event| is_he(event) && event.to == last.from);
        let at = self.stage.middle(place);
        let from = |place| {
            let (x, y) = self.stage.middle(place);
            (x - at.0, y - at.1)
        };
        let halfway = from(last.from);
        let [start, halfway] = match before {
            Some(before) => [from(before.from), halfway],
            None => [halfway, (halfway.0 / 2.0, halfway.1 / 2.0)],
        };
        (start != (0.0, 0.0) || halfway != (0.0, 0.0)).then_some([start, halfway])
    }
}

impl Mark {
    const fn figure(figure: Figure, at: Point) -> Self {
        Self::new(What::Figure(figure), at)
    }

    const fn shape(shape: Shape) -> Self {
        Self::new(What::Shape(shape), (0.0, 0.0))
    }

    const fn new(what: What, at: Point) -> Self {
        Self {
            what,
            at,
            scale: 1.0,
            opacity: 1.0,
            comes_from: None,
        }
    }

    const fn faint(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }

    const fn scaled(mut self, scale: f32) -> Self {
        self.scale = scale;
        self
    }
}

/// Returns the events of actors that moved. A teleport counts even if it ends where it started.
fn moves(half: &Half) -> impl Iterator<Item = &TraceEvent> {
    let has_moved = |event: &&TraceEvent| event.from != event.to || event.fate == Fate::Teleports;
    half.events.iter().filter(has_moved)
}

fn letter(glyph: char) -> Mark {
    let text = glyph.to_string();
    let (width, size) = (letters::width(&text, 0.34), 0.34);
    let path = letters::path(&text, size, (-width / 2.0, size / 2.0));
    Mark::shape(path.pen(0.07, Ink::Eye))
}
