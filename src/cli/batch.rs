//! Many files side by side: a thread reads, a pool of workers evaluates, and the answers come out in
//! the order of the input.

mod reader;
mod steady;
mod window;

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use getaway::fault::BoardError;
use getaway::puzzle::stream::{self, Chunk};
use getaway::puzzle::{Format, Puzzle};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::reader::Reader;
use self::window::{Load, Window};
use super::inputs::{Input, PassedOver, Wanted, is_plain, named_format, unreadable};
use super::one_board::{self, Unread};
use super::options::Share;
use super::output::records::{Job, Records, Source};
use super::panics;

/// Whether folders are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// They are, and only files with a board file's ending are read.
    Walk,
    /// They are an error, and files are read whatever their ending.
    Refuse,
}

/// What is known of a file, in the order of the input.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part<P = Problem> {
    /// The file as it was named; `None` if this is about no file.
    pub path: Option<Arc<str>>,
    /// The number, from 0, of the only board that was asked for.
    pub number: Option<u64>,
    /// What its boards came to, in this piece of it.
    pub records: Records,
    /// What is wrong with the file itself, after these boards.
    pub problem: Option<P>,
    /// Whether this is the file's last piece.
    pub is_last: bool,
    /// The bytes of the piece.
    pub bytes: u64,
    /// What was passed over before it.
    pub passed_over: PassedOver,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It can't be read.
    Unreadable(String),
    /// A part of it can't be a board.
    Board(BoardError),
}

/// How much of the inputs an earlier run has dealt with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// What is done: files, and what was passed over in a folder.
    units: u64,
    /// So many bytes of the next file are done as well.
    bytes: u64,
}

impl Position {
    /// The position after this part as well.
    pub fn pass(&mut self, part: &Part<impl Sized>) {
        self.bytes += part.bytes;
        if part.is_last || part.path.is_none() {
            *self = Self {
                units: self.units + 1,
                bytes: 0,
            };
        }
    }

    /// Goes on to the next unit: how many bytes of it are done, or `None` if it is done.
    fn next_unit(&mut self) -> Option<u64> {
        if let Some(units) = self.units.checked_sub(1) {
            self.units = units;
            return None;
        }
        Some(std::mem::take(&mut self.bytes))
    }
}

/// A piece of work.
#[derive(Debug)]
enum Piece {
    /// Small files, to be read and evaluated.
    Files(Vec<PathBuf>),
    /// One board of a file.
    Board(PathBuf, Wanted),
    /// A part of a large file or of standard input.
    Chunk(Arc<str>, Chunk),
    /// There is nothing to evaluate.
    Known(Box<Part>),
}

enum Message {
    Piece(Piece, Load),
    Evaluated(u64, Vec<Part>),
    End,
}

/// A single file up to this size, in bytes, is looked into to see whether it is a single piece.
const ALONE: u64 = 1 << 26;
/// How often a wait is broken off to see whether an interrupt has come.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Evaluates all boards of `inputs`; `sink` gets the parts in the order of the input.
///
/// # Errors
///
/// Those of `sink`, which end the run.
pub fn run(
    job: &Job,
    inputs: Vec<Input>,
    folders: Folders,
    sink: &mut dyn FnMut(Part) -> io::Result<()>,
) -> anyhow::Result<()> {
    resume(job, inputs, (folders, Position::default()), sink)
}

/// The same, from `position` on.
///
/// # Errors
///
/// Those of `sink`, which end the run.
pub fn resume(
    job: &Job,
    inputs: Vec<Input>,
    (folders, position): (Folders, Position),
    sink: &mut dyn FnMut(Part) -> io::Result<()>,
) -> anyhow::Result<()> {
    if position == Position::default()
        && let Some(piece) = alone(job, &inputs, folders)
    {
        // Here all threads are for one search at a time.
        let job = Job {
            share: Share::All,
            ..job.clone()
        };
        return Ok(evaluate(&job, piece).into_iter().try_for_each(sink)?);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.options.threads)
        .build()?;
    let (sender, messages) = mpsc::channel();
    let window = Arc::new(Window::new(job.options.max_memory(Share::All)));
    let job = Arc::new(job.clone());
    let reader = Reader {
        job: Arc::clone(&job),
        folders,
        sender: sender.clone(),
        window: Arc::clone(&window),
        done: Cell::new(position),
    };
    thread::spawn(move || reader.run(inputs));
    let pipeline = Pipeline {
        job,
        pool,
        sender,
        window,
    };
    let result = pipeline.run(&messages, sink);
    pipeline.window.close();
    Ok(result?)
}

