//! Runs the program in its own folder.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

/// A shell script that plays as an agent.
pub const FIRST_LEGAL: &str = r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"type":"hello","protocol":1}' ;;
        *'"type":"move"'*) legal=${line#*'"legal":["'}; echo "{\"move\":\"${legal%%\"*}\"}" ;;
    esac
done
"#;

/// A run of the program. Unless told otherwise, it expects empty output and status 0.
#[must_use = "a run does nothing before `check`"]
pub struct Run {
    folder: TempDir,
    command: Command,
    stdin: Vec<u8>,
    expected: Output,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    /// The exit status; `None` if a signal ended the program.
    pub status: Option<i32>,
}

impl Run {
    pub fn new(args: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            command: command(args, folder.path()),
            folder,
            stdin: Vec::new(),
            expected: Output {
                stdout: String::new(),
                stderr: String::new(),
                status: Some(0),
            },
        }
    }

    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.folder.path().join(path)).unwrap();
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn stdin(mut self, text: impl AsRef<[u8]>) -> Self {
        text.as_ref().clone_into(&mut self.stdin);
        self
    }

    pub fn stdout(mut self, text: impl Into<String>) -> Self {
        self.expected.stdout = text.into();
        self
    }

    pub fn stderr(mut self, text: impl Into<String>) -> Self {
        self.expected.stderr = text.into();
        self
    }

    pub fn status(mut self, status: i32) -> Self {
        self.expected.status = Some(status);
        self
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    #[track_caller]
    pub fn check(mut self) {
        let output = self.output();
        let expected = &self.expected;
        let wrong = [
            difference("standard output", &expected.stdout, &output.stdout),
            difference("standard error", &expected.stderr, &output.stderr),
            (expected.status != output.status).then(|| {
                let (expected, got) = (expected.status, output.status);
                format!("status: expected {expected:?}, got {got:?}\n")
            }),
        ];
        let wrong: String = wrong.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "{:?}\n{wrong}", self.command);
    }

    pub fn output(&mut self) -> Output {
        let mut child = self.spawn();
        let (mut pipe, text) = (child.stdin.take().unwrap(), self.stdin.clone());
        // A program that fails early does not read its input.
        let writer = thread::spawn(move || pipe.write_all(&text));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join().unwrap();
        Output {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code(),
        }
    }

    pub fn args(&mut self, args: &[&str]) -> &mut Self {
        self.command = command(args, self.folder.path());
        self
    }

    pub fn command(&mut self) -> &mut Command {
        &mut self.command
    }

    pub fn spawn(&mut self) -> Child {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

fn command(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_getaway"));
    command.args(args).current_dir(folder);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

/// Returns a readable diff; `None` if the texts are equal.
fn difference(what: &str, expected: &str, got: &str) -> Option<String> {
    if expected == got {
        return None;
    }
    let (old, new): (Vec<_>, Vec<_>) = (
        expected.split_inclusive('\n').collect(),
        got.split_inclusive('\n').collect(),
    );
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let ends = old[same..].iter().rev().zip(new[same..].iter().rev());
    let same_end = ends.take_while(|(a, b)| a == b).count();
    let mut text = format!("{what} (- expected, + got, from line {}):\n", same + 1);
    let marked = [
        (' ', &old[same.saturating_sub(2)..same]),
        ('-', &old[same..old.len() - same_end]),
        ('+', &new[same..new.len() - same_end]),
    ];
    for (mark, lines) in marked {
        for line in lines.iter().take(40) {
            writeln!(text, "{mark} {line:?}").unwrap();
        }
    }
    Some(text)
}
