//! The glyphs of a ruleset and their meanings.

use std::fmt;

use crate::fault::FaultKind;

/// The meaning of a glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Empty floor.
    Floor,
    /// An obstacle.
    Wall,
    /// The runner, or a part of it.
    Runner,
    /// A chaser, or a part of one.
    Chaser,
    /// A goal of the runner.
    Goal,
    /// A danger to the runner.
    Danger,
}

/// A line of a legend: ASCII glyphs, their meaning, and the word for them.
pub type LegendEntry = (&'static str, Meaning, &'static str);

/// All glyphs of a ruleset and their meanings.
///
/// ```
/// use getaway_board::puzzle::legend::{Legend, Meaning};
///
/// const LEGEND: Legend = Legend::new(&[
///     ("o", Meaning::Runner, "Jimmy"),
///     ("#", Meaning::Wall, "solid"),
///     (" .", Meaning::Floor, "empty"),
/// ]);
/// assert_eq!(LEGEND.to_string(), "`o` Jimmy, `#` solid, space or `.` empty");
/// assert_eq!((LEGEND.meaning('o'), LEGEND.empty()), (Meaning::Runner, ' '));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Legend {
    signs: &'static [LegendEntry],
    /// The set of all glyphs: bit `i` stands for ASCII character `i`.
    mask: u128,
    empty: char,
    is_doubled: bool,
    is_framed: bool,
}

impl Legend {
    /// Makes a legend. The first glyph with [`Meaning::Floor`] stands for empty cells; if it is a space, it fills up short rows.
    ///
    /// # Panics
    ///
    /// Panics if no glyph means floor, or a glyph is not ASCII or in two lines. (In a constant this is a compile error.)
    #[must_use]
    pub const fn new(signs: &'static [LegendEntry]) -> Self {
        let (mut mask, mut empty) = (0, None);
        let mut line = 0;
        while line < signs.len() {
            let (glyphs, meaning, _) = signs[line];
            let own = mask_of(glyphs);
            assert!(
                mask & own == 0,
                "a glyph appears in two lines of the legend"
            );
            mask |= own;
            if empty.is_none() && matches!(meaning, Meaning::Floor) {
                empty = Some(glyphs.as_bytes()[0] as char);
            }
            line += 1;
        }
        let empty = empty.expect("a legend has a glyph for empty cells");
        Self {
            signs,
            mask,
            empty,
            is_doubled: false,
            is_framed: false,
        }
    }

    /// Returns this legend for doubled drawings, in which every second character of every second line is a cell and the others
    /// are walls and gaps.
    #[must_use]
    pub const fn doubled(self) -> Self {
        Self {
            is_doubled: true,
            ..self
        }
    }

    /// Returns whether drawings are doubled.
    pub const fn is_doubled(&self) -> bool {
        self.is_doubled
    }

    /// Returns this legend for boards that may have a frame: a first and a last line of `-`, and every other line between two
    /// `|`.
    #[must_use]
    pub const fn framed(self) -> Self {
        Self {
            is_framed: true,
            ..self
        }
    }

    /// Returns whether boards may have a frame.
    pub const fn is_framed(&self) -> bool {
        self.is_framed
    }

    /// Names a place on the board: the row and column of its cell, from 1, such as `3,4`. The argument is a row and column of the
    /// board's grid, from 0. The grid of a doubled drawing has places between the cells, which are named after a neighbour, such
    /// as `right of 3,4`.
    pub fn place(&self, (row, col): (u32, u32)) -> String {
        if !self.is_doubled {
            return format!("{},{}", row + 1, col + 1);
        }
        let side = |at: u32, before, after| match at {
            0 => (before, 1),
            at if at % 2 == 0 => (after, at / 2),
            at => ("", at.div_ceil(2)),
        };
        let (vertical, row) = side(row, "above ", "below ");
        let (horizontal, col) = side(col, "left of ", "right of ");
        format!("{vertical}{horizontal}{row},{col}")
    }

