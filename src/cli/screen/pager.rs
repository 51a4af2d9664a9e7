use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Clear, Padding};

use super::layout::{centred, frame_block, is_too_small, wrapped};
use super::look::Charset;
use super::terminal::{Leave, Scene};
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::markdown;

/// The maximum line length, since longer lines are hard to read.
const WIDEST: u16 = 90;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pager {
    title: String,
    text: String,
    is_markdown: bool,
    top: usize,
}

impl Pager {
    pub fn new(title: &str, text: &str) -> Self {
        Self {
            title: title.to_owned(),
            text: text.to_owned(),
            ..Self::default()
        }
    }

    pub fn markdown(title: &str, text: &str) -> Self {
        Self {
            is_markdown: true,
            ..Self::new(title, text)
        }
    }

    /// Scrolls; returns false if the key is not one for scrolling.
    pub fn scroll(&mut self, code: KeyCode) -> bool {
        let change = match code {
            KeyCode::Up => -1,
            KeyCode::Down | KeyCode::Char(' ') => 1,
            KeyCode::PageUp => -10,
            KeyCode::PageDown => 10,
            KeyCode::Home => isize::MIN,
            KeyCode::End => isize::MAX,
            _ => return false,
        };
        self.top = self.top.saturating_add_signed(change);
        true
    }

    fn lines(&self, width: u16) -> Vec<Line<'static>> {
        let width = usize::from(width);
        if self.is_markdown {
            let text = markdown::render(&self.text, width, Colors::Off);
            return text
                .lines()
                .map(|line| Line::raw(line.to_owned()))
                .collect();
        }
        let lines = self.text.lines();
        lines.flat_map(|line| wrapped(line, width)).collect()
    }

    /// Draws the lines in view. Returns whether there are more lines above, and whether there are more below.
    fn draw_lines(&mut self, frame: &mut Frame, area: Rect) -> (bool, bool) {
        let lines = self.lines(area.width);
        let room = usize::from(area.height);
        self.top = self.top.min(lines.len().saturating_sub(room));
        let has_more = (self.top > 0, self.top + room < lines.len());
        let shown: Vec<_> = lines.into_iter().skip(self.top).take(room).collect();
        frame.render_widget(Text::from(shown), area);
        has_more
    }

    pub fn popup(&mut self, frame: &mut Frame, charset: Charset) {
        let whole = frame.area();
        let lines = self.lines((whole.width - 4).min(WIDEST));
        let longest = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
        let width = longest.max(self.title.len() as u16 + 2) + 4;
        let area = centred(whole, Size::new(width, lines.len() as u16 + 2));
        let block = frame_block(charset).padding(Padding::horizontal(1));
        let inner = block.inner(area);
        frame.render_widget(Clear, area);
        let more = self.draw_lines(frame, inner);
        let (up, down) = (charset.arrow((-1, 0)), charset.arrow((1, 0)));
        let bottom = match more {
            (false, false) => " Esc closes ".to_owned(),
            (_, true) => format!(" {down} more: {up} {down} scroll, Esc closes "),
            (true, false) => format!(" {up} {down} scroll, Esc closes "),
        };
        let block = block.title(format!(" {} ", self.title));
        frame.render_widget(block.title_bottom(bottom), area);
    }
}

pub struct Faulty(Pager);

impl Faulty {
    pub fn new(address: &str, faults: &str) -> Self {
        let title = format!("{address} can't be played");
        Self(Pager::new(&title, faults))
    }
}

impl Scene for Faulty {
    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let rows = [2, 0, 1].map(|rows| match rows {
            0 => Constraint::Min(1),
            rows => Constraint::Length(rows),
        });
        let [title, text, keys] = Layout::vertical(rows).areas(frame.area());
        let bold = Style::new().add_modifier(Modifier::BOLD);
        frame.render_widget(Line::styled(self.0.title.clone(), bold), title);
        self.0.draw_lines(frame, text);
        frame.render_widget(Line::raw("n p other boards  E edit it  q leave"), keys);
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        match event.as_key_event()?.code {
            KeyCode::Char('n') => Some(Leave::Next),
            KeyCode::Char('p') => Some(Leave::Previous),
            KeyCode::Char('E') => Some(Leave::Edit),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => Some(Leave::Quit),
            code => {
                self.0.scroll(code);
                None
            }
        }
    }
}
