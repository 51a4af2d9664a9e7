//! A single board, for commands that work on only one.

use std::cell::OnceCell;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::limits::Limits;
use getaway_board::puzzle::{Format, Puzzle, input};
use getaway_solvers::game::{Game, HeaderGame, Plan};
use getaway_solvers::rulesets::Entry;

use super::args::{Color, GameArgs};
use super::exit;
use super::inputs::{Input, Wanted, named_format, open, unreadable};
use super::options::{Options, Share, colors};
use super::output::diagnostic::Diagnostics;
use super::output::trace::{self, Layout};
use getaway_solvers::answers::words::{count, grouped, path_name};

pub struct OneBoard<'a> {
    pub options: &'a Options,
    pub color: Color,
    pub typed: GameArgs,
    pub is_json: bool,
    file: PathBuf,
    wanted: Wanted,
}

pub struct Opened<'p> {
    pub one: &'p OneBoard<'p>,
    pub puzzle: &'p Puzzle<'p>,
    pub ruleset: &'static Entry,
    pub game: Box<dyn Game>,
    pub given: HeaderGame<'p>,
}

impl<'p> Opened<'p> {
    /// Returns a plan for the moves on the command line, else those in the headers, else the solver's.
    pub fn plan(&self) -> Plan<'p> {
        let typed = &self.one.typed;
        let (moves, chasers) = self.given.overridden_by(typed.moves.as_deref());
        Plan {
            moves,
            chasers,
            order: self.one.options.order,
            limits: self.puzzle.limits_left(),
            seed: typed.seed.or(self.given.seed).unwrap_or_default(),
            turns: typed.turns,
            ..Plan::default()
        }
    }
}

impl<'a> OneBoard<'a> {
    pub fn new(file: &Path, options: &'a Options, color: Color) -> Self {
        let (file, wanted) = match Input::of(file) {
            Input::Board(path, wanted) => (path, wanted),
            input => (input.path().to_owned(), Wanted::First),
        };
        Self {
            options,
            color,
            typed: GameArgs::default(),
            is_json: false,
            file,
            wanted,
        }
    }

    pub fn path(&self) -> String {
        path_name(&self.file)
    }

    pub const fn origin_of_moves(&self) -> &'static str {
        match self.typed.moves {
            Some(_) => "playing `--moves`",
            None => "replaying the `moves` header",
        }
    }

    pub fn run(&self, then: impl FnOnce(&Opened) -> Result<ExitCode>) -> Result<ExitCode> {
        let (file, wanted) = (&self.file, &self.wanted);
        let found = find(
            file,
            wanted,
            self.options,
            Share::All,
            |puzzle, _| match self.open(puzzle) {
                Ok(opened) => then(&opened),
                Err(error) => self.unread(&error),
            },
        );
        match found.map_err(anyhow::Error::downcast) {
            Ok((code, boards)) => {
                if self.wanted == Wanted::First && boards > 1 {
                    self.note_others(boards);
                }
                code
            }
            Err(Ok(error)) => self.unread(&error),
            Err(Err(error)) => bail!("{}: {error}", self.path()),
        }
    }

    fn note_others(&self, boards: u64) {
        let min = if boards < MAX_COUNTED {
            ""
        } else {
            "at least "
        };
        let (path, boards) = (self.path(), grouped(boards));
        let note = format!(
            "this is board 1 of {min}{boards} in {path}; for another, name it as `{path}#2`"
        );
        tell(&self.diagnostics().note(&note));
    }

    fn unread(&self, error: &BoardError) -> Result<ExitCode> {
        let Some(limit) = error.limit() else {
            return Ok(self.print_error(error));
        };
        let mut out = io::stdout().lock();
        if self.is_json {
            trace::Json(out).undecided(limit)?;
        } else {
            writeln!(out, "undecided: {limit}")?;
        }
        Ok(exit::undecided())
    }

    fn open<'p>(&'p self, puzzle: &'p Puzzle<'p>) -> Result<Opened<'p>, BoardError> {
        let (ruleset, game) = self.options.read(puzzle)?;
        let given = HeaderGame::of(puzzle)?;
        let warnings = self.options.warnings(ruleset, &*game, puzzle)?;
        let path = self.file.to_string_lossy();
        tell(&self.diagnostics().warnings(&path, &warnings));
        Ok(Opened {
            one: self,
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
        let path = self.file.to_string_lossy();
        tell(&self.diagnostics().board(&path, error));
        exit::wrong()
    }
}

