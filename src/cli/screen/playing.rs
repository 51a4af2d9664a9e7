//! A board that is played on the screen: the game, the adviser beside it, and the boards around it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::advice::{Advice, Adviser};
use crate::expect::Expectation;
use crate::game::Game;
use crate::limits::Limits;
use crate::play::trace::Ending;
use crate::puzzle::{Origin, Puzzle};
use crate::solution::Verdict;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent};

use super::asker::{Asker, Inbox, Older, limits};
use super::keys;
use super::layout::Title;
use super::live::Live;
use super::look::Look;
use super::play::{Front, Known, Mode, Play, Question, Request};
use super::shelf::Written;
use super::terminal::Scene;
use super::view;
use super::write::{self, Change};
use crate::cli::options::Options;
use crate::cli::output::words::safe;
use crate::cli::output_file;

/// How one leaves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// For good.
    Quit,
    /// At once, as by Ctrl-C.
    Interrupt,
    /// For the next board.
    Next,
    /// For the one before.
    Previous,
    /// To draw the board.
    Edit,
    /// To begin anew with other luck.
    NewLuck,
}

/// The board that is played, as it stands in its file.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// Its text.
    pub written: Written<'s>,
    /// The same, read.
    pub puzzle: &'s Puzzle<'s>,
    /// The name of the ruleset, if the board itself does not tell it.
    pub ruleset: Option<&'static str>,
}

/// A game on the screen.
pub struct Playing<'g> {
    play: Play<'g>,
    asker: Asker<Question, Known>,
    /// The game that is watched, while it is played.
    live: Option<Live>,
    title: &'g Title,
    look: Look,
    source: Source<'g>,
    /// Where a line of play is saved.
    save_as: Box<dyn Fn() -> PathBuf + 'g>,
    /// When the solver makes its next move, if it plays.
    due: Option<Instant>,
}

