//! Probability bounds for full-size `dungeon` levels.

use serde_json::Value;

use crate::run::Run;
use crate::sized;

/// A level whose probability another program computed.
const LEVEL: &str = "\
; strategy: cooldown\n\
XXXXXXXXXXXX-------X\n\
X-------XXXX|...K.|X\n\
X|.....|XXXX|....Z|X\n\
X|.....|XXXX|..G..|X\n\
X|.....|XXXX|.....|X\n\
X|.....D....|.....|X\n\
X|....P|XXX.D....E|X\n\
X-------XXXX-------X\n\
XXXXXXXXXXXXXXXXXXXX\n\
";

const PROBABILITY: f64 = 0.816_969;

fn solved(args: &[&str]) -> (Value, Option<i32>) {
    let output = Run::new(args).file("level.txt", LEVEL).output();
    (serde_json::from_str(&output.stdout).unwrap(), output.status)
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn bounds_within_the_width_are_an_answer_without_a_limit() {
    let (json, status) = solved(&["solve", "--json", "--precision", "0.7", "level.txt"]);
    let [lower, upper] = [0, 1].map(|at| json["bounds"][at].as_f64().unwrap());
    assert!(upper - lower <= 0.7, "{json}");
    assert!(lower <= PROBABILITY && PROBABILITY <= upper, "{json}");
    assert!(
        json["limit"].is_null() && json["probability"].is_null(),
        "{json}"
    );
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("escape"), Some(0))
    );
}

/// For bounds this tight, refinement takes several times as long as computing the probability itself.
#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_probability_is_printed_if_bounds_take_longer() {
    let (json, status) = solved(&["solve", "--json", "--precision", "0.02", "level.txt"]);
    let told = json["probability"].as_f64().unwrap();
    assert!((told - PROBABILITY).abs() < 1e-6, "{json}");
    assert_eq!(status, Some(0));
}

#[test]
fn a_precision_is_above_0_and_at_most_1() {
    for precision in ["0", "1.5", "-1", "nan", "narrow"] {
        let argument = format!("--precision={precision}");
        let output = Run::new(&["solve", &argument, "level.txt"])
            .file("level.txt", LEVEL)
            .output();
        assert_eq!(
            (output.status, output.stdout.as_str()),
            (Some(2), ""),
            "{precision}"
        );
        assert!(
            output
                .stderr
                .contains("write a number above 0 and at most 1"),
            "{}",
            output.stderr
        );
    }
}

/// The memory is only enough to find a way out.
#[test]
fn a_way_out_without_bounds_has_its_probability() {
    let args = [sized("--max-memory=1MB", "--max-memory=8MB"), "level.txt"];
    let output = Run::new(&["solve", "--explain", args[0], args[1]])
        .file("level.txt", LEVEL)
        .output();
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(
        lines[0].starts_with("escape, probability "),
        "{}",
        output.stdout
    );
    assert!(
        lines[0].contains("memory limit reached"),
        "{}",
        output.stdout
    );
    assert!(
        lines[1].contains("a way out in ") && lines[1].contains("(probability "),
        "{}",
        lines[1]
    );
    let turns = lines.len() - 2;
    assert!(
        lines[1].contains(&format!(" {turns} moves")),
        "{}",
        output.stdout
    );

    let output = Run::new(&["trace", "--json", args[0], args[1]])
        .file("level.txt", LEVEL)
        .output();
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    let told: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(told[0]["line"], "lucky");
    let probability = told[0]["probability"].as_f64().unwrap();
    assert!(0.0 < probability && probability < 1e-3, "{probability}");
    assert_eq!(told.last().unwrap()["end"], "escaped", "{}", output.stdout);
    let moves = told.iter().filter(|half| half["move"].is_string());
    assert_eq!(moves.count(), turns);
}