fn tell(text: &str) {
    // This fails only if standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}

const MAX_COUNTED: u64 = 10_000;

/// Finds one board, and passes it to `then` with its number, from 0. Also returns the number of boards read: up to this board or,
/// for [`Wanted::First`], up to [`MAX_COUNTED`]. Faults in other boards are ignored; a fault in this board is a [`BoardError`].
/// The time limit starts at the first byte.
pub fn find<T>(
    path: &Path,
    wanted: &Wanted,
    options: &Options,
    share: Share,
    then: impl FnOnce(&Puzzle, u64) -> T,
) -> Result<(T, u64)> {
    let begun = OnceCell::new();
    let limits = || *begun.get_or_init(|| options.limits(share));
    let max_memory = options.max_memory(share);
    let input = Interruptible {
        input: open(path, max_memory).map_err(|error| anyhow!(unreadable(&error)))?,
        limits: &limits,
        has_begun: false,
    };
    let (mut boards, mut found, mut then) = (0, None, Some(then));
    let format = named_format(path);
    let read = input::each(input, max_memory, format, &limits, &mut |puzzle, read| {
        boards += 1;
        if is_wanted(wanted, boards, puzzle)
            && let Some(then) = then.take()
        {
            found = Some(read.map(|()| {
                options.apply_headers(puzzle);
                then(puzzle, boards - 1)
            }));
        }
        found.is_none() || *wanted == Wanted::First && boards < MAX_COUNTED
    });
    match (found, read) {
        (Some(found), _) => Ok((found?, boards)),
        (None, Ok(())) => Err(missing(wanted, boards)),
        (None, Err(error)) => Err(match error.downcast::<BoardError>() {
            Ok(limit) => limit.into(),
            Err(error) => anyhow!(unreadable(&error)),
        }),
    }
}

/// Reads each board of a file, and sets the headers given on the command line. `sink` returns whether to continue.
pub fn each(
    path: &Path,
    format: Option<Format>,
    options: &Options,
    sink: &mut dyn FnMut(&mut Puzzle, Result<(), BoardError>) -> bool,
) -> io::Result<()> {
    let max_memory = options.max_memory(Share::All);
    let limits = || options.limits(Share::All);
    let input = open(path, max_memory)?;
    input::each(input, max_memory, format, &limits, &mut |puzzle, read| {
        options.apply_headers(puzzle);
        sink(puzzle, read)
    })
}

pub fn is_wanted(wanted: &Wanted, number: u64, puzzle: &Puzzle) -> bool {
    match wanted {
        Wanted::First => number == 1,
        Wanted::Number(wanted) => number == *wanted,
        Wanted::Id(id) => {
            let own = puzzle.id_text().or(puzzle.name().map(Into::into));
            own.is_some_and(|own| own == *id)
        }
    }
}

pub fn missing(wanted: &Wanted, boards: u64) -> anyhow::Error {
    let number_of_boards = count(boards, "board");
    match wanted {
        Wanted::Number(0) if boards > 0 => anyhow!("there is no board 0: boards count from 1"),
        Wanted::Number(number) if boards > 0 => {
            anyhow!("there is no board {number}: the file has {number_of_boards}")
        }
        Wanted::Id(id) if boards > 0 => anyhow!(
            "there is no board with the id or name `{}` among its {number_of_boards}",
            id.escape_debug()
        ),
        _ => BoardError::of_line(1, FaultKind::NoBoard).into(),
    }
}

/// An input whose reads fail once a limit is reached.
struct Interruptible<'l, R> {
    input: R,
    /// Returns the limits. The first call starts the time limit.
    limits: &'l dyn Fn() -> Limits<'l>,
    has_begun: bool,
}

impl<R: Read> Read for Interruptible<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // The wait for the first byte does not count as time.
        if std::mem::replace(&mut self.has_begun, true)
            && let Err(limit) = (self.limits)().check_time()
        {
            return Err(io::Error::other(BoardError::of_line(
                1,
                FaultKind::Limit(limit),
            )));
        }
        self.input.read(room)
    }
}
