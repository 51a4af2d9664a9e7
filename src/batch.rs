//! Many files side by side: a thread reads, a pool of workers judges, and the answers come out in the
//! order of the input.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

use getaway::fault::BoardError;
use getaway::puzzle::Format;
use getaway::puzzle::stream::{self, Chunk, ChunkError, Chunks};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::judge::{Job, Records};

/// A file or folder to look for boards in.
#[derive(Clone, Debug)]
pub enum Input {
    /// `-`.
    Stdin,
    /// A path.
    Path(PathBuf),
}

impl Input {
    /// The input that an argument names.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::Path(path.to_owned())
        }
    }
}

/// Whether folders are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// They are.
    Walk,
    /// They are an error.
    Refuse,
}

/// What is known of a file, in the order of the input.
#[derive(Debug)]
pub struct Part {
    /// The file as it was named.
    pub path: Arc<str>,
    /// What its boards came to, in this piece of it.
    pub records: Records,
    /// What is wrong with the file itself.
    pub problem: Option<Problem>,
    /// Whether this is the file's last piece.
    pub is_last: bool,
    /// The bytes of the piece.
    pub bytes: u64,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It can't be read.
    Unreadable(String),
    /// A part of it can't be a board.
    Board(BoardError),
}

/// A piece of work.
#[derive(Debug)]
enum Piece {
    /// Small files, to be read and judged.
    Files(Vec<PathBuf>),
    /// A part of a large file or of standard input.
    Chunk(Arc<str>, Chunk),
    /// There is nothing to judge.
    Known(Part),
}

enum Message {
    Piece(Piece),
    Judged(u64, Vec<Part>),
    End,
}

/// Files up to this size are read as a whole.
const SMALL: u64 = stream::CHUNK as u64;
/// A single file up to this size needs no threads.
const ALONE: u64 = stream::PIECE as u64;
/// How many small files make a piece, and how many bytes of them at most.
const GROUP: usize = 64;
/// How many pieces may be under way for each worker.
const WINDOW: usize = 16;
/// How often a wait is broken off to see whether someone has said stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Judges all boards of `inputs`; `sink` gets the parts in the order of the input.
///
/// # Errors
///
/// Those of `sink`, which end the run.
pub fn run(
    job: &Arc<Job>,
    inputs: Vec<Input>,
    folders: Folders,
    threads: Option<u16>,
    sink: &mut dyn FnMut(Part) -> io::Result<()>,
) -> anyhow::Result<()> {
    if let [Input::Path(path)] = inputs.as_slice()
        && fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= ALONE)
    {
        // Here all threads are for one search at a time.
        let job = Job {
            threads: self::threads(threads),
            workers: 1,
            ..Job::clone(job)
        };
        return Ok(judge_file(&job, path).into_iter().try_for_each(sink)?);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(self::threads(threads))
        .build()?;
    let (sender, messages) = mpsc::channel();
    let (tokens, window) = mpsc::sync_channel(WINDOW * pool.current_num_threads());
    let reader = Reader {
        job: Arc::clone(job),
        folders,
        sender: sender.clone(),
        tokens,
    };
    thread::spawn(move || reader.run(inputs));
    Ok(Line {
        job,
        pool,
        sender,
        window,
    }
    .run(&messages, sink)?)
}

/// How many threads there are, if so many were asked for, or no number.
pub fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) if threads > 0 => threads.into(),
        _ => thread::available_parallelism().map_or(1, Into::into),
    }
}

/// The main thread: hands pieces to the workers and answers on to the sink.
struct Line<'j> {
    job: &'j Arc<Job>,
    pool: ThreadPool,
    sender: Sender<Message>,
    window: Receiver<()>,
}

