//! `getaway census`. `tests/library/census.rs` checks the counts.

use std::fs;

use serde_json::{Value, json};

use crate::run::Run;

/// The counts follow by hand. Jimmy is on the border (8 of 9 cells) or in the middle, and the ghost on one of the other 8
/// cells; the remaining 7 are empty or solid. In the middle, he is caught if the ghost is beside him. From a corner, the ghost
/// first steps beside him; then he escapes unless the other three cells beside him are solid.
///
/// A board equals its mirror image if both actors are on the axis: in 2 x 2 placements with Jimmy on the border, and in 2
/// with the ghost beside him in the middle. The contents of four other cells are free, which gives 64 and 32 boards for each of
/// two mirrors. The half turn keeps only the middle in place, so it changes every board.
#[test]
fn the_answers_of_all_boards_are_a_table() {
    let (border, inside) = (8 * 8 * 128, 8 * 128);
    let caught = 4 * (128 / 8) + 4 * 128;
    assert_eq!((border, inside - caught, caught), (8192, 448, 576));
    assert_eq!((border + 2 * 64) / 4, 2080);
    assert_eq!((caught + 2 * 32) / 4, 160);
    assert_eq!((inside - caught) / 4, 112);
    Run::new(&[
        "census",
        "jimmy",
        "--rows",
        "3",
        "--cols",
        "3",
        "--no-timing",
    ])
    .stdout(
        "\
answer             boards  up to symmetry
escape in 0 moves   8,192           2,080
escape in 1 move      448             112
caught                576             160
all                 9,216           2,352

the first board with an escape in 1 move:
; ruleset: jimmy
; expect: escape
; moves: D
g..
.o.
...
",
    )
    .check();
}

const BADDIES: [&str; 8] = [
    "census",
    "baddies",
    "--rows",
    "2",
    "--cols",
    "3",
    "--monsters",
    "1",
];

fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&BADDIES, args].concat()
}

#[test]
fn threads_make_no_difference() {
    let output = |threads| Run::new(&with(&["--json", "-j", threads])).output();
    let one = output("1");
    assert_eq!(one.status, Some(0));
    assert_eq!(one, output("3"));
    let rows: Vec<Value> = one
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let boards = |row: &Value| row["boards"].as_u64().unwrap();
    assert_eq!(rows.iter().map(boards).sum::<u64>(), 6 * 5 * 4 * 27);
    assert_eq!(
        (&rows[0]["verdict"], &rows[0]["length"]),
        (&json!("escape"), &json!(1))
    );
}

#[test]
fn the_first_boards_pass_check() {
    let run = &mut Run::new(&with(&["-o", "firsts.txt"]));
    run.output();
    let firsts = fs::read_to_string(run.path().join("firsts.txt")).unwrap();
    let checked = Run::new(&["check", "--no-timing", "firsts.txt"])
        .file("firsts.txt", &firsts)
        .output();
    assert_eq!(
        checked.status,
        Some(0),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    assert!(firsts.contains("; name: escape in 1 move\n") && firsts.contains("; name: caught\n"));
}

#[test]
fn an_interrupted_census_resumes() {
    let whole = Run::new(&with(&["--json"])).output();
    let run = &mut Run::new(&with(&[
        "--timeout",
        "0",
        "--resume",
        "state.json",
        "--json",
    ]));
    let broken_off = run.output();
    assert_eq!((broken_off.status, &*broken_off.stdout), (Some(3), ""));
    assert!(
        broken_off
            .stderr
            .contains("timed out: not all boards are counted"),
        "{}",
        broken_off.stderr
    );
    let state = fs::read(run.path().join("state.json")).unwrap();
    let resume = |state: &[u8]| {
        let run =
            &mut Run::new(&with(&["--resume", "state.json", "--json"])).file("state.json", state);
        let mut output = run.output();
        let note =
            output.stderr.starts_with("state.json") && output.stderr.contains("continuing after");
        if note {
            output.stderr.clear();
        }
        (output, fs::read(run.path().join("state.json")).unwrap())
    };
    let (resumed, done) = resume(&state);
    assert_eq!(resumed, whole);
    let (again, _) = resume(&done);
    assert_eq!(again, whole, "nothing is counted twice");
    for cut in (0..done.len()).step_by(done.len() / 7) {
        assert_eq!(resume(&done[..cut]).0, whole, "cut at {cut}");
        let mut damaged = done.clone();
        damaged[cut] ^= 1;
        if cut > 20 {
            assert_eq!(resume(&damaged).0, whole, "damaged at {cut}");
        }
    }
}

#[test]
fn a_state_of_something_else_is_refused() {
    let refused = |state: &[u8], why| {
        let output = Run::new(&with(&["--resume", "state.json"]))
            .file("state.json", state)
            .output();
        assert_eq!(output.status, Some(2));
        assert!(output.stderr.contains(why), "{}", output.stderr);
    };
    refused(b"{}", "is not a `--resume` file");
    let run = &mut Run::new(&with(&["--max-states", "7", "--resume", "state.json"]));
    run.output();
    let other = fs::read(run.path().join("state.json")).unwrap();
    refused(&other, "the state of another run");
    let run = &mut Run::new(&["check", "--resume", "state.json", "a.txt"]).file("a.txt", "o\n");
    run.output();
    let check = fs::read(run.path().join("state.json")).unwrap();
    refused(&check, "the state of another run");
}

#[test]
fn an_impossible_count_is_an_error() {
    let jimmy = |args: &[&str], why: &str| {
        let output = Run::new(&[&["census", "jimmy"], args].concat()).output();
        assert_eq!((output.status, &*output.stdout), (Some(2), ""));
        assert!(output.stderr.contains(why), "{}", output.stderr);
    };
    jimmy(
        &["--rows", "2", "--cols", "2", "--ghosts", "4"],
        "5 pieces do not fit on 4 cells",
    );
    jimmy(&["--rows", "0"], "0 x 4");
    jimmy(&["--rows", "100", "--cols", "100"], "at most 128 cells");
    jimmy(
        &["--ghosts", "18446744073709551615"],
        "do not fit on 16 cells",
    );
    jimmy(
        &["--rows", "8", "--cols", "8", "--ghosts", "9"],
        "too many ways to place the actors",
    );
    jimmy(&["--monsters", "1"], "`jimmy` has no monsters");
}

#[test]
fn boards_that_take_too_many_states_are_counted_as_undecided() {
    let output = Run::new(&["census", "jimmy", "--max-states", "1", "--no-timing"]).output();
    assert_eq!(output.status, Some(3));
    assert!(output.stdout.contains("\nundecided "), "{}", output.stdout);
}
