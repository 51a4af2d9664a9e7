//! Boards as JSON Lines: an object a line, its rows in an array, its headers as fields.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::text::reject_second_headers;
use super::{Format, Header, Puzzle, Row};
use crate::fault::{BoardError, Fault, FaultKind, Place};

/// Reads one line, of number `number` (from 1), into `puzzle`; `false` if it is blank.
///
/// # Errors
///
/// What is wrong with the line. Its `id`, where it could be made out, is in `puzzle` all the same.
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
    let text = std::str::from_utf8(line).map_err(|error| {
        let before = String::from_utf8_lossy(&line[..error.valid_up_to()])
            .chars()
            .count();
        puzzle.fault(Place::at(number, before as u64 + 1), FaultKind::NotUtf8)
    })?;
    let fields: Fields = serde_json::from_str(text).map_err(|error| broken(puzzle, &error))?;
    let mut rows = None;
    for (Key(key), value) in fields.0 {
        match &*key {
            "id" if puzzle.id.is_none() => puzzle.id = Some(value.get()),
            "rows" if rows.is_none() => rows = Some(value),
            "id" | "rows" => {
                let place = Place::at(number, column(value.get(), text));
                let kind = FaultKind::SecondHeader(key.into_owned());
                return Err(puzzle.fault(place, kind).into());
            }
            _ => puzzle.headers.extend(header(key, value, text, number)),
        }
    }
    reject_second_headers(puzzle)?;
    let rows = rows.ok_or_else(|| {
        puzzle.fault(
            Place {
                line: number,
                column: 1,
                width: 0,
            },
            FaultKind::MissingField("rows"),
        )
    })?;
    read_rows(rows, text, puzzle)?;
    Ok(true)
}

struct Fields<'a>(Vec<(Key<'a>, &'a RawValue)>);

#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

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
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn broken(puzzle: &Puzzle, error: &serde_json::Error) -> Fault {
    // The library's message ends with the place, which is told in our way.
    let message = error.to_string();
    let message = message
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned();
    // Its columns count bytes.
    let bytes = error.column().saturating_sub(1).min(puzzle.source.len());
    let before = String::from_utf8_lossy(&puzzle.source[..bytes])
        .chars()
        .count();
    puzzle.fault(
        Place::at(puzzle.line, before as u64 + 1),
        FaultKind::BrokenJson(message),
    )
}

/// The column, from 1, at which `part` of `text` begins.
fn column(part: &str, text: &str) -> u64 {
    let bytes = part.as_ptr() as usize - text.as_ptr() as usize;
    text[..bytes].chars().count() as u64 + 1
}

fn header<'a>(
    key: Cow<'a, str>,
    value: &'a RawValue,
    text: &'a str,
    line: u64,
) -> Option<Header<'a>> {
    let raw = value.get();
    let place = Place {
        line,
        column: column(raw, text),
        width: raw.chars().count() as u64,
    };
    let value = match raw.as_bytes().first()? {
        b'"' => unquote(raw)?,
        b'n' => return None,
        b'[' => match serde_json::from_str::<Vec<String>>(raw) {
            Ok(words) => Cow::Owned(words.join(" ")),
            Err(_) => Cow::Borrowed(raw),
        },
        _ => Cow::Borrowed(raw),
    };
    Some(Header { key, value, place })
}

fn read_rows<'a>(
    rows: &'a RawValue,
    text: &'a str,
    puzzle: &mut Puzzle<'a>,
) -> Result<(), BoardError> {
    let whole = |raw: &str| Place {
        line: puzzle.line,
        column: column(raw, text),
        width: raw.chars().count() as u64,
    };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(rows.get()) else {
        let kind = FaultKind::WrongType {
            field: "rows".into(),
            wanted: "an array of strings, a row each",
        };
        return Err(puzzle.fault(whole(rows.get()), kind).into());
    };
    if items.is_empty() {
        return Err(puzzle.fault(whole(rows.get()), FaultKind::NoRows).into());
    }
    let mut faults = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        match row(item.get(), text, puzzle.line) {
            Some(row) => puzzle.rows.push(row),
            None => faults.push(puzzle.fault(
                whole(item.get()),
                FaultKind::WrongType {
                    field: format!("rows[{at}]"),
                    wanted: "a string",
                },
            )),
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(BoardError { faults })
    }
}

/// A row is a string; or, for a map of numbers, an array of them, kept as it is written.
fn row<'a>(raw: &'a str, text: &'a str, line: u64) -> Option<Row<'a>> {
    let start = column(raw, text);
    match raw.as_bytes().first()? {
        b'"' => {
            let inner = unquote(raw)?;
            let exact = matches!(inner, Cow::Borrowed(_));
            let bytes = match inner {
                Cow::Borrowed(inner) => Cow::Borrowed(inner.as_bytes()),
                Cow::Owned(inner) => Cow::Owned(inner.into_bytes()),
            };
            Some(Row {
                text: bytes,
                line,
                column: start + 1,
                exact,
            })
        }
        b'[' => Some(Row {
            text: Cow::Borrowed(raw.as_bytes()),
            line,
            column: start,
            exact: true,
        }),
        _ => None,
    }
}

fn unquote(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}
