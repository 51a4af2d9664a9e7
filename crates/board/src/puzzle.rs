//! Board files: headers and rows as written, before any ruleset reads them.
//!
//! A [`Puzzle`] borrows its text and records the place of everything in it, so that errors point at the exact cell. Reading takes
//! linear time, even for malformed text.

mod allowance;
pub mod glyphs;
pub mod json;
pub mod legend;
mod outline;
mod pasted;
pub mod sheet;
pub mod stream;
pub mod text;
pub mod written;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{self, Write};
use std::ops::Range;

use memchr::memchr;

use self::allowance::Allowance;
use self::glyphs::{Glyphs, SmallBoard};
use crate::fault::{BoardError, Excerpt, Excerpts, Fault, FaultKind, Faults, Place, did_you_mean};
use crate::limits::{Limits, bytes};

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Board files, as in [`text`].
    Text,
    /// An object for each board, as in [`json`].
    JsonLines,
}

/// A board as written in a file.
#[derive(Clone, Debug)]
pub struct Puzzle<'a> {
    /// The headers in file order. A comment is a header with an empty key.
    pub headers: Vec<Header<'a>>,
    /// The rows, including those of a frame; at least one after a successful read.
    pub rows: Vec<Row<'a>>,
    /// The `id` of a JSON line, as raw JSON.
    pub id: Option<&'a str>,
    /// The number of the board's first line, from 1.
    pub line: u64,
    /// The format in which the board was written.
    pub format: Format,
    /// Warnings about the parts of the text that were ignored.
    pub ignored: Faults,
    source: &'a [u8],
    contents: OnceCell<Contents>,
    is_cut_short: bool,
    allowance: Allowance<'a>,
}

#[derive(Clone, Debug)]
struct Contents {
    glyphs: Glyphs,
    small: Option<SmallBoard>,
}

/// A header: `; key: value`, or a field of a JSON line.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    /// The key, in lower case if it is a single word.
    pub key: Cow<'a, str>,
    /// The value; in board files, without the spaces around it. In JSON Lines it is the text of a string, the strings of an array
    /// with spaces between them, or other JSON as written.
    pub value: Cow<'a, str>,
    /// The position of the value.
    pub place: Place,
    /// The position of the key.
    pub key_place: Place,
    /// The source of the header.
    pub origin: Origin,
}

/// The source of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the board file or the JSON line.
    Written,
    /// From `--set`: used unless the board has its own value.
    Default,
    /// From `--override`: replaces the board's own value.
    Override,
}

/// A description of board files in Markdown, for `getaway rules`.
pub const BOARD_FILES: &str = include_str!("puzzle/board_files.md");

/// The keys that have a meaning in every ruleset.
pub const HEADERS: [&str; 7] = [
    "ruleset", "name", "expect", "moves", "seed", "chasers", "points",
];

const SEED: usize = 4;

/// A row as written, before its bytes are checked.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The text, without the line end.
    pub text: Cow<'a, [u8]>,
    /// The number of its line, from 1.
    pub line: u64,
    /// The column of the first character, from 1.
    pub column: u64,
    /// False if `text` differs from the source, as in JSON with escapes.
    pub exact: bool,
}

impl<'a> Puzzle<'a> {
    /// Returns an empty board for a reader to fill.
    pub fn empty() -> Self {
        Self {
            headers: Vec::new(),
            rows: Vec::new(),
            id: None,
            line: 1,
            format: Format::Text,
            ignored: Faults::default(),
            source: &[],
            contents: OnceCell::new(),
            is_cut_short: false,
            allowance: Allowance::of(Limits::default()),
        }
    }

    fn clear(&mut self, line: u64, format: Format) {
        clear_list(&mut self.headers);
        clear_list(&mut self.rows);
        self.id = None;
        self.line = line;
        self.format = format;
        self.ignored = Faults::default();
        self.source = &[];
        self.contents = OnceCell::new();
        self.is_cut_short = false;
        self.allowance.renew();
    }

