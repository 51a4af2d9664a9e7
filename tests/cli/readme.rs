//! Runs each `console` block of the README and of `docs` and compares the output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

struct Example {
    command: String,
    output: String,
}

fn examples(readme: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    let (command, output) = (command.to_owned(), String::new());
                    examples.push(Example { command, output });
                } else {
                    let example = examples.last_mut().expect("a block begins with a command");
                    example.output.push_str(line);
                    example.output.push('\n');
                }
            }
            _ => {}
        }
    }
    examples
}

/// Runs a shell command in the project's root, where `getaway` is this build. Returns its output with the errors.
fn run(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_getaway"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(ROOT)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn without_timing(text: &str) -> String {
    let is_timing = |line: &&str| !line.contains(" boards per second");
    text.lines()
        .filter(is_timing)
        .map(|line| format!("{}\n", line.trim_end()))
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
fn every_page_shows_what_the_program_prints() {
    let mut shown = 0;
    for page in pages() {
        for Example { command, output } in examples(&fs::read_to_string(&page).unwrap()) {
            if !command.starts_with("cargo") {
                let printed = without_timing(&run(&command));
                let at = page.display();
                assert_eq!(printed, without_timing(&output), "{at}: $ {command}");
                shown += 1;
            }
        }
    }
    assert!(shown >= 15, "the pages have examples: {shown}");
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
