//! The layout of traces on a screen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::Run;
use crate::sized;
use crate::terminal::Terminal;

const BADDIES: &str = "\
; ruleset: baddies
.....
H#m.*
....~
";

#[test]
fn each_turn_is_a_line_with_moves_and_events() {
    Run::new(&["trace", "--compact", "--moves", "swdddd", "a.txt"])
        .file("a.txt", BADDIES)
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

  -------
  |     |
  |H#m *|
  |    ~|
  -------

turn  move  who goes where
   1  s     m 2,3>2,2 falls  ~ 3,5>3,1
   2  w     H 2,1>1,1
   3  d     H 1,1>1,2  ~ 3,1>3,2
   4  d     H 1,2>1,3  ~ 3,2>3,3
   5  d     H 1,3>1,4  ~ 3,3>3,4
   6  d     H 1,4>1,5  ~ 3,4>3,5

unfinished after 6 moves
",
        )
        .check();
}

#[test]
fn consecutive_steps_are_one_walk_and_stays_are_omitted() {
    Run::new(&["trace", "--compact", "--moves", "SSR", "a.txt"])
        .file(
            "a.txt",
            "; ruleset: theseus\n+-+-+-+-+\n|T  |. M|\n+-+ +-+ +\n|. . . E|\n+-+-+-+-+\n",
        )
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

  +-+-+-+-+
  |T  |. M|
  +-+ +-+ +
  |. . . E|
  +-+-+-+-+

turn  move  who goes where
   1  S     M 1,4>1,3
   2  S     -
   3  R     T 1,1>1,2

unfinished after 3 moves
",
        )
        .check();
}

/// Ghosts move first in a turn, so Jimmy makes no move in the last one.
#[test]
fn a_catch_is_in_the_line_of_its_turn() {
    Run::new(&["trace", "--compact", "--moves", "R", "a.txt"])
        .file("a.txt", ".....\n.....\n.o..g\n.....\n.....\n")
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

  .....
  .....
  .o..g
  .....
  .....

turn  move  who goes where
   1  R     g 3,5>3,4  o 3,2>3,3
   2  -     g 3,4>3,3 catches

caught by a chaser after 1 move
",
        )
        .status(1)
        .check();
}

#[test]
fn a_full_line_starts_with_actors_that_have_events() {
    let board = "; ruleset: baddies\nH.#m.m.m.m.m.m.m.m*\n...................\n";
    for width in ["80", "60", "40"] {
        let args = [
            "trace",
            "--compact",
            "--width",
            width,
            "--moves",
            "s",
            "a.txt",
        ];
        let output = Run::new(&args).file("a.txt", board).output();
        let turn = output
            .stdout
            .lines()
            .find(|line| line.starts_with("   1"))
            .unwrap();
        assert!(turn.len() <= width.parse().unwrap(), "{turn}");
        assert!(turn.contains("m 1,4>1,3 falls"), "{turn}");
        let named = turn.matches('>').count();
        assert!(
            turn.ends_with(&format!("  and {} more", 8 - named)),
            "{turn}"
        );
    }
}

fn boards() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    let folders = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = folders
        .filter(|path| path.is_dir())
        .flat_map(|path| fs::read_dir(path).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect()
}

#[test]
fn there_is_a_line_of_at_most_80_columns_for_each_turn() {
    let boards = boards();
    assert!(boards.len() > 100);
    let mut all = 0;
    for path in boards.into_iter().step_by(sized(9, 1)) {
        let path = path.to_str().unwrap();
        let limits = ["--turns", "30", "--max-states", "2000", path];
        let trace = |how| Run::new(&[&["trace", how][..], &limits].concat()).output();
        let json = trace("--json");
        let halves = json
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let turns: BTreeSet<_> = halves
            .filter_map(|half| half["events"].as_array().and(half["turn"].as_u64()))
            .collect();
        let text = trace("--compact");
        assert_eq!(text.status, json.status, "{path}");
        let lines = text
            .stdout
            .lines()
            .skip_while(|line| !line.starts_with("turn "));
        let lines: Vec<_> = lines.skip(1).take_while(|line| !line.is_empty()).collect();
        let told = lines
            .iter()
            .map(|line| line.split_whitespace().next().unwrap().parse().unwrap());
        assert_eq!(told.collect::<BTreeSet<u64>>(), turns, "{path}");
        let long = lines.iter().find(|line| line.len() > 80);
        assert_eq!(long, None, "{path}");
        all += lines.len();
    }
    assert!(all > sized(100, 1000), "{all} turns");
}

