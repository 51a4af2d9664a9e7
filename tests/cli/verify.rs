//! `getaway verify`, `solve --certificate` and `check --verify`.

use std::fs;

use crate::boards::{CORNERED, STAIRS, TRAP, WALLED};
use crate::run::Run;

fn certificate(board: &str) -> Vec<u8> {
    let args = ["solve", "--certificate", "evidence.gz", "a.txt"];
    let mut run = Run::new(&args).file("a.txt", board);
    run.output();
    fs::read(run.path().join("evidence.gz")).unwrap()
}

fn verify(board: &str, certificate: &[u8]) -> Run {
    Run::new(&["verify", "a.txt", "evidence.gz"])
        .file("a.txt", board)
        .file("evidence.gz", certificate)
}

#[test]
fn the_proof_is_described_in_a_sentence() {
    for (board, said) in [
        (STAIRS, "escape: the line of 4 moves escapes"),
        (
            TRAP,
            "caught: no move leads out of 1 position, and none of them escapes",
        ),
        (
            WALLED,
            "caught: no move leads out of 1 position, and none of them escapes; the runner can survive forever",
        ),
        (
            CORNERED,
            "caught: no move leads out of 1 position, and none of them escapes; the runner makes at most 1 move",
        ),
        (
            "R.\n.*\n",
            "food: the next move is 2; the search visits 4 cells",
        ),
        (
            "----\n|PE|\n----\n",
            "escape with a probability from 1 to 1; checked at 1 position; certain within 1 turn",
        ),
        (
            "-----\n|PZE|\n-----\n",
            "caught: no move or draw leads out of 1 position, and none of them escapes",
        ),
        (
            "----\n|PG|\n----\n",
            "caught: no move leads out of 2 positions, and none of them escapes",
        ),
    ] {
        let said = format!("{said}\n");
        verify(board, &certificate(board)).stdout(said).check();
    }
}

