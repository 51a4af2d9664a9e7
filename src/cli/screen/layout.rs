//! The parts of the screen that a game and a drawing share: the title, the board, what stands beside or below
//! it, and what comes in front.

use crate::rulesets::Entry;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position as Point, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};

use super::look::{Charset, Look};

/// The smallest terminal on which there is anything to be seen.
const SMALLEST: Size = Size::new(40, 12);

/// The columns of what stands beside the board.
pub const BESIDE: u16 = 34;

/// The rows of what stands below it.
const BELOW: u16 = 7;

/// Which board is on the screen.
#[derive(Clone, Debug)]
pub struct Title {
    /// Its name, or that of its file.
    pub name: String,
    /// Its address: the file, and the number of the board in it where there are several.
    pub address: String,
    /// Its ruleset.
    pub ruleset: &'static Entry,
}

/// Says how large a terminal must be that is too small; whether it is.
pub fn is_too_small(frame: &mut Frame) -> bool {
    let Size { width, height } = frame.area().as_size();
    let is_small = width < SMALLEST.width || height < SMALLEST.height;
    if is_small {
        let text = format!(
            "this terminal is {width}x{height}: make it at least {}x{}",
            SMALLEST.width, SMALLEST.height
        );
        let text = Paragraph::new(text).wrap(Wrap { trim: true });
        frame.render_widget(text, frame.area());
    }
    is_small
}

/// The parts of the screen.
pub struct Parts {
    /// The line at the top.
    pub title: Rect,
    /// The board.
    pub board: Rect,
    /// What there is to know.
    pub panel: Rect,
    /// The line above the last one.
    pub message: Rect,
    /// The last line.
    pub keys: Rect,
    /// Whether the panel is below the board rather than beside it.
    pub is_below: bool,
}

impl Parts {
    /// The parts of a screen with a board of this size: where more of the board is to be seen, the panel
    /// stands below it.
    pub fn of(area: Rect, board: Size) -> Self {
        let rows = Constraint::Length;
        let [title, middle, message, keys] =
            Layout::vertical([rows(1), Constraint::Min(1), rows(1), rows(1)]).areas(area);
        let [left, right] = Layout::horizontal([Constraint::Min(1), rows(BESIDE)]).areas(middle);
        let [top, bottom] = Layout::vertical([Constraint::Min(1), rows(BELOW)]).areas(middle);
        let shown = |room: Rect| {
            u32::from(room.width.min(board.width)) * u32::from(room.height.min(board.height))
        };
        let is_below = shown(top) > shown(left);
        let (board_room, panel) = if is_below {
            (top, bottom)
        } else {
            (left, right)
        };
        Self {
            title,
            board: centred(board_room, board),
            panel,
            message,
            keys,
            is_below,
        }
    }
}

impl Parts {
    /// The panel in two: side by side, or one above the other with so many rows for the second.
    pub fn halves(&self, rows: u16) -> (Rect, Rect) {
        let [first, second] = if self.is_below {
            let columns = [Constraint::Fill(1), Constraint::Length(BESIDE)];
            Layout::horizontal(columns).spacing(2).areas(self.panel)
        } else {
            Layout::vertical([Constraint::Min(4), Constraint::Max(rows)]).areas(self.panel)
        };
        (first, second)
    }
}

/// The middle of a room, of this size if there is so much room.
fn centred(room: Rect, size: Size) -> Rect {
    let (width, height) = (size.width.min(room.width), size.height.min(room.height));
    Rect {
        x: room.x + (room.width - width) / 2,
        y: room.y + (room.height - height) / 2,
        width,
        height,
    }
}

/// A question with what is typed so far, and the cursor after it.
pub fn ask(frame: &mut Frame, area: Rect, prompt: &str) {
    frame.render_widget(Clear, area);
    let line = Line::styled(prompt, Style::new().add_modifier(Modifier::BOLD));
    let end = area.x + (line.width() as u16).min(area.width.saturating_sub(1));
    frame.render_widget(line, area);
    frame.set_cursor_position(Point::new(end, area.y));
}

/// The line at the top: what is played, and where it stands.
pub fn title_line(title: &Title, look: Look, width: u16) -> Line<'static> {
    let name = format!(" {}: {}", title.ruleset.name, title.name);
    let room = usize::from(width);
    let address = format!("{} ", title.address);
    let (name_width, address_width) = (Span::raw(&name).width(), Span::raw(&address).width());
    let line = match room.checked_sub(name_width + address_width) {
        Some(gap @ 1..) => format!("{name}{}{address}", " ".repeat(gap)),
        _ => format!("{name:room$}"),
    };
    Line::styled(line, look.block(Color::Gray).add_modifier(Modifier::BOLD))
}

/// Text in a frame, in front of all else.
pub fn popup(frame: &mut Frame, look: Look, title: &str, lines: Vec<Line<'static>>) {
    let width = lines
        .iter()
        .map(Line::width)
        .max()
        .unwrap_or(0)
        .max(title.len()) as u16;
    let size = Size::new(width + 4, lines.len() as u16 + 2);
    let area = centred(frame.area(), size);
    let border = look.charset.pick(BorderType::Rounded, BorderType::Plain);
    let mut block = Block::bordered()
        .border_type(border)
        .title(title.to_owned());
    if look.charset == Charset::Ascii {
        block = block.border_set(ASCII_BORDER);
    }
    let block = block.padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// A border for terminals without lines.
const ASCII_BORDER: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// At most so many lines; the last one says how many more there are.
pub fn cut(lines: &mut Vec<Line<'static>>, most: usize) {
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    if lines.len() > most && most > 0 {
        let more = lines.len() - most + 1;
        lines.truncate(most - 1);
        lines.push(Line::raw(format!("... and {more} more")));
    }
}

/// Lines of at most so many characters, broken between words.
pub fn wrapped(text: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter().map(Line::raw).collect()
}
