//! Sets `GETAWAY_COMMIT` to the text after the version: ` (COMMIT DATE)`, ` (COMMIT)` or nothing. Writes the boards of
//! `puzzles/collection` as an array of pairs, each of a ruleset's name and the text of its boards.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR").expect("Cargo names a folder");
    let boards = collection().expect("the collection is part of the package");
    fs::write(Path::new(&out).join("collection.rs"), boards).expect("Cargo's folder is writable");
    let commit = of_package().or_else(of_clone);
    let text = commit.map(|commit| format!(" ({commit})"));
    println!(
        "cargo::rustc-env=GETAWAY_COMMIT={}",
        text.unwrap_or_default()
    );
}

fn collection() -> io::Result<String> {
    const FOLDER: &str = "puzzles/collection";
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut all = Vec::new();
    for folder in sorted(Path::new(FOLDER))?
        .iter()
        .filter(|path| path.is_dir())
    {
        let texts: io::Result<Vec<_>> = sorted(folder)?.iter().map(fs::read_to_string).collect();
        let ruleset = folder.file_name().unwrap_or_default().to_string_lossy();
        all.push((ruleset.into_owned(), texts?.join("\n")));
    }
    Ok(format!("{all:?}"))
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Returns the commit that `cargo package` recorded, for packages without a repository.
fn of_package() -> Option<String> {
    const INFO: &str = ".cargo_vcs_info.json";
    let text = std::fs::read_to_string(INFO).ok()?;
    println!("cargo::rerun-if-changed={INFO}");
    let (_, rest) = text.split_once("\"sha1\"")?;
    let sha = rest.split('"').nth(1)?;
    let is_sha = sha.len() >= 9 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha.then(|| sha[..9].to_owned())
}

/// Returns the commit of a clone and its date. Only a `.git` in this folder counts, since a package may be unpacked inside
/// another repository.
fn of_clone() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    let moving = ["HEAD", "logs/HEAD", "packed-refs"];
    for name in moving.into_iter().chain(branch.as_deref()) {
        // A missing file would make Cargo rebuild every time.
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["log", "-1", "--abbrev=9", "--format=%h %cs"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
