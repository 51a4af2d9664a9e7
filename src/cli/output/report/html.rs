//! A report as a page for a browser: the counts, what failed, and a table for each file. It asks for nothing
//! from anywhere.

use std::io::{self, Read, Write};

use quick_xml::escape::escape;

use super::row::Row;
use super::{End, Layout, Section};
use crate::cli::evaluate::Standing;
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::words::{count, duration, grouped};

/// A page of tables.
pub struct Html;

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

impl Layout for Html {
    fn row(&self, _: &str, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let number = |number: Option<u64>| number.map_or_else(String::new, grouped);
        writeln!(
            out,
            "<tr><td class=n>{}<td>{}<td>{}<td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td>{}",
            row.number(),
            escape(&*row.name),
            escape(&*row.ruleset),
            escape(&*row.verdict),
            number(row.length),
            number(row.states),
            row.time.map_or_else(String::new, duration),
            result(row),
        )
    }

    fn failure(&self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let (number, name) = (row.number(), escape(&*row.name));
        let what = match (row.board, &*name) {
            (None, _) => "the file".into(),
            (Some(_), "") => format!("board {number}"),
            (Some(_), name) => format!("board {number} ({name})"),
        };
        writeln!(out, "<li>{what}: {}", result(row))
    }

    fn section(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (path, boards) = (escape(section.path), count(section.tally.boards(), "board"));
        let bad = section.tally.failures() + section.tally.undecided();
        let bad = match bad {
            0 => String::new(),
            bad => format!(", <span class=bad>{} failed</span>", grouped(bad)),
        };
        writeln!(
            out,
            "<details open><summary><b>{path}</b> {boards}{bad}</summary>"
        )?;
        writeln!(
            out,
            "<table><tr><th class=n>board<th>name<th>ruleset<th>verdict<th class=n>length<th class=n>states\
             <th class=n>time<th>result"
        )?;
        io::copy(rows, out)?;
        writeln!(out, "</table></details>")
    }

    fn failures(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "<li>{}<ul>", escape(section.path))?;
        io::copy(rows, out)?;
        writeln!(out, "</ul>")
    }

    fn page(
        &self,
        end: &End,
        [files, failed]: [&mut dyn Read; 2],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(HEAD.as_bytes())?;
        for line in end.summary.lines(Colors::Off) {
            writeln!(out, "<p>{}", escape(&*line))?;
        }
        if end.summary.has_failures() {
            writeln!(out, "<h2>What failed</h2>\n<ul>")?;
            io::copy(failed, out)?;
            writeln!(out, "</ul>")?;
        }
        writeln!(out, "<h2>By file</h2>")?;
        io::copy(files, out).map(drop)
    }
}

/// How a board counts, in its colour, and why.
fn result(row: &Row) -> String {
    let class = match row.standing {
        Standing::AsExpected => "good",
        Standing::NotExpected => "",
        Standing::Undecided => "open",
        Standing::Mismatched | Standing::Error => "bad",
    };
    let (result, told) = (row.result(), row.told());
    let why = match &*told {
        "" => String::new(),
        told => format!(": {}", escape(told)),
    };
    format!("<span class=\"{class}\">{result}</span>{why}")
}
