//! Which ruleset a new board is to have.

use crate::cli::rulesets::known_rulesets;
use crate::rulesets::Entry;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};

use super::layout::is_too_small;
use super::terminal::Scene;

/// How one leaves the choice.
pub enum Leave {
    /// With this ruleset.
    Chosen(&'static Entry),
    /// Without any.
    Quit,
    /// At once, as by Ctrl-C.
    Interrupt,
}

/// The list of rulesets, one of which is to be chosen.
#[derive(Debug, Default)]
pub struct Choosing {
    at: usize,
}

impl Scene for Choosing {
    type Leave = Leave;

    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let line = |(at, entry): (usize, &Entry)| {
            let text = format!(" {} {:<8} {}", at + 1, entry.name, entry.summary);
            let style = if at == self.at {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            Line::styled(text, style)
        };
        let mut lines = vec![
            Line::raw("which ruleset is the new board to have?"),
            Line::default(),
        ];
        lines.extend(known_rulesets().iter().enumerate().map(line));
        lines.push(Line::default());
        lines.push(Line::raw("its number, or arrows and Enter; q leaves"));
        frame.render_widget(Text::from(lines), frame.area());
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let last = known_rulesets().len() - 1;
        match event.as_key_event()?.code {
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::Enter => return Some(Leave::Chosen(&known_rulesets()[self.at])),
            KeyCode::Esc | KeyCode::Char('q') => return Some(Leave::Quit),
            KeyCode::Char(digit) => {
                let number = digit.to_digit(10)? as usize;
                return number
                    .checked_sub(1)
                    .and_then(|at| known_rulesets().get(at))
                    .map(Leave::Chosen);
            }
            _ => {}
        }
        None
    }

    fn interrupt(&mut self) -> Option<Leave> {
        Some(Leave::Interrupt)
    }
}
