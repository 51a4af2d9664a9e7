//! Certificates as lines of plain text. The program stores them with gzip, so `zcat` shows them.

use std::io::{self, BufRead, BufReader, Read, Write};

use memchr::memchr_iter;

use super::VerifyError;
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;

const VERSION: &str = "getaway certificate 2";

/// The version in which `dungeon` could not yet claim `caught by equality`; everything else is the same.
const VERSION_1: &str = "getaway certificate 1";

const END: &str = "end";

const LONGEST_LINE: u64 = 1 << 28;

/// Returns the text that identifies a board: its ruleset, settings, and rows as drawn.
pub fn board_text(ruleset: &str, settings: &[&str], puzzle: &Puzzle) -> Vec<u8> {
    let mut text = format!("ruleset: {ruleset}\n").into_bytes();
    for key in settings {
        for header in puzzle.headers.iter().filter(|header| header.key == *key) {
            text.extend(format!("{key}: {}\n", header.value).bytes());
        }
    }
    text.extend(format!("rows: {}\n", puzzle.rows.len()).bytes());
    for row in &puzzle.rows {
        text.extend_from_slice(&row.text);
        text.push(b'\n');
    }
    text
}

/// Writes a certificate for the board with this text ([`board_text`]); `evidence` writes the claim and its evidence.
///
/// # Errors
///
/// Returns an error if writing fails, or that of `evidence`.
pub fn write<E: From<io::Error>>(
    out: &mut impl Write,
    board: &[u8],
    evidence: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    writeln!(out, "{VERSION}")?;
    out.write_all(board)?;
    evidence(out)?;
    Ok(writeln!(out, "{END}")?)
}

/// A certificate that is being read.
pub struct CertificateReader<'c> {
    lines: BufReader<Box<dyn Read + 'c>>,
    limits: Limits<'c>,
    text: String,
    line: u64,
}

impl<'c> CertificateReader<'c> {
    /// Prepares to read a certificate from its text, `input`.
    pub fn new(input: Box<dyn Read + 'c>, limits: &Limits<'c>) -> Self {
        Self {
            lines: BufReader::new(input),
            limits: *limits,
            text: String::new(),
            line: 0,
        }
    }

    /// Returns the limits on reading and checking.
    pub const fn limits(&self) -> &Limits<'c> {
        &self.limits
    }

    /// Reads the version and the board's text, which must be `board`.
    pub(super) fn open(&mut self, board: &[u8]) -> Result<(), VerifyError> {
        match self.line() {
            Ok(VERSION | VERSION_1) => {}
            Ok(line) if line.starts_with("getaway certificate ") => {
                let why = "its version is unknown: this program supports versions 1 and 2";
                return Err(VerifyError::unreadable(why));
            }
            Err(limit @ VerifyError::Limit(_)) => return Err(limit),
            Ok(_) | Err(_) => return Err(VerifyError::unreadable("it is not a certificate")),
        }
        let mut found = Vec::new();
        let max_bytes = board.len() as u64;
        let read = self.lines.by_ref().take(max_bytes).read_to_end(&mut found);
        read.map_err(|error| damaged(&error))?;
        self.line += memchr_iter(b'\n', board).count() as u64;
        let why = "it is for another board, or for other rules or settings";
        let is_same = (found == board).then_some(());
        is_same.ok_or_else(|| VerifyError::fails(why))
    }

    /// Reads the next line, without its line end.
    ///
    /// # Errors
    ///
    /// Returns an error if no complete line can be read, or a limit was reached.
    pub fn line(&mut self) -> Result<&str, VerifyError> {
        if self.line.is_multiple_of(1 << 10) {
            self.limits.check_time()?;
        }
        self.line += 1;
        self.text.clear();
        let max_bytes = self
            .limits
            .max_memory
            .unwrap_or(LONGEST_LINE)
            .min(LONGEST_LINE);
        let mut line = self.lines.by_ref().take(max_bytes);
        match line.read_line(&mut self.text) {
            Ok(_) if self.text.ends_with('\n') => {
                self.text.pop();
                Ok(&self.text)
            }
            Ok(read) if read as u64 == max_bytes => {
                Err(VerifyError::unreadable("a line is too long"))
            }
            Ok(_) => Err(VerifyError::unreadable("it ends before its last line")),
            Err(error) => Err(damaged(&error)),
        }
    }

    /// Returns the rest of the next line, which must begin with `name`.
    pub(super) fn field(&mut self, name: &str) -> Result<&str, VerifyError> {
        let number = self.line + 1;
        let expected =
            || VerifyError::unreadable(&format!("line {number} should begin with `{name}`"));
        self.line()?.strip_prefix(name).ok_or_else(expected)
    }

    pub(super) fn line_fails(&self, why: &str) -> VerifyError {
        VerifyError::fails(&format!("line {}: {why}", self.line))
    }

    pub(super) fn malformed(&self, expected: &str) -> VerifyError {
        VerifyError::unreadable(&format!("line {}: {expected}", self.line))
    }

    pub(super) fn end(&mut self) -> Result<(), VerifyError> {
        match self.line()? {
            END => Ok(()),
            _ => Err(self.malformed("the certificate should end here")),
        }
    }

    /// Reads to the end to verify the checksum. If `is_at_end`, fails if there is more data.
    pub(super) fn drain(&mut self, is_at_end: bool) -> Result<(), VerifyError> {
        let mut buffer = vec![0; 1 << 16];
        let mut is_complete = true;
        loop {
            self.limits.check_time()?;
            match self.lines.read(&mut buffer) {
                Ok(0) => break,
                Ok(_) => is_complete = !is_at_end,
                Err(error) => return Err(damaged(&error)),
            }
        }
        let why = "it has extra data after its end";
        is_complete
            .then_some(())
            .ok_or_else(|| VerifyError::unreadable(why))
    }
}

fn damaged(error: &io::Error) -> VerifyError {
    match error.kind() {
        io::ErrorKind::Other => VerifyError::unreadable(&error.to_string()),
        io::ErrorKind::UnexpectedEof => VerifyError::unreadable("it is cut short"),
        _ => VerifyError::unreadable(&format!("it is damaged ({error})")),
    }
}
