//! The README's examples are run: each `console` block is a dialogue, and what it shows must be what
//! the program prints.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A command and what it prints, as the README has it.
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

/// Runs the command line from the project's root, with this build of the program in its path.
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

/// Numbers that are measured differ from run to run.
fn without_timing(text: &str) -> String {
    let is_timing = |line: &&str| !line.contains(" boards a second");
    text.lines()
        .filter(is_timing)
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let examples = examples(&readme);
    let ours: Vec<_> = examples
        .iter()
        .filter(|example| !example.command.starts_with("cargo"))
        .collect();
    assert!(ours.len() >= 6, "the README has examples: {}", ours.len());
    for Example { command, output } in ours {
        let printed = without_timing(&run(command));
        assert_eq!(printed, without_timing(output), "$ {command}");
    }
}

#[test]
fn the_two_commands_are_there() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    for command in ["\n$ cargo run -- check puzzles\n", "\n$ cargo test\n"] {
        assert!(readme.contains(command), "{command}");
    }
}
