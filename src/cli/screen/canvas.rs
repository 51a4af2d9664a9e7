//! A board drawn on the screen: two columns a cell, so that it looks square, walls joined to lines, and marks
//! for who went where.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::play::trace::{HalfTurn, TraceEvent};
use crate::ruleset::{Fate, Meaning};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Point, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;

use super::look::Look;

/// A place on a board: row and column, from 0.
pub type Spot = (u32, u32);

/// What is drawn on top of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The runner was there earlier.
    Trail,
    /// The one with this glyph left this cell by a step of so many rows and columns.
    Left(char, (i64, i64)),
    /// The one with this glyph passed over this cell.
    Passed(char),
    /// The one with this glyph vanished from there.
    Vanished(char),
    /// The one with this glyph fell into the abyss there.
    Fell(char),
    /// The runner was caught there.
    Caught,
    /// The solver would go there by a step of so many rows and columns.
    Hint((i64, i64)),
    /// Something is wrong there.
    Fault,
    /// The cursor is there.
    Cursor,
}

/// The marks of a board.
#[derive(Clone, Debug, Default)]
pub struct Marks(HashMap<Spot, Vec<Mark>>);

impl Marks {
    /// Puts a mark on a cell, over those that are there.
    pub fn put(&mut self, spot: Spot, mark: Mark) {
        self.0.entry(spot).or_default().push(mark);
    }

    /// Who went where in these half turns.
    pub fn movements(&mut self, halves: &[HalfTurn]) {
        let events = halves.iter().flat_map(|half| &half.events);
        events.for_each(|event| self.movement(event));
    }

    fn movement(
        &mut self,
        &TraceEvent {
            actor,
            from,
            to,
            fate,
        }: &TraceEvent,
    ) {
        let step = step(from, to);
        if fate == Fate::Teleports {
            self.put(from, Mark::Vanished(actor));
        } else if from != to {
            self.put(from, Mark::Left(actor, step));
            self.passed(actor, (from, to));
        }
        match fate {
            Fate::Fell => self.put(to, Mark::Fell(actor)),
            Fate::Catches => self.put(to, Mark::Caught),
            Fate::Stands | Fate::Teleports => {}
        }
    }

    /// The cells between, of a straight leap.
    fn passed(&mut self, actor: char, (from, to): (Spot, Spot)) {
        let (rows, cols) = step(from, to);
        let far = rows.abs().max(cols.abs());
        if rows % far != 0 || cols % far != 0 {
            return;
        }
        for done in 1..far {
            let at = |start: u32, whole: i64| (i64::from(start) + whole / far * done) as u32;
            self.put((at(from.0, rows), at(from.1, cols)), Mark::Passed(actor));
        }
    }

    fn at(&self, spot: Spot) -> &[Mark] {
        self.0.get(&spot).map_or(&[], Vec::as_slice)
    }
}

/// The rows and columns from one cell to another.
pub fn step(from: Spot, to: Spot) -> (i64, i64) {
    let change = |from: u32, to: u32| i64::from(to) - i64::from(from);
    (change(from.0, to.0), change(from.1, to.1))
}

/// A board to be drawn.
pub struct Canvas<'a> {
    /// In ASCII, so that every byte is a character.
    rows: Cow<'a, [String]>,
    look: Look,
    /// None for lists, in which a place is no character.
    marks: Option<&'a Marks>,
    focus: Spot,
}

impl<'a> Canvas<'a> {
    /// These rows with these marks; where the board is larger than its place, the cell `focus` is in sight.
    pub fn new(rows: &'a [String], look: Look, marks: &'a Marks, focus: Spot) -> Self {
        let rows = in_ascii(rows);
        let marks = Some(marks).filter(|_| !is_list(&rows));
        Self {
            rows,
            look,
            marks,
            focus,
        }
    }

    /// How many columns a character takes: lists of numbers are shown as they are written.
    fn cell_width(&self) -> usize {
        if is_list(&self.rows) { 1 } else { 2 }
    }

