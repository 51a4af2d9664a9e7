//! Compares complete screens of games with drawings.

use std::path::Path;

use crate::Limits;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::super::playing::tests::with_board;
use super::super::shelf::BoardFile;
use super::super::terminal;
use super::super::theme::Charset;
use super::*;
use crate::cli::output::text::Colors;

/// Shows the second board of a file, after commands and all answers.
fn with_view(
    board: &str,
    commands: &[Command],
    charset: Charset,
    check: impl FnOnce(&mut Playing),
) {
    let name = if board.contains("; name:") {
        ""
    } else {
        "; name: a board\n"
    };
    let text = format!("o\n\n{name}{board}");
    let file = BoardFile::of(Path::new("a.txt"), text.into());
    with_board((&file, 1), (charset, Colors::On), |view| {
        let limits = Limits::default();
        let mut evaluator = view.source.opened.game.evaluator(&limits).unwrap();
        for command in commands {
            view.play.obey(command.clone());
        }
        while let Some(question) = view.play.question() {
            let answer = evaluator.evaluate(&question.line, 7, &limits);
            let answer = answer.map_err(|error| error.to_string());
            view.play.store_answer(&question, answer);
        }
        check(view);
    });
}

fn lines(view: &mut Playing, size: (u16, u16)) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| terminal::draw(frame, view)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| {
        (0..size.0)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..size.1).map(|y| row(y).trim_end().to_owned()).collect()
}

fn screen(board: &str, commands: &[Command], size: (u16, u16), charset: Charset) -> Vec<String> {
    let mut screen = Vec::new();
    with_view(board, commands, charset, |view| screen = lines(view, size));
    screen
}

fn go(moves: &str) -> Vec<Command> {
    moves
        .chars()
        .map(|mv| Command::Move(mv.to_string()))
        .collect()
}

const LEFT_UP_LEFT: &str = "\
; ruleset: jimmy
##########
......g...
#.o.......
#.....g...
##########
";

fn drawn(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('|'));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn the_board_stands_beside_the_information() {
    let screen = screen(LEFT_UP_LEFT, &go("D"), (72, 13), Charset::Unicode);
    let expected = "
        | jimmy: a board                                                 a.txt#2
        |                                      turn 1 of 1 ───────────●
        |        ┌────────────────────┐        moves: 1   fewest possible: 3
        |        │████████████████████│
        |        │· · · · g ← · · · · │        Jimmy ↓ D
        |        │██· ↓ · · · · · · · │        ghosts
        |        │██· o · g ← · · · · │          g 2,6 → 2,5
        |        │████████████████████│          g 4,6 → 4,5
        |        └────────────────────┘
        |
        |
        |
        |? keys  u take back  i hint  v values  h rules  n next board  q leave
    ";
    assert_eq!(screen, drawn(expected));
}

#[test]
fn by_default_spoilers_are_hidden_and_v_shows_them() {
    let has = |commands: &[Command], text: &str| {
        let screen = screen(LEFT_UP_LEFT, commands, (72, 13), Charset::Unicode);
        screen.iter().any(|line| line.contains(text))
    };
    let mut commands = go("D");
    assert!(!has(&commands, "lost since"));
    commands.push(Command::Values);
    assert!(has(&commands, "lost since move 1"));
    assert!(!has(&[], "now:"));
    assert!(has(&[Command::Values], "now: escape in 3 moves"));
}

#[test]
fn the_way_out_and_the_goal_are_always_in_sight() {
    for size in [(60, 15), (40, 12), (80, 24)] {
        let screen = screen(LEFT_UP_LEFT, &[], size, Charset::Unicode);
        let last = screen.last().unwrap();
        assert!(
            last.starts_with("? keys") && last.ends_with("q leave"),
            "{last}"
        );
        let goal = &screen[screen.len() - 2];
        assert!(goal.starts_with("goal: reach the border"), "{goal}");
    }
}

#[test]
fn an_escape_is_rated_against_the_shortest() {
    let screen = screen(LEFT_UP_LEFT, &go("LUL"), (72, 12), Charset::Ascii);
    let expected = "
        | jimmy: a board                                                 a.txt#2
        |                                                 * ESCAPED *
        |        +--------------------+        Jimmy got away at 2,1
        |        |####################|        in 3 moves, the fewest possible
        |        |o < . g . . . . . . |        turn 3 of 3 -----------o
        |        |##, , . . . . . . . |        moves: 3   fewest possible: 3
    ";
    assert_eq!(screen[..6], drawn(expected));
}

#[test]
fn a_loss_names_the_chaser_and_the_cell() {
    let board = "; ruleset: theseus\n+-+-+-+\n|T   M|\n+-+-+-+\n|E    |\n+-+-+-+";
    let screen = screen(board, &go("S"), (60, 12), Charset::Unicode);
    let expected = "
        | theseus: a board                                   a.txt#2
        |                                     ✖ CAUGHT ✖
        |                          the Minotaur caught Theseus at
        |      ┌───────────┐       1,1
        |      │ M · ← · ← │       after 1 move
        |      ├───────────┤       turn 1 of 1 ───────────●
        |      │ E         │       moves: 1
        |      └───────────┘
    ";
    assert_eq!(screen[..8], drawn(expected));
}

