//! Runs each block of commands in the README and in `docs`, and compares what it prints.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The commands that this test does not run, and why.
const NOT_RUN: [(&str, &str); 12] = [
    ("cargo install --path .", "it installs the program"),
    (
        "pip install './python[pettingzoo]'",
        "it installs the package; `python/check` tests it",
    ),
    ("web/build", "`.ci/run` makes the page"),
    (
        "cargo run -- check puzzles",
        "Cargo would wait for this test to end; `.ci/run` checks the boards",
    ),
    (
        "cargo test",
        "it runs this test; `.ci/run` reads the command from the README",
    ),
    (
        "getaway generate jimmy --min-moves 30 --seed 1",
        "a search of up to a minute",
    ),
    (
        "getaway generate baddies --rows 7 --cols 7 --min-moves 36 --seed 1",
        "a search of up to a minute",
    ),
    (
        "getaway generate dungeon --rooms 3 --probability 0.45..0.55 --seed 1",
        "a search of up to a minute",
    ),
    (
        "getaway convert boards.txt page.html --template web/dist/getaway.html",
        "`web/build` must make the page first; `web/test.mjs` tests the result",
    ),
    (
        "cd examples/grading",
        "`tests/cli/grading.rs` grades submissions with these commands",
    ),
    (
        "python3 -m zipfile -c maze.zip answers.py setup.sh maze/* \"$(command -v getaway)\"",
        "see above",
    ),
    (
        "python3 grade.py maze.zip SUBMISSIONS > marks.csv",
        "see above",
    ),
];

/// The languages of blocks that hold no commands: boards and screens, and code.
const NO_COMMANDS: [&str; 3] = ["text", "rust", "js"];

struct Example {
    command: String,
    output: String,
}

/// Returns the examples in a page's blocks of commands.
fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut language = None;
    for line in page.lines() {
        match (language, line.trim_start().strip_prefix("```")) {
            (None, Some(name)) => language = Some(name),
            (Some(_), Some(_)) => language = None,
            (Some("console"), None) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    let (command, output) = (command.to_owned(), String::new());
                    examples.push(Example { command, output });
                } else {
                    let example = examples.last_mut().expect("a block begins with a command");
                    example.output += &format!("{line}\n");
                }
            }
            (Some(name), None) => {
                assert!(
                    NO_COMMANDS.contains(&name),
                    "write commands as `console`: {line}"
                );
            }
            (None, None) => {}
        }
    }
    examples
}

/// Returns a folder in which the commands of a page run: its files are links into the project.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for entry in fs::read_dir(ROOT).unwrap() {
        let entry = entry.unwrap();
        symlink(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

/// Runs a shell command, where `getaway` is this build. Returns its output with the errors.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_getaway"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Replaces the figures of a line about speed, such as `15,199 boards per second (8.8 ms)`.
fn without_figures(line: &str) -> String {
    if !line.contains(" boards per second (") {
        return line.trim_end().to_owned();
    }
    let is_figure = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let words = line.split(is_figure).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join("N");
    [" ms)", " µs)", " min)"]
        .iter()
        .fold(line, |line, unit| line.replace(unit, " s)"))
}

fn lines(text: &str) -> String {
    text.lines()
        .map(|line| without_figures(line) + "\n")
        .collect()
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let mut pages: Vec<_> = fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    pages.sort_unstable();
    pages.push(root.join("README.md"));
    pages
}

#[test]
fn every_block_of_commands_prints_what_the_page_shows() {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    let mut not_run: BTreeSet<_> = NOT_RUN.iter().map(|(command, _)| *command).collect();
    let (mut shown, mut wrong) = (0, String::new());
    for page in pages() {
        let folder = folder();
        for Example { command, output } in examples(&fs::read_to_string(&page).unwrap()) {
            if NOT_RUN.iter().any(|(other, _)| *other == command) {
                not_run.remove(&*command);
                assert_eq!(output, "", "no test compares this output: {command}");
            } else if has_python || !command.contains("python3") {
                let printed = lines(&run(&command, folder.path()));
                if printed != lines(&output) {
                    wrong += &format!("{}: $ {command}\n{printed}\n", page.display());
                }
                shown += 1;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these commands print something else:\n{wrong}"
    );
    assert!(
        not_run.is_empty(),
        "no page has these commands: {not_run:?}"
    );
    assert!(shown >= 20, "the pages have examples: {shown}");
}

#[test]
fn only_the_figures_of_a_speed_may_differ() {
    let line = "15,199 boards per second (8.8 ms)";
    assert_eq!(lines("7 boards per second (1.2 s)"), lines(line));
    assert_ne!(lines("7 boards per second"), lines(line));
    assert_ne!(lines("7 boards a second (1.2 s)"), lines(line));
    assert_ne!(lines("escape in 3 moves"), lines("escape in 4 moves"));
    assert_ne!(lines("caught\n\n"), lines("caught\n"));
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://"));
    files.map(|target| target.split('#').next().unwrap())
}

#[test]
fn every_link_leads_to_a_file() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let target = page.parent().unwrap().join(link);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150);
}

#[test]
fn the_two_commands_are_there() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    for command in ["\n$ cargo run -- check puzzles\n", "\n$ cargo test\n"] {
        assert!(readme.contains(command), "{command}");
    }
}
