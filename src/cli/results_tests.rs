use std::thread;

use super::*;

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/results.jsonl");
    if !text.is_empty() {
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(&path, text).unwrap();
    }
    (folder, path)
}

#[test]
fn the_best_result_of_a_board_is_kept() {
    let (_folder, path) = file("");
    let mut results = Results::read(&path);
    assert_eq!(results.best("jimmy", "first steps"), None);
    for moves in [9, 7, 8] {
        results.add("jimmy", "first steps", moves).unwrap();
    }
    results.add("theseus", "first steps", 20).unwrap();
    for results in [results, Results::read(&path)] {
        assert_eq!(results.best("jimmy", "first steps"), Some(7));
        assert_eq!(results.best("theseus", "first steps"), Some(20));
    }
    assert_eq!(fs::read_to_string(path).unwrap().lines().count(), 3);
}

#[test]
fn damaged_lines_are_ignored_and_lose_no_new_result() {
    let good = "{\"ruleset\":\"jimmy\",\"board\":\"a\",\"moves\":5}";
    let text = format!("\u{0}garbage\n[]\n{good}\n{{\"ruleset\":\"jimmy\",\"boa");
    let (_folder, path) = file(&text);
    let mut results = Results::read(&path);
    assert_eq!(results.best("jimmy", "a"), Some(5));
    results.add("jimmy", "b", 6).unwrap();
    assert_eq!(Results::read(&path).best("jimmy", "b"), Some(6));
}

#[test]
fn two_programs_lose_nothing() {
    let (_folder, path) = file("");
    thread::scope(|scope| {
        for ruleset in ["jimmy", "maze"] {
            let mut results = Results::read(&path);
            scope.spawn(move || {
                for number in 0..50 {
                    let board = number.to_string();
                    results.add(ruleset, &board, number).unwrap();
                }
            });
        }
    });
    let results = Results::read(&path);
    for number in 0..50 {
        for ruleset in ["jimmy", "maze"] {
            assert_eq!(results.best(ruleset, &number.to_string()), Some(number));
        }
    }
}

#[test]
fn an_unwritable_results_file_is_an_error_but_the_result_counts() {
    let (_folder, path) = file("x");
    let mut results = Results::read(&path.join("results.jsonl"));
    let error = results.add("jimmy", "a", 5).unwrap_err();
    assert!(error.to_string().contains("results.jsonl"), "{error}");
    assert_eq!(results.best("jimmy", "a"), Some(5));
}
