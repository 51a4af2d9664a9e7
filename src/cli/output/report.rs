//! Reports with a row for each board.
//!
//! Most formats begin with counts, so a temporary file holds the rows until the counts are known.

mod pages;
mod programs;

use std::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::iter;
use std::mem;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;
use clap::ValueEnum;
use tempfile::SpooledTempFile;

pub use programs::{gradescope_head, gradescope_test};

use super::summary::Summary;
use super::text;
use crate::cli::exit::Tally;
use crate::cli::files::{failed, folder};
use crate::cli::output_file;
use crate::cli::pipeline::{FileEnd, Writer};
use getaway_board::fault::{Fault, Place};
use getaway_board::words::{count, safe};
use getaway_play::solution::Evidence;
use getaway_solvers::answers::{CheckStatus, Outcome, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// XML for continuous integration servers.
    Junit,
    /// Comma-separated values.
    Csv,
    /// Tables to paste into an issue.
    Markdown,
    /// A page for a browser.
    Html,
    /// Marks for Gradescope, with a test for each board.
    Gradescope,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    pub format: ReportFormat,
    pub path: PathBuf,
}

pub fn gradescope_file(text: &str) -> Result<PathBuf, String> {
    match text.parse()? {
        ReportFile {
            format: ReportFormat::Gradescope,
            path,
        } => Ok(path),
        _ => Err("write `gradescope=FILE`, the only report of `compare`".into()),
    }
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = "write FORMAT=FILE, as in `junit=report.xml`";
        let (format, path) = text.split_once('=').ok_or(usage)?;
        if path.is_empty() {
            return Err(usage.into());
        }
        let format = ReportFormat::from_str(format, true).map_err(|_| {
            let known = ["junit", "csv", "markdown", "html", "gradescope"];
            getaway_board::fault::did_you_mean(format, &known)
        })?;
        Ok(Self {
            format,
            path: path.into(),
        })
    }
}

#[derive(Debug, Default)]
struct FileTotals {
    path: String,
    tally: Tally,
    seconds: f64,
    rows: usize,
}

impl FileTotals {
    fn failed(&self) -> u64 {
        self.tally.failures() + self.tally.undecided()
    }
}

fn spool(path: &Path) -> BufWriter<SpooledTempFile> {
    // Temporary files don't belong in the folder of a pipe or device.
    let folder = if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        std::env::temp_dir()
    } else {
        folder(path).to_owned()
    };
    BufWriter::new(tempfile::spooled_tempfile_in(1 << 20, folder))
}

/// A remark on a board or a file, as text that is safe to print.
struct Remark {
    place: Option<Place>,
    message: String,
}

impl Remark {
    fn of(fault: &Fault) -> Self {
        Self {
            place: Some(fault.place),
            message: safe(&fault.kind.one_line()),
        }
    }

