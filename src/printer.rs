//! Writes the parts of a run in order: answers to standard output, errors to standard error.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::Arc;
use std::time::Duration;

use getaway::fault::FaultKind;
use getaway::game::Verdict;
use getaway::puzzle::error_at;

use crate::batch::{Part, Problem};
use crate::exit::Tally;
use crate::judge::{Job, Style, Text, Timing};
use crate::progress::Progress;
use crate::report::{self, ErrorJson, count, grouped};

/// Writes what a run came to.
pub struct Printer<'j> {
    job: &'j Job,
    out: BufWriter<StdoutLock<'static>>,
    progress: Progress,
    pace: Pace,
    /// Whether a single answer gets a name.
    names: Names,
    tally: Tally,
    files: u64,
    file: Option<Open>,
}

/// What moves the bar on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Files.
    Files,
    /// Bytes.
    Bytes,
}

/// Which answers get a name in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// All.
    Always,
    /// All, unless there is only one.
    WhereSeveral,
}

/// The file whose boards are being printed.
struct Open {
    path: Arc<str>,
    /// How many boards it has had so far.
    boards: u64,
    /// How many errors.
    errors: u64,
    /// The text of its first board, until it is known whether there are more: before and after the
    /// name.
    held: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'j> Printer<'j> {
    /// A printer for a job.
    pub fn new(job: &'j Job, names: Names, (progress, pace): (Progress, Pace)) -> Self {
        Self {
            job,
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            progress,
            pace,
            names,
            tally: Tally::default(),
            files: 0,
            file: None,
        }
    }

    /// Prints a part.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub fn part(&mut self, part: Part) -> io::Result<()> {
        let Part {
            path,
            records,
            problem,
            is_last,
            bytes,
        } = part;
        let mut file = self.file.take().unwrap_or_else(|| Open {
            path: Arc::clone(&path),
            boards: 0,
            errors: 0,
            held: None,
        });
        self.tally.add(&records.tally);
        file.errors += records.tally.errors;
        self.complain(&records.errors);
        if let Some(problem) = problem {
            file.errors += 1;
            self.problem(&path, &problem)?;
        }
        self.texts(&mut file, &records, is_last)?;
        file.boards += records.boards;
        if is_last {
            self.close(file)?;
        } else {
            self.file = Some(file);
        }
        if &*path == "-" {
            self.out.flush()?;
        }
        self.advance(bytes, is_last);
        Ok(())
    }

    fn advance(&self, bytes: u64, is_last: bool) {
        let by = match self.pace {
            Pace::Files => is_last.into(),
            Pace::Bytes => bytes,
        };
        self.progress.advance(by, || {
            let boards = count(self.tally.boards(), "board");
            match self.tally.mismatches + self.tally.errors {
                0 => boards,
                _ => format!(
                    "{boards}, {} mismatches, {} errors",
                    self.tally.mismatches, self.tally.errors
                ),
            }
        });
    }

    fn texts(
        &mut self,
        file: &mut Open,
        records: &crate::judge::Records,
        is_last: bool,
    ) -> io::Result<()> {
        let boards = file.boards + records.boards;
        let is_only = boards == 1 && !is_last;
        if boards > 1
            && let Some((head, tail)) = file.held.take()
        {
            self.text(&file.path, Some(0), (&head, &tail))?;
        }
        for Text { board, head, tail } in records.texts() {
            if self.job.style == Style::Json {
                self.json(&file.path, file.boards + board, tail)?;
            } else if is_only {
                file.held = Some((head.to_vec(), tail.to_vec()));
            } else {
                let number = (boards > 1).then_some(file.boards + board);
                self.text(&file.path, number, (head, tail))?;
            }
        }
        Ok(())
    }

    fn json(&mut self, path: &str, board: u64, tail: &[u8]) -> io::Result<()> {
        self.out.write_all(b"{\"path\":")?;
        serde_json::to_writer(&mut self.out, path)?;
        write!(self.out, ",\"board\":{board}")?;
        self.out.write_all(tail)
    }

