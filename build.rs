//! Sets `GETAWAY_COMMIT` to the text after the version: ` (COMMIT DATE)`, ` (COMMIT)` or nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = of_package().or_else(of_clone);
    let text = commit.map(|commit| format!(" ({commit})"));
    println!(
        "cargo::rustc-env=GETAWAY_COMMIT={}",
        text.unwrap_or_default()
    );
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

/// Returns the commit of a clone. Only a `.git` in this folder counts, since a package may be unpacked inside another repository.
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
