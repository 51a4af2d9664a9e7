//! `getaway check`.

use crate::boards::{EXIT, STAIRS, TRAP, WALLED, random_boards};
use crate::run::Run;
use crate::sized;

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
             1 as expected, 0 mismatched, 2 without expectation, 0 undecided, 0 errors\n",
        )
        .check();
}

#[test]
fn folders_are_walked_by_name_and_hidden_files_are_skipped() {
    let board = format!("; expect: caught\n{EXIT}");
    let line = "mismatch: expected caught, got escape in 1 move: D";
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
             by file:\n  \
             z.txt: 1 mismatch\n  \
             top/a/1.txt: 1 mismatch\n  \
             top/a/10.txt: 1 mismatch\n  \
             top/a/2.txt: 1 mismatch\n  \
             top/b: 1 mismatch\n  \
             top/c.txt: 1 mismatch\n\
             6 boards in 6 files: 6 escape\n\
             0 as expected, 6 mismatched, 0 without expectation, 0 undecided, 0 errors\n\
             skipped: 1 other file (.md), 2 hidden\n"
        ))
        .status(1)
        .check();
}

/// The board is the first one of `tests/cases/dungeon.jsonl`, for which an independent program answers 0.299701.
#[test]
fn a_probability_can_be_expected() {
    let board = |expected: &str| {
        let rows = "- - - - X X X - - - -\n|     | E     D   Z |\n|     |   X X |     G\n\
                    - D - -   X X |    P|\nX         X X - - - -\nX X X X X X X X X X X\n";
        let headers = "; ruleset: dungeon\n; strategy: chase\n; radius: 10\n";
        format!("{headers}; expect: {expected}\n{rows}")
    };
    let run = |expected: &str, limit: &[&str]| {
        let args = [&["check", "--json", "--no-timing"], limit, &["-"]].concat();
        Run::new(&args).stdin(board(expected)).output()
    };
    for (expected, status, told) in [
        ("0.299701", 0, "\"expect\":0.299701,\"ok\":true}"),
        ("0.29970104", 0, "\"expect\":0.29970104,\"ok\":true}"),
        ("0.2998", 1, "\"expect\":0.2998,\"ok\":false}"),
        ("0.0", 1, "\"expect\":0.0,\"ok\":false}"),
        ("1", 1, "\"expect\":1,\"ok\":false}"),
        ("-0.0", 2, "\"error\":"),
        ("1.1", 2, "\"error\":"),
        ("nan.", 2, "\"error\":"),
    ] {
        let output = run(expected, &[]);
        assert_eq!(output.status, Some(status), "{expected}");
        assert!(
            output.stdout.contains(told),
            "{expected}: {}",
            output.stdout
        );
    }
    assert_eq!(run("0.299701", &["--max-states", "1"]).status, Some(3));
}

/// In JSON, the probabilities 0 and 1 have no decimal point.
#[test]
fn a_whole_number_is_a_probability_in_a_game_of_chance() {
    for (rows, right) in [("|P...E|", "1"), ("|P.|.E|", "0")] {
        for expected in ["0", "1"] {
            let board =
                format!("; ruleset: dungeon\n; expect: {expected}\n-------\n{rows}\n-------\n");
            let status = i32::from(expected != right);
            let output = Run::new(&["check", "-"]).stdin(board).output();
            assert_eq!(output.status, Some(status), "{rows} {expected}: {output:?}");
        }
    }
}

#[test]
fn an_expected_probability_does_not_change_what_solve_returns() {
    let rows = "-------\n|..E..|\n|.Z...|\n|P...G|\n-------\n";
    let solve = |header: &str| {
        let board = format!("; ruleset: dungeon\n{header}{rows}");
        let args = ["solve", "--no-timing", "--max-states", "50", "-"];
        Run::new(&args).stdin(board).output()
    };
    let (plain, expecting) = (solve(""), solve("; expect: 0.5\n"));
    assert!(plain.stdout.contains("probability"), "{plain:?}");
    assert_eq!(plain.status, expecting.status, "{expecting:?}");
}

