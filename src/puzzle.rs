//! Board files: a board's headers and rows as they were written, before any ruleset reads them.
//!
//! A [`Puzzle`] borrows the text that it was read from and knows where in it everything stands, so
//! that whatever is wrong later can be shown in its place. [`text`] and [`json`] read the two formats,
//! [`stream`] cuts input of any length into pieces that hold whole boards.

pub mod json;
pub mod sheet;
pub mod stream;
pub mod text;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{self, Write};

use self::sheet::Glyphs;
use crate::fault::{BoardError, Excerpt, Fault, FaultKind, Place};

/// The two formats of board files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Drawings with header lines.
    Text,
    /// A JSON object a line.
    JsonLines,
}

/// One board as written.
#[derive(Clone, Debug)]
pub struct Puzzle<'a> {
    /// The headers in the order of the file; comments are headers with an empty key.
    pub headers: Vec<Header<'a>>,
    /// The rows, those of a frame included; at least one.
    pub rows: Vec<Row<'a>>,
    /// The `id` of a JSON line, as raw JSON.
    pub id: Option<&'a str>,
    /// The line that the board begins in, from 1.
    pub line: u64,
    /// The format it was written in.
    pub format: Format,
    source: &'a [u8],
    glyphs: OnceCell<Glyphs>,
}

/// One header: `; key: value`, or a field of a JSON line.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    /// The key.
    pub key: Cow<'a, str>,
    /// The value, without spaces around it.
    pub value: Cow<'a, str>,
    /// Where the value stands.
    pub place: Place,
}

/// One row of a board as written.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// Its bytes, without the line end.
    pub text: Cow<'a, [u8]>,
    /// The line that it stands in, from 1.
    pub line: u64,
    /// The column of its first character, from 1.
    pub column: u64,
    /// Whether its characters stand in the source one by one; not so in JSON with escapes.
    pub exact: bool,
}

impl<'a> Puzzle<'a> {
    /// A board without headers and rows yet, for the readers to fill.
    pub fn empty() -> Self {
        Self {
            headers: Vec::new(),
            rows: Vec::new(),
            id: None,
            line: 1,
            format: Format::Text,
            source: &[],
            glyphs: OnceCell::new(),
        }
    }

    fn clear(&mut self, line: u64, format: Format) {
        self.headers.clear();
        self.rows.clear();
        self.id = None;
        self.line = line;
        self.format = format;
        self.source = &[];
        self.glyphs = OnceCell::new();
    }

    /// The glyphs of the rows.
    pub fn glyphs(&self) -> Glyphs {
        *self.glyphs.get_or_init(|| Glyphs::of(&self.rows))
    }

    /// The header with this key, if there is one.
    pub fn header(&self, key: &str) -> Option<&Header<'a>> {
        self.headers.iter().find(|header| header.key == key)
    }

    /// The value of the header `name`.
    pub fn name(&self) -> Option<&str> {
        self.header("name").map(|header| &*header.value)
    }

    /// The value of header `key` as `read` makes it out; `None` without such a header.
    ///
    /// # Errors
    ///
    /// A fault that says `wanted` if `read` can't make it out.
    pub fn setting<T>(
        &self,
        key: &'static str,
        wanted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(header) = self.header(key) else {
            return Ok(None);
        };
        let bad = || FaultKind::BadValue {
            key,
            value: header.value.to_string(),
            wanted: wanted.to_owned(),
        };
        read(&header.value)
            .map(Some)
            .ok_or_else(|| self.fault(header.place, bad()))
    }

    /// The value of header `key`, `true` or `false`; `false` without such a header.
    ///
    /// # Errors
    ///
    /// A fault if the value is something else.
    pub fn flag(&self, key: &'static str) -> Result<bool, Fault> {
        let value = self.setting(key, "write `true` or `false`", |value| match value {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        })?;
        Ok(value.unwrap_or(false))
    }

    /// A fault of this board, with the source line that it stands in.
    pub fn fault(&self, place: Place, kind: FaultKind) -> Fault {
        let source = Excerpt::around(self.source_line(place.line), place.column);
        Fault {
            place,
            kind,
            source,
        }
    }

    /// The place of the whole board: the first character of its first row.
    pub fn place(&self) -> Place {
        self.rows
            .first()
            .map_or(Place::at(self.line, 1), |row| row.place(0))
    }

    fn source_line(&self, line: u64) -> &[u8] {
        if self.format == Format::Text
            && let Ok(row) = self.rows.binary_search_by_key(&line, |row| row.line)
        {
            return &self.rows[row].text;
        }
        let skip = line.saturating_sub(self.line) as usize;
        let text = self
            .source
            .split(|&byte| byte == b'\n')
            .nth(skip)
            .unwrap_or_default();
        text.strip_suffix(b"\r").unwrap_or(text)
    }

    /// Writes the board as text, ready to be read again, with an empty line after it.
    ///
    /// # Errors
    ///
    /// Those of `out`.
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
            // A row without any character would end the board.
            let text = if row.text.is_empty() {
                b" "
            } else {
                &*row.text
            };
            out.write_all(text)?;
            out.write_all(b"\n")?;
        }
        out.write_all(b"\n")
    }

    /// The board as one JSON line, without the line end.
    pub fn to_json(&self) -> String {
        let mut fields = Vec::new();
        if let Some(id) = self.id {
            fields.push(format!("\"id\": {id}"));
        }
        for header in self.headers.iter().filter(|header| !header.key.is_empty()) {
            fields.push(format!("{}: {}", quote(&header.key), quote(&header.value)));
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

/// Two boards are the same if their headers, rows and ids are, wherever they were read.
impl PartialEq for Puzzle<'_> {
    fn eq(&self, other: &Self) -> bool {
        let headers = |puzzle: &Self| -> Vec<(String, String)> {
            puzzle
                .headers
                .iter()
                .map(|h| (h.key.to_string(), h.value.to_string()))
                .collect()
        };
        self.id == other.id
            && headers(self) == headers(other)
            && self
                .rows
                .iter()
                .map(|row| &row.text)
                .eq(other.rows.iter().map(|row| &row.text))
    }
}

impl Row<'_> {
    /// The place of its character number `at`, from 0.
    pub fn place(&self, at: usize) -> Place {
        let skip = if self.exact { at as u64 } else { 0 };
        Place::at(self.line, self.column + skip)
    }

    /// The place of byte number `at`, from 0.
    pub fn place_of_byte(&self, at: usize) -> Place {
        match &self.text[..at] {
            before if before.is_ascii() => self.place(at),
            before => self.place(String::from_utf8_lossy(before).chars().count()),
        }
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
    serde_json::to_string(text).expect("a string can always be written as JSON")
}

/// An error about input that holds no board that could be pointed at.
pub fn error_at(line: u64, kind: FaultKind) -> BoardError {
    Fault {
        place: Place {
            line,
            column: 1,
            width: 0,
        },
        kind,
        source: Excerpt::default(),
    }
    .into()
}
