//! A `JUnit` XML report, with a suite for each file and a case for each board.

use std::io::{self, Write};

use super::Book;
use crate::answers::Standing;
use crate::cli::exit::Tally;
use crate::cli::output::summary::Summary;
use crate::cli::record::Record;
use crate::render::markup::escaped;

pub fn write(book: &mut Book, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let is_timed = book.is_timed;
    let time = |seconds: f64| {
        let time = is_timed.then(|| format!(" time=\"{seconds:.6}\""));
        time.unwrap_or_default()
    };
    let (counts_of_all, time_of_all) = (counts(&summary.tally), time(book.seconds));
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"getaway check\"{counts_of_all}{time_of_all}>"
    )?;
    book.each(&mut |file, rows| {
        let (path, counts) = (escaped(&file.path), counts(&file.tally));
        let time_of_file = time(file.seconds);
        writeln!(out, "<testsuite name=\"{path}\"{counts}{time_of_file}>")?;
        for row in rows {
            let row = row?;
            let (name, result) = (escaped(&name(&row)), result(&row));
            let time = row.time.map(|it| time(it.as_secs_f64()));
            let start = format!("<testcase name=\"{name}\" classname=\"{path}\"");
            let time = time.unwrap_or_default();
            writeln!(out, "{start}{time}>{result}</testcase>")?;
        }
        writeln!(out, "</testsuite>")
    })?;
    writeln!(out, "</testsuites>")
}

fn name(row: &Record) -> String {
    let number = match row.board {
        Some(_) => format!("#{}", row.number()),
        None => "file".into(),
    };
    match &*row.name {
        "" => number,
        name => format!("{number} {name}"),
    }
}

fn result(row: &Record) -> String {
    let name = match row.standing {
        Standing::Mismatched => "failure",
        Standing::Undecided | Standing::Error => "error",
        Standing::AsExpected | Standing::NotExpected => {
            return format!("<system-out>{}</system-out>", escaped(&row.verdict));
        }
    };
    let first = row.faults.first().map_or("", |fault| &fault.message);
    let (result, message, told) = (row.standing.word(), escaped(first), escaped(&row.told()));
    format!("<{name} type=\"{result}\" message=\"{message}\">{told}</{name}>")
}

fn counts(tally: &Tally) -> String {
    let tests = tally.boards() + tally.unreadable;
    let failures = tally.standing(Standing::Mismatched);
    let errors = tally.failures() - failures + tally.undecided();
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
}
