//! Checking a winning path: it is replayed under the rules, which know nothing of the solver's
//! nodes.

use super::one_player::{OnePlayerMdp, Phase};
use crate::distribution::Distribution;
use crate::grid::Cell;
use crate::limits::{Clock, Limit, Limits};
use crate::rules::dungeon::{Choice, Dungeon, Manner, Move, State};
use crate::ruleset::{Outcome, Ruleset, Stochastic};
use crate::solution::{LuckyLine, LuckyStep, LuckyTurn};

/// A replay of nodes under the rules, which know nothing of nodes: every move is legal, and
/// whatever else happens has a positive probability.
pub(super) struct Witness<'a> {
    dungeon: &'a Dungeon,
    mdp: &'a OnePlayerMdp,
    at: State,
    /// The adversaries that have moved in this round, where they are now.
    moved: Vec<Cell>,
    /// What is left of the path; the present node comes first.
    path: &'a [u64],
    /// What has happened so far.
    line: LuckyLine,
    clock: Clock<'a>,
    /// The limit that ended the replay, if one did.
    reached: Option<Limit>,
}

/// How many units of work it is to try what an adversary might do.
const WORK: u64 = 256;

/// A probability has been rounded some four times, each time by half of this at most, and is once more.
const ROUNDED_DOWN: f64 = 1.0 - 4.0 * f64::EPSILON;

impl<'a> Witness<'a> {
    /// The line of play that takes this path, if that leads to an escape under the rules: the nodes from the initial
    /// one to the last one before the escape. Its probability is a lower bound on that of escape.
    ///
    /// # Errors
    ///
    /// The limit that was reached before that was known.
    pub(super) fn line(
        dungeon: &'a Dungeon,
        mdp: &'a OnePlayerMdp,
        path: &[u64],
        limits: &Limits<'a>,
    ) -> Result<Option<LuckyLine>, Limit> {
        // Ghosts are not in transit under the rules.
        let is_position = |number: &u64| !mdp.is_in_transit(*number);
        let path: Vec<u64> = path.iter().copied().filter(is_position).collect();
        let mut witness = Witness {
            dungeon,
            mdp,
            at: dungeon.start(),
            moved: Vec::new(),
            path: &path,
            line: LuckyLine {
                turns: Vec::new(),
                probability: 1.0,
            },
            clock: Clock::new(limits),
            reached: None,
        };
        let begins = witness.number() == path.first().copied();
        let gets_out = begins && witness.gets_out();
        match witness.reached {
            Some(limit) => Err(limit),
            None => Ok(gets_out.then_some(witness.line)),
        }
    }

    fn gets_out(&mut self) -> bool {
        while self.path.len() > 1 {
            if self.turn().is_none() {
                return false;
            }
        }
        let escapes = |&mv: &Move| {
            self.dungeon.act(&mut self.at.clone(), mv, &mut ()) == Some(Outcome::Escaped)
        };
        let last = self.moves().into_iter().find(escapes);
        self.line.turns.extend(last.map(|mv| LuckyTurn {
            mv: mv.to_string(),
            adversaries: Vec::new(),
        }));
        last.is_some()
    }

    /// The number of the present node.
    fn number(&self) -> Option<u64> {
        self.mdp.number(&self.at, Phase::Player, &[])
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.dungeon.moves(&self.at, &mut moves);
        moves
    }

    /// Plays a whole turn along the path; `None` if the rules allow no such turn.
    fn turn(&mut self) -> Option<()> {
        self.moved.clear();
        let (mv, at, left) = self.moves().into_iter().find_map(|mv| {
            let mut at = self.at.clone();
            let ended = self.dungeon.act(&mut at, mv, &mut ());
            let left = self.arrive(&at, 1)?;
            ended.is_none().then_some((mv, at, left))
        })?;
        (self.at, self.path) = (at, left);
        self.line.turns.push(LuckyTurn {
            mv: mv.to_string(),
            adversaries: Vec::new(),
        });
        let mut chasers = Vec::new();
        self.dungeon.chasers(&self.at, &mut chasers);
        chasers.into_iter().try_for_each(|who| self.chase(who))
    }

    /// Moves one adversary along the path.
    fn chase(&mut self, who: Cell) -> Option<()> {
        let mut chances = Distribution::new();
        self.dungeon.chances(&self.at, who, &mut chances);
        let possible = chances.iter().filter(|(_, probability)| *probability > 0.0);
        for (choice, probability) in possible {
            self.reached = self.clock.work(WORK).err();
            if self.reached.is_some() {
                return None;
            }
            let mut at = self.at.clone();
            let ended = self.dungeon.carry_out(&mut at, who, choice, &mut ());
            self.moved.push(choice.to);
            // A zombie that never moves is no part of the nodes, and its turn no step of the path.
            let left = self.arrive(&at, 1).or_else(|| self.arrive(&at, 0));
            if let Some(left) = left.filter(|_| ended.is_none()) {
                self.note(who, *choice, *probability);
                (self.at, self.path) = (at, left);
                return Some(());
            }
            self.moved.pop();
        }
        None
    }

    /// Notes what an adversary does.
    fn note(&mut self, who: Cell, choice: Choice, probability: f64) {
        let grid = self.dungeon.level.grid;
        let kind = self.at.adversaries.iter().find(|other| other.cell == who);
        let step = kind.map(|other| LuckyStep {
            glyph: other.kind.glyph(),
            from: grid.position(who),
            to: grid.position(choice.to),
            is_teleport: choice.manner == Manner::Teleports,
            probability,
        });
        if let Some(turn) = self.line.turns.last_mut() {
            turn.adversaries.extend(step);
        }
        self.line.probability *= probability * ROUNDED_DOWN;
    }

    /// What is left of the path if this state is `ahead` steps ahead on it.
    fn arrive(&self, at: &State, ahead: usize) -> Option<&'a [u64]> {
        let number = self.mdp.number(at, Phase::Adversaries, &self.moved)?;
        let left = self.path.get(ahead..)?;
        (left.first() == Some(&number)).then_some(left)
    }
}
