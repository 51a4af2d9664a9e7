//! The header `chasers`: the moves of chasers led by agents, for replays.

use crate::run::Run;

fn room(moves: &str, chasers: &str) -> String {
    format!(
        "; ruleset: dungeon\n; moves: {moves}\n; chasers: {chasers}\n-------\n|P.Z.E|\n-------\n"
    )
}

fn trace(board: &str) -> Run {
    Run::new(&["trace", "--compact", "a.txt"]).file("a.txt", board)
}

/// Checks for an error on the third line at `column`, with `marked` characters underlined.
fn fault(board: &str, (column, marked): (usize, usize), message: &str) {
    let line = board.lines().nth(2).unwrap();
    let help = "write a group per turn, with a letter per chaser in the order in which they move, or `-` for one that moves by its own rules";
    let (before, marks) = (" ".repeat(column - 1), "^".repeat(marked));
    let stderr = format!(
        "error: {message}\n --> a.txt:3:{column}\n  |\n3 | {line}\n  | {before}{marks} {help}\n\n"
    );
    let output = trace(board).output();
    assert_eq!((output.stderr, output.status), (stderr, Some(2)));
}

#[test]
fn controlled_chasers_follow_the_header() {
    trace(&room("R . .", "R . L"))
        .stdout(
            "\
a.txt
replaying the `moves` header (places are row,column from 1)

  -------
  |P.Z.E|
  -------

turn  move  who goes where
   1  R     P 2,2>2,3  Z 2,4>2,5
   2  .     -
   3  .     Z 2,5>2,4

unfinished after 3 moves
",
        )
        .check();
}

#[test]
fn after_the_last_group_they_move_by_their_own_rules() {
    trace(&room(". . .", "R"))
        .stdout(
            "\
a.txt
replaying the `moves` header (places are row,column from 1)

  -------
  |P.Z.E|
  -------

turn  move  who goes where
   1  .     Z 2,4>2,5
   2  .     Z 2,5>2,4
   3  .     Z 2,4>2,3

unfinished after 3 moves
",
        )
        .check();
    let by_rule = trace(&room(". .", "- -")).output().stdout;
    let without = room(". .", "- -").replace("; chasers: - -\n", "");
    assert_eq!(trace(&without).output().stdout, by_rule);
    assert!(
        by_rule.contains("   2  .     Z 2,3>2,2 catches"),
        "{by_rule}"
    );
}

#[test]
fn illegal_moves_of_chasers_have_positions() {
    fault(
        &room("R R", "R U"),
        (14, 1),
        "in turn 2 of `chasers`, `U` is illegal for `Z` at 2,5; legal: L, .",
    );
    fault(
        &room("R R", "R  LL"),
        (16, 1),
        "in turn 2 of `chasers`, `L` is one too many: the game is over before this one moves",
    );
    fault(
        &room("R R", "RR R"),
        (13, 1),
        "in turn 1 of `chasers`, `R` is one too many: there is no chaser left for it",
    );
    fault(
        &room("R", "R R. -"),
        (14, 2),
        "in turn 2 of `chasers`, `R.` is one too many: the chasers have no more turns",
    );
    let two = room("R", ".").replace("|P.Z.E|", "|P.ZZE|");
    fault(
        &two,
        (12, 1),
        "in turn 1 of `chasers`, `.` has no letter for `Z` at 2,5",
    );
    let jimmy = "; ruleset: jimmy\n; moves: RR\n; chasers: R\n#####\n#o...\n#####\n";
    fault(
        jimmy,
        (12, 1),
        "in turn 1 of `chasers`, `R` has no meaning: chasers in this game always follow their rules",
    );
}

#[test]
fn the_header_goes_with_the_moves_beside_it() {
    let args = ["trace", "--compact", "--moves", ". .", "a.txt"];
    let typed = Run::new(&args).file("a.txt", room("R", "R ? ?")).output();
    assert!(typed.stdout.contains("Z 2,4>2,3"), "{typed:?}");
    assert_eq!(typed.stderr, "");
}

#[test]
fn check_replays_it_and_reports_errors() {
    let check = |board: &str| {
        let args = ["check", "--json", "--no-timing", "a.txt"];
        let output = Run::new(&args).file("a.txt", board).output();
        serde_json::from_str::<serde_json::Value>(&output.stdout).unwrap()
    };
    let board = room("R R R R", "D R R").replace("; moves", "; expect: escape\n; moves");
    let board = board.replace("|P.Z.E|\n", "|P.Z.E|\n|.....|\n");
    assert_eq!(check(&board)["refuted"], serde_json::Value::Null);
    assert_eq!(check(&board)["ok"], true);
    // A zombie that moves by its own rules catches the player in the first turn.
    let alone = check(&board.replace("; chasers: D R R\n", ""));
    assert!(
        alone["refuted"].as_str().unwrap().contains("after move 1"),
        "{alone}"
    );
    let answer = check(&room("R", "U"));
    assert_eq!(
        answer["refuted"],
        "in turn 1 of `chasers`, `U` is illegal for `Z` at 2,4; legal: L, R, ."
    );
}

#[test]
fn it_is_a_field_of_json_and_kept_by_convert() {
    let json = r#"{"ruleset":"dungeon","moves":["R","."],"chasers":["R","."],"rows":["-------","|P.Z.E|","-------"]}"#;
    let trace = |file: &str, content: &str| {
        Run::new(&["trace", "--json", file])
            .file(file, content)
            .output()
    };
    let told = trace("a.jsonl", json);
    assert_eq!(told.stderr, "");
    let text = Run::new(&["convert", "a.jsonl", "-", "--to", "text"])
        .file("a.jsonl", json)
        .output()
        .stdout;
    assert!(text.contains("; chasers: R .\n"), "{text}");
    assert_eq!(trace("a.txt", &text).stdout, told.stdout);
    let twice = trace("a.txt", &room("R", "R\n; chasers: L"));
    assert!(
        twice.stderr.contains("a second `chasers` header"),
        "{twice:?}"
    );
}