    /// The maximum number of headers, including comments.
    pub const MAX_HEADERS: usize = 10_000;

    /// The maximum number of rows.
    pub const MAX_ROWS: usize = 1 << 24;

    fn add_header(&mut self, header: Header<'a>, faults: &mut Faults) {
        if self.headers.len() < Self::MAX_HEADERS {
            self.headers.push(header);
        } else {
            self.leave_out(
                header.place,
                FaultKind::TooManyHeaders(Self::MAX_HEADERS),
                faults,
            );
        }
    }

    fn add_row(&mut self, row: Row<'a>, faults: &mut Faults) -> Result<(), BoardError> {
        if self.rows.len() < Self::MAX_ROWS {
            self.make_room()?;
            self.rows.push(row);
        } else {
            self.leave_out(row.place(0), FaultKind::TooManyRows(Self::MAX_ROWS), faults);
        }
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), BoardError> {
        let len = self.rows.len();
        if len == self.rows.capacity() {
            let more = len.max(16).min(Self::MAX_ROWS - len);
            self.take(bytes::<Row>(more))?;
            self.rows.reserve_exact(more);
        }
        Ok(())
    }

    fn leave_out(&mut self, place: Place, kind: FaultKind, faults: &mut Faults) {
        if !std::mem::replace(&mut self.is_cut_short, true) {
            faults.note(place, kind);
        }
    }

    /// Returns the row and column, both from 0, of the character at a place; column 0 if the row's text differs from the source.
    /// Returns `None` if no row begins at or before the place on its line.
    pub fn position_of(&self, place: Place) -> Option<(u32, u32)> {
        let is_there = |row: &Row| row.line == place.line && row.column <= place.column;
        let number = self.rows.iter().rposition(is_there)?;
        let row = &self.rows[number];
        let col = u64::from(row.exact) * (place.column - row.column);
        Some((number as u32, col as u32))
    }

    /// Returns the set of glyphs in the rows; incomplete if a limit is reached.
    pub fn glyphs(&self) -> Glyphs {
        self.contents().glyphs
    }

    fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| {
            let small = SmallBoard::of_rows(self.rows.iter().map(|row| &*row.text));
            let glyphs = match &small {
                Some(small) => small.glyphs,
                None => self.glyphs_of(&self.rows),
            };
            Contents { glyphs, small }
        })
    }

    fn glyphs_of(&self, rows: &[Row]) -> Glyphs {
        Glyphs::of(rows.iter().flat_map(|row| self.pieces(&row.text)))
    }

    fn small(&self) -> Option<&SmallBoard> {
        self.contents().small.as_ref()
    }

    /// Returns a copy with another glyph at byte `at` of a row.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row or byte.
    #[must_use]
    pub fn with_glyph(&self, row: usize, at: usize, glyph: char) -> Self {
        let mut changed = self.clone();
        let text = changed.rows[row].text.to_mut();
        let after = text.split_off(at + 1);
        text.pop();
        text.extend(glyph.to_string().bytes());
        text.extend(after);
        changed.contents = OnceCell::new();
        changed
    }

    /// Returns the first header with this key.
    pub fn header(&self, key: &str) -> Option<&Header<'a>> {
        self.headers.iter().find(|header| header.key == key)
    }

    /// Adds a header from outside the text. A default is ignored if the board has that header; an override replaces it.
    pub fn set_header(&mut self, key: &str, value: &str, origin: Origin) {
        if origin == Origin::Override {
            self.headers.retain(|header| header.key != key);
        } else if self.header(key).is_some() {
            return;
        }
        let place = Place::of_line(self.line);
        self.headers.push(Header {
            key: key.to_owned().into(),
            value: value.to_owned().into(),
            place,
            key_place: place,
            origin,
        });
    }

    /// Returns the value of the header `name`.
    pub fn name(&self) -> Option<&str> {
        self.header("name").map(|header| &*header.value)
    }

    /// Parses header `key` with `read`; returns `None` if it is missing.
    ///
    /// # Errors
    ///
    /// Returns a fault if the header is duplicated or `read` refuses the value. For a refused value, `expected` gives the help of
    /// the fault.
    pub fn setting<T>(
        &self,
        key: &'static str,
        expected: impl FnOnce(&str) -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let mut headers = self.headers.iter().filter(|header| header.key == key);
        let Some(header) = headers.next() else {
            return Ok(None);
        };
        if let Some(second) = headers.next() {
            return Err(self.fault(second.place, FaultKind::DuplicateHeader(key.to_owned())));
        }
        let bad = || FaultKind::BadValue {
            key,
            value: header.value.to_string(),
            expected: expected(&header.value),
        };
        read(&header.value)
            .map(Some)
            .ok_or_else(|| self.fault(header.place, bad()))
    }

    /// Looks up the value of header `key` in `words`; returns `None` if the header is missing.
    ///
    /// # Errors
    ///
    /// Returns a fault if the value is not one of the words, or the header is duplicated.
    pub fn word<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, Fault> {
        let expected = |given: &str| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            did_you_mean(given, &known)
        };
        let find = |text: &str| words.iter().find(|(word, _)| *word == text);
        self.setting(key, expected, |text| Some(find(text)?.1))
    }

    /// Parses header `key` with [`Puzzle::parse_flag`]; returns `false` if it is missing.
    ///
    /// # Errors
    ///
    /// Returns a fault if the value is not a boolean, or the header is duplicated.
    pub fn flag(&self, key: &'static str) -> Result<bool, Fault> {
        let expected = |_: &str| "write `true` or `false`".to_owned();
        let value = self.setting(key, expected, Self::parse_flag)?;
        Ok(value.unwrap_or(false))
    }

    /// Parses a boolean: `true`, `yes` or `on`; `false`, `no` or `off`. Returns `None` for anything else.
    pub fn parse_flag(value: &str) -> Option<bool> {
        match value {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// Parses the header `seed`; returns `None` if it is missing. Readers of both formats report a bad seed at once.
    ///
    /// # Errors
    ///
    /// Returns a fault if the value is not a whole number from 0 to [`u64::MAX`], or the header is duplicated.
    pub fn seed(&self) -> Result<Option<u64>, Fault> {
        let expected = |_: &str| format!("write a whole number from 0 to {}", u64::MAX);
        self.setting("seed", expected, |value| value.parse().ok())
    }

    /// Returns the `id` of a JSON line, without the quotes of a string.
    pub fn id_text(&self) -> Option<Cow<'_, str>> {
        self.id.map(|id| json::unquote(id).unwrap_or(id.into()))
    }

    /// Returns a fault with its source line.
    pub fn fault(&self, place: Place, kind: FaultKind) -> Fault {
        let source = Excerpt::around(Lines::of(self).get(place.line), place.column);
        Fault {
            place,
            kind,
            source,
        }
    }

    /// Returns the place of the first character of the first row; without rows, that of the board's first line.
    pub fn place(&self) -> Place {
        self.rows
            .first()
            .map_or(Place::at(self.line, 1), |row| row.place(0))
    }

    /// Checks that there are no faults, or adds a source line to each.
    ///
    /// # Errors
    ///
    /// Returns the faults in text order, or only the limit that ended the reading.
    pub fn finish(&self, faults: Faults) -> Result<(), BoardError> {
        self.check_limits()?;
        let Some(mut error) = faults.into_error() else {
            return Ok(());
        };
        let mut lines = Lines::of(self);
        let mut shown = (0, Excerpts::default());
        for fault in &mut error.faults {
            let Place { line, column, .. } = fault.place;
            if shown.0 != line {
                shown = (line, Excerpts::of(lines.get(line)));
            }
            fault.source = shown.1.around(column);
        }
        Err(error)
    }

    /// Writes the board as in a board file, with an empty line at the end. The `id` of a JSON line is left out.
    ///
    /// # Errors
    ///
    /// Returns any error from `out`.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for header in &self.headers {
            let value = one_line(&header.value);
            if header.key.is_empty() {
                writeln!(out, "; {value}")?;
            } else {
                writeln!(out, "; {}: {value}", one_line(&header.key))?;
            }
        }
        for row in &self.rows {
            out.write_all(row.drawn())?;
            out.write_all(b"\n")?;
        }
        out.write_all(b"\n")
    }

    /// Returns the `id`, from JSON or from a header, as JSON.
    pub fn id_json(&self) -> Option<Cow<'_, str>> {
        if let Some(id) = self.id {
            return Some(written::escape_controls(id));
        }
        let id = &*self.header("id")?.value;
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(id).is_ok();
        Some(if is_json {
            written::escape_controls(id)
        } else {
            quote(id).into()
        })
    }

    /// Returns the board as a JSON line, without comments and without a line end. Headers are strings, except for lists of
    /// objects such as `things`, for an `id` that is valid JSON, and for numbers and booleans whose key `is_setting` accepts.
    pub fn to_json(&self, is_setting: impl Fn(&str) -> bool) -> String {
        let id = self.id_json();
        let mut fields: Vec<_> = id.iter().map(|id| format!("\"id\": {id}")).collect();
        let is_field = |header: &&Header| !header.key.is_empty() && header.key != "id";
        for header in self.headers.iter().filter(is_field) {
            let literal = literal(&header.value).filter(|_| is_setting(&header.key));
            let value = literal.map_or_else(|| header.to_json(), Cow::Borrowed);
            fields.push(format!("{}: {value}", quote(&header.key)));
        }
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| quote(&String::from_utf8_lossy(&row.text)))
            .collect();
        fields.push(format!("\"rows\": [{}]", rows.join(", ")));
        format!("{{{}}}", fields.join(", "))
    }
}

