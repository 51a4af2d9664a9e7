//! A single board, for commands that take only one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::fault::BoardError;
use crate::game::{Game, Given};
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;
use anyhow::{Result, bail};

use super::args::Color;
use super::boards::{MOST_COUNTED, find};
use super::exit;
use super::inputs::{Input, Wanted};
use super::options::{Options, Share, colors};
use super::output::diagnostic::Diagnostics;
use super::output::trace::{self, Layout};
use super::output::words::path_name;
use crate::answers::words::grouped;

pub struct OneBoard<'a> {
    pub options: &'a Options,
    pub color: Color,
    file: PathBuf,
    wanted: Wanted,
    output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Text,
    Json,
}

impl Output {
    pub const fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

pub struct Opened<'p> {
    pub puzzle: &'p Puzzle<'p>,
    pub ruleset: &'static Entry,
    pub game: Box<dyn Game>,
    /// Headers about the game to play.
    pub given: Given<'p>,
}

impl<'a> OneBoard<'a> {
    /// Selects the board that `file` names, or else its first one.
    pub fn new(file: &Path, options: &'a Options, color: Color) -> Self {
        let (file, wanted) = match Input::of(file) {
            Input::Board(path, wanted) => (path, wanted),
            input => (input.path().to_owned(), Wanted::First),
        };
        Self {
            options,
            color,
            file,
            wanted,
            output: Output::Text,
        }
    }

    #[must_use]
    pub fn with_output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    pub fn path(&self) -> String {
        path_name(&self.file)
    }

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
        match found.map_err(anyhow::Error::downcast) {
            Ok(boards) => {
                if self.wanted == Wanted::First && boards > 1 {
                    self.note_others(boards);
                }
                code.expect("a board that is found is dealt with")
            }
            Err(Ok(error)) => self.unread(&error),
            Err(Err(error)) => bail!("{}: {error}", self.path()),
        }
    }

    fn note_others(&self, boards: u64) {
        let least = if boards < MOST_COUNTED {
            ""
        } else {
            "at least "
        };
        let (path, boards) = (self.path(), grouped(boards));
        let note = format!(
            "this is board 1 of {least}{boards} in {path}; for another, name it as `{path}#2`"
        );
        let _ = io::stderr().write_all(self.diagnostics().note(&note).as_bytes());
    }

    /// Prints the board's faults, or the limit that was reached while reading it.
    fn unread(&self, error: &BoardError) -> Result<ExitCode> {
        let Some(limit) = error.limit() else {
            return Ok(self.print_error(error));
        };
        let mut out = io::stdout().lock();
        match self.output {
            Output::Text => writeln!(out, "undecided: {limit}")?,
            Output::Json => trace::Json(out).undecided(limit)?,
        }
        Ok(ExitCode::from(3))
    }

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

    pub fn print_error(&self, error: &BoardError) -> ExitCode {
        let text = self
            .diagnostics()
            .board(&self.file.to_string_lossy(), error);
        let _ = io::stderr().write_all(text.as_bytes());
        exit::wrong()
    }
}
