//! Reports for people, as Markdown or self-contained HTML: counts, failures, and a table per file.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::{Book, Entry};
use crate::cli::evaluate::Standing;
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::summary::Summary;
use crate::cli::output::words::{count, duration, grouped};
use crate::cli::record::Record;

const COLUMNS: [(&str, bool); 8] = [
    ("board", true),
    ("name", false),
    ("ruleset", false),
    ("verdict", false),
    ("length", true),
    ("states", true),
    ("time", true),
    ("result", false),
];

fn cells(row: &Record) -> [String; 7] {
    let number = |number: Option<u64>| number.map_or_else(String::new, grouped);
    [
        row.number(),
        row.name.clone(),
        row.ruleset.clone(),
        row.verdict.clone(),
        number(row.length),
        number(row.states),
        row.time.map_or_else(String::new, duration),
    ]
}

fn name(row: &Record) -> String {
    match (row.board, &*row.name) {
        (None, _) => "the file".into(),
        (Some(_), "") => format!("board {}", row.number()),
        (Some(_), name) => format!("board {} ({name})", row.number()),
    }
}

pub fn markdown(book: &mut Book, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Boards checked by getaway\n")?;
    for line in summary.lines(Colors::Off) {
        writeln!(out, "- {}", escaped(&line))?;
    }
    if summary.has_failures() {
        writeln!(out, "\n## Failures\n")?;
        book.each(&mut |entry| match entry {
            Entry::File(file) if file.failed() > 0 => writeln!(out, "- {}", escaped(&file.path)),
            Entry::Board(_, row) if row.has_failed() => {
                let (result, told) = (row.standing.word(), escaped(&row.told()));
                writeln!(out, "  - {}: {result}: {told}", escaped(&name(row)))
            }
            _ => Ok(()),
        })?;
    }
    writeln!(out, "\n## By file")?;
    let [titles, rules] = [
        COLUMNS.map(|(title, _)| title),
        COLUMNS.map(|(_, is_number)| if is_number { "---:" } else { "---" }),
    ]
    .map(|cells| cells.join(" | "));
    book.each(&mut |entry| match entry {
        Entry::File(file) => {
            let path = escaped(&file.path);
            writeln!(out, "\n### {path}\n\n| {titles} |\n| {rules} |")
        }
        Entry::Board(_, row) => {
            let result = match &*row.told() {
                "" => row.standing.word().to_owned(),
                told => format!("**{}**: {}", row.standing.word(), escaped(told)),
            };
            let cells = cells(row).map(|cell| escaped(&cell));
            writeln!(out, "| {} | {result} |", cells.join(" | "))
        }
        Entry::FileEnd => Ok(()),
    })
}

/// Escapes Markdown, including web addresses, mentions and emoji; the result is also safe in table cells.
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

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Boards checked by getaway</title>
<style>
:root { color-scheme: light dark; --line: #8884; --bad: light-dark(#b00020, #ff8a80); --open: light-dark(#8a5a00, #ffca60); --good: light-dark(#1b6e2d, #81d890) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem }
summary { cursor: pointer; padding: .3rem 0 } summary b { font-weight: 600; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .3rem 0 1rem }
th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
th { font-weight: 600 } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bad { color: var(--bad) } .open { color: var(--open) } .good { color: var(--good) }
</style>
<h1>Boards checked by getaway</h1>
";

pub fn html(book: &mut Book, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for line in summary.lines(Colors::Off) {
        writeln!(out, "<p>{}", escape(&*line))?;
    }
    if summary.has_failures() {
        writeln!(out, "<h2>Failures</h2>\n<ul>")?;
        let mut is_listed = false;
        book.each(&mut |entry| match entry {
            Entry::File(file) => {
                is_listed = file.failed() > 0;
                if is_listed {
                    writeln!(out, "<li>{}<ul>", escape(&*file.path))?;
                }
                Ok(())
            }
            Entry::Board(_, row) if row.has_failed() => {
                writeln!(out, "<li>{}: {}", escape(name(row)), result(row))
            }
            Entry::FileEnd if is_listed => writeln!(out, "</ul>"),
            _ => Ok(()),
        })?;
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "<h2>By file</h2>")?;
    let class = |is_number| if is_number { " class=n" } else { "" };
    let titles = COLUMNS.map(|(title, is_number)| format!("<th{}>{title}", class(is_number)));
    book.each(&mut |entry| match entry {
        Entry::File(file) => {
            let (path, boards) = (escape(&*file.path), count(file.tally.boards(), "board"));
            let failed = match file.failed() {
                0 => String::new(),
                failed => format!(", <span class=bad>{} failed</span>", grouped(failed)),
            };
            writeln!(
                out,
                "<details open><summary><b>{path}</b> {boards}{failed}</summary>\n<table><tr>{}",
                titles.concat()
            )
        }
        Entry::Board(_, row) => {
            let cells = cells(row);
            let cells = cells.iter().zip(COLUMNS);
            let cells = cells
                .map(|(cell, (_, is_number))| format!("<td{}>{}", class(is_number), escape(cell)));
            writeln!(out, "<tr>{}<td>{}", cells.collect::<String>(), result(row))
        }
        Entry::FileEnd => writeln!(out, "</table></details>"),
    })
}

fn result(row: &Record) -> String {
    let class = match row.standing {
        Standing::AsExpected => "good",
        Standing::NotExpected => "",
        Standing::Undecided => "open",
        Standing::Mismatched | Standing::Error => "bad",
    };
    let (result, told) = (row.standing.word(), row.told());
    let why = match &*told {
        "" => String::new(),
        told => format!(": {}", escape(told)),
    };
    format!("<span class=\"{class}\">{result}</span>{why}")
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
            // Where reports are shown, dashes and quotation marks are left as they are.
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
