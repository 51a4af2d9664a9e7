//! The difficulty of a board for a person. A board is difficult if the way out is long, and if moves along it look safe but lose.
//! In bits, along a shortest way out:
//!
//! > difficulty = log2(1 + moves) + sum over its turns of log2((safe + tempting) / safe)
//!
//! *Moves* is the length of the way out. For each turn, *safe* is the number of legal moves after which an escape remains,
//! and *tempting* is the total weight of the losing moves. A losing move weighs 1 - 1/n if the runner survives for n moves,
//! including this one, so a move that loses at once has no weight. The weight is 1 if the runner survives forever. It is
//! also 1 if a limit left the longest survival unknown; then the sum is only an upper bound ([`Difficulty::AtMost`]).
//!
//! A straight walk of 7 moves has 3 bits. Each turn in which one of two moves leads into a long trap adds nearly one bit. An
//! escape before the first move has difficulty 0. Lost boards, mazes and games of chance have none.

use std::fmt;

use crate::evaluation::{Lifetime, PositionValue};

/// The information in bits that a player needs to find a line of play among all moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difficulty {
    /// The difficulty.
    Exactly(f64),
    /// An upper bound, because the survival after some losing move is unknown.
    AtMost(f64),
}

impl Difficulty {
    /// Returns the number of bits.
    pub const fn bits(self) -> f64 {
        match self {
            Self::Exactly(bits) | Self::AtMost(bits) => bits,
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(bits) => write!(f, "{bits:.2} bits"),
            Self::AtMost(bits) => write!(f, "at most {bits:.2} bits"),
        }
    }
}

/// Returns the difficulty, given the values of all legal moves in each turn; `None` if some value is neither an escape nor a
/// loss, or if no move of some turn keeps an escape.
pub fn difficulty(turns: &[Vec<PositionValue>]) -> Option<Difficulty> {
    let length = (1.0 + turns.len() as f64).log2();
    let temptations: Option<Vec<f64>> = turns.iter().map(|moves| temptation(moves)).collect();
    let bits = length + temptations?.iter().sum::<f64>();
    let is_unknown = |value: &PositionValue| *value == PositionValue::Caught { lives: None };
    Some(if turns.iter().flatten().any(is_unknown) {
        Difficulty::AtMost(bits)
    } else {
        Difficulty::Exactly(bits)
    })
}

fn temptation(moves: &[PositionValue]) -> Option<f64> {
    let (mut safe, mut tempting) = (0.0, 0.0);
    for value in moves {
        match value {
            PositionValue::Escape { .. } => safe += 1.0,
            PositionValue::Caught { lives } => tempting += weight(*lives),
            PositionValue::Chance(_) | PositionValue::Food { .. } | PositionValue::Unknown(_) => {
                return None;
            }
        }
    }
    (safe > 0.0).then(|| ((safe + tempting) / safe).log2())
}

fn weight(lives: Option<Lifetime>) -> f64 {
    match lives {
        Some(Lifetime::Moves(moves)) => 1.0 - 1.0 / moves.max(1) as f64,
        Some(Lifetime::Forever) | None => 1.0,
    }
}

#[cfg(test)]
#[path = "difficulty_tests.rs"]
mod tests;
