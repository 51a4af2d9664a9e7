//! The user's best results on solved boards, saved in a file.
//!
//! Each line is a JSON object. A better result adds a line, so that two programs can write at the same time. Lines that can't be
//! read are ignored.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use super::files::{folder, named};

#[derive(Debug, Default)]
pub struct Results {
    path: Option<PathBuf>,
    best: HashMap<(String, String), usize>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    ruleset: String,
    board: String,
    moves: usize,
}

/// The maximum number of bytes that are read from the file.
const MAX: u64 = 1 << 24;

impl Results {
    pub fn of_user() -> Self {
        let base = etcetera::choose_base_strategy().ok();
        base.map_or_else(Self::default, |base| {
            Self::read(&base.data_dir().join("getaway/results.jsonl"))
        })
    }

    pub fn read(path: &Path) -> Self {
        let mut results = Self {
            path: Some(path.to_owned()),
            best: HashMap::new(),
        };
        // Opening a pipe would wait for another program.
        if path.is_file()
            && let Ok(file) = File::open(path)
        {
            let mut bytes = Vec::new();
            let _ = file.take(MAX).read_to_end(&mut bytes);
            let lines = bytes.split(|&byte| byte == b'\n');
            for record in lines.filter_map(|line| serde_json::from_slice(line).ok()) {
                results.improve(record);
            }
        }
        results
    }

    /// Returns the fewest moves in which a board was solved; `None` if it never was.
    pub fn best(&self, ruleset: &str, board: &str) -> Option<usize> {
        let key = (ruleset.to_owned(), board.to_owned());
        self.best.get(&key).copied()
    }

    /// Notes that a board was solved. Writes the result if it is better than all earlier ones, and if there is a file.
    pub fn add(&mut self, ruleset: &str, board: &str, moves: usize) -> io::Result<()> {
        let record = Record {
            ruleset: ruleset.to_owned(),
            board: board.to_owned(),
            moves,
        };
        let line = serde_json::to_string(&record)?;
        let is_better = self.improve(record);
        let path = self.path.as_ref().filter(|_| is_better);
        path.map_or(Ok(()), |path| {
            append(path, line).map_err(|error| named(path, &error))
        })
    }

    fn improve(&mut self, record: Record) -> bool {
        let key = (record.ruleset, record.board);
        let best = self.best.entry(key).or_insert(usize::MAX);
        let is_better = record.moves < *best;
        *best = record.moves.min(*best);
        is_better
    }
}

fn append(path: &Path, mut line: String) -> io::Result<()> {
    fs::create_dir_all(folder(path))?;
    let mut file = File::options()
        .append(true)
        .create(true)
        .read(true)
        .open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last)?;
    }
    // The last line may have been cut off.
    if last != *b"\n" {
        line.insert(0, '\n');
    }
    line.push('\n');
    file.write_all(line.as_bytes())
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;
