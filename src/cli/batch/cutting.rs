//! Cuts inputs into pieces of work.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::puzzle::stream::{ChunkError, Chunks};

use super::Piece;
use crate::cli::compression::plain;
use crate::cli::inputs::{named_format, open, unreadable};
use crate::cli::job::Job;
use crate::cli::record::{Part, Problem};
use crate::cli::tables::TableFormat;

/// Cuts the text of an input after its first `done` bytes into pieces. The last piece marks the end of the file.
pub fn cut<E>(
    job: &Job,
    (path, done): (&Path, u64),
    sink: &mut dyn FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let most = job.options.max_memory(job.share);
    let name = shown(path);
    let failed = |error: &io::Error| Piece::failed(&name, Problem::Unreadable(unreadable(error)));
    let input = match opened(path, most) {
        Ok(input) => input,
        Err(error) => return sink(failed(&error)),
    };
    let mut chunks = Chunks::new(input, named_format(path)).with_max_memory(Some(most));
    let mut passed = (done > 0).then(|| chunks.pass_over(done));
    loop {
        let start = chunks.offset();
        let read = match passed.take() {
            Some(Err(error)) => Err(error.into()),
            _ => chunks.read(),
        };
        match read {
            Ok(Some(chunk)) if job.is_fine => {
                let mut boards = chunk.split(1);
                boards.try_for_each(|chunk| sink(Piece::Chunk(Arc::clone(&name), chunk)))?;
            }
            Ok(Some(chunk)) => sink(Piece::Chunk(Arc::clone(&name), chunk))?,
            Ok(None) => break,
            Err(ChunkError::Board(error)) => {
                let mut part = Part::of(&name);
                part.bytes = chunks.offset() - start;
                part.add_unread(job, error);
                sink(Piece::known(part))?;
            }
            Err(ChunkError::Io(error)) => return sink(failed(&error)),
        }
    }
    sink(Piece::known(Part {
        is_last: true,
        ..Part::of(&name)
    }))
}

pub fn shown(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

/// Opens an input. Reading a file fails if it changes in the meantime; readers of tables check this themselves.
fn opened(path: &Path, max_memory: u64) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" || TableFormat::named(path).is_some() {
        return open(path, max_memory);
    }
    plain(Steady::new(File::open(path)?)?, path, max_memory)
}

/// A file whose last read fails if the file has changed since it was opened.
struct Steady {
    file: File,
    /// The metadata when the file was opened; `None` for a pipe or a device.
    was: Option<Metadata>,
}

impl Steady {
    fn new(file: File) -> io::Result<Self> {
        let meta = file.metadata()?;
        let was = meta.is_file().then_some(meta);
        Ok(Self { file, was })
    }

    fn has_changed(&self) -> io::Result<bool> {
        let Some(was) = &self.was else {
            return Ok(false);
        };
        let is = self.file.metadata()?;
        Ok(is.len() != was.len() || is.modified().ok() != was.modified().ok())
    }
}

impl Read for Steady {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(room)?;
        if got == 0 && !room.is_empty() && self.has_changed()? {
            return Err(io::Error::other("it changed while it was being read"));
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests;