    /// Names a place with a preposition, such as `at 3,4` or `right of 3,4`.
    pub fn at(&self, place: (u32, u32)) -> String {
        let name = self.place(place);
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            format!("at {name}")
        } else {
            name
        }
    }

    /// Returns the lines of the legend in reading order.
    pub const fn signs(&self) -> &'static [LegendEntry] {
        self.signs
    }

    /// Returns the set of glyphs: bit `i` stands for ASCII character `i`.
    pub const fn mask(&self) -> u128 {
        self.mask
    }

    /// Returns the first of the glyphs of empty cells. If it is a space, it fills up short rows.
    pub const fn empty(&self) -> char {
        self.empty
    }

    /// Returns all glyphs of empty cells.
    pub fn empties(&self) -> Vec<char> {
        let sign = self.sign(self.empty);
        sign.map_or_else(Vec::new, |(glyphs, _, _)| glyphs.chars().collect())
    }

    /// Returns whether the legend has this glyph.
    pub const fn has(&self, glyph: char) -> bool {
        glyph.is_ascii() && self.mask >> (glyph as u32) & 1 == 1
    }

    /// Returns the meaning of a glyph; floor for an unknown one.
    pub fn meaning(&self, glyph: char) -> Meaning {
        self.sign(glyph)
            .map_or(Meaning::Floor, |(_, meaning, _)| *meaning)
    }

    /// Returns the word in the first line with this meaning, or an empty string.
    pub const fn first_word(&self, meaning: Meaning) -> &'static str {
        let mut line = 0;
        while line < self.signs.len() {
            let (_, own, word) = self.signs[line];
            if own as u8 == meaning as u8 {
                return word;
            }
            line += 1;
        }
        ""
    }

    /// Returns the first glyph with this meaning.
    pub fn first(&self, meaning: Meaning) -> Option<char> {
        let mut signs = self.signs.iter();
        let (glyphs, ..) = signs.find(|(_, own, _)| *own == meaning)?;
        glyphs.chars().next()
    }

    /// Returns the word for a glyph, or an empty string.
    pub fn word(&self, glyph: char) -> &'static str {
        self.sign(glyph).map_or("", |(_, _, word)| word)
    }

    fn sign(&self, glyph: char) -> Option<&'static LegendEntry> {
        self.signs
            .iter()
            .find(|(glyphs, _, _)| glyphs.contains(glyph))
    }

    pub(super) fn unknown(&self, glyph: char, count: usize) -> FaultKind {
        FaultKind::UnknownGlyph {
            glyph,
            count,
            known: self.to_string(),
            meant: self.meant(glyph),
        }
    }

    fn meant(&self, glyph: char) -> Option<char> {
        let twins = LOOK_ALIKE
            .iter()
            .filter(|twins| twins.contains(glyph))
            .flat_map(|twins| twins.chars());
        let other_case = [glyph.to_ascii_lowercase(), glyph.to_ascii_uppercase()];
        match glyph {
            // A tab was probably meant as one or more empty cells.
            '\t' => Some(self.empty),
            _ => other_case
                .into_iter()
                .chain(twins)
                .find(|&twin| self.has(twin)),
        }
    }
}

impl fmt::Display for Legend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (glyphs, _, word)) in self.signs.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{} {word}", spelled(glyphs))?;
        }
        Ok(())
    }
}

/// Lists glyphs as text: "`a`", "space or `.`", "`a`, `b` or `c`", and "`A` to `Z`" for more than three.
fn spelled(glyphs: &str) -> String {
    let names: Vec<_> = glyphs
        .chars()
        .map(|glyph| match glyph {
            ' ' => "space".to_owned(),
            glyph => format!("`{glyph}`"),
        })
        .collect();
    match names.as_slice() {
        [first, _, _, .., last] => format!("{first} to {last}"),
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Returns the set of these ASCII characters: bit `i` stands for character `i`.
///
/// # Panics
///
/// Panics if a character is not ASCII.
pub const fn mask_of(glyphs: &str) -> u128 {
    let glyphs = glyphs.as_bytes();
    let (mut mask, mut at) = (0, 0);
    while at < glyphs.len() {
        assert!(glyphs[at].is_ascii(), "a glyph is ASCII");
        mask |= 1 << glyphs[at];
        at += 1;
    }
    mask
}

const LOOK_ALIKE: [&str; 9] = [
    " \u{a0}.",
    "oO0\u{43e}\u{41e}\u{3bf}\u{39f}°",
    ".,·•․∙…_",
    "-–—−─═‐‑",
    "|│║¦ǀ",
    "#█■▓▒＃",
    "*∗✱＊×",
    "+＋",
    "~∼˜～",
];

#[cfg(test)]
#[path = "legend_tests.rs"]
mod tests;
