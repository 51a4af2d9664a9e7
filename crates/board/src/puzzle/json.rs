//! Boards as JSON Lines: an object per line, with an array of rows and the headers as fields.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use memchr::{memchr, memchr_iter};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::text::{note_bad_headers, place_of_byte};
use super::written::is_invisible;
use super::{Columns, Format, HEADERS, Header, Origin, Puzzle, Row, characters, normal_key};
use crate::fault::{BoardError, Fault, FaultKind, Faults, Place};

/// Reads line `number` (from 1) into `puzzle`; returns `false` if the line is blank.
///
/// # Errors
///
/// Returns the faults of the line, or the limit that was reached. After faults, `puzzle` still has its `id` if the line is an
/// object with one.
pub fn read_line<'a>(
    line: &'a [u8],
    number: u64,
    puzzle: &mut Puzzle<'a>,
) -> Result<bool, BoardError> {
    puzzle.clear(number, Format::JsonLines);
    puzzle.source = line;
    if line.trim_ascii().is_empty() {
        return Ok(false);
    }
    puzzle.take(line.len() as u64)?;
    puzzle.work(line.len() as u64)?;
    let text = std::str::from_utf8(line).map_err(|error| {
        let place = place_of_byte(puzzle, error.valid_up_to());
        puzzle.fault(place, FaultKind::NotUtf8)
    })?;
    let fields: Fields =
        serde_json::from_str(text).map_err(|error| broken(puzzle, text, &error))?;
    let mut reader = Reader {
        text,
        columns: Columns::of(line),
        puzzle,
        faults: Faults::default(),
    };
    let rows = reader.fields(fields);
    note_bad_headers(reader.puzzle, &mut reader.faults);
    reader.all_rows(rows);
    let Reader { puzzle, faults, .. } = reader;
    // A limit reached while the glyphs are collected must end the reading.
    puzzle.glyphs();
    puzzle.finish(faults)?;
    Ok(true)
}

