//! `getaway check --resume`.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use twox_hash::XxHash3_64;

use crate::boards::{EXIT, endless_of, random_boards};
use crate::run::{Output, Run};
use crate::sized;

const PATIENCE: Duration = Duration::from_secs(120);

/// Adds many inputs: a byte order mark, CRLF, a board that is too large, errors, and a missing file.
fn many_files(run: Run) -> Run {
    let boards = random_boards(sized(200, 800));
    let lines = r#"{"rows": [".g.", ".o.", "..."], "expect": "escape"}"#;
    let wide = format!("o{}", "#".repeat(200_000));
    run.file("top/a.txt", random_boards(200))
        .file(
            "top/b/marked.txt",
            format!("\u{feff}{}", boards.replace('\n', "\r\n")),
        )
        .file(
            "top/b/c.jsonl",
            format!("{lines}\n\n{{\"rows\": 7}}\n").repeat(sized(200, 800)),
        )
        .file("top/d.txt", format!("{EXIT}\n{wide}\n\n{EXIT}\n").repeat(3))
        .file("top/empty.txt", "")
        .file("top/few.txt", format!("; expect: caught\n{EXIT}\n{EXIT}"))
        .file("top/notes.md", "nothing")
        .file("z.txt", EXIT)
}

const PATHS: [&str; 3] = ["top", "missing.txt", "z.txt"];

fn check(run: &mut Run, switches: &[&str]) -> Output {
    run.args(&[&["check", "-j", "2"], switches, &PATHS].concat())
        .output()
}

