//! Strays: processes that leave their agent's process group and outlive the agent.
//!
//! On Linux, this process can adopt orphaned descendants. After all agents have ended, every new child is therefore a stray. A
//! stray's id is not reused before this process reaps it.

use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};

/// The child processes that existed before any agent, such as those of a shell that started this program with `exec`.
#[derive(Debug)]
pub(super) struct EarlierChildren(Vec<Pid>);

pub(super) fn adopt() -> EarlierChildren {
    let _ = set_child_subreaper(Some(getpid()));
    EarlierChildren(children())
}

pub(super) fn end(before: &EarlierChildren, deadline: Instant) {
    loop {
        let mut left = children();
        left.retain(|child| !before.0.contains(child));
        if left.is_empty() || Instant::now() >= deadline {
            return;
        }
        for child in left {
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn children() -> Vec<Pid> {
    let own = std::process::id();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |number: &i32| {
        let stat = std::fs::read(format!("/proc/{number}/stat"));
        stat.is_ok_and(|stat| parent(&stat) == Some(own))
    };
    numbers.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// Returns the parent's id from a `/proc/PID/stat` line: 1 in `9 (name) S 1 ...`. The name may contain any character.
fn parent(stat: &[u8]) -> Option<u32> {
    let name = memchr::memrchr(b')', stat)?;
    let rest = std::str::from_utf8(&stat[name + 1..]).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_whatever_the_name() {
        assert_eq!(parent(b"17 (sh) S 4 17 17 0"), Some(4));
        assert_eq!(parent(b"17 (a) S 9 (\xff) b) Z 4 17"), Some(4));
        assert_eq!(parent(b"17 (sh"), None);
    }
}
