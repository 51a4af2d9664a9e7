//! Who is who: each actor keeps its number throughout a game.

use super::outside::Actor;
use crate::grid::{Cell, Grid};
use crate::ruleset::{Event, Fate};

/// All actors that are still on the board.
#[derive(Debug)]
pub(super) struct Roster {
    grid: Grid,
    actors: Vec<Actor>,
    /// Where each of them is, in the same order.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    cell: Cell,
    /// Whether it has moved in the half turn that is looked at.
    has_moved: bool,
}

impl Roster {
    /// These actors, numbered in their order.
    pub(super) fn new(grid: Grid, actors: &[(char, Cell)]) -> Self {
        let named = |(id, &(glyph, cell)): (usize, &(char, Cell))| Actor {
            id: id as u32,
            glyph,
            at: grid.position(cell),
        };
        let place = |&(_, cell): &(char, Cell)| Place {
            cell,
            has_moved: false,
        };
        Self {
            grid,
            actors: actors.iter().enumerate().map(named).collect(),
            places: actors.iter().map(place).collect(),
        }
    }

    /// All of them.
    pub(super) fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The number of the actor of this kind at this place.
    pub(super) fn id(&self, (glyph, cell): (char, Cell)) -> Option<u32> {
        let found = self.numbers(glyph, cell, |_| true).next();
        found.map(|number| self.actors[number].id)
    }

    fn numbers(
        &self,
        glyph: char,
        cell: Cell,
        is_meant: impl Fn(&Place) -> bool,
    ) -> impl Iterator<Item = usize> {
        let all = self.actors.iter().zip(&self.places).enumerate();
        all.filter(move |(_, (actor, place))| {
            actor.glyph == glyph && place.cell == cell && is_meant(place)
        })
        .map(|(number, _)| number)
    }

    /// A half turn begins.
    pub(super) fn begin_half(&mut self) {
        for place in &mut self.places {
            place.has_moved = false;
        }
    }

    /// Something happens in it. Actors of one kind that stand on one cell go together; one that has come there in
    /// this half turn goes on only if nobody else can be meant.
    pub(super) fn see(&mut self, event: &Event) {
        let Event {
            actor, from, to, ..
        } = *event;
        let mut meant: Vec<_> = self
            .numbers(actor, from, |place| !place.has_moved)
            .collect();
        if meant.is_empty() {
            meant = self.numbers(actor, from, |_| true).collect();
        }
        for &number in &meant {
            self.places[number] = Place {
                cell: to,
                has_moved: true,
            };
            self.actors[number].at = self.grid.position(to);
        }
        if event.fate == Fate::Fell {
            self.keep(|_, number| !meant.contains(&number));
        }
    }

    /// Only these are left.
    pub(super) fn retain(&mut self, left: &[(char, Cell)]) {
        self.keep(|roster, number| {
            left.contains(&(roster.actors[number].glyph, roster.places[number].cell))
        });
    }

    fn keep(&mut self, stays: impl Fn(&Self, usize) -> bool) {
        let gone: Vec<_> = (0..self.actors.len())
            .filter(|&number| !stays(self, number))
            .collect();
        for &number in gone.iter().rev() {
            self.actors.remove(number);
            self.places.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(roster: &Roster) -> Vec<(u32, (u32, u32))> {
        let actors = roster.actors().iter();
        actors.map(|actor| (actor.id, actor.at)).collect()
    }

    fn step(from: Cell, to: Cell) -> Event {
        Event::step('g', from, to)
    }

    /// One steps to where the other has not left yet; then they share a cell, and one goes on alone, for good.
    #[test]
    fn who_follows_another_stays_itself_and_who_meets_goes_along() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut roster = Roster::new(grid, &[('o', cell(8)), ('g', cell(0)), ('g', cell(1))]);
        roster.begin_half();
        roster.see(&step(cell(0), cell(1)));
        roster.see(&step(cell(1), cell(2)));
        assert_eq!(ids(&roster), [(0, (0, 8)), (1, (0, 1)), (2, (0, 2))]);
        roster.begin_half();
        roster.see(&step(cell(1), cell(2)));
        roster.see(&step(cell(2), cell(2)));
        roster.begin_half();
        roster.see(&step(cell(2), cell(3)));
        assert_eq!(ids(&roster), [(0, (0, 8)), (1, (0, 3)), (2, (0, 3))]);
        roster.retain(&[('g', cell(3))]);
        assert_eq!(ids(&roster), [(1, (0, 3)), (2, (0, 3))]);
    }

    #[test]
    fn two_steps_in_one_half_turn_are_one_actors() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut roster = Roster::new(grid, &[('g', cell(0))]);
        roster.begin_half();
        roster.see(&step(cell(0), cell(1)));
        roster.see(&step(cell(1), cell(2)));
        assert_eq!(ids(&roster), [(0, (0, 2))]);
        let fell = Event {
            fate: Fate::Fell,
            ..step(cell(2), cell(3))
        };
        roster.see(&fell);
        assert_eq!(ids(&roster), []);
    }

    /// What was done in the half turn before does not matter in the next one.
    #[test]
    fn who_stood_there_when_a_half_turn_began_goes_on_and_who_came_stays() {
        let grid = Grid::new(1, 9).unwrap();
        let cell = |col| grid.cell(0, col).unwrap();
        let mut roster = Roster::new(grid, &[('g', cell(0)), ('g', cell(2))]);
        roster.begin_half();
        roster.see(&step(cell(0), cell(1)));
        roster.begin_half();
        roster.see(&step(cell(2), cell(1)));
        roster.see(&step(cell(1), cell(0)));
        assert_eq!(ids(&roster), [(0, (0, 0)), (1, (0, 1))]);
    }
}
