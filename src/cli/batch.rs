//! Many boards: one thread reads them, a pool of workers judges them, and the results come out in input order.

mod evaluation;
mod reader;
mod sequence;
mod window;

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::puzzle::stream::{self, Chunk};
use rayon::ThreadPool;

use self::reader::Reader;
pub use self::sequence::Sequence;
use self::window::{Load, Window};
use super::inputs::{Input, Unit, Wanted, is_plain};
use super::options::Share;
use super::record::{Job, Part};

/// How many boards a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    /// As many as is fastest.
    Coarse,
    /// One board, so that a killed run loses little.
    Fine,
}

/// Progress through the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    units: u64,
    /// Bytes of the next unit that are done.
    bytes: u64,
}

impl Position {
    pub fn pass(&mut self, part: &Part) {
        self.bytes += part.bytes;
        if part.is_last || part.path.is_none() {
            *self = Self {
                units: self.units + 1,
                bytes: 0,
            };
        }
    }
}

#[derive(Debug)]
enum Piece {
    Files(Vec<PathBuf>),
    Board(PathBuf, Wanted),
    Chunk(Arc<str>, Chunk),
    /// A part without boards to judge.
    Known(Box<Part>),
}

enum Message {
    Piece(Piece, Load),
    Evaluated(u64),
    End,
}

/// Results of a piece that have yet to be passed on.
type Answers = Mutex<Vec<Part>>;

fn parts(answers: &Answers) -> MutexGuard<'_, Vec<Part>> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece with results that have yet to be passed on.
struct UnderWay {
    answers: Arc<Answers>,
    load: Load,
    is_done: bool,
}

/// Takes finished parts in input order; an error ends the run.
type Sink<'s> = dyn FnMut(Vec<Part>) -> io::Result<()> + 's;

/// Maximum size of a file, in bytes, that is checked for being a single piece.
const ALONE: u64 = 1 << 26;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Judges all boards of `units`; `sink` gets the parts in input order.
pub fn run(
    job: &Job,
    units: Vec<Unit>,
    sink: &mut dyn FnMut(Part) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut sequence = Sequence::new(job);
    let from = (Position::default(), Grain::Coarse);
    run_from(from, job, units, &mut |parts| {
        let mut parts = parts.into_iter().map(|part| sequence.pass(part));
        parts.try_for_each(&mut *sink)
    })
}

/// Continues at `position`; `sequence` has seen all earlier parts.
pub fn resume(
    job: &Job,
    units: Vec<Unit>,
    (position, sequence): (Position, &mut Sequence),
    sink: &mut Sink,
) -> anyhow::Result<()> {
    run_from((position, Grain::Fine), job, units, &mut |parts| {
        sink(parts.into_iter().map(|part| sequence.pass(part)).collect())
    })
}

fn run_from(
    (position, grain): (Position, Grain),
    job: &Job,
    units: Vec<Unit>,
    sink: &mut Sink,
) -> anyhow::Result<()> {
    if let Some(input) = alone(job, &units) {
        // The searches run one at a time, each on all threads.
        let job = Job {
            share: Share::All,
            ..job.clone()
        };
        return Ok(match input {
            _ if position.units > 0 => Ok(()),
            Input::Board(path, wanted) => sink(vec![evaluation::one_board(&job, path, wanted)]),
            input => evaluation::in_steps(&job, input.path(), position.bytes, sink),
        }?);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.options.threads)
        .build()?;
    let (sender, messages) = mpsc::channel();
    let window = Arc::new(Window::new(job.options.max_memory(Share::All)));
    let job = Arc::new(job.clone());
    let reader = Reader {
        job: Arc::clone(&job),
        sender: sender.clone(),
        window: Arc::clone(&window),
        done: position,
        grain,
    };
    thread::spawn(move || reader.run(units));
    let pipeline = Pipeline {
        job,
        pool,
        sender,
        window,
        grain,
    };
    let result = pipeline.run(&messages, sink);
    pipeline.window.close();
    Ok(result?)
}

/// Returns whether the searches run one at a time.
pub fn is_alone(job: &Job, units: &[Unit]) -> bool {
    alone(job, units).is_some()
}

/// Returns the only input if there is nothing to split.
fn alone<'u>(job: &Job, units: &'u [Unit]) -> Option<&'u Input> {
    match units {
        [Unit::Read(input @ Input::Board(..))] => Some(input),
        [Unit::Read(input @ Input::Path(path))] => is_one_piece(job, path).then_some(input),
        _ => None,
    }
}

fn is_one_piece(job: &Job, path: &Path) -> bool {
    let size = match fs::metadata(path) {
        Ok(meta) if meta.is_file() => meta.len(),
        _ => return false,
    };
    let most = ALONE.min(job.options.max_memory(job.share));
    if size > most || !is_plain(path) {
        return false;
    }
    if size <= stream::PIECE as u64 {
        return true;
    }
    evaluation::read_whole(path).is_ok_and(|bytes| {
        let (text, format) = evaluation::text_of(&bytes, path);
        stream::pieces(text, 1, format).len() == 1
    })
}

struct Pipeline {
    job: Arc<Job>,
    pool: ThreadPool,
    sender: Sender<Message>,
    window: Arc<Window>,
    grain: Grain,
}

impl Pipeline {
    fn run(&self, messages: &Receiver<Message>, sink: &mut Sink) -> io::Result<()> {
        let (mut under_way, mut first, mut ended) = (VecDeque::new(), 0_u64, false);
        while !ended || !under_way.is_empty() {
            match messages.recv_timeout(POLL_INTERVAL) {
                // The reader may be waiting for input that never comes.
                Err(RecvTimeoutError::Timeout) => {
                    ended |= self.job.options.is_stopped() || self.job.selection.is_finished();
                }
                Err(RecvTimeoutError::Disconnected) | Ok(Message::End) => ended = true,
                Ok(Message::Piece(piece, load)) => {
                    let number = first + under_way.len() as u64;
                    under_way.push_back(self.hand_out(number, piece, load));
                }
                Ok(Message::Evaluated(number)) => {
                    let piece: &mut UnderWay = &mut under_way[(number - first) as usize];
                    piece.is_done = true;
                    let load = Load::of_parts(&parts(&piece.answers));
                    self.window
                        .replace(std::mem::replace(&mut piece.load, load), load);
                }
            }
            first += self.pass_on(&mut under_way, sink)?;
        }
        Ok(())
    }

    /// Returns the number of finished pieces.
    fn pass_on(&self, under_way: &mut VecDeque<UnderWay>, sink: &mut Sink) -> io::Result<u64> {
        let mut ended = 0;
        while let Some(piece) = under_way.front() {
            let ready = std::mem::take(&mut *parts(&piece.answers));
            if !ready.is_empty() {
                sink(ready)?;
            }
            if !piece.is_done {
                break;
            }
            self.window.replace(piece.load, Load::default());
            under_way.pop_front();
            ended += 1;
        }
        Ok(ended)
    }

    fn hand_out(&self, number: u64, piece: Piece, load: Load) -> UnderWay {
        let answers = Arc::new(Answers::default());
        let (job, sender) = (Arc::clone(&self.job), self.sender.clone());
        let (grain, given) = (self.grain, Arc::clone(&answers));
        self.pool.spawn(move || {
            evaluation::evaluate(&job, piece, grain, &given);
            // This fails if the output was closed and the receiver is gone.
            let _ = sender.send(Message::Evaluated(number));
        });
        UnderWay {
            answers,
            load,
            is_done: false,
        }
    }
}