#[test]
fn a_wide_board_has_the_rest_below_it() {
    let board = format!("; ruleset: baddies\nH{}*\n", " ".repeat(28));
    let screen = screen(&board, &[Command::Values], (60, 18), Charset::Unicode);
    let board = format!("H{}★", " ".repeat(57));
    assert_eq!(screen[4], board, "{screen:#?}");
    assert_eq!(
        screen[9], "turn 0 of 0                       escape in 29 moves: d e c",
        "{screen:#?}"
    );
}

#[test]
fn a_narrow_panel_crops_no_line() {
    let board = std::fs::read_to_string("puzzles/theseus/01-a-maze.txt").unwrap();
    let commands = [go("U"), vec![Command::Values]].concat();
    let screen = screen(&board, &commands, (60, 15), Charset::Unicode).join("\n");
    let at = screen.find("no escape, but\n").expect(&screen);
    let next = screen[at..].lines().nth(1).unwrap();
    assert!(next.ends_with("        survives forever"), "{screen}");
}

#[test]
fn a_large_board_is_scrolled_to_the_runner() {
    let row = ".".repeat(200);
    let board = format!("; ruleset: jimmy\n{row}\n{}o#\n{row}\n", ".".repeat(198));
    let screen = screen(&board, &[], (60, 12), Charset::Ascii);
    let shown = screen
        .iter()
        .find(|line| line.contains('o') && line.contains("##"));
    assert!(shown.is_some(), "{screen:#?}");
}

#[test]
fn with_chance_each_move_has_its_probability() {
    let board = "; ruleset: dungeon\n-------\n|P...E|\n-------\n|..Z..|\n-------\n";
    let screen = screen(board, &[Command::Values], (64, 12), Charset::Unicode);
    let told: Vec<_> = screen
        .iter()
        .map(|line| line.chars().skip(30).collect::<String>())
        .collect();
    for line in [
        "seed 7",
        "best play from the start: 1.0000",
        "now: 1.0000",
        "→ R     1.0000",
    ] {
        assert!(
            told.iter().any(|told| told.trim() == line),
            "{line}: {screen:#?}"
        );
    }
}

#[test]
fn a_hint_is_drawn_on_the_board() {
    let screen = screen(LEFT_UP_LEFT, &[Command::Hint], (72, 12), Charset::Unicode);
    assert!(
        screen.iter().any(|line| line.ends_with("hint: ← L")),
        "{screen:#?}"
    );
    assert!(
        screen.iter().any(|line| line.contains("██← o ·")),
        "{screen:#?}"
    );
}

#[test]
fn a_small_terminal_says_how_large_it_must_be() {
    let screen = screen(LEFT_UP_LEFT, &[], (39, 12), Charset::Unicode);
    assert_eq!(screen[0], "this terminal is 39x12: make it at");
    assert_eq!(screen[1], "least 40x12");
}

#[test]
fn help_has_the_keys_and_the_glyphs() {
    with_view(LEFT_UP_LEFT, &[], Charset::Ascii, |view| {
        view.overlay = Some(Overlay::Text(view.help()));
        let screen = lines(view, (80, 40)).join("\n");
        assert!(
            screen.contains("| arrows, digits, U L R D  move "),
            "{screen}"
        );
        assert!(
            screen.contains("| o Jimmy, g ghost, ## solid, . empty"),
            "{screen}"
        );
    });
}

#[test]
fn help_shows_what_is_drawn_and_what_kills() {
    let board = "; ruleset: baddies\nH.#.*\n";
    with_view(board, &[], Charset::Unicode, |view| {
        view.overlay = Some(Overlay::Text(view.help()));
        let screen = lines(view, (80, 50)).join("\n");
        assert!(screen.contains("▒▒ abyss (kills)"), "{screen}");
        assert!(screen.contains("★ ladder"), "{screen}");
    });
}

#[test]
fn help_shows_each_piece_of_a_wall() {
    let theseus = "+-+-+-+\n|T . E|\n+ + + +\n|. . M|\n+-+-+-+\n";
    let dungeon = "; ruleset: dungeon\n-----\n|P.E|\n-----\n";
    for (board, legend) in [(theseus, "│ ─ + wall"), (dungeon, "─ │ wall")] {
        with_view(board, &[], Charset::Unicode, |view| {
            assert!(view.legend().contains(legend), "{}", view.legend());
        });
    }
}

#[test]
fn the_panel_does_not_touch_the_board() {
    let board = std::fs::read_to_string("puzzles/maze/36-moves-of-many-turns.txt").unwrap();
    let screen = screen(&board, &[], (60, 15), Charset::Unicode).join("\n");
    let edge = screen.lines().find(|line| line.contains('┐')).unwrap();
    assert!(edge.chars().count() < 60 - 34, "{screen}");
}
