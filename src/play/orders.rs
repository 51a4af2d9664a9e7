//! What chasers did that somebody led, as the header `chasers` tells it: a group for each turn, and in it a letter for
//! each chaser, in the order in which they move.

use super::turn::chase;
use crate::grid::Cell;
use crate::rng::Rng;
use crate::ruleset::led::{Led, NoOrder};
use crate::ruleset::{Event, Outcome, Playable, Stochastic};

/// In the place of an order: this chaser moves by its own rules.
pub(super) const BY_RULE: char = '-';

/// The orders of chasers, turn by turn. After the last group all of them move by their own rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders(Vec<Group>);

/// The orders of one turn.
#[derive(Clone, Debug)]
struct Group {
    /// Where it stands in the header, in characters from 0.
    at: usize,
    letters: Vec<char>,
}

impl Orders {
    /// The groups of this text, with white space between them.
    pub(crate) fn read(text: &str) -> Self {
        let mut orders = Self::default();
        orders.add(text);
        orders
    }

    /// Turns that follow.
    pub(crate) fn add(&mut self, text: &str) {
        let mut at = 0;
        for part in text.split(char::is_whitespace) {
            let letters: Vec<char> = part.chars().collect();
            let next = at + letters.len() + 1;
            if !letters.is_empty() {
                self.0.push(Group { at, letters });
            }
            at = next;
        }
    }

    /// The first of its turns, so many at most, as the header tells them.
    pub(crate) fn text(&self, turns: usize) -> String {
        let groups: Vec<String> = self.0.iter().take(turns).map(Group::text).collect();
        groups.join(" ")
    }

    /// The group of this turn, from 1; empty where there is none.
    pub(crate) fn group(&self, turn: usize) -> String {
        let number = turn.checked_sub(1);
        let group = number.and_then(|number| self.0.get(number));
        group.map_or_else(String::new, Group::text)
    }

    /// All chasers move in turn `turn`; an outcome if that ends the game.
    ///
    /// # Errors
    ///
    /// If the orders of this turn are not open to them.
    pub(crate) fn chase<R: Stochastic + Playable>(
        &self,
        rules: &R,
        at: &mut R::State,
        (turn, rng): (usize, &mut Rng),
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, NoOrder> {
        let Some(group) = self.0.get(turn - 1) else {
            return Ok(chase(rules, at, rng, events));
        };
        let led = rules
            .led()
            .ok_or_else(|| group.fault(turn, "means nothing: nobody leads chasers in this game"))?;
        let mut chasers = Vec::new();
        led.in_turn(at, &mut chasers);
        for (number, &(glyph, who)) in chasers.iter().enumerate() {
            let place = || {
                let (row, col) = rules.grid().position(who);
                format!("`{glyph}` at {},{}", row + 1, col + 1)
            };
            let outcome = match group.letters.get(number) {
                None => {
                    let why = format!("has no letter for {}", place());
                    return Err(group.fault(turn, &why));
                }
                Some(&BY_RULE) => led.by_rule(at, who, rng, events),
                Some(&letter) => {
                    let order = order(led, at, who, letter).map_err(|legal| {
                        let why = format!("is not open to {}; legal: {legal}", place());
                        group.fault_at(turn, number, &why)
                    })?;
                    led.obey(at, (who, order), rng, events)
                }
            };
            if outcome.is_some() {
                group.must_end(turn, number + 1, "the game is over before this one moves")?;
                return Ok(outcome);
            }
        }
        group.must_end(turn, chasers.len(), "there is no chaser left for it")?;
        Ok(None)
    }

    /// Whether there are no orders for turns after this one.
    ///
    /// # Errors
    ///
    /// The first of them.
    pub(crate) fn must_end(&self, turn: usize) -> Result<(), NoOrder> {
        match self.0.get(turn) {
            None => Ok(()),
            Some(group) => {
                let why = "is one too many: the chasers do not move any more";
                Err(group.fault(turn + 1, why))
            }
        }
    }
}

/// The order of this letter, if it is open to the chaser at `who`; else the letters that are.
fn order<S>(led: &dyn Led<S>, at: &S, who: Cell, letter: char) -> Result<&'static str, String> {
    let mut orders = Vec::new();
    led.orders(at, who, &mut orders);
    let mut text = [0; 4];
    let text = &*letter.encode_utf8(&mut text);
    let found = orders.iter().find(|order| **order == text);
    found.copied().ok_or_else(|| orders.join(", "))
}

impl Group {
    fn text(&self) -> String {
        self.letters.iter().collect()
    }

    fn fault(&self, turn: usize, why: &str) -> NoOrder {
        NoOrder {
            turn,
            at: self.at,
            text: self.text(),
            why: why.to_owned(),
        }
    }

    fn fault_at(&self, turn: usize, number: usize, why: &str) -> NoOrder {
        NoOrder {
            at: self.at + number,
            text: self.letters[number].to_string(),
            ..self.fault(turn, why)
        }
    }

    /// No letters may follow the first so many.
    fn must_end(&self, turn: usize, letters: usize, why: &str) -> Result<(), NoOrder> {
        if letters < self.letters.len() {
            return Err(self.fault_at(turn, letters, &format!("is one too many: {why}")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_told_as_they_were_read_and_where_they_stand() {
        let orders = Orders::read("  U. -L\t.\n");
        assert_eq!(orders.text(9), "U. -L .");
        assert_eq!(orders.text(2), "U. -L");
        let places: Vec<_> = orders.0.iter().map(|group| group.at).collect();
        assert_eq!(places, [2, 5, 8]);
        let error = orders.must_end(1).unwrap_err();
        assert_eq!((error.turn, error.at, &*error.text), (2, 5, "-L"));
        assert_eq!(orders.must_end(3), Ok(()));
        assert_eq!(Orders::read(" ").text(9), "");
    }
}
