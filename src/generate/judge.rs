//! How good a board is: how far its measures are from what is wanted.

use std::ops::RangeInclusive;

use super::layout::{Plan, chasers};
use super::measures::{Measures, Meter, Worths};
use super::sketch::Sketch;
use super::wishes::{Wanted, Wishes};
use crate::analysis::difficulty::Difficulty;
use crate::game::Game;
use crate::limits::Limit;
use crate::solution::{Evidence, Verdict};

/// A board, and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The board.
    pub sketch: Sketch,
    /// What is known of it.
    pub measures: Measures,
    /// How far it is from what was asked for; 0: it is as wished.
    pub shortfall: f64,
    /// How far it is from what is usual where nothing is asked for; 0: it is worth playing.
    pub dullness: f64,
}

impl Judged {
    /// Both together: what a search wants to make small.
    pub fn distance(&self) -> f64 {
        self.shortfall + self.dullness
    }
}

/// One who judges boards by what is wanted.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Who measures them.
    pub meter: Meter<'a>,
    /// What they may have on them.
    pub plan: &'a Plan,
    /// What is wanted of them.
    pub wishes: &'a Wishes,
}

/// How far a board with the wrong verdict is from what is wanted.
const WRONG: f64 = 1000.0;

/// How many moves it is worth that those who chase make a difference.
const IDLE: f64 = 4.0;

/// How many moves a first move too many is worth.
const FIRST_MOVE: f64 = 3.0;

/// How many moves another shortest line is worth.
const TIE: f64 = 1.0;

/// How many moves a bit of difficulty is worth.
const DIFFICULTY: f64 = 2.0;

/// How many moves it is worth that a probability is right.
const PROBABILITY: f64 = 100.0;

/// A probability up to this one is small: one that is not is told from it by how many times as large it is.
const SMALL: f64 = 0.1;

/// How many moves it is worth that a small probability is not twice as large.
const HALVING: f64 = 4.0;

