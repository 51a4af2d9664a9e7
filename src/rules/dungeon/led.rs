//! Ghosts and zombies led by an agent.
//!
//! Rules 6 and 7 hold. Unlike adversaries that follow a strategy, they may also stay where they could move, and a
//! ghost's cooldown never changes.

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

    /// Lists the steps in the order of [`Dir::ALL`], then staying.
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
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;
    use crate::ruleset::{Playable, Ruleset};

    fn level(text: &str) -> Dungeon {
        let mut puzzle = Puzzle::empty();
        Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap();
        Dungeon::read(&puzzle).unwrap()
    }

    const ROOMS: &str = "-----XXX----\n|P..|XXX|..|\n|..GD...D.E|\n|.ZK|XXX|..|\n-----XXX----\n";

    fn orders(level: &Dungeon, (row, col): (u32, u32)) -> String {
        let (mut orders, who) = (Vec::new(), level.level.grid.cell(row, col).unwrap());
        level.orders(&level.start(), who, &mut orders);
        orders.join(" ")
    }

    /// Rule 6, worked out by hand: the ghost may enter the door but not, under `chase`, the key; the zombie stays in
    /// its room.
    #[test]
    fn orders_are_the_ways_that_the_strategy_leaves_open() {
        let chase = level(&format!("; ruleset: dungeon\n{ROOMS}"));
        assert_eq!(orders(&chase, (2, 3)), "U L R .");
        assert_eq!(orders(&chase, (3, 2)), "U L .");
        let cooldown = level(&format!(
            "; ruleset: dungeon\n; strategy: cooldown\n{ROOMS}"
        ));
        assert_eq!(orders(&cooldown, (2, 3)), "U D L R .");
        assert_eq!(orders(&cooldown, (3, 2)), "U L R .");
    }

    fn obeys(order: &str, seed: u64) -> String {
        let rows = "-----XXX----\n|P.G|XXX|..|\n----DXXXD---\n";
        let level = level(&format!("; ruleset: dungeon\n{rows}"));
        let (mut at, who) = (level.start(), level.level.grid.cell(1, 3).unwrap());
        let mut events = Vec::new();
        level.obey(&mut at, (who, order), &mut Rng::new(seed), &mut events);
        level.picture(&at)[1].clone()
    }

    #[test]
    fn a_led_ghost_steps_stays_and_teleports_to_any_free_tile() {
        assert_eq!(obeys("L", 1), "|PG.|XXX|..|");
        assert_eq!(obeys(".", 1), "|P.G|XXX|..|");
        let mut seen: Vec<_> = (0..64).map(|seed| obeys("U", seed)).collect();
        seen.sort();
        seen.dedup();
        let free = [
            "|P..|XXX|.G|",
            "|P..|XXX|G.|",
            "|P.G|XXX|..|",
            "|PG.|XXX|..|",
        ];
        assert_eq!(seen, free);
    }

    #[test]
    fn a_led_zombie_catches() {
        let level = level("; ruleset: dungeon\n----\n|PZ|\n----\n");
        let (mut at, who) = (level.start(), level.level.grid.cell(1, 2).unwrap());
        let outcome = level.obey(&mut at, (who, "L"), &mut Rng::new(0), &mut Vec::new());
        assert!(matches!(outcome, Some(Outcome::Caught(_))));
    }
}
