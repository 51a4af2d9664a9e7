//! `getaway check --partition`, `--max-fail`, `--only`.

use serde_json::Value;

use crate::boards::{EXIT, TRAP, random_boards};
use crate::run::{Output, Run};

fn many_files() -> Run {
    let lines = "{\"rows\": [\"o\"]}\n\nno JSON\n{\"rows\": [\"###\", \"#o#\", \"###\"]}\n";
    let mut run = Run::new(&[])
        .file("top/large.txt", random_boards(2500))
        .file("top/lines.jsonl", lines.repeat(900))
        .file("top/empty.txt", "")
        .file("top/readme.md", "no board");
    for number in 0..30 {
        run = run.file(format!("top/small/{number}.txt"), EXIT);
    }
    run
}

const PATHS: [&str; 4] = ["top", "missing.txt", "gone.txt", "top/small/7.txt#1"];

fn check(run: &mut Run, switches: &[&str]) -> Output {
    run.args(
        &[
            &["check", "--no-timing", "--max-errors", "0"],
            switches,
            &PATHS,
        ]
        .concat(),
    )
    .output()
}

fn parts(run: &mut Run, of: u32, switches: &[&str]) -> Vec<Output> {
    let part = |part| {
        let partition = format!("--partition={part}/{of}");
        check(run, &[&[&*partition], switches].concat())
    };
    (1..=of).map(part).collect()
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_parts_together_are_the_whole() {
    let mut run = many_files();
    let whole = check(&mut run, &["--json"]);
    for of in [1, 2, 4, 7] {
        let parts = parts(&mut run, of, &["--json"]);
        let mut lines: Vec<_> = parts.iter().flat_map(|part| part.stdout.lines()).collect();
        let mut all: Vec<_> = whole.stdout.lines().collect();
        lines.sort_unstable();
        all.sort_unstable();
        assert!(lines == all, "{of} parts");
        let errors = |output: &Output| output.stderr.matches("error: ").count();
        assert_eq!(parts.iter().map(errors).sum::<usize>(), errors(&whole));
        let max = 5 + 2 * all.len() / of as usize;
        assert!(
            parts.iter().all(|part| part.stdout.lines().count() < max),
            "{of} parts"
        );
    }
}

/// Returns the number before the last of these words that occurs; 0 if none does.
fn number_before(text: &str, words: &[&str]) -> u64 {
    let Some(at) = words.iter().filter_map(|words| text.rfind(words)).max() else {
        return 0;
    };
    let mut before = text[..at].split_whitespace().rev();
    before
        .find_map(|word| word.replace(',', "").parse().ok())
        .unwrap()
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_counts_of_the_parts_add_up() {
    let mut run = many_files();
    let whole = check(&mut run, &[]).stdout;
    let parts = parts(&mut run, 4, &[]);
    for (words, expected) in [
        (&[" boards in "][..], None),
        (&[" files:", " file:"], Some(36)),
        (&[" escape,"], None),
        (&[" caught\n"], None),
        (&[" as expected,"], None),
        (&[" mismatched,"], None),
        (&[" without expectation"], None),
        (&[" errors\n", " error\n"], None),
        (&[" could not be read"], Some(2)),
        (&[" other file"], Some(1)),
    ] {
        let sum: u64 = parts
            .iter()
            .map(|part| number_before(&part.stdout, words))
            .sum();
        let number = number_before(&whole, words);
        assert!(number > 0, "{words:?}");
        assert_eq!(sum, number, "{words:?}");
        assert_eq!(expected.unwrap_or(number), number, "{words:?}");
    }
}

#[test]
fn a_part_does_not_depend_on_the_folder_or_the_threads() {
    let text = random_boards(300);
    let part = |path: &str, threads: &str| {
        let mut run = Run::new(&[
            "check",
            "--json",
            "--no-timing",
            "--partition=2/3",
            "-j",
            threads,
            path,
        ]);
        run = run.file(path, &text);
        run.output().stdout.replace(path, "")
    };
    assert_eq!(part("a/b.txt", "1"), part("c/d/b.txt", "3"));
}

#[test]
fn standard_input_is_partitioned() {
    let text = random_boards(200);
    let lines = |partition: &str| {
        let output = Run::new(&["check", "--json", "--no-timing", partition, "-"])
            .stdin(&text)
            .output();
        output.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut both = [lines("--partition=1/2"), lines("--partition=2/2")].concat();
    let mut all = lines("--partition=1/1");
    both.sort();
    all.sort();
    assert_eq!(all.len(), 200);
    assert_eq!(both, all);
}

#[test]
fn an_invalid_partition_is_an_error() {
    let usage = "write I/N, as in `2/4` for the second of four parts";
    for (value, why) in [
        ("0/4", "there is no part 0 of 4; write one from 1/4 to 4/4"),
        ("5/4", "there is no part 5 of 4; write one from 1/4 to 4/4"),
        ("x", usage),
        ("1/0", usage),
        ("1/", usage),
        ("-1/4", usage),
    ] {
        let partition = format!("--partition={value}");
        let output = Run::new(&["check", &partition, "a.txt"]).output();
        let expected = format!("error: invalid value '{value}' for '--partition <I/N>': {why}\n");
        assert!(output.stderr.starts_with(&expected), "{}", output.stderr);
        assert_eq!(output.status, Some(2));
    }
}

fn expecting(verdict: &str, board: &str) -> String {
    format!("; expect: {verdict}\n{board}\n")
}

#[test]
fn a_run_ends_after_the_given_number_of_failures_and_counts_the_rest() {
    let (good, bad) = (expecting("escape", EXIT), expecting("escape", TRAP));
    let run = |max: &str, threads: &str| {
        Run::new(&[
            "check",
            "--no-timing",
            "--max-fail",
            max,
            "-j",
            threads,
            "a.txt",
            "missing.txt",
            "b.txt",
        ])
        .file(
            "a.txt",
            [&*good, &bad, "oo?\n\n", &good, &bad, &good].concat(),
        )
        .file("b.txt", [&*good, &bad].concat())
    };
    let mismatch = |number: u32| format!("a.txt#{number}: mismatch: expected escape, got caught\n");
    for threads in ["1", "2"] {
        run("1", threads)
            .stdout(format!(
                "{}by file:\n  a.txt: 1 mismatch\n\
                 2 boards in 3 files: 1 escape, 1 caught\n\
                 1 as expected, 1 mismatched, 0 without expectation, 0 undecided, 0 errors\n\
                 stopped after 1 failure: 6 boards not checked\n",
                mismatch(2)
            ))
            .status(1)
            .check();
        let output = run("3", threads).output();
        assert_eq!(
            output.stdout,
            format!(
                "{}{}by file:\n  a.txt: 2 mismatches, 1 error\n\
                 5 boards in 3 files: 2 escape, 2 caught\n\
                 2 as expected, 2 mismatched, 0 without expectation, 0 undecided, 1 error\n\
                 stopped after 3 failures: 3 boards not checked\n",
                mismatch(2),
                mismatch(5)
            )
        );
        assert!(!output.stderr.contains("missing.txt"), "{}", output.stderr);
        assert_eq!(output.status, Some(2));
        let output = run("4", threads).output();
        assert!(
            output
                .stderr
                .ends_with("error: missing.txt: no such file or directory\n\n")
        );
        assert!(
            output
                .stdout
                .ends_with("stopped after 4 failures: 2 boards not checked\n")
        );
        let output = run("6", threads).output();
        assert!(!output.stdout.contains("stopped"), "{}", output.stdout);
    }
}

#[test]
fn a_run_that_is_to_fail_fast_ends_as_with_one_failure() {
    let text = random_boards(3000);
    let run = |switches: &[&str]| {
        let arguments = [&["check", "--no-timing", "--json"], switches, &["a.txt"]].concat();
        Run::new(&arguments).file("a.txt", &text).output()
    };
    let (fast, whole) = (run(&["--fail-fast", "-j", "4"]), run(&[]));
    assert!(fast == run(&["--max-fail=1", "-j", "1"]));
    let failed = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        value["ok"] == false || !value["error"].is_null()
    };
    let first = whole.stdout.lines().position(failed).unwrap();
    let expected: Vec<_> = whole.stdout.lines().take(first + 1).collect();
    assert_eq!(fast.stdout.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_run_that_is_to_fail_fast_does_not_wait_for_the_end_of_a_pipe() {
    use std::io::Write;
    let mut child = Run::new(&["check", "--no-timing", "--fail-fast", "-"]).spawn();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(expecting("escape", TRAP).as_bytes())
        .unwrap();
    input.write_all(EXIT.repeat(2).as_bytes()).unwrap();
    input.write_all(b"\n; expect: escape\n").unwrap();
    input.flush().unwrap();
    let status = crate::process::end(&mut child);
    assert_eq!(status.code(), Some(1));
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.ends_with("stopped after 1 failure: the rest was not checked\n"),
        "{stdout}"
    );
    drop(input);
}

#[test]
fn only_some_are_printed_and_all_are_counted() {
    let boards = [
        expecting("escape", EXIT),
        expecting("escape", TRAP),
        expecting("caught", EXIT),
        "ox\n\n".into(),
        expecting("caught", TRAP),
    ];
    let counts = "2 escape, 2 caught\n\
                  2 as expected, 2 mismatched, 0 without expectation, 0 undecided, 1 error\n";
    let summary = format!("by file:\n  a.txt: 2 mismatches, 1 error\n5 boards in 1 file: {counts}");
    let run = |only: &[&str]| {
        let only: Vec<_> = only.iter().flat_map(|only| ["--only", only]).collect();
        let arguments = [&["check", "--no-timing", "a.txt"], &only[..]].concat();
        Run::new(&arguments).file("a.txt", boards.concat()).output()
    };
    let mismatches = [
        "a.txt#2: mismatch: expected escape, got caught",
        "a.txt#3: mismatch: expected caught, got escape in 1 move: D",
    ];
    for (only, lines, errors) in [
        (
            &["escape"][..],
            &[
                "a.txt#1: escape in 1 move: D",
                "a.txt#3: mismatch: expected caught, got escape in 1 move: D",
            ][..],
            0,
        ),
        (&["mismatch"], &mismatches, 0),
        (&["error"], &[], 1),
        (
            &["caught", "error"],
            &[
                "a.txt#2: mismatch: expected escape, got caught",
                "a.txt#5: caught",
            ],
            1,
        ),
        (&["undecided"], &[], 0),
    ] {
        let output = run(only);
        let printed: Vec<_> = output
            .stdout
            .strip_suffix(&summary)
            .unwrap()
            .lines()
            .collect();
        assert_eq!(printed, lines, "{only:?}");
        let drawn = output.stderr.matches("--> a.txt").count();
        assert_eq!(drawn, errors, "{}", output.stderr);
        assert_eq!(output.status, Some(2));
    }
}

#[test]
fn only_some_objects_are_printed() {
    let text = random_boards(400);
    let run = |switches: &[&str]| {
        let arguments = [&["check", "--no-timing", "--json"], switches, &["a.txt"]].concat();
        Run::new(&arguments).file("a.txt", &text).output()
    };
    let whole = run(&[]);
    let values: Vec<(Value, &str)> = whole
        .stdout
        .lines()
        .map(|line| (serde_json::from_str(line).unwrap(), line))
        .collect();
    for (only, is) in [
        (
            "caught",
            (|value| value["verdict"] == "caught") as fn(&Value) -> bool,
        ),
        ("mismatch", |value| value["ok"] == false),
        ("error", |value| !value["error"].is_null()),
        ("food", |_| false),
    ] {
        let expected: Vec<_> = values
            .iter()
            .filter(|(value, _)| is(value))
            .map(|(_, line)| *line)
            .collect();
        let output = run(&["--only", only]);
        assert_eq!(
            output.stdout.lines().collect::<Vec<_>>(),
            expected,
            "{only}"
        );
        assert_eq!(output.status, whole.status);
    }
}