    /// The columns and rows that the whole board takes.
    pub fn size(&self) -> Size {
        let clip = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Size::new(clip(self.cols() * self.cell_width()), clip(self.rows.len()))
    }

    fn glyph(&self, row: usize, col: usize) -> char {
        let glyph = self.rows.get(row).and_then(|row| row.as_bytes().get(col));
        glyph.map_or(' ', |&glyph| glyph.into())
    }

    /// The columns of the longest row.
    fn cols(&self) -> usize {
        self.rows.iter().map(String::len).max().unwrap_or(0)
    }

    /// The cell that is drawn at this point of a canvas that is drawn here, if there is one.
    pub fn spot_at(&self, area: Rect, point: Point) -> Option<Spot> {
        if !area.contains(point) {
            return None;
        }
        let (top, left) = self.first(area);
        let row = top + usize::from(point.y - area.y);
        let col = left + usize::from(point.x - area.x) / self.cell_width();
        let is_there = self.rows.get(row).is_some_and(|row| col < row.len());
        is_there.then_some((row as u32, col as u32))
    }

    /// The first row and column in sight.
    fn first(&self, area: Rect) -> (usize, usize) {
        let width = self.cell_width();
        (
            first_in_sight(self.focus.0 as usize, self.rows.len(), area.height.into()),
            first_in_sight(
                self.focus.1 as usize,
                self.cols(),
                usize::from(area.width) / width,
            ),
        )
    }

    /// The two characters of a cell and their style.
    fn cell(&self, row: usize, col: usize) -> ([char; 2], Style) {
        let glyph = self.glyph(row, col);
        let (mut drawn, mut style) = (self.plain(row, col), self.look.glyph(glyph));
        let is_floor = self.is_floor(glyph);
        let spot = (row as u32, col as u32);
        for mark in self.marks.map_or(&[][..], |marks| marks.at(spot)) {
            if let Some((sign, look)) = self.marked(*mark, glyph, is_floor) {
                style = look;
                drawn[0] = sign.unwrap_or(drawn[0]);
            }
        }
        (drawn, style)
    }

    fn is_floor(&self, glyph: char) -> bool {
        self.look.legend.meaning(glyph) == Meaning::Floor && !glyph.is_alphabetic()
    }

    /// What a mark makes of a cell: another character and style, or nothing.
    fn marked(&self, mark: Mark, glyph: char, is_floor: bool) -> Option<(Option<char>, Style)> {
        let (look, charset) = (self.look, self.look.charset);
        let on_floor = |sign: char, style| is_floor.then_some((Some(sign), style));
        match mark {
            Mark::Trail => on_floor(charset.pick('•', ','), look.faint()),
            Mark::Left(who, step) => on_floor(charset.arrow(step), look.mark(who)),
            Mark::Passed(who) => on_floor(charset.pick('·', ':'), look.mark(who)),
            Mark::Vanished(who) => on_floor(charset.pick('✶', '%'), look.mark(who)),
            Mark::Fell(who) => Some((Some(charset.pick('✖', 'x')), look.mark(who))),
            Mark::Caught => Some((None, look.block(Color::Red).add_modifier(Modifier::BOLD))),
            Mark::Hint(step) => Some((is_floor.then(|| charset.arrow(step)), look.hint())),
            Mark::Fault => Some((None, look.block(Color::Red))),
            Mark::Cursor => {
                let style = look.glyph(glyph).add_modifier(Modifier::REVERSED);
                Some((None, style.add_modifier(Modifier::UNDERLINED)))
            }
        }
    }

    /// A cell without marks.
    fn plain(&self, row: usize, col: usize) -> [char; 2] {
        let glyph = self.glyph(row, col);
        let charset = self.look.charset;
        match self.look.legend.meaning(glyph) {
            _ if self.cell_width() == 1 => [glyph; 2],
            Meaning::Wall => self.wall(row, col),
            Meaning::Danger => [charset.pick('▒', glyph); 2],
            Meaning::Floor if glyph == '.' => [charset.pick('·', '.'), ' '],
            Meaning::Goal if glyph == '*' => [charset.pick('★', '*'), ' '],
            _ => [glyph, ' '],
        }
    }

