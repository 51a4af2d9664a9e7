//! Agents and their children, on every system.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::boards::{EXIT, endless};
use crate::process::end;
use crate::run::Run;

const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until some process has locked the file, or until none has.
fn wait_for_lock(path: &Path, is_locked: bool) {
    let start = Instant::now();
    let locked = || {
        let lock = File::open(path).ok().map(|file| file.try_lock());
        matches!(lock, Some(Err(TryLockError::WouldBlock)))
    };
    while locked() != is_locked {
        assert!(start.elapsed() < PATIENCE, "locked: {}", !is_locked);
        sleep(Duration::from_millis(20));
    }
}

/// The agent is this program, and its child is this program again. The child searches without end, and holds a lock meanwhile.
#[test]
fn the_child_of_an_agent_ends_with_a_program_that_is_killed() {
    let program = env!("CARGO_BIN_EXE_getaway");
    let child = format!("'{program}' check --resume state endless.txt");
    let agent = format!("'{program}' simulate a.txt --start-timeout 9999 --runner \"{child}\"");
    let args = ["simulate", "a.txt", "--start-timeout", "9999", "--runner"];
    let mut run = Run::new(&[&args[..], &[&agent]].concat())
        .file("a.txt", EXIT)
        .file("endless.txt", endless());
    let mut program = run.spawn();
    wait_for_lock(&run.path().join("state"), true);
    program.kill().unwrap();
    end(&mut program);
    wait_for_lock(&run.path().join("state"), false);
}
