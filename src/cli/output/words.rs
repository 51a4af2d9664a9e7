//! Wrapped text, and paths that are safe to show.

use std::path::Path;

use textwrap::{Options, WordSeparator, WordSplitter};

use crate::answers::words::safe;

/// Wraps text to a width; `first` indents its first line, and `rest` all others.
pub fn wrap(text: &str, width: usize, (first, rest): (&str, &str)) -> String {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text, options)
}

/// Returns the path as text that is safe to show.
pub fn path_name(path: &Path) -> String {
    safe(&path.to_string_lossy())
}