impl Judge<'_> {
    /// How good a board is; `None` if it is none, can't be played, is too hard to solve, or is farther than
    /// `bound` from what is wanted.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn judge(&self, sketch: Sketch, bound: f64) -> Result<Option<Judged>, Limit> {
        let Some(game) = self.meter.game(&sketch) else {
            return Ok(None);
        };
        let Some(solution) = self.meter.solve(&*game)? else {
            return Ok(None);
        };
        let mut judged = Judged {
            measures: Measures {
                solution,
                worths: Worths::default(),
            },
            sketch,
            shortfall: 0.0,
            dullness: 0.0,
        };
        // What is known for free comes first: most boards are turned down by that.
        self.judge_answer(&mut judged);
        if judged.distance() <= bound {
            self.judge_chasers(&mut judged)?;
        }
        if judged.distance() <= bound && !self.judge_turns(&mut judged, &*game)? {
            return Ok(None);
        }
        if judged.distance() <= bound && !self.judge_moves(&mut judged, &*game)? {
            return Ok(None);
        }
        Ok((judged.distance() <= bound).then_some(judged))
    }

    /// The verdict that is wanted, if it matters.
    fn verdict(&self) -> Option<Verdict> {
        match self.wishes.verdict {
            Wanted::Any => None,
            Wanted::Taste => Some(self.meter.layout.question().verdicts()[0]),
            Wanted::Verdict(verdict) => Some(verdict),
        }
    }

    fn judge_answer(&self, judged: &mut Judged) {
        let Measures { solution, .. } = &judged.measures;
        if self
            .verdict()
            .is_some_and(|wanted| wanted != solution.verdict())
        {
            judged.shortfall += WRONG;
        }
        let missing = |wanted: usize| match judged.measures.moves() {
            Some(moves) => wanted.saturating_sub(moves) as f64,
            None if solution.verdict().is_good() => 0.0,
            None => WRONG,
        };
        match (self.wishes.min_moves, self.wishes.verdict) {
            (Some(wanted), _) => judged.shortfall += missing(wanted),
            (None, Wanted::Taste) => {
                judged.dullness += missing(self.meter.layout.usual_moves(self.plan));
            }
            _ => {}
        }
        if let Some(range) = &self.wishes.probability {
            let found = judged.measures.probability();
            judged.shortfall += found.map_or(WRONG, |found| improbable(range, found));
        }
    }

    /// Finds out how many turns games take, if they should take many; whether that did not take too long.
    fn judge_turns(&self, judged: &mut Judged, game: &dyn Game) -> Result<bool, Limit> {
        let Some(wanted) = self.wishes.min_turns else {
            return Ok(true);
        };
        if !judged.measures.solution.verdict().is_good() {
            judged.shortfall += WRONG;
            return Ok(true);
        }
        let turns = self.meter.expected_turns(game)?;
        judged.measures.worths.expected_turns = turns;
        judged.shortfall += turns.map_or(0.0, |turns| (wanted as f64 - turns).max(0.0));
        Ok(turns.is_some())
    }

    /// Finds out what the moves are worth, as far as anything is wanted of them; whether that did not
    /// take too long.
    fn judge_moves(&self, judged: &mut Judged, game: &dyn Game) -> Result<bool, Limit> {
        let Some(line) = judged.measures.solution.line() else {
            return Ok(true);
        };
        let worths = self.meter.worths(game, (line, self.wishes.depth()))?;
        let Some(worths) = worths else {
            return Ok(false);
        };
        let expected_turns = judged.measures.worths.expected_turns;
        judged.measures.worths = Worths {
            expected_turns,
            ..worths
        };
        if let Some((most, count)) = self.wishes.max_first_moves.zip(worths.first_moves) {
            judged.shortfall += FIRST_MOVE * count.saturating_sub(most) as f64;
        }
        if let Some(ties) = worths.ties.filter(|_| self.wishes.unique) {
            judged.shortfall += TIE * ties as f64;
        }
        if let Some(range) = &self.wishes.difficulty {
            judged.shortfall += match worths.difficulty {
                Some(Difficulty::Exactly(found)) => DIFFICULTY * outside(range, found),
                Some(Difficulty::AtMost(_)) => return Ok(false),
                None => WRONG,
            };
        }
        Ok(true)
    }

    /// A game is dull if it would be the same without those who chase.
    fn judge_chasers(&self, judged: &mut Judged) -> Result<(), Limit> {
        let count: usize = chasers(self.meter.layout.amounts())
            .map(|glyph| judged.sketch.count(glyph))
            .sum();
        if self.wishes.verdict == Wanted::Any || count == 0 {
            return Ok(());
        }
        let Some(bare) = self.meter.layout.without_chasers(&judged.sketch) else {
            return Ok(());
        };
        let Some(game) = self.meter.game(&bare) else {
            return Ok(());
        };
        let bare = self.meter.solve(&*game)?.map(|solution| Measures {
            solution,
            worths: Worths::default(),
        });
        if bare.is_none_or(|bare| bare.is_same_answer(&judged.measures)) {
            judged.dullness += IDLE;
        }
        Ok(())
    }
}

/// How far a probability is from a range, in moves.
fn improbable(range: &RangeInclusive<f64>, found: f64) -> f64 {
    let (low, high) = (*range.start(), *range.end());
    if high > SMALL {
        return PROBABILITY * outside(range, found);
    }
    // Zero is as far from any other as the least that can be told from it.
    let times = |over: f64, under: f64| (over / under.max(Evidence::PRECISION)).log2();
    let least = if range.contains(&found) { 0.0 } else { 1.0 };
    HALVING * times(found, high).max(times(low, found)).max(least)
}

/// How far a number is from a range.
fn outside(range: &RangeInclusive<f64>, number: f64) -> f64 {
    (range.start() - number).max(number - range.end()).max(0.0)
}