/// The only piece of work there is, where that is plain before any worker is called: a single board, or
/// a file that is not worth cutting.
fn alone(job: &Job, inputs: &[Input], folders: Folders) -> Option<Piece> {
    match inputs {
        [Input::Board(path, wanted)] => Some(Piece::Board(path.clone(), wanted.clone())),
        [Input::Path(path)] => {
            is_alone(job, path, folders).then(|| Piece::Files(vec![path.clone()]))
        }
        _ => None,
    }
}

fn is_alone(job: &Job, path: &Path, folders: Folders) -> bool {
    let size = match fs::metadata(path) {
        Ok(meta) if meta.is_file() => meta.len(),
        _ => return false,
    };
    let most = ALONE.min(job.options.max_memory(job.share));
    if size > most || !is_plain(path) || reader::refusal(path, folders).is_some() {
        return false;
    }
    if size <= stream::PIECE as u64 {
        return true;
    }
    read_whole(path).is_ok_and(|text| {
        let format = named_format(path).or_else(|| stream::detect(&text));
        stream::pieces(&text, 1, format.unwrap_or(Format::Text)).len() == 1
    })
}

/// The main thread: hands pieces to the workers and answers on to the sink.
struct Pipeline {
    job: Arc<Job>,
    pool: ThreadPool,
    sender: Sender<Message>,
    window: Arc<Window>,
}

impl Pipeline {
    fn run(
        &self,
        messages: &Receiver<Message>,
        sink: &mut dyn FnMut(Part) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut handed, mut next, mut ended) = (0, 0_u64, false);
        // What each piece takes that is under way, and those that wait for their turn.
        let (mut loads, mut waiting) = (VecDeque::new(), BTreeMap::new());
        while !ended || next < handed {
            match messages.recv_timeout(POLL_INTERVAL) {
                // The reader may be waiting for input that never comes.
                Err(RecvTimeoutError::Timeout) => {
                    ended |= self.job.options.is_stopped() || self.job.selection.is_finished();
                }
                Err(RecvTimeoutError::Disconnected) | Ok(Message::End) => ended = true,
                Ok(Message::Piece(piece, load)) => {
                    self.hand_out(handed, piece);
                    loads.push_back(load);
                    handed += 1;
                }
                Ok(Message::Evaluated(number, parts)) => {
                    let load = &mut loads[(number - next) as usize];
                    let evaluated = Load::of_parts(&parts);
                    self.window
                        .replace(std::mem::replace(load, evaluated), evaluated);
                    waiting.insert(number, parts);
                }
            }
            while let Some(parts) = waiting.remove(&next) {
                parts.into_iter().try_for_each(&mut *sink)?;
                next += 1;
                let load = loads.pop_front().unwrap_or_default();
                self.window.replace(load, Load::default());
            }
        }
        Ok(())
    }

    fn hand_out(&self, number: u64, piece: Piece) {
        let (job, sender) = (Arc::clone(&self.job), self.sender.clone());
        self.pool.spawn(move || {
            let parts = evaluate(&job, piece);
            // Nobody listens any more if the output has been closed.
            let _ = sender.send(Message::Evaluated(number, parts));
        });
    }
}

fn evaluate(job: &Job, piece: Piece) -> Vec<Part> {
    match piece {
        Piece::Files(paths) => paths.iter().flat_map(|path| file(job, path)).collect(),
        Piece::Board(path, wanted) => vec![one_board(job, &path, &wanted)],
        Piece::Known(part) => vec![*part],
        Piece::Chunk(path, chunk) => {
            let Chunk { line, format, .. } = chunk;
            boards(job, &path, (&chunk.text, line, format))
        }
    }
}

