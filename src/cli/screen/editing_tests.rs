use std::fs;
use std::path::Path;

use getaway_solvers::rulesets::{self, RULESETS};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyModifiers;
use tempfile::TempDir;

use super::super::asker::Inbox;
use super::super::theme::Charset;
use super::*;
use crate::cli::output::text::Colors;

struct Board {
    folder: TempDir,
    editing: Editing,
}

impl Board {
    fn new(name: &str, text: &str, number: usize) -> Self {
        Self::of("jimmy", name, text, number)
    }

    fn of(ruleset: &str, name: &str, text: &str, number: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let file = BoardFile::read(&path).unwrap();
        let ruleset = rulesets::find(RULESETS, ruleset).unwrap();
        let theme = Theme {
            charset: Charset::Ascii,
            colors: Colors::Off,
            legend: ruleset.legend,
        };
        let judge = Asker::new(|| (), |_: Inbox<BoardFile, Judgement>| ());
        let on_disk = Some(text.as_bytes().to_vec());
        let editing = Editing::new(file, number, on_disk, ruleset, theme, judge).unwrap();
        Self { folder, editing }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn press(&mut self, code: KeyCode) -> Option<Leave> {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.editing.input(&Event::Key(key))
    }

    fn types(&mut self, text: &str) {
        for glyph in text.chars() {
            assert!(self.press(KeyCode::Char(glyph)).is_none());
        }
    }

    fn control(&mut self, letter: char) -> Option<Leave> {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        self.editing.input(&Event::Key(key))
    }

    fn rows(&self) -> Vec<String> {
        self.editing.drawing.rows()
    }
}

const TWO: &str = "; name: one\n#o.\n\n; name: two\r\n;remark\r\n#..\r\n.o#\r\n\n";

#[test]
fn glyphs_are_typed_and_others_are_refused() {
    let mut board = Board::new("a.txt", TWO, 1);
    board.types("go");
    assert_eq!(board.rows(), ["go.", ".o#"]);
    board.types("x");
    assert_eq!(board.rows(), ["go.", ".o#"]);
    let told = "`x` is not a glyph of jimmy: `o` Jimmy, `g` ghost, `#` solid, `.` empty";
    assert_eq!(board.editing.message, told);
    board.press(KeyCode::Backspace);
    assert_eq!(board.rows(), ["g..", ".o#"]);
    board.control('u');
    board.control('u');
    board.control('u');
    assert_eq!(board.rows(), ["#..", ".o#"]);
    board.control('u');
    assert_eq!(board.editing.message, "nothing to undo");
    board.control('r');
    assert_eq!(board.rows(), ["g..", ".o#"]);
}

#[test]
fn only_the_board_that_is_drawn_is_written() {
    let mut board = Board::new("a.txt", TWO, 1);
    board.types("g");
    board.control('s');
    let saved = fs::read_to_string(board.path("a.txt")).unwrap();
    assert_eq!(saved, TWO.replace("#..", "g.."));
    board.types("#");
    board.control('s');
    let saved = fs::read_to_string(board.path("a.txt")).unwrap();
    assert_eq!(saved, TWO.replace("#..", "g#."));
}

#[test]
fn editing_json_lines_keeps_the_fields_and_the_other_lines() {
    let text = "{\"rows\": [\"o.\"]}\r\n{\"id\":1,\"rows\":[\"#o\",\"..\"],\"x\":[1.0]}\n";
    let mut board = Board::new("a.jsonl", text, 1);
    board.types(".");
    board.control('s');
    let expected = "{\"rows\": [\"o.\"]}\r\n{\"id\":1,\"rows\":[\".o\", \"..\"],\"x\":[1.0]}\n";
    assert_eq!(fs::read_to_string(board.path("a.jsonl")).unwrap(), expected);
}

#[test]
fn a_file_that_somebody_else_has_changed_is_not_written_over_at_once() {
    let mut board = Board::new("a.txt", TWO, 0);
    board.types("g");
    fs::write(board.path("a.txt"), "other").unwrap();
    board.control('s');
    assert!(
        board.editing.message.contains("changed elsewhere"),
        "{}",
        board.editing.message
    );
    assert_eq!(fs::read_to_string(board.path("a.txt")).unwrap(), "other");
    board.control('s');
    let saved = fs::read_to_string(board.path("a.txt")).unwrap();
    assert_eq!(saved, TWO.replace("#o.", "go."));
}

#[test]
fn a_board_that_would_fall_apart_is_not_written() {
    let mut board = Board::new("a.txt", "; ruleset: jimmy\no;\n", 0);
    board.types(";");
    board.control('s');
    let told = "not saved: saving would change how the file is read";
    assert_eq!(board.editing.message, told);
    let kept = fs::read_to_string(board.path("a.txt")).unwrap();
    assert_eq!(kept, "; ruleset: jimmy\no;\n");
}

#[test]
fn leaving_with_unsaved_changes_asks_first() {
    let mut board = Board::new("a.txt", TWO, 0);
    assert!(matches!(board.press(KeyCode::Esc), Some(Leave::Quit)));
    board.types("g");
    assert!(board.press(KeyCode::Esc).is_none());
    assert!(
        board.press(KeyCode::Char('x')).is_none(),
        "that is no answer"
    );
    assert!(board.press(KeyCode::Esc).is_none(), "one stays");
    assert!(!board.editing.interrupt());
    assert!(matches!(board.press(KeyCode::Char('n')), Some(Leave::Quit)));
    assert_eq!(fs::read_to_string(board.path("a.txt")).unwrap(), TWO);
    board.editing.interrupt();
    assert!(board.editing.interrupt());
    board.press(KeyCode::Esc);
    board.press(KeyCode::Esc);
    assert!(matches!(board.press(KeyCode::Char('y')), Some(Leave::Quit)));
    let saved = fs::read_to_string(board.path("a.txt")).unwrap();
    assert_eq!(saved, TWO.replace("#o.", "go."));
}

#[test]
fn the_drawn_board_can_be_tried() {
    let mut board = Board::new("a.txt", TWO, 1);
    board.types("g");
    let Some(Leave::Try(file)) = board.press(KeyCode::Tab) else {
        panic!("Tab leaves to play");
    };
    let text = std::str::from_utf8(file.board(0).text).unwrap();
    assert_eq!(text, "; name: two\r\n;remark\r\ng..\r\n.o#");
    assert_eq!(
        file.board(0).line,
        4,
        "faults are told by the lines of the whole file"
    );
}

#[test]
fn the_mouse_takes_a_glyph_and_puts_it() {
    let mut board = Board::new("a.txt", TWO, 1);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| board.editing.draw(frame)).unwrap();
    let mut click = |board: &mut Board, area: Rect| {
        board.editing.input(&Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: area.x,
            row: area.y,
            modifiers: KeyModifiers::NONE,
        }));
        terminal.draw(|frame| board.editing.draw(frame)).unwrap();
    };
    let ghost = board
        .editing
        .palette
        .iter()
        .find(|(_, glyph)| *glyph == 'g');
    let (ghost, area) = (ghost.unwrap().0, board.editing.board.area);
    click(&mut board, ghost);
    assert_eq!(
        board.rows(),
        ["#..", ".o#"],
        "nothing is put on a glyph's name"
    );
    let is_there = |point: &Position| board.editing.cell_at(*point) == Some((1, 2));
    let point = area.positions().find(is_there).unwrap();
    let cell = Rect::from((point, ratatui::layout::Size::new(1, 1)));
    click(&mut board, cell);
    assert_eq!(board.rows(), ["#..", ".og"]);
}

