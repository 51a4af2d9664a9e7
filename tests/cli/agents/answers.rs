//! Agents that answer boards for `check`.

use std::fmt::Write as _;

use super::misbehaving::assert_nothing_is_left;
use crate::gradescope::{column, results};
use crate::run::Run;

/// Returns the shell script of an agent whose answers `script` prints.
fn agent(script: &str) -> String {
    format!(
        "echo $$ >> ids.txt\nread -r hello; echo '{{\"protocol\":1}}'\n\
         while read -r board; do\ncase $board in *'\"bye\"'*) exit ;; esac\n{script}\ndone\n"
    )
}

fn check(script: &str, boards: &str, args: &[&str]) -> Run {
    let base = [
        "check",
        "a.txt",
        "--no-timing",
        "--agent",
        "sh agent.sh",
        "--start-timeout",
        "60",
    ];
    let with_default_max_states = ["--move-timeout", "60"];
    let args = if args.contains(&"--move-timeout") {
        [&base, args].concat()
    } else {
        [&base, args, &with_default_max_states].concat()
    };
    Run::new(&args)
        .file("agent.sh", agent(script))
        .file("a.txt", boards)
}

fn mismatch(script: &str, board: &str, args: &[&str]) -> String {
    let mut run = check(script, board, args);
    let output = run.output();
    assert_eq!(
        (&*output.stderr, output.status),
        ("", Some(1)),
        "{output:?}"
    );
    assert_nothing_is_left(run.path());
    let (told, _) = output.stdout.split_once("1 board in 1 file").unwrap();
    told.strip_prefix("a.txt: mismatch: ").unwrap().to_owned()
}

const MAZE: &str = "; ruleset: maze\n; runner: 2\n; expect: 0\n[4, 0]\n[0, -1]\n";

const BADDIES: &str = "; ruleset: baddies\n; moves: dd\nH....\n.....\nm...*\n";

#[test]
fn an_agent_is_asked_about_the_board_as_written() {
    let mut run = check(
        "echo \"$board\" > asked.txt; echo '{\"expect\":\"2\"}'",
        MAZE,
        &[],
    );
    assert_eq!(run.output().status, Some(0));
    let asked = std::fs::read_to_string(run.path().join("asked.txt")).unwrap();
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    let expected = serde_json::json!({
        "type": "board", "ruleset": "maze", "settings": {"runner": "2"}, "rows": ["[4, 0]", "[0, -1]"]
    });
    assert_eq!(asked, expected);
}

/// The header of [`MAZE`] expects 0, but the right answer is 2.
#[test]
fn an_answer_replaces_the_header_and_is_judged_by_the_rules() {
    let told = mismatch("echo '{\"expect\":\"food\"}'", MAZE, &[]);
    assert!(told.contains("answer has no direction"), "{told}");
    for answer in ["0", "1"] {
        let told = mismatch(&format!("echo '{{\"expect\":\"{answer}\"}}'"), MAZE, &[]);
        let why =
            format!("answered {answer}, but the answer is food in 2 steps, direction 2 (down)\n");
        assert_eq!(told, why);
    }
    let jimmy = "##########\n......g...\n#.o.......\n#.....g...\n##########\n";
    let answer = |moves| format!("echo '{{\"expect\":\"escape\",\"moves\":\"{moves}\"}}'");
    assert_eq!(check(&answer("LUL"), jimmy, &[]).output().status, Some(0));
    let told = mismatch(&answer("RRR"), jimmy, &[]);
    assert!(told.contains("`moves`"), "{told}");
}

const OPEN: &str = "###\n#o.\n###\n";
const SHUT: &str = "; expect: caught\n; points: 3\n###\n#o#\n###\n";

#[test]
fn moves_alone_claim_an_escape() {
    let answer = |moves: &str| format!("echo '{{\"moves\":\"{moves}\"}}'");
    assert_eq!(check(&answer("R"), OPEN, &[]).output().status, Some(0));
    for (moves, board) in [("", OPEN), ("L", OPEN), ("", SHUT), ("R", SHUT)] {
        mismatch(&answer(moves), board, &[]);
    }
    for board in [OPEN, SHUT, BADDIES] {
        let told = mismatch("echo '{\"moves\":\"\",\"turns\":[]}'", board, &[]);
        assert!(told.contains("`moves` does not escape"), "{told}");
    }
}