const ESCAPE: &str = "....\n#o.g\n####\n";

#[test]
fn boards_are_side_by_side_with_captions() {
    let expected = "\
a.txt
the solver's way out

  start              turn 1, ghosts     turn 1, Jimmy U
  ....               ....               .o..
  #o.g               #og.               #.g.
  ####               ####               ####

escape in 1 move
";
    for args in [["--per-row", "3"], ["--width", "56"], ["--width", "200"]] {
        Run::new(&["trace", args[0], args[1], "a.txt"])
            .file("a.txt", ESCAPE)
            .stdout(expected)
            .check();
    }
    let two = expected
        .replace("     turn 1, Jimmy U", "")
        .replace("               .o..", "");
    let two = two.replace("               #.g.", "").replace(
        "               ####\n\n",
        "\n\n  turn 1, Jimmy U\n  .o..\n  #.g.\n  ####\n\n",
    );
    for args in [["--per-row", "2"], ["--width", "55"]] {
        Run::new(&["trace", args[0], args[1], "a.txt"])
            .file("a.txt", ESCAPE)
            .stdout(&*two)
            .check();
    }
}

#[test]
fn one_board_a_line_is_the_long_form() {
    let long = Run::new(&["trace", "a.txt"]).file("a.txt", ESCAPE).output();
    assert!(long.stdout.contains("turn 1, Jimmy U: o 2,2 -> 1,2\n"));
    for args in [["--per-row", "1"], ["--width", "20"]] {
        Run::new(&["trace", args[0], args[1], "a.txt"])
            .file("a.txt", ESCAPE)
            .stdout(&*long.stdout)
            .check();
    }
}

#[test]
fn captions_are_broken_and_boards_are_level() {
    Run::new(&["trace", "--per-row", "3", "--moves", "s", "a.txt"])
        .file("a.txt", BADDIES)
        .stdout(
            "\
a.txt
playing `--moves`

  start              turn 1, hero s     turn 1, baddies:
                                        m falls
  -------            -------            -------
  |     |            |     |            |     |
  |H#m *|            |H#m *|            |H#  *|
  |    ~|            |    ~|            |~    |
  -------            -------            -------

unfinished after 1 move
",
        )
        .check();
}

#[test]
fn layouts_exclude_each_other() {
    for args in [
        &["--compact", "--json"][..],
        &["--per-row", "2", "--compact"],
        &["--per-row", "2", "--width", "80"],
        &["--per-row", "0"],
        &["--width", "19"],
    ] {
        let args = [&["trace", "a.txt"], args].concat();
        let output = Run::new(&args).file("a.txt", ESCAPE).output();
        assert_eq!((&*output.stdout, output.status), ("", Some(2)), "{args:?}");
        assert!(output.stderr.starts_with("error: "), "{args:?}");
    }
}

fn terminal(columns: u16, rows: u16, board: &str) -> Option<Terminal> {
    let terminal = Terminal::new(columns, rows)?;
    fs::write(terminal.folder.path().join("a.txt"), board).unwrap();
    Some(terminal)
}

#[test]
fn on_a_terminal_boards_are_side_by_side() {
    let Some(terminal) = terminal(80, 24, ESCAPE) else {
        return;
    };
    terminal.run("trace --color never a.txt");
    let piped = Run::new(&["trace", "--width", "80", "a.txt"])
        .file("a.txt", ESCAPE)
        .output();
    assert_eq!(terminal.ended(0), piped.stdout);
}
