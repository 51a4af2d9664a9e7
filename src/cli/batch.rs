//! Runs over many boards: one thread reads the boards, a pool of workers judges them, and the results come out in input order.

mod cutting;
mod evaluation;
mod reader;
mod window;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use getaway_board::fault::FaultKind;
use getaway_board::puzzle::stream::{self, Chunk};
use getaway_board::puzzle::{Format, error_at};
use getaway_solvers::answers::Standing;

use self::reader::Reader;
use self::window::Window;
use super::exit::Tally;
use super::inputs::{Input, PassedOver, Unit, Wanted, is_plain, named_format};
use super::job::Job;
use super::options::Share;
use super::record::{Part, Problem};

/// The place in the input up to which all boards have been judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    units: u64,
    /// The number of bytes judged in the unit after the first `units`.
    bytes: u64,
}

#[derive(Debug)]
enum Piece {
    /// Small files, and their total size in bytes.
    Files(Vec<PathBuf>, u64),
    Board(PathBuf, Wanted),
    Chunk(Arc<str>, Chunk),
    /// A part that has no boards to judge.
    Known(Box<Part>),
}

/// The estimated bytes of results for each line of text.
const ANSWER: u64 = 256;
/// The estimated bytes of each line in small files.
const LINE: u64 = 8;

impl Piece {
    fn known(part: Part) -> Self {
        Self::Known(Box::new(part))
    }

    fn failed(path: &Arc<str>, problem: Problem) -> Self {
        Self::known(Part::failed(path, problem))
    }

    /// Estimates the memory for the text and its results, in bytes.
    fn load(&self) -> u64 {
        let (text, lines) = match self {
            Self::Files(files, bytes) => (*bytes, bytes / LINE + files.len() as u64),
            Self::Chunk(_, chunk) => (chunk.text.len() as u64, chunk.lines),
            Self::Board(..) | Self::Known(_) => (0, 1),
        };
        text + lines * ANSWER
    }
}

/// Receives finished parts in input order. If it returns an error, the run ends.
type Sink<'s> = dyn FnMut(Vec<Part>) -> io::Result<()> + 's;

/// The maximum size, in bytes, of a file that [`alone`] reads.
const ALONE: u64 = 1 << 26;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Judges all boards of `units` and passes the parts to `sink` in input order.
pub fn run(
    job: &Job,
    units: Vec<Unit>,
    sink: &mut dyn FnMut(Part) -> io::Result<()>,
) -> anyhow::Result<()> {
    resume(&mut Sequence::new(job), units, &mut |parts| {
        parts.into_iter().try_for_each(&mut *sink)
    })
}

/// Continues a run after the parts of `sequence`.
pub fn resume(sequence: &mut Sequence, units: Vec<Unit>, sink: &mut Sink) -> anyhow::Result<()> {
    let (job, position) = (sequence.job, sequence.position);
    let sink =
        &mut |parts: Vec<Part>| sink(parts.into_iter().map(|part| sequence.pass(part)).collect());
    match alone(job, &units) {
        Some(_) if position.units > 0 => {}
        Some(input) => run_alone(job, (input, position.bytes), sink)?,
        None => run_side_by_side(job, units, position, sink)?,
    }
    Ok(())
}

/// Judges boards one after another, each on all threads.
fn run_alone(job: &Job, (input, done): (&Input, u64), sink: &mut Sink) -> io::Result<()> {
    let job = Job {
        share: Share::All,
        is_per_board: true,
        ..job.clone()
    };
    let mut evaluate = |piece| evaluation::evaluate(&job, piece, sink);
    match input.clone() {
        Input::Board(path, wanted) => evaluate(Piece::Board(path, wanted)),
        input => cutting::cut(&job, (input.path(), done), &mut evaluate),
    }
}

fn run_side_by_side(
    job: &Job,
    units: Vec<Unit>,
    done: Position,
    sink: &mut Sink,
) -> anyhow::Result<()> {
    let (sender, pieces) = mpsc::channel();
    let window = Arc::new(Window::new());
    let reader = Reader {
        pool: job.options.pool()?,
        job: Arc::new(job.clone()),
        sender,
        window: Arc::clone(&window),
        done,
    };
    thread::spawn(move || reader.run(units));
    let result = pass_on(job, &pieces, &window, sink);
    window.close();
    Ok(result?)
}

