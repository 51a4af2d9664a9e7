//! The loop of scenes: choosing, generating, playing and editing boards.

use std::process::ExitCode;
use std::rc::Rc;

use crate::fault::BoardError;
use crate::play::session::Session;
use crate::puzzle::{Format, Puzzle};
use crate::rulesets::Entry;

use super::choosing::{Choosing, Purpose};
use super::editing::Editing;
use super::judge;
use super::live::Cast;
use super::look::{Charset, ScreenStyle};
use super::making::Making;
use super::pager::Pager;
use super::play::Play;
use super::playing::{Playing, Source};
use super::shelf::{BoardFile, Opened, Shelf};
use super::terminal::{Leave, Screen, ScreenError};
use crate::cli::args::WatchArgs;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::inputs::named_format;
use crate::cli::options::{Options, Share, sample};
use crate::cli::output::diagnostic::{Colors, Diagnostics};
use crate::cli::rulesets::known_rulesets;
use crate::generate::level::Level;

pub struct App<'a> {
    pub screen: Screen,
    pub options: &'a Options,
    pub charset: Charset,
    pub colors: Colors,
    pub seed: Option<u64>,
    pub is_coached: bool,
    pub level: Level,
    pub watch: Option<&'a WatchArgs>,
}

/// A seed that replaces the header's, and the first message to show.
type Beginning = (Option<u64>, String);

