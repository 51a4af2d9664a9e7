//! `getaway check`: folders, expectations, the summary, and the same output for any number of threads.

use std::fmt::Write;

use crate::boards::{EXIT, STAIRS, TRAP, WALLED};
use crate::run::Run;

#[test]
fn a_folder_is_summed_up() {
    Run::new(&["check", "--no-timing", "puzzles"])
        .file("puzzles/a.txt", format!("; expect: escape\n{EXIT}"))
        .file(
            "puzzles/b/c.jsonl",
            "{\"rows\": [\"H+*\"]}\n{\"rows\": [\"o\"]}\n",
        )
        .stdout(
            "3 boards in 2 files: 2 escape, 1 caught\n\
             1 as expected, 0 mismatches, 0 errors\n",
        )
        .check();
}

#[test]
fn folders_are_walked_by_name_and_hidden_files_passed_over() {
    let board = format!("; expect: caught\n{EXIT}");
    let line = "mismatch, expected caught: escape in 1 move: D";
    Run::new(&["check", "--no-timing", "z.txt", "top"])
        .file("z.txt", &board)
        .file("top/c.txt", &board)
        .file("top/a/2.txt", &board)
        .file("top/a/1.txt", &board)
        .file("top/a/10.txt", &board)
        .file("top/b", &board)
        .file("top/.hidden.txt", &board)
        .file("top/.git/x.txt", &board)
        .file("top/README.md", &board)
        .stdout(format!(
            "z.txt: {line}\n\
             top/a/1.txt: {line}\n\
             top/a/10.txt: {line}\n\
             top/a/2.txt: {line}\n\
             top/b: {line}\n\
             top/c.txt: {line}\n\
             6 boards in 6 files: 6 escape\n\
             0 as expected, 6 mismatches, 0 errors\n"
        ))
        .status(1)
        .check();
}

#[test]
fn a_file_that_is_named_is_read_whatever_its_name() {
    Run::new(&["check", "--no-timing", ".hidden.md"])
        .file(".hidden.md", EXIT)
        .stdout("1 board in 1 file: 1 escape\n0 as expected, 0 mismatches, 0 errors\n")
        .check();
}

#[test]
fn mismatches_and_undecided_boards_are_listed() {
    Run::new(&["check", "--no-timing", "--max-states", "2", "a.txt"])
        .file(
            "a.txt",
            format!(
                "; name: wrong\n; expect: escape\n{TRAP}\n\
                 ; expect: escape\n{STAIRS}\n\
                 ; expect: undecided\n{STAIRS}\n\
                 ; expect: caught\n{WALLED}\n\
                 ; expect: caught\n{TRAP}"
            ),
        )
        .stdout(
            "a.txt#0 (wrong): mismatch, expected escape: caught\n\
             a.txt#1: undecided: state limit reached after 2 states\n\
             a.txt#2: undecided: state limit reached after 2 states\n\
             5 boards in 1 file: 3 caught, 2 undecided\n\
             3 as expected, 1 mismatch, 0 errors\n",
        )
        .status(3)
        .check();
}

#[test]
fn captures_are_no_failure_of_check() {
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", format!("; expect: caught\n{TRAP}"))
        .stdout("1 board in 1 file: 1 caught\n1 as expected, 0 mismatches, 0 errors\n")
        .check();
}

#[test]
fn a_line_of_play_in_a_header_is_put_to_the_test() {
    let run = |moves: &str, expect: &str| {
        let text = format!("; moves: {moves}\n; expect: {expect}\n{STAIRS}");
        Run::new(&["check", "--no-timing", "a.txt"]).file("a.txt", text)
    };
    run("RDRD", "escape")
        .stdout("1 board in 1 file: 1 escape\n1 as expected, 0 mismatches, 0 errors\n")
        .check();
    let mismatch = |why: &str| {
        format!(
            "a.txt: mismatch, {why}\n1 board in 1 file: 1 escape\n\
             0 as expected, 1 mismatch, 0 errors\n"
        )
    };
    for (moves, why) in [
        (
            "RL",
            "move 2 (`L`) of `moves` is illegal: he has been on that cell before",
        ),
        (
            "RDU",
            "move 3 (`U`) of `moves` is illegal: he has been on that cell before",
        ),
        (
            "D",
            "move 1 (`D`) of `moves` is illegal: a solid is in the way",
        ),
        ("R?", "in `moves`, `?` is no move"),
        (
            "RD",
            "`moves` does not escape: the game is open after 2 moves",
        ),
        (
            "R",
            "`moves` does not escape: the game is open after 1 move",
        ),
        (
            "RDRDR",
            "move 5 (`R`) of `moves` is illegal: the game is over after move 4 (escaped), but the \
             moves go on",
        ),
    ] {
        run(moves, "escape").stdout(mismatch(why)).status(1).check();
    }
}

/// A wall that stands in the way or not, as chance has it.
#[test]
fn a_line_of_play_goes_by_the_seed_of_its_board() {
    let outcome = |seed: u64| {
        let board = format!("; seed: {seed}\n; moves: 1111\nR...*\n..A..\n.....\n");
        let traced = Run::new(&["trace", "a.txt"])
            .file("a.txt", board.as_str())
            .output();
        let checked = Run::new(&["check", "a.txt"])
            .file("a.txt", board.as_str())
            .output();
        let is_legal = traced.status != Some(2);
        assert_eq!(
            checked.status == Some(0),
            is_legal,
            "seed {seed}: {}",
            checked.stdout
        );
        is_legal
    };
    let legal = (0..12).filter(|&seed| outcome(seed)).count();
    assert!((1..12).contains(&legal), "{legal}");
}