    const fn plain(message: String) -> Self {
        let place = None;
        Self { place, message }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Lists the faults of a board, the error of an unreadable file, or a mismatched or undecided answer.
fn faults(outcome: &Outcome) -> Vec<Remark> {
    let plain = anstyle::Style::new();
    match (&outcome.result, outcome.status) {
        (Ok(answer), CheckStatus::Mismatched) => text::mismatch(answer, plain)
            .map(Remark::plain)
            .into_iter()
            .collect(),
        (Ok(answer), CheckStatus::Undecided) => {
            vec![Remark::plain(text::solution(&answer.solution, plain))]
        }
        (Ok(_), _) => Vec::new(),
        (Err(Problem::File(why)), _) => vec![Remark::plain(safe(why))],
        (Err(Problem::Board(error)), _) => {
            let more = count(error.more as u64, "more fault");
            let more = (error.more > 0).then(|| Remark::plain(format!("and {more}")));
            error.faults.iter().map(Remark::of).chain(more).collect()
        }
    }
}

fn faults_in_words(outcome: &Outcome) -> String {
    let faults: Vec<_> = faults(outcome).iter().map(Remark::to_string).collect();
    faults.join("; ")
}

fn title(outcome: &Outcome) -> String {
    outcome
        .title()
        .map_or_else(String::new, |title| safe(&title))
}

/// Returns the number of a board, from 1.
fn number(outcome: &Outcome) -> u64 {
    outcome.board.saturating_add(1)
}

/// Returns the number of moves or steps of the solution; `None` if it has neither a line nor a path to food.
fn length(outcome: &Outcome) -> Option<u64> {
    match &outcome.answer()?.solution.evidence {
        Evidence::Line(line) => Some(line.len() as u64),
        Evidence::Direction { steps, .. } => (steps.len() as u64).checked_sub(1),
        _ => None,
    }
}

fn states(outcome: &Outcome) -> Option<u64> {
    outcome.answer().map(|answer| answer.solution.states)
}

struct ReportData {
    is_timed: bool,
    /// The outcomes as JSON Lines; a file on disk once they exceed a megabyte.
    rows: BufWriter<SpooledTempFile>,
    sections: Vec<FileTotals>,
    current: FileTotals,
    seconds: f64,
}

impl ReportData {
    fn add(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.current.tally.count(outcome);
        self.current.rows += 1;
        self.current.seconds += outcome.time.unwrap_or_default().as_secs_f64();
        serde_json::to_writer(&mut self.rows, outcome)?;
        self.rows.write_all(b"\n")
    }

    fn end_of_file(&mut self, path: &str) {
        let section = mem::take(&mut self.current);
        self.seconds += section.seconds;
        if section.rows > 0 {
            let path = safe(path);
            self.sections.push(FileTotals { path, ..section });
        }
    }

    /// Returns the totals of each file, and the rows of all files, one after another.
    fn files(&mut self) -> io::Result<(&[FileTotals], impl Iterator<Item = io::Result<Outcome>>)> {
        self.rows.rewind()?;
        let spool = BufReader::new(self.rows.get_mut());
        let rows = spool.lines().map(|line| Ok(serde_json::from_str(&line?)?));
        Ok((&self.sections, rows))
    }

    /// Returns the rows, each with the totals of its file.
    fn boards(&mut self) -> io::Result<impl Iterator<Item = io::Result<(&FileTotals, Outcome)>>> {
        let (files, rows) = self.files()?;
        let files = files
            .iter()
            .flat_map(|file| iter::repeat_n(file, file.rows));
        Ok(files.zip(rows).map(|(file, row)| Ok((file, row?))))
    }

    fn write(
        &mut self,
        format: ReportFormat,
        summary: &Summary,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            ReportFormat::Junit => programs::junit(self, summary, out),
            ReportFormat::Csv => programs::csv(self, out),
            ReportFormat::Markdown => pages::markdown(self, summary, out),
            ReportFormat::Html => pages::html(self, summary, out),
            ReportFormat::Gradescope => programs::gradescope(self, summary, out),
        }
    }
}

pub struct Reports {
    files: Vec<ReportFile>,
    data: ReportData,
    error: Option<io::Error>,
}

impl Writer for Reports {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if !self.files.is_empty() && self.error.is_none() {
            self.error = self.data.add(outcome).err();
        }
        Ok(())
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        self.data.end_of_file(&file.path);
        Ok(())
    }
}

impl Reports {
    pub fn new(files: &[ReportFile], is_timed: bool) -> Result<Self> {
        for report in files {
            output_file::check(&report.path)?;
        }
        let first = files.first();
        let data = ReportData {
            is_timed,
            rows: spool(first.map_or(Path::new("."), |report| &report.path)),
            sections: Vec::new(),
            current: FileTotals::default(),
            seconds: 0.0,
        };
        Ok(Self {
            files: files.to_vec(),
            data,
            error: None,
        })
    }

    /// Writes all reports. If one can't be written, the others still are, and the first error is returned. Writes none if the
    /// rows could not be stored.
    pub fn write(mut self, summary: &Summary) -> Result<()> {
        if let Some(error) = self.error {
            return Err(failed(&self.files[0].path, &error));
        }
        let write = |ReportFile { format, path }: ReportFile| {
            output_file::write(&path, |out| Ok(self.data.write(format, summary, out)?))
        };
        let written: Vec<_> = self.files.into_iter().map(write).collect();
        written.into_iter().collect()
    }
}
