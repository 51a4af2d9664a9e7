//! The printed rules agree with the program.

use std::fmt::Debug;
use std::str::FromStr;

use getaway::Limits;
use getaway::{Decision, Dir, Step};
use getaway_board::puzzle::{HEADERS, Puzzle, text::Boards};
use getaway_play::expect::Expectation;
use getaway_rules::{
    baddies::{Baddies, Key},
    dungeon::{Dungeon, Move},
    jimmy::Jimmy,
    maze::{Maze, Moving, Way},
    theseus::Theseus,
};
use getaway_ruleset::{Notation, Playable, Ruleset};
use getaway_search::search::Order;
use getaway_solvers::rulesets::{RULESETS, warnings};

fn section(rules: &str, heading: &str) -> String {
    let start = format!("\n## {heading}\n");
    let (_, rest) = rules
        .split_once(&start)
        .unwrap_or_else(|| panic!("there is no heading {heading}:\n{rules}"));
    rest.split("\n## ").next().unwrap().to_owned()
}

fn sample(rules: &str) -> String {
    let text = section(rules, "A board to try");
    let (_, board) = text.split_once("```text\n").expect("a code block");
    board.split("```").next().unwrap().to_owned()
}

fn with_puzzle<T>(text: &str, then: impl FnOnce(&Puzzle) -> T) -> T {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    then(&puzzle)
}

fn spaced(board: &str) -> String {
    let spaced = |line: &str| line.chars().flat_map(|glyph| [glyph, ' ']).collect();
    let row = |line: &str| if line.starts_with(';') { line.to_owned() } else { spaced(line) } + "\n";
    board.lines().map(row).collect()
}

/// Returns the `Debug` text of the sample board with this header; `None` if it is invalid.
fn set<R: Notation + Debug>(key: &str, value: &str) -> Option<String> {
    let board = match value {
        "spaced" => spaced(&sample(R::RULES)),
        _ => sample(R::RULES),
    };
    let text = format!("; {key}: {value}\n{board}");
    with_puzzle(&text, |puzzle| Some(format!("{:?}", R::read(puzzle).ok()?)))
}

fn glyphs_are_told<R: Notation>() {
    let glyphs = section(R::RULES, "Glyphs");
    let items: Vec<_> = glyphs.split("\n- ").skip(1).collect();
    for (same, _, words) in R::LEGEND.signs() {
        for glyph in same.chars() {
            let is_reported = |item: &&&str| {
                let is_letter = item.starts_with("other letters") && glyph.is_ascii_alphabetic();
                let is_space = item.starts_with("space or ") && glyph == ' ';
                is_letter || is_space || item.contains(&format!("`{glyph}`"))
            };
            let item = items.iter().find(is_reported);
            let item = item.unwrap_or_else(|| panic!("{}: `{glyph}` has no item", R::NAME));
            let missing = words.split(' ').find(|word| !item.contains(word));
            assert_eq!(missing, None, "{}: `{glyph}` in {item}", R::NAME);
        }
    }
}

fn moves_are_told<R: Notation, M: FromStr>() {
    let moves = section(R::RULES, "Moves");
    for key in (b'!'..=b'~').map(char::from) {
        let told = [key.to_ascii_lowercase(), key.to_ascii_uppercase()];
        let is_reported = told.iter().any(|key| moves.contains(&format!("`{key}`")));
        let is_move = key.to_string().parse::<M>().is_ok();
        assert_eq!(is_reported, is_move, "{}: `{key}`", R::NAME);
    }
}

fn who_is_first_is_told<R: Notation, P: Playable>() {
    let rules = section(R::RULES, "Rules");
    let first = if P::CHASERS_FIRST {
        format!("{} move first.", P::CHASERS)
    } else {
        format!("{} moves first.", P::RUNNER)
    };
    let told = rules.lines().find(|line| !line.is_empty()).unwrap();
    assert_eq!(told.trim_start_matches("The "), first, "{}", R::NAME);
}

/// Checks the settings, which have the form `` - `key`: VALUES; by default VALUE. PURPOSE. ``.
fn settings_are_told<R: Notation + Debug>() {
    let settings = section(R::RULES, "Settings");
    let mut told = Vec::new();
    for item in settings.split("- ").skip(1) {
        let (key, rest) = item.split_once(": ").unwrap();
        let (values, rest) = rest.split_once("; by default ").unwrap();
        let default = rest.split(". ").next().unwrap();
        let key = key.trim_matches('`');
        told.push(key);
        values_hold::<R>(key, values);
        default_holds::<R>(key, values, default);
        assert_eq!(set::<R>(key, "nonsense"), None, "{}: {key}", R::NAME);
    }
    assert_eq!(told, R::SETTINGS, "{}", R::NAME);
}

fn ends(values: &str) -> (String, String) {
    let words: Vec<_> = values.split(" or ").flat_map(|v| v.split(" to ")).collect();
    let word = |word: &str| word.trim_matches('`').to_owned();
    (word(words[0]), word(words[words.len() - 1]))
}

