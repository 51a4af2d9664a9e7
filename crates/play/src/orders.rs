//! Orders for *controlled* chasers, which obey them instead of their own rules, as in the header `chasers`. Each turn has a
//! group, with a letter for each chaser in the order in which they move.

use super::turn::{Chase, control};
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::{Controlled, OrderError};
use getaway_ruleset::{Event, Outcome, Playable, Stochastic};

/// The letter for a chaser that moves by its own rules.
pub(super) const BY_RULE: char = '-';

/// The groups of the first turns. In later turns, all chasers move by their own rules.
#[derive(Clone, Debug, Default)]
pub struct Orders(Vec<Group>);

#[derive(Clone, Debug)]
struct Group {
    /// The offset in the text that was read, such as the header, in characters.
    at: usize,
    letters: Vec<char>,
}

impl Orders {
    /// Reads the header `chasers`. Orders that can't be obeyed are reported during the game.
    pub fn read(text: &str) -> Self {
        let mut orders = Self::default();
        orders.add(text);
        orders
    }

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

    /// Returns the first turn, from 1, in which `other` has different orders; `None` if all are equal.
    pub(crate) fn first_difference(&self, other: &Self) -> Option<usize> {
        let letters = |orders: &Self, turn: usize| Some(orders.0.get(turn - 1)?.letters.clone());
        let mut turns = 1..=self.0.len().max(other.0.len());
        turns.find(|&turn| letters(self, turn) != letters(other, turn))
    }

    pub(crate) fn text(&self, turns: usize) -> String {
        let groups: Vec<String> = self.0.iter().take(turns).map(Group::text).collect();
        groups.join(" ")
    }

    pub(crate) fn group(&self, turn: usize) -> String {
        self.0.get(turn - 1).map_or_else(String::new, Group::text)
    }

    /// Moves all chasers in turn `turn`, from 1; returns the outcome if that ends the game.
    pub(crate) fn chase<R: Stochastic + Playable>(
        &self,
        rules: &R,
        turn: usize,
        at: &mut R::State,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Result<Option<Outcome>, OrderError> {
        let Some(group) = self.0.get(turn - 1) else {
            return Ok(Chase::default().play(rules, at, rng, events));
        };
        let controlled = rules.controlled().ok_or_else(|| {
            group.fault(
                turn,
                "has no meaning: chasers in this game always follow their rules",
            )
        })?;
        let mut moved = 0;
        let outcome = control(
            rules,
            controlled,
            at,
            rng,
            events,
            |at, (glyph, cell), _| {
                let place = || {
                    let place = R::LEGEND.place(rules.grid().position(cell));
                    format!("`{glyph}` at {place}")
                };
                let order = match group.letters.get(moved) {
                    None => {
                        let why = format!("has no letter for {}", place());
                        return Err(group.fault(turn, &why));
                    }
                    Some(&BY_RULE) => None,
                    Some(&letter) => {
                        Some(order(controlled, at, cell, letter).map_err(|legal| {
                            let why = format!("is illegal for {}; legal: {legal}", place());
                            group.fault_at(turn, moved, &why)
                        })?)
                    }
                };
                moved += 1;
                Ok(order)
            },
        )?;
        if moved == group.letters.len() {
            return Ok(outcome);
        }
        let why = match outcome {
            Some(_) => "is one too many: the game is over before this one moves",
            None => "is one too many: there is no chaser left for it",
        };
        Err(group.fault_at(turn, moved, why))
    }

    pub(crate) fn must_end(&self, turn: usize) -> Result<(), OrderError> {
        match self.0.get(turn) {
            None => Ok(()),
            Some(group) => {
                let why = "is one too many: the chasers have no more turns";
                Err(group.fault(turn + 1, why))
            }
        }
    }
}

fn order<S>(
    controlled: &dyn Controlled<S>,
    at: &S,
    who: Cell,
    letter: char,
) -> Result<&'static str, String> {
    let mut orders = Vec::new();
    controlled.orders(at, who, &mut orders);
    let found = orders.iter().find(|order| order.chars().eq([letter]));
    found.copied().ok_or_else(|| orders.join(", "))
}

impl Group {
    fn text(&self) -> String {
        self.letters.iter().collect()
    }

    fn fault(&self, turn: usize, why: &str) -> OrderError {
        OrderError {
            turn,
            at: self.at,
            text: self.text(),
            why: why.to_owned(),
        }
    }

    fn fault_at(&self, turn: usize, number: usize, why: &str) -> OrderError {
        OrderError {
            at: self.at + number,
            text: self.letters[number].to_string(),
            ..self.fault(turn, why)
        }
    }
}

#[cfg(test)]
#[path = "orders_tests.rs"]
mod tests;
