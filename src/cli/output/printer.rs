//! Prints answers on standard output and errors on standard error.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use console::{Term, measure_text_width};

use super::progress::Progress;
use super::summary::Summary;
use super::text;
use crate::cli::exit::Tally;
use crate::cli::job::{Job, Style};
use crate::cli::record::{Part, Record, RecordKind};
use getaway_solvers::answers::Standing;
use getaway_solvers::answers::json::head;
use getaway_solvers::answers::words::{count, safe};

pub struct Printer<'j> {
    job: &'j Job,
    out: BufWriter<Box<dyn Write + 'j>>,
    width: Option<usize>,
    progress: Progress,
    /// True if an answer is printed with its address even if it is the only one of its file.
    pub addresses_one: bool,
    pub summary: Summary,
    file: Option<Open>,
    errors: Cap,
    warnings: Cap,
    troubles: Cap,
    interrupted: u64,
}

/// Counts problems, of which the first are printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cap {
    printed: u64,
    all: u64,
}

impl Cap {
    /// Counts an item and returns true, unless `most` items have been printed.
    const fn take(&mut self, most: u64) -> bool {
        let is_below = self.printed < most;
        self.printed += is_below as u64;
        is_below
    }

    const fn left_out(self) -> u64 {
        self.all - self.printed
    }

    /// Prints an error or warning on standard error, unless `most` have been printed.
    pub fn print(&mut self, most: u64, text: &str) {
        self.all += 1;
        if self.take(most) {
            tell(text);
        }
    }

    /// Prints how many were not printed.
    pub fn finish(self, what: &str, rest: &str) {
        if let more @ 1.. = self.left_out() {
            tell(&format!("... and {} {rest}\n", count(more, what)));
        }
    }
}

pub const OPTION: &str = "(`--max-errors` sets how many are shown)";

