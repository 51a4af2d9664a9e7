//! Runs the fuzz targets on the inputs in `tests/corpus`.

use std::fs;

use crate::boards::path;
use crate::targets;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = path("tests/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort_unstable();
    assert!(files.len() >= 5, "{target}: {} files", files.len());
    for file in files {
        println!("{}", file.display());
        run(&fs::read(file).unwrap());
    }
}

#[test]
fn any_bytes_are_boards_or_faults() {
    replay("reading", targets::reading);
}

#[test]
fn any_levels_are_boards_or_faults() {
    replay("levels", targets::levels);
}

#[test]
fn any_certificate_is_refused_or_true() {
    replay("certificates", targets::certificates);
}

#[test]
fn any_small_board_is_solved_alike_by_all() {
    replay("answers", targets::answers);
}

#[test]
fn any_moves_are_replayed_or_refused() {
    replay("moves", targets::moves);
}