    /// A line of text, with the board's name or, where it has none, its file and number in front.
    fn text(
        &mut self,
        path: &str,
        number: Option<u64>,
        (head, tail): (&[u8], &[u8]),
    ) -> io::Result<()> {
        let needs_name = self.names == Names::Always || number.is_some();
        if needs_name {
            if head.is_empty() {
                self.out.write_all(report::safe(path).as_bytes())?;
                if let Some(number) = number {
                    write!(self.out, "#{number}")?;
                }
            } else {
                self.out.write_all(head)?;
            }
            if self.job.style == Style::Verdicts {
                self.out.write_all(b": ")?;
            }
        }
        self.out.write_all(tail)
    }

    fn close(&mut self, mut file: Open) -> io::Result<()> {
        self.files += 1;
        if let Some((head, tail)) = file.held.take() {
            self.text(&file.path, None, (&head, &tail))?;
        }
        if file.boards == 0 && file.errors == 0 && !self.is_stopped() {
            self.problem(&file.path, &Problem::Board(error_at(1, FaultKind::NoBoard)))?;
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.job.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    fn problem(&mut self, path: &str, problem: &Problem) -> io::Result<()> {
        self.tally.errors += 1;
        let text = match problem {
            Problem::Unreadable(message) => {
                let message = format!("{}: {message}", report::safe(path));
                self.job.diagnostics.plain(&message, None)
            }
            Problem::Board(error) => self.job.diagnostics.board(path, error),
        };
        self.complain(&text);
        if self.job.style == Style::Json {
            let error = match problem {
                Problem::Unreadable(message) => ErrorJson::plain(message.clone()),
                Problem::Board(error) => ErrorJson::of(error),
            };
            self.out.write_all(b"{\"path\":")?;
            serde_json::to_writer(&mut self.out, path)?;
            self.out.write_all(b",\"board\":0,\"error\":")?;
            serde_json::to_writer(&mut self.out, &error)?;
            self.out.write_all(b"}\n")?;
        }
        Ok(())
    }

    fn complain(&self, text: &str) {
        if !text.is_empty() {
            // There is nowhere to complain to if standard error is closed.
            let _ = self
                .progress
                .aside(|| io::stderr().lock().write_all(text.as_bytes()));
        }
    }

    /// Ends the printing; the counts.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub fn finish(mut self) -> io::Result<Tally> {
        if let Some(file) = self.file.take() {
            self.close(file)?;
        }
        self.progress.finish();
        self.out.flush()?;
        self.tally.interrupted = self.is_stopped();
        Ok(self.tally)
    }

    /// Ends the printing with a summary; the counts.
    ///
    /// # Errors
    ///
    /// Those of standard output.
    pub fn finish_with_summary(mut self, time: Duration) -> io::Result<Tally> {
        if let Some(file) = self.file.take() {
            self.close(file)?;
        }
        self.progress.finish();
        if self.job.style == Style::Troubles {
            let summary = self.summary(time);
            self.out.write_all(summary.as_bytes())?;
        }
        self.out.flush()?;
        self.tally.interrupted = self.is_stopped();
        Ok(self.tally)
    }

    fn summary(&self, time: Duration) -> String {
        let tally = &self.tally;
        let verdicts: Vec<_> = Verdict::ALL
            .into_iter()
            .filter(|&verdict| tally.of(verdict) > 0)
            .map(|verdict| {
                let style = report::style(verdict, self.job.colors);
                format!("{} {style}{verdict}{style:#}", grouped(tally.of(verdict)))
            })
            .collect();
        let boards = count(tally.boards(), "board");
        let files = count(self.files, "file");
        let mut text = match verdicts.as_slice() {
            [] => format!("{boards} in {files}\n"),
            verdicts => format!("{boards} in {files}: {}\n", verdicts.join(", ")),
        };
        text += &format!(
            "{} as expected, {}, {}\n",
            grouped(tally.as_expected),
            count(tally.mismatches, "mismatch").replace("mismatchs", "mismatches"),
            count(tally.errors, "error"),
        );
        if self.is_stopped() {
            text += "interrupted: what came after these was not looked at\n";
        }
        if self.job.timing == Timing::On {
            let rate = tally.boards() as f64 / time.as_secs_f64();
            text += &format!(
                "{} boards a second ({})\n",
                grouped(rate as u64),
                report::duration(time)
            );
        }
        text
    }
}
