//! Pipes and signals.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::boards::{EXIT, endless, endless_of, random_boards};
use crate::run::{Output, Run};
use crate::sized;

const PATIENCE: Duration = Duration::from_secs(120);

pub fn end(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the program hangs");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn all_of(mut pipe: impl Read) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).unwrap();
    text
}

/// Waits until the program handles SIGINT and SIGTERM. It installs its handlers for them last, in this order.
fn wait_until_it_listens(child: &Child) {
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        let signals = u64::from_str_radix(caught.trim(), 16).ok()?;
        let (int, term) = (1 << 1, 1 << 14);
        Some(signals & int != 0 && signals & term != 0)
    };
    let start = Instant::now();
    while listens() != Some(true) {
        assert!(start.elapsed() < PATIENCE, "it never listens for signals");
        thread::sleep(Duration::from_millis(5));
    }
}

pub fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(status.success());
}

fn interrupted(args: &[&str]) -> (String, String, Option<i32>) {
    let mut run = Run::new(args)
        .file("endless.txt", endless())
        .file("exit.txt", EXIT);
    let mut child = run.spawn();
    wait_until_it_listens(&child);
    interrupt(&child);
    let status = end(&mut child);
    let stdout = all_of(child.stdout.take().unwrap());
    (stdout, all_of(child.stderr.take().unwrap()), status.code())
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_a_board_undecided() {
    let (stdout, stderr, status) = interrupted(&["solve", "endless.txt"]);
    let number = stdout
        .strip_prefix("undecided: interrupted after ")
        .and_then(|rest| rest.strip_suffix(" states\n"))
        .map(|number| number.replace(',', "").parse::<u64>());
    assert!(matches!(number, Some(Ok(_))), "{stdout:?}");
    assert_eq!((&*stderr, status), ("", Some(3)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_shows_in_json_too() {
    let (stdout, stderr, status) = interrupted(&["solve", "--json", "--no-timing", "endless.txt"]);
    let mut value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert!(value["states"].take().is_u64());
    assert_eq!(
        value,
        serde_json::json!({
            "path": "endless.txt", "board": 0, "ruleset": "baddies", "verdict": "undecided",
            "states": null, "limit": "interrupt"
        })
    );
    assert_eq!((&*stderr, status), ("", Some(3)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_keeps_the_new_boards() {
    let args = ["generate", "theseus", "-n", "1000000", "-o", "new.txt"];
    let mut run = Run::new(&args);
    let mut child = run.spawn();
    wait_until_it_listens(&child);
    interrupt(&child);
    let status = end(&mut child);
    let told = all_of(child.stderr.take().unwrap());
    let boards = fs::read_to_string(run.path().join("new.txt")).unwrap();
    let made = boards.matches("; ruleset: theseus").count() as u64;
    let number = told
        .strip_prefix("interrupted after ")
        .and_then(|rest| rest.strip_suffix(" of 1,000,000\n"))
        .and_then(|count| count.split(' ').next())
        .map(|number| number.replace(',', "").parse::<u64>());
    assert_eq!((number, status.code()), (Some(Ok(made)), Some(3)), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_trace_is_undecided() {
    let (stdout, stderr, status) = interrupted(&["trace", "endless.txt"]);
    assert_eq!(stdout, "undecided: interrupted\n");
    assert_eq!((&*stderr, status), ("", Some(3)));
}

/// A warning of the second board shows that the first one is done.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_comparison_prints_the_boards_that_are_done() {
    let mut run = Run::new(&["compare", "exit.txt", "endless.txt", "--json"])
        .file("endless.txt", format!("; colour: red\n{}", endless()))
        .file("exit.txt", EXIT);
    let mut child = run.spawn();
    wait_until_it_listens(&child);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut warning = String::new();
    stderr.read_line(&mut warning).unwrap();
    assert!(warning.starts_with("warning: "), "{warning}");
    interrupt(&child);
    let status = end(&mut child);
    let stdout = all_of(child.stdout.take().unwrap());
    let table: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(table["boards"].as_array().unwrap().len(), 1, "{stdout}");
    let stderr = all_of(stderr);
    let last = "endless.txt: interrupted before all games were played\n";
    assert!(stderr.ends_with(last), "{stderr}");
    assert_eq!(status.code(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_wait_for_input_is_undecided() {
    for (command, stdout) in [
        ("solve", ""),
        (
            "check",
            "0 boards in 0 files\n\
             0 as expected, 0 mismatched, 0 without expectation, 0 undecided, 0 errors\n\
             interrupted: the rest was skipped\n",
        ),
    ] {
        let mut child = Run::new(&[command, "--no-timing", "-"]).spawn();
        let input = child.stdin.take();
        wait_until_it_listens(&child);
        interrupt(&child);
        let status = end(&mut child);
        assert_eq!(all_of(child.stdout.take().unwrap()), stdout);
        assert_eq!(all_of(child.stderr.take().unwrap()), "");
        assert_eq!(status.code(), Some(3), "{command}");
        drop(input);
    }
}

/// Starts a program that blocks on a full pipe.
#[cfg(target_os = "linux")]
fn stuck() -> (Run, Child) {
    let boards = format!("{EXIT}\n").repeat(20_000);
    let mut run = Run::new(&["check", "--json", "a.txt"]).file("a.txt", boards);
    let mut child = run.spawn();
    wait_until_it_listens(&child);
    // Once some output can be read, the pipe is soon full.
    let first = child.stdout.as_mut().unwrap().read(&mut [0]);
    assert_eq!(first.unwrap(), 1);
    (run, child)
}

#[cfg(target_os = "linux")]
#[test]
fn interrupts_in_quick_succession_are_one() {
    let (_run, mut child) = stuck();
    let id = child.id();
    let burst = format!("for _ in 1 2 3 4 5 6 7 8 9; do kill -INT {id}; done");
    let status = Command::new("sh").args(["-c", &burst]).status().unwrap();
    assert!(status.success());
    let stdout = all_of(child.stdout.take().unwrap());
    assert!(stdout.ends_with("}\n"), "{stdout:?}");
    assert_eq!(end(&mut child).code(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_later_interrupt_ends_the_program_at_once() {
    let (_run, mut child) = stuck();
    let start = Instant::now();
    let status = loop {
        assert!(start.elapsed() < PATIENCE, "it goes on");
        interrupt(&child);
        thread::sleep(Duration::from_millis(50));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let boards = format!("{EXIT}\n").repeat(sized(20_000, 40_000));
    for args in [
        &["solve", "a.txt"][..],
        &["solve", "--json", "a.txt"],
        &["check", "--json", "a.txt"],
    ] {
        let mut run = Run::new(args).file("a.txt", &boards);
        let mut child = run.spawn();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(line.contains("escape"), "{line:?}");
        drop(out);
        let status = end(&mut child);
        assert_eq!(all_of(child.stderr.take().unwrap()), "", "{args:?}");
        assert_eq!(status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_reader_that_is_gone_at_once_is_no_error() {
    for args in [
        &["solve", "-"][..],
        &["check", "-"],
        &["trace", "-"],
        &["trace", "--json", "-"],
        &["trace", "--max-states", "0", "-"],
    ] {
        let mut child = Run::new(args).spawn();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        input.write_all(EXIT.as_bytes()).unwrap();
        drop(input);
        let status = end(&mut child);
        assert_eq!(all_of(child.stderr.take().unwrap()), "", "{args:?}");
        assert_eq!(status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_dialogue_gets_each_answer_before_the_next_question() {
    for args in [
        &["check", "--json", "--no-timing", "-"][..],
        &["check", "--json", "--no-timing", "-j", "1", "-"],
        &["solve", "--json", "--no-timing", "-"],
    ] {
        let mut child = Run::new(args).spawn();
        let mut questions = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let (sender, inbox) = mpsc::channel();
        thread::spawn(move || {
            for line in answers.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        for id in 0..50 {
            writeln!(questions, r#"{{"id": {id}, "rows": ["o"]}}"#).unwrap();
            questions.flush().unwrap();
            let Ok(answer) = inbox.recv_timeout(PATIENCE) else {
                child.kill().unwrap();
                panic!("{args:?}: no answer to question {id}");
            };
            assert_eq!(
                answer,
                format!(
                    "{{\"path\":\"-\",\"board\":{id},\"id\":{id},\"ruleset\":\"jimmy\",\
                     \"verdict\":\"escape\",\"moves\":[],\"length\":0,\"states\":0}}"
                )
            );
        }
        drop(questions);
        assert_eq!(end(&mut child).code(), Some(0));
        assert_eq!(all_of(child.stderr.take().unwrap()), "");
        assert!(
            inbox.recv_timeout(PATIENCE).is_err(),
            "nothing more is said"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_batch_ends_in_a_summary() {
    let boards = format!("{}\n\n", endless()).repeat(40);
    for command in ["check", "solve"] {
        let args = [command, "--no-timing", "-j", "2", "many.txt", "more.txt"];
        let mut run = Run::new(&args)
            .file("many.txt", &boards)
            .file("more.txt", &boards);
        let mut child = run.spawn();
        wait_until_it_listens(&child);
        interrupt(&child);
        assert_eq!(end(&mut child).code(), Some(3), "{command}");
        let stdout = all_of(child.stdout.take().unwrap());
        let stderr = all_of(child.stderr.take().unwrap());
        let lines = stdout.lines().count() + stderr.lines().count();
        assert!(lines <= 5, "{stdout}{stderr}");
        assert!((stdout + &stderr).contains("interrupted"), "{command}");
    }
}

/// All boards are read before the search of the first one ends.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_after_the_last_board_was_read_says_so() {
    let (stdout, _, status) = interrupted(&["check", "--no-timing", "endless.txt"]);
    assert!(
        stdout.ends_with("\ninterrupted: 1 board left undecided\n"),
        "{stdout}"
    );
    assert_eq!(status, Some(3));
    let args = [
        "check",
        "--resume",
        "state",
        "--report",
        "html=a.html",
        "endless.txt",
    ];
    let (_, stderr, status) = interrupted(&args);
    let end = "run the same command to continue and write the report at the end\n";
    assert!(stderr.ends_with(end), "{stderr}");
    assert_eq!(status, Some(3));
}

/// Interrupts a check after `pause`. Returns the number of boards done, or `None` if the program finished first.
#[cfg(target_os = "linux")]
fn interrupted_check(run: &mut Run, pause: Duration) -> Option<u64> {
    let mut child = run.spawn();
    wait_until_it_listens(&child);
    thread::sleep(pause);
    interrupt(&child);
    let status = end(&mut child);
    assert_eq!(
        all_of(child.stdout.take().unwrap()).is_empty(),
        status.code() == Some(3)
    );
    let told = all_of(child.stderr.take().unwrap());
    let boards = told.strip_prefix("interrupted: ")?;
    let boards = boards
        .strip_suffix(" done; run the same command to continue\n")
        .expect(&told);
    Some(
        boards
            .split(' ')
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn answers_before_an_endless_board_are_kept() {
    let boards = format!("{EXIT}\n").repeat(3);
    for (files, paths) in [
        (
            vec![("a.txt", format!("{boards}{}", endless()))],
            &["a.txt"][..],
        ),
        (
            vec![
                ("top/a.txt", boards.clone()),
                ("top/b.txt", format!("{}\n\n{boards}", endless())),
            ],
            &["top"],
        ),
        (
            vec![("a.txt", boards.clone()), ("b.txt", endless())],
            &["a.txt", "b.txt"],
        ),
    ] {
        let mut run = Run::new(&[&["check", "--resume", "state"], paths].concat());
        for (path, text) in &files {
            run = run.file(path, text);
        }
        let start = Instant::now();
        let mut pause = Duration::from_millis(100);
        while interrupted_check(&mut run, pause).expect("one board never ends") < 3 {
            assert!(
                start.elapsed() < PATIENCE,
                "{paths:?}: the first answers are lost"
            );
            pause *= 2;
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_resumes() {
    // The time of the first answer depends on the machine, so the test tries longer and longer pauses.
    let is_broken_off = (0..8).any(|doublings| {
        let slow = format!("{}\n\n", endless_of(30, 20)).repeat(16 << doublings);
        let arguments = [
            "check",
            "--no-timing",
            "--max-states",
            "2000",
            "many.txt",
            "slow.txt",
        ];
        let mut run = Run::new(&[&arguments[..], &["--resume", "state"]].concat())
            .file("many.txt", random_boards(20))
            .file("slow.txt", slow);
        let Some(boards) = interrupted_check(&mut run, Duration::from_millis(50 << doublings))
        else {
            return false;
        };
        let resumed = run.output();
        run.args(&arguments);
        let whole = run.output();
        let note = resumed.stderr.strip_suffix(&*whole.stderr).unwrap();
        assert!(note.starts_with("state: continuing after "), "{note}");
        assert!(
            (whole.stdout, whole.status) == (resumed.stdout, resumed.status),
            "{note}"
        );
        boards > 0
    });
    assert!(
        is_broken_off,
        "it is never interrupted when something is judged"
    );
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn an_interrupted_census_resumes_to_the_same_totals() {
    let kind = [
        "census", "jimmy", "--rows", "6", "--cols", "6", "--ghosts", "3", "-j", "1", "--json",
    ];
    let resumed = [&kind[..], &["--resume", "state.json"]].concat();
    // The time of the first count depends on the machine, so the test tries longer and longer pauses.
    let pauses = (0..12).map(|doublings| 10 << doublings);
    let broken_off = pauses.map(|pause| {
        let mut run = Run::new(&resumed);
        let mut child = run.spawn();
        wait_until_it_listens(&child);
        thread::sleep(Duration::from_millis(pause));
        interrupt(&child);
        let status = end(&mut child);
        let said = all_of(child.stderr.take().unwrap());
        let state = fs::read(run.path().join("state.json")).unwrap();
        (status.code() == Some(3), said, state)
    });
    // The state is a mark, the question, and the counts, each on a line.
    let has_counted = |state: &[u8]| state.split(|&byte| byte == b'\n').count() > 3;
    let counted = broken_off
        .take_while(|(is_broken_off, ..)| *is_broken_off)
        .find(|(_, _, state)| has_counted(state));
    let (_, said, state) = counted.expect("it is interrupted when something is counted");
    let expected = "interrupted: not all boards are counted; run the same command to continue";
    assert!(said.contains(expected), "{said}");
    let goes_on = Run::new(&resumed).file("state.json", state).output();
    let whole = Run::new(&kind).output();
    assert_eq!(goes_on.status, Some(0), "{}", goes_on.stderr);
    assert_eq!(goes_on.stdout, whole.stdout);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_file_that_shrinks_during_reading_stops_no_other() {
    let name = "n".repeat(1000);
    let line = format!("{{\"name\": \"{name}\", \"rows\": [\"o\"]}}\n");
    // The queue does not hold this many answers, so the program has to stop reading and wait.
    let mut run = Run::new(&[
        "check",
        "--json",
        "--no-timing",
        "-j",
        "1",
        "large.jsonl",
        "z.txt",
    ])
    .file("large.jsonl", line.repeat(100_000))
    .file("z.txt", EXIT);
    let large = run.path().join("large.jsonl");
    let mut child = run.spawn();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(
        answers
            .next()
            .unwrap()
            .unwrap()
            .starts_with("{\"path\":\"large.jsonl\",\"board\":0,")
    );
    let file = fs::File::options().write(true).open(&large).unwrap();
    file.set_len(1000).unwrap();
    let rest: Vec<String> = answers.map(Result::unwrap).collect();
    assert!(rest.len() < 99_999, "{} were read", rest.len());
    assert!(
        rest.last()
            .unwrap()
            .starts_with("{\"path\":\"z.txt\",\"board\":0,")
    );
    let error = &rest[rest.len() - 2];
    assert!(error.ends_with("\"error\":{\"message\":\"it changed while it was being read\",\"line\":null,\"column\":null}}"), "{error}");
    assert_eq!(end(&mut child).code(), Some(2));
    assert_eq!(
        all_of(child.stderr.take().unwrap()),
        "error: large.jsonl: it changed while it was being read\n\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_in_one_line() {
    for args in [
        &["check", "--no-timing", "a.txt"][..],
        &["check", "--json", "a.txt"],
        &["solve", "a.txt"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut run = Run::new(args).file("a.txt", EXIT);
        let output = run.command().stdout(full).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            told, "error: standard output: no space left on device\n\n",
            "{args:?}"
        );
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_reports_a_full_disk() {
    for args in [
        &[
            "check",
            "--no-timing",
            "-q",
            "a.txt",
            "--output",
            "/dev/full",
        ][..],
        &[
            "check",
            "-q",
            "a.txt",
            "--resume",
            "state",
            "--output",
            "/dev/full",
        ],
        &["convert", "a.txt", "/dev/full"],
        &["render", "a.txt", "--format", "svg", "-o", "/dev/full"],
    ] {
        Run::new(args)
            .file("a.txt", EXIT)
            .stderr("error: /dev/full: no space left on device\n\n")
            .status(2)
            .check();
    }
}

#[cfg(target_os = "linux")]
fn limited(run: &mut Run, limit: &str) -> Output {
    let command = run.command();
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().unwrap())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        status: output.status.code(),
    }
}

/// A limit on file size has the effect of a full disk, except for standard output.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_can_not_grow_is_reported_and_removed() {
    let boards = format!("{EXIT}\n").repeat(2000);
    for name in ["out.jsonl", "out.jsonl.gz"] {
        let command = if name.ends_with("gz") {
            "convert"
        } else {
            "check"
        };
        let args = match command {
            "check" => vec!["check", "--no-timing", "a.txt", "--output", name],
            _ => vec!["convert", "a.txt", name],
        };
        let mut run = Run::new(&args).file("a.txt", random_boards(sized(600, 2000)) + &boards);
        let told = limited(&mut run, "-f 4");
        assert_eq!(told.status, Some(2), "{}", told.stderr);
        assert!(
            told.stderr
                .ends_with(&format!("error: {name}: file too large\n\n")),
            "{}",
            told.stderr
        );
        let left = fs::read_dir(run.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["a.txt"]);
    }
    let mut run = Run::new(&["check", "--no-timing", "a.txt"]).file("a.txt", boards);
    let whole = run.output();
    run.args(&["check", "--no-timing", "a.txt", "--resume", "state"]);
    let told = limited(&mut run, "-f 1");
    assert_eq!(
        (&*told.stderr, told.status),
        ("error: state: file too large\n\n", Some(2))
    );
    assert!(run.path().join("state").exists());
    assert_eq!(run.output().stdout, whole.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn too_many_open_files_are_errors_per_file() {
    let mut has_failed = false;
    for max in 3..8 {
        let mut run = Run::new(&[
            "check",
            "--no-timing",
            "a.txt",
            "z.txt",
            "--output",
            "out.jsonl",
        ])
        .file("a.txt", EXIT)
        .file("z.txt", EXIT);
        let told = limited(&mut run, &format!("-n {max}"));
        let Ok(answers) = fs::read_to_string(run.path().join("out.jsonl")) else {
            // With so few open files, the program can't start or open the report.
            assert!(max < 5, "{max}: {}", told.stderr);
            continue;
        };
        let errors: Vec<_> = told
            .stderr
            .lines()
            .filter(|line| !line.is_empty())
            .collect();
        for error in &errors {
            assert!(
                error.ends_with(".txt: too many open files"),
                "{max}: {error}"
            );
        }
        let escapes = answers
            .lines()
            .filter(|line| line.contains("escape"))
            .count();
        assert_eq!(
            (answers.lines().count(), escapes + errors.len()),
            (2, 2),
            "{max}: {answers}"
        );
        assert_eq!(told.status, Some(if errors.is_empty() { 0 } else { 2 }));
        has_failed |= !errors.is_empty();
    }
    assert!(has_failed);
}

#[test]
fn a_broken_line_of_a_dialogue_is_answered_with_an_error() {
    let mut child = Run::new(&["check", "--json", "--no-timing", "-"]).spawn();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let broken = [
        "{",
        "7",
        "{\"id\": 1}",
        "{\"id\": 1, \"rows\": [\"ox\"]}",
        "\u{1}",
        "{\"rows\": \u{ff}}",
    ];
    for (number, line) in broken.iter().enumerate() {
        for (line, field) in [(*line, "error"), ("{\"rows\": [\"o\"]}", "verdict")] {
            // The first line sets the format of all lines.
            let line = if number == 0 && field == "error" {
                "{\"id\": 0}"
            } else {
                line
            };
            writeln!(questions, "{line}").unwrap();
            let answer = answers.next().unwrap().unwrap();
            let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
            assert!(
                value[field].is_object() || value[field].is_string(),
                "{line}: {answer}"
            );
            let board = 2 * number + usize::from(field == "verdict");
            assert_eq!(value["board"], board, "{line}");
        }
    }
    drop(questions);
    assert!(answers.next().is_none());
    assert_eq!(end(&mut child).code(), Some(2));
}
