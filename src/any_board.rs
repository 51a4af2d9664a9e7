//! A board of any ruleset.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

#[cfg(feature = "pictures")]
use crate::pictures::subject;
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_play::analysis::Analysis;
use getaway_play::arena::Arena;
use getaway_play::evaluation::Evaluator;
use getaway_play::explanation::Explanation;
use getaway_play::session::Session;
use getaway_play::solution::Solution;
use getaway_play::trace::{Ending, Ply, TraceError};
#[cfg(feature = "pictures")]
use getaway_render::recording::{Recorder, Recording};
use getaway_search::search::Order;
use getaway_solvers::game::{Game, Plan};
use getaway_solvers::rulesets::{self, Entry, RULESETS};

/// A board of any ruleset.
///
/// ```
/// let board: getaway::Board = "###\n#o.\n###\n".parse()?;
/// assert_eq!(board.ruleset().name, "jimmy");
/// let solution = board.solve(&getaway::Limits::default());
/// assert_eq!(solution.line(), Some("R"));
/// # Ok::<(), getaway::BoardError>(())
/// ```
pub struct Board {
    game: Arc<dyn Game>,
    ruleset: Entry,
    name: Option<String>,
}

impl Board {
    /// Reads a board with the ruleset that its header names or its glyphs fit.
    ///
    /// # Errors
    ///
    /// Returns all faults in the board, or the limit that ended the reading.
    pub fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        Self::read_as(RULESETS, puzzle)
    }

    /// Reads a board with one of these rulesets.
    ///
    /// # Errors
    ///
    /// Returns all faults in the board, or the limit that ended the reading.
    pub fn read_as(rulesets: &[Entry], puzzle: &Puzzle) -> Result<Self, BoardError> {
        let ruleset = rulesets::of_board(rulesets, puzzle)?;
        Ok(Self {
            game: (ruleset.read)(puzzle)?.into(),
            ruleset: *ruleset,
            name: puzzle.name().map(str::to_owned),
        })
    }

    /// Reads a text with one board, using one of these rulesets.
    ///
    /// # Errors
    ///
    /// Returns all faults in the board. Also fails if `text` contains no board, or more than one.
    pub fn parse(rulesets: &[Entry], text: &str) -> Result<Self, BoardError> {
        let mut boards = Boards::new(text.as_bytes(), 1);
        let mut puzzle = Puzzle::empty();
        if !boards.read(&mut puzzle)? {
            return Err(BoardError::of_line(1, FaultKind::NoBoard));
        }
        let board = Self::read_as(rulesets, &puzzle)?;
        if let Ok(false) = boards.read(&mut puzzle) {
            Ok(board)
        } else {
            let kind = FaultKind::other(
                "a second board in this text",
                "read several boards with `getaway::Boards`",
            );
            Err(puzzle.fault(puzzle.place(), kind).into())
        }
    }

    /// Returns the ruleset of the board.
    pub const fn ruleset(&self) -> &Entry {
        &self.ruleset
    }

    /// Returns the board's name, from the header `name`.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    #[doc(hidden)]
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// Decides the board as fast as possible; the line need not be a shortest one. A dungeon without players, or with more
    /// than four, stays undecided.
    pub fn solve(&self, limits: &Limits) -> Solution {
        self.game.solve(Order::DepthFirst, limits)
    }

    /// Decides the board. The line of an escape, if there is one, is a shortest line.
    pub fn solve_shortest(&self, limits: &Limits) -> Solution {
        self.game.solve(Order::Shortest, limits)
    }

    /// Replays these moves, with chance seeded by 0. An illegal move is not an error: it ends the game with
    /// [`Ending::Illegal`].
    ///
    /// # Errors
    ///
    /// Fails if a part of `moves` is not a move, or the board cannot be played.
    pub fn replay(&self, moves: &str) -> Result<Replay, TraceError> {
        let plan = Plan {
            moves: Some(moves),
            ..Plan::default()
        };
        let mut plies = Vec::new();
        let ending = self.game.trace(&plan, &mut |ply: &Ply| {
            plies.push(ply.clone());
            Ok(())
        })?;
        Ok(Replay {
            plies: plies.into_iter(),
            ending,
        })
    }

    /// Starts a game with chance seeded by `seed`.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played, or a limit is reached.
    pub fn session(&self, seed: u64, limits: &Limits) -> Result<Box<dyn Session>, TraceError> {
        self.game.session(seed, limits)
    }

    /// Creates an arena, which plays many games on this board quickly.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played.
    pub fn arena(&self) -> Result<Arc<dyn Arena>, TraceError> {
        self.game.arena()
    }

    /// Creates an evaluator, which computes the value of the position after a line of play, and of each move there.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played, or a limit is reached.
    pub fn evaluator(&self, limits: &Limits) -> Result<Box<dyn Evaluator>, TraceError> {
        self.game.evaluator(limits)
    }

    /// Computes design metrics, except [`Analysis::matters`]. `solution` is the board's answer. If it has a line, that should be
    /// a shortest one, as from [`Board::solve_shortest`]. In games without chance, each search stops after 30,000 states unless
    /// `limits` sets another number.
    pub fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        self.game.analyse(solution, limits)
    }

    /// Explains the board's answer.
    pub fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation {
        self.game.explain(solution, limits)
    }
}

#[cfg(feature = "pictures")]
impl Board {
    /// Records a game for drawing, with chance seeded by 0.
    ///
    /// # Errors
    ///
    /// Fails if a part of `moves` is not a move, or the board cannot be played.
    pub fn record(&self, moves: &str) -> Result<Recording, TraceError> {
        self.record_seeded(moves, 0, &Limits::default())
    }

    /// Records a game with chance seeded by `seed`.
    ///
    /// # Errors
    ///
    /// Fails if a part of `moves` is not a move, the board cannot be played, or a limit is reached.
    pub fn record_seeded(
        &self,
        moves: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Recording, TraceError> {
        let plan = Plan {
            moves: Some(moves),
            seed,
            limits: *limits,
            ..Plan::default()
        };
        let title = self.name.clone().unwrap_or_default();
        let mut recorder = Recorder::new(subject(&self.ruleset, title), &plan.limits);
        let ending = self.game.trace(&plan, &mut recorder)?;
        Ok(recorder.finish(ending))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("ruleset", &self.ruleset.name)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::parse(RULESETS, text)
    }
}

/// An iterator over the plies of a replayed game.
#[derive(Clone, Debug)]
pub struct Replay {
    plies: std::vec::IntoIter<Ply>,
    ending: Ending,
}

impl Replay {
    /// Returns the ending of the game.
    pub const fn ending(&self) -> &Ending {
        &self.ending
    }
}

impl Iterator for Replay {
    type Item = Ply;

    fn next(&mut self) -> Option<Ply> {
        self.plies.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.plies.size_hint()
    }
}

impl ExactSizeIterator for Replay {}

#[cfg(test)]
#[path = "any_board_tests.rs"]
mod tests;
