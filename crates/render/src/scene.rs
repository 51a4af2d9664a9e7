//! Scenes: the shapes of a position, in drawing order. All formats draw the same scenes, so they look alike.
//!
//! On a cell with an actor, a board shows only the actor. So the ground there is the last glyph seen without an actor or, if
//! there is none, the next one.

mod ending;
mod ground;

use std::collections::BTreeMap;

use super::RenderError;
use super::figures::{Figure, Figures};
use super::letters;
use super::recording::{GlyphRows, Recording};
use super::shapes::{Brush, Path, Point, Segment, Shape};
use super::theme::Ink;
use getaway_board::grid::path::{WorkBudget, through_all};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::Limits;
use getaway_play::trace::TraceEvent;
use getaway_ruleset::Fate;

/// A part of the picture that changes between positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub what: MarkContent,
    /// The place of the mark's origin, in cells. A figure has its middle there.
    pub at: Point,
    /// The size; 1 is a whole cell.
    pub scale: f32,
    pub opacity: f32,
    /// The actor's offsets from `at` at the start and in the middle of the ply, if it moved other than by teleport.
    pub comes_from: Option<[Point; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MarkContent {
    Figure(Figure),
    /// A single shape, such as a trail.
    Shape(Shape),
}

/// The maximum number of the runner's latest steps that animations and pages show.
pub const STEPS_SHOWN: usize = 24;

const FRESH: usize = 5;

/// The estimated memory for a cell in a scene and in the paths of its ground, in bytes.
const CELL_BYTES: u64 = 64;

/// The work budget for finding a path through the cells of a string or wall: a few milliseconds.
const MAX_WORK: u64 = 1 << 20;

/// A position of a recording, ready to be drawn.
pub struct Scene<'r> {
    recording: &'r Recording,
    figures: Figures,
    position: usize,
    board: GlyphRows,
    /// The ground of each cell; `None` where it is unknown.
    ground: Vec<Option<char>>,
    /// True for each cell whose ground is the same in all positions; false where an actor may hide or take a thing.
    has_fixed_ground: Vec<bool>,
    steps_shown: usize,
}

impl<'r> Scene<'r> {
    /// Returns the scene of the first position, with a trail of up to `steps_shown` steps.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too large or a limit on memory is reached.
    pub fn new(
        recording: &'r Recording,
        steps_shown: usize,
        limits: &Limits,
    ) -> Result<Self, RenderError> {
        let cells = recording.start.glyphs.len() as u64;
        if cells > RenderError::MAX_CELLS {
            return Err(RenderError::TooManyCells { cells });
        }
        limits.check_memory(cells * CELL_BYTES)?;
        let figures = recording.subject.figures();
        let (ground, has_fixed_ground) = all_ground(recording, &figures);
        Ok(Self {
            recording,
            figures,
            position: 0,
            board: recording.start.clone(),
            ground,
            has_fixed_ground,
            steps_shown,
        })
    }

    pub const fn position(&self) -> usize {
        self.position
    }

    /// Returns the numbers of columns and rows of cells; walls between cells do not count.
    pub fn size(&self) -> (usize, usize) {
        let step = self.step();
        (self.board.cols() / step, self.board.rows() / step)
    }

    /// Returns the distance between neighbouring cells in characters: 2 if the drawing has places for walls between cells, else
    /// 1.
    const fn step(&self) -> usize {
        1 + self.figures.legend.is_doubled() as usize
    }

    fn index(&self, (col, row): (usize, usize)) -> usize {
        let [col, row] = [col, row].map(|cell| (cell + 1) * self.step() - 1);
        row * self.board.cols() + col
    }

    pub(super) fn middle(&self, (row, col): (u32, u32)) -> Point {
        let middle = |place: u32| (place as f32 + 1.0) / self.step() as f32 - 0.5;
        (middle(col), middle(row))
    }

    fn middle_at(&self, index: usize) -> Point {
        self.middle(self.board.place(index))
    }

    fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        let (cols, rows) = self.size();
        (0..rows).flat_map(move |row| (0..cols).map(move |col| self.index((col, row))))
    }

    fn figure(&self, index: usize) -> Figure {
        self.figures.figure(self.board.glyphs[index])
    }

    fn figure_of(&self, event: &TraceEvent) -> Figure {
        self.figures.figure(event.actor)
    }

    fn figure_beneath(&self, index: usize) -> Figure {
        self.ground[index].map_or(Figure::Floor, |glyph| self.figures.figure(glyph))
    }

    fn at(&self, place: (u32, u32)) -> Option<(char, Figure)> {
        let index = self.board.index(place)?;
        Some((self.board.glyphs[index], self.figure(index)))
    }

    fn events(&self) -> &'r [TraceEvent] {
        match self.position.checked_sub(1) {
            None => &[],
            Some(ply) => &self.recording.plies[ply].events,
        }
    }

    /// Moves to the next position; returns false at the last one.
    pub fn advance(&mut self) -> bool {
        let Some(ply) = self.recording.plies.get(self.position) else {
            return false;
        };
        self.position += 1;
        self.board.advance(ply);
        for &(index, glyph) in &ply.changes {
            if !self.figures.figure(glyph).is_actor() {
                self.ground[index] = Some(glyph);
            }
        }
        true
    }

    /// Returns rings around the cells in `ringed`, and letters for glyphs that are neither in the ruleset's table of figures nor
    /// ` ` or `.`, but would look like floor.
    pub fn notes(&self, ringed: &[(u32, u32)]) -> Vec<Shape> {
        let ring = |&place| Path::circle(self.middle(place), 0.5).pen(0.12, Ink::Chaser);
        let unknown = self.cells().filter_map(|index| {
            let (glyph, (x, y)) = (self.board.glyphs[index], self.middle_at(index));
            let is_known = " .".contains(glyph) || self.figures.has(glyph);
            (!is_known && self.figure(index) == Figure::Floor).then(|| {
                let text = glyph.to_string();
                let left = x - letters::width(&text, 0.5) / 2.0;
                letters::path(&text, 0.5, (left, y + 0.25)).pen(0.1, Ink::Text)
            })
        });
        unknown.chain(ringed.iter().map(ring)).collect()
    }

    /// Advances to a position, which the game must have.
    ///
    /// # Errors
    ///
    /// Returns an error if the time has run out, or the work was interrupted.
    pub fn go_to(&mut self, position: usize, limits: &Limits) -> Result<(), RenderError> {
        while self.position() < position {
            limits.check_time()?;
            assert!(self.advance(), "the game has this position");
        }
        Ok(())
    }

    /// Returns the parts of the picture that change between positions, from bottom to top.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks = self.changing_ground();
        let has_tail = self.cells().any(|index| self.figure(index) == Figure::Tail);
        if !has_tail {
            // If the runner has a tail, it already shows his way.
            marks.extend(self.trail());
        }
        let moved = self.events().iter().filter(|event| has_moved(event));
        marks.extend(moved.flat_map(|event| self.step_marks(event)));
        marks.extend(self.snakes(has_tail));
        let clashes = self.clashes();
        for index in self.cells() {
            if self.figure(index).is_actor() && !clashes.contains(&self.board.place(index)) {
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
            let figure = self.figure_beneath(index);
            let is_hidden = figure.is_thing() && self.figure(index).is_actor();
            let is_seen = figure != Figure::Floor && !is_hidden;
            is_seen.then(|| Mark::figure(figure, self.middle_at(index)))
        };
        let changing = self.cells().filter(|&index| !self.has_fixed_ground[index]);
        changing.filter_map(lies).collect()
    }

    /// Returns the runner's last steps, of which the newest are drawn stronger.
    fn trail(&self) -> [Mark; 2] {
        let plies = &self.recording.plies[..self.position];
        let events = plies.iter().rev().flat_map(|ply| ply.events.iter().rev());
        let steps =
            events.filter(|event| has_moved(event) && self.figure_of(event) == Figure::Runner);
        let mut steps: Vec<_> = steps.take(self.steps_shown).collect();
        steps.reverse();
        let way = |steps: &[&TraceEvent], opacity| {
            let mut path = Path::default();
            let mut end = None;
            for event in steps {
                if end != Some(event.from) {
                    path.0.push(Segment::Move(self.middle(event.from)));
                }
                path.0.push(Segment::Line(self.middle(event.to)));
                end = Some(event.to);
            }
            Mark::shape(path.pen(0.17, Ink::Runner).faint(opacity))
        };
        let (old, fresh) = steps.split_at(steps.len().saturating_sub(FRESH));
        [way(old, 0.2), way(fresh, 0.42)]
    }

    fn step_marks(&self, event: &TraceEvent) -> Vec<Mark> {
        let figure = self.figure_of(event);
        let [from, to] = [event.from, event.to].map(|place| self.middle(place));
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
        let figure = self.figures.figure(glyph);
        match figure {
            Figure::WallEnd | Figure::WallBody => match glyph.to_ascii_lowercase() as u32 % 3 {
                0 => Ink::WallOne,
                1 => Ink::WallTwo,
                _ => Ink::WallThree,
            },
            _ => figure.ink(),
        }
    }

    fn snakes(&self, has_tail: bool) -> Vec<Mark> {
        let mut bodies: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        for index in self.cells() {
            let figure = self.figure(index);
            if figure.is_snake() || (has_tail && figure == Figure::Runner) {
                let letter = self.board.glyphs[index].to_ascii_lowercase();
                bodies.entry(letter).or_default().push(index);
            }
        }
        let snake = |(&letter, body): (&char, &Vec<usize>)| self.snake(letter, body);
        bodies.iter().map(snake).collect()
    }

    fn snake(&self, letter: char, body: &[usize]) -> Mark {
        let ink = self.ink(letter);
        let is_wall = ink != Ink::Runner;
        let is_head = |index: &&usize| self.board.glyphs[**index].is_ascii_uppercase();
        let head = body.iter().find(is_head);
        let order = head.and_then(|&head| self.order(body, head));
        let path = match order {
            Some(order) => self.along(&order),
            None => self.blob(body, is_wall),
        };
        if !is_wall {
            return Mark::shape(path.pen(0.46, ink).faint(0.55));
        }
        Mark::shape(path.pen(0.66, ink))
    }

    /// Returns the cells of a body in the order of a path from its head; `None` if no such path is found.
    fn order(&self, body: &[usize], head: usize) -> Option<Vec<usize>> {
        let grid = Grid::new(self.board.rows(), self.board.cols())?;
        let cell = |&index: &usize| {
            let (row, col) = self.board.place(index);
            grid.cell(row, col)
        };
        let others = body.iter().filter(|&&index| index != head).map(cell);
        let rest: Vec<_> = others.collect::<Option<_>>()?;
        let mut budget = WorkBudget::new(MAX_WORK, &Limits::default());
        let path = through_all(grid, cell(&head)?, &rest, &mut budget).ok()?;
        let rest = path.into_iter().map(Cell::index);
        Some([head].into_iter().chain(rest).collect())
    }

    fn along(&self, cells: &[usize]) -> Path {
        let mut path = Path::default();
        let at = |index: usize| self.middle_at(index);
        path.add_lines([at(cells[0]), at(cells[0])]);
        for pair in cells.windows(2) {
            path.add_lines([at(pair[0]), at(pair[1])]);
        }
        path
    }

    fn blob(&self, body: &[usize], is_wall: bool) -> Path {
        let cols = self.board.cols();
        let mut path = Path::default();
        for &index in body {
            let at = self.middle_at(index);
            // The cells of `body` are in row-major order, so it is sorted.
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
        let (figure, at) = (self.figure(index), self.middle_at(index));
        let glyph = self.board.glyphs[index];
        let mut marks = match figure {
            Figure::Tail | Figure::WallBody => Vec::new(),
            Figure::WallEnd => {
                let end = Path::circle((0.0, 0.0), 0.42).fill(self.ink(glyph));
                vec![Mark::shape(end), letter(glyph)]
            }
            Figure::Chaser => vec![Mark::figure(figure, (0.0, 0.0)), letter(glyph)],
            _ => vec![Mark::figure(figure, (0.0, 0.0))],
        };
        let comes_from = self.comes_from(self.board.place(index), glyph);
        for mark in &mut marks {
            mark.at = at;
            mark.comes_from = comes_from;
        }
        marks
    }

    /// Returns [`Mark::comes_from`] for the actor on this cell.
    fn comes_from(&self, place: (u32, u32), glyph: char) -> Option<[Point; 2]> {
        let mut steps = self.events().iter().rev();
        let is_he = |event: &&TraceEvent| {
            event.actor.eq_ignore_ascii_case(&glyph) && event.fate != Fate::Teleports
        };
        let last = steps
            .by_ref()
            .find(|event| is_he(event) && event.to == place)?;
        // An actor may take several steps in a ply, as the Minotaur does; the animation shows the last two.
        let before = steps.find(|event| is_he(event) && event.to == last.from);
        let at = self.middle(place);
        let from = |place| {
            let (x, y) = self.middle(place);
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
        Self::new(MarkContent::Figure(figure), at)
    }

    const fn shape(shape: Shape) -> Self {
        Self::new(MarkContent::Shape(shape), (0.0, 0.0))
    }

    const fn new(what: MarkContent, at: Point) -> Self {
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

/// Returns whether the actor moved. A teleport counts even if it ends where it started.
fn has_moved(event: &TraceEvent) -> bool {
    event.from != event.to || event.fate == Fate::Teleports
}

fn all_ground(recording: &Recording, figures: &Figures) -> (Vec<Option<char>>, Vec<bool>) {
    let seen = |glyph: char| (!figures.figure(glyph).is_actor()).then_some(glyph);
    let glyphs = &recording.start.glyphs;
    let mut ground: Vec<_> = glyphs.iter().map(|&glyph| seen(glyph)).collect();
    let mut has_fixed_ground = vec![true; ground.len()];
    for &(index, glyph) in recording.plies.iter().flat_map(|ply| &ply.changes) {
        if let Some(glyph) = seen(glyph) {
            let first = *ground[index].get_or_insert(glyph);
            has_fixed_ground[index] &= first == glyph;
        }
        // An actor hides the thing on its cell, and may have taken it.
        let is_thing = |glyph| figures.figure(glyph).is_thing();
        has_fixed_ground[index] &= !ground[index].is_some_and(is_thing);
    }
    (ground, has_fixed_ground)
}

fn letter(glyph: char) -> Mark {
    let text = glyph.to_string();
    let (width, size) = (letters::width(&text, 0.34), 0.34);
    let path = letters::path(&text, size, (-width / 2.0, size / 2.0));
    Mark::shape(path.pen(0.07, Ink::Eye))
}
