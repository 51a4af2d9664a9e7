//! Faulty programs: each fault is reported, and no process is left running.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{CORRIDOR, PATIENT};
use crate::process::{end, interrupt};
use crate::run::Run;

const ASKED: &str = "read -r hello; echo '{\"protocol\":1}'; read -r start; read -r move\n";

const PATIENCE: Duration = Duration::from_secs(60);

/// Plays a game with this script as the runner, and returns the complaint. Asserts that no process in `ids.txt` is left running.
fn complaint(script: &str, timeouts: &[&str]) -> String {
    let args = [
        &[
            "simulate",
            "a.txt",
            "--seed",
            "1",
            "--json",
            "--runner",
            "sh bad.sh",
        ],
        timeouts,
    ];
    let mut run = Run::new(&args.concat())
        .file("a.txt", CORRIDOR)
        .file("bad.sh", format!("echo $$ >> ids.txt\n{script}"));
    let output = run.output();
    assert_eq!(output.status, Some(2), "{output:?}");
    assert_nothing_is_left(run.path());
    match output.stdout.lines().last() {
        None => output.stderr,
        Some(end) => {
            let end: serde_json::Value = serde_json::from_str(end).unwrap();
            assert_eq!(
                (&end["end"], &end["by"]),
                (&"forfeited".into(), &"runner".into())
            );
            end["reason"].as_str().unwrap().to_owned()
        }
    }
}

pub fn assert_nothing_is_left(folder: &Path) {
    let ids = fs::read_to_string(folder.join("ids.txt")).unwrap();
    assert!(!ids.is_empty());
    let start = Instant::now();
    for id in ids.lines() {
        while is_running(id) {
            assert!(start.elapsed() < PATIENCE, "process {id} is left");
            sleep(Duration::from_millis(5));
        }
    }
}

/// Returns whether a process is running; false for a zombie process.
fn is_running(id: &str) -> bool {
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", id])
        .output()
        .unwrap();
    let state = String::from_utf8(state.stdout).unwrap();
    !(state.trim().is_empty() || state.starts_with('Z'))
}

#[track_caller]
fn check(script: &str, expected: &str) {
    check_within(script, &PATIENT, expected);
}

#[track_caller]
fn check_within(script: &str, timeouts: &[&str], expected: &str) {
    let said = complaint(script, timeouts);
    assert!(said.contains(expected), "{said}");
}

#[test]
fn one_that_crashes_at_once() {
    let expected = "the runner's agent (`sh`) ended too soon, with exit code 3";
    check("exit 3", expected);
}

#[test]
fn one_that_crashes_later() {
    check(&format!("{ASKED} kill -SEGV $$"), "crashed (signal 11)");
    let answers = format!("{ASKED} echo '{{\"move\":\"R\"}}'; read -r move; exit 7");
    check(&answers, "ended too soon, with exit code 7");
}

#[test]
fn one_that_is_silent() {
    let args = ["simulate", "a.txt", "--seed", "1", "--runner"];
    let fault = "did not answer `hello` within 0 s of its start: flush its output or, if it is \
        still loading, use a longer `--start-timeout`";
    Run::new(&[&args[..], &["sleep 1000", "--start-timeout", "0"]].concat())
        .file("a.txt", CORRIDOR)
        .stderr(format!(
            "error: a.txt: the runner's agent (`sleep`) {fault}\n\n"
        ))
        .status(2)
        .check();
}

#[test]
fn one_that_loads_a_library_has_10_seconds() {
    let help = Run::new(&["simulate", "--help"]).output().stdout;
    let (_, start) = help.split_once("--start-timeout <SECONDS>").unwrap();
    let (start, _) = start.split_once("\n\n      --").unwrap();
    assert!(start.contains("[default: 10]"), "{start}");
}

#[test]
fn one_that_is_slow() {
    let timeouts = ["--start-timeout", "60", "--move-timeout", "0.1"];
    let slow = format!("{ASKED} sleep 1000; echo '{{\"move\":\"R\"}}'");
    check_within(
        &slow,
        &timeouts,
        "did not answer within 0.1 s (`--move-timeout`)",
    );
}

#[test]
fn one_that_floods() {
    let endless_line = format!("{ASKED} tr '\\0' x < /dev/zero");
    check(&endless_line, "wrote a line of more than 65,536 bytes");
    let endless_lines = format!("{ASKED} yes '{{\"move\":\"R\"}}'");
    check(
        &endless_lines,
        "wrote `{\"move\":\"R\"}` without being asked",
    );
    check(&format!("{ASKED} yes"), "answered `y`, which is not valid");
}

