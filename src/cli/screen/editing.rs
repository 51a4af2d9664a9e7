//! A board in the editor, with its verdict or its faults beside it.

use crate::puzzle::Puzzle;
use crate::ruleset::Legend;
use crate::rulesets::Entry;
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use super::asker::Asker;
use super::canvas::{Canvas, Mark, Marks, Spot};
use super::drawing::{Drawing, Kind};
use super::judge::Judgement;
use super::layout::{self, Parts, Title};
use super::look::ScreenStyle;
use super::pager::Pager;
use super::shelf::BoardFile;
use super::terminal::{Leave, Scene};
use super::write;
use crate::answers::words::{count, safe};
use crate::cli::output_file;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Front {
    #[default]
    Nothing,
    Help(Pager),
    Leave,
}

pub struct Editing {
    file: BoardFile,
    number: usize,
    /// The contents of the file when it was last read or saved; `None` if it did not exist.
    on_disk: Option<Vec<u8>>,
    drawing: Drawing,
    ruleset: &'static Entry,
    look: ScreenStyle,
    name: String,
    judge: Asker<BoardFile, Judgement>,
    asked: Option<BoardFile>,
    judgement: Option<Judgement>,
    pen: char,
    front: Front,
    message: String,
    overwrites: bool,
    board: Rect,
    palette: Vec<(Rect, char)>,
}

impl Editing {
    pub fn new(
        (file, number, on_disk): (BoardFile, usize, Option<Vec<u8>>),
        ruleset: &'static Entry,
        look: ScreenStyle,
        judge: Asker<BoardFile, Judgement>,
    ) -> Result<Self, String> {
        let (rows, name) = {
            let (puzzle, _) = file.board(number).read();
            (
                write::rows(file.board(number), &puzzle)?,
                puzzle.name().map(safe),
            )
        };
        let kind = kind(&ruleset.legend, &rows);
        let drawing = Drawing::new(&rows, kind);
        let mut editing = Self {
            name: name.unwrap_or_else(|| file.name()),
            pen: drawing.empty(),
            drawing,
            file,
            number,
            on_disk,
            ruleset,
            look,
            judge,
            asked: None,
            judgement: None,
            front: Front::Nothing,
            message: String::new(),
            overwrites: false,
            board: Rect::default(),
            palette: Vec::new(),
        };
        editing.ask();
        Ok(editing)
    }

    fn text(&self) -> Result<Vec<u8>, String> {
        let written = self.file.board(self.number);
        let (puzzle, _) = written.read();
        write::with_rows(written, &puzzle, &self.written_rows())
    }

    /// Returns the rows to write. Where possible, dots replace spaces in empty rows, which would be invisible in the file.
    fn written_rows(&self) -> Vec<String> {
        let has_dot = self.ruleset.legend.has('.');
        let mut rows = self.drawing.rows();
        for row in &mut rows {
            if has_dot && !row.is_empty() && row.trim().is_empty() {
                *row = ".".repeat(row.len());
            }
        }
        rows
    }

    fn alone(&self) -> Result<BoardFile, String> {
        let line = self.file.board(self.number).line;
        Ok(BoardFile::of(self.file.path(), self.text()?).beginning_at(line))
    }

    fn ask(&mut self) {
        match self.alone().map(Some) {
            Ok(drawn) if drawn == self.asked => {}
            Ok(drawn) => {
                self.asked.clone_from(&drawn);
                self.judge.ask(drawn);
            }
            Err(why) => self.message = why,
        }
    }

