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