#[test]
fn a_board_that_cannot_be_written_back_is_not_edited() {
    let refused = |text: &[u8], name: &str| {
        let file = BoardFile::of(Path::new(name), text.to_vec());
        let (puzzle, _) = file.board(0).read();
        write::rows(file.board(0), &puzzle).unwrap_err()
    };
    assert_eq!(refused(b"o\xff.\n", "a.txt"), "its rows are not UTF-8");
    let lists = refused(b"{\"rows\": [[2, -1]]}\n", "a.jsonl");
    assert_eq!(
        lists,
        "its rows are arrays of numbers, which can't be drawn"
    );
    assert!(refused(b"{\"rows\": [\n", "a.jsonl").starts_with("EOF"));
    let things = b"; things: [{\"glyph\": \"E\", \"at\": [0, 1]}]\nPD\n";
    assert!(refused(things, "a.txt").starts_with("it has `things`"));
}

#[test]
fn the_cursor_is_at_a_cell_or_at_a_place_in_the_file() {
    let maze = "; ruleset: theseus\n+-+-+\n|T M|\n+-+ +\n|E  |\n+-+-+\n";
    let framed = "; ruleset: baddies\n-----\n|m H|\n|*# |\n-----\n";
    let list = "; ruleset: maze\n[2, 0, -1]\n";
    for (ruleset, text, (row, col), place) in [
        ("jimmy", "o..\n.g.\n", (1, 2), "2,3"),
        ("theseus", maze, (3, 1), "2,1"),
        ("theseus", maze, (1, 2), "right of 1,1"),
        ("baddies", framed, (1, 3), "1,3"),
        ("baddies", framed, (0, 2), "line 2, column 3"),
        ("maze", list, (0, 4), "line 2, column 5"),
    ] {
        let mut board = Board::of(ruleset, "a.txt", text, 0);
        board.editing.drawing.go_to(row, col);
        assert_eq!(board.editing.place(), place, "{ruleset}");
    }
}

#[test]
fn the_header_that_a_fault_asks_for_is_added() {
    let json = "{\"id\": 1, \"rows\": [\"...\", \".#.\"]}\n";
    for (name, text, number, expected) in [
        (
            "a.txt",
            TWO,
            1,
            TWO.replace("; name: two", "; ruleset: jimmy\r\n; name: two"),
        ),
        (
            "a.jsonl",
            json,
            0,
            json.replace("\"id\"", "\"ruleset\": \"jimmy\", \"id\""),
        ),
    ] {
        let mut board = Board::new(name, text, number);
        board.control('n');
        assert!(board.control('q').is_some());
        let asked =
            getaway_board::fault::FaultKind::SeveralFittingRulesets(vec!["jimmy", "baddies"])
                .help();
        board.editing.judgement = Some(Judgement::Faults(vec![(None, asked)], 0));
        board.control('n');
        assert_eq!(board.editing.message, "added `; ruleset: jimmy`");
        assert!(board.control('q').is_none(), "it is not saved");
        board.press(KeyCode::Esc);
        board.control('s');
        assert_eq!(fs::read_to_string(board.path(name)).unwrap(), expected);
        assert!(board.control('q').is_some());
    }
}