impl Header<'_> {
    fn to_json(&self) -> Cow<'_, str> {
        let is_list = self.value.starts_with('[')
            && serde_json::from_str::<Vec<serde_json::Map<_, _>>>(&self.value).is_ok();
        if is_list && self.value.contains('{') {
            written::escape_controls(&one_line(&self.value))
                .into_owned()
                .into()
        } else {
            quote(&self.value).into()
        }
    }

    /// Returns whether this header is a setting, whose key is a single word, and not a remark with a colon.
    pub fn is_setting(&self) -> bool {
        // A colon in a web address is part of a remark.
        is_word(&self.key) && !self.value.starts_with("//")
    }

    fn into_owned(self) -> Header<'static> {
        Header {
            key: self.key.into_owned().into(),
            value: self.value.into_owned().into(),
            ..self
        }
    }
}

/// Returns the value as JSON if it is a number or a boolean.
pub fn literal(value: &str) -> Option<&str> {
    let parsed = serde_json::from_str(value).ok()?;
    let is_literal = matches!(
        parsed,
        serde_json::Value::Bool(_) | serde_json::Value::Number(_)
    );
    (is_literal && value.trim() == value).then_some(value)
}

fn is_word(key: &str) -> bool {
    let belongs = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !key.is_empty() && key.chars().all(belongs)
}

