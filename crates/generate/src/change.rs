//! Small changes to a board that move, add or remove a wall or a thing. Things are the actors and everything else that is
//! counted on a board, such as exits.

use super::layout::{Layout, Piece, Plan, Style, WallKind};
use super::sketch::Sketch;
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

/// A wall or thing that is moved, added or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub glyph: u8,
    /// The cell that loses the glyph; `None` if the glyph is added.
    pub from: Option<Cell>,
    /// The cell that gets the glyph; `None` if the glyph is removed.
    pub to: Option<Cell>,
    writes: Vec<(Cell, u8)>,
}

impl Change {
    fn new(removed: Option<Piece>, added: Option<Piece>) -> Self {
        let opened = removed.map(|piece| (piece.at, piece.open));
        let closed = added.map(|piece| (piece.at, piece.closed));
        Self {
            glyph: added.or(removed).map_or(0, |piece| piece.closed),
            from: removed.map(|piece| piece.at),
            to: added.map(|piece| piece.at),
            writes: opened.into_iter().chain(closed).collect(),
        }
    }

    fn moved(from: Piece, to: Piece) -> Self {
        Self::new(Some(from), Some(to))
    }

    pub fn apply(&self, to: &Sketch) -> Sketch {
        let mut changed = to.clone();
        for &(cell, glyph) in &self.writes {
            changed.put(cell, glyph);
        }
        changed
    }
}

/// A board with its walls, its things, and the places for them.
pub struct Changeable<'s> {
    layout: &'s dyn Layout,
    sketch: &'s Sketch,
    things: Vec<Piece>,
    floor: Vec<Cell>,
    walls: Vec<Piece>,
    gaps: Vec<Piece>,
}

impl<'s> Changeable<'s> {
    pub fn of(layout: &'s dyn Layout, sketch: &'s Sketch) -> Self {
        let style = layout.style();
        let known: Vec<u8> = style.things().chain([style.runner]).collect();
        let thing = |at| style.thing(sketch.at(at), at);
        let things = sketch.grid().cells().map(thing);
        let is_wall = |wall: &Piece| sketch.at(wall.at) == wall.closed;
        let (walls, gaps) = layout.walls(sketch).into_iter().partition(is_wall);
        Self {
            layout,
            sketch,
            things: things
                .filter(|thing| known.contains(&thing.closed))
                .collect(),
            floor: sketch.all(style.floor),
            walls,
            gaps,
        }
    }

    /// Lists all changes: removals, then additions, then moves, with the shortest moves first.
    pub fn all(&self) -> impl Iterator<Item = Change> {
        let things = self.style().things().flat_map(move |glyph| {
            let cells = self.floor.iter().filter(|&&at| self.may_stand(at));
            cells.map(move |&at| self.style().thing(glyph, at))
        });
        let added = self
            .gaps
            .iter()
            .copied()
            .chain(things)
            .map(|piece| Change::new(None, Some(piece)));
        let size = self.sketch.grid().rows() + self.sketch.grid().cols();
        let moves = (1..size as i32).flat_map(|distance| self.moves(distance));
        self.removals().chain(added).chain(moves)
    }

    /// Lists the removals of a wall, or of a thing other than the runner.
    pub fn removals(&self) -> impl Iterator<Item = Change> {
        let things = self.things.iter();
        let others = things.filter(|thing| thing.closed != self.style().runner);
        others.chain(&self.walls).map(|&piece| self.removed(piece))
    }

    /// Returns the change that removes a piece. In a maze, removing a moving end (a capital letter) removes its entire wall.
    fn removed(&self, piece: Piece) -> Change {
        let mut change = Change::new(Some(piece), None);
        let letter = piece.closed.to_ascii_lowercase();
        if letter != piece.closed {
            let body = self.walls.iter().filter(|wall| wall.closed == letter);
            change.writes.extend(body.map(|wall| (wall.at, wall.open)));
            change.writes.sort_unstable();
        }
        change
    }

