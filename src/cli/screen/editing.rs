//! A board in the editor, with its verdict or its faults beside it.

use getaway_board::puzzle::Puzzle;
use getaway_ruleset::Legend;
use getaway_solvers::rulesets::Entry;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::prelude::*;

use super::asker::Asker;
use super::canvas::{Canvas, CellPosition, Mark, Marks, Viewport};
use super::drawing::{Drawing, DrawingKind};
use super::judge::Judgement;
use super::keys;
use super::layout::{self, Parts};
use super::pager::Pager;
use super::shelf::BoardFile;
use super::terminal::{Leave, Scene};
use super::theme::Theme;
use super::write;
use crate::cli::output_file;
use crate::cli::panics::ADVICE;
use getaway_board::words::{count, path_name};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Overlay {
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
    theme: Theme,
    title: String,
    judge: Asker<BoardFile, Judgement>,
    asked: Option<BoardFile>,
    judgement: Option<Judgement>,
    pen: char,
    overlay: Option<Overlay>,
    message: String,
    overwrites: bool,
    board: Viewport,
    palette: Vec<(Rect, char)>,
}

impl Editing {
    pub fn new(
        file: BoardFile,
        number: usize,
        on_disk: Option<Vec<u8>>,
        ruleset: &'static Entry,
        theme: Theme,
        judge: Asker<BoardFile, Judgement>,
    ) -> Result<Self, String> {
        let (puzzle, _) = file.board(number).read();
        let rows = write::rows(file.board(number), &puzzle)?;
        let title = file.title(&puzzle);
        drop(puzzle);
        let kind = kind(&ruleset.legend, &rows);
        let drawing = Drawing::new(&rows, kind);
        let mut editing = Self {
            title,
            pen: drawing.empty(),
            drawing,
            file,
            number,
            on_disk,
            ruleset,
            theme,
            judge,
            asked: None,
            judgement: None,
            overlay: None,
            message: String::new(),
            overwrites: false,
            board: Viewport::default(),
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

    /// Returns the rows to write. A row of spaces would be invisible in the file, so dots replace its spaces if the ruleset has
    /// the glyph `.`.
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
        Ok(BoardFile::of(&self.file.path, self.text()?).beginning_at(line))
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
        match self.overlay.take() {
            None => {}
            Some(Overlay::Help(pager)) => {
                self.overlay = pager.scrolled(key.code).map(Overlay::Help);
                return None;
            }
            Some(Overlay::Leave) => return self.leaving(key.code),
        }
        match &*keys::name(key) {
            "Esc" | "Ctrl-Q" => return self.leave(),
            "Tab" => match self.alone() {
                Ok(file) => return Some(Leave::Try(Box::new(file))),
                Err(why) => self.message = why,
            },
            "up" => self.drawing.go(-1, 0),
            "down" => self.drawing.go(1, 0),
            "left" => self.drawing.go(0, -1),
            "right" => self.drawing.go(0, 1),
            "Home" => self.drawing.go(0, isize::MIN),
            "End" => self.drawing.go_to_end(),
            "Enter" => self.drawing.insert_row(true),
            "Ctrl-O" => self.drawing.insert_row(false),
            "Ctrl-K" => self.drawing.delete_row(),
            "Ctrl-T" => self.drawing.insert_column(false),
            "Ctrl-E" => self.drawing.insert_column(true),
            "Ctrl-D" => self.drawing.delete_column(),
            "Ctrl-N" => self.add_header(),
            "Delete" => self.drawing.clear(),
            "Backspace" => {
                self.drawing.go(0, -1);
                self.drawing.clear();
            }
            "Ctrl-S" => {
                let saved = self.save();
                self.message = saved.unwrap_or_else(|why| format!("not saved: {why}"));
            }
            "Ctrl-U" if !self.drawing.undo() => self.message = "nothing to undo".into(),
            "Ctrl-R" if !self.drawing.redo() => self.message = "nothing to redo".into(),
            "Space" if self.drawing.is_at_wall() => self.drawing.toggle_wall(),
            "Space" => self.put(self.drawing.empty()),
            "F1" => self.overlay = Some(Overlay::Help(Pager::keys(KEYS, ""))),
            name => {
                if let KeyCode::Char(glyph) = key.code
                    && !name.starts_with("Ctrl-")
                {
                    self.glyph(glyph);
                }
            }
        }
        None
    }

    /// Adds the first header that a fault asks for.
    fn add_header(&mut self) {
        let Some(Judgement::Faults(faults, _)) = &self.judgement else {
            return;
        };
        let asked =
            |(_, text): &(_, String)| Some(text.split_once("`; ")?.1.split_once('`')?.0.to_owned());
        let Some(header) = faults.iter().find_map(asked) else {
            self.message = "no fault asks for a header".into();
            return;
        };
        let header = header.replace("NAME", self.ruleset.name);
        let text = write::with_header(self.file.board(self.number), &header);
        let bytes = self.file.with_board(self.number, &text);
        self.file = BoardFile::of(&self.file.path, bytes);
        self.message = format!("added `; {header}`");
    }

    fn is_changed(&self) -> bool {
        self.drawing.is_changed() || self.on_disk.as_deref().unwrap_or_default() != self.file.bytes
    }

    fn glyph(&mut self, glyph: char) {
        if self.is_glyph(glyph) {
            self.put(glyph);
        } else if glyph == '?' {
            self.overlay = Some(Overlay::Help(Pager::keys(KEYS, "")));
        } else {
            let (name, legend) = (self.ruleset.name, self.ruleset.legend);
            let glyph = glyph.escape_debug();
            self.message = format!("`{glyph}` is not a glyph of {name}: {legend}");
        }
    }

    fn put(&mut self, glyph: char) {
        if self.drawing.is_at_wall() && !"|-+ .".contains(glyph) {
            self.message = "only walls fit between cells: Space adds or removes one".into();
            return;
        }
        self.pen = glyph;
        self.drawing.type_glyph(glyph);
    }

    fn leave(&mut self) -> Option<Leave> {
        if self.is_changed() {
            self.overlay = Some(Overlay::Leave);
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
            _ => self.overlay = Some(Overlay::Leave),
        }
        None
    }

    fn save(&mut self) -> Result<String, String> {
        let path = self.file.path.clone();
        if path.as_os_str() == "-" {
            return Err("standard input is not a file".into());
        }
        let is_new = self.on_disk.as_ref().is_none_or(Vec::is_empty);
        let now = BoardFile::read(&path).ok().map(|file| file.bytes);
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
            return Err("saving would change how the file is read".into());
        }
        output_file::write(&path, |out| Ok(out.write_all(&file.bytes)?))
            .map_err(|error| error.to_string())?;
        self.on_disk = Some(file.bytes.clone());
        self.file = file;
        self.drawing.set_saved();
        Ok(format!("saved {}", path_name(&path)))
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
        if !is_drawing || self.overlay.is_some() {
            return;
        }
        let point = Position::new(event.column, event.row);
        let mut palette = self.palette.iter();
        if let Some((_, glyph)) = palette.find(|(area, _)| area.contains(point)) {
            self.pen = *glyph;
        } else if let Some((row, col)) = self.cell_at(point) {
            self.drawing.go_to(row, col);
            match event.kind {
                MouseEventKind::Down(_) if self.drawing.is_at_wall() => self.drawing.toggle_wall(),
                _ => self.drawing.put(self.pen),
            }
        }
    }

