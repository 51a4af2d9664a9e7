//! A variant of the game in which agents choose the monsters' moves.
//!
//! A controlled monster attempts any of the hero's nine moves, and a super monster the same at double length. Bats cannot be
//! controlled.

use super::{Baddie, BaddieKind, Baddies, Key, Offset, State};
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::{Controlled, Role};
use getaway_ruleset::{Cause, Event, Fate, Outcome};

/// The orders that a controlled monster obeys: the keys in the order of [`Key::PLAINEST_FIRST`].
const ORDERS: [&str; 9] = ["s", "w", "a", "d", "x", "q", "e", "z", "c"];

impl Controlled<State> for Baddies {
    fn roles(&self) -> &'static [Role] {
        &[Role {
            name: "monster",
            glyphs: "mM",
        }]
    }

    fn all_orders(&self) -> &'static [&'static str] {
        &ORDERS
    }

    fn orders(&self, _at: &State, _who: Cell, out: &mut Vec<&'static str>) {
        out.extend(ORDERS);
    }

    fn control(
        &self,
        at: &mut State,
        who: Cell,
        order: Option<&str>,
        _rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let number = at
            .baddies
            .binary_search_by_key(&who, |baddie| baddie.cell)
            .expect("a moving baddie is on the board");
        let baddie = at.baddies[number];
        let aim = order.map_or_else(
            || self.baddie_lands(baddie, at.hero),
            |order| self.lands_by_order(baddie, order),
        );
        let is_taken = at.baddies.iter().any(|other| other.cell == aim);
        let (to, fate) = self.lands_or_stays(who, aim, at.hero, is_taken);
        events.push(Event::new(baddie.kind.glyph(), who, to, fate));
        if fate == Fate::Fell {
            at.baddies.remove(number);
        } else {
            at.baddies[number].cell = to;
            at.baddies.sort_unstable();
        }
        (fate == Fate::Catches).then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Baddies {
    fn lands_by_order(&self, Baddie { cell, kind }: Baddie, order: &str) -> Cell {
        let key: Key = order.parse().expect("each order names a key");
        let steps = if kind == BaddieKind::SuperMonster {
            2
        } else {
            1
        };
        let Offset { rows, cols } = key.offset();
        let change = Offset {
            rows: steps * rows,
            cols: steps * cols,
        };
        self.baddie_attempts(cell, change)
    }
}

#[cfg(test)]
#[path = "controlled_tests.rs"]
mod tests;
