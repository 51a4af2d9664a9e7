//! `solve --watch`.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::boards::{EXIT, TRAP, endless};
use crate::run::Run;
use crate::terminal::Terminal;

const PATIENCE: Duration = Duration::from_secs(60);

const OUT: &str = "escape in 1 move: D\n";

struct Watched {
    child: Child,
    stdout: Arc<Mutex<String>>,
    stderr: Arc<Mutex<String>>,
}

fn gather(mut pipe: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let gathered = Arc::clone(&text);
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(read @ 1..) = pipe.read(&mut bytes) {
            let more = String::from_utf8_lossy(&bytes[..read]).into_owned();
            gathered.lock().unwrap().push_str(&more);
        }
    });
    text
}

impl Watched {
    fn new(folder: &TempDir, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_getaway"))
            .args(["solve", "--watch"])
            .args(args)
            .current_dir(folder.path())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            stdout: gather(child.stdout.take().unwrap()),
            stderr: gather(child.stderr.take().unwrap()),
            child,
        }
    }

    #[track_caller]
    fn wait_for(&self, what: &str, is_there: impl Fn(&str, &str) -> bool) {
        let start = Instant::now();
        loop {
            let (stdout, stderr) = (
                self.stdout.lock().unwrap().clone(),
                self.stderr.lock().unwrap().clone(),
            );
            if is_there(&stdout, &stderr) {
                return;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "never: {what}\n{stdout}\n{stderr}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for this answer. A half-written file may cause an additional answer before it.
    #[track_caller]
    fn answers(&self, answer: &str) {
        self.wait_for(answer, |stdout, _| {
            stdout.split("---\n").last() == Some(answer)
        });
    }

    #[track_caller]
    fn complains(&self, of: &str) {
        self.wait_for(of, |_, stderr| stderr.ends_with(of));
    }

    fn interrupt(mut self) -> Option<i32> {
        if cfg!(windows) {
            // No other program can press Ctrl-C there.
            return Some(0);
        }
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("Ctrl-C does not end it");
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder(board: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, board).unwrap();
    (folder, path)
}

/// Renames a file over another. Windows refuses that while the program reads the other.
fn replace(new: &Path, path: &Path) {
    while let Err(error) = fs::rename(new, path) {
        assert!(
            cfg!(windows) && error.kind() == ErrorKind::PermissionDenied,
            "{error}"
        );
        thread::yield_now();
    }
}

#[test]
fn every_way_of_saving_gives_an_answer() {
    let (folder, path) = folder(EXIT);
    let watched = Watched::new(&folder, &["a.txt"]);
    watched.answers(OUT);
    fs::write(&path, TRAP).unwrap();
    watched.answers("caught\n");
    // Many editors save by replacing the file.
    let new = folder.path().join("a.txt.new");
    fs::write(&new, EXIT).unwrap();
    replace(&new, &path);
    watched.answers(OUT);
    fs::remove_file(&path).unwrap();
    watched.complains("error: a.txt: no such file or directory\n\n");
    fs::write(&path, TRAP).unwrap();
    watched.answers("caught\n");
    fs::write(&path, "; ruleset: jimmy\n###\n#ox\n###\n").unwrap();
    watched.wait_for("the fault", |_, stderr| {
        stderr.contains("unknown glyph `x`\n --> a.txt:3:3\n")
    });
    fs::write(&path, EXIT).unwrap();
    watched.answers(OUT);
    // Neither changes to other files nor reads trigger an answer.
    fs::write(folder.path().join("b.txt"), TRAP).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), EXIT);
    fs::write(&path, TRAP).unwrap();
    watched.answers("caught\n");
    assert_eq!(watched.interrupt(), Some(0));
}

#[test]
fn a_search_under_way_is_stopped_when_the_file_changes() {
    let (folder, path) = folder(&endless());
    let watched = Watched::new(&folder, &["a.txt"]);
    // The pause gives the program time to start watching and searching.
    thread::sleep(Duration::from_millis(300));
    fs::write(&path, EXIT).unwrap();
    watched.answers(OUT);
    fs::write(&path, endless()).unwrap();
    watched.answers("");
    fs::write(&path, TRAP).unwrap();
    watched.answers("caught\n");
    // A search that was stopped prints nothing.
    watched.wait_for("its answer", |stdout, stderr| {
        !stdout.contains("undecided") && !stderr.contains("interrupted")
    });
    assert_eq!(watched.interrupt(), Some(0));
}

#[test]
fn several_files_are_answered_together() {
    let (folder, _) = folder(EXIT);
    fs::create_dir(folder.path().join("sub")).unwrap();
    let other = folder.path().join("sub/b.txt");
    let watched = Watched::new(&folder, &["a.txt", "sub/b.txt#1"]);
    watched.wait_for("that one is missing", |stdout, stderr| {
        stdout == format!("a.txt: {OUT}")
            && stderr == "error: sub/b.txt: no such file or directory\n\n"
    });
    fs::write(&other, TRAP).unwrap();
    watched.answers(&format!("a.txt: {OUT}sub/b.txt#1: caught\n"));
    // A folder that replaces another one is watched as well.
    fs::remove_dir_all(folder.path().join("sub")).unwrap();
    watched.complains("error: sub/b.txt: no such file or directory\n\n");
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(&other, EXIT).unwrap();
    watched.answers(&format!("a.txt: {OUT}sub/b.txt#1: {OUT}"));
    assert_eq!(watched.interrupt(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_link_is_watched_where_it_leads() {
    let (folder, path) = folder(EXIT);
    fs::create_dir(folder.path().join("sub")).unwrap();
    std::os::unix::fs::symlink(&path, folder.path().join("sub/link.txt")).unwrap();
    let watched = Watched::new(&folder, &["sub/link.txt"]);
    watched.answers(OUT);
    fs::write(&path, TRAP).unwrap();
    watched.answers("caught\n");
}

#[test]
fn unwatchable_inputs_are_errors() {
    for (args, stderr) in [
        (
            &["-"][..],
            "error: `--watch` needs board files, not standard input (`-`)\n\n",
        ),
        (
            &["."],
            "error: .: this is a folder; `--watch` needs board files\n\n",
        ),
        (
            &["no/a.txt"],
            "error: can't watch no: no such file or directory\n\n",
        ),
    ] {
        let args = [&["solve", "--watch"], args].concat();
        Run::new(&args).stderr(stderr).status(2).check();
    }
    for args in [
        &["--watch"][..],
        &["--watch", "--json", "a.txt"],
        &["--watch", "--quiet", "a.txt"],
    ] {
        let args = [&["solve"], args].concat();
        let output = Run::new(&args).output();
        assert_eq!((&*output.stdout, output.status), ("", Some(2)), "{args:?}");
    }
}

#[test]
fn on_a_terminal_the_answer_replaces_the_last() {
    let Some(terminal) = Terminal::new(100, 24) else {
        return;
    };
    let path = terminal.folder.path().join("a.txt");
    fs::write(&path, EXIT).unwrap();
    terminal.run("solve --watch a.txt");
    let end = "\nwatching 1 file; Ctrl-C to stop\n";
    terminal.wait_for("the escape", |screen| screen == format!("{OUT}{end}"));
    fs::write(&path, TRAP).unwrap();
    terminal.wait_for("the other answer", |screen| {
        screen == format!("caught\n{end}")
    });
    terminal.keys(&["C-c"]);
    terminal.ended(0);
}
