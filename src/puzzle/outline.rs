//! Finds the ends of the boards in a text.

use super::Header;

/// Classifies each line of a text by the lines before it and the byte after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    stage: Stage,
    names_baddies: Option<bool>,
    shows_baddies: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Remarks,
    Headers,
    Rows,
    Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Header,
    Row,
    /// An empty line that ends no board; remarks above it belong to no board either.
    Nothing,
    End,
}

impl Outline {
    /// Classifies `line`, given without its line end; `next` is the byte after the line end. After [`Line::Header`], call
    /// [`Self::header`].
    #[inline]
    pub(super) fn line(&mut self, line: &[u8], next: Option<u8>) -> Line {
        match line.first() {
            None if self.goes_on(next) => Line::Row,
            None if self.stage == Stage::Remarks => Line::Nothing,
            None => Line::End,
            Some(b';') if self.has_rows() => Line::End,
            Some(b';') => Line::Header,
            Some(_) => {
                self.row(line);
                Line::Row
            }
        }
    }

    pub(super) fn header(&mut self, header: &Header) {
        if !header.key.is_empty() {
            self.stage = Stage::Headers;
        }
        if header.key == "ruleset" && self.names_baddies.is_none() {
            self.names_baddies = Some(header.value == "baddies");
        }
    }

    pub(super) const fn has_rows(self) -> bool {
        matches!(self.stage, Stage::Rows | Stage::Frame)
    }

    fn row(&mut self, line: &[u8]) {
        if self.stage == Stage::Rows {
            return;
        }
        let is_bar = line.iter().all(|&byte| byte == b'-');
        let was_open = self.stage == Stage::Frame;
        self.stage = if is_bar == was_open {
            Stage::Rows
        } else {
            Stage::Frame
        };
        self.shows_baddies |= was_open && line.iter().any(|byte| b"H*+m~".contains(byte));
    }

    pub(super) fn is_in_plain_rows(self) -> bool {
        self.stage == Stage::Rows
    }

    pub(super) fn is_plain_row(line: &[u8]) -> bool {
        !matches!(line.first(), None | Some(b';'))
    }

    pub(super) fn needs_next(self) -> bool {
        self.stage == Stage::Frame && self.names_baddies.unwrap_or(self.shows_baddies)
    }

    /// Returns whether an empty line is a damaged row in a frame. A dungeon's room, which begins like a frame, has no such rows.
    fn goes_on(self, next: Option<u8>) -> bool {
        next == Some(b'|') && self.needs_next()
    }
}
