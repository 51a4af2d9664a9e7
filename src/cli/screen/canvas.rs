//! A board on the screen: two columns per cell, so that cells are square; walls joined into lines; marks, such as those
//! for the last turn.

use std::collections::HashMap;
use std::ops::Range;

use ratatui::prelude::*;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Borders};

use super::layout::{ASCII_BORDER, centred};
use super::theme::Theme;
use getaway_play::trace::TraceEvent;
use getaway_ruleset::{Fate, Meaning};

/// A row and a column on a board, counted from 0.
pub type CellPosition = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Trail,
    /// A cell that the actor left, with its step in rows and columns.
    Departed(char, (i32, i32)),
    Passed(char),
    Vanished(char),
    Fell(char),
    Caught,
    /// A cell that a hint or the steps entered so far lead to, with the step.
    Hint((i32, i32)),
    Fault,
    Cursor,
}

#[derive(Clone, Debug, Default)]
pub struct Marks(HashMap<CellPosition, Vec<Mark>>);

impl Marks {
    pub fn put(&mut self, cell_position: CellPosition, mark: Mark) {
        self.0.entry(cell_position).or_default().push(mark);
    }

    pub fn movement(&mut self, event: &TraceEvent) {
        let (actor, from, to) = (event.actor, event.from, event.to);
        let step = step(from, to);
        match event.fate {
            Fate::Teleports => self.put(from, Mark::Vanished(actor)),
            _ if from != to => {
                self.put(from, Mark::Departed(actor, step));
                self.passed(actor, from, step.0, step.1);
            }
            _ => {}
        }
        match event.fate {
            Fate::Fell => self.put(to, Mark::Fell(actor)),
            Fate::Catches => self.put(to, Mark::Caught),
            Fate::Stands | Fate::Teleports => {}
        }
    }

    fn passed(&mut self, actor: char, mut at: CellPosition, rows: i32, cols: i32) {
        let far = rows.abs().max(cols.abs());
        if rows % far == 0 && cols % far == 0 {
            for _ in 1..far {
                at = after(at, (rows.signum(), cols.signum()));
                self.put(at, Mark::Passed(actor));
            }
        }
    }
}

pub fn step(from: CellPosition, to: CellPosition) -> (i32, i32) {
    (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32)
}

pub const fn after(cell_position: CellPosition, (rows, cols): (i32, i32)) -> CellPosition {
    let row = cell_position.0.wrapping_add_signed(rows);
    (row, cell_position.1.wrapping_add_signed(cols))
}

pub struct Canvas {
    rows: Vec<String>,
    theme: Theme,
    marks: Marks,
    focus: CellPosition,
    /// The number of terminal columns per character of a board that is not enlarged: 2, or 1 for lists of numbers, whose cells
    /// may have several characters.
    width: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Viewport {
    pub area: Rect,
    rows: Range<usize>,
    cols: Range<usize>,
    cell: Size,
    edge: Margin,
}

impl Viewport {
    pub fn cell_at(&self, point: Position) -> Option<CellPosition> {
        if !self.area.contains(point) {
            return None;
        }
        let row = u32::from((point.y - self.area.y) / self.cell.height);
        let col = u32::from((point.x - self.area.x) / self.cell.width);
        Some((self.rows.start as u32 + row, self.cols.start as u32 + col))
    }
}

impl Canvas {
    /// Creates a canvas. A board that is too large is shown only around the cell `focus`.
    pub fn new(rows: &[String], theme: Theme, marks: Marks, focus: CellPosition) -> Self {
        let shown = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
        let in_ascii = |row: &String| row.chars().map(shown).collect();
        let is_list = rows.first().is_some_and(|row| row.starts_with('['));
        Self {
            // A terminal might obey other characters, or give them another width.
            rows: rows.iter().map(in_ascii).collect(),
            theme,
            marks: if is_list { Marks::default() } else { marks },
            focus,
            width: if is_list { 1 } else { 2 },
        }
    }

    pub fn size(&self, room: Size) -> Size {
        let whole = |cells: usize, room: u16| {
            let edges = 2 * usize::from(self.edge(cells, room));
            u16::try_from(cells + edges).unwrap_or(u16::MAX)
        };
        Size::new(
            whole(self.cols() * self.width, room.width),
            whole(self.rows.len(), room.height),
        )
    }

    /// Returns the width of the edge, 0 or 1. A board with walls all around needs one only to show how much is hidden. Any other
    /// board has one unless it fits only without.
    fn edge(&self, size: usize, room: u16) -> u16 {
        let room = usize::from(room);
        u16::from(size > room || (size + 2 <= room && !self.is_enclosed()))
    }

    fn is_enclosed(&self) -> bool {
        let (rows, cols) = (self.rows.len(), self.cols());
        let is_wall = |row, col| self.theme.legend.meaning(self.glyph(row, col)) == Meaning::Wall;
        rows > 0
            && (0..cols).all(|col| is_wall(0, col) && is_wall(rows - 1, col))
            && (0..rows).all(|row| is_wall(row, 0) && is_wall(row, cols - 1))
    }

