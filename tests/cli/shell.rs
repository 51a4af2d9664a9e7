//! Completions, manual pages and the version. Tests skip tools that are not installed.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::run::Run;

pub fn printed(args: &[&str]) -> String {
    let output = Run::new(args).output();
    assert_eq!((&*output.stderr, output.status), ("", Some(0)), "{args:?}");
    output.stdout
}

/// Returns a tool's output, and whether it succeeded; `None` if it is not installed.
fn judged(tool: &str, args: &[&str], text: &str) -> Option<(bool, String)> {
    let spawned = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        eprintln!("skipped: there is no `{tool}` here");
        return None;
    };
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(text.as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8(said).unwrap()))
}

#[test]
fn each_shell_accepts_its_completions() {
    for (shell, args) in [
        ("bash", &["-n"][..]),
        ("zsh", &["-n"]),
        ("fish", &["--no-execute"]),
        ("elvish", &["-compileonly", "/dev/stdin"]),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("simulate") && script.contains("max-states"));
        if let Some(judged) = judged(shell, args, &script) {
            assert_eq!(judged, (true, String::new()), "{shell}");
        }
    }
}

#[test]
fn bash_completes_commands_options_and_rulesets() {
    let script = printed(&["completions", "bash"]);
    for (words, expected) in [
        (&["getaway", "sim"][..], "simulate\n"),
        (&["getaway", "check", "--max-m"], "--max-memory\n"),
        (&["getaway", "rules", "ji"], "jimmy\n"),
        (&["getaway", "solve", "--ruleset", "the"], "theseus\n"),
        (&["getaway", "completions", "z"], "zsh\n"),
    ] {
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let ask = format!(
            "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_getaway getaway {last} {before}\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            words.join(" "),
            words.len() - 1,
        );
        if let Some(judged) = judged("bash", &["--norc"], &ask) {
            assert_eq!(judged, (true, expected.to_owned()), "{words:?}");
        }
    }
}

#[test]
fn an_unknown_shell_is_an_error_that_lists_them() {
    let output = Run::new(&["completions", "tcsh"]).output();
    assert_eq!((&*output.stdout, output.status), ("", Some(2)));
    assert!(
        output
            .stderr
            .contains("[possible values: bash, elvish, fish, powershell, zsh]")
    );
}

pub fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let rows = help.lines().take_while(|line| *line != "Options:");
    let indented = rows.filter(|row| row.starts_with("  "));
    let names = indented.map(|row| row.split_whitespace().next().unwrap().to_owned());
    names.collect()
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("share/man1");
    assert_eq!(printed(&["man", "--dir", out.to_str().unwrap()]), "");
    let mut expected: Vec<_> = commands()
        .iter()
        .map(|name| format!("getaway-{name}.1"))
        .collect();
    expected.push("getaway.1".to_owned());
    expected.sort();
    let entries = fs::read_dir(&out).unwrap();
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut found: Vec<_> = entries.map(name).collect();
    found.sort();
    assert_eq!(found, expected);
    for name in commands() {
        let path = out.join(format!("getaway-{name}.1"));
        assert_eq!(fs::read_to_string(path).unwrap(), printed(&["man", &name]));
    }
}

#[test]
fn groff_accepts_the_pages() {
    for args in [vec!["man".to_owned()]].into_iter().chain(
        commands()
            .into_iter()
            .map(|name| vec!["man".to_owned(), name]),
    ) {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let page = printed(&args);
        let groff = ["-man", "-ww", "-z", "-Tutf8", "-K", "utf8"];
        if let Some(judged) = judged("groff", &groff, &page) {
            assert_eq!(judged, (true, String::new()), "{args:?}");
        }
    }
}

#[test]
fn a_page_shows_the_examples_as_they_are() {
    let page = printed(&["man", "solve"]);
    let Some((_, text)) = judged("groff", &["-man", "-Tascii", "-P-cbou"], &page) else {
        return;
    };
    let line = "       getaway solve boards.jsonl#left   the board whose id is `left`\n";
    assert!(
        text.contains(&line.replace("       ", "         ")),
        "{text}"
    );
    assert!(
        text.contains("getaway-solve(1)") && text.contains("--shortest"),
        "{text}"
    );
}

#[test]
fn an_unknown_command_has_no_page() {
    Run::new(&["man", "solv"])
        .stderr("error: unknown command `solv`: did you mean `solve`?\n\n")
        .status(2)
        .check();
}

#[cfg(unix)]
#[test]
fn pages_that_can_not_be_written_are_errors() {
    Run::new(&["man", "--dir", "file/below"])
        .file("file", "")
        .stderr("error: can't write file/below: Not a directory (os error 20)\n\n")
        .status(2)
        .check();
}

#[test]
fn the_version_has_the_commit() {
    let version = concat!("getaway ", env!("CARGO_PKG_VERSION"));
    assert_eq!(printed(&["-V"]), format!("{version}\n"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut git = Command::new("git");
    let log = git
        .current_dir(root)
        .args(["log", "-1", "--abbrev=9", "--format=%h %cs"]);
    let said = match log.output() {
        Ok(output) if output.status.success() && root.join(".git").exists() => output.stdout,
        _ => {
            eprintln!("skipped: there is no git, or this is no clone");
            return;
        }
    };
    let commit = String::from_utf8(said).unwrap();
    assert_eq!(
        printed(&["--version"]),
        format!("{version} ({})\n", commit.trim())
    );
}