#[test]
fn an_answer_is_not_judged_by_the_boards_own_moves_or_a_vague_verdict() {
    let answer = |verdict: &str| format!("echo '{{\"expect\":\"{verdict}\"}}'");
    let board = ["; moves: UUUU\n", OPEN].concat();
    let mut run = check(&answer("escape"), &board, &[]);
    assert_eq!(run.output().status, Some(0));
    let told = mismatch(&answer("undecided"), OPEN, &["--max-states", "1"]);
    assert!(told.contains("`undecided` is not an answer"), "{told}");
}

#[test]
fn a_verdict_is_no_answer_where_a_probability_is_expected() {
    let board = "; ruleset: dungeon\n; expect: 0.5\n-------\n|PGDKE|\n-------\n";
    for verdict in ["escape", "caught"] {
        let answer = format!("echo '{{\"expect\":\"{verdict}\"}}'");
        let told = mismatch(&answer, board, &[]);
        assert!(told.contains("answer has no probability"), "{told}");
    }
    let open = "; ruleset: dungeon\n; expect: 0.5\n------\n|P..E|\n------\n";
    let told = mismatch("echo '{\"moves\":\"RRR\"}'", open, &[]);
    assert!(told.contains("answer has no probability"), "{told}");
    let told = mismatch("echo '{\"moves\":\"D\"}'", MAZE, &[]);
    assert!(told.contains("answer has no direction"), "{told}");
}

/// In [`MAZE`] the pseudocode takes the cells 0,0 and 0,1 and 1,0 and 1,1.
#[test]
fn the_first_wrong_step_of_a_programs_search_is_named() {
    let answer =
        |taken: &str| format!("echo '{{\"expect\":\"2\",\"taken\":[[0,0],[0,1]{taken}]}}'");
    let right = answer(",[1,0],[1,1]");
    assert_eq!(check(&right, MAZE, &[]).output().status, Some(0));
    for (taken, why) in [
        (
            ",[1,1]",
            "step 3: the program took 2,2; the pseudocode takes 2,1: same sum and row, lower column\n",
        ),
        (
            ",[5,5]",
            "step 3: the program took 6,6; the pseudocode takes 2,1: 6,6 is not in OPEN\n",
        ),
        (
            "",
            "step 3: the program took no cell; the pseudocode takes 2,1\n",
        ),
        (
            ",[1,0],[1,1],[0,0]",
            "the search is over after step 4, and the program took more cells\n",
        ),
    ] {
        assert_eq!(mismatch(&answer(taken), MAZE, &[]), why);
    }
}

#[test]
fn an_agents_time_does_not_count_against_the_search() {
    let script = "sleep 2; echo '{\"expect\":\"escape\"}'";
    let mut run = check(script, OPEN, &["--timeout", "1.9"]);
    assert_eq!(run.output().status, Some(0));
}

#[test]
fn a_limit_is_not_charged_to_the_agent() {
    let script = "echo '{\"turns\":[]}'";
    let mut run = check(script, BADDIES, &["--timeout", "0"]);
    let output = run.output();
    assert_eq!(output.status, Some(3), "{output:?}");
}

#[test]
fn all_glyphs_for_an_empty_cell_are_alike() {
    let board = "; ruleset: baddies\n; moves: c\nH.+*\n.m+.\n..+.\n";
    // In the right answer, the hero steps onto the monster and disappears.
    let answer = "echo '{\"turns\":[[\"..+*\",\".m+.\",\"..+.\"]]}'";
    assert_eq!(check(answer, board, &[]).output().status, Some(0));
}

