//! Computes how far boards are from meeting the criteria.

use std::ops::RangeInclusive;

use super::criteria::{Criteria, Wanted};
use super::layout::{Plan, Question};
use super::measures::{MeasuredMoves, Measures, Meter};
use super::sketch::Sketch;
use getaway_board::limits::{Bounds, Limit};
use getaway_play::analysis::difficulty::Difficulty;
use getaway_solvers::game::Game;

/// A board with its measures and its distance from the criteria.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The board.
    pub sketch: Sketch,
    /// The measures of the board.
    pub measures: Measures,
    /// The distance from the criteria; 0 if the board meets them.
    pub shortfall: f64,
    /// The distance from a board that is worth playing.
    pub dullness: f64,
}

impl Judged {
    /// Returns the distance that a search minimizes.
    pub fn distance(&self) -> f64 {
        self.shortfall + self.dullness
    }
}

/// Observes a search: receives the number of further boards tried and, in some calls, the best board so far.
pub type Observer<'o> = dyn Fn(u64, Option<&Judged>) + Sync + 'o;

/// Judges boards by the criteria.
#[derive(Clone)]
pub struct Judge<'a> {
    pub meter: Meter<'a>,
    pub plan: Plan,
    pub criteria: &'a Criteria,
}

/// The penalty for a wrong verdict, or for a required measure that the board does not have.
pub(super) const WRONG_VERDICT: f64 = 1000.0;

// The penalty for each missing move or turn is 1.

/// The penalty for chasers that make no difference.
const IDLE_CHASERS_PENALTY: f64 = 4.0;

const FIRST_MOVE_PENALTY: f64 = 3.0;

const TIE_PENALTY: f64 = 1.0;

/// The penalty for each bit of difficulty outside the range.
const DIFFICULTY_PENALTY: f64 = 2.0;

/// The penalty for an error of 1 in a probability.
const PROBABILITY_PENALTY: f64 = 100.0;

/// If the wanted range ends at or below this probability, an error counts as a ratio.
const SMALL: f64 = 0.1;

/// The usual range of the probability of escape, in which escape depends on both luck and skill.
const USUAL_ODDS: RangeInclusive<f64> = 0.05..=0.95;

/// The penalty for each factor of 2 by which a small probability is wrong. A smaller error counts as one factor of 2.
const HALVING_PENALTY: f64 = 4.0;

