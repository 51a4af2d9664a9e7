//! The thread that goes through the inputs and cuts them into pieces of work.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::puzzle::stream::{CHUNK, Chunk, ChunkError, Chunks, PIECE};

use super::evaluation::{internal, shown};
use super::steady::Steady;
use super::window::{Load, Window};
use super::{Grain, Message, Part, Piece, Position, Problem};
use crate::cli::compression::Plain;
use crate::cli::inputs::{Unit, is_plain, named_format, open, unreadable};
use crate::cli::panics;
use crate::cli::records::Job;
use crate::cli::tables::TableFormat;

/// Files up to this size, in bytes, are read as a whole.
const SMALL: u64 = CHUNK as u64;
/// How many small files make a piece.
const GROUP: usize = 64;

/// Reads the inputs.
pub struct Reader {
    pub job: Arc<Job>,
    pub sender: Sender<Message>,
    /// What is sent has to enter here first.
    pub window: Arc<Window>,
    /// What is not to be sent.
    pub done: Position,
    pub grain: Grain,
}

/// Nobody wants any more pieces.
struct Closed;

/// Small files on their way to one worker.
#[derive(Default)]
struct Group {
    files: Vec<PathBuf>,
    bytes: u64,
}

impl Reader {
    /// Sends all pieces, and then the end, even if reading comes to a bad one.
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
            if let Unit::File(path) = unit {
                self.file(&mut group, &path, done)?;
                continue;
            }
            // The files before it come before it.
            self.flush(&mut group)?;
            match unit {
                Unit::Stdin => self.stream(Path::new("-"), io::stdin().lock(), done)?,
                Unit::File(_) => {}
                Unit::Board(path, wanted) => self.send(Piece::Board(path, wanted), 0)?,
                Unit::Refused(path, why) => self.fail(&shown(&path), Problem::Unreadable(why))?,
                Unit::PassedOver(passed_over) => self.send_known(Part {
                    passed_over,
                    ..Part::default()
                })?,
            }
        }
        self.flush(&mut group)
    }

    /// Sends a piece of so many bytes. After an interrupt what has been read is still sent, so that it is counted as
    /// undecided, and nothing more is read.
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
        self.send_known(Part {
            is_last: true,
            ..Part::failed(&path.into(), problem)
        })
    }

    /// Sends a file, but for its first `done` bytes.
    fn file(&self, group: &mut Group, path: &Path, done: u64) -> Result<(), Closed> {
        let meta = fs::metadata(path);
        let size = meta.as_ref().ok().filter(|meta| meta.is_file());
        let small = size.map(Metadata::len).filter(|&size| size <= SMALL);
        // Who knows how much there is in a compressed one.
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

    /// Sends an input of any length, but for the first `done` bytes.
    fn stream(&self, path: &Path, input: impl Read, done: u64) -> Result<(), Closed> {
        let job = &self.job;
        let most = job.options.max_memory(job.share);
        let input = Plain::new(input, path, most);
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
                    part.problem = part.not_a_board(job, error);
                    part.bytes = chunks.offset() - start;
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

/// Opens a file: what is in it must stay as it is while it is read. A table sees to that itself.
fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    match TableFormat::named(path) {
        None => Ok(Box::new(File::open(path).and_then(Steady::new)?)),
        Some(_) => open(path),
    }
}