fn normal_key(key: Cow<'_, str>) -> Cow<'_, str> {
    let may_have_capitals = |byte: u8| byte.is_ascii_uppercase() || !byte.is_ascii();
    if key.bytes().any(may_have_capitals) && key.contains(char::is_uppercase) && is_word(&key) {
        key.to_lowercase().into()
    } else {
        key
    }
}

struct Lines<'p> {
    puzzle: &'p Puzzle<'p>,
    /// The text that has not been scanned yet, and the number of its first line. Lines must be requested in ascending order.
    rest: (&'p [u8], u64),
}

impl<'p> Lines<'p> {
    const fn of(puzzle: &'p Puzzle<'p>) -> Self {
        Self {
            puzzle,
            rest: (puzzle.source, puzzle.line),
        }
    }

    fn get(&mut self, line: u64) -> &'p [u8] {
        let Puzzle { rows, format, .. } = self.puzzle;
        // In JSON all rows are on one line, and where text was ignored a row is only a part of its line.
        if *format == Format::Text
            && self.puzzle.ignored.is_empty()
            && let Ok(row) = rows.binary_search_by_key(&line, |row| row.line)
        {
            return &rows[row].text;
        }
        while self.rest.1 < line {
            let Some(end) = memchr(b'\n', self.rest.0) else {
                return &[];
            };
            self.rest = (&self.rest.0[end + 1..], self.rest.1 + 1);
        }
        let text = match memchr(b'\n', self.rest.0) {
            Some(end) => &self.rest.0[..end],
            None => self.rest.0,
        };
        text.strip_suffix(b"\r").unwrap_or(text)
    }
}

impl<'a> Row<'a> {
    /// Creates a row that fills line number `line`, from 1. A text that is not borrowed counts as different from the source.
    #[inline]
    pub fn new(text: impl Into<Cow<'a, [u8]>>, line: u64) -> Self {
        let text = text.into();
        Self {
            exact: matches!(text, Cow::Borrowed(_)),
            text,
            line,
            column: 1,
        }
    }

    /// Returns the text to draw. An empty row would end a drawing, so it becomes a single space.
    pub fn drawn(&self) -> &[u8] {
        if self.text.is_empty() {
            b" "
        } else {
            &self.text
        }
    }

    /// Returns the place of character `at`, from 0; if `exact` is false, that of the first character.
    pub fn place(&self, at: usize) -> Place {
        let skip = if self.exact { at as u64 } else { 0 };
        Place::at(self.line, self.column + skip)
    }

    /// Returns the place of these bytes; if `exact` is false, that of the first character.
    pub fn span(&self, bytes: Range<usize>) -> Place {
        let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
        let width = chars(&self.text[bytes.clone()]) as u64;
        Place {
            width: if self.exact { width } else { 1 },
            ..self.place(chars(&self.text[..bytes.start]))
        }
    }

    /// Returns the place of byte `at`, from 0.
    pub(crate) fn place_of_byte(&self, at: usize) -> Place {
        self.place(characters(&self.text[..at]))
    }
}

/// Returns the number of characters that begin in `text`, a part of a UTF-8 text.
pub fn characters(text: &[u8]) -> usize {
    let continues = |byte: &&u8| **byte & 0xC0 == 0x80;
    text.len() - text.iter().filter(continues).count()
}

/// Computes the columns of a line's bytes. Requests from left to right scan the line once.
#[derive(Clone, Debug)]
pub struct Columns<'l> {
    line: &'l [u8],
    is_ascii: bool,
    at: (usize, u64),
}

impl<'l> Columns<'l> {
    /// Starts at the beginning of the line.
    pub const fn of(line: &'l [u8]) -> Self {
        Self {
            line,
            is_ascii: line.is_ascii(),
            at: (0, 1),
        }
    }

    /// Returns the column, from 1, of the character that begins at `byte` (from 0).
    pub fn of_byte(&mut self, byte: usize) -> u64 {
        if self.is_ascii {
            return byte as u64 + 1;
        }
        if byte < self.at.0 {
            self.at = (0, 1);
        }
        let (from, column) = self.at;
        let column = column + characters(&self.line[from..byte]) as u64;
        self.at = (byte, column);
        column
    }
}

/// Empties a list, and keeps its memory for the next board unless it is large.
fn clear_list<T>(list: &mut Vec<T>) {
    const MUCH: usize = 1 << 14;
    if list.capacity() > MUCH {
        *list = Vec::new();
    } else {
        list.clear();
    }
}

fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        text.replace(['\n', '\r'], " ").into()
    } else {
        text.into()
    }
}

fn quote(text: &str) -> String {
    written::to_string(text).expect("a string can always be written as JSON")
}

#[cfg(test)]
mod tests;
