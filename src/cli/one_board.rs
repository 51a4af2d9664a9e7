//! A single board, for commands that work on only one.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use getaway_board::fault::BoardError;
use getaway_board::puzzle::Puzzle;
use getaway_solvers::game::{Game, HeaderGame, Plan};
use getaway_solvers::rulesets::Entry;

use super::args::{Color, GameArgs};
use super::exit;
use super::inputs::{Input, MAX_COUNTED, Selector, for_each_board};
use super::options::{Options, Share, colors};
use super::output::diagnostic::Diagnostics;
use super::output::trace::{self, Layout};
use getaway_board::words::{grouped, path_name};

pub struct OneBoard<'a> {
    pub options: &'a Options,
    pub color: Color,
    pub typed: GameArgs,
    pub is_json: bool,
    /// True if standard output is for boards or a picture, so that a limit is reported on standard error.
    pub prints_boards: bool,
    input: Input,
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
        let input = match Input::of(file) {
            input @ Input::Board(..) => input,
            input => Input::Board(input.path().to_owned(), Selector::First),
        };
        Self {
            options,
            color,
            typed: GameArgs::default(),
            is_json: false,
            prints_boards: false,
            input,
        }
    }

    pub fn path(&self) -> String {
        path_name(self.input.path())
    }

    pub fn run(&self, then: impl FnOnce(&Opened) -> Result<ExitCode>) -> Result<ExitCode> {
        let (mut then, mut code) = (Some(then), None);
        let read = for_each_board(
            &self.input,
            self.options,
            Share::All,
            &mut |puzzle, _, read| {
                let is_read = read.is_ok();
                code = then.take().map(|then| {
                    let opened = read.and_then(|()| self.open(puzzle));
                    opened.map_or_else(|error| self.unread(&error), |opened| then(&opened))
                });
                is_read
            },
        );
        match read.map_err(anyhow::Error::downcast) {
            Ok(boards) => {
                if *self.input.wanted() == Selector::First && boards > 1 {
                    self.note_others(boards);
                }
                code.expect("a board that is missing is an error")
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
        if self.prints_boards {
            return exit::stopped(&format!("{}: undecided: {limit}", self.path()));
        }
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
        let path = self.input.path().to_string_lossy();
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
        let path = self.input.path().to_string_lossy();
        tell(&self.diagnostics().board(&path, error));
        exit::wrong()
    }
}

fn tell(text: &str) {
    // If standard error can't be written to, there is nowhere to report that.
    let _ = io::stderr().write_all(text.as_bytes());
}
