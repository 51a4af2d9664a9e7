//! Levels: criteria for new boards that people play.

use std::ops::RangeInclusive;
use std::str::FromStr;

use super::layout::{Impossible, Question};
use super::layouts;
use super::wishes::Wishes;
use super::written::{BoardFormat, Caption, Drawn};
use super::{Generator, Made};
use crate::limits::Limits;

/// The level of a new board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// At most 4 bits, or odds of at least 0.7.
    Easy,
    /// From 4.5 to 7 bits, or odds from 0.4 to 0.7.
    Medium,
    /// At least 8 bits, or odds of at most 0.4.
    Hard,
    /// A difficulty in bits, as in an [`Analysis`](crate::Analysis).
    Bits(f64),
}

impl Eq for Level {}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "easy" => Ok(Self::Easy),
            "medium" => Ok(Self::Medium),
            "hard" => Ok(Self::Hard),
            bits => match bits.parse() {
                Ok(bits) if (0.0..=1000.0).contains(&bits) => Ok(Self::Bits(bits)),
                _ => Err("write `easy`, `medium`, `hard`, or a number of bits such as 6"),
            },
        }
    }
}

impl Level {
    /// The level that a key stands for.
    pub const fn of_key(key: char) -> Option<Self> {
        match key {
            'e' => Some(Self::Easy),
            'm' => Some(Self::Medium),
            'h' => Some(Self::Hard),
            _ => None,
        }
    }

    /// Returns the value for a named level.
    pub fn pick<T>(self, [easy, medium, hard]: [T; 3]) -> Option<T> {
        match self {
            Self::Easy => Some(easy),
            Self::Medium => Some(medium),
            Self::Hard => Some(hard),
            Self::Bits(_) => None,
        }
    }
}

impl Level {
    /// The criteria for a new board: its difficulty in bits, the odds in a game of chance, or else the number of moves.
    fn wishes(self, ruleset: &str) -> Wishes {
        let question = layouts::find(ruleset).map(|layout| layout.question);
        let bits = |bits: f64| Some((bits - 0.5).max(0.0)..=bits + 0.5);
        let ranges: [RangeInclusive<f64>; 3] = [2.0..=4.0, 4.5..=7.0, 8.0..=1000.0];
        let odds: [RangeInclusive<f64>; 3] = [0.7..=0.95, 0.4..=0.7, 0.05..=0.4];
        match (question, self) {
            (Some(Question::Escape), level) => Wishes {
                difficulty: match level {
                    Level::Bits(wanted) => bits(wanted),
                    level => level.pick(ranges),
                },
                ..Wishes::default()
            },
            // The generator reports that only other rulesets have a difficulty in bits.
            (_, Level::Bits(wanted)) => Wishes {
                difficulty: bits(wanted),
                ..Wishes::default()
            },
            (Some(Question::Chance), level) => Wishes {
                probability: level.pick(odds),
                ..Wishes::default()
            },
            (_, level) => Wishes {
                min_moves: level.pick([3, 8, 16]),
                ..Wishes::default()
            },
        }
    }

    /// Checks that a ruleset has boards of this level.
    ///
    /// # Errors
    ///
    /// Returns the reason why there are none.
    pub fn check(self, ruleset: &str) -> Result<(), Impossible> {
        Generator::new(ruleset, &self.wishes(ruleset), Limits::default()).map(|_| ())
    }

    /// Makes a board of this level, as the text of a board file. The seed determines it.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no such board, or why none was found within the limits.
    pub fn board(
        self,
        ruleset: &str,
        (rows, cols): (Option<usize>, Option<usize>),
        seed: u64,
        limits: Limits,
    ) -> Result<String, Impossible> {
        let wishes = Wishes {
            rows,
            cols,
            ..self.wishes(ruleset)
        };
        let generator = Generator::new(ruleset, &wishes, limits)?;
        let mut text = None;
        generator.boards((seed, 1), &(), &mut |Made { seed, board, .. }| {
            let caption = Caption {
                name: format!("{ruleset} {seed}"),
                remarks: Vec::new(),
            };
            let drawn = Drawn {
                layout: generator.layout(),
                sketch: &board.sketch,
                measures: &board.measures,
            };
            let mut out = Vec::new();
            let written = drawn.write(&caption, BoardFormat::Text, &mut out);
            text = Some(written.map(|()| out).expect("memory can be written to"));
            true
        });
        let written = text.map(|text| String::from_utf8(text).expect("a board is text"));
        written.ok_or_else(|| Impossible("no such board was found in time".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulesets::RULESETS;

    #[test]
    fn every_ruleset_has_boards_of_every_named_level() {
        for entry in RULESETS {
            for level in ["easy", "medium", "hard"] {
                let level: Level = level.parse().unwrap();
                assert_eq!(level.check(entry.name), Ok(()), "{} {level:?}", entry.name);
            }
        }
    }

    #[test]
    fn a_board_of_so_many_bits_is_made() {
        let level: Level = "6".parse().unwrap();
        let text = level
            .board("theseus", (None, None), 1, Limits::default())
            .unwrap();
        let bits = text
            .lines()
            .find_map(|line| line.strip_prefix("; difficulty in bits: "));
        let bits: f64 = bits.unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((5.5..=6.5).contains(&bits), "{text}");
    }

    #[test]
    fn the_seed_and_the_size_determine_a_board() {
        let board = |seed| {
            let size = (Some(6), Some(7));
            Level::Easy.board("jimmy", size, seed, Limits::default())
        };
        let text = board(3).unwrap();
        assert_eq!(board(3).unwrap(), text);
        assert_ne!(board(4).unwrap(), text);
        let rows: Vec<_> = text.lines().filter(|line| !line.starts_with(';')).collect();
        assert_eq!(
            (
                rows[0].len(),
                rows.iter().filter(|row| !row.is_empty()).count()
            ),
            (7, 6)
        );
    }

    #[test]
    fn other_levels_are_refused() {
        for text in ["", "harder", "-1", "NaN"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
        assert!(Level::Bits(6.0).check("dungeon").is_err());
    }
}