#[test]
fn a_folder_without_boards_is_an_error() {
    Run::new(&["check", "--no-timing", "empty"])
        .folder("empty/within")
        .file("empty/notes.md", "nothing here")
        .stdout("0 boards in 0 files\n0 as expected, 0 mismatches, 0 errors\n")
        .stderr("error: there are no board files under the paths given\n\n")
        .status(2)
        .check();
}

#[test]
fn quiet_leaves_the_status_alone() {
    Run::new(&["check", "--quiet", "a.txt"])
        .file("a.txt", format!("; expect: escape\n{TRAP}"))
        .status(1)
        .check();
}

#[test]
fn timing_is_a_line_of_its_own() {
    let output = Run::new(&["check", "a.txt"]).file("a.txt", EXIT).output();
    let lines: Vec<_> = output.stdout.lines().collect();
    let [boards, counts, rate] = lines.as_slice() else {
        panic!("{output:?}");
    };
    assert_eq!(*boards, "1 board in 1 file: 1 escape");
    assert_eq!(*counts, "0 as expected, 0 mismatches, 0 errors");
    assert!(rate.contains(" boards a second ("), "{rate}");
}

#[test]
fn one_bad_board_among_a_thousand_stops_none() {
    let mut boards: Vec<String> = vec![format!("{EXIT}\n"); 1000];
    boards[500] = "; ruleset: jimmy\n..x\n...\n\n".into();
    // Each of the 500 boards before it takes three lines and an empty one.
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", boards.concat())
        .stdout("999 boards in 1 file: 999 escape\n0 as expected, 0 mismatches, 1 error\n")
        .stderr(
            "\
error: no Jimmy (`o`) on this board
    --> a.txt:2002:1
     |
2002 | ..x
     | ^ add a `o`

error: unknown glyph `x`
    --> a.txt:2002:3
     |
2002 | ..x
     |   ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

",
        )
        .status(2)
        .check();
}

#[test]
fn one_bad_file_among_many_stops_none() {
    let mut run = Run::new(&["check", "--no-timing", "many", "missing.txt"]);
    for number in 0..1000 {
        let text = if number == 640 { "o?\n" } else { EXIT };
        run = run.file(format!("many/{number:03}.txt"), text);
    }
    let output = run.output();
    assert_eq!(
        output.stdout,
        "999 boards in 1,001 files: 999 escape\n0 as expected, 0 mismatches, 2 errors\n"
    );
    let (first, second) = output.stderr.split_once("\n\n").unwrap();
    assert!(first.starts_with("error: this board fits no ruleset\n --> many/640.txt:1:1\n"));
    assert_eq!(second, "error: missing.txt: no such file or directory\n\n");
    assert_eq!(output.status, Some(2));
}

/// A stream of numbers, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn glyph(&mut self, glyphs: &str) -> char {
        let at = self.below(glyphs.len() as u64);
        glyphs.as_bytes()[usize::try_from(at).unwrap()] as char
    }
}

/// Random boards of both rulesets. Some are none: two heroes, no Jimmy.
fn random_boards(count: u64) -> String {
    let mut dice = Dice(1);
    let mut text = String::new();
    for number in 0..count {
        let (floor, hero, ladder) = match number % 4 {
            0 => ("       ++#mM~", 'H', '*'),
            _ => ("......####g", 'o', '.'),
        };
        let mut cells: Vec<char> = (0..49).map(|_| dice.glyph(floor)).collect();
        cells[48] = ladder;
        cells[usize::try_from(dice.below(48)).unwrap()] = hero;
        if dice.below(200) == 0 {
            cells[usize::try_from(dice.below(48)).unwrap()] = hero;
        }
        writeln!(text, "; name: number {number}\n; expect: escape").unwrap();
        for row in cells.chunks(7) {
            text.extend(row.iter().chain(&['\n']));
        }
        text += "\n";
    }
    text
}

#[test]
fn the_number_of_threads_changes_nothing() {
    // Enough of it to be cut into several pieces.
    let boards = random_boards(6000);
    assert!(boards.len() > 1 << 18);
    for format in [&["--no-timing"][..], &["--no-timing", "--json"]] {
        let run = |threads: &str| {
            Run::new(&[&["check", "-j", threads, "a.txt"], format].concat())
                .file("a.txt", &boards)
                .output()
        };
        let (one, four) = (run("1"), run("4"));
        assert!(one == four, "{format:?}");
        assert_eq!(one.status, Some(2));
        for verdict in ["escape", "caught"] {
            assert!(one.stdout.contains(verdict));
        }
        assert!(one.stderr.contains("error: two heroes: "));
        assert!(one.stderr.contains("error: two Jimmys: "));
        if format.contains(&"--json") {
            for (number, line) in one.stdout.lines().enumerate() {
                let head = format!(r#"{{"path":"a.txt","board":{number},"name":"number {number}""#);
                assert!(line.starts_with(&head), "{line}");
            }
            assert_eq!(one.stdout.lines().count(), 6000);
        }
    }
}
