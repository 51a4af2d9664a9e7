//! A report as the XML of `JUnit`, which servers for continuous integration read: a suite for each file, a case
//! for each board.

use std::io::{self, Read, Write};

use quick_xml::escape::escape;

use super::row::Row;
use super::{End, Layout, Section};
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;

/// Suites of cases.
pub struct Junit;

impl Layout for Junit {
    fn row(&self, path: &str, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let number = match row.board {
            Some(_) => format!("#{}", row.number()),
            None => "file".into(),
        };
        let name = match &*row.name {
            "" => number,
            name => format!("{number} {name}"),
        };
        let (name, path) = (xml(&name), xml(path));
        write!(out, "    <testcase name=\"{name}\" classname=\"{path}\"")?;
        write!(out, "{}", time(row.time.map(|time| time.as_secs_f64())))?;
        match row.standing {
            Standing::Mismatched => Self::unsuccessful("failure", row, out),
            Standing::Undecided | Standing::Error => Self::unsuccessful("error", row, out),
            Standing::AsExpected | Standing::NotExpected => {
                let verdict = xml(&row.verdict);
                writeln!(out, "><system-out>{verdict}</system-out></testcase>")
            }
        }
    }

    fn failure(&self, _: &Row, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn section(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (path, counts) = (xml(section.path), counts(section.tally));
        let time = time(section.seconds);
        writeln!(out, "  <testsuite name=\"{path}\"{counts}{time}>")?;
        io::copy(rows, out)?;
        writeln!(out, "  </testsuite>")
    }

    fn failures(&self, _: &Section, _: &mut dyn Read, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn page(
        &self,
        end: &End,
        [suites, _]: [&mut dyn Read; 2],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (counts, time) = (counts(&end.summary.tally), time(end.seconds));
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"getaway check\"{counts}{time}>")?;
        io::copy(suites, out)?;
        writeln!(out, "</testsuites>")
    }
}

impl Junit {
    fn unsuccessful(element: &str, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let (kind, message, text) = (row.result(), xml(&row.message), row.told());
        let text = xml(&text);
        writeln!(
            out,
            "><{element} type=\"{kind}\" message=\"{message}\">{text}</{element}></testcase>"
        )
    }
}

/// How many cases there are, how many of them failed, and how many have no answer; a file that can't be read is
/// a case.
fn counts(tally: &Tally) -> String {
    let tests = tally.boards() + tally.unreadable;
    let failures = tally.standing(Standing::Mismatched);
    let errors = tally.failures() - failures + tally.undecided();
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |seconds| format!(" time=\"{seconds:.6}\""))
}

/// Text between tags or quotes. Control characters are written out already, and what else XML can't hold is
/// replaced.
fn xml(text: &str) -> String {
    escape(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
