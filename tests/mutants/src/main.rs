//! `weave LIST LEFT-OUT FROM TO`: copies the sources from FROM to TO with all mutants of LIST (from `cargo mutants
//! --list --json`), each behind a switch such as `if crate::woven::on(7) { a - b } else { a + b }`. The number of a
//! mutant is its index in LIST; LEFT-OUT holds numbers to skip. Prints the byte ranges of the mutants as JSON.

mod find;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

#[derive(Clone, Deserialize)]
pub struct Mutant {
    #[serde(skip)]
    pub number: usize,
    file: String,
    /// The kind of mutant: `BinaryOperator`, `FnValue` and so on.
    pub genre: String,
    pub replacement: String,
    pub span: Span,
}

#[derive(Clone, Deserialize)]
pub struct Span {
    pub start: Place,
}

/// A place in a file: its line and column, counted from 1.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Default, Serialize)]
struct Woven {
    /// For each file: the first byte, the byte after the last, and the number of each mutant.
    regions: BTreeMap<String, Vec<(usize, usize, usize)>>,
    numbers: BTreeSet<usize>,
}

fn read<T: serde::de::DeserializeOwned>(path: &str) -> Result<T, Box<dyn Error>> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Writes a file only if its text has changed, to avoid needless builds.
fn write_if_new(path: &Path, text: &str) -> std::io::Result<()> {
    let is_there = fs::read(path).is_ok_and(|old| old == text.as_bytes());
    if is_there {
        Ok(())
    } else {
        fs::write(path, text)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, left_out, from, to] = &arguments[..] else {
        return Err("usage: weave LIST LEFT-OUT FROM TO".into());
    };
    let left_out: BTreeSet<usize> = read(left_out)?;
    let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for (number, mut mutant) in read::<Vec<Mutant>>(list)?.into_iter().enumerate() {
        mutant.number = number;
        let expected = files.entry(mutant.file.clone()).or_default();
        expected.extend((!left_out.contains(&number)).then_some(mutant));
    }
    let mut woven = Woven::default();
    for (file, mutants) in files {
        let text = fs::read_to_string(Path::new(from).join(&file))?;
        let edits = find::edits(&text, &mutants)?;
        let (text, regions) = write::written(&text, &edits);
        woven
            .numbers
            .extend(regions.iter().map(|&(.., number)| number));
        write_if_new(&Path::new(to).join(&file), &text)?;
        woven.regions.insert(file, regions);
    }
    println!("{}", serde_json::to_string(&woven)?);
    Ok(())
}
