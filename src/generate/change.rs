//! Small changes to a board that move, add or remove a wall or a thing.

use super::layout::{Layout, Plan, Wall, WallKind};
use super::sketch::{Mirror, Sketch, image};
use crate::grid::{Cell, Grid};
use crate::rng::Rng;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub kind: ChangeKind,
    writes: Vec<(Cell, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Moved { glyph: u8, from: Cell, to: Cell },
    Added { glyph: u8, at: Cell },
    Removed { glyph: u8, at: Cell },
}

impl Change {
    #[must_use]
    pub fn apply(&self, to: &Sketch) -> Sketch {
        let mut changed = to.clone();
        changed.put_all(&self.writes);
        changed
    }

    fn images(&self, mirror: Option<Mirror>, grid: Grid) -> Vec<(Cell, u8)> {
        let image = |&(at, glyph): &(Cell, u8)| (image(mirror, grid, at), glyph);
        self.writes.iter().map(image).collect()
    }

    /// Adds the images of the changed cells. `None` for the later one of two changes that are images of each other.
    #[must_use]
    pub fn with_image(mut self, mirror: Option<Mirror>, grid: Grid) -> Option<Self> {
        let images = self.images(mirror, grid);
        let is_first = self.writes <= images;
        self.writes.extend(images);
        is_first.then_some(self)
    }
}

pub struct Changeable<'s> {
    layout: &'s Layout<'s>,
    sketch: &'s Sketch,
    things: Vec<(Cell, u8)>,
    floor: Vec<Cell>,
    walls: Vec<Wall>,
    gaps: Vec<Wall>,
}

impl<'s> Changeable<'s> {
    pub fn of(layout: &'s Layout<'s>, sketch: &'s Sketch) -> Self {
        let grid = sketch.grid();
        let counted = layout.amounts.iter().filter_map(|amount| amount.glyph);
        let known: Vec<u8> = counted.chain([layout.runner]).collect();
        let things = grid.cells().map(|cell| (cell, sketch.at(cell)));
        let is_wall = |wall: &Wall| sketch.at(wall.at) == wall.closed;
        let (walls, gaps) = (layout.walls)(layout, sketch)
            .into_iter()
            .partition(is_wall);
        Self {
            layout,
            sketch,
            things: things.filter(|(_, glyph)| known.contains(glyph)).collect(),
            floor: sketch.all(layout.floor),
            walls,
            gaps,
        }
    }

    /// Lists all changes: removals, then additions, then moves, with the shortest moves first.
    pub fn all(&self) -> impl Iterator<Item = Change> {
        let gaps = self.gaps.iter().map(|gap| added(gap.closed, gap.at));
        let amounts = self.layout.amounts.iter();
        let things = amounts
            .filter_map(|amount| amount.glyph)
            .flat_map(move |glyph| {
                let cells = self.floor.iter().filter(move |&&at| self.may_stand(at));
                cells.map(move |&at| added(glyph, at))
            });
        let size = self.sketch.grid().rows() + self.sketch.grid().cols();
        let moves = (1..size as i32).flat_map(|distance| self.moves(distance));
        self.removals().chain(gaps).chain(things).chain(moves)
    }

    pub fn removals(&self) -> impl Iterator<Item = Change> {
        let things = self.things.iter().copied();
        let others = things.filter(|&(_, glyph)| glyph != self.layout.runner);
        let things = others.map(|(at, glyph)| self.removed(glyph, at));
        things.chain(self.walls.iter().map(|&wall| self.removed_wall(wall)))
    }

    /// Returns the change that removes a wall. Removing a moving end (a capital letter) removes its entire wall.
    fn removed_wall(&self, wall: Wall) -> Change {
        let mut change = removed_wall(wall);
        let letter = wall.closed.to_ascii_lowercase();
        if letter != wall.closed {
            let body = self.walls.iter().filter(|other| other.closed == letter);
            let removed = body.map(|other| (other.at, other.open));
            change.writes.extend(removed);
            change.writes.sort_unstable();
        }
        change
    }

    fn moves(&self, distance: i32) -> impl Iterator<Item = Change> {
        let grid = self.sketch.grid();
        let is_floor = |at: &Cell| self.sketch.at(*at) == self.layout.floor;
        let things = self.things.iter().flat_map(move |&(from, glyph)| {
            let cells = around(grid, from, distance).filter(is_floor);
            let free = cells.filter(move |&to| self.may_stand(to));
            free.map(move |to| self.moved(glyph, from, to))
        });
        let walls = self.walls.iter().flat_map(move |&wall| {
            // A letter stands for one wall only; the glyphs of other walls depend on the cell.
            let fits =
                move |gap: &&Wall| !gap.closed.is_ascii_alphabetic() || gap.closed == wall.closed;
            let gaps = around(grid, wall.at, distance).flat_map(|at| self.gaps_at(at));
            gaps.filter(fits).map(move |&gap| moved_wall(wall, gap))
        });
        things.chain(walls)
    }