    fn wall(&self, row: usize, col: usize) -> [char; 2] {
        let glyph = self.glyph(row, col);
        let charset = self.look.charset;
        match glyph {
            '#' => [charset.pick('█', '#'); 2],
            '-' | '|' | '+' => {
                let fill = if self.joins(row, col, Side::Right) {
                    charset.pick('─', '-')
                } else {
                    ' '
                };
                [charset.pick(self.line(row, col), glyph), fill]
            }
            glyph if self.is_name(glyph) => [glyph, ' '],
            glyph => [charset.pick('░', glyph); 2],
        }
    }

    /// Whether a letter names one of many pieces, rather than what a cell is made of.
    fn is_name(&self, glyph: char) -> bool {
        let signs = self.look.legend.signs().iter();
        let own = |(glyphs, _, _): &&(&str, _, _)| glyphs.contains(glyph);
        signs.filter(own).any(|(glyphs, _, _)| glyphs.len() > 2)
    }

    /// The line that a wall is a part of.
    fn line(&self, row: usize, col: usize) -> char {
        let [up, right, down, left] =
            [Side::Up, Side::Right, Side::Down, Side::Left].map(|side| self.joins(row, col, side));
        match (up, right, down, left) {
            (true, true, true, true) => '┼',
            (true, true, true, false) => '├',
            (true, false, true, true) => '┤',
            (false, true, true, true) => '┬',
            (true, true, false, true) => '┴',
            (true, true, false, false) => '└',
            (true, false, false, true) => '┘',
            (false, true, true, false) => '┌',
            (false, false, true, true) => '┐',
            (true | false, false, true, false) | (true, false, false, false) => '│',
            (false, true, false, true | false) | (false, false, false, true) => '─',
            (false, false, false, false) => match self.glyph(row, col) {
                '-' => '─',
                '|' => '│',
                _ => '+',
            },
        }
    }

    /// Whether a wall goes on in the next cell on this side. Two walls side by side that run the same way
    /// are two lines.
    fn joins(&self, row: usize, col: usize, side: Side) -> bool {
        let (to_row, to_col, along) = match side {
            Side::Up => (row.wrapping_sub(1), col, '|'),
            Side::Down => (row + 1, col, '|'),
            Side::Left => (row, col.wrapping_sub(1), '-'),
            Side::Right => (row, col + 1, '-'),
        };
        let pair = [self.glyph(row, col), self.glyph(to_row, to_col)];
        let is_wall = |glyph: char| self.look.legend.meaning(glyph) == Meaning::Wall;
        let is_line = |glyph: char| matches!(glyph, '-' | '|' | '+') && is_wall(glyph);
        pair.into_iter().all(is_line)
            && pair.into_iter().any(|glyph| glyph == along || glyph == '+')
    }
}

/// The rows with a `?` for whatever no ruleset has: it may take more room, or none, or be obeyed by the
/// terminal.
fn in_ascii(rows: &[String]) -> Cow<'_, [String]> {
    let is_plain = |c: char| matches!(c, ' '..='~');
    let known = |c: char| if is_plain(c) { c } else { '?' };
    if rows.iter().all(|row| row.chars().all(is_plain)) {
        Cow::Borrowed(rows)
    } else {
        rows.iter()
            .map(|row| row.chars().map(known).collect())
            .collect()
    }
}

/// Whether these rows are lists of numbers rather than a drawing.
fn is_list(rows: &[String]) -> bool {
    rows.first().is_some_and(|row| row.starts_with('['))
}

/// One of the four sides of a cell.
#[derive(Clone, Copy)]
enum Side {
    Up,
    Right,
    Down,
    Left,
}

/// The first of `size` rows or columns that is shown where there is room for `room`, so that `focus` is in
/// the middle as far as can be.
fn first_in_sight(focus: usize, size: usize, room: usize) -> usize {
    focus
        .saturating_sub(room / 2)
        .min(size.saturating_sub(room))
}

