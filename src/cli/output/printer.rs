//! Writes the parts of a run in order: answers to standard output, errors to standard error.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use crate::puzzle::written::to_writer;
use console::{Term, measure_text_width};
use textwrap::{Options, WordSeparator, WordSplitter};

use super::progress::Progress;
use super::summary::Summary;
use super::words::{count, safe};
use crate::cli::batch::Part;
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;
use crate::cli::records::{Job, Kind, Records, Style, Text};

/// Writes what a run came to.
pub struct Printer<'j> {
    job: &'j Job,
    out: BufWriter<Box<dyn Write + 'j>>,
    /// The columns of the terminal, if it prints on one.
    width: Option<usize>,
    progress: Progress,
    /// Whether a single answer gets an address.
    addresses: Addresses,
    summary: Summary,
    file: Option<Open>,
    errors: Cap,
    /// Boards with warnings.
    warnings: Cap,
    troubles: Cap,
    /// Boards left undecided by an interrupt, which are not listed.
    interrupted: u64,
}

/// Which answers get an address in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// All.
    Always,
    /// All, unless there is only one.
    WhereSeveral,
}

/// How many of something were printed, and how many there were.
#[derive(Clone, Copy, Debug, Default)]
struct Cap {
    printed: u64,
    all: u64,
}

impl Cap {
    /// Whether one more is to be printed, if at most `most` are; it counts as printed then.
    const fn take(&mut self, most: u64) -> bool {
        let is_below = self.printed < most;
        self.printed += is_below as u64;
        is_below
    }

    const fn left_out(self) -> u64 {
        self.all - self.printed
    }
}

/// The file whose boards are being printed.
struct Open {
    path: Arc<str>,
    /// How many boards it has had so far, those not asked for included.
    boards: u64,
    /// Whether its boards are told apart by number whatever their number.
    is_addressed: bool,
    tally: Tally,
    /// The text of its first board, until it is known whether there are more.
    held: Option<Text<'static>>,
    /// How the JSON of each of its boards begins, up to the board's number.
    json_head: Vec<u8>,
}

impl Open {
    fn new(path: &Arc<str>) -> Self {
        let mut json_head = b"{\"path\":".to_vec();
        to_writer(&mut json_head, &**path).expect("a string can always be written as JSON");
        json_head.extend_from_slice(b",\"board\":");
        Self {
            path: Arc::clone(path),
            boards: 0,
            is_addressed: false,
            tally: Tally::default(),
            held: None,
            json_head,
        }
    }
}

impl<'j> Printer<'j> {
    /// A printer for a job, which prints on standard output.
    pub fn new(job: &'j Job, addresses: Addresses, progress: Progress) -> Self {
        let mut printer = Self::to(Box::new(io::stdout().lock()), job, addresses, progress);
        let term = Term::stdout();
        let size = term.size_checked().filter(|_| term.is_term());
        printer.width = size.map(|(_, columns)| usize::from(columns));
        printer
    }

    /// A printer for a job, which prints there.
    pub fn to(
        out: Box<dyn Write + 'j>,
        job: &'j Job,
        addresses: Addresses,
        progress: Progress,
    ) -> Self {
        Self {
            job,
            out: BufWriter::with_capacity(1 << 16, out),
            width: None,
            progress,
            addresses,
            summary: Summary::default(),
            file: None,
            errors: Cap::default(),
            warnings: Cap::default(),
            troubles: Cap::default(),
            interrupted: 0,
        }
    }

