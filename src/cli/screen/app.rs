//! What goes on the screen, one thing after the other: boards that are played, drawn and tried.

use std::process::ExitCode;
use std::sync::Arc;

use getaway::fault::BoardError;
use getaway::game::{Game, Given};
use getaway::puzzle::Puzzle;
use getaway::rulesets::Entry;

use super::asker::Older;
use super::faulty::Faulty;
use super::look::{Charset, Look};
use super::playing::{self, Leave, Playing, Source};
use super::shelf::{BoardFile, Shelf};
use super::terminal::{Ended, Screen};
use super::view::Title;
use super::write;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::options::{Options, Share};
use crate::cli::output::diagnostic::{Colors, Diagnostics};
use crate::cli::output::words::safe;

/// The screen, and how boards are read and shown on it.
pub struct App<'a> {
    /// The screen.
    pub screen: Screen,
    /// How boards are read and searched.
    pub options: &'a Options,
    /// The characters that can be shown.
    pub charset: Charset,
    /// Whether in colours.
    pub colors: Colors,
    /// The seed that was asked for.
    pub seed: Option<u64>,
}

/// A board that can be played.
pub struct Opened {
    /// Its ruleset.
    pub ruleset: &'static Entry,
    /// The game.
    pub game: Arc<dyn Game>,
    /// The seed in its header.
    pub seed: Option<u64>,
}

/// Reads a board to play it.
///
/// # Errors
///
/// What is wrong with it.
pub fn open(
    options: &Options,
    (puzzle, read): (&Puzzle, Result<(), BoardError>),
) -> Result<Opened, BoardError> {
    read?;
    let (ruleset, game) = options.read(puzzle)?;
    options.warnings(ruleset, puzzle)?;
    Ok(Opened {
        ruleset,
        game: game.into(),
        seed: Given::of(puzzle)?.seed,
    })
}

/// How a board is begun.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// The seed of its luck, rather than the one in its header.
    pub seed: Option<u64>,
    /// What is to be said first.
    pub message: String,
}

impl App<'_> {
    /// Plays boards until one leaves; the exit code.
    ///
    /// # Errors
    ///
    /// If the terminal can't be used any more, or a signal ends it.
    pub fn play(&mut self, shelf: &mut Shelf) -> Result<ExitCode, Ended> {
        let mut beginning = Beginning::default();
        loop {
            let leave =
                self.play_board(&shelf.file, shelf.number, std::mem::take(&mut beginning))?;
            beginning.message = match leave {
                Leave::Quit => return Ok(ExitCode::SUCCESS),
                Leave::Interrupt => return Ok(ExitCode::from(130)),
                Leave::Next => moved(shelf.next(), "this is the last board"),
                Leave::Previous => moved(shelf.previous(), "this is the first board"),
                Leave::NewLuck => {
                    beginning.seed = Some(fresh_seed());
                    String::new()
                }
                Leave::Edit => "no editor yet".into(),
            };
        }
    }

    /// Plays one board, or tells what is wrong with it.
    ///
    /// # Errors
    ///
    /// If the terminal can't be used any more, or a signal ends it.
    pub fn play_board(
        &mut self,
        file: &BoardFile,
        number: usize,
        beginning: Beginning,
    ) -> Result<Leave, Ended> {
        let written = file.board(number);
        let (puzzle, read) = written.read();
        let opened = match open(self.options, (&puzzle, read)) {
            Ok(opened) => opened,
            Err(error) => return self.show_faults(&file.address(number), &error),
        };
        let name = puzzle.name().map_or_else(|| file_name(file), safe);
        let title = Title {
            name,
            address: file.address(number),
            ruleset: opened.ruleset,
        };
        let look = Look {
            charset: self.charset,
            colors: self.colors,
            legend: opened.ruleset.legend,
        };
        let seed = beginning
            .seed
            .or(self.seed)
            .or(opened.seed)
            .unwrap_or_else(fresh_seed);
        let session = match opened.game.session(seed, &self.options.limits(Share::All)) {
            Ok(session) => session,
            Err(error) => return self.show_text(&title.address, &error.to_string()),
        };
        // What is found out about a game of chance serves for all its positions.
        let older = if session.is_by_chance() {
            Older::Finish
        } else {
            Older::Stop
        };
        let waker = self.screen.waker();
        let game = Arc::clone(&opened.game);
        let asker = playing::asker((game, seed), (self.options, older), waker);
        let is_named = puzzle
            .header("ruleset")
            .is_some_and(|header| header.value == opened.ruleset.name);
        let source = Source {
            written,
            puzzle: &puzzle,
            ruleset: (!is_named && self.options.has_ruleset()).then_some(opened.ruleset.name),
        };
        let number = (file.count() > 1).then_some(number + 1);
        let save_as = Box::new(move || write::free_name(file.path(), number));
        let mut playing = Playing::new(session, asker, (&title, look), (source, save_as));
        if !beginning.message.is_empty() {
            playing.say(beginning.message);
        }
        self.screen.show(&mut playing)
    }

    fn show_faults(&mut self, address: &str, error: &BoardError) -> Result<Leave, Ended> {
        let text = Diagnostics::new(Colors::Off).board(address, error);
        self.show_text(address, &text)
    }

    fn show_text(&mut self, address: &str, text: &str) -> Result<Leave, Ended> {
        self.screen.show(&mut Faulty::new(address, text))
    }
}

/// The name of a file, for people.
fn file_name(file: &BoardFile) -> String {
    let name = file.path().file_stem().unwrap_or_default();
    safe(&name.to_string_lossy())
}

/// What there is to say after one has gone to another board.
fn moved(there: Result<bool, String>, none: &str) -> String {
    match there {
        Ok(true) => String::new(),
        Ok(false) => none.to_owned(),
        Err(why) => why,
    }
}
