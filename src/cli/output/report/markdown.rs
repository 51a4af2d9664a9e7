//! A report in Markdown: the counts, what failed, and a table for each file.

use std::io::{self, Read, Write};

use super::row::Row;
use super::{End, Layout, Section};
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::words::{duration, grouped};

/// Tables.
pub struct Markdown;

impl Layout for Markdown {
    fn row(&self, _: &str, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let number = |number: Option<u64>| number.map_or_else(String::new, grouped);
        let result = match &*row.told() {
            "" => row.result().to_owned(),
            told => format!("**{}**: {}", row.result(), escaped(told)),
        };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {result} |",
            row.number(),
            escaped(&row.name),
            row.ruleset,
            row.verdict,
            number(row.length),
            number(row.states),
            row.time.map_or_else(String::new, duration),
        )
    }

    fn failure(&self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let (number, name) = (row.number(), escaped(&row.name));
        let what = match (row.board, &*name) {
            (None, _) => "the file".into(),
            (Some(_), "") => format!("board {number}"),
            (Some(_), name) => format!("board {number} ({name})"),
        };
        writeln!(
            out,
            "  - {what}: {}: {}",
            row.result(),
            escaped(&row.told())
        )
    }

    fn section(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "\n### {}\n", escaped(section.path))?;
        writeln!(
            out,
            "| board | name | ruleset | verdict | length | states | time | result |"
        )?;
        writeln!(out, "| ---: | --- | --- | --- | ---: | ---: | ---: | --- |")?;
        io::copy(rows, out).map(drop)
    }

    fn failures(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "- {}", escaped(section.path))?;
        io::copy(rows, out).map(drop)
    }

    fn page(
        &self,
        end: &End,
        [files, failed]: [&mut dyn Read; 2],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "# Boards checked by getaway\n")?;
        for line in end.summary.lines(Colors::Off) {
            writeln!(out, "- {}", escaped(&line))?;
        }
        if end.summary.has_failures() {
            writeln!(out, "\n## What failed\n")?;
            io::copy(failed, out)?;
        }
        writeln!(out, "\n## By file")?;
        io::copy(files, out).map(drop)
    }
}

/// Text that is nothing but text, in a cell of a table as well: signs that mean something in a line are
/// escaped, those of web addresses, mentions and emoji among them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>#|&~$:@^".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser};

    use super::*;

    #[test]
    fn hostile_text_is_shown_as_it_is() {
        for text in [
            "a|b",
            "`c`",
            "**d**",
            "[e](http://f)",
            "<script>g</script>",
            "&amp;",
            "\\",
            "\\|",
            "1. h",
            "~~i~~",
            "| --- |",
            "<!-- j",
            "#1 @k :l:",
        ] {
            let table = format!("| x | y |\n| --- | --- |\n| {} | last |\n", escaped(text));
            // Dashes and quotation marks stay as they are where reports are shown.
            let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
            let cells: Vec<String> = Parser::new_ext(&table, options)
                .collect::<Vec<_>>()
                .split(|event| matches!(event, Event::End(pulldown_cmark::TagEnd::TableCell)))
                .map(|events| {
                    let text = |event: &Event| match event {
                        Event::Text(text) => text.to_string(),
                        Event::Start(_) | Event::End(_) => String::new(),
                        other => format!("{other:?}"),
                    };
                    events.iter().map(text).collect()
                })
                .collect();
            assert_eq!(cells[2..4], [text, "last"], "{table}");
        }
    }
}