/// Runs a check with a state, and takes the line about the state from standard error.
fn resumed(run: &mut Run) -> (Option<String>, Output) {
    let mut output = run.output();
    let note = output.stderr.split_inclusive('\n').next();
    let note = note.filter(|line| line.contains("continuing after"));
    let note = note.map(str::to_owned);
    output.stderr = output.stderr[note.as_ref().map_or(0, String::len)..].to_owned();
    (note, output)
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_state_cut_anywhere_leads_to_the_same_output() {
    for switches in [
        &["--no-timing", "--max-memory", "150KB"][..],
        &[
            "--no-timing",
            "--json",
            "--max-errors",
            "3",
            "--partition",
            "1/2",
        ],
        &[
            "--no-timing",
            "--max-fail",
            "700",
            "--report",
            "csv=report.csv",
        ],
    ] {
        let mut run = many_files(Run::new(&[]));
        let (state, report) = (run.path().join("state"), run.path().join("report.csv"));
        let written = || fs::read_to_string(&report).ok();
        let whole = check(&mut run, switches);
        let whole_report = written();
        let switches = [switches, &["--resume", "state"]].concat();
        assert!(check(&mut run, &switches) == whole, "{switches:?}");
        let bytes = fs::read(&state).unwrap();
        let parts = 12;
        let cuts = (1..parts).map(|part| part * bytes.len() / parts);
        for cut in cuts.chain([0, 5, 40, bytes.len() - 1, bytes.len()]) {
            fs::write(&state, &bytes[..cut]).unwrap();
            let _ = fs::remove_file(&report);
            let (note, output) = resumed(&mut run);
            assert_eq!(note.is_none(), cut == 0 || cut == bytes.len(), "{note:?}");
            assert!(output == whole, "{switches:?} cut at {cut}");
            assert!(written() == whole_report, "{switches:?} cut at {cut}");
        }
    }
}

/// Three boards; a damaged copy of their state leads to the same report, and standard error says that it was damaged.
#[test]
fn a_state_with_a_damaged_byte_leads_to_the_same_report() {
    let arguments = ["check", "--json", "--no-timing", "a.txt"];
    let mut run =
        Run::new(&arguments).file("a.txt", format!("{EXIT}\n; expect: caught\n{EXIT}\n?"));
    let whole = run.output();
    assert_eq!((whole.stdout.lines().count(), whole.status), (3, Some(2)));
    run.args(&[&arguments[..], &["--resume", "state"]].concat());
    assert!(resumed(&mut run) == (None, whole));
    let whole = resumed(&mut run).1;
    let state = run.path().join("state");
    let bytes = fs::read(&state).unwrap();
    let steps = (MARK.len()..bytes.len()).step_by(sized(17, 1));
    for (at, value) in steps.flat_map(|at| [0, 0x7f, 0xff].map(|value| (at, value))) {
        let mut damaged = bytes.clone();
        damaged[at] = value;
        fs::write(&state, &damaged).unwrap();
        let (note, output) = resumed(&mut run);
        assert!(output == whole, "{at}: {value}: {output:?}");
        let note = note.unwrap_or_default();
        let is_told = note.starts_with("state is damaged: continuing after ");
        assert_eq!(is_told, damaged != bytes, "{at}: {value}: {note}");
        assert!(size(&state) < 2 * bytes.len() as u64, "{at}: {value}");
    }
}

#[test]
fn a_run_says_from_where_it_continues() {
    let arguments = ["check", "--no-timing", "--resume", "state", "a.txt"];
    let continues = "state: continuing after 3 boards\n";
    let is_damaged = "state is damaged: continuing after 3 boards\n";
    // The last line is the mark of the end.
    for (lines, bytes, switches, note) in [
        (0, 0, &[][..], ""),
        (1, 0, &[], continues),
        (1, 0, &["-q"], ""),
        (0, 1, &[], is_damaged),
        (1, 1, &["-q"], is_damaged),
    ] {
        let arguments = [&arguments[..], switches].concat();
        let mut run = Run::new(&arguments).file("a.txt", format!("{EXIT}\n").repeat(3));
        assert_eq!(run.output().stderr, "");
        let state = run.path().join("state");
        let text = fs::read_to_string(&state).unwrap();
        let all = text.split_inclusive('\n').count();
        let left: String = text.split_inclusive('\n').take(all - lines).collect();
        fs::write(&state, &left[..left.len() - bytes]).unwrap();
        assert_eq!(run.output().stderr, note, "{lines}, {bytes}");
    }
}

const MARK: &[u8] = b"{\"journal\":\"getaway 5\"}\n";
const SEAL: &[u8] = b",\"checksum\":\"";

/// Returns the lines without their checksums.
fn records(state: &[u8]) -> Vec<Vec<u8>> {
    let rest = state.strip_prefix(MARK).unwrap();
    rest.split_inclusive(|&byte| byte == b'\n')
        .map(|line| line[..line.len() - SEAL.len() - 19].to_vec())
        .collect()
}

fn sealed(records: &[Vec<u8>]) -> Vec<u8> {
    let (mut state, mut checksum) = (MARK.to_vec(), 0);
    for record in records {
        let line = [record, SEAL].concat();
        checksum = XxHash3_64::oneshot_with_seed(checksum, &line);
        state.extend(line);
        state.extend(format!("{checksum:016x}\"}}\n").into_bytes());
    }
    state
}

/// Damages a line. Ten digits are enough for a large number.
fn damage(record: &mut Vec<u8>, nth: usize) {
    let at = nth.wrapping_mul(7919) % record.len();
    match nth % 4 {
        0 => record[at] ^= 1 << (nth / 4 % 8),
        1 => record[at] = u8::MAX,
        2 => drop(record.remove(at)),
        _ => drop(record.splice(at..=at, [b'9'; 10])),
    }
}

#[test]
fn a_state_with_false_records_is_read_or_refused() {
    let mut run = Run::new(&[])
        .file("top/a.txt", random_boards(3))
        .file("top/empty.txt", "")
        .file("z.txt", format!("; expect: caught\n{EXIT}\n?"));
    let switches = ["--json", "--no-timing", "--resume", "state"];
    let whole = check(&mut run, &switches);
    let state = run.path().join("state");
    let all = records(&fs::read(&state).unwrap());
    assert_eq!(sealed(&all), fs::read(&state).unwrap());
    let mut refused = 0;
    for nth in 0..sized(40, 300) {
        let mut changed = all.clone();
        let which = nth % all.len();
        damage(&mut changed[which], nth / all.len());
        fs::write(&state, sealed(&changed)).unwrap();
        // The output need not be valid UTF-8.
        let told = run.command().output().unwrap();
        assert!(matches!(told.status.code(), Some(0..=3)), "{nth}: {told:?}");
        let errors = String::from_utf8_lossy(&told.stderr);
        assert!(!errors.contains("panicked"), "{nth}: {errors}");
        assert!(!errors.contains("internal"), "{nth}: {errors}");
        refused += usize::from(errors.contains("is the state of another run"));
    }
    assert!(refused > 0, "{whole:?}");
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |meta| meta.len())
}

