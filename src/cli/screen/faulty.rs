//! A board that can't be played: what is wrong with it, on the screen.

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::layout::is_too_small;
use super::playing::Leave;
use super::terminal::Scene;

/// What is wrong with a board.
pub struct Faulty {
    address: String,
    text: String,
    /// The first line that is in sight.
    first: u16,
}

impl Faulty {
    /// The board at this address, with this wrong with it.
    pub fn new(address: &str, text: &str) -> Self {
        Self {
            address: address.to_owned(),
            text: text.to_owned(),
            first: 0,
        }
    }
}

impl Scene for Faulty {
    type Leave = Leave;

    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let [title, text, keys] = Layout::vertical([
            Constraint::Length(2),
            Constraint::Min(1),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        let line = format!("{} can't be played", self.address);
        frame.render_widget(Line::styled(line, bold), title);
        let paragraph = Paragraph::new(self.text.as_str()).wrap(Wrap { trim: false });
        frame.render_widget(paragraph.scroll((self.first, 0)), text);
        frame.render_widget(Line::raw("n p other boards  E edit it  q leave"), keys);
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        match event.as_key_event()?.code {
            KeyCode::Char('n') => Some(Leave::Next),
            KeyCode::Char('p') => Some(Leave::Previous),
            KeyCode::Char('E') => Some(Leave::Edit),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => Some(Leave::Quit),
            KeyCode::Up => {
                self.first = self.first.saturating_sub(1);
                None
            }
            KeyCode::Down => {
                let last = self.text.lines().count() as u16;
                self.first = (self.first + 1).min(last);
                None
            }
            _ => None,
        }
    }

    fn interrupt(&mut self) -> Option<Leave> {
        Some(Leave::Interrupt)
    }
}