/// Receives the results of a piece as they are found.
type Results = Receiver<Vec<Part>>;

fn pass_on(
    job: &Job,
    pieces: &Receiver<Results>,
    window: &Window,
    sink: &mut Sink,
) -> io::Result<()> {
    loop {
        match pieces.recv_timeout(POLL_INTERVAL) {
            Ok(results) => {
                while let Ok(mut parts) = results.recv() {
                    parts.extend(results.try_iter().flatten());
                    let load = parts.iter().map(Part::size).sum();
                    sink(parts)?;
                    window.replace(load, 0);
                }
            }
            // The reader may be waiting for input that never comes, so this loop polls for a reason to stop.
            Err(RecvTimeoutError::Timeout)
                if !job.options.is_stopped() && !job.selection.is_finished() => {}
            Err(_) => return Ok(()),
        }
    }
}

pub fn is_alone(job: &Job, units: &[Unit]) -> bool {
    alone(job, units).is_some()
}

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
    fs::read(path).is_ok_and(|bytes| {
        let text = stream::without_mark(&bytes);
        let format = named_format(path).or_else(|| stream::detect(text));
        stream::pieces(text, 1, format.unwrap_or(Format::Text)).len() == 1
    })
}

/// The parts judged so far, in input order.
pub struct Sequence<'j> {
    pub job: &'j Job,
    position: Position,
    /// The number of boards of the current file so far.
    boards: u64,
    has_errors: bool,
    pub tally: Tally,
    pub bytes: u64,
}

impl<'j> Sequence<'j> {
    pub fn new(job: &'j Job) -> Self {
        Self {
            job,
            position: Position::default(),
            boards: 0,
            has_errors: false,
            tally: Tally::default(),
            bytes: 0,
        }
    }

    pub const fn is_past(&self, units: usize) -> bool {
        self.position.units >= units as u64
    }

    fn pass(&mut self, mut part: Part) -> Part {
        let start = part.number.unwrap_or(self.boards);
        let problem = part.problem.take().or_else(|| {
            let boards = start + part.boards;
            let is_empty = part.is_last && boards == 0 && !self.has_errors;
            let is_known = is_empty && !self.job.options.is_stopped();
            is_known.then(|| Problem::Board(error_at(1, FaultKind::NoBoard)))
        });
        self.has_errors |= part.tally.standing(Standing::Error) > 0;
        if self.job.selection.ends_after(&self.tally) {
            part.discard_results();
        }
        if let Some(problem) = problem {
            self.add_problem(&mut part, &problem);
        }
        part.number_from(start);
        if part.path.is_none() && !self.job.selection.has_rest() {
            part.passed_over = PassedOver::default();
        }
        self.saw(&part);
        part
    }

    /// Adds a problem, unless the selection excludes it or the run is over.
    fn add_problem(&mut self, part: &mut Part, problem: &Problem) {
        self.has_errors = true;
        let selection = &self.job.selection;
        let (is_board, line) = match problem {
            Problem::Unreadable(_) => (false, 0),
            Problem::Board(error) if error.first().kind == FaultKind::NoBoard => (true, 0),
            Problem::Board(error) => (true, error.first().place.line),
        };
        let mut tally = self.tally;
        tally.add(&part.tally);
        let is_judged = !selection.ends_after(&tally);
        let path = part.path.as_deref().unwrap_or_default();
        if selection.has(path, line) && is_judged {
            part.add_problem(self.job, problem);
        } else if is_board {
            // A problem still counts as a board, so that later boards keep their numbers.
            part.boards += 1;
            part.tally.unjudged += u64::from(!is_judged);
        }
    }

    pub fn saw(&mut self, part: &Part) {
        self.boards = part.number.unwrap_or(self.boards) + part.boards;
        self.has_errors |= part.tally.errors() > 0;
        self.tally.add(&part.tally);
        self.bytes += part.bytes;
        self.position.bytes += part.bytes;
        if part.is_last || part.path.is_none() {
            self.position = Position {
                units: self.position.units + 1,
                bytes: 0,
            };
        }
        if part.is_last {
            (self.boards, self.has_errors) = (0, false);
        }
        if self.job.selection.ends_after(&self.tally) {
            self.job.selection.end();
        }
    }
}
