use std::path::Path;
use std::sync::Arc;

use clap::Parser;

use super::*;
use crate::cli::{Cli, Command};

fn judgement(path: &str, text: &str) -> Judgement {
    let cli = Cli::parse_from(["getaway", "solve"]);
    let Command::Solve(args) = cli.command else {
        unreachable!("`solve` is what was typed");
    };
    let options = Options::with_stop(&args.boards.how.search, None, Arc::default()).unwrap();
    let file = BoardFile::of(Path::new(path), text.into());
    judged(&file, &options, &AtomicBool::new(false))
}

#[test]
fn a_board_is_answered_with_a_shortest_line() {
    let text = "; ruleset: jimmy\n####\n#o..\n####\n";
    let answer = Judgement::Answer("escape in 2 moves: RR".into());
    assert_eq!(judgement("a.txt", text), answer);
}

#[test]
fn faults_name_their_place_on_the_board() {
    let text = "; ruleset: jimmy\n###\n#oo\n#x#\n";
    let Judgement::Faults(faults, 0) = judgement("a.txt", text) else {
        panic!("there are two faults");
    };
    let places: Vec<_> = faults
        .iter()
        .map(|(cell_position, _)| *cell_position)
        .collect();
    assert_eq!(places, [Some((1, 2)), Some((2, 1))]);
    let second = "2,3: two Jimmys: the first is at 2,2: keep one `o`";
    assert_eq!(faults[0].1, second);
    assert!(
        faults[1].1.starts_with("3,2: unknown glyph `x`: "),
        "{}",
        faults[1].1
    );
}

#[test]
fn a_fault_in_a_header_names_its_place_in_the_file() {
    let text = "; ruleset: theseus\n; exit: ajar\n+-+-+\n|T M|\n+-+ +\n|E  |\n+-+-+\n";
    let Judgement::Faults(faults, 0) = judgement("a.txt", text) else {
        panic!("there is a fault");
    };
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].1.starts_with("line 2, column 9: "),
        "{}",
        faults[0].1
    );
}

#[test]
fn places_in_a_json_line_are_places_on_the_board_too() {
    let text = r#"{"ruleset": "jimmy", "rows": ["...", ".o.", ".x."]}"#;
    let Judgement::Faults(faults, 0) = judgement("a.jsonl", text) else {
        panic!("there is a fault");
    };
    assert_eq!(faults[0].0, Some((2, 1)));
}

#[test]
fn a_fault_of_the_whole_board_is_at_no_cell() {
    let Judgement::Faults(faults, 0) = judgement("a.txt", "; ruleset: jimmy\n...\n...\n") else {
        panic!("there is a fault");
    };
    let missing = "no Jimmy (`o`) on this board: add an `o`".to_owned();
    assert_eq!(faults, [(None, missing)]);
}
