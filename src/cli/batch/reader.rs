//! Cuts the inputs into pieces of work, on a separate thread.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::puzzle::stream::{CHUNK, Chunk, ChunkError, Chunks, PIECE};

use super::evaluation::{internal, shown};
use super::window::{Load, Window};
use super::{Grain, Message, Piece, Position};
use crate::cli::compression::plain;
use crate::cli::inputs::{Input, Unit, is_plain, named_format, open_as_it_is, unreadable};
use crate::cli::panics;
use crate::cli::record::{Job, Part, Problem};
use crate::cli::tables::TableFormat;

/// The maximum size, in bytes, of a file that the reader loads as a whole.
const SMALL: u64 = CHUNK as u64;
const GROUP: usize = 64;

pub struct Reader {
    pub job: Arc<Job>,
    pub sender: Sender<Message>,
    pub window: Arc<Window>,
    pub done: Position,
    pub grain: Grain,
}

/// The receiver has ended and takes no more pieces.
struct Closed;

#[derive(Default)]
struct Group {
    files: Vec<PathBuf>,
    bytes: u64,
}

impl Reader {
    /// Sends all pieces and then [`Message::End`], even after a panic.
    pub fn run(self, units: Vec<Unit>) {
        let read = panics::caught(|| {
            panics::on_purpose("reader");
            self.units(units)
        });
        match read {
            Ok(Err(Closed)) => return,
            Ok(Ok(())) => {}
            Err(panic) => _ = self.fail("the input", internal(&panic)),
        }
        let _ = self.sender.send(Message::End);
    }

    fn units(&self, units: Vec<Unit>) -> Result<(), Closed> {
        let mut group = Group::default();
        let Position { units: done, bytes } = self.done;
        let bytes = std::iter::once(bytes).chain(std::iter::repeat(0));
        for (unit, done) in units.into_iter().skip(done as usize).zip(bytes) {
            if let Unit::Read(Input::Path(path)) = unit {
                self.file(&mut group, &path, done)?;
                continue;
            }
            // Files that were listed before this unit come first.
            self.flush(&mut group)?;
            match unit {
                Unit::Read(Input::Board(path, wanted)) => {
                    self.send(Piece::Board(path, wanted), 0)?;
                }
                Unit::Read(input) => self.stream(input.path(), io::stdin().lock(), done)?,
                Unit::Refused(path, why) => self.fail(&shown(&path), Problem::Unreadable(why))?,
                Unit::PassedOver(passed_over) => self.send_known(Part {
                    passed_over,
                    ..Part::default()
                })?,
            }
        }
        self.flush(&mut group)
    }

    /// Sends a piece. After an interrupt it is still sent, so that its boards count as undecided, and then reading ends.
    fn send(&self, piece: Piece, bytes: u64) -> Result<(), Closed> {
        let load = Load::of_piece(&piece, bytes);
        if !self.window.enter(load) {
            return Err(Closed);
        }
        self.sender
            .send(Message::Piece(piece, load))
            .map_err(|_| Closed)?;
        if self.job.options.is_stopped() || self.job.selection.is_finished() {
            Err(Closed)
        } else {
            Ok(())
        }
    }

    fn send_known(&self, part: Part) -> Result<(), Closed> {
        self.send(Piece::Known(Box::new(part)), 0)
    }

    fn flush(&self, group: &mut Group) -> Result<(), Closed> {
        let Group { files, bytes } = std::mem::take(group);
        if files.is_empty() {
            Ok(())
        } else {
            self.send(Piece::Files(files), bytes)
        }
    }

    fn fail(&self, path: &str, problem: Problem) -> Result<(), Closed> {
        self.send_known(Part::failed(&path.into(), problem))
    }

    fn file(&self, group: &mut Group, path: &Path, done: u64) -> Result<(), Closed> {
        let meta = fs::metadata(path);
        let size = meta.as_ref().ok().filter(|meta| meta.is_file());
        let small = size.map(Metadata::len).filter(|&size| size <= SMALL);
        // Compressed files are excluded here, since even a small one may hold any number of boards.
        if let Some(size) = small
            && done == 0
            && is_plain(path)
            && self.grain == Grain::Coarse
        {
            group.files.push(path.to_owned());
            group.bytes += size;
            if group.files.len() >= GROUP || group.bytes >= SMALL {
                self.flush(group)?;
            }
            return Ok(());
        }
        self.flush(group)?;
        match meta.and_then(|_| opened(path)) {
            Ok(file) => self.stream(path, file, done),
            Err(error) => self.fail(&shown(path), Problem::Unreadable(unreadable(&error))),
        }
    }

    fn chunk(&self, path: &Arc<str>, chunk: Chunk) -> Result<(), Closed> {
        let bytes = chunk.text.len() as u64;
        self.send(Piece::Chunk(Arc::clone(path), chunk), bytes)
    }

    fn stream(&self, path: &Path, input: impl Read, done: u64) -> Result<(), Closed> {
        let job = &self.job;
        let most = job.options.max_memory(job.share);
        let input = match plain(input, path, most) {
            Ok(input) => input,
            Err(error) => return self.fail(&shown(path), Problem::Unreadable(unreadable(&error))),
        };
        let mut chunks = Chunks::new(input, named_format(path)).with_max_memory(Some(most));
        let mut passed = (done > 0).then(|| chunks.pass_over(done));
        let path = &shown(path);
        loop {
            let start = chunks.offset();
            let read = match passed.take() {
                Some(Err(error)) => Err(error.into()),
                _ => chunks.read(),
            };
            match read {
                Ok(Some(chunk)) if self.grain == Grain::Fine => {
                    chunk
                        .split(PIECE)
                        .try_for_each(|chunk| self.chunk(path, chunk))?;
                }
                Ok(Some(chunk)) => self.chunk(path, chunk)?,
                Ok(None) => break,
                Err(ChunkError::Board(error)) => {
                    let mut part = Part::of(path);
                    part.bytes = chunks.offset() - start;
                    part.add_unread(job, error);
                    self.send_known(part)?;
                }
                Err(ChunkError::Io(error)) => {
                    return self.fail(path, Problem::Unreadable(unreadable(&error)));
                }
            }
        }
        self.send_known(Part {
            is_last: true,
            ..Part::of(path)
        })
    }
}

/// Opens a file. Reading it fails if the file changes in the meantime; readers of tables check this themselves.
fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    match TableFormat::named(path) {
        None => Ok(Box::new(Steady::new(File::open(path)?)?)),
        Some(_) => open_as_it_is(path),
    }
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
            return Err(io::Error::other("it was changed while it was read"));
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests;
