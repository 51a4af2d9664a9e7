//! A variant of the game in which agents lead monsters.
//!
//! A led monster attempts any of the hero's nine moves; a led super monster attempts the same moves at double length.
//! Rules 2 and 5 decide the result. Bats cannot be led.

use super::{Baddie, Baddies, Key, Kind, State};
use crate::grid::Cell;
use crate::rng::Rng;
use crate::ruleset::led::{Led, Role};
use crate::ruleset::{Cause, Event, Fate, Outcome};

/// The keys in the order of [`Key::PLAINEST_FIRST`].
const ORDERS: [&str; 9] = ["s", "w", "a", "d", "x", "q", "e", "z", "c"];

impl Led<State> for Baddies {
    fn roles(&self) -> &'static [Role] {
        &[Role {
            name: "monster",
            glyphs: "mM",
        }]
    }

    /// Applies rule 1.
    fn in_turn(&self, at: &State, out: &mut Vec<(char, Cell)>) {
        let baddies = at.baddies.iter();
        out.extend(baddies.map(|baddie| (baddie.kind.glyph(), baddie.cell)));
    }

    fn every_order(&self) -> &'static [&'static str] {
        &ORDERS
    }

    fn orders(&self, _at: &State, _who: Cell, out: &mut Vec<&'static str>) {
        out.extend(ORDERS);
    }

    fn obey(
        &self,
        at: &mut State,
        (who, order): (Cell, &str),
        _rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let key: Key = order.parse().expect("an order is a key");
        let (rows, cols) = key.offset();
        let change = match find(at, who).1.kind {
            Kind::SuperMonster => (2 * rows, 2 * cols),
            Kind::Monster | Kind::Bat => (rows, cols),
        };
        self.goes(at, who, self.baddie_attempts(who, change), events)
    }

    fn by_rule(
        &self,
        at: &mut State,
        who: Cell,
        _rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let aim = self.baddie_lands(find(at, who).1, at.hero);
        self.goes(at, who, aim, events)
    }
}

fn find(at: &State, who: Cell) -> (usize, Baddie) {
    let number = at.baddies.binary_search_by_key(&who, |baddie| baddie.cell);
    let number = number.expect("who moves is there");
    (number, at.baddies[number])
}

impl Baddies {
    /// Applies rule 5 to one baddie.
    fn goes(
        &self,
        at: &mut State,
        who: Cell,
        aim: Cell,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let (number, Baddie { kind, .. }) = find(at, who);
        let others = &at.baddies;
        let is_taken = |cell| {
            let found = others.binary_search_by_key(&cell, |other| other.cell);
            found.is_ok()
        };
        let (to, fate) = self.comes_to((who, aim), at.hero, is_taken);
        events.push(Event {
            actor: kind.glyph(),
            from: who,
            to,
            fate,
        });
        if fate == Fate::Fell {
            at.baddies.remove(number);
        } else {
            at.baddies[number].cell = to;
            at.baddies.sort_unstable();
        }
        (fate == Fate::Catches).then_some(Outcome::Caught(Cause::Chaser))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;
    use crate::ruleset::{Deterministic, Playable, Ruleset};

    fn board(rows: &str) -> Baddies {
        let mut puzzle = Puzzle::empty();
        Boards::new(rows.as_bytes(), 1).read(&mut puzzle).unwrap();
        Baddies::read(&puzzle).unwrap()
    }

    fn ordered(rows: &str, at: (u32, u32), order: &str) -> (String, Option<Outcome>) {
        let board = board(rows);
        let mut state = board.start();
        let who = board.grid.cell(at.0, at.1).unwrap();
        let rng = &mut Rng::new(0);
        let outcome = board.obey(&mut state, (who, order), rng, &mut Vec::new());
        (board.picture(&state).join("/"), outcome)
    }

    #[test]
    fn a_monster_goes_one_step_and_a_super_monster_two() {
        let rows = "H....*\n......\n..m.M.\n";
        assert_eq!(ordered(rows, (2, 2), "w").0, "H    */  m   /    M ");
        assert_eq!(ordered(rows, (2, 4), "q").0, "H M  */      /  m   ");
        assert_eq!(ordered(rows, (2, 4), "s").0, "H    */      /  m M ");
        assert_eq!(
            ordered(rows, (2, 4), "a").0,
            "H    */      /  m M ",
            "it is taken"
        );
    }

    #[test]
    fn a_led_monster_catches_falls_and_is_kept_off_ladders() {
        let caught = Some(Outcome::Caught(Cause::Chaser));
        assert_eq!(ordered("Hm*#\n", (0, 1), "a").1, caught);
        assert_eq!(ordered("Hm*#\n", (0, 1), "d"), ("Hm*#".into(), None));
        assert_eq!(ordered("H*m#\n", (0, 2), "d"), ("H* #".into(), None));
    }

    #[test]
    fn one_by_one_by_rule_is_a_round() {
        let rows = "H.#..m\n.~.M.*\nm.m.#M\n.m..~.\n";
        let board = board(rows);
        let (mut whole, mut single) = (board.start(), board.start());
        for _ in 0..6 {
            let (mut events, mut one_by_one, mut turn) = (Vec::new(), Vec::new(), Vec::new());
            let outcome = board.chase(&mut whole, &mut events);
            board.in_turn(&single, &mut turn);
            let rng = &mut Rng::new(0);
            let ended = turn
                .iter()
                .find_map(|&(_, who)| board.by_rule(&mut single, who, rng, &mut one_by_one));
            assert_eq!((outcome, &whole, events), (ended, &single, one_by_one));
            if outcome.is_some() {
                return;
            }
        }
    }
}