    fn gaps_at(&self, at: Cell) -> &[Wall] {
        let first = self.gaps.partition_point(|gap| gap.at < at);
        let end = self.gaps.partition_point(|gap| gap.at <= at);
        &self.gaps[first..end]
    }

    fn may_stand(&self, at: Cell) -> bool {
        (self.layout.may_stand)(self.sketch.grid(), at)
    }

    fn removed(&self, glyph: u8, at: Cell) -> Change {
        change(ChangeKind::Removed { glyph, at }, [(at, self.layout.floor)])
    }

    fn moved(&self, glyph: u8, from: Cell, to: Cell) -> Change {
        let writes = [(from, self.layout.floor), (to, glyph)];
        change(ChangeKind::Moved { glyph, from, to }, writes)
    }

    pub fn any(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let has_walls = self.layout.kind_of_walls == WallKind::Free;
        let mut amounts = plan.amounts.iter();
        match rng.below(if has_walls { 8 } else { 4 }) {
            0 if amounts.any(|range| range.start() != range.end()) => self.any_amount(plan, rng),
            0..4 => self.any_move(rng),
            4..6 if plan.density.is_none() => self.any_wall(plan, rng),
            _ => self.any_wall_moved(plan, rng),
        }
    }

    fn any_move(&self, rng: &mut Rng) -> Option<Change> {
        let &(from, glyph) = rng.pick(&self.things)?;
        let to = self.usual_cell(glyph, rng)?;
        Some(self.moved(glyph, from, to))
    }

    fn any_amount(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let number = rng.below(plan.amounts.len());
        let glyph = self.layout.amounts[number].glyph?;
        let (count, range) = (self.sketch.count(glyph), &plan.amounts[number]);
        if rng.chance(0.5) {
            let at = self.usual_cell(glyph, rng)?;
            range.contains(&(count + 1)).then(|| added(glyph, at))
        } else {
            let at = *rng.pick(&self.sketch.all(glyph))?;
            (count > *range.start()).then(|| self.removed(glyph, at))
        }
    }

    fn usual_cell(&self, glyph: u8, rng: &mut Rng) -> Option<Cell> {
        let is_usual = |at: &Cell| (self.layout.is_usual)(self.layout, self.sketch, glyph, *at);
        (0..8).find_map(|_| rng.pick(&self.floor).copied().filter(is_usual))
    }

    fn any_wall(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let change = if rng.chance(0.5) {
            let gap = rng.pick(&self.gaps)?;
            added(gap.closed, gap.at)
        } else {
            removed_wall(*rng.pick(&self.walls)?)
        };
        self.mirrored(plan, change)
    }

    fn any_wall_moved(&self, plan: &Plan, rng: &mut Rng) -> Option<Change> {
        let change = moved_wall(*rng.pick(&self.walls)?, *rng.pick(&self.gaps)?);
        self.mirrored(plan, change)
    }

    /// Adds the image of the change if walls have to be symmetric; `None` if a thing is in the way.
    fn mirrored(&self, plan: &Plan, mut change: Change) -> Option<Change> {
        let images = change.images(plan.symmetry, self.sketch.grid());
        let taken = self.things.iter().chain(&change.writes);
        let is_clear = images.iter().all(|image| {
            let mut there = taken.clone().filter(|(at, _)| *at == image.0);
            there.all(|other| other == image)
        });
        is_clear.then(|| {
            change.writes.extend(images);
            change
        })
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

fn change<const N: usize>(kind: ChangeKind, writes: [(Cell, u8); N]) -> Change {
    let writes = writes.to_vec();
    Change { kind, writes }
}

fn added(glyph: u8, at: Cell) -> Change {
    change(ChangeKind::Added { glyph, at }, [(at, glyph)])
}

fn removed_wall(Wall { at, open, closed }: Wall) -> Change {
    let glyph = closed;
    change(ChangeKind::Removed { glyph, at }, [(at, open)])
}

fn moved_wall(wall: Wall, gap: Wall) -> Change {
    let (glyph, from, to) = (gap.closed, wall.at, gap.at);
    let writes = [(from, wall.open), (to, glyph)];
    change(ChangeKind::Moved { glyph, from, to }, writes)
}
