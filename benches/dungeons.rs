//! Measures bounds on large levels over time, and checks them against known answers: `cargo bench --features
//! cli --bench dungeons -- LEVELS ANSWERS [SECONDS...]`.
//!
//! Both files are JSON Lines. An answer has an `id`, and either a `probability` or both `lower` and `upper`.

use std::time::{Duration, Instant};

use getaway::{Board, Bounds, Evidence, Limits, Puzzle};
use getaway_board::puzzle::json;
use serde_json::Value;

const SECONDS: [f64; 3] = [2.0, 10.0, 30.0];

const MEMORY: u64 = 2_000_000_000;

const ERROR: f64 = 1e-6;

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let [levels, answers, seconds @ ..] = args.as_slice() else {
        return println!("usage: dungeons LEVELS ANSWERS [SECONDS...]");
    };
    let read = |path: &String| std::fs::read_to_string(path).expect("the file can be read");
    let answers: Vec<Value> = read(answers)
        .lines()
        .map(|line| serde_json::from_str(line).expect("answers are JSON"))
        .collect();
    let seconds: Vec<f64> = match seconds {
        [] => SECONDS.to_vec(),
        seconds => seconds
            .iter()
            .map(|text| text.parse().expect("seconds"))
            .collect(),
    };
    for line in read(levels).lines() {
        let level: Value = serde_json::from_str(line).expect("levels are JSON");
        let answer = answers.iter().find(|answer| answer["id"] == level["id"]);
        for &seconds in &seconds {
            solve(
                line,
                (&level["id"], answer.unwrap_or(&Value::Null)),
                seconds,
            );
        }
    }
}

fn solve(line: &str, (id, answer): (&Value, &Value), seconds: f64) {
    let mut puzzle = Puzzle::empty();
    json::read_line(line.as_bytes(), 1, &mut puzzle).expect("the level can be read");
    let board = Board::read(&puzzle).expect("it is a level");
    let begun = Instant::now();
    let limits = Limits {
        max_memory: Some(MEMORY),
        deadline: Some(begun + Duration::from_secs_f64(seconds)),
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        ..Limits::default()
    };
    let solution = board.solve(&limits);
    let took = begun.elapsed().as_secs_f64();
    let Evidence::Chance {
        bounds: Bounds { lower, upper },
        simulated,
        ..
    } = &solution.evidence
    else {
        panic!("{id} is a dungeon");
    };
    let known = |key: &str| answer[key].as_f64().or(answer["probability"].as_f64());
    let holds = known("upper").is_none_or(|upper| *lower <= upper + ERROR)
        && known("lower").is_none_or(|lower| *upper >= lower - ERROR);
    assert!(holds, "{id}: {lower} to {upper}, but {answer}");
    let played = simulated.map_or(String::new(), |simulated| {
        let interval = simulated.interval();
        format!(", a policy {:.3} to {:.3}", interval.lower, interval.upper)
    });
    let limit = solution.limit().map_or("", |limit| limit.name());
    println!(
        "{id}: {took:.2} s, {}, {lower:.6} to {upper:.6}{played} {limit}",
        solution.verdict()
    );
}
