//! Lines that are wider than the terminal, broken between words.

use console::measure_text_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// The text with its indented lines broken to this width in columns. What goes on stands below what a line says
/// after its label; other lines, such as moves to be copied, stay whole.
pub fn wrapped(text: &str, width: usize) -> String {
    text.split_inclusive('\n')
        .map(|line| wrap(line, width))
        .collect()
}

fn wrap(line: &str, width: usize) -> String {
    if !line.starts_with("  ") || measure_text_width(line.trim_end()) <= width {
        return line.to_owned();
    }
    let indent = " ".repeat(hanging_indent(line).min(width / 2));
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(line, options)
}

/// Where the text after a line's label begins: what two spaces part from it.
fn hanging_indent(line: &str) -> usize {
    let inside = line.len() - line.trim_start().len();
    match line[inside..].find("  ") {
        Some(gap) => {
            let rest = line[inside + gap..].trim_start();
            measure_text_width(&line[..line.len() - rest.len()])
        }
        None => inside + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_below_their_text() {
        let text = "escape in 3 moves: ULL and more\n  1 U  `D`: lost within four moves\n  short\n";
        let expected = "escape in 3 moves: ULL and more\n  1 U  `D`: lost within\n       four moves\n  short\n";
        assert_eq!(wrapped(text, 24), expected);
        assert_eq!(wrapped("  a long line\n", 10), "  a long\n    line\n");
        assert_eq!(wrapped("  a long line\n", 80), "  a long line\n");
    }
}