    fn is_glyph(&self, glyph: char) -> bool {
        let is_listed = |c: char| c.is_ascii_digit() || "-,[]".contains(c);
        let rows = self.drawing.rows();
        let is_list = rows[0].starts_with(['[', '(']);
        self.ruleset.legend.has(glyph)
            || is_list && is_listed(glyph)
            || rows.iter().any(|row| row.contains(glyph))
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Leave> {
        self.message.clear();
        match std::mem::take(&mut self.front) {
            Front::Nothing => {}
            Front::Help(mut pager) => {
                if pager.scroll(key.code) {
                    self.front = Front::Help(pager);
                }
                return None;
            }
            Front::Leave => return self.leaving(key.code),
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        match key.code {
            KeyCode::Esc => return self.leave(),
            KeyCode::Tab => match self.alone() {
                Ok(file) => return Some(Leave::Try(Box::new(file))),
                Err(why) => self.message = why,
            },
            KeyCode::Up => self.drawing.go(-1, 0),
            KeyCode::Down => self.drawing.go(1, 0),
            KeyCode::Left => self.drawing.go(0, -1),
            KeyCode::Right => self.drawing.go(0, 1),
            KeyCode::Home => self.drawing.go(0, isize::MIN),
            KeyCode::End => self.drawing.go_to_end(),
            KeyCode::Enter => self.drawing.insert_row(true),
            KeyCode::Delete => self.drawing.clear(),
            KeyCode::Backspace => {
                self.drawing.go(0, -1);
                self.drawing.clear();
            }
            KeyCode::Char(' ') if self.drawing.is_at_wall() => self.drawing.toggle_wall(),
            KeyCode::Char(' ') => self.put(self.drawing.empty()),
            KeyCode::Char(glyph) if self.is_glyph(glyph) => self.put(glyph),
            KeyCode::Char('?') | KeyCode::F(1) => self.front = Front::Help(help()),
            KeyCode::Char(glyph) => {
                let (name, legend) = (self.ruleset.name, self.ruleset.legend);
                self.message = format!(
                    "`{}` is not a glyph of {name}: {legend}",
                    glyph.escape_debug()
                );
            }
            _ => {}
        }
        None
    }

    fn put(&mut self, glyph: char) {
        if self.drawing.is_at_wall() && !"|-+ .".contains(glyph) {
            self.message = "only walls stand between cells: Space sets or removes one".into();
            return;
        }
        self.pen = glyph;
        self.drawing.type_glyph(glyph);
    }

    fn control(&mut self, code: KeyCode) -> Option<Leave> {
        let KeyCode::Char(letter) = code else {
            return None;
        };
        match letter {
            's' => {
                let saved = self.save();
                self.message = saved.unwrap_or_else(|why| format!("not saved: {why}"));
            }
            'u' if !self.drawing.undo() => self.message = "nothing to undo".into(),
            'r' if !self.drawing.redo() => self.message = "nothing to redo".into(),
            'o' => self.drawing.insert_row(false),
            'k' => self.drawing.delete_row(),
            't' => self.drawing.insert_column(false),
            'e' => self.drawing.insert_column(true),
            'd' => self.drawing.delete_column(),
            'q' => return self.leave(),
            _ => {}
        }
        None
    }

    fn leave(&mut self) -> Option<Leave> {
        if self.drawing.is_changed() {
            self.front = Front::Leave;
            return None;
        }
        Some(Leave::Quit)
    }

    fn leaving(&mut self, code: KeyCode) -> Option<Leave> {
        match code {
            KeyCode::Char('y' | 's') => match self.save() {
                Ok(_) => return Some(Leave::Quit),
                Err(why) => self.message = format!("not saved: {why}"),
            },
            KeyCode::Char('n' | 'd') => return Some(Leave::Quit),
            KeyCode::Esc => {}
            _ => self.front = Front::Leave,
        }
        None
    }

    fn save(&mut self) -> Result<String, String> {
        let path = self.file.path().to_owned();
        let shown = safe(&path.to_string_lossy());
        if path.as_os_str() == "-" {
            return Err("standard input is not a file".into());
        }
        let is_new = self.on_disk.as_ref().is_none_or(Vec::is_empty);
        let now = BoardFile::read(&path)
            .ok()
            .map(|file| file.bytes().to_vec());
        if now != self.on_disk && !std::mem::take(&mut self.overwrites) {
            self.overwrites = true;
            return Err("the file has been changed elsewhere; save again to overwrite it".into());
        }
        let mut bytes = self.file.with_board(self.number, &self.text()?);
        if is_new {
            bytes.push(b'\n');
        }
        let file = BoardFile::of(&path, bytes);
        if !self.is_kept(&file) {
            return Err("the rows would be read as something else".into());
        }
        output_file::write(&path, |out| Ok(out.write_all(file.bytes())?))
            .map_err(|error| error.to_string())?;
        self.on_disk = Some(file.bytes().to_vec());
        self.file = file;
        self.drawing.set_saved();
        Ok(format!("saved {shown}"))
    }

    fn is_kept(&self, file: &BoardFile) -> bool {
        let written = file.board(self.number);
        let (puzzle, _) = written.read();
        let of_space = |row: String| if row.is_empty() { " ".to_owned() } else { row };
        let drawn: Vec<_> = self.written_rows().into_iter().map(of_space).collect();
        let read = write::rows(written, &puzzle).unwrap_or_default();
        let read: Vec<_> = read.into_iter().map(of_space).collect();
        file.count() == self.file.count() && read == drawn
    }

    fn mouse(&mut self, event: MouseEvent) {
        let is_drawing = matches!(
            event.kind,
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left)
        );
        if !is_drawing || self.front != Front::Nothing {
            return;
        }
        let point = Point::new(event.column, event.row);
        let mut palette = self.palette.iter();
        if let Some((_, glyph)) = palette.find(|(area, _)| area.contains(point)) {
            self.pen = *glyph;
        } else if let Some((row, col)) = self.spot_at(point) {
            self.drawing.go_to(row as usize, col as usize);
            match event.kind {
                MouseEventKind::Down(_) if self.drawing.is_at_wall() => self.drawing.toggle_wall(),
                _ => self.drawing.put(self.pen),
            }
        }
    }

    fn spot_at(&self, point: Point) -> Option<Spot> {
        let (rows, marks) = (self.rows(), Marks::default());
        let canvas = Canvas::new(&rows, self.look, &marks, self.focus());
        canvas.spot_at(self.board, point)
    }

    /// Returns the rows, with one more cell if the cursor is after the last one.
    fn rows(&self) -> Vec<String> {
        let mut rows = self.drawing.rows();
        let (row, col) = self.drawing.cursor();
        if col == rows[row].chars().count() {
            rows[row].push(' ');
        }
        rows
    }

    fn focus(&self) -> Spot {
        let (row, col) = self.drawing.cursor();
        (row as u32, col as u32)
    }

    fn place(&self) -> String {
        let drawn = self.asked.as_ref().map(|file| file.board(0).read().0);
        let is_drawn = |puzzle: &Puzzle| self.drawing.cursor().0 < puzzle.rows.len();
        drawn.filter(is_drawn).map_or_else(String::new, |puzzle| {
            self.ruleset.place(&puzzle, self.focus())
        })
    }

    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        if let Some(Judgement::Faults(faults, _)) = &self.judgement {
            let spots = faults.iter().filter_map(|(spot, _)| *spot);
            spots.for_each(|spot| marks.put(spot, Mark::Fault));
        }
        marks.put(self.focus(), Mark::Cursor);
        marks
    }

