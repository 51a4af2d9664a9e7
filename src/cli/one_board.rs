//! One board of one file, for the commands that deal with a single one.

use std::cell::OnceCell;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::fault::{BoardError, FaultKind};
use crate::game::{Game, Given};
use crate::limits::Limits;
use crate::puzzle::{Puzzle, error_at};
use crate::rulesets::Entry;
use anyhow::{Result, bail};

use super::args::Color;
use super::boards;
use super::compression::Plain;
use super::exit;
use super::inputs::{Input, Wanted, named_format, open, unreadable};
use super::options::{Options, Share, colors};
use super::output::diagnostic::Diagnostics;
use super::output::trace;
use super::output::words::{count, safe};

/// Which board is dealt with, and how it is read.
pub struct OneBoard<'a> {
    /// How it is read and searched.
    pub options: &'a Options,
    /// When to use colours.
    pub color: Color,
    file: PathBuf,
    wanted: Wanted,
    output: Output,
}

/// How a command prints what it has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// As text.
    Text,
    /// As JSON.
    Json,
}

impl Output {
    /// JSON where that was asked for.
    pub const fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// A board that was read.
pub struct Opened<'p> {
    /// As it was written.
    pub puzzle: &'p Puzzle<'p>,
    /// Its ruleset.
    pub ruleset: &'static Entry,
    /// As it is played.
    pub game: Box<dyn Game>,
    /// What its headers say about how it is to be played.
    pub given: Given<'p>,
}

/// Why there is no board to deal with.
pub enum Unread {
    /// It is no board.
    Board(BoardError),
    /// The file can't be read, or has no such board.
    Other(String),
}

impl<'a> OneBoard<'a> {
    /// The board that `file` names: the only one, or the first, of its file unless the name says which.
    pub fn new(file: &Path, options: &'a Options, color: Color) -> Self {
        let (file, wanted) = match Input::of(file) {
            Input::Stdin => ("-".into(), Wanted::Number(1)),
            Input::Path(path) => (path, Wanted::Number(1)),
            Input::Board(path, wanted) => (path, wanted),
        };
        Self {
            options,
            color,
            file,
            wanted,
            output: Output::Text,
        }
    }

    /// The same, for a command that prints its output so.
    #[must_use]
    pub fn with_output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// The file's path, for people.
    pub fn path(&self) -> String {
        safe(&self.file.to_string_lossy())
    }

    /// Deals with the board; the exit code.
    ///
    /// # Errors
    ///
    /// If the file can't be read or has no such board, and those of `then`.
    pub fn run(&self, then: impl FnOnce(&Opened) -> Result<ExitCode>) -> Result<ExitCode> {
        let mut then = Some(then);
        let mut code = None;
        let how = (self.options, Share::All);
        let found = find(&self.file, &self.wanted, how, &mut |puzzle, _| {
            let then = then.take().expect("the board is found once");
            code = Some(match self.open(puzzle) {
                Ok(opened) => then(&opened),
                Err(error) => self.unread(&error),
            });
        });
        match found {
            Ok(()) => code.expect("a board that is found is dealt with"),
            Err(Unread::Board(error)) => self.unread(&error),
            Err(Unread::Other(message)) => bail!("{}: {message}", self.path()),
        }
    }

    /// Tells why there is no board: what is wrong with it, or a limit that ended the reading.
    fn unread(&self, error: &BoardError) -> Result<ExitCode> {
        let Some(limit) = error.limit() else {
            return Ok(self.print_error(error));
        };
        let mut out = io::stdout().lock();
        match self.output {
            Output::Text => trace::undecided(&mut out, limit)?,
            Output::Json => trace::undecided_json(&mut out, limit)?,
        }
        Ok(ExitCode::from(3))
    }

