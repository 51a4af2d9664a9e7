//! A board of any ruleset, as the commands see it: [`Game`]; and what they get to know about it.

use std::fmt;
use std::io;

use crate::engine::search::Order;
use crate::expect::Expectation;
use crate::fault::Fault;
use crate::limits::{Limit, Limits};
use crate::play::replay::overrun;
use crate::play::rollout::{Conduct, TURNS};
use crate::puzzle::Puzzle;
use crate::rng::Rng;
use crate::ruleset::{Cause, Fate};

/// A board of some ruleset.
pub trait Game: Send + Sync {
    /// Decides the board.
    ///
    /// Ask [`Game::solvable`] first: of a board that can't be solved the verdict is undecided, without
    /// any limit.
    fn solve(&self, order: Order, limits: &Limits) -> Solution;

    /// What the board's own text says that the answer is, beside the header `expect`.
    fn expectation(&self) -> Option<Expectation> {
        None
    }

    /// Whether the question of [`Game::solve`] can be asked of this board at all.
    ///
    /// # Errors
    ///
    /// Why not.
    fn solvable(&self) -> Result<(), String> {
        Ok(())
    }

    /// Plays a line and tells how it ends.
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    fn replay(&self, plan: &Plan) -> Result<Ending, TraceError> {
        self.trace(plan, &mut Silent)
    }

    /// Someone who plays the board as `conduct` says.
    ///
    /// # Errors
    ///
    /// If the moves can't be read, or the board or the policy is none to play.
    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError>;

    /// Plays the moves of the plan, or as the solver would, half turn by half turn; random numbers come from the
    /// plan's seed.
    ///
    /// # Errors
    ///
    /// If the line can't be read or played, or the teller can't go on.
    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        let by_default = plan.moves.map_or(TURNS, |_| usize::MAX);
        let turns = plan.turns.unwrap_or(by_default);
        let player = self.player(&plan.conduct())?;
        let rng = &mut Rng::new(plan.seed);
        let bout = player.play(rng, turns, Some(teller))?;
        Ok(match bout.unplayed {
            Some(mv) => overrun(bout.ending, mv),
            None => bout.ending,
        })
    }
}

/// Someone who plays a board by a policy, any number of times.
pub trait Player: Sync {
    /// Plays a game of at most so many turns; all random numbers come from `rng`.
    ///
    /// # Errors
    ///
    /// If the teller can't go on.
    fn play(
        &self,
        rng: &mut Rng,
        turns: usize,
        teller: Option<&mut dyn Teller>,
    ) -> Result<Bout, TraceError>;
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bout {
    /// How it ended.
    pub ending: Ending,
    /// How much the runner has gathered, where there is something to gather.
    pub gathered: Option<usize>,
    /// The first of the moves given that was not played, since the game was over.
    pub unplayed: Option<String>,
}

/// What a search concluded about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The runner can escape.
    Escape,
    /// He can't.
    Caught,
    /// There is food that he can get to.
    Food,
    /// There is none.
    NoFood,
    /// A limit ended the search before it could tell.
    Undecided,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Escape,
        Self::Caught,
        Self::Food,
        Self::NoFood,
        Self::Undecided,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::Caught => "caught",
            Self::Food => "food",
            Self::NoFood => "no-food",
            Self::Undecided => "undecided",
        }
    }

    /// Whether the runner gets what he wants.
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Escape | Self::Food)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The verdict.
    pub verdict: Verdict,
    /// What else was found out.
    pub evidence: Evidence,
    /// How many states the search looked at.
    pub states: u64,
    /// The limit that ended the search, if the verdict or a part of its evidence is undecided.
    pub limit: Option<Limit>,
    /// Whether no line of play that escapes is shorter than the one in the evidence, as far as is known.
    pub is_shortest: bool,
}

/// What a verdict comes with.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Nothing more.
    None,
    /// A line of play that escapes, one character a turn.
    Line(String),
    /// Whether the runner, who can't escape, can live for ever; `None` if a limit ended the search for
    /// that.
    Survives(Option<bool>),
    /// The next move in a maze.
    Direction {
        /// 0 up, 1 right, 2 down, 3 left, -1 none.
        direction: i8,
        /// The cells (row, column) from the head to the food, both included; empty without food.
        steps: Vec<(u32, u32)>,
    },
    /// The chances of escape under best play. Where nothing is known, the bounds are 0 and 1:
    /// [`Evidence::probability`] tells whether they are a probability.
    Chance {
        /// The probability is not below this.
        lower: f64,
        /// The probability is not above this.
        upper: f64,
        /// Whether some strategy is known to escape always, within a bounded number of turns.
        certain: bool,
    },
}

impl Evidence {
    /// The probability of escape under best play is known up to this.
    pub const PRECISION: f64 = 1e-6;

