//! How a game looks: whole screens, drawn by hand.

use crate::rulesets::{self, RULESETS};
use crate::{Board, Limits};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::super::keys::Command;
use super::*;
use crate::cli::output::diagnostic::Colors;

/// What is on a screen of this size after these commands, with all that the adviser can say.
fn screen(board: &str, commands: &[Command], size: (u16, u16), charset: Charset) -> Vec<String> {
    let board: Board = board.parse().unwrap();
    let limits = Limits::default();
    let mut play = Play::new(board.game().session(7, &limits).unwrap());
    let mut adviser = board.game().adviser(&limits).unwrap();
    for command in commands {
        play.obey(command.clone());
    }
    while let Some(question) = play.question() {
        let answer = adviser.advise(&question.line, 7, &limits);
        play.hear(&question, answer.map_err(|error| error.to_string()));
    }
    let title = Title {
        name: "a board".into(),
        address: "a.txt#2".into(),
        ruleset: rulesets::find(RULESETS, board.ruleset().name).unwrap(),
    };
    let look = Look {
        charset,
        colors: Colors::On,
        legend: board.ruleset().legend,
    };
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let draw = |frame: &mut Frame| super::draw(frame, &play, &title, look, false);
    terminal.draw(draw).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| {
        (0..size.0)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..size.1).map(|y| row(y).trim_end().to_owned()).collect()
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

/// The lines of a drawing in which each begins with a bar.
fn drawn(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('|'));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn the_board_stands_beside_what_there_is_to_know() {
    let screen = screen(LEFT_UP_LEFT, &go("D"), (72, 13), Charset::Unicode);
    let wanted = "
        | jimmy: a board                                                 a.txt#2
        |                                      turn 1 of 1 ───────────●
        |                                      moves: 1   fewest possible: 3
        |         ████████████████████         lost since move 1
        |         · · · · g ← · · · ·
        |         ██· ↓ · · · · · · ·          Jimmy ↓ D
        |         ██· o · g ← · · · ·          ghosts
        |         ████████████████████           g 2,6 → 2,5
        |                                        g 4,6 → 4,5
        |
        |
        |
        |? all keys  i hint  u take back  Space solver plays  n p other boards  q
    ";
    assert_eq!(screen, drawn(wanted));
}

#[test]
fn an_escape_is_told_with_how_well_it_was_played() {
    let screen = screen(LEFT_UP_LEFT, &go("LUL"), (72, 12), Charset::Ascii);
    let wanted = "
        | jimmy: a board                                                 a.txt#2
        |                                                 * ESCAPED *
        |                                      Jimmy got away at row 2, column 1
        |         ####################         in 3 moves, the fewest possible
        |         o < . g . . . . . .          turn 3 of 3 -----------o
        |         ##, , . . . . . . .          moves: 3   fewest possible: 3
    ";
    assert_eq!(screen[..6], drawn(wanted));
}

#[test]
fn a_loss_is_told_with_who_did_it_where() {
    let board = "; ruleset: theseus\n+-+-+-+\n|T   M|\n+-+-+-+\n|E    |\n+-+-+-+";
    let screen = screen(board, &go("S"), (60, 12), Charset::Unicode);
    let wanted = "
        | theseus: a board                                   a.txt#2
        |                                     ✖ CAUGHT ✖
        |                          the Minotaur caught Theseus at
        |      ┌───────────┐       row 2, column 2
        |      │ M · ← · ← │       after 1 move
        |      ├───────────┤       turn 1 of 1 ───────────●
        |      │ E         │       there is no escape from the start
        |      └───────────┘
    ";
    assert_eq!(screen[..8], drawn(wanted));
}

#[test]
fn a_wide_board_has_the_rest_below_it() {
    let board = format!("; ruleset: baddies\nH{}*\n", " ".repeat(28));
    let screen = screen(&board, &[Command::Values], (60, 18), Charset::Unicode);
    let board = format!("H{}★", " ".repeat(57));
    assert_eq!(screen[4], board, "{screen:#?}");
    assert_eq!(
        screen[9], "turn 0 of 0               ∘ s     escape in 30 moves",
        "{screen:#?}"
    );
}

#[test]
fn of_a_large_board_the_part_with_the_runner_is_shown() {
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
    let screen = screen(board, &[], (64, 12), Charset::Unicode);
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
    let screen = screen(LEFT_UP_LEFT, &[Command::Help], (80, 24), Charset::Ascii).join("\n");
    assert!(
        screen.contains("| arrows, h j k l, digits  move "),
        "{screen}"
    );
    assert!(
        screen.contains("| `o` Jimmy, `g` ghost, `#` solid, `.` empty"),
        "{screen}"
    );
}
