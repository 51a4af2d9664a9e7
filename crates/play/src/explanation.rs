//! Reasons for the answer to a board.

use std::fmt;

use crate::evaluation::{Evaluation, PositionValue};
use crate::solution::LuckyLine;
use getaway_board::limits::{Bounds, Limit};
use getaway_board::words::count;
use getaway_ruleset::Cause;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The reasons for an answer: the runner's choices and their results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// The limit that ended the explanation early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// A line that escapes with luck, if probabilities are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LuckyLine>,
    /// The reason why no escape exists, if one is proved.
    pub reason: Option<Reason>,
    /// The search that the rules prescribe or, in games without chance, a depth-first search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<ExplainedSearch>,
    /// The turns of a line that escapes in a game without chance; otherwise only the first turn, or none, as in a `maze`.
    pub turns: Vec<ExplainedTurn>,
    /// For each of several players, the probability of escape without that player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<WithoutPlayer>,
}

/// The probability of escape if a player is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WithoutPlayer {
    /// The player's row and column, from 0.
    pub player: (u32, u32),
    /// Bounds on the probability.
    pub bounds: Bounds,
    /// True if the bounds prove that the probability is lower without the player.
    #[serde(rename = "needed")]
    pub is_needed: bool,
    /// Bounds on the probability if a needed player never takes the key and, unless all players have to, never escapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoy: Option<Bounds>,
    /// The role for which the player is needed, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<PlayerRole>,
}

/// The least that a player has to do so that the probability stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerRole {
    /// The player draws adversaries or stands in their way, and leaves the key and, unless all players have to escape, the exit
    /// to the others.
    Decoy,
    /// The player also takes the key.
    Key,
    /// The player escapes, and may also take the key.
    Escape,
}

/// A step of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SearchStep {
    /// A step of an A* search.
    AStar(AStarStep),
    /// A step of a depth-first search.
    DepthFirst(DepthFirstStep),
}

/// The results of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SearchSummary {
    /// The results of an A* search.
    AStar(AStarSummary),
    /// The results of a depth-first search.
    DepthFirst(DepthFirstSummary),
}

impl SearchSummary {
    /// Returns the limit that ended the search early.
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Self::AStar(_) => None,
            Self::DepthFirst(summary) => summary.limit,
        }
    }

    /// Returns whether the search found a way.
    pub const fn is_success(&self) -> bool {
        match self {
            Self::AStar(summary) => !summary.path.is_empty(),
            Self::DepthFirst(summary) => summary.line.is_some(),
        }
    }
}

/// A step of a depth-first search: a position is taken, and the runner's moves are tried. Positions are numbered from 0, the
/// start, in the order in which they are found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DepthFirstStep {
    /// The number of the position.
    pub state: u32,
    /// The moves from the start to it.
    pub line: Vec<String>,
    /// The runner's row and column, from 0.
    pub cell: Option<(u32, u32)>,
    /// The board.
    pub rows: Vec<String>,
    /// The moves in the order in which they are tried, then the illegal ones.
    pub branches: Vec<TriedMove>,
}

/// A move that a search tries.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TriedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The result.
    #[serde(flatten)]
    pub result: MoveResult,
}

/// The result of a move in a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub enum MoveResult {
    /// The move leads to a new position.
    New {
        /// The number of the position.
        state: u32,
    },
    /// The position was found before.
    Visited {
        /// The number of the position.
        state: u32,
    },
    /// A position was found that is no harder for the runner.
    Dominated {
        /// The number of that position.
        state: u32,
    },
    /// No way out is left, even without chasers.
    Hopeless,
    /// The runner loses.
    Lost {
        /// The cause.
        cause: Cause,
    },
    /// The runner escapes.
    Escapes,
    /// The move is illegal.
    Blocked {
        /// The reason.
        reason: String,
    },
}

/// The results of a depth-first search: numbers of moves by their result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DepthFirstSummary {
    /// The number of positions taken.
    pub taken: u64,
    /// The number of moves to new positions.
    pub new: u64,
    /// The number of moves to positions found before.
    pub visited: u64,
    /// The number of moves to positions for which one was found that is no harder.
    pub dominated: u64,
    /// The number of moves after which no way out is left, even without chasers.
    pub hopeless: u64,
    /// The number of moves that lose.
    pub lost: u64,
    /// The escaping line that the search found, if any; it need not be a shortest one.
    pub line: Option<Vec<String>>,
    /// The limit that ended the search, if any.
    pub limit: Option<Limit>,
}

/// A search, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedSearch {
    /// The first steps, if the rules prescribe the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<AStarStep>,
    /// The results of the whole search.
    #[serde(flatten)]
    pub summary: SearchSummary,
}

/// A step of an A* search: the first cell of OPEN is taken out, and some of its neighbours are put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AStarStep {
    /// The cells in OPEN, in the order of the search. The first one is taken.
    pub open: Vec<OpenCell>,
    /// The rule that chose between the first two cells, if their sums are equal.
    pub tie: Option<Tie>,
    /// The cells that are put in OPEN.
    pub puts: Vec<PutCell>,
}

/// A cell in OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpenCell {
    /// The row and column, from 0.
    pub cell: (u32, u32),
    /// The cost of the path to the cell.
    pub cost: u32,
    /// The heuristic: a lower bound on the cost from the cell to the goal.
    pub distance: u32,
}

