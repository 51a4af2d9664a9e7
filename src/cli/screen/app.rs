//! The loop of scenes: choosing, generating, playing and editing boards.

use std::rc::Rc;

use getaway_board::fault::BoardError;
use getaway_board::puzzle::{Format, Puzzle};
use getaway_play::session::Session;
use getaway_solvers::rulesets::Entry;

use super::choosing::{Choosing, Making, Purpose};
use super::editing::Editing;
use super::judge;
use super::live::{Live, WatchedGame};
use super::pager::Pager;
use super::play::Play;
use super::playing::{Playing, Source};
use super::shelf::{BoardFile, BoardList, NewBoard, Opened, Origin, today};
use super::terminal::{Leave, Screen, ScreenError};
use super::theme::{Charset, Theme};
use crate::cli::agents::WatchArgs;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::inputs::named_format;
use crate::cli::options::known_rulesets;
use crate::cli::options::{Options, Share, sample};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::output::text::Colors;
use crate::cli::results::Results;
use getaway_generate::daily::Date;
use getaway_generate::level::Level;

pub struct App<'a> {
    pub screen: Screen,
    pub options: &'a Options,
    pub charset: Charset,
    pub colors: Colors,
    pub seed: Option<u64>,
    pub new_seed: Option<u64>,
    pub message: String,
    pub is_coached: bool,
    /// The kind of board to make for a chosen ruleset, unless a key asks for another; `None` to open its collection or example.
    pub new_board: Option<NewBoard>,
    pub watch: Option<&'a WatchArgs>,
    pub results: Results,
    /// The fewest moves in which the last board was solved without help; `None` if it was not.
    pub solved: Option<usize>,
}

