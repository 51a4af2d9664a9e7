//! The menus of rulesets for a new board or a game, and of the boards of a collection; and the wait for a generated board.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::prelude::*;

use super::asker::{Asker, Inbox, limits};
use super::canvas::in_sight;
use super::layout::{all_wrapped, keys_line, shortened, title_body_keys};
use super::pager::Pager;
use super::shelf::{BoardFile, NewBoard};
use super::terminal::{Leave, Scene};
use super::theme::Charset;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::options::{Options, known_rulesets};
use crate::cli::results::Results;
use getaway_board::limits::Limits;
use getaway_generate::daily::{self, Date};
use getaway_solvers::rulesets::Entry;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Draw,
    Play,
}

#[derive(Debug)]
pub struct Choosing {
    title: String,
    message: String,
    items: Vec<String>,
    purpose: Purpose,
    at: usize,
    charset: Charset,
    help: Option<Pager>,
}

impl Choosing {
    pub fn rulesets(purpose: Purpose, charset: Charset) -> Self {
        let title = match purpose {
            Purpose::Draw => "which ruleset does the new board have?",
            Purpose::Play => "which game do you want to play?",
        };
        let items = known_rulesets().iter().zip(1..);
        let item = |(entry, number): (&Entry, u32)| {
            format!(" {number} {:<8} {}", entry.name, entry.summary)
        };
        Self {
            title: title.to_owned(),
            message: String::new(),
            items: items.map(item).collect(),
            purpose,
            at: 0,
            charset,
            help: None,
        }
    }

    /// Lists the boards of a collection with their best results, today's board, and the board in the rules.
    pub fn boards(
        ruleset: &'static Entry,
        file: &BoardFile,
        results: &Results,
        today: Option<Date>,
        charset: Charset,
    ) -> Self {
        let mut solved = 0;
        let item = |(number, name): (usize, &str)| {
            let best = results.best(ruleset.name, name);
            solved += usize::from(best.is_some());
            let (puzzle, _) = file.board(number).read();
            let line = puzzle.header("moves");
            let par = line.map(|moves| moves.value.chars().count());
            let mark = match best {
                Some(best) if par.is_some_and(|par| best <= par) => charset.pick('★', '*'),
                Some(_) => charset.pick('✓', '+'),
                None => ' ',
            };
            format!(" {mark} {:>2} {name:<32} {}", number + 1, solved_in(best))
        };
        let mut items: Vec<_> = file.ids().enumerate().map(item).collect();
        let title = format!("{}: {solved} of {} solved", ruleset.name, items.len());
        if let Some(name) = today.map(Date::name) {
            let best = results.best(ruleset.name, &name);
            let mark = best.map_or(' ', |_| charset.pick('✓', '+'));
            let name = format!("today: {name}");
            items.push(format!(" {mark}    {name:<32} {}", solved_in(best)));
        }
        items.push("      example: the board in the rules".to_owned());
        Self {
            title,
            items,
            ..Self::rulesets(Purpose::Play, charset)
        }
    }

    pub const fn at(mut self, at: usize) -> Self {
        self.at = at;
        self
    }

    pub fn saying(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    /// Returns the items: wrapped if all fit, otherwise shortened and scrolled so that the selected one is in sight.
    fn shown(&self, room: Size) -> Vec<Line<'static>> {
        let mut items: Vec<_> = self.items.iter().cloned().map(Line::raw).collect();
        items[self.at].style = Style::new().reversed();
        let shown = all_wrapped(items.clone(), room.width);
        if shown.len() <= room.height.into() {
            return shown;
        }
        let rows = in_sight(self.at as u32, items.len(), room.height);
        let line = |line: &Line| {
            let text = shortened(&line.to_string(), room.width, self.charset);
            Line::styled(text, line.style)
        };
        items[rows].iter().map(line).collect()
    }
}

fn solved_in(best: Option<usize>) -> String {
    best.map_or(String::new(), |best| format!("solved in {best}"))
}

const KEYS: [(&str, &str); 6] = [
    ("arrows", "choose"),
    (
        "Enter",
        "open the selected game or board, as its digit does",
    ),
    ("q, Esc", "go back, or leave"),
    ("?, F1", "this list"),
    ("e, m, h", "play a new board: easy, medium, hard"),
    ("d", "play the board of the day"),
];

impl Scene for Choosing {
    fn draw(&mut self, frame: &mut Frame) {
        let width = frame.area().width;
        let [top, middle, bottom] = title_body_keys(frame.area());
        let message = shortened(&self.message, width, self.charset);
        let title = [Line::raw(&*self.title), Line::raw(message)];
        frame.render_widget(Text::from_iter(title), top);
        frame.render_widget(Text::from(self.shown(middle.as_size())), middle);
        let keys = match self.purpose {
            Purpose::Draw => "? keys  Enter draws",
            Purpose::Play => "? keys  Enter plays  d today's  e m h new board",
        };
        let keys = keys_line(keys, "q leave", Style::new().dim(), width);
        frame.render_widget(keys, bottom);
        if let Some(help) = &mut self.help {
            help.popup(frame, self.charset);
        }
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let last = self.items.len() - 1;
        let code = event.as_key_event()?.code;
        if let Some(help) = self.help.take() {
            self.help = help.scrolled(code);
            return None;
        }
        match code {
            KeyCode::Char('?') | KeyCode::F(1) => {
                let max = KEYS.len() - if self.purpose == Purpose::Draw { 2 } else { 0 };
                self.help = Some(Pager::keys(&KEYS[..max], ""));
            }
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::Enter => return Some(Leave::Chosen(self.at, None)),
            KeyCode::Esc | KeyCode::Char('q') => return Some(Leave::Quit),
            KeyCode::Char(key) => {
                let new_board = NewBoard::of_key(key).filter(|_| self.purpose == Purpose::Play);
                if new_board.is_some() {
                    return Some(Leave::Chosen(self.at, new_board));
                }
                let at = (key.to_digit(10)? as usize).checked_sub(1)?;
                return (at <= last).then_some(Leave::Chosen(at, None));
            }
            _ => {}
        }
        None
    }
}

const TIME_LIMIT: Duration = Duration::from_secs(20);

pub struct Making {
    ruleset: &'static str,
    asker: Asker<(), Result<String, String>>,
}

impl Making {
    pub fn new(
        ruleset: &'static str,
        new_board: NewBoard,
        options: &Options,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let options = options.clone();
        let work = move |inbox: Inbox<(), _>| {
            inbox.answer(|(), stop| {
                let limits = Limits {
                    deadline: Instant::now().checked_add(TIME_LIMIT),
                    ..limits(&options, stop)
                };
                let made = match new_board {
                    NewBoard::Level(level) => {
                        level.board(ruleset, None, None, fresh_seed(), limits)
                    }
                    NewBoard::Daily(date) => daily::board(date, ruleset),
                };
                made.map_err(|why| why.to_string())
            });
        };
        let mut asker = Asker::new(wake, work);
        asker.ask(Some(()));
        Self { ruleset, asker }
    }
}

impl Scene for Making {
    fn draw(&mut self, frame: &mut Frame) {
        let text = format!("making a board of {} ...\nq leaves", self.ruleset);
        frame.render_widget(Text::from(text), frame.area());
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let code = event.as_key_event()?.code;
        matches!(code, KeyCode::Esc | KeyCode::Char('q')).then_some(Leave::Quit)
    }

    fn wake(&mut self) -> Option<Leave> {
        let ((), made) = self.asker.take_answer()?;
        Some(Leave::Made(made.flatten()))
    }
}

#[cfg(test)]
#[path = "choosing_tests.rs"]
mod tests;
