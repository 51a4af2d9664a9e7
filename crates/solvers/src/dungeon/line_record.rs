//! Lines of play as they are played, and games that are played to find one.

use getaway_board::grid::Cell;
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_play::solution::{LuckyLine, LuckyStep, LuckyTurn};
use getaway_rules::dungeon::{Choice, Dungeon, Move, State};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Cause, Outcome, Ruleset, Stochastic};

const SEED: u64 = 0;

/// A line of play under way.
pub(super) struct LineRecord<'a> {
    dungeon: &'a Dungeon,
    pub(super) at: State,
    pub(super) line: LuckyLine,
}

/// A factor for the probability of each step, so that the product is a lower bound despite rounding: a probability is rounded
/// about four times, by at most half an epsilon each, and twice more when it is multiplied by this factor and into the product.
const ROUNDED_DOWN: f64 = 1.0 - 4.0 * f64::EPSILON;

impl<'a> LineRecord<'a> {
    pub(super) fn new(dungeon: &'a Dungeon) -> Self {
        Self {
            dungeon,
            at: dungeon.start(),
            line: LuckyLine {
                turns: Vec::new(),
                probability: 1.0,
            },
        }
    }

    /// Adds a move to the line, or to its last turn if other players have moved in it.
    pub(super) fn note_move(&mut self, mv: Move, begins_turn: bool) {
        match self.line.turns.last_mut().filter(|_| !begins_turn) {
            Some(turn) => turn.mv = format!("{},{mv}", turn.mv),
            None => self.line.turns.push(LuckyTurn {
                mv: mv.to_string(),
                adversaries: Vec::new(),
            }),
        }
    }

    /// Adds an adversary's step, which it is about to make.
    pub(super) fn note(&mut self, who: Cell, choice: Choice, probability: f64) {
        let grid = self.dungeon.level.grid;
        let adversary = self.at.adversaries.iter().find(|other| other.cell == who);
        let step = adversary.map(|other| LuckyStep {
            glyph: other.kind.glyph(),
            from: grid.position(who),
            to: grid.position(choice.to),
            is_teleport: choice.is_teleport,
            probability,
        });
        if let Some(turn) = self.line.turns.last_mut() {
            turn.adversaries.extend(step);
        }
        self.line.probability *= probability * ROUNDED_DOWN;
    }

    /// Plays a turn; returns an outcome if it ends the game. An illegal move loses.
    fn play(&mut self, choose: impl Fn(&State) -> Move, rng: &mut Rng) -> Option<Outcome> {
        let mut begins_turn = true;
        while begins_turn || !self.dungeon.all_moved(&self.at) {
            let mv = choose(&self.at);
            if self.dungeon.refusal(&self.at, mv).is_some() {
                return Some(Outcome::Caught(Cause::Trapped));
            }
            self.note_move(mv, begins_turn);
            let outcome = self.dungeon.act(&mut self.at, mv, &mut ());
            if outcome.is_some() {
                return outcome;
            }
            begins_turn = false;
        }
        let (mut chasers, mut outcomes) = (Vec::new(), Distribution::new());
        self.dungeon.chasers(&self.at, &mut chasers);
        chasers.into_iter().find_map(|who| {
            outcomes.clear();
            self.dungeon.outcomes(&self.at, who, &mut outcomes);
            let choice = *outcomes.draw(rng.uniform());
            let mut all = outcomes.iter();
            let probability = all.find(|(other, _)| *other == choice).map(|found| found.1);
            self.note(who, choice, probability.unwrap_or_default());
            self.dungeon.carry_out(&mut self.at, who, &choice, &mut ())
        })
    }
}

/// Plays games by the rules, with moves from `choose`, until one escapes, and returns its line. Returns `None` if none of `games`
/// games escapes within `turns` turns, or if the time runs out first.
pub(super) fn escaping_line(
    dungeon: &Dungeon,
    choose: impl Fn(&State) -> Move,
    games: u64,
    turns: usize,
    limits: &Limits,
) -> Option<LuckyLine> {
    let mut games = (0..games).take_while(|_| limits.check_time().is_ok());
    games.find_map(|game| {
        let mut record = LineRecord::new(dungeon);
        let mut rng = Rng::of_run(SEED, game);
        let mut played = (0..turns).map(|_| record.play(&choose, &mut rng));
        let outcome = played.find_map(|outcome| outcome);
        (outcome == Some(Outcome::Escaped)).then_some(record.line)
    })
}
