//! Sources of test boards.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use getaway_board::puzzle::{Puzzle, json, text};
use serde_json::Value;

pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

pub fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(path("tests/cases").join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

pub fn from_text(text: &str) -> Puzzle<'_> {
    let mut puzzle = Puzzle::empty();
    let read = text::Boards::new(text.as_bytes(), 1).read(&mut puzzle);
    assert!(read.unwrap(), "no board: {text}");
    puzzle
}

pub fn from_json(line: &str) -> Puzzle<'_> {
    let mut puzzle = Puzzle::empty();
    assert!(json::read_line(line.as_bytes(), 1, &mut puzzle).unwrap());
    puzzle
}

/// Checks each board in `tests/cases/NAME.jsonl`, and returns their number.
pub fn each_case(name: &str, check: impl Fn(&Puzzle, &Value)) -> usize {
    let answers = lines(&format!("{name}.answers.jsonl"));
    let answers = answers.iter().map(|line| {
        let answer: Value = serde_json::from_str(line).unwrap();
        (answer["id"].as_str().unwrap().to_owned(), answer)
    });
    let answers: HashMap<_, _> = answers.collect();
    let boards = lines(&format!("{name}.jsonl"));
    assert_eq!(boards.len(), answers.len());
    for line in &boards {
        let puzzle = from_json(line);
        let id: String = serde_json::from_str(puzzle.id.unwrap()).unwrap();
        check(&puzzle, &answers[&id]);
    }
    boards.len()
}

pub fn puzzles(folder: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(path("puzzles").join(folder)).unwrap();
    let mut all: Vec<_> = files
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort_unstable();
    all
}