    /// The probability of escape under best play, if its bounds are so near to each other that it
    /// is known up to [`Evidence::PRECISION`].
    pub fn probability(&self) -> Option<f64> {
        match *self {
            Self::Chance { lower, upper, .. } if upper - lower <= Self::PRECISION => {
                Some(f64::midpoint(lower, upper))
            }
            _ => None,
        }
    }
}

impl Solution {
    /// A verdict and nothing more.
    pub const fn plain(verdict: Verdict, states: u64) -> Self {
        Self {
            verdict,
            evidence: Evidence::None,
            states,
            limit: None,
            is_shortest: false,
        }
    }

    /// A search that ran into a limit.
    pub const fn undecided(limit: Limit, states: u64) -> Self {
        Self {
            verdict: Verdict::Undecided,
            evidence: Evidence::None,
            states,
            limit: Some(limit),
            is_shortest: false,
        }
    }
}

/// Which line is to be played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// The moves as text; without them, the solver's own line.
    pub moves: Option<&'a str>,
    /// How to search for that.
    pub order: Order,
    /// What ends the search for it.
    pub limits: Limits<'a>,
    /// The seed for what is left to chance.
    pub seed: u64,
    /// The most turns to play. Without a number a line of play is played to its end, and a policy for
    /// [`TURNS`].
    pub turns: Option<usize>,
}

impl<'a> Plan<'a> {
    /// How the runner is to be played: the moves, or as the solver would.
    pub fn conduct(&self) -> Conduct<'a> {
        let Self {
            moves,
            order,
            limits,
            ..
        } = *self;
        Conduct {
            moves,
            order,
            limits,
            ..Conduct::default()
        }
    }
}

/// What a board's own headers say about how it is to be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// The header `moves`.
    pub moves: Option<&'a str>,
    /// The header `seed`.
    pub seed: Option<u64>,
}

impl<'a> Given<'a> {
    /// What the headers of `puzzle` say.
    ///
    /// # Errors
    ///
    /// A fault if its seed is none.
    pub fn of(puzzle: &'a Puzzle) -> Result<Self, Fault> {
        let wanted = "write a whole number, 0 or more, of up to 64 bits";
        Ok(Self {
            moves: puzzle.header("moves").map(|header| &*header.value),
            seed: puzzle.setting("seed", wanted, |text| text.parse().ok())?,
        })
    }
}

/// One who is told how a game goes.
pub trait Teller {
    /// The game begins; `line` says what will be played.
    ///
    /// # Errors
    ///
    /// If the telling can't go on.
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()>;

    /// A half turn has been played.
    ///
    /// # Errors
    ///
    /// If the telling can't go on.
    fn half(&mut self, half: &Half) -> io::Result<()>;
}

/// A teller who says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Teller for Silent {
    fn begin(&mut self, _line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        Ok(())
    }

    fn half(&mut self, _half: &Half) -> io::Result<()> {
        Ok(())
    }
}

/// What kind of line is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Somebody's moves.
    Given,
    /// The solver's way out.
    WayOut,
    /// The runner can't escape, and no line is longer than this.
    LongestLived,
    /// The runner can't escape, and this is the longest line that was found before a limit.
    LongestFound,
    /// The runner can't escape, but live for ever: after the last move the position is the one after so
    /// many moves.
    Forever {
        /// How many moves lead to the position that returns.
        back_to: usize,
    },
    /// The runner plays by a strategy and the others by chance, from this seed.
    Played {
        /// The seed.
        seed: u64,
    },
}

/// One half of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// The turn, from 1.
    pub turn: usize,
    /// Who moved.
    pub who: &'static str,
    /// The runner's move, if it was his half.
    pub mv: Option<String>,
    /// Who went where.
    pub events: Vec<Told>,
    /// The board after it.
    pub rows: Vec<String>,
}

/// One actor's part in a half turn, in rows and columns from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its glyph.
    pub actor: char,
    /// Where it was.
    pub from: (u32, u32),
    /// Where it got to.
    pub to: (u32, u32),
    /// What became of it.
    pub fate: Fate,
}

/// How a line of play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The runner escaped with move number `turns`.
    Escaped {
        /// How many moves he made.
        turns: usize,
    },
    /// The runner lost after `turns` moves.
    Caught {
        /// How many moves he made.
        turns: usize,
        /// Why.
        cause: Cause,
    },
    /// The line ended before the game did.
    Open {
        /// How many moves were made.
        turns: usize,
    },
    /// Move number `turn` (from 1) is illegal.
    Illegal {
        /// The move's number.
        turn: usize,
        /// The move.
        mv: String,
        /// Why it is illegal.
        reason: String,
        /// What would have been legal.
        legal: Vec<String>,
    },
}

/// Why a line can't be told.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The line has a part that is no move.
    #[error(transparent)]
    NoMove(#[from] crate::ruleset::NoMove),
    /// A limit ended the search for a line.
    #[error("there is no line to show: {0}")]
    Undecided(Limit),
    /// The teller can't go on.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The board can't be played.
    #[error("{0}")]
    Unplayable(String),
}

impl From<Limit> for TraceError {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}
