//! Reads JSON lines of small boards in their usual form.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::puzzle::small::SmallBoard;
use crate::puzzle::{Format, Puzzle};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow, default, deserialize_with = "some")]
    id: Option<&'a RawValue>,
    rows: SmallBoard,
}

/// Keeps the raw value, even `null`.
fn some<'de, D: Deserializer<'de>>(value: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

/// Reads line `number` (from 1) if it has only the `rows` of a small board and perhaps an `id`. Sets the line and `id`
/// of `puzzle`, which gets no rows.
#[inline]
pub fn read_small<'a>(line: &'a [u8], number: u64, puzzle: &mut Puzzle<'a>) -> Option<SmallBoard> {
    // A derived reader would take a list of the fields as well.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let Line { id, rows } = serde_json::from_str(str::from_utf8(line).ok()?).ok()?;
    puzzle.clear(number, Format::JsonLines);
    puzzle.id = id.map(RawValue::get);
    Some(rows)
}

#[cfg(test)]
mod tests;