#[test]
fn the_first_wrong_turn_is_named_with_its_picture() {
    let turns = |second: &str| format!("echo '{{\"turns\":[[\" H\",\" m\",\"    *\"],{second}]}}'");
    let told = mismatch(&turns("[\"  H\",\"\",\"    *\"]"), BADDIES, &[]);
    let (reason, picture) = told.split_once('\n').unwrap();
    assert_eq!(reason, "turn 2 is wrong in row 1; the board after it:");
    let rows: Vec<_> = picture.lines().map(str::trim_end).collect();
    assert_eq!(rows, ["    m", "", "      *"]);
    let mut run = check(&turns("[]"), BADDIES, &["--report", "markdown=r.md"]);
    run.output();
    let page = std::fs::read_to_string(run.path().join("r.md")).unwrap();
    assert!(page.contains("the board after it\\:<br>"), "{page}");
    let right = "[\"  m\",\"\",\"    *\"]";
    let mut run = check(&turns(right), BADDIES, &["--report", "gradescope=r.json"]);
    assert_eq!(run.output().status, Some(0));
    assert_eq!(results(&run.path().join("r.json"))["score"], 1.0);
    let told = mismatch("echo '{\"turns\":[]}'", BADDIES, &[]);
    assert!(
        told.starts_with("turn 1 is missing; the board after it:\n   H"),
        "{told}"
    );
    let told = mismatch(&turns(&format!("{right},{right}")), BADDIES, &[]);
    assert_eq!(told, "the game is over before turn 3\n");
    let board = BADDIES.replace("; moves: dd\n", "");
    let told = mismatch("echo '{\"turns\":[]}'", &board, &[]);
    assert_eq!(told, "`turns` needs `moves`\n");
}

#[test]
fn a_failing_agent_loses_the_board_with_the_reason() {
    for (script, reason) in [
        (
            "echo no >&2; exit 3",
            "the program ended too soon, with exit code 3 (on standard error: no)",
        ),
        ("kill -SEGV $$", "the program crashed (signal 11)"),
        (
            "echo '{}'",
            "the program's answer is empty: write `expect`, `moves` or `turns`",
        ),
        ("echo hi", "the program answered `hi`, which is not valid"),
        (
            "head -c 70000 /dev/zero | tr '\\0' x; echo",
            "the program wrote a line of more than 65,536 bytes",
        ),
        ("yes", "the program answered `y`, which is not valid"),
        (
            "echo '{\"expect\":\"9\"}'",
            "invalid value `9` for `expect`",
        ),
    ] {
        let told = mismatch(script, MAZE, &[]);
        assert!(told.contains(reason), "{script}: {told}");
    }
    let sleep = "setsid sleep 600 & echo $! >> ids.txt; sleep 600 & echo $! >> ids.txt; wait";
    let told = mismatch(sleep, MAZE, &["--move-timeout", "0.3"]);
    assert!(
        told.contains("the program did not answer within 0.3 s (`--move-timeout`)"),
        "{told}"
    );
    let told = Run::new(&["check", "a.txt", "--agent", "./missing"])
        .file("a.txt", MAZE)
        .output();
    assert!(told.stdout.contains("can't be started"), "{told:?}");
}

#[test]
fn the_other_boards_are_judged_on_any_number_of_threads() {
    let mut boards = String::new();
    for board in 1..=30 {
        let cells = "0, ".repeat(board % 3);
        write!(
            boards,
            "; ruleset: maze\n; name: {board}\n[2, {cells}-1]\n\n"
        )
        .unwrap();
    }
    let script = "case $board in *'[2, -1]'*) exit 1 ;; esac; echo '{\"expect\":\"1\"}'";
    let on = |threads| {
        let mut run = check(
            script,
            &boards,
            &["-j", threads, "--report", "gradescope=r.json"],
        );
        assert_eq!(run.output().status, Some(1));
        assert_nothing_is_left(run.path());
        results(&run.path().join("r.json"))
    };
    let one = on("1");
    assert_eq!(one["score"], 20.0);
    let is_lost =
        |output: &&&serde_json::Value| output.as_str().unwrap().contains("ended too soon");
    assert_eq!(column(&one, "output").iter().filter(is_lost).count(), 10);
    assert_eq!(one, on("3"));
}

#[test]
fn a_badly_quoted_agent_is_refused() {
    let output = Run::new(&["check", "a.txt", "--agent", "sh 'x"]).output();
    assert_eq!(output.status, Some(2));
    assert!(
        output
            .stderr
            .contains("`--agent sh 'x`: it has an unclosed quote"),
        "{output:?}"
    );
}
