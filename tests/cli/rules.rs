//! `getaway rules` prints the wrapped text of the rules.

use getaway::RULESETS;

use crate::run::Run;

fn printed(args: &[&str]) -> String {
    let output = Run::new(args).output();
    assert_eq!((&*output.stderr, output.status), ("", Some(0)), "{args:?}");
    output.stdout
}

fn words(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    let words = lines.flat_map(str::split_whitespace);
    let bare = words.map(|word| word.replace(['#', '*', '`'], ""));
    bare.filter(|word| !word.is_empty()).collect()
}

#[test]
fn rulesets_and_the_board_format_are_listed() {
    let text = printed(&["rules"]);
    for entry in RULESETS {
        let item = format!("- {}: {}", entry.name, entry.summary);
        let item = words(&item);
        let listed = words(&text);
        assert!(listed.windows(item.len()).any(|words| words == item));
    }
    let end = words(include_str!("../../crates/board/src/puzzle/board_files.md"));
    assert!(words(&text).ends_with(&end));
}

#[test]
fn the_rules_are_printed_in_full_within_80_columns() {
    for entry in RULESETS {
        let text = printed(&["rules", entry.name]);
        let rules = words(entry.rules);
        assert_eq!(words(&text)[..rules.len()], rules, "{}", entry.name);
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{}", entry.name);
        assert!(!text.contains('\u{1b}'), "no colours in a pipe");
    }
}

#[test]
fn glyphs_stand_out_in_colours() {
    let text = printed(&["rules", "jimmy", "--color", "always"]);
    assert!(text.contains("- \u{1b}[36mo\u{1b}[0m Jimmy: exactly one\n"));
}

#[test]
fn the_sample_has_the_documented_answer() {
    for entry in RULESETS {
        let board = printed(&["rules", entry.name, "--sample"]);
        let drawn = printed(&["rules", entry.name]);
        assert!(board.lines().all(|line| drawn.contains(line)), "{board}");
        Run::new(&["check", "--no-timing", "-"])
            .stdin(&board)
            .stdout(
                "1 board in 1 file: 1 escape\n\
                 1 as expected, 0 mismatched, 0 without expectation, 0 undecided, 0 errors\n"
                    .replace(
                        "escape",
                        if entry.name == "maze" {
                            "food"
                        } else {
                            "escape"
                        },
                    ),
            )
            .check();
    }
}

#[test]
fn the_closest_name_is_suggested() {
    Run::new(&["rules", "dungon"])
        .stderr("error: unknown ruleset `dungon`: did you mean `dungeon`?\n\n")
        .status(2)
        .check();
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Run::new(&["rules", "dungeon"]).spawn();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
