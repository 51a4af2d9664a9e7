//! `getaway convert`: what is written is the same board.

use serde_json::Value;

use crate::run::Run;
use crate::sized;

fn puzzles() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles").to_owned()
}

/// What `convert` makes of this text.
#[track_caller]
fn convert(input: (&str, &str), args: &[&str]) -> String {
    let mut run = Run::new(&[&["convert", input.0, "-"], args].concat()).file(input.0, input.1);
    let told = run.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    told.stdout
}

/// The answers to all boards below a path, without what depends on the file: the id of a drawing is a remark.
fn answers(mut run: Run) -> Vec<Value> {
    let told = run.output();
    let answer = |line: &str| {
        let mut answer: Value = serde_json::from_str(line).unwrap();
        let fields = answer.as_object_mut().unwrap();
        for key in ["path", "board", "id", "states"] {
            fields.remove(key);
        }
        if let Some(error) = fields.get_mut("error").and_then(Value::as_object_mut) {
            error.retain(|key, _| key == "message");
        }
        answer
    };
    told.stdout.lines().map(answer).collect()
}

#[test]
fn all_boards_that_come_along_are_the_same_after_a_round_trip() {
    let puzzles = puzzles();
    let mut run = Run::new(&["convert", &puzzles, "all.jsonl"]);
    let told = run.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    let lines = std::fs::read_to_string(run.path().join("all.jsonl")).unwrap();
    assert!(lines.lines().count() > 200);
    let text = convert(("all.jsonl", &lines), &[]);
    // A row without any character would end a drawing.
    let same = lines.replace("\"\"", "\" \"");
    assert_eq!(convert(("all.txt", &text), &["--to", "jsonl"]), same);
    let most = sized("200", "1000000");
    let json = ["check", "--json", "--no-timing", "--max-states", most];
    let before = answers(Run::new(&[&json[..], &[&puzzles]].concat()));
    let after = answers(Run::new(&[&json[..], &["all.txt"]].concat()).file("all.txt", &text));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
}

#[test]
fn headers_and_ids_are_kept() {
    let line = "{\"id\": [7, \"a\"], \"name\": \"x\", \"expect\": \"escape\", \"two words\": \"y\", \"rows\": [\"o.\", \"g#\"]}\n";
    let text = "; name: x\n; expect: escape\n; two words: y\n; id: [7, \"a\"]\no.\ng#\n\n";
    assert_eq!(convert(("a.jsonl", line), &[]), text);
    assert_eq!(convert(("a.txt", text), &["--to", "jsonl"]), line);
    let named = convert(("a.txt", "; id: left\no\n"), &["--to", "jsonl"]);
    assert_eq!(named, "{\"id\": \"left\", \"rows\": [\"o\"]}\n");
    let things = "{\"ruleset\": \"dungeon\", \"things\": [{\"glyph\": \"K\", \"at\": [0, 1]}], \"rows\": [\"PD\"]}\n";
    let drawn = convert(("a.jsonl", things), &[]);
    assert_eq!(convert(("a.txt", &drawn), &["--to", "jsonl"]), things);
}

#[test]
fn mazes_are_written_in_lists() {
    let drawing = "; ruleset: maze\n; expect: 1\nR.*\nrSs\nBb.\n";
    let lists = "; ruleset: maze\n; expect: 1\n[2, 0, -1]\n[1, 6, 5]\n[4, 3, 0]\n\n";
    assert_eq!(convert(("a.txt", drawing), &["--to", "lists"]), lists);
    assert_eq!(convert(("a.txt", lists), &["--to", "lists"]), lists);
    let course = "(3, 1, 3, 2, 1)\n[6, 0, -1]\n\n";
    assert_eq!(convert(("0.txt", course), &["--to", "lists"]), course);
}

#[test]
fn boards_of_baddies_are_framed() {
    let plain = "; ruleset: baddies\nH\n +*\n";
    let framed = "; ruleset: baddies\n-----\n|H  |\n| +*|\n-----\n\n";
    assert_eq!(convert(("a.txt", plain), &["--to", "frames"]), framed);
    assert_eq!(convert(("a.txt", framed), &["--to", "frames"]), framed);
}