    fn cell_at(&self, point: Position) -> Option<(usize, usize)> {
        let (row, col) = self.board.cell_at(point)?;
        let (row, col) = (row as usize, col as usize);
        let is_there = col < self.rows()[row].chars().count();
        is_there.then_some((row, col))
    }

    fn rows(&self) -> Vec<String> {
        let mut rows = self.drawing.rows();
        let (row, col) = self.drawing.cursor();
        if col == rows[row].chars().count() {
            rows[row].push(' ');
        }
        rows
    }

    fn focus(&self) -> CellPosition {
        let (row, col) = self.drawing.cursor();
        (row as u32, col as u32)
    }

    fn place(&self) -> String {
        let drawn = self.asked.as_ref().map(|file| file.board(0).read().0);
        let is_drawn = |puzzle: &Puzzle| self.drawing.cursor().0 < puzzle.rows.len();
        drawn.filter(is_drawn).map_or_else(String::new, |puzzle| {
            let (row, col) = self.focus();
            self.ruleset.place(&puzzle, row, col)
        })
    }

    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        if let Some(Judgement::Faults(faults, _)) = &self.judgement {
            let cell_positions = faults
                .iter()
                .filter_map(|(cell_position, _)| *cell_position);
            cell_positions.for_each(|cell_position| marks.put(cell_position, Mark::Fault));
        }
        marks.put(self.focus(), Mark::Cursor);
        marks
    }

    fn verdict(&self) -> Vec<Line<'static>> {
        let bold = |text, color| Line::styled(text, self.theme.color(color).bold());
        match &self.judgement {
            _ if self.judge.is_waiting() => vec![Line::styled("thinking...", self.theme.faint())],
            None => Vec::new(),
            Some(Judgement::Answer(text)) => {
                let is_success = text.starts_with("escape") || text.starts_with("food");
                let color = if is_success {
                    Color::Green
                } else {
                    Color::Yellow
                };
                vec![bold(text.clone(), color)]
            }
            Some(Judgement::Faults(faults, more)) => {
                let all = (faults.len() + more) as u64;
                let mut lines = vec![bold(count(all, "fault"), Color::Red)];
                lines.extend(faults.iter().map(|(_, text)| Line::raw(text.clone())));
                lines
            }
        }
    }

    fn panel(&mut self, frame: &mut Frame, parts: &Parts) {
        let palette = palette(&self.ruleset.legend);
        let (first, second) = parts.halves(palette.len() as u16 + 1);
        layout::draw_lines(frame, first, self.verdict());
        self.palette.clear();
        for (area, (glyph, text)) in second.rows().zip(palette) {
            frame.render_widget(Line::raw(text), area);
            if glyph == self.pen {
                frame.buffer_mut().set_style(area, Style::new().reversed());
            }
            self.palette.push((area, glyph));
        }
    }
}