    /// Reads the board, and prints what is odd about it.
    fn open<'p>(&self, puzzle: &'p Puzzle<'p>) -> Result<Opened<'p>, BoardError> {
        let (ruleset, game) = self.options.read(puzzle)?;
        let given = Given::of(puzzle)?;
        let warnings = self.options.warnings(ruleset, puzzle)?;
        let text = self
            .diagnostics()
            .warnings(&self.file.to_string_lossy(), &warnings);
        let _ = io::stderr().write_all(text.as_bytes());
        Ok(Opened {
            puzzle,
            ruleset,
            game,
            given,
        })
    }

    fn diagnostics(&self) -> Diagnostics {
        Diagnostics::new(colors(self.color, &io::stderr()))
    }

    /// Prints what is wrong with the board; the exit code for that.
    pub fn print_error(&self, error: &BoardError) -> ExitCode {
        let text = self
            .diagnostics()
            .board(&self.file.to_string_lossy(), error);
        let _ = io::stderr().write_all(text.as_bytes());
        exit::wrong()
    }
}

/// Calls `then` with the board that is wanted of a file, and its number from 0. The time that it may take
/// counts from the file's first byte on. What is wrong with other boards does not matter.
///
/// # Errors
///
/// If the file can't be read, has no such board, or that is none.
pub fn find(
    path: &Path,
    wanted: &Wanted,
    (options, share): (&Options, Share),
    then: &mut dyn FnMut(&Puzzle, u64),
) -> Result<(), Unread> {
    let begun = OnceCell::new();
    let limits = || *begun.get_or_init(|| options.limits(share));
    let max_memory = options.max_memory(share);
    let input = Interruptible {
        input: Plain::new(open(path).map_err(broken)?, path, max_memory),
        limits: &limits,
        has_begun: false,
    };
    let (mut boards, mut found) = (0, None);
    let (input, format) = ((input, max_memory), named_format(path));
    boards::each(input, format, &limits, &mut |puzzle, read| {
        boards += 1;
        if is_wanted(wanted, boards, puzzle) {
            found = Some(read.map(|()| {
                options.settle(puzzle);
                then(puzzle, boards - 1);
            }));
        }
        found.is_none()
    })
    .map_err(broken)?;
    match found {
        Some(found) => found.map_err(Unread::Board),
        None => Err(missing(wanted, boards)),
    }
}

/// Whether this is the board wanted, the one of this number from 1.
fn is_wanted(wanted: &Wanted, number: u64, puzzle: &Puzzle) -> bool {
    match wanted {
        Wanted::Number(wanted) => number == *wanted,
        Wanted::Id(id) => {
            let own = puzzle.id_text().or(puzzle.name().map(Into::into));
            own.is_some_and(|own| own == *id)
        }
    }
}

/// That one of so many boards is not there.
fn missing(wanted: &Wanted, boards: u64) -> Unread {
    match (boards, wanted) {
        (0, _) => Unread::Board(error_at(1, FaultKind::NoBoard)),
        (boards, Wanted::Number(number)) => Unread::Other(format!(
            "there is no board {number}: the file has {}",
            count(boards, "board")
        )),
        (boards, Wanted::Id(id)) => Unread::Other(format!(
            "there is no board with the id or name `{}` among its {}",
            id.escape_debug(),
            count(boards, "board")
        )),
    }
}

/// What keeps an input from being read: a limit, or whatever the system says.
fn broken(error: io::Error) -> Unread {
    match error.downcast() {
        Ok(limit) => Unread::Board(limit),
        Err(error) => Unread::Other(unreadable(&error)),
    }
}

/// An input that is read until a limit is reached, which is an error then.
struct Interruptible<'l, R> {
    input: R,
    /// The limits, whose time begins when they are asked for.
    limits: &'l dyn Fn() -> Limits<'l>,
    has_begun: bool,
}

impl<R: Read> Read for Interruptible<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        // One who waits for input has not begun to read.
        let reached = if is_first {
            None
        } else {
            (self.limits)().time_is_up()
        };
        match reached {
            Some(limit) => Err(io::Error::other(error_at(1, FaultKind::Limit(limit)))),
            None => self.input.read(room),
        }
    }
}
