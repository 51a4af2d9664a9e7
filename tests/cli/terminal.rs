//! A terminal for tests, run by tmux.

use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(120);

pub struct Terminal {
    socket: String,
    pub folder: TempDir,
}

impl Terminal {
    /// Starts a terminal; `None` if tmux is not installed, as on Windows.
    pub fn new(columns: u16, rows: u16) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if cfg!(windows) || Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: there is no `tmux` here");
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            socket: format!("getaway-{}-{number}", std::process::id()),
            folder: TempDir::new().unwrap(),
        };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let folder = terminal.folder.path().to_str().unwrap().to_owned();
        let size = ["-x", &columns, "-y", &rows, "-c", &folder];
        let shell = [
            "env",
            "-u",
            "NO_COLOR",
            "PS1=$ ",
            "TERM=screen-256color",
            "sh",
        ];
        let config = ["-f", "/dev/null", "new-session", "-d"];
        let output = terminal.tmux(&[&config[..], &size, &shell].concat());
        assert!(output.status.success(), "{output:?}");
        terminal.wait_for("the prompt", |screen| screen.starts_with('$'));
        Some(terminal)
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.args(["-L", &self.socket]).args(args);
        tmux.output().unwrap()
    }

    /// Runs the program. Its exit status follows the output as `status N`.
    pub fn run(&self, args: &str) {
        let program = env!("CARGO_BIN_EXE_getaway");
        self.keys(&["-l", &format!("clear; {program} {args}; echo status $?")]);
        self.keys(&["Enter"]);
    }

    /// Presses keys, given by their tmux names.
    pub fn keys(&self, keys: &[&str]) {
        let args = [&["send-keys"][..], keys].concat();
        assert!(self.tmux(&args).status.success());
    }

    pub fn screen(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p"]);
        let text = String::from_utf8(output.stdout).unwrap();
        format!("{}\n", text.trim_end())
    }

    #[track_caller]
    pub fn wait_for(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "{what} never shows:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the program has ended with this exit status, and returns the screen above the line that shows it.
    #[track_caller]
    pub fn ended(&self, status: i32) -> String {
        let line = format!("status {status}\n");
        let screen = self.wait_for(&line, |screen| screen.contains(&line));
        screen.split(&line).next().unwrap().to_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
