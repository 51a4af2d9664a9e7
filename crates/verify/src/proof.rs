use std::fmt;

use getaway_board::limits::{Bounds, Decision};
use getaway_board::words::count;
use getaway_play::solution::{Evidence, Solution, Verdict};

/// The result that a certificate proves.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// The runner escapes.
    Escape {
        /// The number of moves.
        moves: u64,
    },
    /// The runner can't escape.
    Caught {
        /// The number of positions checked.
        positions: u64,
        /// The survival of the runner, as far as it was proved.
        life: ProvedLifetime,
    },
    /// Bounds on the probability of escape under best play.
    Chance {
        /// The bounds.
        bounds: Bounds,
        /// The number of turns within which the player can escape whatever happens, if any.
        certain: Option<u64>,
        /// The number of positions checked.
        positions: u64,
    },
    /// The next move in a maze.
    NextMove {
        /// 0 for up, 1 for right, 2 for down, 3 for left, -1 for none.
        direction: i8,
        /// The cells (row, column) from the head to the food, both included; empty if the search finds none.
        steps: Vec<(u32, u32)>,
        /// The number of cells that the search took out of OPEN.
        cells: u64,
    },
}

/// The survival of a runner who cannot escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvedLifetime {
    /// The certificate does not say.
    Unknown,
    /// The runner makes at most this many moves.
    AtMost(u64),
    /// The runner can survive forever.
    Forever,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Escape { moves } => {
                write!(f, "escape: the line of {} escapes", count(*moves, "move"))
            }
            Self::Chance {
                bounds: Bounds { upper: 0.0, .. },
                positions,
                ..
            } => {
                let positions = count(*positions, "position");
                write!(
                    f,
                    "caught: no move or draw leads out of {positions}, and none of them escapes"
                )
            }
            Self::Chance {
                bounds: Bounds { lower, upper },
                certain,
                positions,
            } => {
                let positions = count(*positions, "position");
                write!(
                    f,
                    "escape with a probability from {lower} to {upper}; checked at {positions}"
                )?;
                match certain {
                    Some(turns) => write!(f, "; certain within {}", count(*turns, "turn")),
                    None => Ok(()),
                }
            }
            Self::NextMove {
                direction, cells, ..
            } => {
                let cells = count(*cells, "cell");
                write!(
                    f,
                    "{}: the next move is {direction}; the search visits {cells}",
                    self.verdict()
                )
            }
            Self::Caught { positions, life } => {
                let positions = count(*positions, "position");
                write!(
                    f,
                    "caught: no move leads out of {positions}, and none of them escapes"
                )?;
                match life {
                    ProvedLifetime::Unknown => Ok(()),
                    ProvedLifetime::AtMost(moves) => {
                        write!(f, "; the runner makes at most {}", count(*moves, "move"))
                    }
                    ProvedLifetime::Forever => write!(f, "; the runner can survive forever"),
                }
            }
        }
    }
}

impl Proof {
    /// Returns the verdict that was proved.
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::NextMove { steps, .. } if steps.is_empty() => Verdict::NoFood,
            Self::NextMove { .. } => Verdict::Food,
            Self::Chance {
                bounds: Bounds { upper: 0.0, .. },
                ..
            }
            | Self::Caught { .. } => Verdict::Caught,
            Self::Chance { .. } | Self::Escape { .. } => Verdict::Escape,
        }
    }

    /// Returns true if this result confirms the verdict of `solution`, and its evidence unless that is a line of play, the result
    /// of simulated games, or undecided. Bounds on a probability need only overlap.
    pub fn confirms(&self, solution: &Solution) -> bool {
        let survives = match self {
            Self::Caught {
                life: ProvedLifetime::Forever,
                ..
            } => Decision::Yes,
            Self::Caught {
                life: ProvedLifetime::AtMost(_),
                ..
            } => Decision::No,
            _ => Decision::Undecided,
        };
        let agrees = |claimed, proved| claimed == Decision::Undecided || claimed == proved;
        self.verdict() == solution.verdict()
            && match solution.evidence {
                Evidence::Survives(claimed) => agrees(claimed, survives),
                Evidence::Direction {
                    direction,
                    ref steps,
                } => {
                    matches!(self, Self::NextMove { direction: way, steps: path, .. }
                        if (*way, path) == (direction, steps))
                }
                Evidence::Chance {
                    bounds, certain, ..
                } => match self {
                    Self::Caught { .. } => bounds.lower <= 0.0 && certain != Decision::Yes,
                    Self::Chance {
                        bounds: proved,
                        certain: turns,
                        ..
                    } => {
                        let overlaps = proved.lower <= bounds.upper && bounds.lower <= proved.upper;
                        overlaps && agrees(certain, turns.is_some().into())
                    }
                    _ => false,
                },
                _ => true,
            }
    }
}