impl App<'_> {
    /// Plays the boards of the shelf. The current board may already be open as `opened`.
    pub fn play(
        &mut self,
        boards: &mut Shelf,
        mut opened: Option<Opened>,
    ) -> Result<ExitCode, ScreenError> {
        let mut beginning = Beginning::default();
        loop {
            let file = Rc::clone(&boards.file);
            let read = match opened.take() {
                Some(opened) => Ok(opened),
                None => Opened::read(file.board(boards.number), self.options),
            };
            let leave = self.show_board((&file, boards.number), read, &mut beginning)?;
            beginning.1 = match leave {
                Leave::Next if !boards.has_next() && boards.made.is_some() => {
                    match self.make(boards)? {
                        Ok(message) => message,
                        Err(code) => return Ok(code),
                    }
                }
                Leave::Next => moved(boards.next(), "this is the last board"),
                Leave::Previous => moved(boards.previous(), "this is the first board"),
                Leave::NewLuck => {
                    beginning.0 = Some(fresh_seed());
                    String::new()
                }
                Leave::Edit => {
                    let edited = self.edit(&file, boards.number)?;
                    if edited != ExitCode::SUCCESS {
                        return Ok(edited);
                    }
                    boards.read_again().err().unwrap_or_default()
                }
                other => return Ok(code(&other)),
            };
        }
    }

    pub fn choose(&mut self) -> Result<ExitCode, ScreenError> {
        let chosen = self
            .screen
            .show(&mut Choosing::new(Purpose::Play, self.charset))?;
        let Leave::Chosen(at, level) = chosen else {
            return Ok(code(&chosen));
        };
        let entry = &known_rulesets()[at];
        if let Some(level) = level {
            self.level = level;
            return self.play_made(entry);
        }
        let sample = sample(entry).unwrap_or_default().into_bytes();
        self.play(&mut Shelf::made(entry, sample), None)
    }

    pub fn play_made(&mut self, entry: &'static Entry) -> Result<ExitCode, ScreenError> {
        let mut boards = Shelf::made(entry, Vec::new());
        match self.make(&mut boards)? {
            Ok(why) if boards.file.count() == 0 => Ok(code(&self.show_text(entry.name, &why)?)),
            Ok(_) => self.play(&mut boards, None),
            Err(code) => Ok(code),
        }
    }

    fn make(&mut self, boards: &mut Shelf) -> Result<Result<String, ExitCode>, ScreenError> {
        let Some(entry) = boards.made else {
            return Ok(Ok(String::new()));
        };
        let waker = self.screen.waker();
        let mut making = Making::new(entry.name, self.level, self.options, waker);
        Ok(match self.screen.show(&mut making)? {
            Leave::Made(text) => {
                boards.add(&text);
                Ok(String::new())
            }
            Leave::Failed(why) => Ok(why),
            other => Err(code(&other)),
        })
    }

    fn show_board(
        &mut self,
        (file, number): (&BoardFile, usize),
        read: Result<Opened, BoardError>,
        beginning: &mut Beginning,
    ) -> Result<Leave, ScreenError> {
        match read {
            Ok(opened) => self.play_board((file, number), &opened, std::mem::take(beginning)),
            Err(error) => {
                let address = file.address(number);
                let faults = Diagnostics::new(Colors::Off).board(&address, &error);
                self.show_text(&address, &faults)
            }
        }
    }

    fn play_board(
        &mut self,
        (file, number): (&BoardFile, usize),
        opened: &Opened,
        (seed, message): Beginning,
    ) -> Result<Leave, ScreenError> {
        let address = file.address(number);
        let chosen = seed.or(self.seed).or(opened.seed);
        let seed = chosen.unwrap_or_else(fresh_seed);
        let session = match opened.game.session(seed, &self.options.limits(Share::All)) {
            Ok(session) => session,
            Err(error) => return self.show_text(&address, &error.to_string()),
        };
        let (mut play, live) = match self.watch {
            None => (self.by_hand(session, &opened.puzzle), None),
            Some(args) => match Cast::new(args, opened, self.options) {
                Ok(cast) => cast.begin(session, &opened.game, self.options, self.screen.waker()),
                Err(error) => return self.show_text(&address, &error.to_string()),
            },
        };
        if !message.is_empty() {
            play.message = message;
        }
        let source = Source {
            opened,
            file,
            number,
            options: self.options,
        };
        let (look, waker) = (self.look(opened.ruleset), self.screen.waker());
        self.screen
            .show(&mut Playing::new((play, live), source, look, waker))
    }

    /// Prepares a game for play by hand. The board's own moves would give the solution away, so they are loaded only on request.
    fn by_hand<'g>(&self, session: Box<dyn Session + 'g>, puzzle: &Puzzle) -> Play<'g> {
        let mut play = Play::new(session);
        play.shows_values = self.is_coached;
        match (puzzle.header("moves"), puzzle.header("chasers")) {
            (Some(line), None) => {
                play.own_line = Some(line.value.to_string());
                if self.is_coached {
                    play.load();
                }
            }
            (Some(_), Some(_)) => {
                play.message =
                    "the game in the headers has led chasers: --spectate shows it".into();
            }
            (None, _) => {}
        }
        play
    }

    fn look(&self, ruleset: &Entry) -> ScreenStyle {
        ScreenStyle {
            charset: self.charset,
            colors: self.colors,
            legend: ruleset.legend,
        }
    }

    pub fn edit(&mut self, file: &BoardFile, number: usize) -> Result<ExitCode, ScreenError> {
        let on_disk = file.path().exists().then(|| file.bytes().to_vec());
        let (mut puzzle, _) = file.board(number).read();
        self.options.apply_headers(&mut puzzle);
        let is_new = file.count() == 0;
        let ruleset = match self.options.chosen_ruleset() {
            None if is_new => match self
                .screen
                .show(&mut Choosing::new(Purpose::Draw, self.charset))?
            {
                Leave::Chosen(at, _) => &known_rulesets()[at],
                other => return Ok(code(&other)),
            },
            _ => self.options.likely_ruleset(&puzzle),
        };
        let file = if is_new {
            begun(file, ruleset)
        } else {
            file.clone()
        };
        let look = self.look(ruleset);
        let judge = judge::judge(self.options, self.screen.waker());
        let address = file.address(number);
        match Editing::new((file, number, on_disk), ruleset, look, judge) {
            Ok(editing) => self.keep_editing(editing),
            Err(why) => {
                let why = format!("it can't be edited: {why}");
                Ok(code(&self.show_text(&address, &why)?))
            }
        }
    }

    fn keep_editing(&mut self, mut editing: Editing) -> Result<ExitCode, ScreenError> {
        loop {
            let file = match self.screen.show(&mut editing)? {
                Leave::Try(file) => file,
                other => return Ok(code(&other)),
            };
            let mut beginning = (None, "q goes back to the drawing".to_owned());
            loop {
                let read = Opened::read(file.board(0), self.options);
                match self.show_board((&file, 0), read, &mut beginning)? {
                    Leave::Interrupt => return Ok(code(&Leave::Interrupt)),
                    Leave::NewLuck => beginning.0 = Some(fresh_seed()),
                    _ => break,
                }
            }
        }
    }

    fn show_text(&mut self, address: &str, text: &str) -> Result<Leave, ScreenError> {
        let title = format!("{address} can't be played");
        self.screen.show(&mut Pager::new(&title, text))
    }
}

fn code(leave: &Leave) -> ExitCode {
    match leave {
        Leave::Interrupt => ExitCode::from(130),
        _ => ExitCode::SUCCESS,
    }
}

fn begun(file: &BoardFile, ruleset: &Entry) -> BoardFile {
    let text = match named_format(file.path()) {
        Some(Format::JsonLines) => format!("{{\"ruleset\": \"{}\"}}", ruleset.name),
        _ => format!("; ruleset: {}", ruleset.name),
    };
    BoardFile::of(file.path(), text.into_bytes())
}

fn moved(there: Result<bool, String>, none: &str) -> String {
    match there {
        Ok(true) => String::new(),
        Ok(false) => none.to_owned(),
        Err(why) => why,
    }
}
