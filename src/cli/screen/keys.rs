//! The keys in a game. Tables hold each key with its command and its text in the key list.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::terminal::Leave;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Adds these steps to the move entered so far, and makes the move unless it is the start of a longer legal move.
    Move(String),
    Confirm,
    Undo,
    Redo,
    Skip(isize),
    First,
    Last,
    Jump,
    Restart,
    NewSeed,
    Hint,
    Values,
    Trail,
    Load,
    Auto,
    Faster,
    Slower,
    Save,
    Help,
    Rules,
    Close,
    Leave(Leave),
}

impl Command {
    pub const fn changes_game(&self) -> bool {
        matches!(
            self,
            Self::Move(_) | Self::Confirm | Self::Hint | Self::Leave(Leave::Edit) | Self::Load
        )
    }
}

/// The moves by their positions on a numeric keypad, from 7 (up and left) to 3 (down and right); empty at a position that has no
/// move.
pub type Pad = [String; 9];

type Binding = (&'static str, Command, &'static str);

/// The keys with another meaning in a watched game.
const WATCHING: &[Binding] = &[
    ("right", Command::Redo, "one move forward"),
    ("left", Command::Undo, "one move back"),
    ("up", Command::Faster, "faster"),
    ("down", Command::Slower, "slower"),
];

const KEYS: &[Binding] = &[
    ("u [ Backspace", Command::Undo, "take a move back"),
    ("] Ctrl-R", Command::Redo, "redo it, or go forward"),
    ("r", Command::Restart, "go back to the start"),
    ("i", Command::Hint, "hint: the solver's next move"),
    ("Enter", Command::Confirm, "make the hinted or started move"),
    ("v", Command::Values, "the value of each move"),
    ("m", Command::Load, "load the board's own line"),
    ("Space", Command::Auto, "start or stop the solver"),
    ("+ =", Command::Faster, "play or watch faster"),
    ("-", Command::Slower, "play or watch slower"),
    ("Home", Command::First, "go to the start"),
    ("End", Command::Last, "go to the last position"),
    ("PgUp", Command::Skip(-10), "go ten moves back"),
    ("PgDn", Command::Skip(10), "go ten moves forward"),
    ("g", Command::Jump, "go to a turn by its number"),
    ("t", Command::Trail, "the runner's trail"),
    (
        "s S Ctrl-S",
        Command::Save,
        "save the moves as a board file",
    ),
    ("n", Command::Leave(Leave::Next), "next board"),
    ("p", Command::Leave(Leave::Previous), "previous board"),
    ("N", Command::NewSeed, "a new game with a new seed"),
    ("E", Command::Leave(Leave::Edit), "edit the board"),
    ("h", Command::Rules, "the rules of the game"),
    ("? F1", Command::Help, "this list"),
    ("q Q Ctrl-Q", Command::Leave(Leave::Quit), "leave"),
    ("Esc", Command::Close, "cancel a started move, or leave"),
];

fn bindings(is_watched: bool) -> impl Iterator<Item = &'static Binding> {
    let own: &[Binding] = if is_watched { WATCHING } else { &[] };
    own.iter().chain(KEYS)
}

pub fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// Returns the command for a key; `None` if the key has none. Without Ctrl, a letter or digit that is a move always makes that
/// move. A watched game has no `pad`.
pub fn command(key: &KeyEvent, pad: Option<&Pad>) -> Option<Command> {
    let is_plain = !key.modifiers.contains(KeyModifiers::CONTROL);
    let mv = pad.and_then(|pad| mv(key.code, pad));
    if let Some(mv) = mv.filter(|_| is_plain) {
        return Some(Command::Move(mv));
    }
    let pressed = name(key);
    let mut bindings = bindings(pad.is_none());
    let bound = bindings.find(|(keys, ..)| keys.split(' ').any(|key| key == pressed));
    if let Some((_, command, _)) = bound {
        return Some(command.clone());
    }
    // A letter without another meaning makes its move in either letter case.
    let mut moves = pad?.iter();
    let mv = moves.find(|mv| mv.eq_ignore_ascii_case(&pressed));
    mv.cloned().map(Command::Move)
}

fn mv(code: KeyCode, pad: &Pad) -> Option<String> {
    let place = match code {
        KeyCode::Char(typed) if is_move(typed, pad) => return Some(typed.to_string()),
        KeyCode::Up => 1,
        KeyCode::Left => 3,
        KeyCode::Right => 5,
        KeyCode::Down => 7,
        KeyCode::Char('.') => 4,
        // The first move of the keypad belongs to 7, at the top left.
        KeyCode::Char(digit @ '1'..='9') => {
            let number = digit as usize - '1' as usize;
            6 - number / 3 * 3 + number % 3
        }
        _ => return None,
    };
    Some(pad[place].clone()).filter(|mv| !mv.is_empty())
}

fn is_move(typed: char, pad: &Pad) -> bool {
    typed.is_alphanumeric() && pad.iter().any(|mv| mv.chars().eq([typed]))
}

pub fn help(pad: Option<&Pad>) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    if let Some(pad) = pad {
        let own: Vec<_> = pad.iter().filter(|mv| !mv.is_empty()).cloned().collect();
        let is_capital = |mv: &String| mv.chars().all(char::is_uppercase);
        let what = if own.iter().all(is_capital) {
            "move (capital letters)"
        } else {
            "move"
        };
        all.push((format!("arrows, digits, {}", own.join(" ")), what));
        all.push(("mouse".to_owned(), "click a cell to move there"));
        if !pad[4].is_empty() {
            let keys = format!("{}, 5, .", pad[4]);
            all.push((keys.replace("., 5, .", "., 5"), "stay"));
        }
    }
    all.extend(bindings(pad.is_none()).filter_map(|(keys, command, what)| {
        let keys: Vec<_> = free(keys, pad).collect();
        let is_of_use = pad.is_some() || !command.changes_game();
        (is_of_use && !keys.is_empty()).then(|| (keys.join(", "), *what))
    }));
    all
}

pub fn key_of(command: &Command, pad: Option<&Pad>) -> &'static str {
    let own = bindings(pad.is_none()).filter(|(_, bound, _)| bound == command);
    own.flat_map(|(keys, ..)| free(keys, pad))
        .next()
        .unwrap_or_default()
}

fn free<'p>(keys: &'static str, pad: Option<&'p Pad>) -> impl Iterator<Item = &'static str> + 'p {
    let is_taken = move |key: &str| pad.is_some_and(|pad| pad.iter().any(|mv| mv == key));
    keys.split(' ').filter(move |key| !is_taken(key))
}

pub fn name(key: &KeyEvent) -> String {
    match key.code {
        KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            format!("Ctrl-{}", letter.to_ascii_uppercase())
        }
        KeyCode::Char(' ') => "Space".into(),
        KeyCode::Char(letter) => letter.into(),
        KeyCode::PageUp => "PgUp".into(),
        KeyCode::PageDown => "PgDn".into(),
        KeyCode::F(number) => format!("F{number}"),
        code @ (KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down) => {
            format!("{code:?}").to_lowercase()
        }
        code => format!("{code:?}"),
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
