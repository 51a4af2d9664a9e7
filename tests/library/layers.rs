//! The layers of `src`. A module (a file with the folder of the same name) uses only lower layers, and no files use
//! each other in a cycle. Test code is exempt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::library::boards::path;

/// The layers from the bottom up. Modules in a layer do not use each other.
const FLOORS: &[&[&str]] = &[
    &["grid", "distribution", "rng", "limits"],
    &["fault", "bits"],
    &["puzzle"],
    &["ruleset"],
    &["rules"],
    &["engine"],
    &["play", "solution", "importers"],
    &["expect", "advice", "render", "verify", "agents"],
    &["analysis", "arena", "explanation"],
    &["game"],
    &["solvers", "census"],
    &["rulesets"],
    &["removals"],
    &["answers"],
    &["board", "generate"],
    &["cli"],
    &["internals"],
    &["main"],
];

/// Pairs (user, used) that are forbidden in spite of their layers: engines are independent of rules, and code that checks
/// or shows results is independent of the search.
const STRANGERS: &[(&str, &str)] = &[
    ("engine", "rules"),
    ("play", "engine"),
    ("render", "engine"),
    ("render", "rules"),
    ("render", "solution"),
    ("expect", "engine"),
    ("verify", "engine"),
    ("agents", "engine"),
    ("agents", "rules"),
];

type Module = Vec<String>;

fn sources(folder: &Path, parent: &[String], all: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut module = parent.to_vec();
        module.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        if path.is_dir() {
            sources(&path, &module, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.insert(module, fs::read_to_string(path).unwrap());
        }
    }
}

/// Returns the code without comments and tests, and the names of its test modules.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let mut code = String::new();
    let mut tests = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed == "#[cfg(test)]" {
            let indent = &line[..line.len() - trimmed.len()];
            let first = lines.find(|line| !line.trim_start().starts_with('#'));
            let first = first.expect("an attribute belongs to something");
            if let Some(name) = first.trim().strip_prefix("mod ") {
                tests.extend(name.strip_suffix(';').map(str::to_owned));
            }
            if first.trim_end().ends_with('{') {
                let end = format!("{indent}}}");
                lines.find(|line| **line == end);
            }
        } else if !trimmed.starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    (code, tests)
}

/// Returns the paths that begin with `crate` or `super`, with lists expanded.
fn paths(code: &str) -> Vec<Module> {
    let mut all = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let inside = code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c));
            if !inside {
                tree(&code[at..], &[], &mut all);
            }
        }
    }
    all
}

/// Adds the paths of a use tree, such as `a::{b, c::d}`, and returns the rest of the code.
fn tree<'c>(code: &'c str, before: &[String], all: &mut Vec<Module>) -> &'c str {
    let mut path = before.to_vec();
    let mut rest = code.trim_start();
    loop {
        if let Some(list) = rest.strip_prefix('{') {
            rest = list.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                let left = tree(rest, &path, all);
                // The next path comes after a comma, perhaps after a new name that follows `as`.
                let next = left.find([',', '}']).unwrap_or(left.len());
                rest = left[next..].trim_start_matches(',').trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '*';
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        path.push(rest[..end].to_owned());
        let Some(more) = rest[end..].strip_prefix("::") else {
            all.push(path);
            return &rest[end..];
        };
        rest = more;
    }
}

fn named(from: &Module, paths: &[Module], files: &BTreeSet<Module>) -> BTreeSet<Module> {
    let resolve = |path: &Module| {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let base = if supers == 0 {
            0
        } else {
            from.len() - supers.min(from.len())
        };
        let mut target = from[..base].to_vec();
        target.extend_from_slice(&path[supers.max(1)..]);
        while !target.is_empty() && !files.contains(&target) {
            target.pop();
        }
        target
    };
    let targets = paths.iter().map(resolve);
    targets.filter(|to| !to.is_empty() && to != from).collect()
}

fn arrows() -> BTreeMap<Module, BTreeSet<Module>> {
    let mut files = BTreeMap::new();
    sources(&path("src"), &[], &mut files);
    files.remove(&vec!["lib".to_owned()]);
    let mut codes = BTreeMap::new();
    let mut tests = Vec::new();
    for (module, text) in files {
        let (code, names) = without_tests(&text);
        tests.extend(names.into_iter().map(|name| [&*module, &[name]].concat()));
        codes.insert(module, code);
    }
    codes.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    let files: BTreeSet<_> = codes.keys().cloned().collect();
    let to = |(from, code): (&Module, &String)| (from.clone(), named(from, &paths(code), &files));
    codes.iter().map(to).collect()
}

