//! Where the boards of a text end.

use super::Header;

/// Follows a text line by line and tells what each line is to its board. That is settled by the lines
/// before it and the byte after it, so that it never depends on how much of a text has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    /// Whether there is a header that is no comment.
    has_keys: bool,
    has_rows: bool,
    /// Whether the rows stand in a frame that has not been closed yet.
    is_in_frame: bool,
    /// Whether the board is of the ruleset that has frames, going by its header and its glyphs.
    names_baddies: Option<bool>,
    shows_baddies: bool,
}

/// What a line is to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Header,
    Row,
    /// An empty line before the board. What may stand above it is remarks, which are no board.
    Nothing,
    /// The board has ended before this line.
    End,
}

impl Outline {
    /// What `line` is, without its end, if the byte `next` follows that; headers are to be told of by
    /// [`Self::header`] too.
    #[inline]
    pub(super) fn line(&mut self, line: &[u8], next: Option<u8>) -> Line {
        match line.first() {
            None if self.goes_on(next) => Line::Row,
            None if self.has_rows || self.has_keys => Line::End,
            None => Line::Nothing,
            Some(b';') if self.has_rows => Line::End,
            Some(b';') => Line::Header,
            Some(_) => {
                self.row(line);
                Line::Row
            }
        }
    }

    /// The board has this header.
    pub(super) fn header(&mut self, header: &Header) {
        self.has_keys |= !header.key.is_empty();
        if header.key == "ruleset" && self.names_baddies.is_none() {
            self.names_baddies = Some(header.value == "baddies");
        }
    }

    fn row(&mut self, line: &[u8]) {
        if self.is_in_frame || !self.has_rows {
            let is_bar = line.iter().all(|&byte| byte == b'-');
            self.is_in_frame = is_bar != self.is_in_frame;
            self.shows_baddies |=
                self.is_in_frame && line.iter().any(|byte| b"H*+m~".contains(byte));
        }
        self.has_rows = true;
    }

    /// Whether it has to be known what follows an empty line here.
    pub(super) fn needs_next(&self) -> bool {
        self.is_in_frame && self.names_baddies.unwrap_or(self.shows_baddies)
    }

    /// Whether the board goes on after an empty line: inside a frame that is a row which was spoilt.
    /// Rooms of a dungeon begin like a frame, so the board must be one of the framed kind.
    fn goes_on(&self, next: Option<u8>) -> bool {
        next == Some(b'|') && self.needs_next()
    }
}
