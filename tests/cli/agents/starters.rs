//! The programs in `examples/agents` play games.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{LEVEL, PATIENT};
use crate::run::Run;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/agents")
        .join(name);
    path.to_str().unwrap().to_owned()
}

fn has(interpreter: &str) -> bool {
    let version = Command::new(interpreter)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let has = version.is_ok_and(|status| status.success());
    if !has {
        eprintln!("not tested: there is no {interpreter}");
    }
    has
}

/// Returns the program, and builds it unless `cargo test` has done so.
fn zombie() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_getaway")).parent().unwrap();
    let zombie = folder.join("examples/zombie");
    if !zombie.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", "zombie"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        if cfg!(feature = "exhaustive") {
            build.args(["--features", "exhaustive"]);
        }
        let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(status.unwrap().success());
    }
    zombie
}

fn games(args: &[&str], board: &str) -> serde_json::Value {
    let base = [
        "simulate", "a.txt", "--seed", "3", "--runs", "20", "--turns", "100", "--json",
    ];
    let args = [&base[..], &["-j", "1"], args, &PATIENT].concat();
    let play = || Run::new(&args).file("a.txt", board).output();
    let output = play();
    assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
    assert_eq!(play().stdout, output.stdout);
    serde_json::from_str(&output.stdout).unwrap()
}

/// Asserts that a zombie led by `command` catches a waiting player within three turns, for which each step has to bring it
/// closer.
fn assert_hunts(command: &str) {
    let statistics = games(&["--policy", "stay", "--zombie", command], LEVEL);
    assert_eq!(statistics["caught"], 20, "{statistics}");
    assert_eq!(statistics["turns"]["most"], 3, "{statistics}");
}

#[test]
fn the_zombie_in_rust() {
    assert_hunts(zombie().to_str().unwrap());
}

#[test]
fn the_ghost_in_python() {
    if has("python3") {
        let command = format!("python3 '{}'", example("ghost.py"));
        assert_hunts(&command);
        let statistics = games(&["--policy", "stay", "--ghost", &command], LEVEL);
        assert_eq!(statistics["caught"], 20, "{statistics}");
        let nobody = LEVEL.replace('P', ".");
        let statistics = games(&["--policy", "stay", "--ghost", &command], &nobody);
        assert_eq!(statistics["open"], 20, "{statistics}");
    }
}

#[test]
fn the_runner_in_python() {
    if has("python3") {
        let command = format!("python3 '{}'", example("runner.py"));
        let statistics = games(&["--runner", &command], "H..*\n");
        assert_eq!(statistics["escaped"], 20, "nobody chases: {statistics}");
        let statistics = games(&["--runner", &command], LEVEL);
        assert_eq!(statistics["runs"], 20, "{statistics}");
    }
}

#[test]
fn the_runner_in_javascript() {
    if has("node") {
        let command = format!("node '{}'", example("runner.js"));
        let statistics = games(&["--runner", &command], ".....\ng.o..\n.....\n");
        assert_eq!(statistics["escaped"], 20, "{statistics}");
        let statistics = games(&["--runner", &command], LEVEL);
        assert_eq!(statistics["illegal"], 0, "{statistics}");
    }
}

#[test]
fn a_new_program_plays_and_its_messages_are_shown() {
    if !has("python3") {
        return;
    }
    let mut new = Run::new(&["agent", "new", "python"]);
    let output = new.output();
    let next = "wrote agent.py; next: getaway agent talk 'python3 agent.py' BOARD\n\
                `getaway rules agents` explains the messages\n";
    assert_eq!((&*output.stdout, output.status), (next, Some(0)));
    let program = std::fs::read(new.path().join("agent.py")).unwrap();
    let talk = ["agent", "talk", "python3 agent.py", "a.txt", "--seed", "5"];
    let talk = [
        &talk[..],
        &["--start-timeout", "60", "--move-timeout", "60"],
    ]
    .concat();
    let said = Run::new(&talk)
        .file("agent.py", program)
        .file("a.txt", "###\n#o.\n###\n")
        .output();
    let lines: Vec<_> = said.stdout.lines().collect();
    let [hello, answer, start, question, mv, end, bye, result] = lines[..] else {
        panic!("{lines:#?}")
    };
    assert_eq!(answer, r#"< {"type": "hello", "protocol": 1}"#);
    assert_eq!(mv, r#"< {"move": "R"}"#);
    for (line, kind) in [
        (hello, "hello"),
        (start, "start"),
        (question, "move"),
        (end, "end"),
        (bye, "bye"),
    ] {
        let begin = format!("> {{\"type\":\"{kind}\"");
        assert!(line.starts_with(&begin), "{line}");
    }
    assert_eq!(
        (result, said.status),
        ("escape in 1 move (seed 5)", Some(0))
    );
}

#[test]
fn a_new_program_replaces_no_file() {
    Run::new(&["agent", "new", "javascript", "-o", "mine.js"])
        .file("mine.js", "")
        .stderr("error: mine.js exists already; name another file with `--output`\n\n")
        .status(2)
        .check();
}

#[test]
fn what_a_program_writes_to_standard_error_is_shown_beside_its_messages() {
    if !has("python3") {
        return;
    }
    let program = "import sys\nprint('loading', file=sys.stderr)\nprint('nonsense')\n";
    let output = Run::new(&[
        "agent",
        "talk",
        "python3 mine.py",
        "a.txt",
        "--start-timeout",
        "60",
    ])
    .file("mine.py", program)
    .file("a.txt", "###\n#o.\n###\n")
    .output();
    for line in ["! loading\n", "< nonsense\n"] {
        assert!(output.stdout.contains(line), "{}", output.stdout);
    }
    assert!(
        output.stderr.contains("answered `nonsense`"),
        "{}",
        output.stderr
    );
    assert_eq!(output.status, Some(2));
}
