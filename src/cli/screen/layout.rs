//! The parts of the screen shared by games and drawings.

use console::truncate_str;
use ratatui::prelude::*;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use textwrap::{WordSeparator, WordSplitter};

use super::theme::{Charset, Theme};

const SMALLEST: Size = Size::new(40, 12);

pub const BESIDE: u16 = 34;
const NARROW: u16 = 24;

const BELOW: u16 = 7;
pub const LOW: u16 = 2;

pub fn is_too_small(frame: &mut Frame) -> bool {
    let area = frame.area();
    let is_small = area.width < SMALLEST.width || area.height < SMALLEST.height;
    if is_small {
        let (size, smallest) = (area.as_size(), SMALLEST);
        let text = format!("this terminal is {size}: make it at least {smallest}");
        let text = Paragraph::new(text).wrap(Wrap { trim: true });
        frame.render_widget(text, area);
    }
    is_small
}

pub struct Parts {
    pub title: Rect,
    pub board: Rect,
    pub panel: Rect,
    pub message: Rect,
    pub keys: Rect,
    pub is_below: bool,
}

impl Parts {
    /// Divides the screen. If the board needs the room, the panel shrinks or disappears.
    pub fn of(area: Rect, board: impl FnOnce(Size) -> Size) -> Self {
        let rows = Constraint::Length;
        let [title, middle, message, keys] =
            Layout::vertical([rows(1), Constraint::Min(1), rows(1), rows(1)]).areas(area);
        let board = board(middle.as_size());
        let fits = board.width <= middle.width && board.height <= middle.height;
        let spare = Size::new(
            middle.width.saturating_sub(board.width),
            middle.height.saturating_sub(board.height),
        );
        let is_below = spare.width < NARROW || (spare.width < BESIDE && spare.height >= BELOW);
        let size = match (is_below, fits) {
            (true, false) => LOW,
            (true, true) => spare.height.min(BELOW),
            // One column stays free between the board and the panel.
            (false, _) => (spare.width - 1).min(BESIDE),
        };
        let split = [Constraint::Min(1), rows(size)];
        let [board, panel] = if is_below {
            Layout::vertical(split).areas(middle)
        } else {
            Layout::horizontal(split).areas(middle)
        };
        Self {
            title,
            board,
            panel,
            message,
            keys,
            is_below,
        }
    }

    pub fn draw(&self, frame: &mut Frame, theme: Theme, name: &str, address: &str, message: &str) {
        let width = self.title.width;
        let name = shortened(&format!(" {name}"), width, theme.charset);
        let (name, address) = (Line::raw(name), Line::raw(format!("{address} ")));
        frame
            .buffer_mut()
            .set_style(self.title, theme.block(Color::Gray).bold());
        if name.width() + address.width() < width.into() {
            frame.render_widget(address.right_aligned(), self.title);
        }
        frame.render_widget(name, self.title);
        let message = shortened(message, self.message.width, theme.charset);
        let message = Line::styled(message, theme.color(Color::Cyan));
        frame.render_widget(message, self.message);
    }

    /// Divides the panel into two parts: side by side if it is below the board, otherwise one above the other with at most `rows`
    /// rows for the second.
    pub fn halves(&self, rows: u16) -> (Rect, Rect) {
        let [first, second] = if self.is_below {
            let columns = [Constraint::Min(32), Constraint::Max(BESIDE)];
            Layout::horizontal(columns).spacing(2).areas(self.panel)
        } else {
            Layout::vertical([Constraint::Min(4), Constraint::Max(rows)]).areas(self.panel)
        };
        (first, second)
    }
}

/// Divides the screen of a menu or a message: two rows for the title, and the last row for the keys.
pub fn title_body_keys(area: Rect) -> [Rect; 3] {
    let rows = Constraint::Length;
    Layout::vertical([rows(2), Constraint::Min(1), rows(1)]).areas(area)
}

pub fn centred(room: Rect, size: Size) -> Rect {
    let (width, height) = (size.width.min(room.width), size.height.min(room.height));
    Rect {
        x: room.x + (room.width - width) / 2,
        y: room.y + (room.height - height) / 2,
        width,
        height,
    }
}

pub fn ask(frame: &mut Frame, area: Rect, prompt: &str) {
    frame.render_widget(Clear, area);
    let line = Line::styled(prompt, Style::new().bold());
    let end = area.x + (line.width() as u16).min(area.width.saturating_sub(1));
    frame.render_widget(line, area);
    frame.set_cursor_position(Position::new(end, area.y));
}

/// Returns the line of keys, which two spaces separate. Those that would leave no room for `leave` are left out.
pub fn keys_line(keys: &str, leave: &str, style: Style, width: u16) -> Line<'static> {
    let mut text = String::new();
    for key in keys.split("  ") {
        if text.len() + key.len() + 2 + leave.len() <= width.into() {
            text += key;
            text += "  ";
        }
    }
    Line::styled(text + leave, style)
}

pub fn frame_block(charset: Charset) -> Block<'static> {
    Block::bordered().border_set(charset.pick(border::ROUNDED, ASCII_BORDER))
}

pub const ASCII_BORDER: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Draws lines of a single style each, wrapped. If not all fit, the last one says how many are left out.
pub fn draw_lines(frame: &mut Frame, area: Rect, lines: Vec<Line<'static>>) {
    let mut lines = all_wrapped(lines, area.width);
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    let max = usize::from(area.height);
    if lines.len() > max && max > 0 {
        let more = lines.len() - max + 1;
        lines.truncate(max - 1);
        lines.push(Line::raw(format!("... and {more} more")));
    }
    frame.render_widget(Text::from(lines), area);
}

/// Breaks a text between words, or within a word that is longer than a line. Later lines are indented like the first or, if the
/// text has a gap of at least two spaces, to the position after the first gap. They are not indented if that would take more than
/// half of `width`.
pub fn wrapped(text: &str, width: usize) -> Vec<Line<'static>> {
    let start = text.len() - text.trim_start().len();
    let words = &text[start..];
    let gap = words.find("  ").map_or("", |gap| words[gap..].trim_start());
    let column = if gap.is_empty() {
        start
    } else {
        text[..text.len() - gap.len()].chars().count()
    };
    let margin = " ".repeat(if 2 * column <= width { column } else { 0 });
    let options = textwrap::Options::new(width)
        .subsequent_indent(&margin)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(text, options).into_iter();
    lines.map(|line| Line::raw(line.into_owned())).collect()
}

/// Wraps each line. A line must have a single style.
pub fn all_wrapped(lines: Vec<Line<'static>>, width: u16) -> Vec<Line<'static>> {
    let parts = lines.into_iter().flat_map(|line| {
        let parts = wrapped(&line.to_string(), width.into());
        parts.into_iter().map(move |part| part.style(line.style))
    });
    parts.collect()
}

pub fn shortened(text: &str, width: u16, charset: Charset) -> String {
    truncate_str(text, width.into(), charset.pick("…", "...")).into_owned()
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