impl Judge<'_> {
    /// Judges a board; returns `None` if [`Meter::game`] rejects it, if it is too hard to solve, or if its [`Judged::distance`]
    /// exceeds `bound`.
    ///
    /// # Errors
    ///
    /// Returns a limit on time, or the interruption.
    pub fn judge(&self, sketch: Sketch, bound: f64) -> Result<Option<Judged>, Limit> {
        let Some(game) = self.meter.game(&sketch) else {
            return Ok(None);
        };
        let is_near = |judged: &Judged| judged.distance() <= bound;
        match self.judge_game(sketch, &*game, is_near) {
            Ok(judged) => Ok(Some(judged).filter(is_near)),
            Err(Limit::States | Limit::Memory) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    /// Judges a board; returns `None` if [`Meter::game`] rejects it or it does not meet the criteria.
    ///
    /// # Errors
    ///
    /// Returns the limit that left open whether the board meets the criteria, even if it applies to this board alone.
    pub fn meets(&self, sketch: Sketch) -> Result<Option<Judged>, Limit> {
        let Some(game) = self.meter.game(&sketch) else {
            return Ok(None);
        };
        let meets = |judged: &Judged| judged.shortfall <= 0.0;
        let judged = self.judge_game(sketch, &*game, meets)?;
        match judged.measures.solution.limit() {
            Some(limit) if !meets(&judged) => Err(limit),
            _ => Ok(Some(judged).filter(meets)),
        }
    }

    /// Judges a board by one criterion after another as long as `goes_on` returns true.
    fn judge_game(
        &self,
        sketch: Sketch,
        game: &dyn Game,
        goes_on: impl Fn(&Judged) -> bool,
    ) -> Result<Judged, Limit> {
        let mut judged = Judged {
            measures: self.meter.solve_or_bound(game)?,
            sketch,
            shortfall: 0.0,
            dullness: 0.0,
        };
        // The cheap criteria come first, since they reject most boards.
        self.judge_answer(&mut judged);
        for judge in [Self::judge_chasers, Self::judge_turns, Self::judge_moves] {
            if goes_on(&judged) {
                judge(self, &mut judged, game)?;
            }
        }
        Ok(judged)
    }

    fn judge_answer(&self, judged: &mut Judged) {
        let verdict = judged.measures.solution.verdict();
        let question = self.meter.layout.style().question;
        let required = self.criteria.required_verdict(question);
        if required.is_some_and(|required| required != verdict) {
            judged.shortfall += WRONG_VERDICT;
        }
        let missing = |wanted: usize| match judged.measures.moves() {
            Some(moves) => wanted.saturating_sub(moves) as f64,
            None if verdict.is_success() => 0.0,
            None => WRONG_VERDICT,
        };
        match (self.criteria.min_moves, self.criteria.verdict) {
            (Some(wanted), _) => judged.shortfall += missing(wanted),
            (None, Wanted::Interesting) => {
                judged.dullness += missing(self.meter.layout.usual_moves(&self.plan));
            }
            _ => {}
        }
        let is_out = judged.measures.moves() == Some(0);
        let may_be_short = self.criteria.min_moves.is_none_or(|min| min == 0);
        if is_out && may_be_short && self.criteria.verdict != Wanted::Any {
            judged.shortfall += 1.0;
        }
        let missed = |range: &RangeInclusive<f64>| {
            let found = judged.measures.probability();
            found.map_or(WRONG_VERDICT, |found| probability_penalty(range, found))
        };
        if let Some(range) = &self.criteria.probability {
            judged.shortfall += missed(range);
        } else if let Some(range) = self.usual_odds() {
            judged.dullness += missed(&range);
        }
    }

    fn usual_odds(&self) -> Option<RangeInclusive<f64>> {
        let style = self.meter.layout.style();
        let is_open =
            self.criteria.verdict == Wanted::Interesting && self.criteria.min_turns.is_none();
        let is_usual = self.plan.rows * self.plan.cols <= style.size.cells();
        (style.question == Question::Chance && is_usual && is_open).then_some(USUAL_ODDS)
    }

    fn judge_turns(&self, judged: &mut Judged, game: &dyn Game) -> Result<(), Limit> {
        let Some(wanted) = self.criteria.min_turns else {
            return Ok(());
        };
        let solution = &judged.measures.solution;
        if !solution.verdict().is_success() || solution.limit().is_some() {
            judged.shortfall += WRONG_VERDICT;
            return Ok(());
        }
        let bounds = game.expected_turns(&self.meter.limits)?;
        let turns = bounds.ok_or(Limit::States)?.middle();
        judged.measures.expected_turns = Some(turns);
        judged.shortfall += (wanted as f64 - turns).max(0.0);
        Ok(())
    }

    fn judge_moves(&self, judged: &mut Judged, game: &dyn Game) -> Result<(), Limit> {
        let measures = &mut judged.measures;
        if measures.solution.line().is_none() {
            return Ok(());
        }
        let scope = self.criteria.scope();
        self.meter.measure_moves(game, scope, measures)?;
        if let Some((max, count)) = self.criteria.max_first_moves.zip(measures.first_moves) {
            judged.shortfall += FIRST_MOVE_PENALTY * count.saturating_sub(max) as f64;
        }
        if let Some(ties) = measures.ties.filter(|_| self.criteria.unique) {
            judged.shortfall += TIE_PENALTY * ties as f64;
        }
        if let Some(range) = &self.criteria.difficulty {
            judged.shortfall += match measures.difficulty {
                Some(Difficulty::Exactly(found)) => {
                    DIFFICULTY_PENALTY * distance_outside(range, found)
                }
                Some(Difficulty::AtMost(_)) => return Err(Limit::States),
                None => WRONG_VERDICT,
            };
        }
        Ok(())
    }

    fn judge_chasers(&self, judged: &mut Judged, game: &dyn Game) -> Result<(), Limit> {
        let (layout, sketch) = (self.meter.layout, &judged.sketch);
        let mut chasers = layout.style().chasers();
        let is_bounded = judged.measures.solution.limit().is_some();
        let is_calm = chasers.all(|glyph| sketch.count(glyph) == 0);
        if self.criteria.verdict == Wanted::Any || is_bounded || is_calm {
            return Ok(());
        }
        let bare = layout.without_chasers(sketch);
        let Some(bare) = bare.and_then(|bare| self.meter.game(&bare)) else {
            return Ok(());
        };
        let is_idle = match self.meter.solve(&*bare) {
            Ok(bare) => bare.is_same_answer(&judged.measures),
            Err(Limit::States | Limit::Memory) => true,
            Err(limit) => return Err(limit),
        };
        if is_idle {
            // On the smallest boards, chasers can do no more than shut a first move.
            let shut = self.plan.is_anywhere && self.first_moves(game) != self.first_moves(&*bare);
            judged.dullness += if shut {
                IDLE_CHASERS_PENALTY / 2.0
            } else {
                IDLE_CHASERS_PENALTY
            };
        }
        Ok(())
    }

    fn first_moves(&self, game: &dyn Game) -> Result<Option<usize>, Limit> {
        let mut measures = self.meter.solve(game)?;
        let scope = MeasuredMoves::FirstMoves;
        self.meter.measure_moves(game, scope, &mut measures)?;
        Ok(measures.first_moves)
    }
}

fn probability_penalty(range: &RangeInclusive<f64>, found: f64) -> f64 {
    let (low, high) = (*range.start(), *range.end());
    let distance = distance_outside(range, found);
    // A range may be a single number, which `found` only approximates. The tolerance is relative, since the wanted probability
    // may be smaller than `PRECISION`.
    if distance <= Bounds::PRECISION * high {
        return 0.0;
    }
    if high > SMALL {
        return PROBABILITY_PENALTY * distance;
    }
    // A divisor below `PRECISION` counts as `PRECISION`, so that the ratio is finite.
    let times = |over: f64, under: f64| (over / under.max(Bounds::PRECISION)).log2();
    HALVING_PENALTY * times(found, high).max(times(low, found)).max(1.0)
}

fn distance_outside(range: &RangeInclusive<f64>, number: f64) -> f64 {
    (range.start() - number).max(number - range.end()).max(0.0)
}
