//! Numbers, plurals, and text that is safe to print.

use std::path::Path;
use std::time::Duration;

use crate::limits::Bounds;
use crate::puzzle::written::{is_invisible, is_terminal_control};

/// Returns text such as `3 moves` or `1 move`, with commas in large numbers.
pub fn count(number: u64, what: &str) -> String {
    let ending = match what {
        _ if number == 1 => "",
        _ if what.ends_with("sh") || what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {what}{ending}", grouped(number))
}

/// Formats a number with commas between groups of three digits.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Formats a probability, or its bounds, with six decimals.
pub fn probability(bounds: Bounds) -> String {
    if bounds.is_exact() {
        format!("{:.6}", bounds.middle())
    } else {
        format!("{:.6} to {:.6}", bounds.lower, bounds.upper)
    }
}

/// Lists at most `max` words, and counts the rest.
pub fn list_some(words: &[String], max: usize) -> String {
    let shown = words[..max.min(words.len())].join(", ");
    match words.len().saturating_sub(max) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Formats a duration in seconds, milliseconds or microseconds.
pub fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} us", s * 1e6),
    }
}

/// Escapes control characters and characters that change the text direction.
pub fn safe(text: &str) -> String {
    escaped(text, is_terminal_control)
}

/// Returns a path for messages, with control characters and invisible characters escaped.
pub fn path_name(path: &Path) -> String {
    escaped(&path.to_string_lossy(), |c| {
        is_terminal_control(c) || is_invisible(c)
    })
}

/// Escapes terminal control characters, except line feeds and tabs.
pub fn for_terminal(text: &str) -> String {
    escaped(text, |c| {
        is_terminal_control(c) && !matches!(c, '\n' | '\t')
    })
}

fn escaped(text: &str, is_escaped: fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
