//! A variant of the game in which agents choose the steps of ghosts and zombies.
//!
//! Rules 6 and 7 apply; orders take the place of rule 8. A controlled adversary may stay even if it could move. An order never
//! changes the cooldown of a ghost.

use super::{Choice, Dungeon, State, Surroundings};
use getaway_board::grid::{Cell, Dir};
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::{Controlled, Role};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Event, Outcome, Stochastic};

/// The orders: the steps in the order of [`Dir::ALL`], then staying.
const ORDERS: [&str; 5] = ["U", "D", "L", "R", "."];

impl Controlled<State> for Dungeon {
    fn roles(&self) -> &'static [Role] {
        &[
            Role {
                name: "ghost",
                glyphs: "G",
            },
            Role {
                name: "zombie",
                glyphs: "Z",
            },
        ]
    }

    fn all_orders(&self) -> &'static [&'static str] {
        &ORDERS
    }

    fn orders(&self, at: &State, who: Cell, out: &mut Vec<&'static str>) {
        let scene = Surroundings {
            players: &at.players,
            others: &at.others(who),
            key: at.key,
        };
        let ways = self.open_ways(who, at.kind(who), &scene);
        out.extend(ways.iter().map(|dir| ORDERS[dir as usize]));
        out.push(ORDERS[4]);
    }

    fn control(
        &self,
        at: &mut State,
        who: Cell,
        order: Option<&str>,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let stays = Choice {
            to: who,
            is_teleport: false,
            cooldown: at.kind(who).cooldown(),
        };
        let dir = |order| Dir::ALL.into_iter().zip(ORDERS).find(|it| it.1 == order);
        let to = order
            .and_then(dir)
            .and_then(|(dir, _)| self.level.grid.step(who, dir));
        let mut outcomes = Distribution::new();
        let choice = match to {
            None if order.is_some() => stays,
            Some(to) if !self.level.tile(to).teleports() => Choice { to, ..stays },
            None => {
                self.outcomes(at, who, &mut outcomes);
                *outcomes.draw(rng.uniform())
            }
            Some(_) => {
                self.push_teleports(at, &at.others(who), stays, 1.0, &mut outcomes);
                *outcomes.draw(rng.uniform())
            }
        };
        self.carry_out(at, who, &choice, events)
    }
}

#[cfg(test)]
#[path = "controlled_tests.rs"]
mod tests;
