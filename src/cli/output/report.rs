//! Reports with a row for each board.
//!
//! A report begins with counts, so a temporary file holds the rows until the counts are known.

mod pages;
mod programs;

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;
use clap::ValueEnum;
use tempfile::SpooledTempFile;

pub use programs::{gradescope_head, gradescope_test};

use super::summary::Summary;
use crate::cli::exit::Tally;
use crate::cli::inputs::{failed, folder};
use crate::cli::output_file;
use crate::cli::record::{Part, Record};
use getaway_solvers::answers::words::safe;

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
struct Section {
    path: String,
    tally: Tally,
    seconds: f64,
    rows: u64,
}

impl Section {
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

fn next(spool: &mut impl Read) -> io::Result<Record> {
    let mut len = [0; 8];
    spool.read_exact(&mut len)?;
    let mut bytes = vec![0; u64::from_le_bytes(len) as usize];
    spool.read_exact(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(io::Error::other)
}

struct Book {
    is_timed: bool,
    /// The rows, each preceded by its length; a file on disk once they exceed a megabyte.
    rows: BufWriter<SpooledTempFile>,
    sections: Vec<Section>,
    open: Section,
    seconds: f64,
}

type Rows<'r> = &'r mut dyn Iterator<Item = io::Result<Record>>;

impl Book {
    fn add(&mut self, path: &str, part: &Part) -> io::Result<()> {
        self.open.tally.add(&part.tally);
        for row in &part.records {
            self.open.rows += 1;
            self.open.seconds += row.time.unwrap_or_default().as_secs_f64();
            let bytes = postcard::to_stdvec(row).map_err(io::Error::other)?;
            self.rows.write_all(&(bytes.len() as u64).to_le_bytes())?;
            self.rows.write_all(&bytes)?;
        }
        if part.is_last {
            let (path, section) = (safe(path), std::mem::take(&mut self.open));
            self.seconds += section.seconds;
            if section.rows > 0 {
                self.sections.push(Section { path, ..section });
            }
        }
        Ok(())
    }

    /// Calls `visit` for each section with its rows, all of which `visit` must read.
    fn each(&mut self, visit: &mut dyn FnMut(&Section, Rows) -> io::Result<()>) -> io::Result<()> {
        self.rows.rewind()?;
        let mut spool = BufReader::new(self.rows.get_mut());
        for section in &self.sections {
            visit(section, &mut (0..section.rows).map(|_| next(&mut spool)))?;
        }
        Ok(())
    }

    fn boards(
        &mut self,
        visit: &mut dyn FnMut(&Section, &Record) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each(&mut |section, rows| {
            for row in rows {
                visit(section, &row?)?;
            }
            Ok(())
        })
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
    wanted: Vec<ReportFile>,
    book: Book,
    error: Option<io::Error>,
}

impl Reports {
    pub fn new(wanted: &[ReportFile], is_timed: bool) -> Result<Self> {
        for report in wanted {
            output_file::check(&report.path)?;
        }
        let first = wanted.first();
        let book = Book {
            is_timed,
            rows: spool(first.map_or(Path::new("."), |report| &report.path)),
            sections: Vec::new(),
            open: Section::default(),
            seconds: 0.0,
        };
        Ok(Self {
            wanted: wanted.to_vec(),
            book,
            error: None,
        })
    }

    pub fn part(&mut self, part: &Part) {
        if let (Some(path), false, None) = (&part.path, self.wanted.is_empty(), &self.error) {
            self.error = self.book.add(path, part).err();
        }
    }

    /// Writes all reports. If one fails, the others are still written.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        if let Some(error) = self.error {
            return Err(failed(&self.wanted[0].path, &error));
        }
        let write = |ReportFile { format, path }: ReportFile| {
            output_file::write(&path, |out| Ok(self.book.write(format, summary, out)?))
        };
        let written: Vec<_> = self.wanted.into_iter().map(write).collect();
        written.into_iter().collect()
    }
}
