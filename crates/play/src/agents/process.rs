//! The process of an agent. Reads and writes never wait beyond a deadline. Processes that the agent starts end with it, except
//! [`strays`](super::strays).

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, ioctl_fionread};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus};

use super::protocol::LONGEST_LINE;
use super::{AgentCommand, Failure};
use getaway_board::limits::Limits;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

const GRACE: Duration = Duration::from_millis(400);

const STDERR_TAIL: usize = 1 << 11;

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Ends the process group if this program is killed. Its standard input is a pipe that only this program holds open.
    guard: Option<Child>,
    /// The standard input; `None` once the process has been asked to end.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// The standard error; `None` if it has been closed.
    stderr: Option<ChildStderr>,
    input: Vec<u8>,
    stderr_tail: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Wait<'l> {
    pub(super) deadline: Instant,
    /// The complaint about a missing answer.
    pub(super) late: &'static str,
    pub(super) limits: Limits<'l>,
}

impl Process {
    pub(super) fn start(command: &AgentCommand) -> io::Result<Self> {
        // The guard comes first and leads the group, so that no process is ever without it.
        let mut guard = guard().ok();
        let spawned = std::process::Command::new(&command.program)
            .args(&command.args)
            .process_group(guard.as_ref().map_or(0, |guard| guard.id().cast_signed()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => {
                end(&mut guard);
                return Err(error);
            }
        };
        let piped = "the stream is a pipe";
        let process = Self {
            stdin: Some(child.stdin.take().expect(piped)),
            stdout: child.stdout.take().expect(piped),
            stderr: child.stderr.take(),
            guard,
            child,
            input: Vec::new(),
            stderr_tail: Vec::new(),
        };
        if let Some(stdin) = &process.stdin {
            ioctl_fionbio(stdin, true)?;
        }
        ioctl_fionbio(&process.stdout, true)?;
        if let Some(stderr) = &process.stderr {
            ioctl_fionbio(stderr, true)?;
        }
        Ok(process)
    }

    pub(super) fn tell(&mut self, line: &[u8], wait: &Wait) -> Result<(), Failure> {
        let mut rest = line;
        loop {
            self.write(&mut rest)?;
            if rest.is_empty() {
                return Ok(());
            }
            self.wait(true, wait, "did not read its input")?;
            self.listen()?;
        }
    }

    /// Sends a question and returns the answer. Fails if the agent wrote anything before the question.
    pub(super) fn ask(&mut self, line: &[u8], wait: &Wait) -> Result<Vec<u8>, Failure> {
        self.listen()?;
        if let Some(unasked) = self.take_line()? {
            let unasked = excerpt(&unasked);
            return Err(Failure::Fault(format!(
                "wrote `{unasked}` without being asked"
            )));
        }
        self.greet(line, wait)
    }

    /// Sends a question and returns the answer, which may have come before the question.
    pub(super) fn greet(&mut self, line: &[u8], wait: &Wait) -> Result<Vec<u8>, Failure> {
        let mut rest = line;
        loop {
            self.write(&mut rest)?;
            if let Some(answer) = self.take_line()? {
                return Ok(answer);
            }
            let missing = if rest.is_empty() {
                wait.late
            } else {
                "did not read the question"
            };
            self.wait(!rest.is_empty(), wait, missing)?;
            self.listen()?;
        }
    }

    fn write(&mut self, rest: &mut &[u8]) -> Result<(), Failure> {
        while let (Some(stdin), false) = (&mut self.stdin, rest.is_empty()) {
            match stdin.write(rest) {
                Ok(written) => *rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.silence("closed its standard input")),
            }
        }
        Ok(())
    }