impl Line<'_> {
    fn run(
        &self,
        messages: &Receiver<Message>,
        sink: &mut dyn FnMut(Part) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut handed, mut next, mut ended) = (0, 0, false);
        let mut waiting = BTreeMap::new();
        while !ended || next < handed {
            match messages.recv_timeout(GLANCE) {
                // The reader may be waiting for input that never comes.
                Err(RecvTimeoutError::Timeout) => ended |= self.is_stopped(),
                Err(RecvTimeoutError::Disconnected) | Ok(Message::End) => ended = true,
                Ok(Message::Piece(piece)) => {
                    self.hand_out(handed, piece);
                    handed += 1;
                }
                Ok(Message::Judged(number, parts)) => _ = waiting.insert(number, parts),
            }
            while let Some(parts) = waiting.remove(&next) {
                parts.into_iter().try_for_each(&mut *sink)?;
                next += 1;
                let _ = self.window.try_recv();
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.job.stop.load(Ordering::Relaxed)
    }

    fn hand_out(&self, number: u64, piece: Piece) {
        let (job, sender) = (Arc::clone(self.job), self.sender.clone());
        self.pool.spawn(move || {
            let parts = judge(&job, piece);
            // Nobody listens any more if the output has been closed.
            let _ = sender.send(Message::Judged(number, parts));
        });
    }
}

fn judge(job: &Job, piece: Piece) -> Vec<Part> {
    match piece {
        Piece::Files(paths) => paths
            .iter()
            .flat_map(|path| judge_file(job, path))
            .collect(),
        Piece::Known(part) => vec![part],
        Piece::Chunk(path, Chunk { text, line, format }) => {
            judge_text(job, &path, (&text, line, format))
        }
    }
}

/// Judges the boards of a text side by side, where there are enough of them.
fn judge_text(job: &Job, path: &Arc<str>, (text, line, format): (&[u8], u64, Format)) -> Vec<Part> {
    let part = |&(text, line): &(&[u8], u64)| {
        let mut part = Part::new(Arc::clone(path));
        part.bytes = text.len() as u64;
        part.records.judge(job, path, (text, line, format));
        part
    };
    match stream::pieces(text, line, format).as_slice() {
        [piece] => vec![part(piece)],
        pieces => pieces.par_iter().map(part).collect(),
    }
}

fn judge_file(job: &Job, path: &Path) -> Vec<Part> {
    let name = shown(path);
    let judged = match read_whole(path) {
        Err(error) => Err(Problem::Unreadable(unreadable(&error))),
        Ok(bytes) => {
            let text = stream::without_mark(&bytes);
            let format = named_format(path).or_else(|| stream::detect(text));
            let format = format.unwrap_or(Format::Text);
            Ok(judge_text(job, &name, (text, 1, format)))
        }
    };
    let mut parts = judged.unwrap_or_else(|problem| vec![Part::failed(Arc::clone(&name), problem)]);
    match parts.last_mut() {
        Some(last) => last.is_last = true,
        None => parts.push(Part {
            is_last: true,
            ..Part::new(name)
        }),
    }
    parts
}

fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1 << 12);
    // `take` keeps the standard library from asking for the size first.
    File::open(path)?.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The format that a file's name tells.
pub fn named_format(path: &Path) -> Option<Format> {
    path.extension()
        .is_some_and(|ext| ext == "jsonl")
        .then_some(Format::JsonLines)
}

fn shown(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

/// What the system says, without its number for it.
pub fn unreadable(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}

impl Part {
    fn new(path: Arc<str>) -> Self {
        Self {
            path,
            records: Records::default(),
            problem: None,
            is_last: false,
            bytes: 0,
        }
    }

    fn failed(path: Arc<str>, problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::new(path)
        }
    }
}

/// The thread that goes through the inputs and cuts them into pieces.
struct Reader {
    job: Arc<Job>,
    folders: Folders,
    sender: Sender<Message>,
    tokens: SyncSender<()>,
}

/// Nobody wants any more pieces.
struct Closed;

impl Reader {
    fn run(self, inputs: Vec<Input>) {
        let mut group = Group::default();
        for input in inputs {
            let sent = match input {
                Input::Stdin => self
                    .flush(&mut group)
                    .and_then(|()| self.stream("-".into(), io::stdin().lock(), None)),
                Input::Path(path) => self.path(&mut group, &path),
            };
            if sent.is_err() {
                return;
            }
        }
        if self.flush(&mut group).is_ok() {
            let _ = self.sender.send(Message::End);
        }
    }

    /// Sends a piece. When all is to stop, what has been read is still sent, so that it is told to be
    /// undecided, and nothing more is read.
    fn send(&self, piece: Piece) -> Result<(), Closed> {
        self.tokens.send(()).map_err(|_| Closed)?;
        self.sender
            .send(Message::Piece(piece))
            .map_err(|_| Closed)?;
        if self.job.stop.load(Ordering::Relaxed) {
            Err(Closed)
        } else {
            Ok(())
        }
    }