    fn view(&self, room: Rect) -> Viewport {
        let (rows, cols) = (self.rows.len(), self.cols());
        // If there is room, the board is enlarged. One column stays free before the panel.
        let fits = |scale: &usize| {
            let width = cols * self.width * scale + 2;
            rows * scale + 2 <= room.height.into() && width < room.width.into()
        };
        let max = if self.width == 2 { 3 } else { 1 };
        let scale = (2..=max).rev().find(fits).unwrap_or(1);
        let cell = Size::new((self.width * scale) as u16, scale as u16);
        let edge = Margin::new(
            self.edge(cols * self.width, room.width),
            self.edge(rows, room.height),
        );
        let inner = room.inner(edge);
        let rows = in_sight(self.focus.0, rows, inner.height / cell.height);
        let cols = in_sight(self.focus.1, cols, inner.width / cell.width);
        let size = Size::new(
            cols.len() as u16 * cell.width,
            rows.len() as u16 * cell.height,
        );
        Viewport {
            area: centred(inner, size),
            rows,
            cols,
            cell,
            edge,
        }
    }

    fn glyph(&self, row: usize, col: usize) -> char {
        let glyph = self.rows.get(row).and_then(|row| row.as_bytes().get(col));
        glyph.map_or(' ', |&glyph| glyph.into())
    }

    fn cols(&self) -> usize {
        self.rows.iter().map(String::len).max().unwrap_or(0)
    }

    fn cell(&self, row: usize, col: usize) -> ([char; 2], Style) {
        let glyph = self.glyph(row, col);
        let (mut drawn, mut style) = (self.plain(row, col), self.theme.glyph(glyph));
        let cell_position = (row as u32, col as u32);
        let marks = self.marks.0.get(&cell_position);
        for mark in marks.into_iter().flatten() {
            if let Some((sign, theme)) = self.marked(*mark, glyph) {
                style = theme;
                drawn[0] = sign.unwrap_or(drawn[0]);
            }
        }
        (drawn, style)
    }

    fn marked(&self, mark: Mark, glyph: char) -> Option<(Option<char>, Style)> {
        let (theme, charset) = (self.theme, self.theme.charset);
        let is_floor = theme.legend.meaning(glyph) == Meaning::Floor && !glyph.is_alphabetic();
        let on_floor = |sign: char, style| is_floor.then_some((Some(sign), style));
        match mark {
            Mark::Trail => on_floor(charset.pick('•', ','), theme.faint()),
            Mark::Departed(who, step) => on_floor(charset.arrow(step), theme.mark(who)),
            Mark::Passed(who) => on_floor(charset.pick('·', ':'), theme.mark(who)),
            Mark::Vanished(who) => on_floor(charset.pick('✶', '%'), theme.mark(who)),
            Mark::Fell(who) => Some((Some(charset.pick('✖', 'x')), theme.mark(who))),
            Mark::Caught => Some((None, theme.block(Color::Red).bold())),
            Mark::Hint(step) => {
                let sign = is_floor.then(|| charset.arrow(step));
                Some((sign, theme.block(Color::Cyan).bold()))
            }
            Mark::Fault => Some((None, theme.block(Color::Red))),
            Mark::Cursor => Some((None, theme.glyph(glyph).reversed().underlined())),
        }
    }

    fn plain(&self, row: usize, col: usize) -> [char; 2] {
        let glyph = self.glyph(row, col);
        let charset = self.theme.charset;
        match self.theme.legend.meaning(glyph) {
            _ if self.width == 1 => [glyph; 2],
            Meaning::Wall => self.wall(row, col),
            Meaning::Danger => [charset.pick('▒', glyph); 2],
            Meaning::Floor if glyph == '.' => [charset.pick('·', '.'), ' '],
            Meaning::Goal if glyph == '*' => [charset.pick('★', '*'), ' '],
            _ => [glyph, ' '],
        }
    }

    fn wall(&self, row: usize, col: usize) -> [char; 2] {
        let glyph = self.glyph(row, col);
        let charset = self.theme.charset;
        match glyph {
            '#' => [charset.pick('█', '#'); 2],
            '-' | '|' | '+' => [charset.pick(self.line(row, col), glyph), ' '],
            glyph if self.is_name(glyph) => [glyph, ' '],
            glyph => [charset.pick('░', glyph); 2],
        }
    }

    /// Returns whether a letter names one of several pieces and not a kind of cell.
    fn is_name(&self, glyph: char) -> bool {
        let signs = self.theme.legend.signs().iter();
        let own = |(glyphs, _, _): &&(&str, _, _)| glyphs.contains(glyph);
        signs.filter(own).any(|(glyphs, _, _)| glyphs.len() > 2)
    }

    /// Returns the line character for a wall, which depends on the sides where the wall continues.
    fn line(&self, row: usize, col: usize) -> char {
        const LINES: [char; 16] = [
            '+', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼',
        ];
        let joins = SIDES.map(|side| usize::from(self.joins(row, col, side)));
        match (joins.iter().sum(), self.glyph(row, col)) {
            (0, '-') => '─',
            (0, '|') => '│',
            _ => LINES[joins[0] + 2 * joins[1] + 4 * joins[2] + 8 * joins[3]],
        }
    }