/// Evaluates the boards of a text side by side, where there are enough of them.
fn boards(job: &Job, path: &Arc<str>, (text, line, format): (&[u8], u64, Format)) -> Vec<Part> {
    let source = |&(text, line): &(_, u64)| Source {
        path,
        text,
        line,
        format,
    };
    match stream::pieces(text, line, format).as_slice() {
        [piece] => Run::default().evaluate(job, path, source(piece)).parts,
        // What one worker evaluates in one go makes a part.
        pieces => pieces
            .par_iter()
            .fold(Run::default, |run, piece| {
                run.evaluate(job, path, source(piece))
            })
            .flat_map_iter(|run| run.parts)
            .collect(),
    }
}

/// What a worker evaluates in one go.
#[derive(Default)]
struct Run<'t> {
    parts: Vec<Part>,
    /// Used for one board after the other.
    puzzle: Puzzle<'t>,
}

impl<'t> Run<'t> {
    /// Goes on with the boards of `source`, which stand right after those before it.
    fn evaluate(mut self, job: &'t Job, path: &Arc<str>, source: Source<'t>) -> Self {
        let mut part = match self.parts.pop_if(|part| part.problem.is_none()) {
            Some(part) => part,
            None => Part::of(path),
        };
        part.bytes += source.text.len() as u64;
        // A panic over a board is an error of that board; this is for one over the text.
        let result = panics::caught(|| part.records.evaluate(job, source, &mut self.puzzle));
        part.problem = result.err().map(|panic| internal(&panic));
        self.parts.push(part);
        self
    }
}

fn internal(panic: &str) -> Problem {
    Problem::Unreadable(format!("{panic}; {}", panics::ADVICE))
}

fn file(job: &Job, path: &Path) -> Vec<Part> {
    let name = shown(path);
    let read = || -> Result<Vec<Part>, Problem> {
        let bytes = read_whole(path).map_err(|error| Problem::Unreadable(unreadable(&error)))?;
        let text = stream::without_mark(&bytes);
        let format = named_format(path).or_else(|| stream::detect(text));
        Ok(boards(
            job,
            &name,
            (text, 1, format.unwrap_or(Format::Text)),
        ))
    };
    let mut parts = read().unwrap_or_else(|problem| vec![Part::failed(&name, problem)]);
    match parts.last_mut() {
        Some(last) => last.is_last = true,
        None => parts.push(Part {
            is_last: true,
            ..Part::of(&name)
        }),
    }
    parts
}

fn one_board(job: &Job, path: &Path, wanted: &Wanted) -> Part {
    let name = shown(path);
    let mut part = Part {
        is_last: true,
        ..Part::of(&name)
    };
    let found = panics::caught(|| {
        let how = (&job.options, job.share);
        one_board::find(path, wanted, how, &mut |puzzle, number| {
            part.number = Some(number);
            part.records.board(job, &name, puzzle, (Ok(()), None));
        })
    });
    part.problem = match found {
        Ok(Ok(())) => None,
        Ok(Err(Unread::Board(error))) => {
            if let (Some(_), Wanted::Number(number)) = (error.limit(), wanted) {
                part.number = Some(number - 1);
            }
            part.not_a_board(job, error)
        }
        Ok(Err(Unread::Other(message))) => Some(Problem::Unreadable(message)),
        Err(panic) => Some(internal(&panic)),
    };
    part
}

fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1 << 12);
    // `take` keeps the standard library from asking for the size first.
    File::open(path)?.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn shown(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

impl<P> Default for Part<P> {
    fn default() -> Self {
        Self {
            path: None,
            number: None,
            records: Records::default(),
            problem: None,
            is_last: false,
            bytes: 0,
            passed_over: PassedOver::default(),
        }
    }
}

impl Part {
    fn of(path: &Arc<str>) -> Self {
        Self {
            path: Some(Arc::clone(path)),
            ..Self::default()
        }
    }

    /// Takes down that there is no board; the problem that this is, unless a limit ended the reading.
    fn not_a_board(&mut self, job: &Job, error: BoardError) -> Option<Problem> {
        if error.limit().is_none() {
            return Some(Problem::Board(error));
        }
        let path = self.path.as_deref().unwrap_or_default();
        let read = (Err(error), None);
        self.records.board(job, path, &Puzzle::empty(), read);
        None
    }

    fn failed(path: &Arc<str>, problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::of(path)
        }
    }
}