    fn flush(&self, group: &mut Group) -> Result<(), Closed> {
        let Group { files, .. } = std::mem::take(group);
        if files.is_empty() {
            Ok(())
        } else {
            self.send(Piece::Files(files))
        }
    }

    fn path(&self, group: &mut Group, path: &Path) -> Result<(), Closed> {
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() && self.folders == Folders::Walk => self.folder(group, path),
            Ok(meta) if meta.is_dir() => {
                let message = "this is a folder; `getaway check` goes through folders";
                self.fail(group, path, message.into())
            }
            Ok(meta) => self.file(group, path, meta.len()),
            Err(error) => self.fail(group, path, unreadable(&error)),
        }
    }

    fn fail(&self, group: &mut Group, path: &Path, message: String) -> Result<(), Closed> {
        self.flush(group)?;
        let part = Part::failed(shown(path), Problem::Unreadable(message));
        self.send(Piece::Known(Part {
            is_last: true,
            ..part
        }))
    }

    fn folder(&self, group: &mut Group, folder: &Path) -> Result<(), Closed> {
        for entry in board_files(folder) {
            match entry {
                Ok(path) => {
                    let size = fs::metadata(&path).map_or(0, |meta| meta.len());
                    self.file(group, &path, size)?;
                }
                Err((path, message)) => self.fail(group, &path, message)?,
            }
        }
        Ok(())
    }

    fn file(&self, group: &mut Group, path: &Path, size: u64) -> Result<(), Closed> {
        if size <= SMALL && is_regular(path, size) {
            group.files.push(path.to_owned());
            group.bytes += size;
            if group.files.len() >= GROUP || group.bytes >= SMALL {
                self.flush(group)?;
            }
            return Ok(());
        }
        self.flush(group)?;
        match File::open(path) {
            Ok(file) => self.stream(shown(path), file, named_format(path)),
            Err(error) => self.fail(group, path, unreadable(&error)),
        }
    }

    /// Sends all of an input of any length.
    fn stream(
        &self,
        path: Arc<str>,
        input: impl Read,
        format: Option<Format>,
    ) -> Result<(), Closed> {
        let mut chunks = Chunks::new(input, format);
        loop {
            match chunks.read() {
                Ok(Some(chunk)) => self.send(Piece::Chunk(Arc::clone(&path), chunk))?,
                Ok(None) => break,
                Err(ChunkError::Board(error)) => {
                    let part = Part::failed(Arc::clone(&path), Problem::Board(error));
                    self.send(Piece::Known(part))?;
                }
                Err(ChunkError::Io(error)) => {
                    let problem = Problem::Unreadable(unreadable(&error));
                    self.send(Piece::Known(Part::failed(Arc::clone(&path), problem)))?;
                    break;
                }
            }
        }
        self.send(Piece::Known(Part {
            is_last: true,
            ..Part::new(path)
        }))
    }
}

/// A pipe or device has no size, and may have no end.
fn is_regular(path: &Path, size: u64) -> bool {
    size > 0 || fs::metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Small files on their way to one worker.
#[derive(Default)]
struct Group {
    files: Vec<PathBuf>,
    bytes: u64,
}

/// What a board file's name may end in.
const EXTENSIONS: [&str; 10] = [
    "txt", "jsonl", "board", "map", "maze", "level", "lvl", "grid", "puzzle", "brd",
];

/// The board files below a folder, by name; hidden files and those of other kinds are passed over.
pub fn board_files(
    folder: &Path,
) -> impl Iterator<Item = Result<PathBuf, (PathBuf, String)>> + use<> {
    let root = folder.to_owned();
    let is_shown = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    walkdir::WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_shown)
        .filter_map(move |entry| match entry {
            Ok(entry) => is_board_file(&entry).then(|| Ok(entry.into_path())),
            Err(error) => {
                let path = error.path().unwrap_or(&root).to_owned();
                let message = error
                    .io_error()
                    .map_or_else(|| error.to_string(), unreadable);
                Some(Err((path, message)))
            }
        })
}

fn is_board_file(entry: &walkdir::DirEntry) -> bool {
    let extension = entry
        .path()
        .extension()
        .and_then(|extension| extension.to_str());
    !entry.file_type().is_dir()
        && extension.is_none_or(|ext| EXTENSIONS.contains(&ext.to_lowercase().as_str()))
}