impl OpenCell {
    /// Returns cost + distance, by which OPEN is ordered.
    pub const fn sum(&self) -> u32 {
        self.cost + self.distance
    }
}

/// A cell that is put in OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PutCell {
    /// The cell with its new cost.
    #[serde(flatten)]
    pub to: OpenCell,
    /// The cost that is overwritten if the cell waits in OPEN already.
    pub overwritten: Option<u32>,
}

impl PutCell {
    /// Returns whether a textbook A* would leave the cell as it is, since its cost does not fall.
    pub fn is_unusual(&self) -> bool {
        self.overwritten.is_some_and(|old| old <= self.to.cost)
    }
}

/// The rule that decides between cells with equal sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tie {
    /// The cell in the upper row comes first.
    Row,
    /// The rows are equal; the cell further to the left comes first.
    Column,
}

impl Tie {
    /// Returns the rule that decides between two cells; `None` if their sums do.
    pub fn between(one: &OpenCell, other: &OpenCell) -> Option<Self> {
        let is_row = one.cell.0 != other.cell.0;
        let tie = if is_row { Self::Row } else { Self::Column };
        (one.sum() == other.sum()).then_some(tie)
    }
}

/// The results of an A* search that overwrites cells in OPEN, compared with a textbook A*.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AStarSummary {
    /// The number of steps.
    pub taken: u64,
    /// The number of times that the cost of a cell in OPEN was overwritten.
    pub overwritten: u64,
    /// The first step, from 1, in which a textbook A* does something else.
    pub parting: Option<u64>,
    /// The path found: rows and columns from 0; empty if there is none.
    pub path: Vec<(u32, u32)>,
    /// The path that a textbook A* finds, in the same form.
    pub textbook_path: Vec<(u32, u32)>,
}

/// A turn with the values of all its moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedTurn {
    /// The move of the line that escapes or, in a game of chance, the best move; `None` if neither is known.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The legal moves, in the order of the rules.
    pub moves: Vec<ExplainedMove>,
}

impl ExplainedTurn {
    /// Returns the turn that an evaluation describes.
    pub fn evaluated(evaluation: Evaluation) -> Self {
        let moves = evaluation
            .moves
            .into_iter()
            .map(|(mv, value)| ExplainedMove {
                mv,
                value,
                end: None,
            });
        Self {
            mv: evaluation.best,
            moves: moves.collect(),
        }
    }
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedMove {
    /// The loss at the end of the longest survival after the move; `None` in games of chance, and if the move does not lose or
    /// the survival is endless or unknown.
    #[serde(flatten)]
    pub end: Option<Loss>,
    /// The value.
    #[serde(flatten)]
    pub value: PositionValue,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// The end of a lost game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The cause.
    pub cause: Cause,
    /// The glyph, row and column (from 0) of the chaser that catches the runner.
    pub by: Option<(char, (u32, u32))>,
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        if let Some((glyph, at)) = self.by {
            fields.serialize_entry("at", &at)?;
            fields.serialize_entry("by", &glyph)?;
        }
        fields.serialize_entry("end", &self.cause)?;
        fields.end()
    }
}

/// A proved reason why no escape exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A chaser catches the runner before the first move.
    BeforeFirstMove,
    /// No first move is legal.
    NoMove,
    /// Obstacles such as walls block every way out, even without chasers.
    WalledIn,
    /// With one more row or column of floor on every side of the board, the runner could escape, in `moves` moves.
    BlockedByEdge {
        /// The number of moves.
        moves: usize,
    },
    /// The runner could escape only without chasers, in `alone` moves.
    Outrun {
        /// The number of moves.
        alone: usize,
    },
    /// The board has no exit.
    NoExit,
    /// The runner can't reach the key.
    KeyOutOfReach,
    /// The runner can't reach the exit.
    ExitOutOfReach,
    /// The board has no runner.
    NoRunner,
    /// The board has no food.
    NoFood,
    /// The runner can't reach any food.
    FoodOutOfReach,
}

impl Reason {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        self.texts().0
    }

    /// Returns the name in JSON, and the reason in words, without its numbers.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::BeforeFirstMove => ("before-first-move", "caught before the first move"),
            Self::NoMove => ("no-move", "trapped: there is no legal first move"),
            Self::WalledIn => (
                "walled-in",
                "walled in: there is no way out, even without chasers",
            ),
            Self::BlockedByEdge { .. } => ("blocked-by-edge", "blocked by the edge"),
            Self::Outrun { .. } => ("out-run", "outrun"),
            Self::NoExit => ("no-exit", "there is no exit"),
            Self::KeyOutOfReach => (
                "key-out-of-reach",
                "there is no way to the key, without which the exit stays closed",
            ),
            Self::ExitOutOfReach => ("exit-out-of-reach", "there is no way to the exit"),
            Self::NoRunner => ("no-runner", "there is no runner on the map"),
            Self::NoFood => ("no-food", "there is no food on the map"),
            Self::FoodOutOfReach => ("food-out-of-reach", "there is food, but no way to it"),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.texts().1)?;
        let moves = |moves: usize| count(moves as u64, "move");
        match *self {
            Self::Outrun { alone } => write!(
                f,
                ": without chasers, escape would take {}, but the chasers cut off every route",
                moves(alone)
            ),
            Self::BlockedByEdge { moves: count } => write!(
                f,
                ": with one more cell on every side, {} would lead out",
                moves(count)
            ),
            _ => Ok(()),
        }
    }
}