    /// Returns whether a wall continues on this side. Parallel walls side by side stay separate lines.
    fn joins(&self, row: usize, col: usize, (rows, cols): (isize, isize)) -> bool {
        let next = (row.wrapping_add_signed(rows), col.wrapping_add_signed(cols));
        let along = if rows == 0 { '-' } else { '|' };
        let pair = [self.glyph(row, col), self.glyph(next.0, next.1)];
        let is_wall = |glyph: char| self.theme.legend.meaning(glyph) == Meaning::Wall;
        let is_line = |glyph: char| matches!(glyph, '-' | '|' | '+') && is_wall(glyph);
        pair.into_iter().all(is_line)
            && pair.into_iter().any(|glyph| glyph == along || glyph == '+')
    }

    pub fn draw(&self, room: Rect, buffer: &mut Buffer) -> Viewport {
        let view = self.view(room);
        self.draw_edge(&view, buffer);
        let lines = (view.area.y..).step_by(view.cell.height.into());
        for (row, y) in view.rows.clone().zip(lines) {
            let columns = (view.area.x..).step_by(view.cell.width.into());
            for (col, x) in view.cols.clone().zip(columns) {
                let area = Rect::from((Position::new(x, y), view.cell));
                self.draw_cell(row, col, area.intersection(room), buffer);
            }
        }
        view
    }

    fn draw_edge(&self, view: &Viewport, buffer: &mut Buffer) {
        let area = view.area.outer(view.edge);
        let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
        let x = x.saturating_sub(5);
        let (bottom, last) = (area.bottom() - 1, area.right() - 1);
        let (below, right) = (self.rows.len() - view.rows.end, self.cols() - view.cols.end);
        let sides = [
            (Borders::TOP, view.rows.start, (-1, 0), (x, area.y)),
            (Borders::BOTTOM, below, (1, 0), (x, bottom)),
            (Borders::LEFT, view.cols.start, (0, -1), (area.x, y)),
            (Borders::RIGHT, right, (0, 1), (last, y)),
        ];
        let mut borders = Borders::NONE;
        if !self.is_enclosed() {
            borders.set(Borders::TOP | Borders::BOTTOM, view.edge.vertical > 0);
            borders.set(Borders::LEFT | Borders::RIGHT, view.edge.horizontal > 0);
        }
        for (side, hidden, ..) in sides {
            borders.set(side, borders.contains(side) && hidden == 0);
        }
        let charset = self.theme.charset;
        let set = charset.pick(border::PLAIN, ASCII_BORDER);
        let block = Block::new().borders(borders).border_set(set);
        block.style(self.theme.faint()).render(area, buffer);
        for (_, hidden, step, (x, y)) in sides {
            let arrow = charset.arrow(step);
            let text = match step {
                _ if hidden == 0 => continue,
                (0, _) => arrow.to_string(),
                _ => format!(" {arrow} {hidden} more "),
            };
            buffer.set_string(x, y, text, self.theme.color(Color::Cyan));
        }
    }

    /// Draws a cell. In an enlarged one, the character is in the middle and lines reach the sides.
    fn draw_cell(&self, row: usize, col: usize, area: Rect, buffer: &mut Buffer) {
        let (drawn, style) = self.cell(row, col);
        let is_line = matches!(self.glyph(row, col), '-' | '|' | '+') && self.width == 2;
        let middle_x = area.x + (area.width - 1) / 2;
        let middle_y = area.y + (area.height - 1) / 2;
        let charset = self.theme.charset;
        for point in area.positions() {
            let rows = point.y.cmp(&middle_y) as isize;
            let cols = point.x.cmp(&middle_x) as isize;
            let joins = || is_line && self.joins(row, col, (rows, cols));
            let shown = match (rows, cols) {
                (0, 0) => drawn[0],
                (0, _) if joins() => charset.pick('─', '-'),
                (_, 0) if joins() => charset.pick('│', '|'),
                _ => drawn[1],
            };
            buffer[point].set_char(shown).set_style(style);
        }
    }
}

/// Returns glyphs as each is drawn alone on a board, with spaces between them. Of neighbours that look alike, shows one.
pub fn drawn(glyphs: &str, theme: Theme) -> String {
    let alone = |glyph: char| {
        let canvas = Canvas::new(&[glyph.to_string()], theme, Marks::default(), (0, 0));
        String::from_iter(canvas.plain(0, 0)).trim().to_owned()
    };
    let mut shown: Vec<_> = glyphs.chars().map(alone).collect();
    shown.dedup();
    shown.join(" ")
}

const SIDES: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// Returns the rows or columns in sight, with `focus` as near to the middle as possible.
pub fn in_sight(focus: u32, size: usize, room: u16) -> Range<usize> {
    let room = usize::from(room);
    let centred = (focus as usize).saturating_sub(room / 2);
    let first = centred.min(size.saturating_sub(room));
    first..size.min(first + room)
}

#[cfg(test)]
#[path = "canvas_tests.rs"]
mod tests;