    fn moves(&self, distance: i32) -> impl Iterator<Item = Change> {
        let grid = self.sketch.grid();
        let things = self.things.iter().flat_map(move |&thing| {
            let is_free =
                |at: &Cell| self.sketch.at(*at) == self.style().floor && self.may_stand(*at);
            let free = around(grid, thing.at, distance).filter(is_free);
            free.map(move |at| Change::moved(thing, Piece { at, ..thing }))
        });
        let walls = self.walls.iter().flat_map(move |&wall| {
            // In a maze, a letter stands for one wall only. Elsewhere, the glyph of a wall depends on its cell.
            let fits =
                move |gap: &&Piece| !gap.closed.is_ascii_alphabetic() || gap.closed == wall.closed;
            let gaps = around(grid, wall.at, distance).flat_map(|at| self.gaps_at(at));
            gaps.filter(fits).map(move |&gap| Change::moved(wall, gap))
        });
        things.chain(walls)
    }

    fn style(&self) -> Style<'_> {
        self.layout.style()
    }

    fn gaps_at(&self, at: Cell) -> &[Piece] {
        let first = self.gaps.partition_point(|gap| gap.at < at);
        let end = self.gaps.partition_point(|gap| gap.at <= at);
        &self.gaps[first..end]
    }

    fn may_stand(&self, at: Cell) -> bool {
        self.layout.may_stand(self.sketch.grid(), at)
    }

    /// Returns a random change that keeps the amounts within the plan's ranges; `None` if this attempt found none.
    pub fn random_change(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let has_walls = self.style().kind_of_walls == WallKind::Free;
        let mut amounts = plan.amounts.iter();
        match rng.below(if has_walls { 8 } else { 4 }) {
            0 if amounts.any(|range| range.start() != range.end()) => self.random_amount(plan, rng),
            0..4 => self.random_move(plan, rng),
            4..6 if plan.density.is_none() => self.random_wall(rng),
            _ => self.random_wall_moved(rng),
        }
    }

    fn random_move(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let &thing = rng.pick(&self.things)?;
        let at = self.random_cell(thing.closed, plan, rng)?;
        Some(Change::moved(thing, Piece { at, ..thing }))
    }

    fn random_amount(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let number = rng.below(plan.amounts.len());
        let glyph = self.style().amounts[number].glyph?;
        let (count, range) = (self.sketch.count(glyph), &plan.amounts[number]);
        let thing = |at| Some(self.style().thing(glyph, at));
        if rng.chance(0.5) {
            let added = thing(self.random_cell(glyph, plan, rng)?);
            range
                .contains(&(count + 1))
                .then(|| Change::new(None, added))
        } else {
            let removed = thing(*rng.pick(&self.sketch.all(glyph))?);
            (count > *range.start()).then(|| Change::new(removed, None))
        }
    }

    fn random_cell(&self, glyph: u8, plan: &Plan, rng: &mut Rng) -> Option<Cell> {
        let is_usual = |at| self.layout.is_usual(self.sketch, glyph, at);
        let fits = |at: &Cell| {
            if plan.is_anywhere {
                self.may_stand(*at)
            } else {
                is_usual(*at)
            }
        };
        (0..8).find_map(|_| rng.pick(&self.floor).copied().filter(fits))
    }

    fn random_wall(&self, rng: &mut Rng) -> Option<Change> {
        Some(if rng.chance(0.5) {
            Change::new(None, Some(*rng.pick(&self.gaps)?))
        } else {
            Change::new(Some(*rng.pick(&self.walls)?), None)
        })
    }

    fn random_wall_moved(&self, rng: &mut Rng) -> Option<Change> {
        Some(Change::moved(
            *rng.pick(&self.walls)?,
            *rng.pick(&self.gaps)?,
        ))
    }
}

fn around(grid: Grid, from: Cell, distance: i32) -> impl Iterator<Item = Cell> {
    (-distance..=distance).flat_map(move |down| {
        let across = distance - down.abs();
        let right = (across > 0).then_some(across);
        let sides = [Some(-across), right].into_iter().flatten();
        sides.filter_map(move |right| grid.offset(from, down, right))
    })
}
