//! Ghosts and zombies led by an agent.
//!
//! Rules 6 and 7 apply. A led adversary may also stay where it could move. The cooldown of a led ghost never changes.

use super::{Choice, Dungeon, Manner, Scene, State};
use crate::distribution::Distribution;
use crate::grid::{Cell, Dir};
use crate::rng::Rng;
use crate::ruleset::led::{Led, Role};
use crate::ruleset::{Event, Outcome, Stochastic};

const STAY: &str = ".";

impl Led<State> for Dungeon {
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

    fn in_turn(&self, at: &State, out: &mut Vec<(char, Cell)>) {
        let adversaries = at.adversaries.iter();
        out.extend(adversaries.map(|other| (other.kind.glyph(), other.cell)));
    }

    fn every_order(&self) -> &'static [&'static str] {
        &["U", "D", "L", "R", STAY]
    }

    fn orders(&self, at: &State, who: Cell, out: &mut Vec<&'static str>) {
        let scene = Scene {
            players: &at.players,
            others: &at.others(who),
            key: at.key,
        };
        let ways = self.open_ways(who, at.kind(who), &scene);
        out.extend(ways.iter().map(word));
        out.push(STAY);
    }

    fn obey(
        &self,
        at: &mut State,
        (who, order): (Cell, &str),
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let stays = Choice {
            to: who,
            manner: Manner::Walks,
            cooldown: at.kind(who).cooldown(),
        };
        let dir = Dir::ALL.into_iter().find(|&dir| word(dir) == order);
        let to = dir.and_then(|dir| self.level.grid.step(who, dir));
        let choice = match to {
            None => stays,
            Some(to) if self.level.tile(to).teleports() => {
                let mut chances = Distribution::new();
                self.push_teleports(at, &at.others(who), (stays, 1.0), &mut chances);
                *chances.draw(rng.uniform())
            }
            Some(to) => Choice { to, ..stays },
        };
        self.carry_out(at, who, &choice, events)
    }

    fn by_rule(
        &self,
        at: &mut State,
        who: Cell,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        let mut chances = Distribution::new();
        self.chances(at, who, &mut chances);
        let choice = *chances.draw(rng.uniform());
        self.carry_out(at, who, &choice, events)
    }
}

const fn word(dir: Dir) -> &'static str {
    match dir {
        Dir::Up => "U",
        Dir::Right => "R",
        Dir::Down => "D",
        Dir::Left => "L",
    }
}

#[cfg(test)]
mod tests;