#[test]
fn a_certificate_in_place_of_the_board_gets_the_right_order() {
    Run::new(&["verify", "evidence.gz", "a.txt"])
        .file("a.txt", TRAP)
        .file("evidence.gz", certificate(TRAP))
        .stderr(
            "error: evidence.gz is a certificate; the board comes first: `getaway verify a.txt evidence.gz`\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn a_certificate_is_refused_for_another_board() {
    let said =
        "the certificate does not hold: it is for another board, or for other rules or settings\n";
    let moved = STAIRS.replacen("#o.##", "#.o##", 1);
    verify(&moved, &certificate(STAIRS))
        .stdout(said)
        .status(1)
        .check();
    let settled = format!("; revisit: true\n{STAIRS}");
    verify(&settled, &certificate(STAIRS))
        .stdout(said)
        .status(1)
        .check();
    let named = format!("; name: stairs\n; a remark\n{STAIRS}");
    let said = "escape: the line of 4 moves escapes\n";
    verify(&named, &certificate(STAIRS)).stdout(said).check();
}

#[test]
fn unreadable_certificates_have_status_2() {
    let whole = certificate(TRAP);
    for (certificate, why) in [
        (&whole[..whole.len() - 5], "it is cut short"),
        (b"TRAP".as_slice(), "it is not a certificate"),
        (b"", "it is not a certificate"),
    ] {
        verify(TRAP, certificate)
            .stderr(format!(
                "error: evidence.gz: the certificate can't be read: {why}\n\n"
            ))
            .status(2)
            .check();
    }
    Run::new(&["verify", "a.txt", "none.gz"])
        .file("a.txt", TRAP)
        .stderr("error: none.gz: no such file or directory\n\n")
        .status(2)
        .check();
}

#[test]
fn a_line_from_any_source_is_judged() {
    for (moves, said, status) in [
        ("RDRD", "the line escapes in 4 moves", 0),
        ("rdrd", "the line escapes in 4 moves", 0),
        (
            "RDR",
            "the line does not escape: it is unfinished after 3 moves",
            1,
        ),
        (
            "RU",
            "move 2 (`U`) is illegal: a solid cell is in the way",
            1,
        ),
        (
            "RDRDD",
            "move 5 (`D`) is illegal: the game is over after move 4 (escaped), but the moves continue",
            1,
        ),
    ] {
        Run::new(&["verify", "a.txt", "--moves", moves])
            .file("a.txt", STAIRS)
            .stdout(format!("{said}\n"))
            .status(status)
            .check();
    }
    Run::new(&["verify", "a.txt", "--moves", "m"])
        .file("a.txt", STAIRS)
        .stderr("error: in `--moves`, at character 1: `m` is not a move: a move is one of `U`, `D`, `L`, `R`\n\n")
        .status(2)
        .check();
}

#[test]
fn a_line_may_end_within_a_turn_only_if_the_game_does() {
    let board = "; ruleset: dungeon\n-------\n|P.P.E|\n-------\n";
    let verify = |moves, goal| {
        let set = ["--override", goal];
        Run::new(&[&["verify", "a.txt", "--moves", moves], &set[..]].concat()).file("a.txt", board)
    };
    for (moves, goal) in [("R,R .,R", "goal=any"), (".,R .,R R R R R", "goal=all")] {
        let output = verify(moves, goal).output();
        assert_eq!(output.status, Some(0), "{moves}: {}", output.stderr);
    }
    // The first player is not yet at the exit.
    verify("R,R R", "goal=any")
        .stderr(
            "error: in `--moves`, at character 5: `R` is not a whole turn: \
             write a move for each player on the board, as in `R,.`\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn a_limit_ends_verification_with_status_3() {
    let walled = "H..+*\n";
    let certificate = certificate(walled);
    for (limit, value, said) in [
        ("--max-states", "1", "undecided: state limit reached\n"),
        ("--timeout", "0", "undecided: timed out\n"),
    ] {
        Run::new(&["verify", "a.txt", "evidence.gz", limit, value])
            .file("a.txt", walled)
            .file("evidence.gz", &certificate)
            .stdout(said)
            .status(3)
            .check();
    }
}

#[test]
fn a_certificate_is_for_one_board() {
    Run::new(&["solve", "--certificate", "evidence.gz", "a.txt"])
        .file("a.txt", format!("{TRAP}\n{TRAP}"))
        .stdout("a.txt#1: caught\n")
        .stderr(
            "error: this is a second board, but a certificate covers only one\n --> a.txt:5:1\n  |\n\
             5 | ###\n  | ^ name the board as FILE#N\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn check_verifies_every_board() {
    Run::new(&["check", "--verify", "--no-timing", "a.txt"])
        .file("a.txt", format!("{STAIRS}\n{TRAP}\n{TRAP}"))
        .stdout(
            "3 boards in 1 file: 1 escape, 2 caught\n\
             0 as expected, 0 mismatched, 3 without expectation, 0 undecided, 0 errors\n",
        )
        .check();
}

/// The certificate needs more memory than the answer.
#[test]
fn evidence_too_large_for_memory_reaches_the_limit() {
    let level = "; ruleset: dungeon\n-----------\n|K...Z.D.P|\n|......|.E|\n-----------\n";
    let switches = ["check", "--verify", "--no-timing", "a.txt", "--max-memory"];
    for (memory, is_enough) in [("64KB", false), ("64MB", true)] {
        let told = Run::new(&[&switches[..], &[memory]].concat())
            .file("a.txt", level)
            .output();
        let warning =
            "warning: the evidence for this answer was not checked: memory limit reached\n";
        assert!(told.stdout.contains("1 escape"), "{}", told.stdout);
        assert_eq!(
            told.stderr.is_empty(),
            is_enough,
            "{memory}: {}",
            told.stderr
        );
        assert_eq!(told.stderr.starts_with(warning), !is_enough, "{memory}");
        assert_eq!(told.status, Some(if is_enough { 0 } else { 3 }));
    }
}

/// The certificate needs more positions than the answer.
#[test]
fn an_answer_without_evidence_within_a_limit_is_unverified() {
    let boards = "o\n#\n\n; expect: caught\n######\n#o...#\n######\n";
    let switches = [
        "check",
        "--verify",
        "--no-timing",
        "a.txt",
        "--max-states",
        "2",
    ];
    let told = Run::new(&switches).file("a.txt", boards).output();
    assert_eq!(
        told.stdout,
        "2 boards in 1 file: 1 escape, 1 caught\n\
         1 as expected, 0 mismatched, 1 without expectation, 0 undecided, 0 errors\n\
         1 board with warnings\n\
         1 answer not verified: a limit was reached\n"
    );
    let warning = "warning: the evidence for this answer was not checked: state limit reached\n --> a.txt:5:1\n";
    assert!(told.stderr.starts_with(warning), "{}", told.stderr);
    assert_eq!(told.status, Some(3));
    let json = Run::new(&[&switches[..], &["--json"]].concat())
        .file("a.txt", boards)
        .output();
    let second = json.stdout.lines().nth(1).unwrap();
    assert!(
        second.contains("\"verdict\":\"caught\"")
            && second.contains("\"ok\":true,\"verified\":false,"),
        "{second}"
    );
    assert!(
        second.contains(
            "\"warnings\":[\"line 5, column 1: the evidence for this answer was not checked: "
        ),
        "{second}"
    );
}
