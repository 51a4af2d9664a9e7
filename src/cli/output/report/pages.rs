//! Reports for people: Markdown with counts, failures and a table for each file, or self-contained HTML with counts and a table
//! for each section, such as the failures.

use std::io::{self, Write};

use super::{
    FileTotals, Remark, ReportData, faults, faults_in_words, length, number, states, title,
};
use crate::cli::output::summary::Summary;
use crate::cli::output::text::Colors;
use getaway_board::fault::Fault;
use getaway_board::words::{duration, grouped};
use getaway_render::{html, markup};
use getaway_solvers::answers::{CheckStatus, Outcome};

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

fn cells(row: &Outcome) -> [String; 7] {
    let grouped = |number: Option<u64>| number.map_or_else(String::new, grouped);
    let board = row.is_of_board().then(|| number(row).to_string());
    [
        board.unwrap_or_else(|| "file".into()),
        title(row),
        row.ruleset().into(),
        row.verdict_name().into(),
        grouped(length(row)),
        grouped(states(row)),
        row.time.map_or_else(String::new, duration),
    ]
}

fn name(row: &Outcome) -> String {
    match &*title(row) {
        _ if !row.is_of_board() => "the file".into(),
        "" => format!("board {}", number(row)),
        title => format!("board {} ({title})", number(row)),
    }
}

pub fn markdown(data: &mut ReportData, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Boards checked by getaway\n")?;
    for line in summary.lines(Colors::Off) {
        writeln!(out, "- {}", escaped(&line))?;
    }
    if summary.has_failures() {
        writeln!(out, "\n## Failures\n")?;
        let (files, mut rows) = data.files()?;
        for file in files {
            if file.failed() > 0 {
                writeln!(out, "- {}", escaped(&file.path))?;
            }
            for row in rows.by_ref().take(file.rows) {
                let row = row?;
                if row.has_failed() {
                    let (name, output) = (escaped(&name(&row)), escaped(&faults_in_words(&row)));
                    writeln!(out, "  - {name}: {}: {output}", row.status.name())?;
                }
            }
        }
    }
    writeln!(out, "\n## By file")?;
    let titles = COLUMNS.map(|(title, _)| title).join(" | ");
    let rules = COLUMNS.map(|(_, is_number)| if is_number { "---:" } else { "---" });
    let head = format!("| {titles} |\n| {} |", rules.join(" | "));
    let (files, mut rows) = data.files()?;
    for file in files {
        writeln!(out, "\n### {}\n\n{head}", escaped(&file.path))?;
        for row in rows.by_ref().take(file.rows) {
            let row = row?;
            let status = row.status.name();
            let result = match &*faults_in_words(&row) {
                "" => status.to_owned(),
                output => format!("**{status}**: {}", escaped(output)),
            };
            let cells = cells(&row).map(|cell| escaped(&cell));
            writeln!(out, "| {} | {result} |", cells.join(" | "))?;
        }
    }
    Ok(())
}

/// Escapes Markdown, including web addresses, mentions and emoji, so that the text can also stand in a cell of a table.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("<br>"),
            c if "\\`*_[]<>#|&~$:@^".contains(c) => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

const STYLE: &str = include_str!("report.css");
const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>Boards checked by getaway</title>
<style>
";

/// The sections of a page. Only the first two are open initially.
const SECTIONS: [(&str, &str); 3] = [
    (" open", "Failed"),
    (" open", "Passed with warnings"),
    ("", "Passed"),
];

pub fn html(data: &mut ReportData, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let (style, figures) = html::style();
    writeln!(
        out,
        "{HEAD}{style}{STYLE}</style>\n<h1>Boards checked by getaway</h1>"
    )?;
    for line in summary.lines(Colors::Off) {
        writeln!(out, "<p>{}", markup::escaped(&line))?;
    }
    writeln!(out, "<svg width=\"0\" height=\"0\">{figures}</svg>")?;
    let mut counts = [0_u64; SECTIONS.len()];
    for board in data.boards()? {
        counts[section(&board?.1)] += 1;
    }
    let titles = COLUMNS
        .map(|(title, is_number)| cell("th", title, is_number))
        .concat();
    let sections = SECTIONS.into_iter().zip(counts).enumerate();
    for (number, ((open, title), boards)) in sections.filter(|(_, (_, boards))| *boards > 0) {
        let boards = grouped(boards);
        writeln!(out, "<details{open}><summary>{title}: {boards}</summary>")?;
        writeln!(out, "<table><tr>{titles}")?;
        for board in data.boards()? {
            let (file, row) = board?;
            if section(&row) == number {
                writeln!(out, "<tr>{}", row_cells(file, &row))?;
            }
        }
        writeln!(out, "</table></details>")?;
    }
    Ok(())
}

fn section(row: &Outcome) -> usize {
    match row {
        _ if row.has_failed() => 0,
        _ if warnings(row).is_empty() => 2,
        _ => 1,
    }
}

fn warnings(row: &Outcome) -> &[Fault] {
    row.answer().map_or(&[], |answer| &answer.warnings)
}

fn cell(tag: &str, content: &str, is_number: bool) -> String {
    let class = if is_number { " class=\"n\"" } else { "" };
    format!("<{tag}{class}>{content}")
}

fn row_cells(file: &FileTotals, row: &Outcome) -> String {
    let is_numbered = row.is_of_board() && file.rows > 1;
    let number = is_numbered.then(|| format!("#{}", number(row)));
    let mut cells = cells(row).map(|cell| markup::escaped(&cell)).to_vec();
    let address = file.path.clone() + &number.unwrap_or_default();
    cells[0] = markup::escaped(&address) + row.picture.as_deref().unwrap_or_default();
    cells.push(result(row));
    let columns = cells.iter().zip(COLUMNS);
    let cells = columns.map(|(content, (_, is_number))| cell("td", content, is_number));
    cells.collect()
}

fn result(row: &Outcome) -> String {
    let class = match row.status {
        CheckStatus::AsExpected => "good",
        CheckStatus::NotExpected => "plain",
        CheckStatus::Undecided => "open",
        CheckStatus::Mismatched | CheckStatus::Error => "bad",
    };
    let faults = faults(row).into_iter().map(|fault| ("fault\">", fault));
    let warnings = warnings(row)
        .iter()
        .map(|warning| ("open\">warning: ", Remark::of(warning)));
    let remarks = faults.chain(warnings).map(|(start, remark)| {
        let remark = markup::escaped(&remark.to_string());
        format!("<li class=\"{start}{remark}")
    });
    let list = match remarks.collect::<String>() {
        items if items.is_empty() => items,
        items => format!("<ul>{items}</ul>"),
    };
    format!("<span class=\"{class}\">{}</span>{list}", row.status.name())
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