#[test]
fn what_can_not_be_said_is_told_and_the_rest_goes_on() {
    let mut run = Run::new(&["convert", "a.txt", "out.txt", "--to", "lists"]).file(
        "a.txt",
        "; ruleset: jimmy\no\n\n; ruleset: maze\nR*\n\n; ruleset: baddies\nH*\n",
    );
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "\
error: a board of `jimmy` can't be written as lists of integers
 --> a.txt:2:1
  |
2 | o
  | ^ only one of `maze` can

error: a board of `baddies` can't be written as lists of integers
 --> a.txt:8:1
  |
8 | H*
  | ^ only one of `maze` can

1 of 3 boards written
"
    );
    let written = std::fs::read_to_string(run.path().join("out.txt")).unwrap();
    assert_eq!(written, "; ruleset: maze\n[2, -1]\n\n");
    let semicolon = "{\"rows\": [\";\", \"o\"]}\n";
    let told = Run::new(&["convert", "a.jsonl", "-"])
        .file("a.jsonl", semicolon)
        .output();
    assert_eq!(told.status, Some(2));
    assert!(
        told.stderr.contains("this board can't be drawn as text"),
        "{}",
        told.stderr
    );
}

#[test]
fn nothing_is_written_where_there_is_nothing() {
    let mut run = Run::new(&["convert", "a.txt", "b.txt"]).file("a.txt", "; only a remark\n");
    let told = run.output();
    assert_eq!(
        (told.status, &*told.stderr),
        (Some(2), "error: no board was written\n\n")
    );
    assert!(!run.path().join("b.txt").exists());
}

#[test]
fn settings_are_written_with_the_boards() {
    let maze = "[6, 0, -1]\n";
    let set = [
        "--set",
        "runner=3",
        "--set",
        "radius=2",
        "--ruleset",
        "maze",
    ];
    assert_eq!(
        convert(("a.txt", maze), &set),
        "; runner: 3\n[6, 0, -1]\n\n"
    );
}

/// A level of the Snarl project: the key lies in a doorway, a ghost stands on the exit.
#[test]
fn levels_of_the_snarl_project_are_read() {
    let room = "{\"type\": \"room\", \"origin\": [0, 0], \"bounds\": {\"rows\": 3, \"columns\": 5}, \"layout\": [[0, 0, 0, 0, 0], [0, 1, 1, 1, 2], [0, 0, 0, 0, 0]]}";
    let objects =
        "[{\"type\": \"key\", \"position\": [1, 4]}, {\"type\": \"exit\", \"position\": [1, 2]}]";
    let level = format!(
        "{{\"type\": \"level\", \"rooms\": [{room}], \"hallways\": [], \"objects\": {objects}}}"
    );
    let state = format!(
        "{{\"type\": \"state\", \"level\": {level}, \"players\": [{{\"type\": \"player\", \"name\": \"a\", \"position\": [1, 1]}}], \
         \"adversaries\": [{{\"type\": \"ghost\", \"name\": \"b\", \"position\": [1, 2]}}], \"exit-locked\": true}}"
    );
    assert_eq!(
        convert(("a.json", &state), &[]),
        "; ruleset: dungeon\n; name: level 1\n; drawing: compact\n\
         ; things: [{\"glyph\": \"K\", \"at\": [1, 4]}, {\"glyph\": \"G\", \"at\": [1, 2]}]\n\
         -----\n|PE.D\n-----\n\n"
    );
    let levels = format!("2\n{level}\n{{\"type\": \"level\"}}\n{level}");
    let mut run = Run::new(&["convert", "a.levels", "out.jsonl"]).file("a.levels", &levels);
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "\
error: this level can't be read: missing field `rooms`
--> a.levels:3:1
 = help: write it as the Snarl project has it

2 of 3 boards written
"
    );
    let to = Run::new(&["convert", "a.levels", "out", "--to", "snarl"]).output();
    assert_eq!(to.status, Some(2));
    assert_eq!(
        to.stderr,
        "error: levels of the Snarl project can be read, but not written\n\n"
    );
}
