//! The menu of rulesets, for a new board or a game.

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};

use super::layout::{is_too_small, wrapped};
use super::terminal::{Leave, Scene};
use crate::cli::args::play::Level;
use crate::cli::rulesets::known_rulesets;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Draw,
    Play,
}

#[derive(Debug)]
pub struct Choosing {
    purpose: Purpose,
    at: usize,
}

impl Choosing {
    pub const fn new(purpose: Purpose) -> Self {
        Self { purpose, at: 0 }
    }
}

impl Scene for Choosing {
    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let width = usize::from(frame.area().width);
        let (title, keys) = match self.purpose {
            Purpose::Draw => (
                "which ruleset does the new board have?",
                "a number, or arrows and Enter; q leaves",
            ),
            Purpose::Play => (
                "which game do you want to play?",
                "Enter or a number plays the sample board; e, m or h makes an easy, medium or hard \
                 board; q leaves",
            ),
        };
        let mut lines = vec![Line::raw(title), Line::default()];
        for (at, entry) in known_rulesets().iter().enumerate() {
            let text = format!(" {} {:<8} {}", at + 1, entry.name, entry.summary);
            let style = if at == self.at {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            lines.extend(
                wrapped(&text, width)
                    .into_iter()
                    .map(|line| line.style(style)),
            );
        }
        lines.push(Line::default());
        lines.extend(wrapped(keys, width));
        frame.render_widget(Text::from(lines), frame.area());
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let count = known_rulesets().len();
        match event.as_key_event()?.code {
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
