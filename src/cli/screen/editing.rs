//! A board that is drawn on the screen, with what is to be said of it beside it.

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
use super::drawing::{Drawing, Way};
use super::judge::{Drawn, Judgement};
use super::layout::{self, Parts, Title};
use super::look::Look;
use super::shelf::BoardFile;
use super::terminal::Scene;
use super::{tell, write};
use crate::cli::output::words::safe;
use crate::cli::output_file;

/// How one leaves a drawing.
#[derive(Clone, Debug)]
pub enum Leave {
    /// For good.
    Quit,
    /// At once, as by Ctrl-C.
    Interrupt,
    /// To play the board that is drawn.
    Try(Box<BoardFile>),
}

/// What is in front of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Front {
    #[default]
    Nothing,
    Help,
    /// Whether to save before leaving.
    Leave,
}

/// A board on the screen that is being drawn.
pub struct Editing {
    file: BoardFile,
    number: usize,
    /// What the file held when it was read or saved last; `None` if there was none.
    on_disk: Option<Vec<u8>>,
    drawing: Drawing,
    ruleset: &'static Entry,
    look: Look,
    name: String,
    judge: Asker<Drawn, Judgement>,
    /// What was asked last.
    asked: Option<Drawn>,
    judgement: Option<Judgement>,
    /// What the mouse draws.
    pen: char,
    front: Front,
    message: String,
    /// Whether to save over a file that somebody else has changed.
    overwrites: bool,
    /// Where things were drawn last.
    drawn: Places,
}

/// Where on the screen something can be clicked.
#[derive(Clone, Debug, Default)]
struct Places {
    board: Rect,
    palette: Vec<(Rect, char)>,
}

impl Editing {
    /// A drawing of board `number` of this file.
    ///
    /// # Errors
    ///
    /// Why it can't be drawn.
    pub fn new(
        (file, number, on_disk): (BoardFile, usize, Option<Vec<u8>>),
        ruleset: &'static Entry,
        look: Look,
        judge: Asker<Drawn, Judgement>,
    ) -> Result<Self, String> {
        let (rows, name) = {
            let (puzzle, _) = file.board(number).read();
            (
                write::rows(file.board(number), &puzzle)?,
                puzzle.name().map(safe),
            )
        };
        let empty = ruleset.legend.empty();
        let rows = if rows.is_empty() { blank(empty) } else { rows };
        let mut editing = Self {
            name: name.unwrap_or_else(|| file.name()),
            drawing: Drawing::new(&rows, empty),
            file,
            number,
            on_disk,
            ruleset,
            look,
            judge,
            asked: None,
            judgement: None,
            pen: empty,
            front: Front::Nothing,
            message: String::new(),
            overwrites: false,
            drawn: Places::default(),
        };
        editing.ask();
        Ok(editing)
    }

    /// The board as it is drawn now, in the words of its file.
    fn text(&self) -> Result<Vec<u8>, String> {
        let written = self.file.board(self.number);
        let (puzzle, _) = written.read();
        write::with_rows(written, &puzzle, &self.drawing.rows())
    }

    /// The board alone in a file.
    fn alone(&self) -> Result<BoardFile, String> {
        let line = self.file.board(self.number).line;
        Ok(BoardFile::of(self.file.path(), self.text()?).beginning_at(line))
    }

    /// Asks for a judgement of what is drawn now, if that is something else than before.
    fn ask(&mut self) {
        match self.alone().map(|file| Some(Drawn { file })) {
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
            Front::Help => return None,
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
            KeyCode::Up => self.drawing.go(Way::Up),
            KeyCode::Down => self.drawing.go(Way::Down),
            KeyCode::Left => self.drawing.go(Way::Left),
            KeyCode::Right => self.drawing.go(Way::Right),
            KeyCode::Home => self.drawing.go(Way::RowStart),
            KeyCode::End => self.drawing.go(Way::RowEnd),
            KeyCode::Enter => self.drawing.insert_row(true),
            KeyCode::Delete => self.drawing.clear(),
            KeyCode::Backspace => {
                self.drawing.go(Way::Left);
                self.drawing.clear();
            }
            KeyCode::Char(' ') => self.put(self.ruleset.legend.empty()),
            KeyCode::Char(glyph) if self.is_glyph(glyph) => self.put(glyph),
            KeyCode::Char('?') | KeyCode::F(1) => self.front = Front::Help,
            KeyCode::Char(glyph) => {
                let (name, legend) = (self.ruleset.name, self.ruleset.legend);
                self.message =
                    format!("`{}` is no glyph of {name}: {legend}", glyph.escape_debug());
            }
            _ => {}
        }
        None
    }

    /// Puts a glyph and goes on to the next cell.
    fn put(&mut self, glyph: char) {
        self.pen = glyph;
        self.drawing.put(glyph);
        self.drawing.go(Way::Right);
    }

