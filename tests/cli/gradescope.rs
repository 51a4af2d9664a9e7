//! Results for Gradescope.

use std::path::Path;

use serde_json::{Value, json};

use crate::run::Run;

const BOARDS: &str = "\
; name: right\n; expect: escape\n; points: 2.5\n#.\nog\n
; name: <script>alert(1)</script> \u{1b}[31m \u{202e} **b** \\ \"q\"\n; expect: caught\n; points: 0.1\n#.\nog\n
; points: 3\n; expect: escape\n#.\nog\n
; expect: escape\n#.\nog\n
; name: nothing is claimed\n; points: 4\n#.\nog\n
; points: 7\n; expect: escape\n#.\n?g\n
";

/// Asserts that `value` conforms to a JSON Schema, of which only the keywords in use are supported.
fn validate(schema: &Value, value: &Value) {
    for (word, wanted) in schema.as_object().unwrap() {
        let holds = match word.as_str() {
            "type" => match wanted.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "number" => value.is_number(),
                "string" => value.is_string(),
                other => panic!("type {other}"),
            },
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64() >= wanted.as_f64(),
            "required" => {
                let mut names = wanted.as_array().unwrap().iter();
                names.all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                let mut names = value.as_object().unwrap().keys();
                names.all(|name| schema["properties"].get(name).is_some())
            }
            "properties" => {
                for (name, part) in wanted.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        validate(part, value);
                    }
                }
                true
            }
            "items" => {
                for value in value.as_array().unwrap() {
                    validate(wanted, value);
                }
                true
            }
            "$schema" | "$comment" => true,
            other => panic!("unknown word {other}"),
        };
        assert!(holds, "{word} {wanted}: {value}");
    }
}

/// Reads a file of results, and asserts that it conforms to Gradescope's schema and that the scores add up.
pub fn results(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    let results = serde_json::from_str(&text).unwrap();
    let schema = serde_json::from_str(include_str!("gradescope.schema.json")).unwrap();
    validate(&schema, &results);
    let scores = column(&results, "score");
    let sum: f64 = scores.iter().map(|score| score.as_f64().unwrap()).sum();
    assert!((sum - results["score"].as_f64().unwrap()).abs() < 1e-9);
    results
}

pub fn column<'r>(results: &'r Value, key: &str) -> Vec<&'r Value> {
    let tests = results["tests"].as_array().unwrap().iter();
    tests.map(|test| &test[key]).collect()
}

#[test]
#[should_panic(expected = "additionalProperties")]
fn the_schema_refuses_unknown_fields() {
    let schema = serde_json::from_str(include_str!("gradescope.schema.json")).unwrap();
    validate(&schema, &json!({"score": 1, "tests": [], "grade": "A"}));
}