impl Widget for &Canvas<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (top, left) = self.first(area);
        let width = self.cell_width();
        let rows = (top..self.rows.len()).zip(area.y..area.bottom());
        for (row, y) in rows {
            let starts = (area.x..area.right()).step_by(width);
            for (col, x) in (left..self.cols()).zip(starts) {
                let (drawn, style) = self.cell(row, col);
                for (x, drawn) in (x..area.right().min(x + width as u16)).zip(drawn) {
                    buffer[(x, y)].set_char(drawn).set_style(style);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rulesets::{self, RULESETS};
    use ratatui::layout::Rect;

    use super::super::look::Charset;
    use super::*;
    use crate::cli::output::diagnostic::Colors;

    /// A board of this ruleset as it is drawn where there is room for it.
    fn drawn(ruleset: &str, rows: &[&str], marks: &Marks) -> Vec<String> {
        let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
        let look = Look {
            charset: Charset::Unicode,
            colors: Colors::Off,
            legend: rulesets::find(RULESETS, ruleset).unwrap().legend,
        };
        let canvas = Canvas::new(&rows, look, marks, (0, 0));
        let area = Rect::from((Point::ORIGIN, canvas.size()));
        let mut buffer = Buffer::empty(area);
        canvas.render(area, &mut buffer);
        let row = |y| {
            (0..area.width)
                .map(|x| buffer[(x, y)].symbol())
                .collect::<String>()
        };
        (0..area.height)
            .map(|y| row(y).trim_end().to_owned())
            .collect()
    }

    fn plain(ruleset: &str, rows: &[&str]) -> Vec<String> {
        drawn(ruleset, rows, &Marks::default())
    }

    #[test]
    fn walls_between_cells_are_joined_to_lines() {
        assert_eq!(
            plain("theseus", &["+-+-+", "|T|M|", "+ +-+", "|  E|", "+-+-+"]),
            [
                "┌───┬───┐",
                "│ T │ M │",
                "│   └───┤",
                "│     E │",
                "└───────┘"
            ],
        );
    }

    #[test]
    fn rooms_side_by_side_have_walls_of_their_own() {
        assert_eq!(
            plain("dungeon", &["-----", "|P||G", "-----"]),
            ["┌───┬─┬──", "│ P │ │ G", "└───┴─┴──"]
        );
    }

    #[test]
    fn who_went_where_is_drawn_on_the_floor() {
        let mut marks = Marks::default();
        let mut went = |actor, from, to, fate| {
            marks.movement(&TraceEvent {
                actor,
                from,
                to,
                fate,
            });
        };
        went('H', (0, 1), (0, 2), Fate::Stands);
        went('M', (1, 4), (1, 2), Fate::Stands);
        went('m', (2, 1), (2, 0), Fate::Fell);
        went('~', (2, 3), (2, 3), Fate::Stands);
        assert_eq!(
            drawn("baddies", &["  H +", "  M   ", "#  ~"], &marks),
            ["  → H   +", "    M · ←", "✖▒←   ~"]
        );
    }

    #[test]
    fn one_who_vanished_leaves_a_mark() {
        let mut marks = Marks::default();
        marks.movement(&TraceEvent {
            actor: 'G',
            from: (0, 0),
            to: (0, 4),
            fate: Fate::Teleports,
        });
        assert_eq!(drawn("dungeon", &["....G"], &marks), ["✶ · · · G"]);
    }

    #[test]
    fn lists_of_numbers_are_shown_as_they_are() {
        let mut marks = Marks::default();
        marks.put((0, 0), Mark::Trail);
        assert_eq!(drawn("maze", &["[2, 0, -1]"], &marks), ["[2, 0, -1]"]);
    }

    #[test]
    fn of_a_board_that_is_larger_the_focus_is_in_sight() {
        assert_eq!(first_in_sight(0, 100, 10), 0);
        assert_eq!(first_in_sight(50, 100, 10), 45);
        assert_eq!(first_in_sight(99, 100, 10), 90);
        assert_eq!(first_in_sight(3, 5, 10), 0);
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_drawn() {
        assert_eq!(plain("jimmy", &["o\u{1b}\u{4e00}"]), ["o ? ?"]);
    }
}
