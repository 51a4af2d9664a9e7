//! Many files side by side: a thread reads, a pool of workers evaluates, and the answers come out in
//! the order of the input.

mod evaluation;
mod reader;
mod sequence;
mod steady;
mod window;

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::fault::BoardError;
use crate::puzzle::Puzzle;
use crate::puzzle::stream::{self, Chunk};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use self::reader::Reader;
pub use self::sequence::Sequence;
use self::window::{Load, Window};
use super::counts::can_be;
use super::inputs::{PassedOver, Unit, Wanted, is_plain, unreadable};
use super::options::Share;
use super::records::{Job, Problem, Records};

/// How much is done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    /// What is quickest.
    Coarse,
    /// A board, so that little is lost if the run is killed.
    Fine,
}

/// What is known of a file, in the order of the input.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Part {
    /// The file as it was named; `None` if this is about no file.
    pub path: Option<Arc<str>>,
    /// The number, from 0, of the only board that was asked for.
    pub number: Option<u64>,
    /// What its boards came to, in this piece of it.
    pub records: Records,
    /// What is wrong with the file itself, after these boards, until it is taken down in the records.
    #[serde(skip)]
    pub problem: Option<Problem>,
    /// Whether this is the file's last piece.
    pub is_last: bool,
    /// The bytes of the piece.
    pub bytes: u64,
    /// What was passed over before it.
    pub passed_over: PassedOver,
}

impl Part {
    /// Whether its numbers can be those of a part.
    pub fn can_be(&self) -> bool {
        let numbers = [self.bytes, self.number.unwrap_or(0)];
        numbers.into_iter().all(can_be) && self.passed_over.can_be() && self.records.can_be()
    }
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
    Evaluated(u64),
    End,
}

/// What a piece has come to so far.
#[derive(Debug, Default)]
struct Answers(Mutex<Vec<Part>>);

impl Answers {
    fn add(&self, parts: Vec<Part>) {
        self.parts().extend(parts);
    }

    /// Adds what comes right after the last part.
    fn go_on(&self, next: Part) {
        let mut parts = self.parts();
        match parts.last_mut() {
            Some(last) if last.can_go_on(&next) => last.go_on(next),
            _ => parts.push(next),
        }
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Part>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A piece that has been handed out, and not been passed on whole.
struct UnderWay {
    answers: Arc<Answers>,
    load: Load,
    is_done: bool,
}

/// Gets the parts of a run as they are evaluated; an error ends it.
type Sink<'s> = dyn FnMut(Part) -> io::Result<()> + 's;

/// Gets the parts of a run as they are printed, those together that are done together; an error ends it.
type JudgedSink<'s> = dyn FnMut(Vec<Part>) -> io::Result<()> + 's;

/// A single file up to this size, in bytes, is looked into to see whether it is a single piece.
const ALONE: u64 = 1 << 26;
/// How often a wait is broken off to see whether an interrupt has come.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Evaluates all boards of `units`; `sink` gets the parts in the order of the input.
///
/// # Errors
///
/// Those of `sink`, which end the run.
pub fn run(job: &Job, units: Vec<Unit>, sink: &mut JudgedSink) -> anyhow::Result<()> {
    let mut sequence = Sequence::new(job);
    let sink = &mut |part| sink(sequence.pass(part));
    run_from(Position::default(), Grain::Coarse, job, units, sink)
}

/// The same from `position` on, after what `sequence` saw, in small parts.
///
/// # Errors
///
/// Those of `sink`, which end the run.
pub fn resume(
    job: &Job,
    units: Vec<Unit>,
    (position, sequence): (Position, &mut Sequence),
    sink: &mut JudgedSink,
) -> anyhow::Result<()> {
    let sink = &mut |part| sink(sequence.pass(part));
    run_from(position, Grain::Fine, job, units, sink)
}

fn run_from(
    position: Position,
    grain: Grain,
    job: &Job,
    units: Vec<Unit>,
    sink: &mut Sink,
) -> anyhow::Result<()> {
    if let Some(unit) = alone(job, &units) {
        // Here all threads are for one search at a time.
        let job = Job {
            share: Share::All,
            ..job.clone()
        };
        return Ok(match unit {
            _ if position.units > 0 => Ok(()),
            Unit::Board(path, wanted) => sink(evaluation::one_board(&job, path, wanted)),
            Unit::File(path) => evaluation::in_steps(&job, path, position.bytes, sink),
            _ => Ok(()),
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

/// The only unit, where it is plain before any worker is called that there is nothing to share out: a single
/// board, or a file that is not worth cutting.
fn alone<'u>(job: &Job, units: &'u [Unit]) -> Option<&'u Unit> {
    match units {
        [unit @ Unit::Board(..)] => Some(unit),
        [unit @ Unit::File(path)] => is_alone(job, path).then_some(unit),
        _ => None,
    }
}

fn is_alone(job: &Job, path: &Path) -> bool {
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

/// The main thread: hands pieces to the workers and answers on to the sink.
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
                    let load = Load::of_parts(&piece.answers.parts());
                    self.window
                        .replace(std::mem::replace(&mut piece.load, load), load);
                }
            }
            first += self.pass_on(&mut under_way, sink)?;
        }
        Ok(())
    }

    /// Passes on all answers that have none to wait for; how many pieces that ends.
    fn pass_on(&self, under_way: &mut VecDeque<UnderWay>, sink: &mut Sink) -> io::Result<u64> {
        let mut ended = 0;
        while let Some(piece) = under_way.front() {
            let parts = std::mem::take(&mut *piece.answers.parts());
            parts.into_iter().try_for_each(&mut *sink)?;
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
            // Nobody listens any more if the output has been closed.
            let _ = sender.send(Message::Evaluated(number));
        });
        UnderWay {
            answers,
            load,
            is_done: false,
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

    /// Whether the next part of the same file can be one with this.
    const fn can_go_on(&self, next: &Self) -> bool {
        self.problem.is_none() && next.records.earlier.is_empty()
    }

    /// Makes the next part one with this.
    fn go_on(&mut self, next: Self) {
        self.records.append(next.records);
        self.problem = next.problem;
        self.bytes += next.bytes;
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

    /// The whole file can't be read.
    fn unreadable(path: &Arc<str>, error: &io::Error) -> Self {
        Self {
            is_last: true,
            ..Self::failed(path, Problem::Unreadable(unreadable(error)))
        }
    }

    fn failed(path: &Arc<str>, problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::of(path)
        }
    }
}