    fn verdict(&self, width: usize) -> Vec<Line<'static>> {
        match &self.judgement {
            _ if self.judge.is_waiting() => vec![Line::styled("thinking...", self.look.faint())],
            None => Vec::new(),
            Some(Judgement::Answer(text)) => {
                let colour = if text.starts_with("escape") || text.starts_with("food") {
                    Color::Green
                } else {
                    Color::Yellow
                };
                let style = self.look.colour(colour).add_modifier(Modifier::BOLD);
                let lines = layout::wrapped(text, width).into_iter();
                lines.map(|line| line.style(style)).collect()
            }
            Some(Judgement::Faults(faults, more)) => {
                let all = faults.len() + more;
                let style = self.look.colour(Color::Red).add_modifier(Modifier::BOLD);
                let title = Line::styled(count(all as u64, "fault"), style);
                let told = faults.iter().map(|(_, text)| layout::wrapped(text, width));
                [title].into_iter().chain(told.flatten()).collect()
            }
        }
    }

    fn panel(&mut self, frame: &mut Frame, parts: &Parts) {
        let palette = palette(&self.ruleset.legend);
        let (first, second) = parts.halves(palette.len() as u16 + 1);
        let mut verdict = self.verdict(first.width.into());
        layout::cut(&mut verdict, first.height.into());
        frame.render_widget(ratatui::text::Text::from(verdict), first);
        self.palette.clear();
        let places = second.rows().zip(palette);
        for (area, (glyph, text)) in places {
            let style = if glyph == self.pen {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            frame.render_widget(Line::styled(text, style), area);
            self.palette.push((area, glyph));
        }
    }

    fn title(&self) -> Title {
        let changed = if self.drawing.is_changed() {
            " (not saved)"
        } else {
            ""
        };
        Title {
            name: format!("{}{changed}", self.name),
            address: self.file.address(self.number),
            ruleset: self.ruleset,
        }
    }
}