/// Kills the program after it has written to its state; returns false if it finished first.
fn killed(run: &mut Run, state: &Path) -> bool {
    let before = size(state);
    let mut child = run
        .command()
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while size(state) <= before {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(start.elapsed() < PATIENCE, "nothing is written");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn repeatedly_killed_runs_lose_nothing() {
    let slow =
        format!("; expect: undecided\n{}\n\n{EXIT}\n", endless_of(50, 30)).repeat(sized(2, 10));
    let arguments = [
        "check",
        "--no-timing",
        "--json",
        "--max-states",
        sized("5000", "20000"),
        "boards",
        "z.txt",
    ];
    let mut run = Run::new(&arguments)
        .file("boards/slow.txt", &slow)
        .file("boards/random.txt", random_boards(sized(200, 600)))
        .file("z.txt", &slow);
    let whole = run.output();
    assert_eq!(whole.status, Some(2));
    run.args(&[&arguments[..], &["--resume", "state"]].concat());
    let state = run.path().join("state");
    let kills = (0..sized(3, 5))
        .filter(|_| killed(&mut run, &state))
        .count();
    assert!(kills > 0, "it was never killed");
    let (note, output) = resumed(&mut run);
    assert!(output == whole, "after {kills} kills");
    assert!(note.is_some());
    assert!(run.output() == whole);
}

#[test]
fn answers_go_into_a_file_as_they_do_without_a_state() {
    let mut run = Run::new(&["check", "--no-timing", "a.txt", "--output", "whole.jsonl"])
        .file("a.txt", random_boards(200));
    let whole = run.output();
    let written = |run: &Run, name: &str| fs::read(run.path().join(name)).unwrap();
    let switches = [
        "check",
        "--no-timing",
        "a.txt",
        "--resume",
        "state",
        "--output",
    ];
    run.args(&[&switches[..], &["parts.jsonl"]].concat());
    assert!(run.output() == whole);
    let state = written(&run, "state");
    for cut in [state.len() / 3, state.len() - 1] {
        fs::write(run.path().join("state"), &state[..cut]).unwrap();
        fs::remove_file(run.path().join("parts.jsonl")).unwrap();
        assert!(resumed(&mut run).1 == whole);
        assert!(written(&run, "parts.jsonl") == written(&run, "whole.jsonl"));
    }
    run.args(&[
        "check",
        "a.txt",
        "--resume",
        "other",
        "--output",
        "no/such.jsonl",
    ]);
    let told = run.output();
    assert_eq!(
        told.stderr,
        "error: no/such.jsonl: no such file or directory\n\n"
    );
    assert!(!run.path().join("other").exists());
}

#[test]
fn times_are_those_of_the_run_that_judged() {
    let mut run = Run::new(&["check", "--json", "--resume", "state", "a.txt"])
        .file("a.txt", random_boards(50));
    let (first, second) = (run.output(), run.output());
    assert!(first.stdout.contains("\"micros\":"));
    assert!(first == second);
}

#[track_caller]
fn refused(change: impl FnOnce(&mut Run), switches: &[&str], why: &str) {
    let mut run = Run::new(&["check", "--no-timing", "--resume", "state", "top", "z.txt"])
        .file("top/a.txt", EXIT)
        .file("top/b.txt", EXIT)
        .file("z.txt", EXIT);
    assert_eq!(run.output().status, Some(0));
    let state = fs::read(run.path().join("state")).unwrap();
    run.args(&[&["check", "--resume", "state"], switches].concat());
    change(&mut run);
    let output = run.output();
    assert_eq!(
        output.stderr,
        format!(
            "error: state is the state of another run: {why}; name another file, or remove this one to start \
             over\n\n"
        )
    );
    assert_eq!((&*output.stdout, output.status), ("", Some(2)));
    assert!(
        fs::read(run.path().join("state")).unwrap() == state,
        "the state has changed"
    );
}

#[test]
fn other_inputs_and_switches_are_refused_with_the_reason() {
    let same = &["--no-timing", "top", "z.txt"];
    let write = |path: &'static str, text: &'static str| {
        move |run: &mut Run| fs::write(run.path().join(path), text).unwrap()
    };
    refused(
        write("top/a.txt", "###\n#o#\n##.\n"),
        same,
        "the content of top/a.txt has changed",
    );
    refused(
        write("z.txt", "o\n"),
        same,
        "z.txt had 12 bytes, and now has 2 bytes",
    );
    refused(
        write("top/aa.txt", EXIT),
        same,
        "top/aa.txt has replaced top/b.txt",
    );
    refused(
        |run| fs::remove_file(run.path().join("top/b.txt")).unwrap(),
        same,
        "z.txt has replaced top/b.txt",
    );
    refused(
        |run| fs::remove_file(run.path().join("z.txt")).unwrap(),
        same,
        "z.txt can no longer be read: no such file or directory",
    );
    let nothing = |_: &mut Run| {};
    refused(
        nothing,
        &["--no-timing", "top"],
        "it was started with `top z.txt`, not with `top`",
    );
    refused(
        nothing,
        &["top", "z.txt"],
        "it was started with `--no-timing`, not with no options",
    );
    refused(
        nothing,
        &["--json", "--no-timing", "--max-states", "7", "top", "z.txt"],
        "it was started with `--no-timing`, not with `--json --no-timing --max-states 7`",
    );
}

#[test]
fn threads_and_the_order_of_switches_are_no_other_run() {
    let mut run = Run::new(&[
        "check",
        "--resume",
        "state",
        "--no-timing",
        "--strict",
        "a.txt",
    ])
    .file("a.txt", EXIT);
    let first = run.output();
    run.args(&[
        "check",
        "--strict",
        "-j",
        "3",
        "a.txt",
        "--no-timing",
        "--resume",
        "state",
    ]);
    assert!(run.output() == first);
}

#[test]
fn pipes_and_the_state_itself_are_refused() {
    Run::new(&["check", "--resume", "state", "-"])
        .stdin(EXIT)
        .stderr("error: -: a pipe can't be read again after an interruption; `--resume` needs files\n\n")
        .status(2)
        .check();
    let run = Run::new(&["check", "--resume", "top/state", "top"]).file("top/a.txt", EXIT);
    let state = run.path().join("top/state");
    let kept = state.clone();
    let mut run = run;
    let output = run.output();
    assert_eq!(
        output.stderr,
        "error: top/state is both the state file and an input: name another state file\n\n"
    );
    assert_eq!(output.status, Some(2));
    assert!(!kept.exists(), "it has left a file that is no board there");
    Run::new(&["check", "--resume", "a.txt", "a.txt"])
        .file("a.txt", EXIT)
        .stderr(
            "error: a.txt is not a `--resume` file: name another file, or remove this one to start over\n\n",
        )
        .status(2)
        .check();
}
