//! Measures: the answer to a board, and the values of its moves.

use super::layout::{Layout, Question};
use super::sketch::Sketch;
use getaway_board::limits::{Bounds, Limit, Limits};
use getaway_play::analysis::difficulty::{Difficulty, difficulty};
use getaway_play::evaluation::{Evaluation, PositionValue};
use getaway_play::solution::{Evidence, Solution};
use getaway_search::search::Order;
use getaway_solvers::game::Game;
use getaway_solvers::rulesets::Entry;

/// The measures of a board; those that were not requested, or that the board does not have, are `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// The answer.
    pub solution: Solution,
    /// The number of first moves after which the runner can still escape.
    pub first_moves: Option<usize>,
    /// The number of other moves along the line that are as good as the line's own.
    pub ties: Option<usize>,
    /// The difficulty of the line.
    pub difficulty: Option<Difficulty>,
    /// The mean number of turns in games that end in escape under best play.
    pub expected_turns: Option<f64>,
}

/// The moves that are measured, from few to many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasuredMoves {
    None,
    FirstMoves,
    WholeLine,
}

impl Measures {
    const fn of(solution: Solution) -> Self {
        Self {
            solution,
            first_moves: None,
            ties: None,
            difficulty: None,
            expected_turns: None,
        }
    }

    /// Returns the number of moves of a shortest way out, or of the path to the food; `None` if the answer has neither.
    pub fn moves(&self) -> Option<usize> {
        match &self.solution.evidence {
            Evidence::Line(line) => Some(line.chars().count()),
            Evidence::Direction { steps, .. } => steps.len().checked_sub(1),
            _ => None,
        }
    }

    /// Returns the probability of an escape, if it is known.
    pub fn probability(&self) -> Option<f64> {
        self.solution.evidence.probability()
    }

    /// Returns whether both boards have the same answer: the verdict and the number of moves, and the direction, the survival, or
    /// the probability of escape and whether escape is certain.
    pub(crate) fn is_same_answer(&self, other: &Self) -> bool {
        let is_same = match (&self.solution.evidence, &other.solution.evidence) {
            (
                Evidence::Direction { direction: a, .. },
                Evidence::Direction { direction: b, .. },
            ) => a == b,
            (Evidence::Chance { certain: a, .. }, Evidence::Chance { certain: b, .. }) => {
                let both = self.probability().zip(other.probability());
                a == b && both.is_some_and(|(a, b)| (a - b).abs() <= Bounds::PRECISION)
            }
            (Evidence::Survives(a), Evidence::Survives(b)) => a == b,
            _ => true,
        };
        let has_same_verdict = self.solution.verdict() == other.solution.verdict();
        is_same && has_same_verdict && self.moves() == other.moves()
    }

    fn add_values(&mut self, turns: &[Vec<PositionValue>], scope: MeasuredMoves) {
        let escapes = |value: &&PositionValue| matches!(value, PositionValue::Escape { .. });
        let count = |values: &Vec<PositionValue>| values.iter().filter(escapes).count();
        self.first_moves = Some(turns.first().map_or(0, count));
        if scope < MeasuredMoves::WholeLine {
            return;
        }
        let left = (1..=turns.len()).rev();
        let ties = turns.iter().zip(left).map(|(values, left)| {
            let best = PositionValue::Escape { moves: Some(left) };
            let as_good = values.iter().filter(|value| **value == best).count();
            as_good.saturating_sub(1)
        });
        self.ties = Some(ties.sum());
        self.difficulty = difficulty(turns);
    }
}

/// Solves boards and measures their moves.
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    pub layout: &'a dyn Layout,
    pub ruleset: &'static Entry,
    /// The limits for each board.
    pub limits: Limits<'a>,
}

impl Meter<'_> {
    /// Reads a board; `None` if it is invalid, can't be solved or, in a `maze`, can't be played, or if a limit is reached.
    pub fn game(&self, sketch: &Sketch) -> Option<Box<dyn Game>> {
        let game = sketch.game(self.ruleset, &self.limits).ok()?;
        let is_solvable = game.solvable().is_ok();
        // A maze, unlike other boards, can be solvable but not playable.
        let is_played =
            self.layout.style().question != Question::Food || game.session(0, &self.limits).is_ok();
        (is_solvable && is_played).then_some(game)
    }

    pub fn solve(&self, game: &dyn Game) -> Result<Measures, Limit> {
        let measures = self.solve_or_bound(game)?;
        let limit = measures.solution.limit();
        limit.map_or(Ok(measures), Err)
    }

    /// Solves a board; if a limit is reached, the answer may have only bounds on the probability of an escape.
    ///
    /// A limit on states or memory is no error if it left bounds and the verdict `escape`.
    pub fn solve_or_bound(&self, game: &dyn Game) -> Result<Measures, Limit> {
        let solution = game.solve(Order::Shortest, &self.limits);
        let is_bounded = matches!(solution.evidence, Evidence::Chance { .. });
        match solution.limit() {
            Some(Limit::States | Limit::Memory)
                if is_bounded && solution.verdict().is_success() => {}
            limit => limit.map_or(Ok(()), Err)?,
        }
        Ok(Measures::of(solution))
    }

    /// Adds the measures of moves along the line of play.
    pub fn measure_moves(
        &self,
        game: &dyn Game,
        scope: MeasuredMoves,
        measures: &mut Measures,
    ) -> Result<(), Limit> {
        let Some(line) = measures.solution.line() else {
            return Ok(());
        };
        let turns = match scope {
            MeasuredMoves::None => return Ok(()),
            MeasuredMoves::FirstMoves => 1,
            MeasuredMoves::WholeLine => line.chars().count(),
        };
        let mut evaluator = game.evaluator(&self.limits).map_err(|_| Limit::States)?;
        let mut all = Vec::with_capacity(turns);
        for (at, _) in line.char_indices().take(turns) {
            let evaluation = evaluator.evaluate(&line[..at], 0, &self.limits);
            self.limits.check_time()?;
            let Evaluation { moves, .. } = evaluation.map_err(|_| Limit::States)?;
            let values: Vec<PositionValue> = moves.into_iter().map(|(_, value)| value).collect();
            let is_unknown = |value: &PositionValue| matches!(value, PositionValue::Unknown(_));
            if values.iter().any(is_unknown) {
                return Err(Limit::States);
            }
            all.push(values);
        }
        measures.add_values(&all, scope);
        Ok(())
    }
}
