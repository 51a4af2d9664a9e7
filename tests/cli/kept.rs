//! Files that a command must not replace, and streams that it must not mix.

use std::fs;

use crate::boards::{EXIT, TRAP};
use crate::run::Run;

fn board_after(args: &[&str], status: i32) -> (String, String) {
    let mut run = Run::new(args).file("a.txt", TRAP).folder("boards");
    let output = run.output();
    assert_eq!(output.status, Some(status), "{args:?}: {}", output.stderr);
    let board = fs::read_to_string(run.path().join("a.txt")).unwrap();
    (board, output.stderr)
}

#[test]
fn an_output_never_replaces_the_board_that_is_read() {
    for args in [
        &["mutate", "a.txt", "-o", "a.txt"][..],
        &["mutate", "a.txt#1", "-o", "boards/../a.txt"],
        &["render", "a.txt", "--format", "svg", "-o", "a.txt"],
        &["solve", "--certificate", "a.txt", "a.txt"],
        &["check", "--output", "a.txt", "."],
        &["check", "--report", "csv=a.txt", "a.txt"],
    ] {
        let (board, told) = board_after(args, 2);
        assert_eq!(board, TRAP, "{args:?}");
        let why = "a.txt: this is one of the board files; name another file for the output";
        assert!(told.contains(why), "{args:?}: {told}");
    }
}

#[test]
fn each_output_needs_its_own_file() {
    for args in [
        &["--report", "csv=r", "--report", "html=./r"][..],
        &["--report", "csv=r", "--output", "r"],
        &["--resume", "r", "--output", "r"],
    ] {
        let args = [&["check", "-q", "a.txt"], args].concat();
        let (_, told) = board_after(&args, 2);
        assert!(
            told.contains("r: two outputs need two files"),
            "{args:?}: {told}"
        );
    }
    let twice = [
        "check",
        "-q",
        "--report",
        "csv=/dev/null",
        "--report",
        "html=/dev/null",
        "a.txt",
    ];
    #[cfg(unix)]
    board_after(&twice, 0);
}

#[test]
fn an_old_file_stays_if_there_are_no_variants() {
    let mut run = Run::new(&["mutate", "--flip", "a.txt", "-o", "old.txt"])
        .file("a.txt", "ooo\n")
        .file("old.txt", "old");
    run.args(&["--timeout", "0"]).output();
    assert_eq!(
        fs::read_to_string(run.path().join("old.txt")).unwrap(),
        "old"
    );
}

#[test]
fn a_limit_while_a_board_is_read_is_no_variant_and_no_picture() {
    for args in [
        &["mutate", "--json"][..],
        &["render", "--format", "svg", "-o", "-"],
    ] {
        Run::new(&[args, &["--max-memory", "10B", "a.txt"]].concat())
            .file("a.txt", TRAP)
            .stderr("a.txt: undecided: memory limit reached\n")
            .status(3)
            .check();
    }
}

#[test]
fn a_certificate_and_the_answer_can_share_standard_output() {
    for (format, answer) in [
        (&[][..], "escape in 1 move: D\n"),
        (&["--json", "--no-timing"], "\"states\":1}\n"),
    ] {
        let args = [&["solve", "--certificate", "-", "a.txt"], format].concat();
        let mut run = Run::new(&args).file("a.txt", EXIT);
        let printed = run.command().output().unwrap().stdout;
        // The certificate comes first, compressed.
        assert!(printed.starts_with(&[31, 139]), "{printed:?}");
        assert!(printed.ends_with(answer.as_bytes()), "{printed:?}");
    }
}

#[test]
fn only_hides_boards_and_not_unreadable_files() {
    let output = Run::new(&[
        "check",
        "-q",
        "--only",
        "mismatch",
        "missing.txt",
        "a.txt#7",
    ])
    .file("a.txt", TRAP)
    .output();
    assert_eq!(output.status, Some(2));
    for told in ["missing.txt: no such file", "there is no board 7"] {
        assert!(output.stderr.contains(told), "{}", output.stderr);
    }
}

#[test]
fn a_hyphen_is_standard_output_and_no_file() {
    let mut run = Run::new(&["agent", "new", "python", "-o", "-"]);
    assert!(
        run.output()
            .stdout
            .contains("A runner that makes random legal moves")
    );
    assert!(!run.path().join("-").exists());
    Run::new(&["check", "--resume", "-", "a.txt"])
        .file("a.txt", TRAP)
        .stderr("error: `--resume -` has no state to continue from: name a file\n\n")
        .status(2)
        .check();
}

#[test]
fn an_id_may_contain_the_sign_before_it() {
    Run::new(&["solve", "a.jsonl#a#b"])
        .file("a.jsonl", "{\"id\": \"a#b\", \"rows\": [\"o\"]}\n")
        .stdout("a.jsonl#1 (a#b): escape in 0 moves\n")
        .check();
}
