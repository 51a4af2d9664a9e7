//! The actors of a game, with ids that stay the same to the end.

use super::external::Actor;
use crate::grid::{Cell, Grid};
use crate::ruleset::{Event, Fate};

/// The actors on the board.
#[derive(Debug)]
pub(super) struct Actors {
    grid: Grid,
    all: Vec<Actor>,
    /// The ids of the actors that moved in this half turn.
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

    pub(super) fn id(&self, (glyph, cell): (char, Cell)) -> Option<u32> {
        let at = self.grid.position(cell);
        let is_it = |actor: &&Actor| (actor.glyph, actor.at) == (glyph, at);
        self.all.iter().find(is_it).map(|actor| actor.id)
    }

    pub(super) fn begin_half(&mut self) {
        self.moved.clear();
    }

    /// Updates the actors after an event in this half turn. Actors of one kind on one cell move together; one that
    /// arrived in this half turn moves on only if there is no other.
    pub(super) fn see(&mut self, event: &Event) {
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
mod tests {
    use super::*;

    fn ids(actors: &Actors) -> Vec<(u32, (u32, u32))> {
        let all = actors.all().iter();
        all.map(|actor| (actor.id, actor.at)).collect()
    }

    fn step(from: Cell, to: Cell) -> Event {
        Event::step('g', from, to)
    }

    /// One ghost steps to a cell that the other has yet to leave; later they share a cell and move together.
    #[test]
    fn actors_keep_their_ids_when_they_follow_or_meet_each_other() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut actors = Actors::new(grid, &[('o', cell(8)), ('g', cell(0)), ('g', cell(1))]);
        actors.begin_half();
        actors.see(&step(cell(0), cell(1)));
        actors.see(&step(cell(1), cell(2)));
        assert_eq!(ids(&actors), [(0, (0, 8)), (1, (0, 1)), (2, (0, 2))]);
        actors.begin_half();
        actors.see(&step(cell(1), cell(2)));
        actors.see(&step(cell(2), cell(2)));
        actors.begin_half();
        actors.see(&step(cell(2), cell(3)));
        assert_eq!(ids(&actors), [(0, (0, 8)), (1, (0, 3)), (2, (0, 3))]);
        actors.retain(&[('g', cell(3))]);
        assert_eq!(ids(&actors), [(1, (0, 3)), (2, (0, 3))]);
    }

    #[test]
    fn two_steps_in_one_half_turn_belong_to_one_actor() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut actors = Actors::new(grid, &[('g', cell(0))]);
        actors.begin_half();
        actors.see(&step(cell(0), cell(1)));
        actors.see(&step(cell(1), cell(2)));
        assert_eq!(ids(&actors), [(0, (0, 2))]);
        let fell = Event {
            fate: Fate::Fell,
            ..step(cell(2), cell(3))
        };
        actors.see(&fell);
        assert_eq!(ids(&actors), []);
    }

    /// Only moves in the current half turn count.
    #[test]
    fn of_two_actors_on_a_cell_the_one_that_was_there_first_moves_on() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut actors = Actors::new(grid, &[('g', cell(0)), ('g', cell(2))]);
        actors.begin_half();
        actors.see(&step(cell(0), cell(1)));
        actors.begin_half();
        actors.see(&step(cell(2), cell(1)));
        actors.see(&step(cell(1), cell(0)));
        assert_eq!(ids(&actors), [(0, (0, 0)), (1, (0, 1))]);
    }
}