    fn control(&mut self, code: KeyCode) -> Option<Leave> {
        let KeyCode::Char(letter) = code else {
            return None;
        };
        match letter {
            's' => self.message = told(self.save()),
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

    /// Leaves, or asks whether to save first.
    fn leave(&mut self) -> Option<Leave> {
        if self.drawing.is_changed() {
            self.front = Front::Leave;
            return None;
        }
        Some(Leave::Quit)
    }

    /// The answer to that question.
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

    /// Saves the file with the board as it is drawn; what there is to say.
    fn save(&mut self) -> Result<String, String> {
        let path = self.file.path().to_owned();
        let shown = safe(&path.to_string_lossy());
        if path.as_os_str() == "-" {
            return Err("standard input is no file".into());
        }
        let is_new = self.on_disk.as_ref().is_none_or(Vec::is_empty);
        let now = BoardFile::read(&path).ok().map(BoardFile::into_bytes);
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

    /// Whether the board is read from this file as it is drawn, and the others are still there.
    fn is_kept(&self, file: &BoardFile) -> bool {
        let written = file.board(self.number);
        let (puzzle, _) = written.read();
        let of_space = |row: String| if row.is_empty() { " ".to_owned() } else { row };
        let drawn: Vec<_> = self.drawing.rows().into_iter().map(of_space).collect();
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
        let mut palette = self.drawn.palette.iter();
        if let Some((_, glyph)) = palette.find(|(area, _)| area.contains(point)) {
            self.pen = *glyph;
        } else if let Some((row, col)) = self.spot_at(point) {
            self.drawing.go_to(row as usize, col as usize);
            self.drawing.put(self.pen);
        }
    }

    fn spot_at(&self, point: Point) -> Option<Spot> {
        let (rows, marks) = (self.rows(), Marks::default());
        let canvas = Canvas::new(&rows, self.look, &marks, self.focus());
        canvas.spot_at(self.drawn.board, point)
    }

    /// The rows with a cell for the cursor, which may stand after the last one.
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

    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        if let Some(Judgement::Faults(faults, _)) = &self.judgement {
            let spots = faults.iter().filter_map(|(spot, _)| *spot);
            spots.for_each(|spot| marks.put(spot, Mark::Fault));
        }
        marks.put(self.focus(), Mark::Cursor);
        marks
    }

    /// What is to be said of the board.
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
                let title = Line::styled(tell::count_of(all, "fault"), style);
                let told = |(spot, text): &(Option<Spot>, String)| {
                    let place =
                        spot.map_or(String::new(), |spot| format!("{}: ", tell::place(spot)));
                    layout::wrapped(&format!("{place}{text}"), width)
                };
                [title]
                    .into_iter()
                    .chain(faults.iter().flat_map(told))
                    .collect()
            }
        }
    }

    fn panel(&mut self, frame: &mut Frame, parts: &Parts) {
        let palette = palette(&self.ruleset.legend);
        let (first, second) = parts.halves(palette.len() as u16 + 1);
        let mut verdict = self.verdict(first.width.into());
        layout::cut(&mut verdict, first.height.into());
        frame.render_widget(ratatui::text::Text::from(verdict), first);
        self.drawn.palette.clear();
        let places = second.rows().zip(palette);
        for (area, (glyph, text)) in places {
            let style = if glyph == self.pen {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            frame.render_widget(Line::styled(text, style), area);
            self.drawn.palette.push((area, glyph));
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

/// What there is to say after an attempt to save.
fn told(saved: Result<String, String>) -> String {
    saved.unwrap_or_else(|why| format!("not saved: {why}"))
}

/// The glyphs that can be drawn, with their words; of many in one line the first.
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

/// The rows of a board that is begun.
fn blank(empty: char) -> Vec<String> {
    vec![empty.to_string().repeat(10); 8]
}

/// All keys.
const KEYS: [(&str, &str); 13] = [
    ("a glyph", "put it and go on to the right"),
    ("Space, Delete", "empty the cell"),
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
    ("Esc, Ctrl-Q", "leave"),
];

impl Scene for Editing {
    type Leave = Leave;
    const USES_MOUSE: bool = true;

    fn draw(&mut self, frame: &mut Frame) {
        if layout::is_too_small(frame) {
            return;
        }
        let (rows, marks) = (self.rows(), self.marks());
        let canvas = Canvas::new(&rows, self.look, &marks, self.focus());
        let parts = Parts::of(frame.area(), canvas.size());
        let title = layout::title_line(&self.title(), self.look, parts.title.width);
        frame.render_widget(title, parts.title);
        frame.render_widget(&canvas, parts.board);
        self.drawn.board = parts.board;
        self.panel(frame, &parts);
        let (row, col) = self.drawing.cursor();
        let place = format!(
            "{}  {}",
            tell::place((row as u32, col as u32)),
            self.message
        );
        frame.render_widget(
            Line::styled(place, self.look.colour(Color::Cyan)),
            parts.message,
        );
        let keys = "? all keys  Tab try it  ^S save  ^U undo  ^R redo  Esc leave";
        frame.render_widget(Line::styled(keys, self.look.faint()), parts.keys);
        match self.front {
            Front::Nothing => {}
            Front::Help => {
                let line = |(keys, what): (&str, &str)| Line::raw(format!("{keys:<18} {what}"));
                layout::popup(frame, self.look, " keys ", KEYS.map(line).to_vec());
            }
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

    fn wake(&mut self) {
        if let Some((_, answer)) = self.judge.hear() {
            match answer {
                Ok(judgement) => self.judgement = Some(judgement),
                Err(panic) => self.message = panic,
            }
        }
    }

    /// Once it is asked whether to save; the second time one leaves.
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