    fn listen(&mut self) -> Result<(), Failure> {
        self.keep_last_words();
        let mut room = [0; 1 << 13];
        loop {
            return match self.stdout.read(&mut room) {
                Ok(0) => Err(self.silence("closed its standard output")),
                Ok(read) => {
                    self.input.extend_from_slice(&room[..read]);
                    Ok(())
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(Failure::Fault(format!("could not be read from: {error}"))),
            };
        }
    }

    fn keep_last_words(&mut self) {
        let mut room = [0; 1 << 10];
        for _ in 0..64 {
            let Some(stderr) = &mut self.stderr else {
                return;
            };
            match stderr.read(&mut room) {
                Ok(0) => self.stderr = None,
                Ok(read) => {
                    self.stderr_tail.extend_from_slice(&room[..read]);
                    let surplus = self.stderr_tail.len().saturating_sub(STDERR_TAIL);
                    self.stderr_tail.drain(..surplus);
                }
                Err(_) => return,
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        while let Some(end) = memchr::memchr(b'\n', &self.input) {
            let rest = self.input.split_off(end + 1);
            let mut line = std::mem::replace(&mut self.input, rest);
            line.truncate(line.trim_ascii_end().len());
            if line.len() > LONGEST_LINE {
                return Err(too_long());
            }
            if !line.is_empty() {
                return Ok(Some(line));
            }
        }
        if self.input.len() > LONGEST_LINE {
            return Err(too_long());
        }
        Ok(None)
    }

    /// Waits until there is output to read or, with `writes`, room for input.
    fn wait(&mut self, writes: bool, wait: &Wait, late: &str) -> Result<(), Failure> {
        let mut has_ended = false;
        loop {
            if let Err(limit) = wait.limits.check_time() {
                return Err(Failure::Limit(limit));
            }
            let left = wait.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failure::Late(format!("{late}{}", self.stderr_note())));
            }
            let mut fds = vec![PollFd::new(&self.stdout, PollFlags::IN)];
            fds.extend(
                self.stderr
                    .as_ref()
                    .map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            );
            let stdin = self.stdin.as_ref().filter(|_| writes);
            fds.extend(stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)));
            let time = Timespec::try_from(left.min(POLL_INTERVAL)).expect("the interval is short");
            match poll(&mut fds, Some(&time)) {
                Ok(0) if has_ended => return Err(self.silence("ended")),
                Ok(0) => has_ended = self.ended().is_some(),
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => {
                    return Err(Failure::Fault(format!("could not be waited for: {error}")));
                }
            }
        }
    }

    /// Explains why a pipe is closed: the process ended or, if it still runs, `otherwise`.
    fn silence(&mut self, otherwise: &str) -> Failure {
        let end = Instant::now() + GRACE / 4;
        let what = loop {
            match self.ended() {
                Some(status) => break how(&status),
                None if Instant::now() >= end => break otherwise.to_owned(),
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        self.keep_last_words();
        Failure::Fault(format!("{what}{}", self.stderr_note()))
    }

    /// Returns the status if the process has ended. Does not reap it, so its id stays in use.
    fn ended(&self) -> Option<WaitIdStatus> {
        let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        rustix::process::waitid(WaitId::Pid(Pid::from_child(&self.child)), looks).ok()?
    }

    /// Returns whether the process has neither written anything nor read its input, as while it loads libraries.
    pub(super) fn is_silent(&self) -> bool {
        let stdin = self.stdin.as_ref();
        let is_unread = stdin.is_some_and(|pipe| ioctl_fionread(pipe).is_ok_and(|left| left > 0));
        is_unread && self.input.is_empty() && self.stderr_tail.is_empty()
    }

    /// Returns the last lines that the process wrote to standard error.
    pub(super) fn stderr_tail(&mut self) -> Vec<String> {
        self.keep_last_words();
        let text = String::from_utf8_lossy(&self.stderr_tail);
        text.lines().map(|line| excerpt(line.as_bytes())).collect()
    }

    fn stderr_note(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr_tail);
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        last.map_or_else(String::new, |line| {
            format!(" (on standard error: {})", excerpt(line.as_bytes()))
        })
    }

    fn group(&self) -> Pid {
        Pid::from_child(self.guard.as_ref().unwrap_or(&self.child))
    }

    pub(super) fn dismiss(&mut self, bye: &[u8]) {
        let mut rest = bye;
        let _ = self.write(&mut rest);
        self.stdin = None;
    }

    /// Waits for the process to end, and returns its last words.
    pub(super) fn wait_for_exit(mut self, deadline: Instant) -> Vec<String> {
        while self.ended().is_none() && Instant::now() < deadline {
            self.keep_last_words();
            // A full pipe may block the process, so its output is read.
            self.input.clear();
            let _ = self.stdout.read(&mut [0; 1 << 12]);
            std::thread::sleep(Duration::from_millis(2));
        }
        self.stderr_tail()
    }
}

/// Starts a shell that leads a process group and kills it once this program is gone, even if it was killed.
fn guard() -> io::Result<Child> {
    std::process::Command::new("sh")
        .args(["-c", "read -r _; kill -KILL 0"])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

pub(super) fn grace() -> Instant {
    Instant::now() + GRACE
}

impl Drop for Process {
    fn drop(&mut self) {
        // The leader has not been reaped, so no other process group has its id.
        let _ = rustix::process::kill_process_group(self.group(), Signal::KILL);
        end(&mut self.guard);
        let _ = self.child.wait();
    }
}

fn end(guard: &mut Option<Child>) {
    if let Some(guard) = guard {
        let _ = guard.kill();
        let _ = guard.wait();
    }
}

fn how(status: &WaitIdStatus) -> String {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("ended too soon, with exit code {code}"),
        (_, Some(signal)) => format!("crashed (signal {signal})"),
        _ => "ended too soon".to_owned(),
    }
}

fn too_long() -> Failure {
    Failure::Fault(format!("wrote a line of more than {LONGEST_LINE} bytes"))
}

pub(super) fn excerpt(text: &[u8]) -> String {
    const MAX: usize = 120;
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(MAX).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    let escaped = |c: char| match c {
        '"' | '\'' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    short.chars().map(escaped).collect()
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
