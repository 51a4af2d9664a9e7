//! Boards as people paste them: in a code fence, indented, or with spaces at line ends. Such additions are ignored, with a
//! warning, where they can't be cells.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::outline::is_tildes;
use super::{Puzzle, Row};
use crate::fault::{FaultKind, Faults, Place};

/// The meaning of spaces in a drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SpaceMeaning {
    Cell,
    /// A cell or a gap inside outer walls or a frame.
    Inside,
    Unknown,
}

impl Puzzle<'_> {
    /// Removes the white space and the lines of `~` that surround the drawing, and notes in `ignored` that it did so. If spaces
    /// may not be cells, white space in the place of cells is a fault.
    pub(super) fn unwrap_drawing(&mut self, faults: &mut Faults) {
        let space = self.space();
        if space == SpaceMeaning::Unknown && is_full_rectangle(&self.rows) {
            return;
        }
        let has_bats = space == SpaceMeaning::Cell && self.glyphs().has(b'H');
        let is_drawn = |row: &Row| match row.text.trim_ascii() {
            [] => space != SpaceMeaning::Unknown,
            text => has_bats || !is_tildes(text),
        };
        let first = self.rows.iter().position(is_drawn).unwrap_or(0);
        let end = self
            .rows
            .iter()
            .rposition(is_drawn)
            .map_or(self.rows.len(), |last| last + 1);
        let around = self.rows[..first]
            .first()
            .or(self.rows.get(end))
            .map(|row| row.span(0..row.text.len()));
        self.rows.truncate(end);
        self.rows.drain(..first);
        let is_blank = |row: &&Row| row.text.trim_ascii().is_empty();
        if space == SpaceMeaning::Unknown
            && let Some(row) = self.rows.iter().find(is_blank)
        {
            let help = "empty the line if it separates two boards, or write its cells";
            let kind = FaultKind::other("this line has only white space", help);
            faults.note(row.span(0..row.text.len()), kind);
        }
        let margins = Margins::of(space, &self.rows);
        let mut spaces = None;
        for row in &mut self.rows {
            if let Cow::Borrowed(text) = row.text {
                let Range { start, end } = margins.range(text);
                if end < margins.width.min(text.len()) {
                    let message = "this row is short, and the white space at its end is no cell";
                    let kind = FaultKind::other(message, "write the missing cells");
                    faults.note(row.span(end..text.len()), kind);
                }
                let ignored = if start > 0 { 0..start } else { end..text.len() };
                spaces = spaces.or((!ignored.is_empty()).then(|| row.span(ignored)));
                row.text = Cow::Borrowed(&text[start..end]);
                row.column += start as u64;
            }
        }
        let remarks = [
            (around, "a line outside the board"),
            (spaces, "white space outside the board"),
        ];
        for (place, what) in remarks {
            if let Some(place) = place {
                self.ignore(place, what);
            }
        }
        self.contents = OnceCell::new();
    }

    /// Notes that a part of the text is ignored.
    pub(super) fn ignore(&mut self, place: Place, what: &str) {
        let kind = FaultKind::other(format!("{what} is ignored"), "remove it");
        self.ignored.note(place, kind);
    }

    /// Returns the meaning of spaces by the ruleset in the header or, without one, by glyphs that only some rulesets have. In
    /// `baddies` it also depends on the frame, and in `maze` on whether the rows are lists of integers.
    fn space(&self) -> SpaceMeaning {
        let has = |glyphs: &str| glyphs.bytes().any(|glyph| self.glyphs().has(glyph));
        let mut texts = self.rows.iter().map(|row| row.text.trim_ascii());
        let first = texts.find(|text| !text.is_empty() && !is_tildes(text));
        let is_framed = first.is_some_and(|text| text.iter().all(|&byte| byte == b'-'));
        match self.header("ruleset").map(|header| &*header.value) {
            // Spaces in lists of integers have no meaning. As cells, they are kept and are not faults.
            None | Some("maze") if has("[") => SpaceMeaning::Cell,
            Some("jimmy" | "maze") => SpaceMeaning::Unknown,
            Some("theseus") => SpaceMeaning::Inside,
            None if has("oR") => SpaceMeaning::Unknown,
            None if has("Tt") => SpaceMeaning::Inside,
            None | Some("baddies") if is_framed && has("H") => SpaceMeaning::Inside,
            _ => SpaceMeaning::Cell,
        }
    }
}

/// Returns whether spaces may stand for empty cells: the rows as written form a rectangle, and either every row begins with a
/// space and some row ends with one, or some row has only spaces.
fn is_full_rectangle(rows: &[Row]) -> bool {
    let texts = || rows.iter().map(|row| &*row.text);
    let is_blank = |text: &[u8]| !text.is_empty() && text.iter().all(|&byte| byte == b' ');
    let has_sides =
        texts().all(|text| text.starts_with(b" ")) && texts().any(|text| text.ends_with(b" "));
    let width = rows.first().map_or(0, |row| row.text.len());
    texts().all(|text| text.len() == width) && (has_sides || texts().any(is_blank))
}

/// The margins to cut off around the drawn part of each row.
struct Margins {
    /// The maximum number of spaces and tabs to cut off before the drawn part.
    indent: usize,
    /// True if the drawn part does not end with a space.
    is_trimmed: bool,
    /// The number of bytes in a complete row up to its last cell, if all rows must end there; else 0.
    width: usize,
}

impl Margins {
    fn of(space: SpaceMeaning, rows: &[Row]) -> Self {
        let texts = || {
            rows.iter()
                .map(|row| &*row.text)
                .filter(|text| !text.trim_ascii().is_empty())
        };
        let common = texts().map(indent).reduce(|one, other| {
            let same = one.iter().zip(other).take_while(|(a, b)| a == b);
            &one[..same.count()]
        });
        let common = common.unwrap_or_default();
        let after_tab = common
            .iter()
            .rposition(|&byte| byte == b'\t')
            .map_or(0, |tab| tab + 1);
        let mut widths = texts().map(|text| text.trim_ascii().len());
        let width = widths.next();
        let widest = texts().map(|text| text.trim_ascii_end().len()).max();
        let has_own_indents =
            space == SpaceMeaning::Unknown && widths.all(|other| Some(other) == width);
        Self {
            width: match space {
                SpaceMeaning::Unknown if !has_own_indents => widest.unwrap_or_default(),
                _ => 0,
            },
            indent: match space {
                _ if has_own_indents => usize::MAX,
                SpaceMeaning::Unknown => common.len(),
                // Only an outer wall can have no cells on its left.
                SpaceMeaning::Inside if texts().any(|text| b"+|".contains(&text[common.len()])) => {
                    common.len()
                }
                _ => after_tab,
            },
            is_trimmed: space == SpaceMeaning::Unknown
                || space == SpaceMeaning::Inside
                    && rows.iter().any(|row| Some(row.text.len()) > widest),
        }
    }

    fn range(&self, text: &[u8]) -> Range<usize> {
        let trimmed = text.trim_ascii_end().len();
        let tab = text[trimmed..].iter().position(|&byte| byte == b'\t');
        let end = match tab {
            _ if self.is_trimmed && trimmed > 0 => trimmed,
            tab => tab.map_or(text.len(), |tab| trimmed + tab),
        };
        indent(text).len().min(self.indent).min(end)..end
    }
}

fn indent(text: &[u8]) -> &[u8] {
    &text[..text.len() - text.trim_ascii_start().len()]
}
