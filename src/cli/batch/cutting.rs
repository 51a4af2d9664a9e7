//! Cuts inputs into pieces of work.

use std::io;
use std::path::Path;
use std::sync::Arc;

use getaway_board::puzzle::stream::{ChunkError, Chunks, PIECE};

use super::Piece;
use crate::cli::inputs::{named_format, open, unreadable};
use crate::cli::job::Job;
use crate::cli::record::{Part, Problem};

/// Cuts the text of an input after its first `done` bytes into pieces. The last piece marks the end of the file.
pub fn cut<E>(
    job: &Job,
    (path, done): (&Path, u64),
    sink: &mut dyn FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let most = job.options.max_memory(job.share);
    let name = shown(path);
    let failed = |error: &io::Error| Piece::failed(&name, Problem::Unreadable(unreadable(error)));
    let input = match open(path, most) {
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
            Ok(Some(chunk)) if job.is_per_board => {
                let mut parts = chunk.split(PIECE);
                parts.try_for_each(|chunk| sink(Piece::Chunk(Arc::clone(&name), chunk)))?;
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