impl App<'_> {
    /// Plays the boards of the list. The current board may already be open as `opened`.
    pub fn play(
        &mut self,
        boards: &mut BoardList,
        mut opened: Option<Opened>,
    ) -> Result<(), ScreenError> {
        loop {
            let file = Rc::clone(&boards.file);
            let read = || Opened::read(file.board(boards.number), self.options);
            let opened = opened.take().map_or_else(read, Ok);
            let shown = self.show_board(&file, boards.number, opened);
            let not_kept = self.keep(boards).err();
            let message = match shown? {
                Leave::Next => match boards.origin {
                    Origin::Made(entry, new_board) if !boards.has_next() => {
                        self.make(entry, new_board, boards)?
                    }
                    _ => moved(boards.next(), &boards.end("last")),
                },
                Leave::Previous => moved(boards.previous(), &boards.end("first")),
                Leave::NewSeed => String::new(),
                Leave::Edit => {
                    self.edit(&file, boards.number)?;
                    boards.read_again().err().unwrap_or_default()
                }
                _ => {
                    self.message = not_kept.unwrap_or_default();
                    return Ok(());
                }
            };
            self.message = not_kept.unwrap_or(message);
        }
    }

    /// Saves the result of the last board, if it was solved and the list is one whose results are kept.
    fn keep(&mut self, boards: &BoardList) -> Result<(), String> {
        let (Origin::Kept(entry), Some(moves)) = (boards.origin, self.solved.take()) else {
            return Ok(());
        };
        let board = boards.file.ids().nth(boards.number).unwrap_or_default();
        let added = self.results.add(entry.name, board, moves);
        added.map_err(|error| format!("the result was not saved: {error}"))
    }

    pub fn choose(&mut self) -> Result<(), ScreenError> {
        let mut at = 0;
        loop {
            let mut choosing = Choosing::rulesets(Purpose::Play, self.charset)
                .at(at)
                .saying(self.solved_today());
            let Leave::Chosen(chosen, new_board) = self.screen.show(&mut choosing)? else {
                return Ok(());
            };
            at = chosen;
            let entry = &known_rulesets()[at];
            match (new_board.or(self.new_board), BoardList::collection(entry)) {
                (Some(new_board), _) => self.play_made(entry, new_board)?,
                (None, Some(boards)) => self.browse(entry, boards)?,
                (None, None) => self.play_sample(entry)?,
            }
        }
    }

    /// Names the games whose board of the day is solved, with the results.
    fn solved_today(&self) -> String {
        let name = today().map(Date::name).unwrap_or_default();
        let solved = known_rulesets().iter().filter_map(|entry| {
            let best = self.results.best(entry.name, &name)?;
            Some(format!("{} in {best}", entry.name))
        });
        match solved.collect::<Vec<_>>() {
            solved if solved.is_empty() => String::new(),
            solved => format!("today's boards solved: {}", solved.join(", ")),
        }
    }

    /// Shows the boards of a collection, with the best results, and plays those that are chosen.
    fn browse(&mut self, entry: &'static Entry, mut boards: BoardList) -> Result<(), ScreenError> {
        loop {
            let message = std::mem::take(&mut self.message);
            let (today, count) = (today(), boards.file.count());
            let mut choosing =
                Choosing::boards(entry, &boards.file, &self.results, today, self.charset)
                    .at(boards.number)
                    .saying(message);
            match self.screen.show(&mut choosing)? {
                Leave::Chosen(at, None) if at < count => {
                    boards.number = at;
                    self.play(&mut boards, None)?;
                }
                Leave::Chosen(at, None) => match today.filter(|_| at == count) {
                    Some(date) => self.play_made(entry, NewBoard::Daily(date))?,
                    None => self.play_sample(entry)?,
                },
                Leave::Chosen(_, Some(new_board)) => self.play_made(entry, new_board)?,
                _ => return Ok(()),
            }
        }
    }

    fn play_sample(&mut self, entry: &'static Entry) -> Result<(), ScreenError> {
        let sample = sample(entry).unwrap_or_default();
        let mut boards = BoardList::of_ruleset(entry, &sample);
        boards.origin = Origin::Made(entry, NewBoard::Level(Level::Medium));
        self.play(&mut boards, None)
    }

    pub fn play_made(
        &mut self,
        entry: &'static Entry,
        new_board: NewBoard,
    ) -> Result<(), ScreenError> {
        let mut boards = BoardList::of_ruleset(entry, "");
        if let NewBoard::Level(_) = new_board {
            boards.origin = Origin::Made(entry, new_board);
        }
        let why = self.make(entry, new_board, &mut boards)?;
        if boards.file.count() == 0 {
            return self.show_text(entry.name, &why).map(drop);
        }
        self.play(&mut boards, None)
    }

    /// Adds a new board to the list. Returns the reason for a failure, or an empty text. Fails if the user leaves meanwhile.
    fn make(
        &mut self,
        entry: &Entry,
        new_board: NewBoard,
        boards: &mut BoardList,
    ) -> Result<String, ScreenError> {
        let waker = self.screen.waker();
        let mut making = Making::new(entry.name, new_board, self.options, waker);
        match self.screen.show(&mut making)? {
            Leave::Made(Ok(text)) => boards.add(&text),
            Leave::Made(Err(why)) => return Ok(why),
            _ => return Err(ScreenError::Left),
        }
        Ok(String::new())
    }

    fn show_board(
        &mut self,
        file: &BoardFile,
        number: usize,
        opened: Result<Opened, BoardError>,
    ) -> Result<Leave, ScreenError> {
        let address = file.address(number);
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let faults = Diagnostics::new(Colors::Off).board(&address, &error);
                return self.show_text(&address, &faults);
            }
        };
        let (play, live) = match self.begin(&opened) {
            Ok(begun) => begun,
            Err(error) => return self.show_text(&address, &error.to_string()),
        };
        let source = Source {
            opened: &opened,
            file,
            number,
            options: self.options,
        };
        let (theme, waker) = (self.theme(opened.ruleset), self.screen.waker());
        let mut playing = Playing::new(play, live, source, theme, waker);
        let leave = self.screen.show(&mut playing);
        self.solved = playing.play.solved;
        let leave = leave?;
        if leave == Leave::NewSeed {
            self.new_seed = Some(fresh_seed());
        }
        Ok(leave)
    }

    fn begin<'g>(&mut self, opened: &'g Opened) -> anyhow::Result<(Play<'g>, Option<Live>)> {
        let seed = self
            .new_seed
            .take()
            .or(self.seed)
            .or(opened.seed)
            .unwrap_or_else(fresh_seed);
        let limits = self.options.limits(Share::All);
        let session = opened.game.session(seed, &limits)?;
        let (mut play, live) = match self.watch {
            None => (self.by_hand(session, &opened.puzzle), None),
            Some(args) => {
                let watched = WatchedGame::new(args, opened, self.options)?;
                watched.begin(session, &opened.game, self.options, self.screen.waker())
            }
        };
        if !self.message.is_empty() {
            play.message = std::mem::take(&mut self.message);
        }
        Ok((play, live))
    }

    /// Prepares a game for play by hand. The board's own moves would give the solution away, so they are loaded only on request
    /// or with `--coach`.
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
                    "the game in the headers has controlled chasers: watch it with --spectate"
                        .into();
            }
            (None, _) => {}
        }
        play
    }

    fn theme(&self, ruleset: &Entry) -> Theme {
        Theme {
            charset: self.charset,
            colors: self.colors,
            legend: ruleset.legend,
        }
    }

    pub fn edit(&mut self, file: &BoardFile, number: usize) -> Result<(), ScreenError> {
        let on_disk = file.path.exists().then(|| file.bytes.clone());
        let (mut puzzle, _) = file.board(number).read();
        self.options.apply_headers(&mut puzzle);
        let mut ruleset = self.options.likely_ruleset(&puzzle);
        let mut file = file.clone();
        if file.count() == 0 {
            if self.options.ruleset.is_none() {
                let mut choosing = Choosing::rulesets(Purpose::Draw, self.charset);
                let Leave::Chosen(at, _) = self.screen.show(&mut choosing)? else {
                    return Ok(());
                };
                ruleset = &known_rulesets()[at];
            }
            file = with_ruleset_header(&file, ruleset);
        }
        let address = file.address(number);
        let judge = judge::judge(self.options, self.screen.waker());
        let editing = Editing::new(file, number, on_disk, ruleset, self.theme(ruleset), judge);
        let mut editing = match editing {
            Ok(editing) => editing,
            Err(why) => {
                let why = format!("it can't be edited: {why}");
                return self.show_text(&address, &why).map(drop);
            }
        };
        while let Leave::Try(file) = self.screen.show(&mut editing)? {
            self.message = "q returns to the drawing".into();
            let mut leave = Leave::NewSeed;
            while leave == Leave::NewSeed {
                let opened = Opened::read(file.board(0), self.options);
                leave = self.show_board(&file, 0, opened)?;
            }
        }
        Ok(())
    }

    fn show_text(&mut self, address: &str, text: &str) -> Result<Leave, ScreenError> {
        let title = format!("{address} can't be played");
        self.screen.show(&mut Pager::new(&title, text))
    }
}

fn with_ruleset_header(file: &BoardFile, ruleset: &Entry) -> BoardFile {
    let text = match named_format(&file.path) {
        Some(Format::JsonLines) => format!("{{\"ruleset\": \"{}\"}}", ruleset.name),
        _ => format!("; ruleset: {}", ruleset.name),
    };
    BoardFile::of(&file.path, text.into_bytes())
}

fn moved(there: Result<bool, String>, none: &str) -> String {
    match there {
        Ok(true) => String::new(),
        Ok(false) => none.to_owned(),
        Err(why) => why,
    }
}
