//! The menu of rulesets for a new board or a game, and the wait for a generated board.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::prelude::*;

use super::asker::{Asker, Inbox, limits};
use super::layout::{all_wrapped, keys_line, shortened};
use super::look::Charset;
use super::pager::Pager;
use super::terminal::{Leave, Scene};
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::options::{Options, known_rulesets};
use getaway_board::limits::Limits;
use getaway_generate::level::Level;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Draw,
    Play,
}

#[derive(Debug)]
pub struct Choosing {
    purpose: Purpose,
    at: usize,
    charset: Charset,
    help: Option<Pager>,
}

impl Choosing {
    pub const fn new(purpose: Purpose, charset: Charset) -> Self {
        Self {
            purpose,
            at: 0,
            charset,
            help: None,
        }
    }
}

const KEYS: [(&str, &str); 5] = [
    ("arrows", "choose a game"),
    ("Enter", "open the selected game, as its digit does"),
    ("q, Esc", "leave"),
    ("?, F1", "this list"),
    ("e, m, h", "play a new board: easy, medium, hard"),
];

impl Scene for Choosing {
    fn draw(&mut self, frame: &mut Frame) {
        let width = frame.area().width;
        let (title, keys): (_, &[&str]) = match self.purpose {
            Purpose::Draw => (
                "which ruleset does the new board have?",
                &["? keys", "Enter draws"],
            ),
            Purpose::Play => (
                "which game do you want to play?",
                &["? keys", "Enter plays", "e m h new board"],
            ),
        };
        let entries = known_rulesets().iter().enumerate().map(|(at, entry)| {
            let text = format!(" {} {:<8} {}", at + 1, entry.name, entry.summary);
            let line = Line::raw(text);
            if at == self.at {
                line.style(Style::new().reversed())
            } else {
                line
            }
        });
        let mut lines = vec![Line::raw(title), Line::default()];
        lines.extend(entries);
        let rows = [Constraint::Min(1), Constraint::Length(1)];
        let [top, bottom] = Layout::vertical(rows).areas(frame.area());
        let mut shown = all_wrapped(lines.clone(), width);
        if shown.len() > top.height.into() {
            let line = |line: Line| {
                let text = shortened(&line.to_string(), width, self.charset);
                Line::styled(text, line.style)
            };
            shown = lines.into_iter().map(line).collect();
        }
        frame.render_widget(Text::from(shown), top);
        let keys = keys_line(keys, "q leave", Style::new().dim(), width);
        frame.render_widget(keys, bottom);
        if let Some(help) = &mut self.help {
            help.popup(frame, self.charset);
        }
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let count = known_rulesets().len();
        let code = event.as_key_event()?.code;
        if let Some(help) = self.help.take() {
            self.help = help.scrolled(code);
            return None;
        }
        match code {
            KeyCode::Char('?') | KeyCode::F(1) => {
                let most = KEYS.len() - usize::from(self.purpose == Purpose::Draw);
                self.help = Some(Pager::keys(&KEYS[..most], ""));
            }
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(count - 1),
            KeyCode::Enter => return Some(Leave::Chosen(self.at, None)),
            KeyCode::Esc | KeyCode::Char('q') => return Some(Leave::Quit),
            KeyCode::Char(key) => {
                if let (Purpose::Play, Some(level)) = (self.purpose, Level::of_key(key)) {
                    return Some(Leave::Chosen(self.at, Some(level)));
                }
                let at = (key.to_digit(10)? as usize).checked_sub(1)?;
                return (at < count).then_some(Leave::Chosen(at, None));
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
        level: Level,
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
                let made = level.board(ruleset, None, None, fresh_seed(), limits);
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
        let ((), made) = self.asker.hear()?;
        Some(Leave::Made(made.flatten()))
    }
}

#[cfg(test)]
#[path = "choosing_tests.rs"]
mod tests;