#[test]
fn a_named_file_of_another_kind_is_an_error_and_no_mismatch() {
    Run::new(&["check", "--no-timing", "answers.doc", "a.txt"])
        .file("answers.doc", EXIT)
        .file("a.txt", EXIT)
        .stdout(format!(
            "1 board in 2 files: 1 escape\n{}1 file could not be read\n",
            counts([0, 0, 1, 0, 0])
        ))
        .stderr(
            "error: answers.doc: `.doc` is not the ending of a board file (.txt, .jsonl, .board, \
             .map, .maze, .level, .lvl, .grid, .puzzle, .brd, .parquet, .arrow, .arrows, .feather; \
             also with .gz or .zst); rename it, or pipe it into `-`\n\n",
        )
        .status(2)
        .check();
}

fn counts([ok, bad, free, open, wrong]: [u32; 5]) -> String {
    let errors = if wrong == 1 { "error" } else { "errors" };
    format!(
        "{ok} as expected, {bad} mismatched, {free} without expectation, {open} undecided, \
         {wrong} {errors}\n"
    )
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
        .stdout(format!(
            "a.txt#1 (wrong): mismatch: expected escape, got caught\n\
             a.txt#2: undecided: state limit reached after 2 states\n\
             a.txt#3: undecided: state limit reached after 2 states\n\
             by file:\n  a.txt: 1 mismatch, 1 undecided\n\
             5 boards in 1 file: 3 caught, 2 undecided\n{}",
            counts([3, 1, 0, 1, 0])
        ))
        .status(3)
        .check();
}

#[test]
fn captures_are_no_failure_of_check() {
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", format!("; expect: caught\n{TRAP}"))
        .stdout(format!(
            "1 board in 1 file: 1 caught\n{}",
            counts([1, 0, 0, 0, 0])
        ))
        .check();
}

#[test]
fn a_line_of_play_in_a_header_is_checked() {
    let run = |moves: &str, expect: &str| {
        let text = format!("; moves: {moves}\n; expect: {expect}\n{STAIRS}");
        Run::new(&["check", "--no-timing", "a.txt"]).file("a.txt", text)
    };
    run("RDRD", "escape")
        .stdout(format!(
            "1 board in 1 file: 1 escape\n{}",
            counts([1, 0, 0, 0, 0])
        ))
        .check();
    let mismatch = |why: &str| {
        format!(
            "a.txt: mismatch: {why}\n1 board in 1 file: 1 escape\n{}",
            counts([0, 1, 0, 0, 0])
        )
    };
    for (moves, why) in [
        (
            "RL",
            "move 2 (`L`) of `moves` is illegal: he has already visited that cell",
        ),
        (
            "RDU",
            "move 3 (`U`) of `moves` is illegal: he has already visited that cell",
        ),
        (
            "D",
            "move 1 (`D`) of `moves` is illegal: a solid cell is in the way",
        ),
        (
            "R?",
            "in `moves`, `?` is not a move: a move is one of `U`, `D`, `L`, `R`",
        ),
        (
            "RD",
            "`moves` does not escape: it is unfinished after 2 moves",
        ),
        (
            "R",
            "`moves` does not escape: it is unfinished after 1 move",
        ),
        (
            "RDRDR",
            "move 5 (`R`) of `moves` is illegal: the game is over after move 4 (escaped), but the moves continue",
        ),
    ] {
        run(moves, "escape").stdout(mismatch(why)).status(1).check();
    }
}

/// If the hero stays, the monster steps onto him.
#[test]
fn a_line_that_is_caught_is_a_mismatch_where_an_escape_is_expected() {
    let run = |expect: &str| {
        Run::new(&["check", "--no-timing", "a.txt"])
            .file("a.txt", format!("{expect}; moves: s\n*Hm\n"))
    };
    let summed = |ok, bad, without| {
        format!(
            "1 board in 1 file: 1 escape\n\
             {ok} as expected, {bad} mismatched, {without} without expectation, 0 undecided, 0 errors\n"
        )
    };
    run("; expect: escape\n")
        .stdout(format!(
            "a.txt: mismatch: `moves` does not escape: caught by a chaser after 1 move\n{}",
            summed(0, 1, 0)
        ))
        .status(1)
        .check();
    run("").stdout(summed(0, 0, 1)).check();
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", "; moves: R\n####\n#o..\n####\n")
        .stdout(summed(0, 0, 1))
        .check();
}

