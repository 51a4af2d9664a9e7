//! What a solver finds out about a board.

use super::layout::{Layout, Question};
use super::sketch::Sketch;
use crate::advice::{Advice, Worth};
use crate::engine::search::Order;
use crate::game::Game;
use crate::limits::{Limit, Limits};
use crate::rulesets::Entry;
use crate::solution::{Evidence, Solution};

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

    /// Whether two boards have the same answer: a verdict, and with it the number of moves, the direction,
    /// or the probability and whether that is certain.
    pub fn is_same_answer(&self, other: &Self) -> bool {
        let is_same = match (&self.solution.evidence, &other.solution.evidence) {
            (
                Evidence::Direction { direction: a, .. },
                Evidence::Direction { direction: b, .. },
            ) => a == b,
            (Evidence::Chance { certain: a, .. }, Evidence::Chance { certain: b, .. }) => {
                let both = self.probability().zip(other.probability());
                a == b && both.is_some_and(|(a, b)| (a - b).abs() <= Evidence::PRECISION)
            }
            (Evidence::Survives(a), Evidence::Survives(b)) => a == b,
            _ => true,
        };
        let has_same_verdict = self.solution.verdict == other.solution.verdict;
        is_same && has_same_verdict && self.moves() == other.moves()
    }
}

/// One who measures boards.
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    /// How boards are drawn.
    pub layout: &'a dyn Layout,
    /// How they are read.
    pub ruleset: &'static Entry,
    /// Whether a board must be one to play, and not only to solve.
    pub must_play: bool,
    /// What ends a search; a board that takes too many states or too much memory has no measures.
    pub limits: Limits<'a>,
}

impl Meter<'_> {
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

    /// After how many first moves the runner can still get out; `None` if that takes too long to find out.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn first_moves(&self, game: &dyn Game) -> Result<Option<usize>, Limit> {
        let limits = &self.limits;
        let advice = game
            .adviser(limits)
            .and_then(|mut adviser| adviser.advise("", 0, limits));
        limits.check_time()?;
        let Ok(Advice { moves, .. }) = advice else {
            return Ok(None);
        };
        let is_known = moves
            .iter()
            .all(|(_, worth)| !matches!(worth, Worth::Unknown(_)));
        let leads_out = |(_, worth): &&(String, Worth)| matches!(worth, Worth::Escape { .. });
        Ok(is_known.then(|| moves.iter().filter(leads_out).count()))
    }
}
