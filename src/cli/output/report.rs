//! Reports: files with a row for each board, by file, and a list of what failed.
//!
//! Their heads have counts that are known only in the end, so rows wait in files of their own: no report is
//! kept in memory, however many boards there are.

mod comma_separated;
mod html;
mod junit;
mod markdown;
pub mod row;

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use tempfile::SpooledTempFile;

use self::row::Row;
use super::problem::DrawnProblem;
use super::records::Timing;
use super::summary::Summary;
use super::words::safe;
use crate::cli::args::report::{ReportFile, ReportFormat};
use crate::cli::batch::Part;
use crate::cli::exit::Tally;
use crate::cli::inputs::unreadable;
use crate::cli::output_file;

/// How a report is laid out.
trait Layout {
    /// A board.
    fn row(&self, path: &str, row: &Row, out: &mut dyn Write) -> io::Result<()>;

    /// A board in the list of what failed.
    fn failure(&self, row: &Row, out: &mut dyn Write) -> io::Result<()>;

    /// A file with its rows.
    fn section(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// A file in the list of what failed, with those of its boards.
    fn failures(
        &self,
        section: &Section,
        rows: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// All of it.
    fn page(&self, end: &End, parts: [&mut dyn Read; 2], out: &mut dyn Write) -> io::Result<()>;
}

/// A file in a report.
struct Section<'s> {
    /// Its path, safe to show.
    path: &'s str,
    tally: &'s Tally,
    /// The time spent on its boards, in seconds.
    seconds: Option<f64>,
}

/// What is known when all boards are.
struct End<'e> {
    summary: &'e Summary,
    /// The time spent on all boards together, in seconds.
    seconds: Option<f64>,
}

/// A text that waits for its head: in memory while it is short.
struct Spool(BufWriter<SpooledTempFile>);

impl Spool {
    /// Where it grows long, it is a file beside the report, which needs as much room there.
    fn beside(path: &Path) -> Self {
        let folder = match path.parent() {
            // A pipe or a device has no room beside it.
            _ if path.metadata().is_ok_and(|meta| !meta.is_file()) => std::env::temp_dir(),
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let text = tempfile::spooled_tempfile_in(1 << 20, folder);
        Self(BufWriter::new(text))
    }

    /// Its text, from the beginning.
    fn text(&mut self) -> io::Result<&mut SpooledTempFile> {
        self.0.seek(SeekFrom::Start(0))?;
        Ok(self.0.get_mut())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        self.0.get_mut().set_len(0)
    }
}

/// A report that is being written.
struct Report {
    path: PathBuf,
    layout: Box<dyn Layout>,
    /// Of the file under way.
    rows: Spool,
    failed_rows: Spool,
    /// Of the files before it.
    sections: Spool,
    failed: Spool,
    /// Why it can't be written; then nothing more is.
    error: Option<io::Error>,
}

impl Report {
    fn new(wanted: &ReportFile) -> Result<Self> {
        let path = &wanted.path;
        output_file::check(path)?;
        Ok(Self {
            path: path.clone(),
            layout: match wanted.format {
                ReportFormat::Junit => Box::new(junit::Junit),
                ReportFormat::Csv => Box::new(comma_separated::Csv),
                ReportFormat::Markdown => Box::new(markdown::Markdown),
                ReportFormat::Html => Box::new(html::Html),
            },
            rows: Spool::beside(path),
            failed_rows: Spool::beside(path),
            sections: Spool::beside(path),
            failed: Spool::beside(path),
            error: None,
        })
    }

    /// Does a piece of the work, unless some has failed.
    fn go_on(&mut self, work: impl FnOnce(&mut Self) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = work(self).err();
        }
    }

    fn row(&mut self, path: &str, row: &Row) -> io::Result<()> {
        self.layout.row(path, row, &mut self.rows.0)?;
        if row.has_failed() {
            self.layout.failure(row, &mut self.failed_rows.0)?;
        }
        Ok(())
    }

    fn section(&mut self, section: &Section) -> io::Result<()> {
        let (rows, out) = (self.rows.text()?, &mut self.sections.0);
        self.layout.section(section, rows, out)?;
        self.rows.clear()?;
        let tally = section.tally;
        if tally.failures() + tally.undecided() > 0 {
            let (rows, out) = (self.failed_rows.text()?, &mut self.failed.0);
            self.layout.failures(section, rows, out)?;
            self.failed_rows.clear()?;
        }
        Ok(())
    }

    fn finish(mut self, end: &End) -> Result<()> {
        let path = std::mem::take(&mut self.path);
        let failed = |error| anyhow!("{}: {}", safe(&path.to_string_lossy()), unreadable(&error));
        if let Some(error) = self.error {
            return Err(failed(error));
        }
        output_file::write(&path, |out| {
            let sections = self.sections.text().map_err(failed)?;
            let parts: [&mut dyn Read; 2] = [sections, self.failed.text().map_err(failed)?];
            Ok(self.layout.page(end, parts, out)?)
        })
    }
}

/// All reports of a run.
pub struct Reports {
    all: Vec<Report>,
    timing: Timing,
    /// The file under way.
    file: Tally,
    /// The time spent on its boards, and on those before it, in seconds.
    seconds: [f64; 2],
    has_rows: bool,
}

impl Reports {
    /// Reports to be written.
    ///
    /// # Errors
    ///
    /// If one of them can't be.
    pub fn new(wanted: &[ReportFile], timing: Timing) -> Result<Self> {
        Ok(Self {
            all: wanted.iter().map(Report::new).collect::<Result<_>>()?,
            timing,
            file: Tally::default(),
            seconds: [0.0; 2],
            has_rows: false,
        })
    }

    /// Adds the rows of a part of a file.
    pub fn part(&mut self, part: &Part<DrawnProblem>) {
        let (Some(path), false) = (&part.path, self.all.is_empty()) else {
            return;
        };
        let path = safe(path);
        self.file.add(&part.records.tally);
        for row in &part.records.rows {
            self.has_rows = true;
            self.seconds[0] += row.time.unwrap_or_default().as_secs_f64();
            for report in &mut self.all {
                report.go_on(|report| report.row(&path, row));
            }
        }
        if let Some(problem) = &part.problem {
            problem.count(&mut self.file);
        }
        if part.is_last {
            self.close(&path);
        }
    }

    /// Ends a file; one of which nothing is told has no place in a report.
    fn close(&mut self, path: &str) {
        let tally = std::mem::take(&mut self.file);
        let seconds = std::mem::take(&mut self.seconds[0]);
        if std::mem::take(&mut self.has_rows) {
            self.seconds[1] += seconds;
            let section = Section {
                path,
                tally: &tally,
                seconds: self.timed(seconds),
            };
            for report in &mut self.all {
                report.go_on(|report| report.section(&section));
            }
        }
    }

    fn timed(&self, seconds: f64) -> Option<f64> {
        (self.timing == Timing::On).then_some(seconds)
    }

    /// Writes the reports.
    ///
    /// # Errors
    ///
    /// If one of them can't be written; the others are.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        let end = End {
            summary,
            seconds: self.timed(self.seconds[1]),
        };
        let all = std::mem::take(&mut self.all).into_iter();
        let written: Vec<_> = all.map(|report| report.finish(&end)).collect();
        written.into_iter().collect()
    }
}
