//! JSON output without control characters, which terminals would obey.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Returns whether a character controls a terminal or changes the direction of text.
pub fn is_terminal_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character beyond ASCII looks like a space or is invisible.
pub fn is_invisible(c: char) -> bool {
    !c.is_ascii() && (c.is_whitespace() || is_terminal_control(c))
        || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Returns a serializer of compact JSON.
pub fn serializer<W: Write>(out: W) -> Serializer<W, impl Formatter> {
    Serializer::with_formatter(out, EscapingFormatter(CompactFormatter))
}

/// Writes a value as compact JSON.
///
/// # Errors
///
/// Returns an error of `out`, or of the value's serialization.
pub fn to_writer(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut serializer(out))
}

/// Returns a value as compact JSON.
///
/// # Errors
///
/// Returns an error if the value can't be serialized.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = Vec::new();
    to_writer(&mut out, value)?;
    Ok(String::from_utf8(out).expect("JSON is text"))
}

/// Escapes the characters of [`is_terminal_control`] in a JSON text, except line ends and tabs. The value stays the same.
pub fn escape_controls(json: &str) -> Cow<'_, str> {
    if is_harmless(json) {
        return json.into();
    }
    let mut out = Vec::new();
    escape(json, &mut out).expect("it is memory");
    String::from_utf8(out).expect("JSON is text").into()
}

fn is_harmless(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..0x7f).contains(&byte))
}

/// Writes JSON or the contents of a string, with the characters of [`is_terminal_control`] escaped except line ends and tabs.
fn escape(text: &str, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut units = [0; 2];
    let mut bytes = [0; 4];
    for c in text.chars() {
        if is_terminal_control(c) && !"\n\r\t".contains(c) {
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
        } else {
            out.write_all(c.encode_utf8(&mut bytes).as_bytes())?;
        }
    }
    Ok(())
}

struct EscapingFormatter(CompactFormatter);

impl Formatter for EscapingFormatter {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if is_harmless(fragment) {
            return self.0.write_string_fragment(writer, fragment);
        }
        escape(fragment, writer)
    }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
