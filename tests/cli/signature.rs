//! Compares the numbers of visited states with `benches/signature.txt`, where intended changes are recorded.

use std::path::Path;
use std::process::Command;

#[test]
fn the_boards_have_the_expected_answers_in_as_many_states_without_warnings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_getaway"))
        .args(["bench", "--no-timing", "puzzles"])
        .current_dir(root)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let expected = std::fs::read_to_string(root.join("benches/signature.txt")).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(output.status.success(), "an answer is not as expected");
}
