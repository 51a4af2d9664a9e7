//! One board of one file, for the commands that deal with a single one.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use getaway::fault::{BoardError, FaultKind};
use getaway::game::Game;
use getaway::puzzle::stream::{ChunkError, Chunks};
use getaway::puzzle::{Format, Puzzle, error_at, json, text};
use getaway::rulesets::{self, Entry, RULESETS};

use crate::batch::{named_format, unreadable};
use crate::cli::{BoardArgs, Color, SearchArgs};
use crate::commands::{colors, ruleset};
use crate::diagnostic::Diagnostics;
use crate::exit;
use crate::report::safe;

/// Which board, and how it is read.
pub struct Single<'a> {
    args: &'a BoardArgs,
    ruleset: Option<&'static Entry>,
    /// When to use colours.
    pub color: Color,
}

/// Why there is no board to deal with.
enum Unread {
    Board(BoardError),
    Other(anyhow::Error),
}

impl<'a> Single<'a> {
    /// The board that these arguments name.
    ///
    /// # Errors
    ///
    /// If they name a ruleset that does not exist.
    pub fn new(args: &'a BoardArgs, search: &SearchArgs, color: Color) -> Result<Self> {
        let ruleset = ruleset(search)?;
        Ok(Self {
            args,
            ruleset,
            color,
        })
    }

    /// The file's path, for people.
    pub fn path(&self) -> String {
        safe(&self.args.file.to_string_lossy())
    }

    /// Deals with the board; the exit code.
    ///
    /// # Errors
    ///
    /// If the file can't be read or has no such board, and those of `then`.
    pub fn run(
        &self,
        then: impl FnOnce(&Puzzle, &dyn Game) -> Result<ExitCode>,
    ) -> Result<ExitCode> {
        let mut then = Some(then);
        let mut code = None;
        let found = self.find(&mut |puzzle| {
            let then = then.take().expect("the board is found once");
            code = Some(match self.game(puzzle) {
                Ok(game) => then(puzzle, &*game),
                Err(error) => Ok(self.complain(&error)),
            });
        });
        match (found, code) {
            (Err(Unread::Board(error)), _) => Ok(self.complain(&error)),
            (Err(Unread::Other(error)), _) => Err(error),
            (Ok(_), Some(code)) => code,
            (Ok(0), None) => Ok(self.complain(&error_at(1, FaultKind::NoBoard))),
            (Ok(boards), None) => {
                let boards = crate::report::count(boards, "board");
                bail!(
                    "{}: there is no board {}: the file has {boards}",
                    self.path(),
                    self.args.board
                )
            }
        }
    }

    fn game(&self, puzzle: &Puzzle) -> Result<Box<dyn Game>, BoardError> {
        let entry = match self.ruleset {
            Some(entry) => entry,
            None => rulesets::of_board(RULESETS, puzzle)?,
        };
        (entry.read)(puzzle)
    }

    /// Tells what is wrong with the board; the exit code for that.
    pub fn complain(&self, error: &BoardError) -> ExitCode {
        let diagnostics = Diagnostics::new(colors(self.color, &io::stderr()));
        let text = diagnostics.board(&self.args.file.to_string_lossy(), error);
        let _ = io::stderr().write_all(text.as_bytes());
        exit::wrong()
    }

    /// Calls `then` with the board, if there is one of its number; how many there were up to it.
    fn find(&self, then: &mut dyn FnMut(&Puzzle)) -> Result<u64, Unread> {
        let path = &self.args.file;
        let broken = |error| Unread::Other(anyhow!("{}: {}", self.path(), unreadable(&error)));
        let input = open(path).map_err(broken)?;
        let mut chunks = Chunks::new(input, named_format(path));
        let mut count = Count {
            boards: 0,
            wanted: self.args.board,
            then,
        };
        loop {
            match chunks.read() {
                Ok(None) => return Ok(count.boards),
                Ok(Some(chunk)) => {
                    let found = match chunk.format {
                        Format::JsonLines => count.json(&chunk.text, chunk.line)?,
                        Format::Text => count.text(&chunk.text, chunk.line)?,
                    };
                    if found {
                        return Ok(count.boards);
                    }
                }
                Err(ChunkError::Io(error)) => return Err(broken(error)),
                Err(ChunkError::Board(error)) => return Err(Unread::Board(error)),
            }
        }
    }
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("this is a folder; name one board file"));
    }
    Ok(Box::new(file))
}

/// Counts boards up to the one that is wanted.
struct Count<'t> {
    boards: u64,
    wanted: u64,
    then: &'t mut dyn FnMut(&Puzzle),
}

impl Count<'_> {
    fn json(&mut self, text: &[u8], line: u64) -> Result<bool, Unread> {
        let mut puzzle = Puzzle::empty();
        for (row, line) in text.split(|&byte| byte == b'\n').zip(line..) {
            let row = row.strip_suffix(b"\r").unwrap_or(row);
            let read = json::read_line(row, line, &mut puzzle);
            if !matches!(read, Ok(false)) && self.is_it(read, &puzzle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text(&mut self, text: &[u8], line: u64) -> Result<bool, Unread> {
        let mut boards = text::Boards::new(text, line);
        let mut puzzle = Puzzle::empty();
        loop {
            let read = boards.read(&mut puzzle);
            if matches!(read, Ok(false)) {
                return Ok(false);
            }
            if self.is_it(read, &puzzle)? {
                return Ok(true);
            }
        }
    }

    /// Whether this is the board wanted; what is wrong with others does not matter.
    fn is_it(&mut self, read: Result<bool, BoardError>, puzzle: &Puzzle) -> Result<bool, Unread> {
        self.boards += 1;
        if self.boards <= self.wanted {
            return Ok(false);
        }
        read.map_err(Unread::Board)?;
        (self.then)(puzzle);
        Ok(true)
    }
}
