//! Errors and warnings with their source line and a suggested fix.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use console::{Term, measure_text_width};
use getaway_board::fault::{BoardError, Fault};
use getaway_board::puzzle::written::is_invisible;

use super::text::{self, Colors};
use getaway_board::words::safe;

#[derive(Clone, Debug)]
pub struct Diagnostics {
    renderer: Renderer,
    /// The width of the terminal, if there is one.
    width: Option<usize>,
}

const SHOWN: usize = 20;

/// Upper bounds on the number of columns before the text of a title (`warning: `), of an element (`     = help: `), and of a
/// source line with its number, if line numbers have at most four digits.
const TITLE: usize = 9;
const ELEMENT: usize = 13;
const LINE_NUMBER: usize = 8;

impl Diagnostics {
    pub fn new(colors: Colors) -> Self {
        let renderer = match colors {
            Colors::On => Renderer::styled(),
            Colors::Off => Renderer::plain(),
        };
        let width = text::width(&Term::stderr());
        Self { renderer, width }
    }

    pub fn board(&self, path: &str, error: &BoardError) -> String {
        let more = error.more;
        self.all(path, &error.faults, &Level::ERROR, "faults", more)
    }

    pub fn warnings(&self, path: &str, warnings: &[Fault]) -> String {
        self.all(path, warnings, &Level::WARNING, "warnings", 0)
    }

    /// Draws the first [`SHOWN`] faults and counts the rest, including `more` faults that are not in `faults`.
    fn all(
        &self,
        path: &str,
        faults: &[Fault],
        level: &Level<'static>,
        what: &str,
        more: usize,
    ) -> String {
        let path = safe(path);
        let text: String = faults
            .iter()
            .take(SHOWN)
            .map(|fault| format!("{}\n\n", self.drawn(level.clone(), &path, fault)))
            .collect();
        match faults.len().saturating_sub(SHOWN) + more {
            0 => text,
            more => format!("{text}... and {more} more {what} of this board\n\n"),
        }
    }

    pub fn plain(&self, message: &str, help: Option<&str>) -> String {
        let title = Level::ERROR.primary_title(message);
        let group = match help {
            Some(help) => title.element(Level::HELP.message(help)),
            None => Group::with_title(title),
        };
        self.fitted(&group, "\n\n")
    }

    pub fn note(&self, message: &str) -> String {
        let note = Group::with_title(Level::NOTE.primary_title(message));
        self.fitted(&note, "\n")
    }

    fn fitted(&self, group: &Group, end: &str) -> String {
        let text = self.renderer.render(std::slice::from_ref(group)) + end;
        text::fitted(text, self.width)
    }

    fn drawn(&self, level: Level<'_>, path: &str, fault: &Fault) -> String {
        let message = self.wrapped(&fault.kind.to_string(), TITLE);
        let help = fault.kind.help();
        let title = level.primary_title(&message);
        let below = self.wrapped(&help, ELEMENT);
        // The renderer itself prints the invisible characters of ASCII as symbols.
        let source = fault.source.text.replace(is_invisible, "\u{fffd}");
        let group: Group = if fault.source.text.is_empty() {
            title
                .element(origin(path, fault))
                .element(Level::HELP.message(&below))
        } else {
            let span = span(&source, fault);
            let mark_end = LINE_NUMBER + measure_text_width(&source[..span.end]);
            let fits_beside = self.fits(mark_end + measure_text_width(&help));
            let place = AnnotationKind::Primary.span(span);
            let snippet = Snippet::source(&source)
                .line_start(fault.place.line as usize)
                .fold(false)
                .annotation(place.label(fits_beside.then_some(&*help)));
            let group = match fault.source.column {
                // The snippet shows its path and position itself.
                1 => title.element(snippet.path(path)),
                _ => title.element(origin(path, fault)).element(snippet),
            };
            if fits_beside {
                group
            } else {
                group.element(Level::HELP.message(&below))
            }
        };
        let notes = fault.kind.notes().iter();
        let group = notes.fold(group, |group, note| {
            group.element(Level::NOTE.message(note))
        });
        self.renderer.render(&[group])
    }

    fn fits(&self, columns: usize) -> bool {
        self.width.is_none_or(|width| columns <= width)
    }

    /// Wraps a text that starts `start` columns from the left. The renderer aligns its lines.
    fn wrapped(&self, text: &str, start: usize) -> String {
        let width = self
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(start).max(start));
        text::wrap(text, width, "", "")
    }
}

fn origin<'p>(path: &'p str, fault: &Fault) -> Origin<'p> {
    Origin::path(path)
        .line(fault.place.line as usize)
        .char_column(fault.place.column as usize)
}

fn span(text: &str, fault: &Fault) -> std::ops::Range<usize> {
    let byte = |skip: u64| {
        let mut chars = text.char_indices().skip(skip as usize);
        chars.next().map_or(text.len(), |(at, _)| at)
    };
    let start = fault.place.column.saturating_sub(fault.source.column);
    byte(start)..byte(start + fault.place.width)
}

#[cfg(test)]
#[path = "diagnostic_tests.rs"]
mod tests;
