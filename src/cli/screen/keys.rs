//! What a key says to a game: a move, or what else one can do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To make this move, or to begin a longer one with it.
    Move(String),
    /// To make the move that was begun, or the one that was hinted at.
    Confirm,
    /// To take a move back.
    Undo,
    /// To make a move again that was taken back.
    Redo,
    /// To go so many positions on, or back.
    Skip(isize),
    /// To look at the start.
    First,
    /// To look at the last position.
    Last,
    /// To type the number of a position to go to.
    Jump,
    /// To begin the board anew.
    Restart,
    /// To begin the board anew with other luck.
    NewLuck,
    /// To see the solver's next move.
    Hint,
    /// To see what each move is worth, or no longer.
    Values,
    /// To see where the runner has been, or no longer.
    Trail,
    /// To let the solver play on, or to stop it.
    Auto,
    /// To let it play faster.
    Faster,
    /// To let it play slower.
    Slower,
    /// To save the line of play.
    Save,
    /// The next board.
    NextBoard,
    /// The one before.
    PreviousBoard,
    /// To draw the board.
    Edit,
    /// To see the keys.
    Help,
    /// To put away what is in front, or else to leave.
    Close,
    /// To leave.
    Quit,
}

impl Command {
    /// Whether it is for those who make the moves themselves.
    pub const fn changes_game(&self) -> bool {
        matches!(
            self,
            Self::Move(_) | Self::Confirm | Self::Hint | Self::Edit
        )
    }
}

/// Whether this is the key of a letter together with Control.
pub fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// What a key says, where the moves lie on the numeric pad like this ([`Session::pad`]). A letter or digit
/// that is a move itself is that move, whatever else it could mean.
///
/// [`Session::pad`]: crate::play::session::Session::pad
pub fn command(key: &KeyEvent, pad: &[String; 9]) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('r') => Some(Command::Redo),
            KeyCode::Char('s') => Some(Command::Save),
            KeyCode::Char('q') => Some(Command::Quit),
            _ => None,
        };
    }
    let place = match key.code {
        KeyCode::Char(letter) if pad.iter().any(|mv| is_key_of(letter, mv)) => {
            return Some(Command::Move(letter.to_string()));
        }
        KeyCode::Up | KeyCode::Char('k' | '8') => 1,
        KeyCode::Left | KeyCode::Char('h' | '4') => 3,
        KeyCode::Right | KeyCode::Char('l' | '6') => 5,
        KeyCode::Down | KeyCode::Char('j' | '2') => 7,
        KeyCode::Char('.' | '5') => 4,
        KeyCode::Char('7') => 0,
        KeyCode::Char('9') => 2,
        KeyCode::Char('1') => 6,
        KeyCode::Char('3') => 8,
        code => return other(code),
    };
    Some(Command::Move(pad[place].clone())).filter(|_| !pad[place].is_empty())
}

/// What a key says to a game that is watched: it has no moves to make, so that arrows go back and forward.
pub fn watching(key: &KeyEvent) -> Option<Command> {
    match key.code {
        KeyCode::Left | KeyCode::Char('h') => Some(Command::Undo),
        KeyCode::Right | KeyCode::Char('l') => Some(Command::Redo),
        KeyCode::Up => Some(Command::Faster),
        KeyCode::Down => Some(Command::Slower),
        _ => command(key, &Default::default()),
    }
}

/// The keys of [`watching`] for people.
pub fn help_to_watch() -> Vec<(String, &'static str)> {
    let all = [
        ("Space", "pause, or go on"),
        ("+ -, up, down", "faster, slower"),
        ("right, left", "a step forward, a step back"),
        ("PgDn, PgUp", "ten steps forward, ten back"),
        ("Home, End", "the start, the last move so far"),
        ("g", "go to a turn"),
        ("r", "from the start again"),
        ("L", "a new game with other luck"),
        ("v", "what each move is worth, and the graph"),
        ("t", "where the runner has been"),
        ("s", "save the moves as a board file"),
        ("n p", "next and previous board"),
        ("q, Esc", "leave"),
    ];
    all.map(|(keys, what)| (keys.to_owned(), what)).to_vec()
}

/// Whether a move is typed by this key as it is written: capital letters are not, since their small ones
/// mean other things.
fn is_key_of(letter: char, mv: &str) -> bool {
    !letter.is_uppercase() && letter.is_alphanumeric() && mv.chars().eq([letter])
}

fn other(code: KeyCode) -> Option<Command> {
    Some(match code {
        KeyCode::Enter => Command::Confirm,
        KeyCode::Char('u' | '[') | KeyCode::Backspace => Command::Undo,
        KeyCode::Char('U' | ']') => Command::Redo,
        KeyCode::PageUp => Command::Skip(-10),
        KeyCode::PageDown => Command::Skip(10),
        KeyCode::Home => Command::First,
        KeyCode::End => Command::Last,
        KeyCode::Char('g') => Command::Jump,
        KeyCode::Char('r') => Command::Restart,
        KeyCode::Char('L') => Command::NewLuck,
        KeyCode::Char('H' | 'i') => Command::Hint,
        KeyCode::Char('v') => Command::Values,
        KeyCode::Char('t') => Command::Trail,
        KeyCode::Char(' ') => Command::Auto,
        KeyCode::Char('+' | '=') => Command::Faster,
        KeyCode::Char('-') => Command::Slower,
        KeyCode::Char('s' | 'S') => Command::Save,
        KeyCode::Char('n') => Command::NextBoard,
        KeyCode::Char('p') => Command::PreviousBoard,
        KeyCode::Char('E') => Command::Edit,
        KeyCode::Char('?') | KeyCode::F(1) => Command::Help,
        KeyCode::Esc => Command::Close,
        KeyCode::Char('q' | 'Q') => Command::Quit,
        _ => return None,
    })
}

