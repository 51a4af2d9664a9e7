//! Where the boards of a text end.

use super::Header;

/// Follows a text line by line and tells what each line is to its board. That is settled by the lines
/// before it and the byte after it, so that it never depends on how much of a text has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    stage: Stage,
    /// Whether the board is of the ruleset that has frames, as its header says.
    names_baddies: Option<bool>,
    /// The same, going by the glyphs in its frame.
    shows_baddies: bool,
}

/// What there is of a board so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing but remarks.
    #[default]
    Remarks,
    /// A header that is no remark.
    Headers,
    /// Rows; outside of a frame, or after it.
    Rows,
    /// Rows in a frame that has not been closed yet.
    Frame,
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

    /// The board has this header.
    pub(super) fn header(&mut self, header: &Header) {
        if !header.key.is_empty() {
            self.stage = Stage::Headers;
        }
        if header.key == "ruleset" && self.names_baddies.is_none() {
            self.names_baddies = Some(header.value == "baddies");
        }
    }

    /// Whether the board has rows, so that a line that begins with `;` is none of its own.
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

    /// Whether the board has rows, and goes on as long as there are plain ones ([`Self::is_plain_row`]).
    pub(super) fn is_in_plain_rows(self) -> bool {
        self.stage == Stage::Rows
    }

    /// Whether a line can be nothing but a row where there have been rows before.
    pub(super) fn is_plain_row(line: &[u8]) -> bool {
        !matches!(line.first(), None | Some(b';'))
    }

    /// Whether it has to be known what follows an empty line here.
    pub(super) fn needs_next(self) -> bool {
        self.stage == Stage::Frame && self.names_baddies.unwrap_or(self.shows_baddies)
    }

    /// Whether the board goes on after an empty line: inside a frame that is a row which was spoilt.
    /// Rooms of a dungeon begin like a frame, so the board must be one of the framed kind.
    fn goes_on(self, next: Option<u8>) -> bool {
        next == Some(b'|') && self.needs_next()
    }
}