fn palette(legend: &Legend) -> Vec<(char, String)> {
    let line = |(glyphs, _, word): &(&'static str, _, &'static str)| {
        let all: Vec<String> = glyphs.chars().map(String::from).collect();
        let shown = match &*all {
            [first, _, _, .., last] => format!("{first} to {last}"),
            few => few.join(" "),
        };
        Some((glyphs.chars().next()?, format!(" {shown:<6} {word}")))
    };
    legend.signs().iter().filter_map(line).collect()
}

/// Returns the kind of drawing for these rows. It is walled if the ruleset has walls between cells, and there are no rows or
/// they have the form of such a drawing. In a plain drawing, empty cells are dots, which are visible in the file, if the ruleset
/// has the glyph `.` and the rows have no spaces.
fn kind(legend: &Legend, rows: &[String]) -> DrawingKind {
    let is_odd = |len: usize| len >= 3 && len % 2 == 1;
    let width = rows.first().map_or(3, String::len);
    let is_grid = rows.is_empty() || is_odd(rows.len()) && is_odd(width);
    if legend.is_doubled() && is_grid && rows.iter().all(|row| row.chars().count() == width) {
        return DrawingKind::Walled;
    }
    let has_spaces = rows.iter().any(|row| row.contains(' '));
    DrawingKind::Plain(if legend.has('.') && !has_spaces {
        '.'
    } else {
        legend.empty()
    })
}

const KEYS: [(&str, &str); 17] = [
    ("a glyph", "draw it and go to the next cell"),
    ("Space, Delete", "clear the cell"),
    (
        "Space, click",
        "between the cells of a maze: add or remove a wall",
    ),
    ("Backspace", "clear the cell to the left"),
    ("arrows, Home, End", "go to another cell"),
    ("Down", "after drawing: go below the first cell drawn"),
    ("mouse", "click a glyph, then the cells to draw it on"),
    ("Enter, Ctrl-O", "insert a row below, above"),
    ("Ctrl-K", "delete the row"),
    ("Ctrl-T, Ctrl-E", "insert a column before, after"),
    ("Ctrl-D", "delete the column"),
    ("Ctrl-N", "add the header that a fault asks for"),
    ("Ctrl-U, Ctrl-R", "undo, redo"),
    ("Tab", "play the board; q returns"),
    ("Ctrl-S", "save"),
    ("?, F1", "this list"),
    ("Esc, Ctrl-Q", "leave"),
];

impl Scene for Editing {
    fn draw(&mut self, frame: &mut Frame) {
        let (rows, marks) = (self.rows(), self.marks());
        let canvas = Canvas::new(&rows, self.theme, marks, self.focus());
        let parts = Parts::of(frame.area(), |room| canvas.size(room));
        self.board = canvas.draw(parts.board, frame.buffer_mut());
        self.panel(frame, &parts);
        let message = format!("{}  {}", self.place(), self.message);
        let mut title = format!("{}: {}", self.ruleset.name, self.title);
        if self.is_changed() {
            title += " (not saved)";
        }
        let address = self.file.address(self.number);
        parts.draw(frame, self.theme, &title, &address, &message);
        let keys = "? keys  Tab try it  ^S save  ^U undo  ^R redo";
        let keys = layout::keys_line(keys, "Esc leave", self.theme.faint(), parts.keys.width);
        frame.render_widget(keys, parts.keys);
        match &mut self.overlay {
            None => {}
            Some(Overlay::Help(pager)) => pager.popup(frame, self.theme.charset),
            Some(Overlay::Leave) => {
                let prompt = "save before leaving? (y)es, (n)o, Esc to stay: ";
                layout::ask(frame, parts.keys, prompt);
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
        let failed = |panic| Judgement::Faults(vec![(None, format!("{panic}: {ADVICE}"))], 0);
        self.judgement = Some(self.judge.take_answer()?.1.unwrap_or_else(failed));
        None
    }

    fn interrupt(&mut self) -> bool {
        let is_asked = self.overlay == Some(Overlay::Leave);
        is_asked || self.leave().is_some()
    }
}

#[cfg(test)]
#[path = "editing_tests.rs"]
mod tests;
