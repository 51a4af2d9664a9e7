//! Limits on reading stop one board and leave the others alone.

use crate::run::Run;
use crate::sized;

fn large_and_small() -> String {
    let wall = "#".repeat(1000) + "\n";
    let jimmy = "#".repeat(500) + "o" + &"#".repeat(499) + "\n";
    let half = wall.repeat(1000);
    format!("{half}{jimmy}{half}\n; name: small\n#o\n")
}

const MEMORY: &str = "--max-memory=1MB";

#[test]
fn a_board_that_is_too_large_for_the_memory_is_undecided_and_the_next_one_is_decided() {
    let answers = "{\"path\":\"PATH\",\"board\":0,\"verdict\":\"undecided\",\"states\":0,\"limit\":\"memory\"}\n\
         {\"path\":\"PATH\",\"board\":1,\"name\":\"small\",\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
         \"moves\":[],\"length\":0,\"states\":0}\n";
    let args = ["solve", "--json", "--no-timing", "-j1", MEMORY];
    Run::new(&[&args[..], &["a.txt"]].concat())
        .file("a.txt", large_and_small())
        .stdout(answers.replace("PATH", "a.txt"))
        .status(3)
        .check();
    Run::new(&[&args[..], &["-"]].concat())
        .stdin(large_and_small())
        .stdout(answers.replace("PATH", "-"))
        .status(3)
        .check();
}

#[test]
fn a_large_selected_board_is_undecided() {
    for (args, stdout) in [
        (
            &["solve", "-j1", MEMORY, "a.txt#1"][..],
            "a.txt#1: undecided: memory limit reached after 0 states\n",
        ),
        (
            &["trace", MEMORY, "a.txt"],
            "undecided: memory limit reached\n",
        ),
        (
            &["trace", "--json", MEMORY, "a.txt"],
            "{\"end\":\"undecided\",\"limit\":\"memory limit reached\"}\n",
        ),
        (
            &["simulate", "--runs", "3", MEMORY, "a.txt#1"],
            "undecided: memory limit reached\n",
        ),
    ] {
        Run::new(args)
            .file("a.txt", large_and_small())
            .stdout(stdout)
            .status(3)
            .check();
    }
}

#[test]
fn a_board_behind_a_large_one_is_found() {
    Run::new(&["solve", "-j1", MEMORY, "a.txt#small"])
        .file("a.txt", large_and_small())
        .stdout("a.txt#2 (small): escape in 0 moves\n")
        .check();
}

#[test]
fn a_deadline_before_reading_ends_is_its_limit() {
    let row = "#".repeat(2999);
    let rows = format!("{row}\n").repeat(1500);
    Run::new(&["solve", "--json", "--no-timing", "--timeout", "0", "a.txt"])
        .file("a.txt", format!("; name: large\n{rows}o{row}\n\n#o\n"))
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"name\":\"large\",\"verdict\":\"undecided\",\
             \"states\":0,\"limit\":\"time\"}\n\
             {\"path\":\"a.txt\",\"board\":1,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
             \"moves\":[],\"length\":0,\"states\":0}\n",
        )
        .status(3)
        .check();
}

#[test]
fn answers_come_in_order_however_much_there_is_to_print() {
    let boards = sized(10_000, 200_000);
    let output = Run::new(&["check", "--json", "--no-timing", "-"])
        .stdin("?\n\n".repeat(boards))
        .output();
    assert_eq!(output.status, Some(2));
    let numbers = output.stdout.lines().map(|line| {
        let rest = line.strip_prefix("{\"path\":\"-\",\"board\":").unwrap();
        rest.split_once(',').unwrap().0.parse::<usize>().unwrap()
    });
    assert!(numbers.eq(0..boards));
}

#[test]
fn a_board_that_is_too_large_for_the_memory_is_not_compared() {
    let output = Run::new(&["compare", MEMORY, "--runs", "3", "--json", "a.txt"])
        .file("a.txt", large_and_small())
        .output();
    assert_eq!(
        (output.stderr.as_str(), output.status),
        (
            "a.txt: memory limit reached before all games were played\n",
            Some(3)
        )
    );
    let table: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let boards = table["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 1);
    assert_eq!(boards[0]["path"], "a.txt#2");
}

#[test]
fn a_truncated_certificate_is_reported() {
    let told = Run::new(&[
        "solve",
        "--max-states",
        "2",
        "--certificate",
        "out.gz",
        "a.txt",
    ])
    .file("a.txt", "######\n#o...#\n######\n")
    .output();
    assert_eq!((told.stdout.as_str(), told.status), ("caught\n", Some(3)));
    let warning = "warning: no certificate was written: state limit reached\n";
    assert!(told.stderr.starts_with(warning), "{}", told.stderr);
}
