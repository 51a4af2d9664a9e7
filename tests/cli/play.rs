//! `play` and `edit` without a terminal; `tests/terminal` has the rest.

use crate::boards::EXIT;
use crate::run::Run;

#[test]
fn without_a_terminal_there_is_an_error() {
    for command in ["play", "edit"] {
        Run::new(&[command, "exit.txt"])
            .file("exit.txt", EXIT)
            .stderr(format!(
                "error: `{command}` needs a terminal, and standard output is not one\n\n"
            ))
            .status(2)
            .check();
    }
}

#[test]
fn a_board_with_faults_is_refused_as_in_solve() {
    let board = "; ruleset: jimmy\n####\n#oo.\n#x##\n";
    let mut solve = Run::new(&["solve", "board.txt"]).file("board.txt", board);
    let told = solve.output().stderr;
    assert!(
        told.contains("two Jimmys") && told.contains("unknown glyph"),
        "{told}"
    );
    Run::new(&["play", "board.txt"])
        .file("board.txt", board)
        .stderr(told)
        .status(2)
        .check();
}

#[test]
fn a_board_that_can_be_solved_but_not_played_is_an_error() {
    Run::new(&["play", "maze.txt"])
        .file("maze.txt", "; ruleset: maze\n*..A\n")
        .stderr("error: maze.txt: this map can't be played: the runner has no head (`R`)\n\n")
        .status(2)
        .check();
}

#[test]
fn a_missing_board_is_an_error() {
    Run::new(&["play", "none.txt"])
        .stderr("error: none.txt: no such file or directory\n\n")
        .status(2)
        .check();
    Run::new(&["play", "exit.txt#2"])
        .file("exit.txt", EXIT)
        .stderr("error: exit.txt: there is no board 2: the file has 1 board\n\n")
        .status(2)
        .check();
    Run::new(&["play", "."])
        .stderr("error: .: this folder has no board files\n\n")
        .status(2)
        .check();
    Run::new(&["edit", "."])
        .stderr("error: .: this is a folder; name one board file\n\n")
        .status(2)
        .check();
    Run::new(&["edit", "-"])
        .stderr("error: `edit` can't save to `-`: name a file\n\n")
        .status(2)
        .check();
}

#[test]
fn watching_needs_a_game() {
    Run::new(&["play", "--spectate", "exit.txt"])
        .file("exit.txt", EXIT)
        .stderr(
            "error: exit.txt: there is no game to watch: the board has no header `moves`; give \
             `--moves`, `--policy`, or a program, such as `--runner 'python3 mine.py'`\n\n",
        )
        .status(2)
        .check();
    Run::new(&["play", "--spectate", "--moves", "R?", "exit.txt"])
        .file("exit.txt", EXIT)
        .stderr("error: exit.txt: `?` is not a move: a move is one of `U`, `D`, `L`, `R`\n\n")
        .status(2)
        .check();
}

#[test]
fn programs_play_only_games_that_are_watched_in_roles_that_the_board_has() {
    Run::new(&["play", "--runner", "cat", "exit.txt"])
        .file("exit.txt", EXIT)
        .stderr("error: a game of programs and policies can only be watched: add `--spectate`\n\n")
        .status(2)
        .check();
    Run::new(&["play", "--spectate", "--zombie", "cat", "exit.txt"])
        .file("exit.txt", EXIT)
        .stderr(
            "error: exit.txt: no program can play the role `zombie` here: the roles are \
             `runner`\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn a_game_is_watched_on_a_terminal_only() {
    for source in [
        ["--moves", "R"],
        ["--policy", "solver"],
        ["--runner", "cat"],
    ] {
        let args = [&["play", "--spectate", "exit.txt"][..], &source].concat();
        Run::new(&args)
            .file("exit.txt", EXIT)
            .stderr("error: `play` needs a terminal, and standard output is not one\n\n")
            .status(2)
            .check();
    }
}

#[test]
fn a_binary_file_cannot_be_edited() {
    Run::new(&["edit", "picture.txt"])
        .file("picture.txt", b"\0PNG")
        .stderr(
            "error: there is a zero byte in this board: it is not text\n --> picture.txt:1:1\n  |\n1 | \u{2400}PNG\n  | ^ remove the zero byte, or name a text file with boards\n\n",
        )
        .status(2)
        .check();
    Run::new(&["edit", "things.jsonl"])
        .file(
            "things.jsonl",
            r#"{"ruleset": "dungeon", "rows": ["P.E"], "things": []}"#,
        )
        .stderr(
            "error: things.jsonl: it can't be edited: it has `things` on top of its tiles, which can't be drawn; edit the file in a text editor\n\n",
        )
        .status(2)
        .check();
}
