//! Runs each block of commands in the README and in `docs`, and compares what it prints.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
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

/// Commands that print JSON, and the section of `docs/json.md` with their fields.
const JSON: [(&str, &str); 13] = [
    (
        "check --json puzzles/jimmy puzzles/maze puzzles/theseus",
        "`solve` and `check`",
    ),
    (
        "check --json --max-states 1 puzzles/jimmy/42-a-big-field.txt",
        "`solve` and `check`",
    ),
    (
        "solve --json --explain puzzles/dungeon/32-one-step-behind.txt",
        "`solve` and `check`",
    ),
    (
        "rate --json puzzles/jimmy/01-source-left-up-left.txt",
        "`analyse` and `rate`",
    ),
    (
        "rate --json puzzles/dungeon/32-one-step-behind.txt",
        "`analyse` and `rate`",
    ),
    (
        "rate --json --max-states 1 puzzles/theseus/01-a-maze.txt",
        "`analyse` and `rate`",
    ),
    (
        "trace --json puzzles/theseus/17-safe-for-ever.txt",
        "`trace`, and `simulate` with one game",
    ),
    (
        "trace --json --moves LL puzzles/jimmy/06-source-no-valid-moves.txt",
        "`trace`, and `simulate` with one game",
    ),
    (
        "trace --json --search puzzles/maze/36-moves-of-many-turns.txt",
        "`trace`, and `simulate` with one game",
    ),
    (
        "trace --json --search puzzles/jimmy/01-source-left-up-left.txt",
        "`trace`, and `simulate` with one game",
    ),
    (
        "check --json --agent 'python3 examples/agents/runner.py' puzzles/jimmy/01-source-left-up-left.txt",
        "`solve` and `check`",
    ),
    (
        "simulate --json --runs 9 --seed 1 puzzles/maze/36-moves-of-many-turns.txt",
        "`simulate` with several games",
    ),
    ("census jimmy --json --rows 3 --cols 3", "`census`"),
];

/// Returns whether a type in `docs/json.md` allows a value.
fn is_of_type(value: &Value, words: &str) -> bool {
    let names: &[&str] = match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_f64() => &["number"],
        Value::Number(_) => &["integer", "number"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array", "bounds", "interval", "cell"],
        Value::Object(_) => &["object"],
    };
    words == "any" || names.iter().any(|name| words.contains(name))
}

/// Returns the types that the tables of a section give for a field.
fn types<'p>(section: &'p str, field: &str) -> Vec<&'p str> {
    let (mut types, mut column, mut name) = (Vec::new(), 0, "");
    for row in section.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        if let Some(found) = cells.iter().position(|cell| *cell == "type") {
            column = found;
        }
        // A row without a name continues the field above it.
        name = Some(cells[1])
            .filter(|cell| !cell.is_empty())
            .unwrap_or(name);
        if name.split(", ").any(|name| name.trim_matches('`') == field) {
            types.push(cells[column]);
        }
    }
    types
}

#[test]
fn the_page_on_json_gives_the_type_of_each_field() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/json.md")).unwrap();
    let section = |heading: &str| {
        let start = format!("\n## {heading}\n");
        let (_, rest) = page.split_once(&start).expect("the page has the heading");
        rest.split("\n## ").next().unwrap()
    };
    let (folder, mut fields) = (folder(), BTreeSet::new());
    for (command, heading) in JSON {
        let mut tables = section(heading).to_owned();
        if command.starts_with("rate") {
            tables += section("`solve` and `check`");
        }
        for line in run(&format!("getaway {command}"), folder.path()).lines() {
            let Ok(Value::Object(object)) = serde_json::from_str(line) else {
                continue;
            };
            for (field, value) in object {
                let types = types(&tables, &field);
                let is_right = types.iter().any(|words| is_of_type(&value, words));
                assert!(is_right, "{command}: `{field}` is {value}, not {types:?}");
                fields.insert(field);
            }
        }
    }
    assert!(fields.len() >= 50, "{} fields", fields.len());
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
