//! Arguments that select boards.

use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use twox_hash::XxHash3_64;

/// One of the parts into which the boards are divided.
///
/// A board's part depends on its file name and line number, not on the folder, so that all machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Counted from 1 to `of`.
    number: u64,
    of: u64,
}

impl Partition {
    /// Returns whether the board that begins at this line is in this part; line 0 stands for the file itself.
    pub fn has(self, path: &str, line: u64) -> bool {
        let name = Path::new(path).file_name();
        let name = name.map_or(path.as_bytes(), std::ffi::OsStr::as_encoded_bytes);
        XxHash3_64::oneshot_with_seed(line, name) % self.of == self.number - 1
    }

    /// Returns whether this part reports faults that concern no particular file.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }
}

impl std::fmt::Display for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((number, of)) if of > 0 => Err(format!(
                "there is no part {number} of {of}; write one from 1/{of} to {of}/{of}"
            )),
            _ => Err("write I/N, as in `2/4` for the second of four parts".into()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The runner escapes.
    Escape,
    /// The runner is caught.
    Caught,
    /// The food can be reached.
    Food,
    /// The food can't be reached.
    NoFood,
    /// A limit was reached.
    Undecided,
    /// A different answer than expected.
    Mismatch,
    /// An invalid board or an unreadable file.
    Error,
}

#[cfg(test)]
mod tests;
