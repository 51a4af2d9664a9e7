//! Errors and warnings for people, with the file, the position, the source line with a caret, and a suggested fix.

use std::borrow::Cow;
use std::fmt::Write;

use crate::fault::{BoardError, Fault};
use crate::puzzle::written::is_obeyed;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::answers::words::safe;

#[derive(Clone, Debug)]
pub struct Diagnostics(Renderer);

const SHOWN: usize = 20;

impl Diagnostics {
    pub fn new(colors: Colors) -> Self {
        Self(match colors {
            Colors::On => Renderer::styled(),
            Colors::Off => Renderer::plain(),
        })
    }

    pub fn board(&self, path: &str, error: &BoardError) -> String {
        let path = safe(path);
        let mut text = String::new();
        for fault in error.faults.iter().take(SHOWN) {
            let _ = writeln!(text, "{}\n", self.drawn(Level::ERROR, &path, fault));
        }
        let more = error.faults.len().saturating_sub(SHOWN) + error.more;
        if more > 0 {
            let _ = writeln!(text, "... and {more} more faults of this board\n");
        }
        text
    }

    pub fn warnings(&self, path: &str, warnings: &[Fault]) -> String {
        if warnings.is_empty() {
            return String::new();
        }
        let path = safe(path);
        let shown = warnings.iter().take(SHOWN);
        let mut text: String = shown
            .map(|warning| format!("{}\n\n", self.drawn(Level::WARNING, &path, warning)))
            .collect();
        if let Some(more @ 1..) = warnings.len().checked_sub(SHOWN) {
            let _ = writeln!(text, "... and {more} more warnings of this board\n");
        }
        text
    }

    pub fn plain(&self, message: &str, help: Option<&str>) -> String {
        let title = Level::ERROR.primary_title(message);
        let group = match help {
            Some(help) => title.element(Level::HELP.message(help)),
            None => Group::with_title(title),
        };
        format!("{}\n\n", self.0.render(&[group]))
    }

    pub fn note(&self, message: &str) -> String {
        let note = Group::with_title(Level::NOTE.primary_title(message));
        format!("{}\n", self.0.render(&[note]))
    }

    fn drawn(&self, level: Level<'_>, path: &str, fault: &Fault) -> String {
        let message = fault.kind.to_string();
        let help = fault.kind.help();
        let title = level.primary_title(&message);
        let source = harmless(&fault.source.text);
        let group: Group = if fault.source.text.is_empty() {
            title
                .element(origin(path, fault))
                .element(Level::HELP.message(&help))
        } else {
            let place = AnnotationKind::Primary.span(span(&source, fault));
            let snippet = Snippet::source(&*source)
                .line_start(fault.place.line as usize)
                .fold(false)
                .annotation(place.label(&help));
            match fault.source.column {
                // The snippet shows the position itself, with columns counted from the snippet's start.
                1 => title.element(snippet.path(path)),
                _ => title.element(origin(path, fault)).element(snippet),
            }
        };
        let notes = fault.kind.notes().iter();
        let group = notes.fold(group, |group, note| {
            group.element(Level::NOTE.message(note))
        });
        self.0.render(&[group])
    }
}

fn origin<'p>(path: &'p str, fault: &Fault) -> Origin<'p> {
    Origin::path(path)
        .line(fault.place.line as usize)
        .char_column(fault.place.column as usize)
}

/// Replaces control characters that a terminal would obey; the length stays the same. ASCII control characters stay, since they
/// are printed as pictures.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| !c.is_ascii() && is_obeyed(c);
    if text.contains(is_harmful) {
        text.replace(is_harmful, "\u{fffd}").into()
    } else {
        text.into()
    }
}

fn span(text: &str, fault: &Fault) -> std::ops::Range<usize> {
    let byte = |skip: u64| {
        text.char_indices()
            .nth(skip as usize)
            .map_or(text.len(), |(at, _)| at)
    };
    let start = fault.place.column.saturating_sub(fault.source.column);
    byte(start)..byte(start + fault.place.width)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    On,
    Off,
}
