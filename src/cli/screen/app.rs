//! What goes on the screen, one thing after the other: boards that are played, drawn and tried.

use std::process::ExitCode;
use std::sync::Arc;

use crate::fault::BoardError;
use crate::game::{Game, Given};
use crate::play::session::Session;
use crate::puzzle::{Format, Puzzle};
use crate::rulesets::Entry;

use super::asker::Older;
use super::choosing::{self, Choosing};
use super::editing::{self, Editing};
use super::faulty::Faulty;
use super::judge;
use super::layout::Title;
use super::look::{Charset, Look};
use super::play::Play;
use super::playing::{self, Leave, Playing, Source};
use super::shelf::{BoardFile, Shelf};
use super::terminal::{Ended, Screen};
use super::watching::Show;
use super::write;
use crate::cli::args::watch::WatchArgs;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::inputs::named_format;
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
    /// Which games are watched, unless they are played by hand.
    pub watch: Option<&'a WatchArgs>,
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

impl Opened {
    /// What it takes to say which game on it is watched.
    pub fn seen<'o>(
        &'o self,
        puzzle: &'o Puzzle<'o>,
    ) -> (&'static Entry, &'o dyn Game, &'o Puzzle<'o>) {
        (self.ruleset, &*self.game, puzzle)
    }
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
    pub fn play(&mut self, boards: &mut Shelf) -> Result<ExitCode, Ended> {
        let mut beginning = Beginning::default();
        loop {
            let leave =
                self.play_board(&boards.file, boards.number, std::mem::take(&mut beginning))?;
            beginning.message = match leave {
                Leave::Quit => return Ok(ExitCode::SUCCESS),
                Leave::Interrupt => return Ok(ExitCode::from(130)),
                Leave::Next => moved(boards.next(), "this is the last board"),
                Leave::Previous => moved(boards.previous(), "this is the first board"),
                Leave::NewLuck => {
                    beginning.seed = Some(fresh_seed());
                    String::new()
                }
                Leave::Edit => {
                    let edited = self.edit(&boards.file, boards.number)?;
                    if edited != ExitCode::SUCCESS {
                        return Ok(edited);
                    }
                    boards.read_again().err().unwrap_or_default()
                }
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
        let (mut puzzle, read) = written.read();
        self.options.settle(&mut puzzle);
        let opened = match open(self.options, (&puzzle, read)) {
            Ok(opened) => opened,
            Err(error) => return self.show_faults(&file.address(number), &error),
        };
        let name = puzzle.name().map_or_else(|| file.name(), safe);
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
        let (play, live) = match self.watch {
            None => (by_hand(session, &puzzle), None),
            Some(args) => match Show::of(args, opened.seen(&puzzle), self.options) {
                Ok(show) => show.begin(session, &opened.game, self.options, self.screen.waker()),
                Err(error) => return self.show_text(&title.address, &error.to_string()),
            },
        };
        let game = Arc::clone(&opened.game);
        let asker = playing::asker((game, seed), (self.options, older), waker);
        let is_named = puzzle
            .header("ruleset")
            .is_some_and(|header| header.value == opened.ruleset.name);
        let source = Source {
            written,
            puzzle: &puzzle,
            ruleset: (!is_named && self.options.chosen_ruleset().is_some())
                .then_some(opened.ruleset.name),
        };
        let number = (file.count() > 1).then_some(number + 1);
        let save_as = Box::new(move || write::free_name(file.path(), number));
        let mut playing = Playing::new((play, live), asker, (&title, look), (source, save_as));
        if !beginning.message.is_empty() {
            playing.say(beginning.message);
        }
        self.screen.show(&mut playing)
    }

    /// Draws board `number` of a file, which need not be there yet; the exit code.
    ///
    /// # Errors
    ///
    /// If the terminal can't be used any more, or a signal ends it.
    pub fn edit(&mut self, file: &BoardFile, number: usize) -> Result<ExitCode, Ended> {
        let on_disk = file.path().exists().then(|| file.bytes().to_vec());
        let (mut puzzle, _) = file.board(number).read();
        self.options.settle(&mut puzzle);
        let is_new = file.count() == 0;
        let ruleset = match self.options.chosen_ruleset() {
            None if is_new => match self.screen.show(&mut Choosing::default())? {
                choosing::Leave::Chosen(entry) => entry,
                choosing::Leave::Quit => return Ok(ExitCode::SUCCESS),
                choosing::Leave::Interrupt => return Ok(ExitCode::from(130)),
            },
            _ => judge::ruleset(&puzzle, self.options),
        };
        let file = if is_new {
            begun(file, ruleset)
        } else {
            file.clone()
        };
        let look = Look {
            charset: self.charset,
            colors: self.colors,
            legend: ruleset.legend,
        };
        let judge = judge::judge(self.options, self.screen.waker());
        let address = file.address(number);
        match Editing::new((file, number, on_disk), ruleset, look, judge) {
            Ok(editing) => self.keep_editing(editing),
            Err(why) => {
                let why = format!("it can't be edited: {why}");
                let left = self.show_text(&address, &why)?;
                Ok(if left == Leave::Interrupt {
                    ExitCode::from(130)
                } else {
                    ExitCode::SUCCESS
                })
            }
        }
    }

    /// Draws, and plays what is drawn, until one leaves.
    fn keep_editing(&mut self, mut editing: Editing) -> Result<ExitCode, Ended> {
        loop {
            let file = match self.screen.show(&mut editing)? {
                editing::Leave::Quit => return Ok(ExitCode::SUCCESS),
                editing::Leave::Interrupt => return Ok(ExitCode::from(130)),
                editing::Leave::Try(file) => file,
            };
            let mut beginning = Beginning {
                message: "q goes back to the drawing".into(),
                ..Beginning::default()
            };
            loop {
                match self.play_board(&file, 0, std::mem::take(&mut beginning))? {
                    Leave::Interrupt => return Ok(ExitCode::from(130)),
                    Leave::NewLuck => beginning.seed = Some(fresh_seed()),
                    Leave::Quit | Leave::Next | Leave::Previous | Leave::Edit => break,
                }
            }
        }
    }

    fn show_faults(&mut self, address: &str, error: &BoardError) -> Result<Leave, Ended> {
        let text = Diagnostics::new(Colors::Off).board(address, error);
        self.show_text(address, &text)
    }

    fn show_text(&mut self, address: &str, text: &str) -> Result<Leave, Ended> {
        self.screen.show(&mut Faulty::new(address, text))
    }
}

/// A game that is played by hand; the board's own moves are there to be looked at.
fn by_hand<'g>(session: Box<dyn Session + 'g>, puzzle: &Puzzle) -> Play<'g> {
    let mut play = Play::new(session);
    match (puzzle.header("moves"), puzzle.header("chasers")) {
        (Some(line), None) => play.load(&line.value),
        (Some(_), Some(_)) => {
            play.message = "the game in the headers has led chasers: --watch shows it".into();
        }
        (None, _) => {}
    }
    play
}

/// A file with a board that has a ruleset, and no rows yet.
fn begun(file: &BoardFile, ruleset: &Entry) -> BoardFile {
    let text = match named_format(file.path()) {
        Some(Format::JsonLines) => format!("{{\"ruleset\": \"{}\"}}", ruleset.name),
        _ => format!("; ruleset: {}", ruleset.name),
    };
    BoardFile::of(file.path(), text.into_bytes())
}

/// What there is to say after one has gone to another board.
fn moved(there: Result<bool, String>, none: &str) -> String {
    match there {
        Ok(true) => String::new(),
        Ok(false) => none.to_owned(),
        Err(why) => why,
    }
}
