//! Replays winning paths through the solver's nodes under the rules.

use super::line_record::LineRecord;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_models::{DungeonMdp, Phase};
use getaway_play::solution::LuckyLine;
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Outcome, Ruleset, Stochastic, legal};

/// Checks that every move is legal and every draw has a positive probability.
pub(super) struct Witness<'a> {
    dungeon: &'a Dungeon,
    mdp: &'a DungeonMdp,
    record: LineRecord<'a>,
    moved: Vec<Cell>,
    path: &'a [u64],
    clock: Clock<'a>,
}

const WORK: u64 = 256;

impl<'a> Witness<'a> {
    /// Turns a path, which ends at the last node before the escape, into a line of play; `None` if that does not escape under
    /// the rules. The line's probability is a lower bound on the probability of escape.
    pub(super) fn line(
        dungeon: &'a Dungeon,
        mdp: &'a DungeonMdp,
        path: &[u64],
        limits: &Limits<'a>,
    ) -> Result<Option<LuckyLine>, Limit> {
        // Under the rules, no state has a ghost in transit.
        let is_position = |number: &u64| !mdp.is_in_transit(*number);
        let path: Vec<u64> = path.iter().copied().filter(is_position).collect();
        let mut witness = Witness {
            dungeon,
            mdp,
            record: LineRecord::new(dungeon),
            moved: Vec::new(),
            path: &path,
            clock: Clock::new(limits),
        };
        let first = mdp.number(&witness.record.at, Phase::Player, &[]);
        if first.is_none() || first != path.first().copied() {
            return Ok(None);
        }
        while witness.path.len() > 1 {
            if !witness.turn()? {
                return Ok(None);
            }
        }
        Ok(witness.escape().then_some(witness.record.line))
    }

    fn moves(&self) -> Vec<Move> {
        legal(self.dungeon, &self.record.at)
    }

    fn escape(&mut self) -> bool {
        let escapes = |&mv: &Move| {
            self.dungeon.act(&mut self.record.at.clone(), mv, &mut ()) == Some(Outcome::Escaped)
        };
        let last = self.moves().into_iter().find(escapes);
        if let Some(mv) = last {
            self.record
                .note_move(mv, self.dungeon.all_moved(&self.record.at));
        }
        last.is_some()
    }

    /// Plays the next player's move along the path and, after the last one, the adversaries' moves; returns whether the rules
    /// allow it.
    fn turn(&mut self) -> Result<bool, Limit> {
        self.moved.clear();
        let next = self.moves().into_iter().find_map(|mv| {
            let mut at = self.record.at.clone();
            let ended = self.dungeon.act(&mut at, mv, &mut ());
            let phase = if self.dungeon.all_moved(&at) {
                Phase::Adversaries
            } else {
                Phase::Player
            };
            let left = self.arrive(&at, phase, 1)?;
            ended.is_none().then_some((mv, at, left))
        });
        let Some((mv, at, left)) = next else {
            return Ok(false);
        };
        self.record
            .note_move(mv, self.dungeon.all_moved(&self.record.at));
        (self.record.at, self.path) = (at, left);
        let mut chasers = Vec::new();
        self.dungeon.chasers(&self.record.at, &mut chasers);
        for who in chasers {
            if !self.chase(who)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the adversary's move along the path; returns whether the rules allow it.
    fn chase(&mut self, who: Cell) -> Result<bool, Limit> {
        let mut outcomes = Distribution::new();
        self.dungeon.outcomes(&self.record.at, who, &mut outcomes);
        let possible = outcomes
            .iter()
            .filter(|(_, probability)| *probability > 0.0);
        for (choice, probability) in possible {
            self.clock.work(WORK)?;
            let mut at = self.record.at.clone();
            let ended = self.dungeon.carry_out(&mut at, who, choice, &mut ());
            self.moved.push(choice.to);
            // A zombie that never moves is not part of a node, so the path has no step for its turn.
            let arrive = |ahead| self.arrive(&at, Phase::Adversaries, ahead);
            let left = arrive(1).or_else(|| arrive(0));
            if let Some(left) = left.filter(|_| ended.is_none()) {
                self.record.note(who, *choice, *probability);
                (self.record.at, self.path) = (at, left);
                return Ok(true);
            }
            self.moved.pop();
        }
        Ok(false)
    }

    /// Returns the rest of the path after `ahead` steps, if that rest starts at this state.
    fn arrive(&self, at: &State, phase: Phase, ahead: usize) -> Option<&'a [u64]> {
        let number = self.mdp.number(at, phase, &self.moved)?;
        let left = self.path.get(ahead..)?;
        (left.first() == Some(&number)).then_some(left)
    }
}
