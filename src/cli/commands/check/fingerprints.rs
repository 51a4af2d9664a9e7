//! What the inputs of a run are, so that it is seen when they are others: each file with its size and a
//! checksum of its content.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::cli::inputs::{Unit, unreadable};
use crate::cli::output::words::{count, safe};

/// A file of the input.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    path: String,
    /// Its size and checksum, or why it can't be read.
    content: Result<(u64, u64), String>,
}

/// The files of the input, in the order in which they are read; what can't be read counts as one.
pub fn all<'u>(
    units: &'u [Unit],
    state: &'u Path,
) -> impl Iterator<Item = Result<Fingerprint>> + use<'u> {
    let state = state.canonicalize().ok();
    let files = units.iter().filter_map(Unit::path);
    files.map(move |path| Fingerprint::of(path, state.as_deref()))
}

impl Fingerprint {
    fn of(path: &Path, state: Option<&Path>) -> Result<Self> {
        let name = path.to_string_lossy().into_owned();
        let is_pipe = || {
            path.metadata()
                .is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
        };
        if name == "-" || is_pipe() {
            bail!(
                "{}: a pipe can't be read again after a kill; `--resume` needs files",
                safe(&name)
            );
        }
        if state.is_some() && path.canonicalize().ok().as_deref() == state {
            bail!(
                "{} is the state, and among the boards to check: name one that is not",
                safe(&name)
            );
        }
        Ok(Self {
            path: name,
            content: content(path).map_err(|error| unreadable(&error)),
        })
    }

    /// How another run of the same command differs, in words, where this was the file at a place and now it
    /// is `other`.
    pub fn difference(&self, other: &Self) -> String {
        let (was, is) = (safe(&self.path), safe(&other.path));
        match (&self.content, &other.content) {
            _ if was != is => format!("where {was} was, there is {is} now"),
            (Ok((before, _)), Ok((now, _))) if before != now => {
                format!(
                    "{is} had {}, and has {} now",
                    count(*before, "byte"),
                    count(*now, "byte")
                )
            }
            (Ok(_), Err(error)) => format!("{is} can't be read any more: {error}"),
            (Err(_), Ok(_)) => format!("{is} could not be read, and can be now"),
            _ => format!("{is} has another content now"),
        }
    }

    /// In words, where there was no such file, or is none any more.
    pub fn is_or_was(&self, what: &str) -> String {
        format!("{} {what}", safe(&self.path))
    }
}

/// The size of a file, and a checksum of what it holds.
fn content(path: &Path) -> io::Result<(u64, u64)> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let (mut size, mut hash) = (0, XxHash3_64::new());
    loop {
        let piece = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        if piece.is_empty() {
            return Ok((size, hash.finish()));
        }
        hash.write(piece);
        let len = piece.len();
        size += len as u64;
        input.consume(len);
    }
}