/// The fields of an object, in order, up to [`MAX_FIELDS`].
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The maximum number of fields read, one more than a board can use.
const MAX_FIELDS: usize = Puzzle::MAX_HEADERS + 3;

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::with_capacity(4);
                while let Some((Text(key), value)) = map.next_entry()? {
                    if fields.len() < MAX_FIELDS {
                        fields.push((key, value));
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn broken(puzzle: &Puzzle, text: &str, error: &serde_json::Error) -> Fault {
    if let Some(at) = text.find('\r') {
        return puzzle.fault(place_of_byte(puzzle, at), FaultKind::LoneReturn);
    }
    let at = error.column().saturating_sub(1).min(puzzle.source.len());
    let kind = FaultKind::BrokenJson(message(error, text));
    puzzle.fault(place_of_byte(puzzle, at), kind)
}

/// Returns the message of `serde_json` without the position at its end, followed by the character at this position in `text` if
/// it is invisible.
pub fn message(error: &serde_json::Error, text: &str) -> String {
    let message = error.to_string();
    let end = message.find(" at line ").unwrap_or(message.len());
    let line = text.split('\n').nth(error.line().saturating_sub(1));
    let rest = line.and_then(|line| line.get(error.column().saturating_sub(1)..));
    match rest.and_then(|rest| rest.chars().next()) {
        Some(found) if is_invisible(found) => {
            format!("{}, found `{}`", &message[..end], found.escape_unicode())
        }
        _ => message[..end].to_owned(),
    }
}

struct Reader<'p, 'a> {
    text: &'a str,
    columns: Columns<'a>,
    puzzle: &'p mut Puzzle<'a>,
    faults: Faults,
}

impl<'a> Reader<'_, 'a> {
    fn column(&mut self, part: &str) -> u64 {
        self.columns.of_byte(offset(part, self.text))
    }

    fn place(&mut self, part: &str) -> Place {
        Place {
            line: self.puzzle.line,
            column: self.column(part),
            width: characters(part.as_bytes()) as u64,
        }
    }

    fn fault(&mut self, part: &str, kind: FaultKind) {
        let place = self.place(part);
        self.faults.note(place, kind);
    }

    fn fields(&mut self, fields: Fields<'a>) -> Option<&'a RawValue> {
        let mut rows = None;
        for (key, value) in fields.0 {
            // The place of a key with escapes is unknown.
            let key_place = match key {
                Cow::Borrowed(key) => self.place(key),
                Cow::Owned(_) => self.place(value.get()),
            };
            let key = normal_key(key);
            match &*key {
                "id" if self.puzzle.id.is_none() => self.puzzle.id = Some(value.get()),
                "rows" if rows.is_none() => rows = Some(value),
                "id" | "rows" => {
                    self.fault(value.get(), FaultKind::DuplicateHeader(key.into_owned()));
                }
                _ => self.header(key, key_place, value.get()),
            }
        }
        rows
    }

    fn header(&mut self, key: Cow<'a, str>, key_place: Place, raw: &'a str) {
        let place = self.place(raw);
        let value = match value(raw, &key) {
            Ok(None) => return,
            Ok(Some(value)) => value,
            Err(kind) => {
                // The rulesets report the faults of other headers.
                if HEADERS.contains(&&*key) {
                    self.faults.note(place, kind);
                }
                raw.into()
            }
        };
        let header = Header {
            key,
            value,
            place,
            key_place,
            origin: Origin::Written,
        };
        self.puzzle.add_header(header, &mut self.faults);
    }

    fn all_rows(&mut self, rows: Option<&'a RawValue>) {
        let Some(rows) = rows.map(RawValue::get) else {
            let place = Place::of_line(self.puzzle.line);
            let kind = FaultKind::MissingField("rows");
            return self.faults.note(place, kind);
        };
        if self.plain_rows(rows) {
            return;
        }
        let mut count = 0;
        let read = each(rows, |raw: &RawValue| {
            count += 1;
            self.row(raw.get(), count - 1).is_ok()
        });
        if read.is_err() {
            self.fault(rows, wrong_type("rows", ROWS));
        } else if count == 0 {
            self.fault(rows, FaultKind::NoRows);
        }
    }

    /// Reads rows without escapes on a fast path; returns false if it does not apply or a limit is reached.
    fn plain_rows(&mut self, rows: &'a str) -> bool {
        let bytes = rows.as_bytes();
        if memchr(b'\\', bytes).is_some() || self.puzzle.work(bytes.len() as u64).is_err() {
            return false;
        }
        let (mut start, mut is_row) = (0, false);
        for end in memchr_iter(b'"', bytes).chain([bytes.len()]) {
            let text = &bytes[start..end];
            if is_row && self.puzzle.rows.len() < self.puzzle.rows.capacity() {
                self.puzzle.rows.push(Row {
                    column: self.columns.of_byte(offset(rows, self.text) + start),
                    ..Row::new(text, self.puzzle.line)
                });
            } else if is_row || !matches!(text.trim_ascii(), b"[" | b"," | b"]") {
                self.puzzle.rows.clear();
                return false;
            }
            (start, is_row) = (end + 1, !is_row);
        }
        true
    }

    /// Reads a row. In a map of numbers, a row is an array, which is kept as written.
    fn row(&mut self, raw: &'a str, number: usize) -> Result<(), BoardError> {
        self.puzzle.work(1 + raw.len() as u64)?;
        let text = match raw.as_bytes()[0] {
            b'"' => unquote(raw).ok_or(FaultKind::LoneSurrogate),
            b'[' => Ok(raw.into()),
            _ => Err(wrong_type(&format!("rows[{number}]"), "a string")),
        };
        match text {
            Ok(text) => {
                if matches!(text, Cow::Owned(_)) {
                    self.puzzle.take(raw.len() as u64)?;
                }
                let row = Row {
                    column: self.column(raw) + u64::from(raw.starts_with('"')),
                    ..Row::new(bytes(text), self.puzzle.line)
                };
                self.puzzle.add_row(row, &mut self.faults)
            }
            Err(kind) => {
                self.fault(raw, kind);
                Ok(())
            }
        }
    }
}

const ROWS: &str = "an array of strings, one per row";

fn wrong_type(field: &str, expected: &'static str) -> FaultKind {
    FaultKind::WrongType {
        field: field.to_owned(),
        expected,
    }
}

fn value<'r>(raw: &'r str, field: &str) -> Result<Option<Cow<'r, str>>, FaultKind> {
    match raw.as_bytes()[0] {
        b'n' => Ok(None),
        b'"' => unquote(raw).map(Some).ok_or(FaultKind::LoneSurrogate),
        b'[' => joined(raw)
            .map(Some)
            .ok_or_else(|| wrong_type(field, STRINGS)),
        b'{' => Err(wrong_type(field, "a string")),
        _ => Ok(Some(raw.into())),
    }
}

const STRINGS: &str = "a string, or an array of strings";

fn joined(raw: &str) -> Option<Cow<'_, str>> {
    let mut all = String::new();
    let add = |Text(item): Text| {
        all.push_str(&item);
        all.push(' ');
        true
    };
    each(raw, add).ok()?;
    all.pop();
    Some(all.into())
}

/// Calls `take` with each item of a JSON array. Fails if the text is not such an array, or `take` refuses an item.
fn each<'de, T: Deserialize<'de>>(
    json: &'de str,
    take: impl FnMut(T) -> bool,
) -> serde_json::Result<()> {
    struct Each<T, F>(F, PhantomData<T>);

    impl<'de, T: Deserialize<'de>, F: FnMut(T) -> bool> Visitor<'de> for Each<T, F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
            while let Some(item) = items.next_element()? {
                if !(self.0)(item) {
                    return Err(A::Error::custom("a limit was reached, or there is no room"));
                }
            }
            Ok(())
        }
    }

    serde_json::Deserializer::from_str(json).deserialize_seq(Each(take, PhantomData))
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn offset(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Returns the text of a JSON string; `None` for any other JSON, or for half a surrogate pair.
pub fn unquote(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}
