//! The thread that goes through the inputs and cuts them into pieces of work.

use std::cell::Cell;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::puzzle::stream::{CHUNK, Chunk, ChunkError, Chunks, PIECE};

use super::evaluation::{internal, shown};
use super::steady::Steady;
use super::window::{Load, Window};
use super::{Folders, Grain, Message, Part, Piece, Position, Problem};
use crate::cli::compression::Plain;
use crate::cli::inputs::{
    Found, Input, PassedOver, below, is_plain, known_endings, named_format, open, unknown_ending,
    unreadable,
};
use crate::cli::output::records::Job;
use crate::cli::panics;
use crate::cli::tables::TableFormat;

/// Files up to this size, in bytes, are read as a whole.
const SMALL: u64 = CHUNK as u64;
/// How many small files make a piece.
const GROUP: usize = 64;

/// Reads the inputs.
pub struct Reader {
    pub job: Arc<Job>,
    pub folders: Folders,
    pub sender: Sender<Message>,
    /// What is sent has to enter here first.
    pub window: Arc<Window>,
    /// What is left of that which is not to be sent.
    pub done: Cell<Position>,
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
    pub fn run(self, inputs: Vec<Input>) {
        let read = panics::caught(|| {
            panics::on_purpose("reader");
            self.inputs(inputs)
        });
        match read {
            Ok(Err(Closed)) => return,
            Ok(Ok(())) => {}
            Err(panic) => _ = self.fail("the input", internal(&panic)),
        }
        let _ = self.sender.send(Message::End);
    }

    fn inputs(&self, inputs: Vec<Input>) -> Result<(), Closed> {
        let mut group = Group::default();
        for input in inputs {
            match input {
                Input::Stdin => {
                    self.flush(&mut group)?;
                    if let Some(done) = self.next_unit() {
                        self.stream(Path::new("-"), io::stdin().lock(), done)?;
                    }
                }
                Input::Path(path) => self.path(&mut group, &path)?,
                Input::Board(path, wanted) => {
                    self.flush(&mut group)?;
                    if self.next_unit().is_some() {
                        self.send(Piece::Board(path, wanted), 0)?;
                    }
                }
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

    /// How many bytes of the next file are done; `None` if all of it is. The same goes for what was passed
    /// over in a folder.
    fn next_unit(&self) -> Option<u64> {
        let mut done = self.done.get();
        let next = done.next_unit();
        self.done.set(done);
        next
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

    fn path(&self, group: &mut Group, path: &Path) -> Result<(), Closed> {
        match fs::metadata(path) {
            Err(error) => self.refuse(group, path, unreadable(&error)),
            Ok(meta) if meta.is_dir() && self.folders == Folders::Walk => self.folder(group, path),
            Ok(meta) => match refusal(path, self.folders) {
                Some(message) => self.refuse(group, path, message),
                None => self.file(group, path, &meta),
            },
        }
    }

    /// Tells, after the files before it, why a file or folder is not read.
    fn refuse(&self, group: &mut Group, path: &Path, message: String) -> Result<(), Closed> {
        self.flush(group)?;
        match self.next_unit() {
            Some(_) => self.fail(&shown(path), Problem::Unreadable(message)),
            None => Ok(()),
        }
    }

    fn fail(&self, path: &str, problem: Problem) -> Result<(), Closed> {
        self.send_known(Part {
            is_last: true,
            ..Part::failed(&path.into(), problem)
        })
    }

    fn folder(&self, group: &mut Group, folder: &Path) -> Result<(), Closed> {
        let mut passed_over = PassedOver::default();
        for found in below(folder) {
            match found {
                Found::PassedOver(reason) => passed_over.count(reason),
                Found::Unreadable(path, message) => self.refuse(group, &path, message)?,
                Found::Board(path) => match fs::metadata(&path) {
                    Ok(meta) => self.file(group, &path, &meta)?,
                    Err(error) => self.refuse(group, &path, unreadable(&error))?,
                },
            }
        }
        if passed_over.is_empty() {
            return Ok(());
        }
        // The files before it are counted before it.
        self.flush(group)?;
        if self.next_unit().is_none() {
            return Ok(());
        }
        self.send_known(Part {
            passed_over,
            ..Part::default()
        })
    }

    fn file(&self, group: &mut Group, path: &Path, meta: &Metadata) -> Result<(), Closed> {
        let Some(done) = self.next_unit() else {
            return Ok(());
        };
        let is_small = meta.is_file() && meta.len() <= SMALL && done == 0;
        // Who knows how much there is in a compressed one.
        if is_small && is_plain(path) && self.grain == Grain::Coarse {
            group.files.push(path.to_owned());
            group.bytes += meta.len();
            if group.files.len() >= GROUP || group.bytes >= SMALL {
                self.flush(group)?;
            }
            return Ok(());
        }
        self.flush(group)?;
        match opened(path) {
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

/// Why a path that was named is not read, if it is not: folders only where they are walked, and there
/// only files that end like board files, so that no other file passes for a board.
pub fn refusal(path: &Path, folders: Folders) -> Option<String> {
    match folders {
        Folders::Refuse if path.is_dir() => {
            Some("this is a folder; `getaway check` goes through folders".into())
        }
        Folders::Walk => unknown_ending(path).map(|ending| {
            format!(
                "`{ending}` is not the ending of a board file ({}); rename it, or pipe it into `-`",
                known_endings()
            )
        }),
        Folders::Refuse => None,
    }
}