fn palette(legend: &Legend) -> Vec<(char, String)> {
    let line = |(glyphs, _, word): &(&'static str, _, &'static str)| {
        let first = glyphs.chars().next()?;
        let last = glyphs.chars().next_back().filter(|_| glyphs.len() > 3);
        let shown = match last {
            Some(last) => format!("{first} to {last}"),
            None => glyphs
                .chars()
                .map(String::from)
                .collect::<Vec<_>>()
                .join(" "),
        };
        Some((first, format!(" {shown:<6} {word}")))
    };
    legend.signs().iter().filter_map(line).collect()
}

/// Returns the kind of drawing for these rows. A new board uses dots, which are visible in the file.
fn kind(legend: &Legend, rows: &[String]) -> Kind {
    let is_odd = |len: usize| len >= 3 && len % 2 == 1;
    let width = rows.first().map_or(3, String::len);
    let is_grid = rows.is_empty() || is_odd(rows.len()) && is_odd(width);
    if legend.is_doubled() && is_grid && rows.iter().all(|row| row.chars().count() == width) {
        return Kind::Walled;
    }
    let has_spaces = rows.iter().any(|row| row.contains(' '));
    Kind::Plain(if legend.has('.') && !has_spaces {
        '.'
    } else {
        legend.empty()
    })
}

fn help() -> Pager {
    let text: String = KEYS
        .iter()
        .map(|(keys, what)| format!("{keys:<18} {what}\n"))
        .collect();
    Pager::new("keys", &text)
}

const KEYS: [(&str, &str); 15] = [
    ("a glyph", "put it and go on to the next cell"),
    ("Space, Delete", "empty the cell"),
    (
        "Space, click",
        "between the cells of a maze: set or remove a wall",
    ),
    ("Backspace", "empty the cell to the left"),
    ("arrows, Home, End", "go to another cell"),
    ("mouse", "click a glyph, then the cells to put it on"),
    ("Enter, Ctrl-O", "insert a row below, above"),
    ("Ctrl-K", "delete the row"),
    ("Ctrl-T, Ctrl-E", "insert a column before, after"),
    ("Ctrl-D", "delete the column"),
    ("Ctrl-U, Ctrl-R", "undo, redo"),
    ("Tab", "try it: play the board, q comes back"),
    ("Ctrl-S", "save"),
    ("?, F1", "this list"),
    ("Esc, Ctrl-Q", "leave"),
];

impl Scene for Editing {
    fn draw(&mut self, frame: &mut Frame) {
        if layout::is_too_small(frame) {
            return;
        }
        let (rows, marks) = (self.rows(), self.marks());
        let canvas = Canvas::new(&rows, self.look, &marks, self.focus());
        let parts = Parts::of(frame.area(), |room| canvas.size(room));
        let title = layout::title_line(&self.title(), self.look, parts.title.width);
        frame.render_widget(title, parts.title);
        frame.render_widget(&canvas, parts.board);
        self.board = parts.board;
        self.panel(frame, &parts);
        let place = format!("{}  {}", self.place(), self.message);
        let place = layout::shortened(&place, parts.message.width, self.look.charset);
        frame.render_widget(
            Line::styled(place, self.look.colour(Color::Cyan)),
            parts.message,
        );
        let keys = ["? keys", "Tab try it", "^S save", "^U undo", "^R redo"];
        let keys = layout::keys_line(&keys, "Esc leave", self.look.faint(), parts.keys.width);
        frame.render_widget(keys, parts.keys);
        match &mut self.front {
            Front::Nothing => {}
            Front::Help(pager) => pager.popup(frame, self.look.charset),
            Front::Leave => {
                layout::ask(
                    frame,
                    parts.keys,
                    "save before leaving? (y)es, (n)o, Esc to stay: ",
                );
            }
        }
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let leave = match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(event) => {
                self.mouse(*event);
                None
            }
            _ => None,
        };
        if !matches!(event, Event::Resize(..)) {
            self.ask();
        }
        leave
    }

    fn wake(&mut self) -> Option<Leave> {
        match self.judge.hear()?.1 {
            Ok(judgement) => self.judgement = Some(judgement),
            Err(panic) => self.message = panic,
        }
        None
    }

    fn interrupt(&mut self) -> Option<Leave> {
        if self.drawing.is_changed() && self.front != Front::Leave {
            self.front = Front::Leave;
            return None;
        }
        Some(Leave::Interrupt)
    }
}

#[cfg(test)]
mod tests;
