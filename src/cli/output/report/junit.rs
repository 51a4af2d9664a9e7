//! A report as the XML of `JUnit`, which servers for continuous integration read: a suite for each file, a case
//! for each board.

use std::io::{self, Read, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::row::Row;
use super::{End, Layout, Section};
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;

/// Suites of cases.
pub struct Junit;

/// An attribute of an element.
type Attribute = (&'static str, String);

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
        let mut attributes = vec![("name", name), ("classname", path.to_owned())];
        attributes.extend(time(row.time.map(|time| time.as_secs_f64())));
        let mut xml = Writer::new(out);
        xml.write_event(Event::Start(start("testcase", &attributes)))?;
        match row.standing {
            Standing::Mismatched => unsuccessful("failure", row, &mut xml)?,
            Standing::Undecided | Standing::Error => unsuccessful("error", row, &mut xml)?,
            Standing::AsExpected | Standing::NotExpected => {
                element("system-out", &[], &row.verdict, &mut xml)?;
            }
        }
        end("testcase", &mut xml)
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
        let mut attributes = vec![("name", section.path.to_owned())];
        attributes.extend(counts(section.tally));
        attributes.extend(time(section.seconds));
        around("testsuite", &attributes, rows, out)
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
        let mut attributes = vec![("name", "getaway check".to_owned())];
        attributes.extend(counts(&end.summary.tally));
        attributes.extend(time(end.seconds));
        let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
        Writer::new(&mut *out).write_event(Event::Decl(declaration))?;
        writeln!(out)?;
        around("testsuites", &attributes, suites, out)
    }
}

fn unsuccessful(name: &str, row: &Row, xml: &mut Writer<&mut dyn Write>) -> io::Result<()> {
    let attributes = [
        ("type", row.result().to_owned()),
        ("message", row.message.clone()),
    ];
    element(name, &attributes, &row.told(), xml)
}

fn element(
    name: &str,
    attributes: &[Attribute],
    text: &str,
    xml: &mut Writer<&mut dyn Write>,
) -> io::Result<()> {
    xml.write_event(Event::Start(start(name, attributes)))?;
    xml.write_event(Event::Text(BytesText::new(&possible(text))))?;
    xml.write_event(Event::End(BytesEnd::new(name)))
}

/// An element around what has been written.
fn around(
    name: &str,
    attributes: &[Attribute],
    inside: &mut dyn Read,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut xml = Writer::new(out);
    xml.write_event(Event::Start(start(name, attributes)))?;
    writeln!(xml.get_mut())?;
    io::copy(inside, xml.get_mut())?;
    end(name, &mut xml)
}

fn start<'n>(name: &'n str, attributes: &[Attribute]) -> BytesStart<'n> {
    let attributes = attributes
        .iter()
        .map(|(name, value)| (*name, possible(value)));
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((name, &*value));
    }
    start
}

/// The end of an element, and of the line.
fn end(name: &str, xml: &mut Writer<&mut dyn Write>) -> io::Result<()> {
    xml.write_event(Event::End(BytesEnd::new(name)))?;
    writeln!(xml.get_mut())
}

/// How many cases there are, how many of them failed, and how many have no answer; a file that can't be read is
/// a case.
fn counts(tally: &Tally) -> [Attribute; 3] {
    let tests = tally.boards() + tally.unreadable;
    let failures = tally.standing(Standing::Mismatched);
    let errors = tally.failures() - failures + tally.undecided();
    [
        ("tests", tests.to_string()),
        ("failures", failures.to_string()),
        ("errors", errors.to_string()),
    ]
}

fn time(seconds: Option<f64>) -> Option<Attribute> {
    seconds.map(|seconds| ("time", format!("{seconds:.6}")))
}

/// Text as XML can hold it: control characters are written out already, and two others are replaced.
fn possible(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
