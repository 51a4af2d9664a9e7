//! What a solver finds out about a board.

use super::layout::{Layout, Question};
use super::sketch::Sketch;
use crate::advice::{Advice, Worth};
use crate::analysis::difficulty::{Difficulty, difficulty};
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
    /// What the moves along that line are worth, if anybody asked for that.
    pub worths: Worths,
}

/// What is known of the moves along a shortest way out, or under best play; nothing of what nobody asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worths {
    /// After how many first moves the runner can still get out.
    pub first_moves: Option<usize>,
    /// How many moves there are along the line that are as good as those of the line; 0: no other line is as
    /// short.
    pub ties: Option<usize>,
    /// How hard the board is for a person, in bits ([`crate::analysis::difficulty`]).
    pub difficulty: Option<Difficulty>,
    /// How many turns the games take on average that escape under best play, where chance has a say.
    pub expected_turns: Option<f64>,
}

/// How much of the moves along a shortest way out is to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Nothing.
    #[default]
    Answer,
    /// What the first moves are worth.
    FirstMoves,
    /// What all moves along the line are worth.
    WholeLine,
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
        let has_same_verdict = self.solution.verdict() == other.solution.verdict();
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
        let game = sketch.game(self.ruleset, &self.limits).ok()?;
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
        match solution.limit() {
            Some(limit @ (Limit::Time | Limit::Interrupt)) => Err(limit),
            Some(_) => Ok(None),
            None => Ok(Some(solution)),
        }
    }

    /// What the moves along a line are worth, as far as `depth` says; `None` if that takes too long to find out.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn worths(
        &self,
        game: &dyn Game,
        (line, depth): (&str, Depth),
    ) -> Result<Option<Worths>, Limit> {
        let turns = match depth {
            Depth::Answer => return Ok(Some(Worths::default())),
            Depth::FirstMoves => 1,
            Depth::WholeLine => line.chars().count(),
        };
        let Ok(mut adviser) = game.adviser(&self.limits) else {
            return Ok(None);
        };
        let mut all = Vec::with_capacity(turns);
        for (at, _) in line.char_indices().take(turns) {
            let advice = adviser.advise(&line[..at], 0, &self.limits);
            self.limits.check_time()?;
            let Ok(Advice { moves, .. }) = advice else {
                return Ok(None);
            };
            let worths: Vec<Worth> = moves.into_iter().map(|(_, worth)| worth).collect();
            if worths
                .iter()
                .any(|worth| matches!(worth, Worth::Unknown(_)))
            {
                return Ok(None);
            }
            all.push(worths);
        }
        Ok(Some(Worths::of(&all, depth)))
    }
}

impl Meter<'_> {
    /// How many turns the games take on average that escape under best play; `None` if that takes too long to find
    /// out.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over.
    pub fn expected_turns(&self, game: &dyn Game) -> Result<Option<f64>, Limit> {
        match game.expected_turns(&self.limits) {
            Ok(turns) => Ok(turns.map(|[lower, upper]| f64::midpoint(lower, upper))),
            Err(limit @ (Limit::Time | Limit::Interrupt)) => Err(limit),
            Err(_) => Ok(None),
        }
    }
}

impl Worths {
    /// What the worths of all moves in each turn along a shortest line come to.
    fn of(turns: &[Vec<Worth>], depth: Depth) -> Self {
        let escapes = |worth: &&Worth| matches!(worth, Worth::Escape { .. });
        let count = |worths: &Vec<Worth>| worths.iter().filter(escapes).count();
        let first_moves = Some(turns.first().map_or(0, count));
        if depth < Depth::WholeLine {
            return Self {
                first_moves,
                ..Self::default()
            };
        }
        let is_best =
            |left: usize| move |worth: &&Worth| **worth == Worth::Escape { moves: Some(left) };
        let left = (1..=turns.len()).rev();
        let ties = turns.iter().zip(left).map(|(worths, left)| {
            let best = worths.iter().filter(is_best(left)).count();
            best.saturating_sub(1)
        });
        Self {
            first_moves,
            ties: Some(ties.sum()),
            difficulty: difficulty(turns),
            expected_turns: None,
        }
    }
}
