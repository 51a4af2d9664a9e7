use super::*;
use getaway_solvers::rulesets::RULESETS;

fn pad(moves: [&str; 9]) -> Pad {
    moves.map(str::to_owned)
}

fn press(code: KeyCode, pad: &Pad) -> Option<Command> {
    command(&KeyEvent::new(code, KeyModifiers::NONE), Some(pad))
}

fn mv(text: &str) -> Command {
    Command::Move(text.into())
}

fn pad_of(rules: &str) -> Pad {
    let text = crate::cli::output::markdown::code_block(rules, "").unwrap();
    let board: crate::Board = text.parse().unwrap();
    let session = board.game().session(0, &crate::Limits::default()).unwrap();
    session.keypad()
}

#[test]
fn every_printed_move_letter_plays_that_move() {
    for entry in RULESETS {
        let pad = pad_of(entry.rules);
        for text in pad.iter().filter(|text| !text.is_empty()) {
            let key = KeyCode::Char(text.chars().next().unwrap());
            assert_eq!(press(key, &pad), Some(mv(text)), "{}", entry.name);
        }
    }
}

#[test]
fn four_ways_have_arrows_letters_and_digits() {
    let pad = pad(["", "U", "", "L", "S", "R", "", "D", ""]);
    for (keys, text) in [
        ("U8", "U"),
        ("Ll4", "L"),
        ("R6", "R"),
        ("Dd2", "D"),
        ("S.5", "S"),
    ] {
        for key in keys.chars() {
            assert_eq!(press(KeyCode::Char(key), &pad), Some(mv(text)), "{key}");
        }
    }
    assert_eq!(press(KeyCode::Up, &pad), Some(mv("U")));
    assert_eq!(press(KeyCode::Char('7'), &pad), None, "no diagonal moves");
    assert_eq!(press(KeyCode::Char('u'), &pad), Some(Command::Undo));
    assert_eq!(press(KeyCode::Char('s'), &pad), Some(Command::Save));
    assert_eq!(
        press(KeyCode::Char('q'), &pad),
        Some(Command::Leave(Leave::Quit))
    );
}

#[test]
fn letters_that_are_moves_mean_nothing_else() {
    let pad = pad(["q", "w", "e", "a", "s", "d", "z", "x", "c"]);
    for letter in "qweasdzxc".chars() {
        let typed = press(KeyCode::Char(letter), &pad);
        assert_eq!(typed, Some(mv(&letter.to_string())));
    }
    assert_eq!(press(KeyCode::Char('9'), &pad), Some(mv("e")));
    assert_eq!(press(KeyCode::Char('S'), &pad), Some(Command::Save));
    assert_eq!(
        press(KeyCode::Char('Q'), &pad),
        Some(Command::Leave(Leave::Quit))
    );
    let control = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
    assert_eq!(command(&control, Some(&pad)), Some(Command::Save));
}

#[test]
fn the_numbers_of_a_maze_come_before_those_of_the_pad() {
    let pad = pad(["", "0", "", "3", "", "1", "", "2", ""]);
    for (key, text) in [('0', "0"), ('3', "3"), ('8', "0"), ('6', "1")] {
        assert_eq!(press(KeyCode::Char(key), &pad), Some(mv(text)), "{key}");
    }
}

#[test]
fn help_names_every_key_and_none_that_is_a_move() {
    let pad = pad(["q", "w", "e", "a", "s", "d", "z", "x", "c"]);
    let help = help(Some(&pad));
    assert_eq!(help[0].0, "arrows, digits, q w e a s d z x c");
    let keys = |what: &str| help.iter().find(|line| line.1 == what).unwrap().0.clone();
    assert_eq!(keys("leave"), "Q, Ctrl-Q");
    assert_eq!(keys("cancel a started move, or leave"), "Esc");
    assert_eq!(keys("redo it, or go forward"), "], Ctrl-R");
    assert_eq!(key_of(&Command::Leave(Leave::Quit), Some(&pad)), "Q");
    let listed: usize = KEYS.iter().map(|(keys, ..)| keys.split(' ').count()).sum();
    let shown: usize = help[3..]
        .iter()
        .map(|line| line.0.split(", ").count())
        .sum();
    assert_eq!(shown, listed - 2, "all but `q` and `s`");
}

#[test]
fn a_watched_game_has_keys_to_go_through_it() {
    let press = |code| command(&KeyEvent::new(code, KeyModifiers::NONE), None);
    assert_eq!(press(KeyCode::Left), Some(Command::Undo));
    let help = help(None);
    assert!(
        help.iter().all(|(_, what)| !what.contains("hint")),
        "{help:?}"
    );
    assert_eq!(press(KeyCode::Char('q')), Some(Command::Leave(Leave::Quit)));
}
