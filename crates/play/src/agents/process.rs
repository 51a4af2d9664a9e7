//! The process of an agent. Reads and writes never wait beyond a deadline. Processes that the agent starts end with it, except
//! `strays`.

use std::io::{self, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::group::ProcessGroup;
use super::protocol::LONGEST_LINE;
use super::{AgentCommand, Failure, Listener, Stream};
use getaway_board::limits::Limits;
use getaway_board::words::grouped;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

const STDERR_POLL_INTERVAL: Duration = Duration::from_millis(2);

const EXIT_TIMEOUT: Duration = Duration::from_millis(400);

const STDERR_TAIL: usize = 1 << 11;

/// The maximum number of events that wait to be received. When it is reached, no more output is read, so the process blocks once
/// a pipe is full.
const MAX_EVENTS: usize = 8;

/// The process and three threads, one for each of its pipes.
#[derive(Debug)]
pub(super) struct Process {
    group: ProcessGroup,
    /// Lines for standard input; `None` once the process has been asked to end.
    lines: Option<Sender<Vec<u8>>>,
    unwritten: usize,
    events: Receiver<PipeEvent>,
    output: Vec<u8>,
    stderr_tail: Vec<u8>,
    is_stderr_open: bool,
    listener: Option<Listener>,
}

#[derive(Debug)]
enum PipeEvent {
    /// A line has been written to standard input.
    Written,
    /// A write to standard input failed, because the agent has closed it.
    Unwritable,
    /// Bytes from standard output; none at its end.
    Output(Vec<u8>),
    /// Bytes from standard error; none at its end.
    Stderr(Vec<u8>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Wait<'l> {
    pub(super) deadline: Instant,
    /// The reason to give if no answer arrives.
    pub(super) late: &'static str,
    pub(super) limits: Limits<'l>,
}

impl Process {
    pub(super) fn start(command: &AgentCommand, listener: Option<Listener>) -> io::Result<Self> {
        let mut group = ProcessGroup::spawn(
            Command::new(&command.program)
                .args(&command.args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )?;
        let (sender, events) = mpsc::sync_channel(MAX_EVENTS);
        let (lines, unwritten) = mpsc::channel();
        let child = &mut group.child;
        let piped = "the stream is a pipe";
        let stdin = child.stdin.take().expect(piped);
        let stdout = child.stdout.take().expect(piped);
        let stderr = child.stderr.take().expect(piped);
        let [of_stdin, of_stdout, of_stderr] = [sender.clone(), sender.clone(), sender];
        spawn(move || write_lines(stdin, &unwritten, &of_stdin))?;
        spawn(move || read(stdout, PipeEvent::Output, &of_stdout))?;
        spawn(move || read(stderr, PipeEvent::Stderr, &of_stderr))?;
        Ok(Self {
            group,
            lines: Some(lines),
            unwritten: 0,
            events,
            output: Vec::new(),
            stderr_tail: Vec::new(),
            is_stderr_open: true,
            listener,
        })
    }

    pub(super) fn tell(&mut self, line: Vec<u8>, wait: &Wait) -> Result<(), Failure> {
        self.write(line);
        while self.unwritten > 0 {
            self.wait(wait, "did not read its input")?;
        }
        Ok(())
    }

    /// Sends a question and returns the answer. Fails if the agent wrote a line before the question.
    pub(super) fn ask(&mut self, line: Vec<u8>, wait: &Wait) -> Result<Vec<u8>, Failure> {
        for event in self.events.try_iter().take(MAX_EVENTS).collect::<Vec<_>>() {
            self.take(event)?;
        }
        if let Some(unasked) = self.take_line()? {
            let unasked = excerpt(&unasked);
            return Err(Failure::Fault(format!(
                "wrote `{unasked}` without being asked"
            )));
        }
        self.exchange(line, wait)
    }

    /// Sends a question and returns the answer, which may have come before the question.
    pub(super) fn exchange(&mut self, line: Vec<u8>, wait: &Wait) -> Result<Vec<u8>, Failure> {
        self.write(line);
        loop {
            if let Some(answer) = self.take_line()? {
                return Ok(answer);
            }
            self.wait(wait, wait.late)?;
        }
    }

    fn write(&mut self, line: Vec<u8>) {
        if let Some(lines) = &self.lines {
            self.report(Stream::Input, &line);
            self.unwritten += 1;
            // If the thread has ended, its last event says why.
            let _ = lines.send(line);
        }
    }

    fn report(&self, stream: Stream, text: &[u8]) {
        if let Some(listener) = self.listener {
            listener(stream, text);
        }
    }

    fn take(&mut self, event: PipeEvent) -> Result<(), Failure> {
        match event {
            PipeEvent::Written => self.unwritten -= 1,
            PipeEvent::Unwritable => {
                return Err(self.closed_pipe_failure("closed its standard input"));
            }
            PipeEvent::Output(bytes) if bytes.is_empty() => {
                return Err(self.closed_pipe_failure("closed its standard output"));
            }
            PipeEvent::Output(bytes) => self.output.extend_from_slice(&bytes),
            PipeEvent::Stderr(bytes) => self.keep_stderr(&bytes),
        }
        Ok(())
    }

    fn keep_stderr(&mut self, bytes: &[u8]) {
        self.is_stderr_open = !bytes.is_empty();
        self.report(Stream::Errors, bytes);
        self.stderr_tail.extend_from_slice(bytes);
        let surplus = self.stderr_tail.len().saturating_sub(STDERR_TAIL);
        self.stderr_tail.drain(..surplus);
    }

    fn take_line(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        while let Some(end) = memchr::memchr(b'\n', &self.output) {
            let rest = self.output.split_off(end + 1);
            let mut line = std::mem::replace(&mut self.output, rest);
            line.truncate(line.trim_ascii_end().len());
            if line.len() > LONGEST_LINE {
                return Err(too_long());
            }
            if !line.is_empty() {
                self.report(Stream::Output, &line);
                return Ok(Some(line));
            }
        }
        if self.output.len() > LONGEST_LINE {
            return Err(too_long());
        }
        Ok(None)
    }

    fn wait(&mut self, wait: &Wait, late: &str) -> Result<(), Failure> {
        let mut has_ended = false;
        loop {
            if let Err(limit) = wait.limits.check_time() {
                return Err(Failure::Limit(limit));
            }
            let left = wait.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failure::Late(format!("{late}{}", self.stderr_note())));
            }
            match self.events.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(event) => return self.take(event),
                Err(_) if has_ended => return Err(self.closed_pipe_failure("ended")),
                // The last output of a process that has ended may still arrive, so this waits once more.
                Err(_) => has_ended = self.group.status().is_some(),
            }
        }
    }

    /// Explains why a pipe is closed: the process ended or, if it still runs, `alternative`.
    fn closed_pipe_failure(&mut self, alternative: &str) -> Failure {
        self.drain_stderr(Instant::now() + EXIT_TIMEOUT / 4, |process| {
            process.group.status().is_some() && !process.is_stderr_open
        });
        let what = self
            .group
            .status()
            .map_or(alternative.to_owned(), describe_exit);
        Failure::Fault(format!("{what}{}", self.stderr_note()))
    }

    /// Keeps what the process writes to standard error until the deadline, or until `is_done`. Its other output is read, too,
    /// since a full pipe may block it.
    fn drain_stderr(&mut self, deadline: Instant, is_done: impl Fn(&mut Self) -> bool) {
        while !is_done(self) && Instant::now() < deadline {
            match self.events.recv_timeout(STDERR_POLL_INTERVAL) {
                Ok(PipeEvent::Stderr(bytes)) => self.keep_stderr(&bytes),
                Err(RecvTimeoutError::Disconnected) => thread::sleep(STDERR_POLL_INTERVAL),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the process, and returns the last lines that it wrote to standard error.
    pub(super) fn kill(mut self) -> Vec<String> {
        self.group.kill();
        self.drain_stderr(Instant::now() + EXIT_TIMEOUT / 4, |process| {
            !process.is_stderr_open
        });
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

    pub(super) fn ask_to_exit(&mut self, bye: Vec<u8>) {
        self.write(bye);
        self.lines = None;
    }

    /// Waits until the process ends or the deadline passes. Then kills its whole group, and returns the last lines that it wrote
    /// to standard error.
    pub(super) fn wait_for_exit(mut self, deadline: Instant) -> Vec<String> {
        self.drain_stderr(deadline, |process| process.group.status().is_some());
        self.kill()
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, events: &SyncSender<PipeEvent>) {
    for line in lines {
        let is_written = stdin.write_all(&line).is_ok();
        let event = if is_written {
            PipeEvent::Written
        } else {
            PipeEvent::Unwritable
        };
        if events.send(event).is_err() || !is_written {
            return;
        }
    }
}

fn read(mut pipe: impl Read, event: fn(Vec<u8>) -> PipeEvent, events: &SyncSender<PipeEvent>) {
    let mut buffer = [0; 1 << 13];
    loop {
        let read = match pipe.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.unwrap_or(0),
        };
        if events.send(event(buffer[..read].to_vec())).is_err() || read == 0 {
            return;
        }
    }
}

pub(super) fn exit_deadline() -> Instant {
    Instant::now() + EXIT_TIMEOUT
}

fn describe_exit(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("crashed (signal {signal})");
    }
    match status.code() {
        // On Windows, crashes have codes from 0xc0000000.
        Some(code) if code < 0 => format!("crashed (code {code:#x})"),
        Some(code) => format!("ended too soon, with exit code {code}"),
        None => "ended too soon".to_owned(),
    }
}

fn too_long() -> Failure {
    let most = grouped(LONGEST_LINE as u64);
    Failure::Fault(format!("wrote a line of more than {most} bytes"))
}

pub(super) fn excerpt(text: &[u8]) -> String {
    const MAX: usize = 120;
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(MAX).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    let escaped = |c: char| match c {
        '"' | '\'' | '\\' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    short.chars().map(escaped).collect()
}