#[test]
fn a_board_scores_its_points_only_as_expected() {
    let mut run = Run::new(&[
        "check",
        "--report",
        "gradescope=r.json",
        "--no-timing",
        "a.txt",
        "missing.txt",
    ])
    .file("a.txt", BOARDS);
    assert_eq!(run.output().status, Some(2));
    let results = results(&run.path().join("r.json"));
    assert_eq!(results["score"], 6.5);
    let points = json!([2.5, 0.1, 3.0, 1.0, 4.0, 7.0, 1.0]);
    assert_eq!(json!(column(&results, "max_score")), points);
    let scores = json!([2.5, 0.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(json!(column(&results, "score")), scores);
    let names = column(&results, "name");
    assert_eq!(names[0], "right (a.txt#1)");
    assert_eq!(names[2], "a.txt#3");
    assert_eq!(names[6], "missing.txt");
    let outputs = column(&results, "output");
    assert_eq!(outputs[0], "as expected");
    assert_eq!(outputs[1], "expected caught, got escape in 0 moves");
    assert_eq!(outputs[4], "without expectation: add the header `expect`");
    assert!(outputs[5].as_str().unwrap().starts_with("error: line "));
    assert!(outputs[6].as_str().unwrap().starts_with("error: "));
    assert_eq!(results.get("execution_time"), None);
}

#[cfg(unix)]
#[test]
fn hostile_names_are_plain_text() {
    let mut run = Run::new(&["check", "--report", "gradescope=r.json", "<img src=x>.txt"])
        .file("<img src=x>.txt", BOARDS);
    run.output();
    let results = results(&run.path().join("r.json"));
    for format in ["output_format", "test_name_format", "test_output_format"] {
        assert_eq!(results[format], "text");
    }
    let name = column(&results, "name")[1].as_str().unwrap();
    assert_eq!(
        name,
        "<script>alert(1)</script> \\u{1b}[31m \\u{202e} **b** \\ \"q\" (<img src=x>.txt#2)"
    );
    assert!(results["execution_time"].as_f64().unwrap() >= 0.0);
}

#[test]
fn decimals_add_up_exactly() {
    let board = "; expect: escape\n; points: 0.01\n#.\nog\n\n";
    let mut run = Run::new(&["check", "--report", "gradescope=r.json", "a.txt"])
        .file("a.txt", board.repeat(1234));
    assert_eq!(run.output().status, Some(0));
    assert_eq!(results(&run.path().join("r.json"))["score"], 12.34);
}

#[test]
fn invalid_points_are_refused_at_their_place() {
    for points in ["-1", "nan", "inf", "1e9", "two", ""] {
        let board = format!("; expect: escape\n; points: {points}\n#.\nog\n");
        let output = Run::new(&["check", "a.txt"]).file("a.txt", &board).output();
        assert_eq!(output.status, Some(2), "{points}");
        let place = output.stderr.contains(" --> a.txt:2:1");
        assert!(place, "{}", output.stderr);
        let fix = "write a number from 0 to 1000000, such as `2.5`";
        assert!(output.stderr.contains(fix), "{}", output.stderr);
    }
    let lines = "{\"rows\": [\"#.\", \"og\"], \"expect\": \"escape\", \"points\": -2}\n";
    let output = Run::new(&["check", "a.jsonl"])
        .file("a.jsonl", lines)
        .output();
    assert!(
        output.stderr.contains(" --> a.jsonl:1:"),
        "{}",
        output.stderr
    );
}

#[test]
fn points_come_from_json_and_the_command_line_too() {
    let lines = "{\"rows\": [\"#.\", \"og\"], \"expect\": \"escape\", \"points\": 2}\n\
                 {\"rows\": [\"#.\", \"og\"], \"expect\": \"escape\"}\n";
    for (switch, points) in [("--set", [2.0, 5.0]), ("--override", [5.0, 5.0])] {
        let mut run = Run::new(&[
            "check",
            "--strict",
            "--report",
            "gradescope=r.json",
            switch,
            "points=5",
            "a.jsonl",
        ])
        .file("a.jsonl", lines);
        assert_eq!(run.output().status, Some(0));
        let results = results(&run.path().join("r.json"));
        assert_eq!(json!(column(&results, "score")), json!(points));
    }
}

const OPEN: &str = "; points: 4\nH..*\n####\n";

/// In Gradescope's leaderboard, a submission is a row and the entries are its columns.
#[test]
fn a_comparison_marks_the_first_runner_and_puts_it_on_the_leaderboard() {
    let mut run = Run::new(&[
        "compare",
        "--runner",
        "stay",
        "--runner",
        "solver",
        "--runs",
        "8",
        "--turns",
        "9",
        "--seed",
        "1",
        "--report",
        "gradescope=r.json",
        "a.txt",
    ])
    .file("a.txt", [OPEN, "\n", OPEN].concat());
    assert_eq!(run.output().status, Some(0));
    let results = results(&run.path().join("r.json"));
    assert_eq!(
        results["leaderboard"],
        json!([{"name": "escape rate", "value": 0.0, "order": "desc"}])
    );
    assert_eq!(results["score"], 0.0);
    assert_eq!(json!(column(&results, "max_score")), json!([4.0, 4.0]));
    assert_eq!(json!(column(&results, "name")), json!(["a.txt", "a.txt#2"]));
    let output = column(&results, "output")[0];
    assert_eq!(output, "escaped in 0 of 8 games\nunfinished 8");
}

#[cfg(unix)]
#[test]
fn a_runner_that_fails_is_marked_zero() {
    for (program, reason) in [
        (
            "sh -c 'echo no >&2; exit 3'",
            "ended too soon, with exit code 3",
        ),
        ("./missing", "can't be started"),
    ] {
        let mut run = Run::new(&[
            "compare",
            "--runner",
            program,
            "--runner",
            "solver",
            "--runs",
            "20",
            "--seed",
            "1",
            "--report",
            "gradescope=r.json",
            "a.txt",
        ])
        .file("a.txt", OPEN);
        assert_eq!(run.output().status, Some(0));
        let results = results(&run.path().join("r.json"));
        assert_eq!(results["score"], 0.0);
        assert_eq!(results["leaderboard"][0]["value"], 0.0);
        let output = column(&results, "output")[0].as_str().unwrap();
        assert!(
            output.starts_with("escaped in 0 of 20 games\nforfeit 20\n"),
            "{output}"
        );
        assert!(output.contains(reason), "{output}");
    }
}

#[test]
fn a_comparison_writes_no_other_report() {
    let output = Run::new(&["compare", "--report", "junit=r.xml", "a.txt"]).output();
    assert_eq!(output.status, Some(2));
    let fix = "write `gradescope=FILE`, the only report of `compare`";
    assert!(output.stderr.contains(fix), "{}", output.stderr);
}

#[test]
fn an_old_report_is_replaced_even_if_there_is_nothing_to_mark() {
    let old = r#"{"score": 99, "tests": []}"#;
    let report = ["--report", "gradescope=r.json"];
    let check = [&["check", "empty"][..], &report].concat();
    let compare = [&["compare", "bad.txt"][..], &report].concat();
    let limited = [&["compare", "good.txt", "--timeout", "0"][..], &report].concat();
    for (args, status, told) in [
        (check, 2, "0 boards in 0 files"),
        (compare, 2, "there is no board to compare on"),
        (limited, 3, "timed out before all games were played"),
    ] {
        let mut run = Run::new(&args)
            .folder("empty")
            .file("bad.txt", "oo\n")
            .file("good.txt", "#o.\n")
            .file("r.json", old);
        assert_eq!(run.output().status, Some(status), "{args:?}");
        let results = results(&run.path().join("r.json"));
        assert_eq!(results["score"], 0.0);
        let output = results["output"].as_str().unwrap();
        assert!(output.starts_with(told), "{output}");
    }
}