#[test]
fn one_that_writes_no_json() {
    let expected = "answered `{move: U}`, which is not valid";
    check(&format!("{ASKED} echo '{{move: U}}'; sleep 1000"), expected);
    let expected = "answered `hello`, which is not valid";
    check("echo hello; sleep 1000", expected);
}

#[test]
fn one_that_writes_bytes() {
    let expected = "answered `\u{fffd}\u{fffd}\\u{1}`, which is not valid";
    check(
        &format!("{ASKED} printf '\\377\\376\\001\\n'; sleep 1000"),
        expected,
    );
}

#[test]
fn one_that_makes_illegal_moves() {
    let answer = |mv: &str| format!("{ASKED} echo '{{\"move\":\"{mv}\"}}'; sleep 1000");
    check(
        &answer("U"),
        "answered `U`, which is illegal: a solid cell is in the way; legal: R",
    );
    check(
        &answer("north"),
        "answered `north`, which is illegal: a move is one of `U`, `D`, `L`, `R`; legal: R",
    );
}

#[test]
fn one_that_leaves_a_child_behind() {
    let child = "sleep 1000 & echo $! >> ids.txt";
    check(&format!("{child}; exit 3"), "with exit code 3");
    check(&format!("{ASKED} {child}; exit 4"), "with exit code 4");
}

#[cfg(target_os = "linux")]
#[test]
fn one_that_leaves_a_daemon_behind() {
    let daemon =
        "(setsid sh -c 'echo $$ >> ids.txt; exec sleep 1000' </dev/null >/dev/null 2>&1 &)";
    let is_there = "until test $(wc -l < ids.txt) -gt 1; do sleep 0.01; done";
    check(&format!("{daemon}; {is_there}; exit 3"), "with exit code 3");
    check(
        &format!("{ASKED} {daemon}; {is_there}; exit 4"),
        "with exit code 4",
    );
}

