//! What agents leave behind: processes that have left the group of their agent on purpose, and outlive it.
//!
//! On Linux, a process that loses its parent can be made a child of the one that started them all. So when all agents
//! have ended, whoever is a child still and was none before has been left behind by one of them, or by somebody whom
//! it has started. Its number can't be another's, since nobody but this process waits for it.

use std::time::Instant;

#[cfg(target_os = "linux")]
type Child = rustix::process::Pid;
#[cfg(not(target_os = "linux"))]
type Child = std::convert::Infallible;

/// The children that this process has had before any agent: a shell that has become this program leaves it its own.
pub(super) struct Before(Vec<Child>);

/// From now on this process is the parent of all whom an agent leaves behind.
#[cfg(target_os = "linux")]
pub(super) fn adopt() -> Before {
    // Without that they are not found, as elsewhere.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    Before(children())
}

/// They are not found.
#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() -> Before {
    Before(children())
}

/// Ends all children but those that were there before, and whom they leave behind in turn.
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

/// All children of this process, those included that nobody has waited for.
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

/// The parent in what `/proc` says of a process: `9 (name) S 1 ...`, where the name may have anything in it.
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
    // It may take a moment; then it is still there the next time.
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
