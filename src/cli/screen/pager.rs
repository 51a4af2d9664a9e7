use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::prelude::*;
use ratatui::widgets::{Clear, Padding};

use super::layout::{centred, frame_block, title_body_keys, wrapped};
use super::terminal::{Leave, Scene};
use super::theme::Charset;
use crate::cli::output::markdown;
use crate::cli::output::text::Colors;

/// The maximum line length in a pop-up, since longer lines are hard to read.
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

    pub fn keys<K: AsRef<str>>(keys: impl AsRef<[(K, &'static str)]>, more: &str) -> Self {
        let keys = keys
            .as_ref()
            .iter()
            .map(|(keys, what)| (keys.as_ref(), what));
        let width = keys.clone().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let lines = keys.map(|(keys, what)| format!("{keys:width$}  {what}\n"));
        Self::new("keys", &(lines.collect::<String>() + more))
    }

    /// Scrolls; returns whether the key is one for scrolling.
    fn scroll(&mut self, code: KeyCode) -> bool {
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

    /// Returns the scrolled text; `None` if the key does not scroll, and so closes the text.
    pub fn scrolled(mut self, code: KeyCode) -> Option<Self> {
        self.scroll(code).then_some(self)
    }

    fn lines(&self, width: u16) -> Vec<Line<'static>> {
        let width = usize::from(width);
        if self.is_markdown {
            return Text::from(markdown::render(&self.text, width, Colors::Off)).lines;
        }
        let lines = self.text.lines();
        lines.flat_map(|line| wrapped(line, width)).collect()
    }

    fn draw_lines(&mut self, frame: &mut Frame, area: Rect) -> (bool, bool) {
        let lines = self.lines(area.width);
        let room = usize::from(area.height);
        self.top = self.top.min(lines.len().saturating_sub(room));
        let has_more = (self.top > 0, self.top + room < lines.len());
        let shown: Text = lines.into_iter().skip(self.top).take(room).collect();
        frame.render_widget(shown, area);
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

/// Shows why a board can't be played, edited or made.
impl Scene for Pager {
    fn draw(&mut self, frame: &mut Frame) {
        let [title, text, keys] = title_body_keys(frame.area());
        frame.render_widget(Line::styled(&*self.title, Style::new().bold()), title);
        self.draw_lines(frame, text);
        frame.render_widget(Line::raw("n p other boards  E edit  q leave"), keys);
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        match event.as_key_event()?.code {
            KeyCode::Char('n') => return Some(Leave::Next),
            KeyCode::Char('p') => return Some(Leave::Previous),
            KeyCode::Char('E') => return Some(Leave::Edit),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Some(Leave::Quit),
            code => _ = self.scroll(code),
        }
        None
    }
}