fn show(from: &Module, to: &Module) -> String {
    format!("src/{}.rs -> src/{}.rs\n", from.join("/"), to.join("/"))
}

fn floor(module: &Module) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&&*module[0]))
}

fn is_allowed(from: &Module, to: &Module) -> bool {
    let [from_room, to_room] = [from, to].map(|module| &*module[0]);
    let is_below = floor(to) < floor(from) && !STRANGERS.contains(&(from_room, to_room));
    from_room == to_room || is_below
}

#[test]
fn every_file_uses_what_is_below_it() {
    let arrows = arrows();
    assert!(arrows.len() > 50, "{} files", arrows.len());
    let homeless = |file: &&Module| floor(file).is_none();
    let homeless: Vec<_> = arrows.keys().filter(homeless).collect();
    assert!(homeless.is_empty(), "on no floor: {homeless:?}");
    let mut seen = 0;
    let mut wrong = String::new();
    for (from, all) in &arrows {
        for to in all {
            seen += 1;
            if !is_allowed(from, to) {
                wrong.push_str(&show(from, to));
            }
        }
    }
    assert!(seen > 150, "{seen} arrows");
    assert!(wrong.is_empty(), "these go up, or to a stranger:\n{wrong}");
}

/// A file uses the files in its folder. If they use its definitions in turn, that does not count as a cycle.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut arrows = arrows();
    let files: Vec<_> = arrows.keys().cloned().collect();
    for (from, all) in &mut arrows {
        all.retain(|to| !from.starts_with(to));
        let inside = |file: &&Module| file.len() == from.len() + 1 && file.starts_with(from);
        all.extend(files.iter().filter(inside).cloned());
    }
    // Files that use no remaining file, or are used by none, are removed until nothing changes.
    loop {
        let left: BTreeSet<_> = arrows.keys().cloned().collect();
        for all in arrows.values_mut() {
            all.retain(|to| left.contains(to));
        }
        let used: BTreeSet<_> = arrows.values().flatten().cloned().collect();
        arrows.retain(|from, all| !all.is_empty() && used.contains(from));
        if arrows.len() == left.len() {
            break;
        }
    }
    let arrows = arrows
        .iter()
        .flat_map(|(from, all)| all.iter().map(|to| show(from, to)));
    let circles: String = arrows.collect();
    assert!(circles.is_empty(), "these are or join circles:\n{circles}");
}

#[test]
fn paths_are_found_in_lists_and_tests_are_left_out() {
    let text = "\
//! See crate::comment.
use crate::a::{self, b::{C, d as e}, f};
use super::g::*;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod more {
    use crate::hidden;
}
fn h() -> crate::i::J {
    crate::k::l(other_crate::m, $crate::n)
}
";
    let (code, tests) = without_tests(text);
    assert_eq!(tests, ["tests"]);
    let found: Vec<_> = paths(&code).iter().map(|path| path.join("::")).collect();
    let wanted = "crate::a::self crate::a::b::C crate::a::b::d crate::a::f crate::i::J crate::k::l super::g::*";
    assert_eq!(found.join(" "), wanted);
}

#[test]
fn names_lead_to_files() {
    let module = |text: &str| text.split("::").map(str::to_owned).collect::<Module>();
    let files = ["a", "a::b", "a::b::c", "d"].map(module).into();
    let from = module("a::b");
    for (path, wanted) in [
        ("crate::d::X", vec!["d"]),
        ("super::Y", vec!["a"]),
        ("crate::a::b::c::Z", vec!["a::b::c"]),
        ("super::super::d", vec!["d"]),
        ("crate::a::b::Own", vec![]),
        ("crate::Reexported", vec![]),
    ] {
        let wanted = wanted.into_iter().map(module).collect();
        assert_eq!(named(&from, &[module(path)], &files), wanted, "{path}");
    }
    assert!(is_allowed(&module("rules::maze"), &module("grid")));
    assert!(!is_allowed(&module("grid"), &module("rules::maze")));
    assert!(!is_allowed(&module("engine"), &module("rules")));
    assert!(!is_allowed(&module("rules"), &module("cli")));
}
