//! The actors of a game, with ids that stay the same to the end.

use super::external::Actor;
use getaway_board::grid::{Cell, Grid};
use getaway_ruleset::{Event, Fate};

#[derive(Debug)]
pub(super) struct Actors {
    grid: Grid,
    all: Vec<Actor>,
    moved: Vec<u32>,
}

impl Actors {
    pub(super) fn new(grid: Grid, actors: &[(char, Cell)]) -> Self {
        let numbered = |(id, &(glyph, cell))| Actor {
            id,
            glyph,
            at: grid.position(cell),
        };
        Self {
            grid,
            all: (0..).zip(actors).map(numbered).collect(),
            moved: Vec::new(),
        }
    }

    pub(super) fn all(&self) -> &[Actor] {
        &self.all
    }

    pub(super) fn id(&self, glyph: char, cell: Cell) -> Option<u32> {
        let at = self.grid.position(cell);
        let is_it = |actor: &&Actor| (actor.glyph, actor.at) == (glyph, at);
        self.all.iter().find(is_it).map(|actor| actor.id)
    }

    pub(super) fn begin_ply(&mut self) {
        self.moved.clear();
    }

    /// Applies an event. Actors of one kind on one cell move together, except that those that have moved in this ply stay if
    /// others on the cell have not moved yet.
    pub(super) fn observe(&mut self, event: &Event) {
        let [from, to] = [event.from, event.to].map(|cell| self.grid.position(cell));
        let here = |actor: &&Actor| (actor.glyph, actor.at) == (event.actor, from);
        let here = self.all.iter().filter(here).map(|actor| actor.id);
        let mut movers: Vec<u32> = here.clone().filter(|id| !self.moved.contains(id)).collect();
        if movers.is_empty() {
            movers = here.collect();
        }
        if event.fate == Fate::Fell {
            self.all.retain(|actor| !movers.contains(&actor.id));
        }
        for actor in &mut self.all {
            if movers.contains(&actor.id) {
                actor.at = to;
            }
        }
        self.moved.extend(movers);
    }

    pub(super) fn retain(&mut self, left: &[(char, Cell)]) {
        let left: Vec<_> = left
            .iter()
            .map(|&(glyph, cell)| (glyph, self.grid.position(cell)))
            .collect();
        self.all
            .retain(|actor| left.contains(&(actor.glyph, actor.at)));
    }
}

#[cfg(test)]
#[path = "actors_tests.rs"]
mod tests;