/// Chance decides whether the wall gets in the way.
#[test]
fn a_line_of_play_uses_the_seed_of_its_board() {
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
        .stderr(
            "error: there are no board files in the given paths (skipped: 1 other file \
             (.md))\n\n",
        )
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
    assert!(
        counts.starts_with("0 as expected, 0 mismatched, 1 without"),
        "{counts}"
    );
    assert!(rate.contains(" boards per second ("), "{rate}");
}

#[test]
fn one_bad_board_among_a_thousand_stops_none() {
    let mut boards: Vec<String> = vec![format!("{EXIT}\n"); 1000];
    boards[500] = "; ruleset: jimmy\n..x\n...\n\n".into();
    // Each of the 500 earlier boards has four lines.
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", boards.concat())
        .stdout(format!(
            "by file:\n  a.txt: 1 error\n1,000 boards in 1 file: 999 escape\n{}",
            counts([0, 0, 999, 0, 1])
        ))
        .stderr(
            "\
error: no Jimmy (`o`) on this board
    --> a.txt:2002:1
     |
2002 | ..x
     | ^ add an `o`

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
        format!(
            "by file:\n  many/640.txt: 1 error\n  missing.txt: 1 error\n\
             1,000 boards in 1,001 files: 999 escape\n{}1 file could not be read\n",
            counts([0, 0, 999, 0, 1])
        )
    );
    let (first, second) = output.stderr.split_once("\n\n").unwrap();
    assert!(first.starts_with("error: this board fits no ruleset\n --> many/640.txt:1:2\n"));
    assert_eq!(second, "error: missing.txt: no such file or directory\n\n");
    assert_eq!(output.status, Some(2));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let count = sized(4000, 6000);
    let boards = random_boards(count);
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
            assert_eq!(one.stdout.lines().count() as u64, count);
        }
    }
}

#[test]
fn errors_and_mismatches_are_capped_and_summed_up() {
    let boards = format!(
        "{}; ruleset: jimmy\n..\n\n",
        format!("; expect: caught\n{EXIT}\n").repeat(3)
    );
    let output = Run::new(&[
        "check",
        "--no-timing",
        "--max-errors",
        "4",
        "a.txt",
        "b.txt",
    ])
    .file("a.txt", boards.repeat(2))
    .file("b.txt", boards.repeat(1000))
    .output();
    assert_eq!(output.stderr.matches("error: no Jimmy").count(), 4);
    assert!(
        output
            .stderr
            .ends_with("\n... and 998 more errors (`--max-errors` sets how many are shown)\n"),
        "{}",
        output.stderr
    );
    let line = "mismatch: expected caught, got escape in 1 move: D";
    assert_eq!(
        output.stdout,
        format!(
            "a.txt#1: {line}\na.txt#2: {line}\na.txt#3: {line}\na.txt#5: {line}\n\
             ... and 3,002 more boards like these (`--max-errors` sets how many are shown)\n\
             by file:\n  a.txt: 6 mismatches, 2 errors\n  b.txt: 3,000 mismatches, 1,000 errors\n\
             4,008 boards in 2 files: 3,006 escape\n\
             0 as expected, 3,006 mismatched, 0 without expectation, 0 undecided, 1,002 errors\n"
        )
    );
}

#[test]
fn boards_of_the_same_name_in_two_files_are_distinguished() {
    let board = format!("; name: one\n; expect: caught\n{EXIT}");
    let line = "mismatch: expected caught, got escape in 1 move: D\n";
    let output = Run::new(&["check", "--no-timing", "a.txt", "b.txt"])
        .file("a.txt", &board)
        .file("b.txt", &board)
        .output();
    let text = format!("a.txt (one): {line}b.txt (one): {line}");
    assert!(output.stdout.starts_with(&text), "{}", output.stdout);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_is_skipped() {
    let run = Run::new(&["check", "--no-timing", "."]).file("a.txt", EXIT);
    let pipe = run.path().join("pipe.txt");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(pipe)
            .status()
            .unwrap()
            .success()
    );
    run.stdout(format!(
        "1 board in 1 file: 1 escape\n{}skipped: 1 special file\n",
        counts([0, 0, 1, 0, 0])
    ))
    .check();
}