    /// Prints a part.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub fn part(&mut self, part: Part) -> io::Result<()> {
        self.summary.passed_over.add(part.passed_over);
        let Some(path) = part.path else {
            return Ok(());
        };
        let mut file = self.file.take().unwrap_or_else(|| Open::new(&path));
        if let Some(number) = part.number {
            file.boards = number;
            file.is_addressed = true;
        }
        self.count(&mut file, &part.records.tally);
        self.troubles.all += part.records.troubles;
        self.print_errors(&part.records);
        self.print_texts(&mut file, &part.records, part.is_last)?;
        file.boards += part.records.boards;
        if part.is_last {
            self.close(file)?;
        } else {
            self.file = Some(file);
        }
        if &*path == "-" {
            self.out.flush()?;
        }
        self.progress.advance(part.bytes, &self.summary.tally);
        Ok(())
    }

    fn count(&mut self, file: &mut Open, tally: &Tally) {
        self.summary.tally.add(tally);
        if self.job.selection.prints_errors() {
            self.errors.all += tally.standing(Standing::Error) + tally.unreadable;
        }
        file.tally.add(tally);
    }

    fn print_errors(&mut self, records: &Records) {
        let most = self.job.report.max_errors;
        self.warnings.all += records.warned;
        for warning in &records.warnings {
            if self.warnings.take(most) {
                self.print_error(warning);
            }
        }
        for error in &records.errors {
            if self.errors.take(most) {
                self.print_error(error);
            }
        }
    }

    fn print_texts(&mut self, file: &mut Open, records: &Records, is_last: bool) -> io::Result<()> {
        let boards = file.boards + records.boards;
        let is_only = boards == 1 && !is_last && !file.is_addressed;
        if boards > 1
            && let Some(held) = file.held.take()
        {
            self.text(&file.path, Some(0), &held)?;
        }
        for text in records.texts() {
            let number = file.boards + text.board;
            if self.job.report.style == Style::Json {
                self.json(&file.json_head, number, &text.said)?;
            } else if is_only {
                file.held = Some(text.into_owned());
            } else {
                let number = (boards > 1 || file.is_addressed).then_some(number);
                self.text(&file.path, number, &text)?;
            }
        }
        Ok(())
    }

    fn json(&mut self, head: &[u8], board: u64, tail: &[u8]) -> io::Result<()> {
        self.out.write_all(head)?;
        write!(self.out, "{board}")?;
        self.out.write_all(tail)
    }

    /// A line of text, with the board's address and name in front. `number` is from 0, and `None` for
    /// the only board of a file.
    fn text(&mut self, path: &str, number: Option<u64>, text: &Text) -> io::Result<()> {
        let needs_address = self.addresses == Addresses::Always || number.is_some();
        match text.kind {
            Kind::Interrupted if needs_address => {
                self.interrupted += 1;
                return Ok(());
            }
            Kind::Trouble if !self.troubles.take(self.job.report.max_errors) => return Ok(()),
            _ => {}
        }
        if needs_address {
            self.out.write_all(safe(path).as_bytes())?;
            if let Some(number) = number {
                write!(self.out, "#{}", number + 1)?;
            }
            if !text.name.is_empty() {
                self.out.write_all(b" (")?;
                self.out.write_all(&text.name)?;
                self.out.write_all(b")")?;
            }
            self.out.write_all(b": ")?;
        }
        match (self.width, std::str::from_utf8(&text.said)) {
            (Some(width), Ok(said)) => self.out.write_all(wrapped(said, width).as_bytes()),
            _ => self.out.write_all(&text.said),
        }
    }

    fn close(&mut self, mut file: Open) -> io::Result<()> {
        let is_counted = self.job.selection.has(&file.path, 0);
        self.summary.has_files = true;
        self.summary.files += u64::from(is_counted);
        if let Some(held) = file.held.take() {
            self.text(&file.path, None, &held)?;
        }
        let most = self.job.report.max_errors;
        self.summary.add_file(&file.path, &file.tally, most);
        Ok(())
    }

    fn print_error(&self, text: &str) {
        // There is nowhere to say so if standard error is closed.
        let _ = self
            .progress
            .suspend(|| io::stderr().lock().write_all(text.as_bytes()));
    }

    /// Ends the printing; what the run came to.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub fn finish(mut self) -> io::Result<Summary> {
        if let Some(file) = self.file.take() {
            self.close(file)?;
        }
        self.progress.finish();
        self.summary.tally.is_interrupted = self.job.options.is_stopped();
        self.summary.warned = self.warnings.all;
        let selection = &self.job.selection;
        self.summary.partition = selection.partition;
        let failures = self.summary.tally.failures();
        let is_over = selection.ends_after(&self.summary.tally);
        self.summary.stopped = is_over.then_some((failures, !selection.reads_pipe));
        self.print_left_out()?;
        self.out.flush()?;
        Ok(self.summary)
    }

    /// How many errors and mismatches were not printed.
    fn print_left_out(&mut self) -> io::Result<()> {
        if self.warnings.left_out() > 0 {
            let text = format!(
                "... and {} with warnings\n",
                count(self.warnings.left_out(), "more board")
            );
            self.print_error(&text);
        }
        if self.errors.left_out() > 0 {
            let text = format!(
                "... and {} (`--max-errors` sets how many are shown)\n",
                count(self.errors.left_out(), "more error")
            );
            self.print_error(&text);
        }
        let troubles = self.troubles.left_out();
        if troubles > 0 {
            writeln!(
                self.out,
                "... and {} like these (`--max-errors` sets how many are shown)",
                count(troubles, "more board")
            )?;
        }
        if self.interrupted > 0 && self.job.report.style == Style::Verdicts {
            let boards = count(self.interrupted, "board");
            self.print_error(&format!("interrupted: {boards} left undecided\n"));
        }
        Ok(())
    }
}

/// The text with its indented lines broken to this width in columns. What goes on stands below what a line says
/// after its label; other lines, such as moves to be copied, stay whole.
fn wrapped(text: &str, width: usize) -> String {
    text.split_inclusive('\n')
        .map(|line| wrap(line, width))
        .collect()
}

fn wrap(line: &str, width: usize) -> String {
    if !line.starts_with("  ") || measure_text_width(line.trim_end()) <= width {
        return line.to_owned();
    }
    let indent = " ".repeat(hanging_indent(line).min(width / 2));
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(line, options)
}

/// Where the text after a line's label begins: what two spaces part from it.
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
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_below_their_text() {
        let text = "escape in 3 moves: ULL and more\n  1 U  `D`: lost within four moves\n  short\n";
        let expected = "escape in 3 moves: ULL and more\n  1 U  `D`: lost within\n       four moves\n  short\n";
        assert_eq!(wrapped(text, 24), expected);
        assert_eq!(wrapped("  a long line\n", 10), "  a long\n    line\n");
        assert_eq!(wrapped("  a long line\n", 80), "  a long line\n");
    }
}