fn values_hold<R: Notation + Debug>(key: &str, values: &str) {
    let (low, high) = ends(values);
    let is_read = |value: &str| set::<R>(key, value).is_some();
    let beyond = |end: &str, step: i64| (end.parse::<i64>().unwrap() + step).to_string();
    assert!(is_read(&low), "{}: {key}: {low}", R::NAME);
    if values.contains(" to ") || values.ends_with(" or more") {
        assert!(!is_read(&beyond(&low, -1)), "{}: {key}: {values}", R::NAME);
    }
    if values.contains(" to ") {
        assert!(!is_read(&beyond(&high, 1)), "{}: {key}: {values}", R::NAME);
    }
    if high != "more" {
        assert!(is_read(&high), "{}: {key}: {high}", R::NAME);
    }
}

fn default_holds<R: Notation + Debug>(key: &str, values: &str, default: &str) {
    if default == "what it looks like" {
        return;
    }
    let unset = set::<R>("note", "nothing is set");
    let default = default.trim_matches('`');
    assert_eq!(set::<R>(key, default), unset, "{}: {key}", R::NAME);
    let (low, high) = ends(values);
    let other = if low == default { high } else { low };
    // In the drawing of a maze, the runner's id can't be changed, so any other value of `runner` is an error.
    assert_ne!(set::<R>(key, &other), unset, "{}: {key}", R::NAME);
}

fn the_board_to_try_does_as_told(name: &str) {
    let entry = RULESETS.iter().find(|entry| entry.name == name).unwrap();
    with_puzzle(&sample(entry.rules), |puzzle| {
        assert_eq!(puzzle.header("ruleset").unwrap().value, name);
        let game = (entry.read)(puzzle).unwrap();
        assert_eq!(warnings(RULESETS, entry, &*game, puzzle), []);
        let solution = game.solve(Order::DepthFirst, &Limits::default());
        let expect = Expectation::of(puzzle).unwrap().expect("it is told");
        assert_eq!(expect.holds(&solution), Decision::Yes, "{name}");
    });
}

fn holds<R: Notation + Debug, P: Playable, M: FromStr>() {
    assert!(R::RULES.starts_with(&format!("# `{}`: ", R::NAME)));
    glyphs_are_told::<R>();
    moves_are_told::<R, M>();
    who_is_first_is_told::<R, P>();
    settings_are_told::<R>();
    the_board_to_try_does_as_told(R::NAME);
}

#[test]
fn the_page_on_board_files_names_each_header_and_setting() {
    let page = include_str!("../../docs/board-files.md");
    let rows: String = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let settings = RULESETS.iter().flat_map(|entry| entry.settings);
    for key in HEADERS.iter().chain(settings) {
        assert!(rows.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn the_rules_of_each_ruleset_match_its_description() {
    holds::<Jimmy, Jimmy, Dir>();
    holds::<Baddies, Baddies, Key>();
    holds::<Maze, Moving, Way>();
    holds::<Dungeon, Dungeon, Move>();
    holds::<Theseus, Theseus, Step>();
    assert_eq!(RULESETS.len(), 5, "a new ruleset gets a line here");
}

#[test]
fn the_rules_are_numbered() {
    for entry in RULESETS {
        let mut next = 1;
        for line in section(entry.rules, "Rules").lines() {
            if let Some((number, _)) = line.split_once(". ")
                && let Ok(number) = number.parse::<u32>()
            {
                assert_eq!(number, next, "{}", entry.name);
                next += 1;
            }
        }
        assert!(next > 4, "{}: {next}", entry.name);
    }
}

#[test]
fn all_headers_are_described() {
    for header in HEADERS {
        let item = format!("\n- `{header}`: ");
        assert!(
            getaway_board::puzzle::BOARD_FILES.contains(&item),
            "{header}"
        );
    }
}

#[test]
fn positions_use_the_memory_they_report() {
    #[track_caller]
    fn assert_told<R: Ruleset>(rules: &R) {
        let position = rules.start();
        let mut copy = None;
        let taken = getaway_testing::measure(|| copy = Some(position.clone()));
        let taken = size_of_val(&position) as u64 + taken.bytes_current as u64;
        assert_eq!(rules.state_bytes() as u64, taken);
    }
    // The board has too many cells for the inline bits.
    let row = |glyph| format!("g{glyph}{}g\n", ".".repeat(240));
    with_puzzle(&(row("o") + &row(".").repeat(29)), |puzzle| {
        assert_told(&Jimmy::read(puzzle).unwrap());
    });
    with_puzzle("H..Mm~\n......\n*...m.\n", |puzzle| {
        assert_told(&Baddies::read(puzzle).unwrap());
    });
    with_puzzle(
        "---------\n|P...P..E\n|G..D.G.|\n|..Z...Z|\n---------\n",
        |puzzle| {
            assert_told(&Dungeon::read(puzzle).unwrap());
        },
    );
    with_puzzle(
        "; ruleset: theseus\n+-+-+\n|T E|\n+ + +\n|  M|\n+-+-+\n",
        |puzzle| {
            assert_told(&Theseus::read(puzzle).unwrap());
        },
    );
}
