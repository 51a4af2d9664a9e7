//! How good a board is: what a solver finds out about it, and how far that is from what is wanted.

use std::ops::RangeInclusive;

use super::layout::{Layout, Plan, Question, chasers};
use super::sketch::Sketch;
use super::wishes::{Wanted, Wishes};
use crate::engine::search::Order;
use crate::game::Game;
use crate::limits::{Limit, Limits};
use crate::rulesets::Entry;
use crate::solution::{Evidence, Solution, Verdict};

/// What is known of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Its answer; a line of play is a shortest one.
    pub solution: Solution,
    /// After how many first moves the runner can still get out, if anybody asked for that.
    pub first_moves: Option<usize>,
}

impl Measures {
    /// The number of moves of a shortest way out, or of the path to the food.
    pub fn moves(&self) -> Option<usize> {
        match &self.solution.evidence {
            Evidence::Line(line) => Some(line.chars().count()),
            Evidence::Direction { steps, .. } => steps.len().checked_sub(1),
            _ => None,
        }
    }

    /// The probability of escape, where chance has a part.
    pub fn probability(&self) -> Option<f64> {
        self.solution.evidence.probability()
    }

    /// Whether two boards have the same answer: a verdict, and with it the number of moves, the direction
    /// or the probability.
    pub fn is_same_answer(&self, other: &Self) -> bool {
        let evidence = match (&self.solution.evidence, &other.solution.evidence) {
            (
                Evidence::Direction { direction: a, .. },
                Evidence::Direction { direction: b, .. },
            ) => a == b,
            (Evidence::Chance { .. }, Evidence::Chance { .. }) => {
                let both = self.probability().zip(other.probability());
                both.is_some_and(|(a, b)| (a - b).abs() <= Evidence::PRECISION)
            }
            (Evidence::Survives(a), Evidence::Survives(b)) => a == b,
            _ => true,
        };
        let verdicts = self.solution.verdict == other.solution.verdict;
        verdicts && self.moves() == other.moves() && evidence
    }
}

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
    /// How boards are drawn.
    pub layout: &'a dyn Layout,
    /// How they are read.
    pub ruleset: &'static Entry,
    /// What they may have on them.
    pub plan: &'a Plan,
    /// What is wanted of them.
    pub wishes: &'a Wishes,
    /// What ends it all.
    pub limits: Limits<'a>,
}

/// How far a board with the wrong verdict is from what is wanted.
const WRONG: f64 = 1000.0;

/// How many moves it is worth that those who chase make a difference.
const IDLE: f64 = 4.0;

/// How many moves a first move too many is worth.
const FIRST_MOVE: f64 = 3.0;

/// How many moves it is worth that a probability is right.
const PROBABILITY: f64 = 100.0;

impl Judge<'_> {
    /// How good a board is; `None` if it is none, can't be played, is too hard to solve, or is farther than
    /// `bound` from what is wanted.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn judge(&self, sketch: Sketch, bound: f64) -> Result<Option<Judged>, Limit> {
        let Some(game) = self.game(&sketch) else {
            return Ok(None);
        };
        let Some(solution) = self.solve(&*game)? else {
            return Ok(None);
        };
        let mut judged = Judged {
            measures: Measures {
                solution,
                first_moves: None,
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
        Ok((judged.distance() <= bound).then_some(judged))
    }

    /// The board as it is played, if it can be.
    pub fn game(&self, sketch: &Sketch) -> Option<Box<dyn Game>> {
        let game = sketch.game(self.ruleset).ok()?;
        let is_solvable = game.solvable().is_ok();
        // Only a maze can be one that is solved, but not played.
        let is_played =
            self.layout.question() != Question::Food || game.session(0, &self.limits).is_ok();
        (is_solvable && is_played).then_some(game)
    }

    /// The answer of a board; `None` if it takes too long to find.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn solve(&self, game: &dyn Game) -> Result<Option<Solution>, Limit> {
        let solution = game.solve(Order::BreadthFirst, &self.limits);
        match solution.limit {
            Some(limit @ (Limit::Time | Limit::Interrupt)) => Err(limit),
            Some(_) => Ok(None),
            None => Ok(Some(solution)),
        }
    }

    /// The verdict that is wanted, if it matters.
    fn verdict(&self) -> Option<Verdict> {
        match self.wishes.verdict {
            Wanted::Any => None,
            Wanted::Taste => Some(self.layout.question().verdicts()[0]),
            Wanted::Verdict(verdict) => Some(verdict),
        }
    }

    fn judge_answer(&self, judged: &mut Judged) {
        let Measures { solution, .. } = &judged.measures;
        if self
            .verdict()
            .is_some_and(|wanted| wanted != solution.verdict)
        {
            judged.shortfall += WRONG;
        }
        let missing = |wanted: usize| match judged.measures.moves() {
            Some(moves) => wanted.saturating_sub(moves) as f64,
            None if solution.verdict.is_good() => 0.0,
            None => WRONG,
        };
        match (self.wishes.min_moves, self.wishes.verdict) {
            (Some(wanted), _) => judged.shortfall += missing(wanted),
            (None, Wanted::Taste) => judged.dullness += missing(self.layout.usual_moves(self.plan)),
            _ => {}
        }
        if let Some(range) = &self.wishes.probability {
            let found = judged.measures.probability();
            judged.shortfall += found.map_or(WRONG, |found| PROBABILITY * outside(range, found));
        }
    }

    /// A game is dull if it would be the same without those who chase.
    fn judge_chasers(&self, judged: &mut Judged) -> Result<(), Limit> {
        let count: usize = chasers(self.layout.amounts())
            .map(|glyph| judged.sketch.count(glyph))
            .sum();
        if self.wishes.verdict == Wanted::Any || count == 0 {
            return Ok(());
        }
        let Some(bare) = self.layout.without_chasers(&judged.sketch) else {
            return Ok(());
        };
        let Some(game) = self.game(&bare) else {
            return Ok(());
        };
        let bare = self.solve(&*game)?.map(|solution| Measures {
            solution,
            first_moves: None,
        });
        if bare.is_none_or(|bare| bare.is_same_answer(&judged.measures)) {
            judged.dullness += IDLE;
        }
        Ok(())
    }
}

/// How far a number is from a range.
fn outside(range: &RangeInclusive<f64>, number: f64) -> f64 {
    (range.start() - number).max(number - range.end()).max(0.0)
}
