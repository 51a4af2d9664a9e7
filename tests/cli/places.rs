//! The program names cells `row,column`, counted from 1.

use super::run::Run;

const THESEUS: &str = "; ruleset: theseus\n+-+-+-+\n|T   M|\n+-+-+ +\n|E    |\n+-+-+-+\n";

fn said(args: &[&str], board: &str) -> String {
    Run::new(args).file("a.txt", board).output().stdout
}

#[track_caller]
fn says(args: &[&str], board: &str, expected: &str) {
    let said = said(args, board);
    assert!(said.contains(expected), "{args:?}: {said}");
}

#[test]
fn in_theseus_cells_of_the_maze_are_counted() {
    let moves = ["--moves", "S", "a.txt"];
    says(
        &[&["trace"][..], &moves].concat(),
        THESEUS,
        "Minotaur: M 1,3 -> 1,2; M 1,2 -> 1,1, a catch",
    );
    says(
        &[&["trace", "--compact"][..], &moves].concat(),
        THESEUS,
        "M 1,3>1,2>1,1 catches",
    );
    says(
        &["solve", "--explain", "a.txt"],
        THESEUS,
        "caught by `M` at 1,1",
    );
    let json = said(&[&["trace", "--json"][..], &moves].concat(), THESEUS);
    assert!(
        json.contains("\"from\":[1,5],\"to\":[1,3]"),
        "as in `rows`, from 0: {json}"
    );
}

#[test]
fn walls_of_theseus_are_named_by_the_cells_beside_them() {
    let board =
        "; ruleset: theseus\n+-+-+\n|T|E|\n+ + +\n|   |\n+-+-+\n|   |\n+ +-+\n|  M|\n+-+-+\n";
    says(&["analyse", "a.txt"], board, "without `-` below 2,");
    says(&["mutate", "a.txt"], board, "; one change: wall ");
    let mutants = said(&["mutate", "--count", "100", "a.txt"], board);
    let changes: Vec<_> = mutants
        .lines()
        .filter_map(|line| line.split_once("wall "))
        .collect();
    let is_beside = |what: &str| what.contains(" right of ") || what.contains(" below ");
    assert!(
        !changes.is_empty() && changes.iter().all(|(_, what)| is_beside(what)),
        "{changes:?}"
    );
}

#[test]
fn important_cells_have_the_places_of_a_trace() {
    let frame = "; ruleset: baddies\n-----\n|m H|\n|*# |\n-----\n";
    says(
        &["analyse", "a.txt"],
        frame,
        "without `#` at 2,2 the verdict would change",
    );
    says(&["trace", "--moves", "x", "a.txt"], frame, "H 1,3 -> 2,3");
    let compact = ["-----", "|PXE|", "-----"];
    let spaced = compact.map(|row| {
        row.chars()
            .map(|glyph| format!("{glyph} "))
            .collect::<String>()
    });
    for rows in [compact.join("\n"), spaced.join("\n")] {
        let board = format!("; ruleset: dungeon\n{rows}\n");
        says(&["analyse", "a.txt"], &board, "`X` at 2,3");
    }
}

#[test]
fn a_file_has_lines_and_columns() {
    let second = "; ruleset: jimmy\n; name: two\n###\n#oo\n###\n";
    let output = Run::new(&["solve", "a.txt"]).file("a.txt", second).output();
    assert!(
        output.stderr.contains("the first is at line 4, column 2"),
        "{}",
        output.stderr
    );
    let heads = "RR\n.*\n";
    let output = Run::new(&["solve", "a.txt"]).file("a.txt", heads).output();
    assert!(
        output
            .stderr
            .contains("two heads of `R`: the first is at line 1, column 1"),
        "{}",
        output.stderr
    );
}