fn tell(text: &str) {
    // This fails only if standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[derive(Default)]
struct Open {
    path: Arc<str>,
    boards: u64,
    /// True if even a single board has a number.
    is_addressed: bool,
    tally: Tally,
    /// The first board's result, until it is clear whether the file has more boards.
    held: Option<Record>,
    /// The start of each board's JSON, up to the board's number.
    json_head: Vec<u8>,
}

impl<'j> Printer<'j> {
    pub fn new(job: &'j Job, progress: Progress) -> Self {
        let mut printer = Self::to(Box::new(io::stdout().lock()), job, progress);
        let term = Term::stdout();
        let size = term.size_checked().filter(|_| term.is_term());
        printer.width = size.map(|(_, columns)| usize::from(columns));
        printer
    }

    pub fn to(out: Box<dyn Write + 'j>, job: &'j Job, progress: Progress) -> Self {
        Self {
            job,
            out: BufWriter::with_capacity(1 << 16, out),
            width: None,
            progress,
            addresses_one: true,
            summary: Summary::default(),
            file: None,
            errors: Cap::default(),
            warnings: Cap::default(),
            troubles: Cap::default(),
            interrupted: 0,
        }
    }

    pub fn part(&mut self, part: Part) -> io::Result<()> {
        self.summary.passed_over.add(part.passed_over);
        let Some(path) = part.path else {
            return Ok(());
        };
        let is_stdin = &*path == "-";
        let mut file = self.file.take().unwrap_or_else(|| Open {
            json_head: head(&path),
            path,
            ..Open::default()
        });
        if let Some(number) = part.number {
            file.boards = number;
            file.is_addressed = true;
        }
        self.summary.tally.add(&part.tally);
        file.tally.add(&part.tally);
        if self.job.selection.prints_errors() {
            self.errors.all += part.tally.errors();
        }
        self.warnings.all += part.warned;
        self.troubles.all += part.troubles;
        file.boards += part.boards;
        self.records(&mut file, part.records, part.is_last)?;
        if part.is_last {
            self.close(file)?;
        } else {
            self.file = Some(file);
        }
        if is_stdin {
            self.out.flush()?;
        }
        self.progress.advance(part.bytes, &self.summary.tally);
        Ok(())
    }

    fn records(&mut self, file: &mut Open, records: Vec<Record>, is_last: bool) -> io::Result<()> {
        let has_several = file.boards > 1 || file.is_addressed;
        if has_several && let Some(held) = file.held.take() {
            self.text(&file.path, held.board, &held)?;
        }
        for record in records {
            let drawn = match record.standing {
                Standing::Error => &mut self.errors,
                _ => &mut self.warnings,
            };
            if !record.drawn.is_empty() && drawn.take(self.job.report.max_errors) {
                self.print_error(&record.drawn);
            }
            match record.kind {
                RecordKind::Nothing => {}
                _ if self.job.report.style == Style::Json => {
                    // A problem with the file follows its last board.
                    let number = record.board.unwrap_or(file.boards);
                    self.out.write_all(&file.json_head)?;
                    write!(self.out, "{number}")?;
                    self.out.write_all(&record.output)?;
                }
                _ if has_several || is_last => {
                    let number = record.board.filter(|_| has_several);
                    self.text(&file.path, number, &record)?;
                }
                _ => file.held = Some(record),
            }
        }
        Ok(())
    }

    /// Prints an answer. `number` counts from 0, and is `None` for the only board of a file.
    fn text(&mut self, path: &str, number: Option<u64>, record: &Record) -> io::Result<()> {
        let needs_address = self.addresses_one || number.is_some();
        match record.kind {
            RecordKind::Interrupted if needs_address => {
                self.interrupted += 1;
                return Ok(());
            }
            RecordKind::Trouble if !self.troubles.take(self.job.report.max_errors) => return Ok(()),
            _ => {}
        }
        if needs_address {
            self.out.write_all(safe(path).as_bytes())?;
            if let Some(number) = number {
                write!(self.out, "#{}", number + 1)?;
            }
            if !record.name.is_empty() {
                write!(self.out, " ({})", record.name)?;
            }
            self.out.write_all(b": ")?;
        }
        match (self.width, std::str::from_utf8(&record.output)) {
            (Some(width), Ok(output)) => self.out.write_all(wrapped(output, width).as_bytes()),
            _ => self.out.write_all(&record.output),
        }
    }

    fn close(&mut self, mut file: Open) -> io::Result<()> {
        self.summary.has_files = true;
        self.summary.files += u64::from(self.job.selection.has(&file.path, 0));
        if let Some(held) = file.held.take() {
            self.text(&file.path, None, &held)?;
        }
        let most = self.job.report.max_errors;
        self.summary.add_file(&file.path, &file.tally, most);
        Ok(())
    }

    fn print_error(&self, text: &str) {
        self.progress.suspend(|| tell(text));
    }

    pub fn finish(mut self) -> io::Result<Summary> {
        if let Some(file) = self.file.take() {
            self.close(file)?;
        }
        self.progress.finish();
        let (job, summary) = (self.job, &mut self.summary);
        summary.tally.is_interrupted = job.options.is_stopped();
        summary.warned = self.warnings.all;
        summary.partition = job.selection.partition;
        let is_over = job.selection.ends_after(&summary.tally);
        let is_counted = !job.selection.reads_pipe;
        summary.stopped = is_over.then_some((summary.tally.failures(), is_counted));
        self.print_left_out()?;
        self.out.flush()?;
        Ok(self.summary)
    }

    fn print_left_out(&mut self) -> io::Result<()> {
        self.warnings.finish("more board", "with warnings");
        self.errors.finish("more error", OPTION);
        if let troubles @ 1.. = self.troubles.left_out() {
            let boards = count(troubles, "more board");
            writeln!(self.out, "... and {boards} like these {OPTION}")?;
        }
        if self.interrupted > 0 && self.job.report.style == Style::Verdicts {
            let boards = count(self.interrupted, "board");
            self.print_error(&format!("interrupted: {boards} left undecided\n"));
        }
        Ok(())
    }
}

/// Wraps and aligns indented lines. Other lines, such as moves to copy, stay whole.
fn wrapped(text: &str, width: usize) -> String {
    let wrap = |line: &str| {
        if !line.starts_with("  ") || measure_text_width(line.trim_end()) <= width {
            return line.to_owned();
        }
        let indent = " ".repeat(hanging_indent(line).min(width / 2));
        text::wrap(line, width, ("", &indent))
    };
    text.split_inclusive('\n').map(wrap).collect()
}

/// Returns the column where a line goes on after its label and a gap or, without a gap, two columns after its indentation.
fn hanging_indent(line: &str) -> usize {
    let inside = line.len() - line.trim_start().len();
    match line[inside..].find("  ") {
        Some(gap) => {
            let rest = line[inside + gap..].trim_start();
            measure_text_width(&line[..line.len() - rest.len()])
        }
        None => inside + 2,
    }
}

#[cfg(test)]
#[path = "printer_tests.rs"]
mod tests;
