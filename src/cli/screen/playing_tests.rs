use std::cell::Cell;

use clap::Parser;
use getaway_board::limits::Limits;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyModifiers;

use super::super::theme::Charset;
use super::*;
use crate::cli::output::text::Colors;
use crate::cli::{Cli, Command as Typed};

fn with_game(board: &str, check: impl FnOnce(&mut Playing)) {
    let file = BoardFile::of(Path::new("puzzles/a.txt"), board.into());
    with_board((&file, 0), (Charset::Ascii, Colors::Off), check);
}

pub fn with_board(
    (file, number): (&BoardFile, usize),
    (charset, colors): (Charset, Colors),
    check: impl FnOnce(&mut Playing),
) {
    let Typed::Solve(args) = Cli::parse_from(["getaway", "solve"]).command else {
        unreachable!("`solve` is what was typed");
    };
    let options = Options::with_stop(&args.boards.how.search, None, Arc::default()).unwrap();
    let opened = Opened::read(file.board(number), &options).unwrap();
    let play = Play::new(opened.game.session(7, &Limits::default()).unwrap());
    let theme = Theme {
        charset,
        colors,
        legend: opened.ruleset.legend,
    };
    let source = Source {
        opened: &opened,
        file,
        number,
        options: &options,
    };
    check(&mut Playing::new(play, None, source, theme, || ()));
}

impl Playing<'_> {
    fn press(&mut self, code: KeyCode) -> Option<Leave> {
        self.input(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn types(&mut self, keys: &str) -> Option<Leave> {
        keys.chars()
            .map(|key| self.press(KeyCode::Char(key)))
            .last()
            .flatten()
    }

    fn line(&self) -> String {
        let session = &self.play.session;
        session.line(session.now())
    }

    fn screen(&mut self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(60, 15)).unwrap();
        terminal.draw(|frame| self.draw(frame)).unwrap();
        terminal.backend().to_string()
    }
}

const OPEN: &str = "; ruleset: jimmy\n......\n.o....\n......\n......\n";
const WIDE: &str =
    "; ruleset: jimmy\n.......\n.......\n.......\n...o...\n.......\n.......\n.......\n";

#[test]
fn a_move_letter_moves_and_throws_nothing_away() {
    with_game(WIDE, |game| {
        assert_eq!(game.types("LU"), None);
        assert_eq!(game.line(), "LU");
    });
    let maze = "; ruleset: theseus\n+-+-+-+\n|T   M|\n+-+-+-+\n|E    |\n+-+-+-+\n";
    with_game(maze, |game| {
        game.types("S");
        assert_eq!((game.line().as_str(), &game.overlay), ("S", &None));
    });
}

#[test]
fn a_key_that_throws_a_game_away_asks_first() {
    with_game(WIDE, |game| {
        assert_eq!(game.types("n"), Some(Leave::Next), "no move was made");
        for (key, leave) in [
            ("n", Leave::Next),
            ("p", Leave::Previous),
            ("E", Leave::Edit),
            ("q", Leave::Quit),
        ] {
            game.types("L");
            assert_eq!(game.types(key), None);
            assert!(game.screen().contains("y discards it"), "{}", game.screen());
            assert_eq!(game.types("x"), None);
            assert_eq!(game.line(), "L");
            game.types(key);
            assert_eq!(game.types("y"), Some(leave));
            game.types("u");
        }
        game.play.own_line = Some("RRR".into());
        game.types("Lm");
        assert_eq!(game.overlay, Some(Overlay::Confirm(Command::Load)));
        assert_eq!(game.line(), "L");
        assert_eq!(game.types("y"), None);
        assert_eq!(game.play.session.last(), 3, "the own line is loaded");
        game.types("L");
        assert_eq!(game.press(KeyCode::Esc), None);
        assert_eq!(game.press(KeyCode::Esc), None, "any other key keeps it");
        game.play.set_saved();
        assert_eq!(game.types("q"), Some(Leave::Quit), "the move is saved");
    });
}

#[test]
fn s_asks_where_to_save() {
    let folder = tempfile::tempdir().unwrap();
    with_game(WIDE, |game| {
        game.types("Ls");
        let Some(Overlay::Typing(Command::Save, name)) = game.overlay.clone() else {
            panic!("no prompt");
        };
        assert_eq!(name, "a-moves.txt", "not in the folder of the board");
        game.press(KeyCode::Esc);
        assert_eq!(game.overlay, None);
        let path = folder.path().join("saved.txt");
        for message in ["saved as ", "not saved: "] {
            game.types("s");
            let name = path.to_string_lossy().into_owned();
            game.overlay = Some(Overlay::Typing(Command::Save, name));
            game.press(KeyCode::Enter);
            assert!(game.play.message.starts_with(message), "{message}");
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("; ruleset: jimmy\n; moves: L\n"), "{text}");
    });
}

#[test]
fn control_keys_type_nothing_into_a_prompt() {
    with_game(WIDE, |game| {
        for (modifiers, name) in [
            (KeyModifiers::ALT, "a-moves.txt"),
            (KeyModifiers::CONTROL, ""),
        ] {
            game.types("s");
            game.input(&Event::Key(KeyEvent::new(KeyCode::Char('u'), modifiers)));
            let overlay = Some(Overlay::Typing(Command::Save, name.into()));
            assert_eq!(game.overlay, overlay, "{modifiers}");
            game.press(KeyCode::Esc);
        }
    });
}

#[test]
fn a_click_on_a_cell_beside_the_runner_moves_there() {
    with_game(WIDE, |game| {
        let screen = game.screen();
        let rows: Vec<_> = screen.lines().collect();
        let row = rows.iter().position(|row| row.contains("o ")).unwrap();
        // Each line of the text begins with a quotation mark.
        let col = rows[row].find("o ").unwrap() - 1;
        let click = Cell::new(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: col as u16 + 2,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        });
        game.input(&Event::Mouse(click.get()));
        assert_eq!(game.line(), "R");
        game.screen();
        let below = MouseEvent {
            row: click.get().row + 1,
            ..click.get()
        };
        game.input(&Event::Mouse(below));
        assert_eq!(game.line(), "RD");
    });
}

#[test]
fn the_rules_are_one_key_away_and_scroll() {
    with_game(OPEN, |game| {
        assert!(
            game.screen().contains("goal: reach the border"),
            "{}",
            game.screen()
        );
        game.types("h");
        assert!(
            game.screen().contains("can Jimmy escape the ghosts"),
            "{}",
            game.screen()
        );
        game.press(KeyCode::PageDown);
        assert!(
            !game.screen().contains("can Jimmy escape"),
            "{}",
            game.screen()
        );
        game.press(KeyCode::Esc);
        assert_eq!(game.overlay, None);
    });
}

#[test]
fn the_key_list_scrolls_to_its_last_line() {
    with_game(OPEN, |game| {
        game.types("?");
        assert!(game.screen().contains("more:"), "{}", game.screen());
        game.press(KeyCode::End);
        assert!(
            game.screen().contains("o Jimmy, g ghost"),
            "{}",
            game.screen()
        );
        assert!(game.screen().contains("Esc"), "{}", game.screen());
    });
}