/// The keys for people: what to press, and what it does. `pad` is that of [`command`].
pub fn help(pad: &[String; 9]) -> Vec<(String, &'static str)> {
    let is_move = |letter: char| pad.iter().any(|mv| is_key_of(letter, mv));
    let free = |letter: char, or: &str| {
        if is_move(letter) {
            or.to_owned()
        } else {
            letter.to_string()
        }
    };
    let mut all = vec![(moves(pad), "move")];
    if !pad[4].is_empty() {
        let own = pad[4].chars().find(|&letter| is_key_of(letter, &pad[4]));
        let keys = own.map_or_else(|| "5 .".to_owned(), |letter| format!("{letter} 5 ."));
        all.push((keys, "stay"));
    }
    let rest = [
        ("Enter".to_owned(), "make the hinted or begun move"),
        ("u, Backspace".to_owned(), "take a move back"),
        ("U, Ctrl-R".to_owned(), "make it again"),
        ("Home, End, PgUp, PgDn".to_owned(), "look at other turns"),
        ("g".to_owned(), "go to a turn"),
        ("r".to_owned(), "restart"),
        ("L".to_owned(), "restart with other luck"),
        ("i".to_owned(), "hint: the solver's next move"),
        ("v".to_owned(), "what each move is worth"),
        ("t".to_owned(), "where the runner has been"),
        ("Space".to_owned(), "let the solver play, or stop it"),
        ("+ -".to_owned(), "faster, slower"),
        (free('s', "S, Ctrl-S"), "save the moves as a board file"),
        ("n p".to_owned(), "next and previous board"),
        ("E".to_owned(), "edit the board"),
        (free('q', "Q, Esc"), "leave"),
    ];
    all.extend(rest);
    all
}

/// The keys that move.
fn moves(pad: &[String; 9]) -> String {
    let own: Vec<_> = pad
        .iter()
        .filter(|mv| {
            mv.chars()
                .next()
                .is_some_and(|letter| is_key_of(letter, mv))
        })
        .map(String::as_str)
        .collect();
    let is_free = |letter: char| !own.iter().any(|mv| mv.chars().eq([letter]));
    let mut keys = String::from("arrows");
    if "hjkl".chars().all(is_free) {
        keys.push_str(", h j k l");
    }
    if !own.is_empty() {
        keys = format!("{keys}, {}", own.join(" "));
    }
    keys + ", digits"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pad(moves: [&str; 9]) -> [String; 9] {
        moves.map(str::to_owned)
    }

    fn press(code: KeyCode, pad: &[String; 9]) -> Option<Command> {
        command(&KeyEvent::new(code, KeyModifiers::NONE), pad)
    }

    fn mv(text: &str) -> Command {
        Command::Move(text.into())
    }

    #[test]
    fn four_ways_have_arrows_letters_and_digits() {
        let pad = pad(["", "U", "", "L", "S", "R", "", "D", ""]);
        for (keys, text) in [
            ("k8", "U"),
            ("h4", "L"),
            ("l6", "R"),
            ("j2", "D"),
            (".5", "S"),
        ] {
            for key in keys.chars() {
                assert_eq!(press(KeyCode::Char(key), &pad), Some(mv(text)), "{key}");
            }
        }
        assert_eq!(press(KeyCode::Up, &pad), Some(mv("U")));
        assert_eq!(press(KeyCode::Char('7'), &pad), None, "nobody moves aslant");
        assert_eq!(press(KeyCode::Char('u'), &pad), Some(Command::Undo));
        assert_eq!(press(KeyCode::Char('U'), &pad), Some(Command::Redo));
        assert_eq!(press(KeyCode::Char('s'), &pad), Some(Command::Save));
        assert_eq!(press(KeyCode::Char('q'), &pad), Some(Command::Quit));
    }

    #[test]
    fn letters_that_are_moves_mean_nothing_else() {
        let pad = pad(["q", "w", "e", "a", "s", "d", "z", "x", "c"]);
        for letter in "qweasdzxc".chars() {
            let typed = press(KeyCode::Char(letter), &pad);
            assert_eq!(typed, Some(mv(&letter.to_string())));
        }
        assert_eq!(press(KeyCode::Char('9'), &pad), Some(mv("e")));
        assert_eq!(press(KeyCode::Char('h'), &pad), Some(mv("a")));
        assert_eq!(press(KeyCode::Char('S'), &pad), Some(Command::Save));
        assert_eq!(press(KeyCode::Char('Q'), &pad), Some(Command::Quit));
        let control = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
        assert_eq!(command(&control, &pad), Some(Command::Save));
    }

    #[test]
    fn the_numbers_of_a_maze_come_before_those_of_the_pad() {
        let pad = pad(["", "0", "", "3", "", "1", "", "2", ""]);
        for (key, text) in [
            ('0', "0"),
            ('1', "1"),
            ('2', "2"),
            ('3', "3"),
            ('8', "0"),
            ('6', "1"),
        ] {
            assert_eq!(press(KeyCode::Char(key), &pad), Some(mv(text)), "{key}");
        }
    }

    #[test]
    fn help_names_only_keys_that_do_what_it_says() {
        let pad = pad(["q", "w", "e", "a", "s", "d", "z", "x", "c"]);
        let help = help(&pad);
        assert_eq!(help[0].0, "arrows, h j k l, q w e a s d z x c, digits");
        let leave = help.iter().find(|(_, what)| *what == "leave");
        assert_eq!(leave.map(|(keys, _)| keys.as_str()), Some("Q, Esc"));
    }
}