/// The shell starts `sleep`, and then becomes this program with `exec`. The program must not end this child, which no agent
/// started.
#[cfg(target_os = "linux")]
#[test]
fn a_child_started_earlier_keeps_running() {
    let script = format!(
        "sleep 1000 >/dev/null & echo $! > id.txt; exec '{}' simulate --runner 'exit 3' --runs 1 --seed 1 a.txt",
        env!("CARGO_BIN_EXE_getaway")
    );
    let run = crate::run::Run::new(&[]).file("a.txt", "o.\n..\n");
    let status = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(run.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_ne!(status.code(), Some(0), "the runner is gone at once");
    let id = std::fs::read_to_string(run.path().join("id.txt")).unwrap();
    let ended = std::process::Command::new("sh")
        .args(["-c", &format!("kill {id}")])
        .status()
        .unwrap();
    assert!(ended.success(), "it was ended before");
}

#[test]
fn one_that_closes_its_input() {
    check(
        &format!("{ASKED} exec <&-; echo '{{\"move\":\"R\"}}'; sleep 1000"),
        "closed its standard input",
    );
}

#[test]
fn one_that_closes_its_output() {
    check(
        &format!("{ASKED} exec >&-; sleep 1000"),
        "closed its standard output",
    );
}

#[test]
fn one_that_speaks_another_version() {
    let expected = "speaks version 2 of the protocol, not version 1";
    check("echo '{\"protocol\":2}'; sleep 1000", expected);
}

#[test]
fn one_that_ignores_the_end() {
    let script = "trap '' HUP INT TERM PIPE\necho $$ >> ids.txt\n\
        (trap '' HUP INT TERM; sleep 1000) & echo $! >> ids.txt\n";
    let script = format!("{script}{}while :; do sleep 1; done", super::FIRST_LEGAL);
    let args = [
        "simulate",
        "a.txt",
        "--seed",
        "1",
        "--runs",
        "3",
        "--runner",
        "sh bad.sh",
    ];
    let mut run = Run::new(&[&args[..], &PATIENT].concat())
        .file("a.txt", CORRIDOR)
        .file("bad.sh", script);
    let output = run.output();
    assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
    assert_nothing_is_left(run.path());
}

#[test]
fn forfeits_are_counted() {
    let script = format!("{ASKED} echo 'no idea' >&2; exit 1");
    let simulate = |runs: &str| {
        let args = [
            "simulate",
            "a.txt",
            "--seed",
            "1",
            "--runs",
            runs,
            "-j",
            "1",
            "--runner",
            "sh bad.sh",
        ];
        Run::new(&[&args[..], &PATIENT].concat())
            .file("a.txt", CORRIDOR)
            .file("bad.sh", &script)
            .output()
    };
    let fault = "game 0 was forfeited: the runner ended too soon, with exit code 1 (on \
        standard error: no idea)";
    let output = simulate("5");
    assert_eq!(output.stderr, format!("{fault}\n"));
    let expected = "caught 5 (forfeit 5)\nunfinished 0\n5 games forfeited by the runner\n";
    assert!(output.stdout.contains(expected), "{}", output.stdout);
    assert_eq!(output.status, Some(0));
    let output = simulate("20");
    let expected = format!("error: {fault}; stopped after 10 forfeits\n\n");
    assert_eq!((output.stderr, output.status), (expected, Some(2)));
}

/// One game and many: what an agent writes to standard error is bounded, and its last lines are shown.
#[test]
fn the_last_lines_of_standard_error_are_shown() {
    let flood = "yes flood | head -c 1200000 >&2; echo 'the last' >&2; echo 'words' >&2\n";
    let first = format!("{flood}{}", super::FIRST_LEGAL);
    for runs in [&[][..], &["--runs", "1"]] {
        let args = [
            &["simulate", "a.txt", "--seed", "1", "--runner", "sh bad.sh"],
            runs,
            &PATIENT,
        ];
        let output = Run::new(&args.concat())
            .file("a.txt", CORRIDOR)
            .file("bad.sh", &first)
            .output();
        assert_eq!(output.status, Some(0), "{output:?}");
        let head = "the runner's agent wrote to standard error:\n";
        let text = output.stderr.strip_prefix(head).unwrap();
        assert!(text.ends_with("\n  flood\n  the last\n  words\n"), "{text}");
        assert!(text.len() < 4096, "{text}");
    }
}

#[test]
fn the_lines_before_a_fault_are_shown() {
    let script = format!("{ASKED} echo 'Traceback' >&2; echo 'no idea' >&2; exit 1");
    for runs in [&[][..], &["--runs", "1"]] {
        let args = [
            &["simulate", "a.txt", "--seed", "1", "--runner", "sh bad.sh"],
            runs,
            &PATIENT,
        ];
        let output = Run::new(&args.concat())
            .file("a.txt", CORRIDOR)
            .file("bad.sh", &script)
            .output();
        let shown = "the runner's agent wrote to standard error:\n  Traceback\n  no idea\n";
        assert!(output.stderr.ends_with(shown), "{output:?}");
    }
}

/// The agent and its child never read their input, so they do not notice by themselves that the program is gone.
#[test]
fn killing_the_program_kills_its_agents() {
    for runs in [&[][..], &["--runs", "9"]] {
        let args = [
            &["simulate", "a.txt", "--runner", "sh bad.sh"],
            runs,
            &["--start-timeout", "9999", "--move-timeout", "9999"],
        ];
        let script = "sleep 1000 & echo $$ $! | tr ' ' '\n' >> ids.txt; while :; do sleep 1; done";
        let mut run = Run::new(&args.concat())
            .file("a.txt", CORRIDOR)
            .file("bad.sh", script);
        let mut child = run.spawn();
        let start = Instant::now();
        let ids = run.path().join("ids.txt");
        while fs::read_to_string(&ids).map_or(0, |ids| ids.lines().count()) < 2 {
            assert!(start.elapsed() < PATIENCE, "it never starts");
            sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        end(&mut child);
        assert_nothing_is_left(run.path());
    }
}

#[test]
fn an_interrupt_does_not_wait_for_an_answer() {
    let args = ["simulate", "a.txt", "--runner", "sh bad.sh", "--runs", "9"];
    let mut run = Run::new(
        &[
            &args[..],
            &["--start-timeout", "60", "--move-timeout", "9999"],
        ]
        .concat(),
    )
    .file("a.txt", CORRIDOR)
    .file(
        "bad.sh",
        format!("{ASKED} echo $$ >> ids.txt; exec sleep 1000"),
    );
    let mut child = run.spawn();
    let start = Instant::now();
    while !run.path().join("ids.txt").exists() {
        assert!(start.elapsed() < PATIENCE, "it is never asked");
        sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    assert_eq!(end(&mut child).code(), Some(3));
    assert_nothing_is_left(run.path());
}
