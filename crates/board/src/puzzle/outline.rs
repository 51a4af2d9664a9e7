//! Finds the ends of the boards in a text.

use super::Header;

/// Classifies each line of a text by the lines before it and the byte after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    stage: Stage,
    names_baddies: Option<bool>,
    shows_baddies: bool,
    /// True after a code fence above the rows.
    has_fence: bool,
    /// True in a code fence of `~`.
    is_in_tildes: bool,
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
    /// A line of a code fence above the rows, or an empty line below it.
    Fence,
    /// A code fence below the rows: the last line of the board.
    LastFence,
    /// An empty line that ends no board, since there are at most remarks above it. They belong to no board.
    Nothing,
    End,
}

impl Outline {
    /// Classifies `line`, given without its line end; `next` is the byte after the line end. After [`Line::Header`], call
    /// [`Self::header`].
    #[inline]
    pub(super) fn line(&mut self, line: &[u8], next: Option<u8>) -> Line {
        match line.trim_ascii_start().first() {
            None if !line.is_empty() => self.row(line),
            None if self.goes_on(next) => Line::Row,
            None if self.stage == Stage::Remarks && self.has_fence => Line::Fence,
            None if self.stage == Stage::Remarks => Line::Nothing,
            None => Line::End,
            Some(b';') if self.has_rows() => Line::End,
            Some(b';') => Line::Header,
            Some(b'`' | b'~') if self.is_fence(line.trim_ascii(), next) => {
                if self.has_rows() {
                    *self = Self::default();
                    Line::LastFence
                } else {
                    self.has_fence = true;
                    Line::Fence
                }
            }
            Some(_) => self.row(line),
        }
    }

    /// Returns whether a line opens or closes a code fence. A row of `baddies` may look like a fence of `~`. So an opening fence
    /// of `~` needs a language name with a letter other than `H`, `M` and `m`, or a next line that is no row.
    fn is_fence(&mut self, line: &[u8], next: Option<u8>) -> bool {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() && !b"HMm".contains(byte);
        let is_start = if is_tildes(line) {
            !self.has_rows() && matches!(next, None | Some(b';' | b'\r' | b'\n'))
        } else {
            line.starts_with(b"~~~") && line.iter().any(is_letter)
        };
        let is_end = self.is_in_tildes && is_tildes(line);
        self.is_in_tildes |= is_start;
        is_start || is_end || line.starts_with(b"```")
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

    fn row(&mut self, line: &[u8]) -> Line {
        if self.stage == Stage::Rows {
            return Line::Row;
        }
        let is_bar = line.iter().all(|&byte| byte == b'-');
        let was_open = self.stage == Stage::Frame;
        // A line of `-` opens a frame, or closes the one that is open.
        self.stage = if is_bar == was_open {
            Stage::Rows
        } else {
            Stage::Frame
        };
        self.shows_baddies |= was_open && line.iter().any(|byte| b"H*+m~".contains(byte));
        Line::Row
    }

    pub(super) fn needs_next(self, line: &[u8]) -> bool {
        line.is_empty() && self.is_in_frame() || is_tildes(line.trim_ascii())
    }

    fn is_in_frame(self) -> bool {
        self.stage == Stage::Frame && self.names_baddies.unwrap_or(self.shows_baddies)
    }

    /// Returns whether an empty line is a damaged row in a frame of `baddies`, with `next` as the first byte of the next line. A
    /// dungeon's room begins like a frame, too, but there an empty line ends the board.
    fn goes_on(self, next: Option<u8>) -> bool {
        next == Some(b'|') && self.is_in_frame()
    }
}

/// Returns whether a text is three or more `~`: a code fence without a language name, or a row of bats.
pub(super) fn is_tildes(text: &[u8]) -> bool {
    text.len() >= 3 && text.iter().all(|&byte| byte == b'~')
}
