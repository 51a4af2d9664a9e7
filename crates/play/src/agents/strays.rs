//! Strays: processes that leave their agent's process group and outlive the agent.
//!
//! On Linux, this process can adopt orphaned descendants. After all agents have ended, every new child is therefore a stray. A
//! stray's id is not reused before this process reaps it.

use std::time::Instant;

#[cfg(target_os = "linux")]
type Child = rustix::process::Pid;
#[cfg(not(target_os = "linux"))]
type Child = std::convert::Infallible;

/// The child processes that existed before any agent, such as those of a shell that started this program with `exec`.
pub(super) struct Before(Vec<Child>);

#[cfg(target_os = "linux")]
pub(super) fn adopt() -> Before {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    Before(children())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() -> Before {
    Before(children())
}

pub(super) fn end(before: &Before, deadline: Instant) {
    loop {
        let mut left = children();
        left.retain(|child| !before.0.contains(child));
        if left.is_empty() || Instant::now() >= deadline {
            return;
        }
        left.into_iter().for_each(kill);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn children() -> Vec<Child> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn kill(child: Child) {
    match child {}
}

#[cfg(target_os = "linux")]
fn children() -> Vec<Child> {
    let own = std::process::id();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |number: &i32| {
        let stat = std::fs::read(format!("/proc/{number}/stat"));
        stat.is_ok_and(|stat| parent(&stat) == Some(own))
    };
    numbers
        .filter(is_child)
        .filter_map(rustix::process::Pid::from_raw)
        .collect()
}

/// Returns the parent's id from a `/proc/PID/stat` line: 1 in `9 (name) S 1 ...`. The name may contain any character.
#[cfg(target_os = "linux")]
fn parent(stat: &[u8]) -> Option<u32> {
    let name = memchr::memrchr(b')', stat)?;
    let rest = std::str::from_utf8(&stat[name + 1..]).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn kill(child: Child) {
    use rustix::process::{Signal, WaitOptions, kill_process, waitpid};
    let _ = kill_process(child, Signal::KILL);
    let _ = waitpid(Some(child), WaitOptions::NOHANG);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_whatever_the_name() {
        assert_eq!(parent(b"17 (sh) S 4 17 17 0"), Some(4));
        assert_eq!(parent(b"17 (a) S 9 (\xff) b) Z 4 17"), Some(4));
        assert_eq!(parent(b"17 (sh"), None);
    }
}
