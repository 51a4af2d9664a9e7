//! Errors on the command line, in plain words. `clap`'s own messages name Rust types, and suggest no command if a file is given
//! in place of one.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::path::Path;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use console::Term;

use getaway_board::fault::{closest_word, list};
use getaway_board::words::{grouped, safe};

use super::options::ruleset_names;
use super::output::text::{fitted, width};

/// Rewrites an error that names internals or that allows a better suggestion. Returns other errors unchanged.
pub fn in_plain_words(error: Error) -> Error {
    let message = match error.kind() {
        ErrorKind::ValueValidation => bad_value(&error),
        ErrorKind::InvalidSubcommand => not_a_command(&error),
        ErrorKind::MissingRequiredArgument => no_ruleset(&error),
        _ => None,
    };
    let more = "For more information, try '--help'.";
    message.map_or(error, |(kind, text)| {
        // `clap` adds the prefix itself, but wrapping must leave room for it.
        let prefix = "error: ";
        let text = format!("{prefix}{text}\n\n{more}\n");
        let text = fitted(text, width(&Term::stderr()));
        Error::raw(kind, &text[prefix.len()..])
    })
}

type Message = (ErrorKind, String);

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn bad_value(error: &Error) -> Option<Message> {
    let why = error.source()?;
    let number = why.downcast_ref().map(ParseIntError::kind);
    let arg = text(error, ContextKind::InvalidArg)?;
    let value = safe(text(error, ContextKind::InvalidValue)?);
    let expected = match number {
        Some(IntErrorKind::PosOverflow) => "write a smaller number".into(),
        Some(_) if value.starts_with('-') => "write a whole number that is not negative".into(),
        Some(_) => "write a whole number".into(),
        None if why.is::<ParseFloatError>() => "write a number".into(),
        None => of_range(&why.to_string())?,
    };
    let text = format!("invalid value '{value}' for '{arg}': {expected}");
    Some((ErrorKind::ValueValidation, text))
}

/// Rewrites a message of `clap` such as `0 is not in 1..=9`.
fn of_range(why: &str) -> Option<String> {
    let (_, range) = why.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let least = grouped(least.parse::<u64>().ok()?);
    // A range up to the largest number is printed without `=`.
    let most = most
        .strip_prefix('=')
        .and_then(|most| most.parse::<u64>().ok());
    Some(match most {
        Some(most) => format!("write a whole number from {least} to {}", grouped(most)),
        None => format!("write a whole number, {least} or more"),
    })
}

fn not_a_command(error: &Error) -> Option<Message> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let is_file = typed.contains(['.', '/', '#']) || Path::new(typed).exists();
    let word = safe(typed);
    let tip = if is_file {
        format!("`getaway solve {word}` solves the boards of a file")
    } else {
        let name = closest_word(typed, &ruleset_names())?;
        format!(
            "`{name}` is a ruleset: `getaway rules {name}` explains it, and `getaway play {name}` plays it"
        )
    };
    let text = format!("`{word}` is not a command\n\n  tip: {tip}");
    Some((ErrorKind::InvalidSubcommand, text))
}

/// Rewrites the error for a missing ruleset, since `clap` does not list the rulesets. Returns `None` if another argument is
/// missing.
fn no_ruleset(error: &Error) -> Option<Message> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let names = ruleset_names();
    let text = format!("name a ruleset: {}", list(&names));
    let is_ruleset = missing.iter().all(|arg| arg == "<RULESET>");
    is_ruleset.then_some((ErrorKind::MissingRequiredArgument, text))
}