impl<'g> Playing<'g> {
    /// A game that begins.
    pub fn new(
        (play, live): (Play<'g>, Option<Live>),
        asker: Asker<Question, Known>,
        (title, look): (&'g Title, Look),
        (source, save_as): (Source<'g>, Box<dyn Fn() -> PathBuf + 'g>),
    ) -> Self {
        let mut playing = Self {
            play,
            asker,
            live,
            title,
            look,
            source,
            save_as,
            due: None,
        };
        playing.ask();
        playing
    }

    /// What is to be said on the screen first.
    pub fn say(&mut self, message: String) {
        self.play.message = message;
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Leave> {
        match std::mem::take(&mut self.play.front) {
            Front::Nothing => {}
            Front::Help => return None,
            Front::Jump(typed) => {
                self.type_number(typed, key.code);
                return None;
            }
        }
        let command = match self.play.mode() {
            Mode::Hand => keys::command(key, self.play.pad())?,
            Mode::Live | Mode::Saved => keys::watching(key)?,
        };
        match self.play.obey(command)? {
            Request::Quit => Some(Leave::Quit),
            Request::NextBoard => Some(Leave::Next),
            Request::PreviousBoard => Some(Leave::Previous),
            Request::Edit => Some(Leave::Edit),
            Request::NewLuck => Some(Leave::NewLuck),
            Request::Save => {
                self.play.message = self.save();
                None
            }
        }
    }

    fn type_number(&mut self, mut typed: String, code: KeyCode) {
        match code {
            KeyCode::Enter => return self.play.jump(&typed),
            KeyCode::Esc => return,
            KeyCode::Backspace => _ = typed.pop(),
            KeyCode::Char(digit) if digit.is_ascii_digit() && typed.len() < 9 => typed.push(digit),
            _ => {}
        }
        self.play.front = Front::Jump(typed);
    }

    /// Saves the line of play up to here; what there is to say about that.
    fn save(&self) -> String {
        let path = (self.save_as)();
        let saved = with_line(&self.play, self.source).and_then(|mut text| {
            text.push(b'\n');
            output_file::write(&path, |out| Ok(out.write_all(&text)?))
                .map_err(|error| error.to_string())
        });
        let path = safe(&path.to_string_lossy());
        match saved {
            Ok(()) => format!("saved as {path}"),
            Err(why) => format!("not saved: {why}"),
        }
    }

    /// After each change: the question that is open now, and when the solver is to move.
    fn ask(&mut self) {
        self.asker.ask(self.play.question());
        self.due = match (self.play.pace(), self.due) {
            (None, _) => None,
            (Some(_), Some(due)) => Some(due),
            (Some(pace), None) => Instant::now().checked_add(pace),
        };
    }
}

/// The board with the moves up to the position that is looked at.
fn with_line(play: &Play, source: Source) -> Result<Vec<u8>, String> {
    let session = play.session();
    let line = session.line(session.now());
    let chasers = Some(session.chasers(session.now())).filter(|chasers| !chasers.is_empty());
    let seed = session.seed().to_string();
    let mut changes: Vec<Change> = vec![("moves", Some(&line)), ("chasers", chasers.as_deref())];
    // What was given to the board on the command line, it needs to be the same board.
    let all = source.puzzle.headers.iter();
    let is_wanted = |key: &str| !["moves", "chasers", "seed", "expect"].contains(&key);
    let given = all.filter(|it| it.origin != Origin::Written && is_wanted(&it.key));
    changes.extend(given.map(|header| (&*header.key, Some(&*header.value))));
    if play.is_by_chance() {
        changes.push(("seed", Some(&seed)));
    }
    let expects_escape = Expectation::of(source.puzzle)
        .is_ok_and(|expect| expect == Some(Expectation::Verdict(Verdict::Escape)));
    if expects_escape && !matches!(play.here().ending, Some(Ending::Escaped { .. })) {
        // It would say that these moves escape.
        changes.push(("expect", None));
    }
    if let Some(ruleset) = source.ruleset {
        changes.insert(0, ("ruleset", Some(ruleset)));
    }
    write::with_headers(source.written, source.puzzle, &changes)
}

impl Scene for Playing<'_> {
    type Leave = Leave;

    fn draw(&mut self, frame: &mut Frame) {
        let is_thinking = self.asker.is_waiting();
        view::draw(frame, &self.play, self.title, self.look, is_thinking);
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let leave = match event {
            Event::Key(key) => self.key(key),
            _ => None,
        };
        self.ask();
        leave
    }

    fn wake(&mut self) {
        for told in self.live.iter().flat_map(Live::hear) {
            self.play.told(told);
        }
        if let Some((question, answer)) = self.asker.hear() {
            self.play.hear(&question, answer.unwrap_or_else(Err));
        }
        self.ask();
    }

    fn due(&self) -> Option<Instant> {
        self.due
    }

    fn tick(&mut self) {
        self.play.tick();
        self.due = None;
        self.ask();
    }

    fn interrupt(&mut self) -> Option<Leave> {
        Some(Leave::Interrupt)
    }
}

/// One who asks what positions of this game are worth, with luck from `seed`.
pub fn asker(
    (game, seed): (Arc<dyn Game>, u64),
    (options, older): (&Options, Older),
    wake: impl Fn() + Send + 'static,
) -> Asker<Question, Known> {
    let options = options.clone();
    Asker::new(older, wake, move |inbox: Inbox<Question, Known>| {
        let mut adviser: Option<Box<dyn Adviser + '_>> = None;
        inbox.answer(|question, stop| {
            let limits = limits(&options, stop);
            advise(&*game, &mut adviser, (question, seed), &limits)
        });
    })
}

fn advise<'g>(
    game: &'g dyn Game,
    adviser: &mut Option<Box<dyn Adviser + 'g>>,
    (question, seed): (&Question, u64),
    limits: &Limits,
) -> Result<Advice, String> {
    let adviser = match adviser {
        Some(adviser) => adviser,
        None => adviser.insert(game.adviser(limits).map_err(|error| error.to_string())?),
    };
    let advice = adviser.advise_led((&question.line, &question.chasers), seed, limits);
    advice.map_err(|error| error.to_string())
}