#[cfg(unix)]
#[test]
fn a_link_in_a_circle_is_an_error_and_ends_nothing() {
    let run = Run::new(&["check", "--no-timing", "top"]).file("top/a.txt", EXIT);
    std::os::unix::fs::symlink(".", run.path().join("top/loop")).unwrap();
    run.stdout(format!(
        "1 board in 2 files: 1 escape\n{}1 file could not be read\n",
        counts([0, 0, 1, 0, 0])
    ))
    .stderr("error: top/loop: a link back to top, which contains it\n\n")
    .status(2)
    .check();
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_over_a_board_is_an_error_of_that_board() {
    let boards = format!("; name: good\n{EXIT}\n; name: bad\n{EXIT}\n; name: good\n{EXIT}");
    for threads in ["1", "2"] {
        let output = Run::new(&["check", "--no-timing", "-j", threads, "a.txt", "b.txt"])
            .env("GETAWAY_TEST_PANIC", "bad")
            .file("a.txt", &boards)
            .file("b.txt", EXIT)
            .output();
        assert!(
            output
                .stderr
                .starts_with("error: internal error: a panic on purpose (at src/"),
            "{}",
            output.stderr
        );
        assert!(output.stderr.contains("--> a.txt:7:1"), "{}", output.stderr);
        assert!(
            output.stderr.contains("please report it"),
            "{}",
            output.stderr
        );
        assert_eq!(
            output.stdout,
            format!(
                "by file:\n  a.txt: 1 error\n4 boards in 2 files: 3 escape\n{}",
                counts([0, 0, 3, 0, 1])
            )
        );
        assert_eq!(output.status, Some(2));
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_of_the_reader_ends_the_run_with_an_error() {
    let output = Run::new(&["check", "--no-timing", "."])
        .env("GETAWAY_TEST_PANIC", "reader")
        .file("a.txt", EXIT)
        .file("b.txt", EXIT)
        .output();
    assert!(
        output
            .stderr
            .starts_with("error: the input: internal error: a panic on purpose"),
        "{}",
        output.stderr
    );
    assert_eq!(output.status, Some(2));
}

#[test]
fn the_library_writes_the_same_json() {
    let text = format!(
        "\u{feff}; name: exit\n; expect: caught\n{EXIT}\n; moves: U\n{EXIT}\n; expct: escape\n{STAIRS}\n#oo\r\n###\r\n\
         \n; ruleset: chess\n...\n\n; expect: maybe\n{TRAP}\n; ruleset: dungeon\n-----\n|..E|\n-----\n\n{WALLED}"
    );
    let lines = "{\"id\": 1, \"rows\": [\"o\"]}\n{\"rows\": 5}\n\n{\"ruleset\": \"dungeon\", \"rows\": [\"PGE\"]}\n{";
    for input in [&*text, lines, "", "; a remark\n", "\0", "[1, 2"] {
        let mut run = Run::new(&["check", "--json", "--no-timing", "-"]).stdin(input);
        let told = run.output();
        let answers = getaway::solvers::answers::check(input, &getaway::Limits::default);
        assert_eq!(answers, told.stdout, "{input:?}");
    }
}

#[test]
fn boards_that_cannot_be_solved_are_counted_with_the_verdicts() {
    let five = "; ruleset: dungeon\n; expect: unsolvable\n--------\n|PPPPPE|\n--------\n";
    Run::new(&["check", "--no-timing", "a.txt"])
        .file("a.txt", five)
        .stdout(
            "1 board in 1 file: 1 unsolvable\n\
             1 as expected, 0 mismatched, 0 without expectation, 0 undecided, 0 errors\n",
        )
        .check();
}
