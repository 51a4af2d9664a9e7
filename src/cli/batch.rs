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

use crate::answers::Standing;
use crate::fault::FaultKind;
use crate::puzzle::stream::{self, Chunk};
use crate::puzzle::{Format, error_at};

use self::reader::Reader;
use self::window::{Load, Window};
use super::exit::Tally;
use super::inputs::{Input, PassedOver, Unit, Wanted, is_plain, named_format};
use super::job::Job;
use super::options::Share;
use super::record::{Part, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    Coarse,
    /// One board at a time, so that a killed run loses little work.
    Fine,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    units: u64,
    /// The number of bytes at the start of the next unit whose boards have been judged.
    bytes: u64,
}

impl Position {
    pub const fn is_past(&self, units: usize) -> bool {
        self.units >= units as u64
    }

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
    Files(Vec<PathBuf>, u64),
    Board(PathBuf, Wanted),
    Chunk(Arc<str>, Chunk),
    /// A part that has no boards to judge.
    Known(Box<Part>),
}

impl Piece {
    fn known(part: Part) -> Self {
        Self::Known(Box::new(part))
    }

    fn failed(path: &Arc<str>, problem: Problem) -> Self {
        Self::known(Part::failed(path, problem))
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
    let mut sequence = Sequence::new(job);
    let from = (Position::default(), Grain::Coarse);
    run_from(from, job, units, &mut |parts| {
        let mut parts = parts.into_iter().map(|part| sequence.pass(part));
        parts.try_for_each(&mut *sink)
    })
}

/// Continues a run at `position`; `sequence` must include all earlier parts.
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
        if position.units > 0 {
            return Ok(());
        }
        // The searches run one after another, each on all threads.
        let job = Job {
            share: Share::All,
            ..job.clone()
        };
        let mut evaluate = |piece| evaluation::evaluate(&job, piece, Grain::Fine, sink);
        return Ok(match input.clone() {
            Input::Board(path, wanted) => evaluate(Piece::Board(path, wanted)),
            input => cutting::cut(
                &job,
                (input.path(), position.bytes),
                Grain::Fine,
                &mut evaluate,
            ),
        }?);
    }
    let (sender, pieces) = mpsc::channel();
    let window = Arc::new(Window::new(job.options.max_memory(Share::All)));
    let reader = Reader {
        pool: job.options.pool()?,
        job: Arc::new(job.clone()),
        sender,
        window: Arc::clone(&window),
        done: position,
        grain,
    };
    thread::spawn(move || reader.run(units));
    let result = pass_on(job, &pieces, &window, sink);
    window.close();
    Ok(result?)
}

/// The results of a piece. Its worker sends them, and drops the sender after the last one.
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
                    let load = Load::of_parts(&parts);
                    sink(parts)?;
                    window.replace(load, Load::default());
                }
            }
            // The reader may be waiting for input that never comes, so it is not joined.
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

pub struct Sequence<'j> {
    job: &'j Job,
    boards: u64,
    has_errors: bool,
    tally: Tally,
}

impl<'j> Sequence<'j> {
    pub fn new(job: &'j Job) -> Self {
        Self {
            job,
            boards: 0,
            has_errors: false,
            tally: Tally::default(),
        }
    }

    pub fn pass(&mut self, mut part: Part) -> Part {
        let start = part.number.unwrap_or(self.boards);
        let problem = part.problem.take().or_else(|| {
            let boards = start + part.boards;
            let is_empty = part.is_last && boards == 0 && !self.has_errors;
            let is_known = is_empty && !self.job.options.is_stopped();
            is_known.then(|| Problem::Board(error_at(1, FaultKind::NoBoard)))
        });
        self.has_errors |= part.tally.standing(Standing::Error) > 0;
        if self.job.selection.ends_after(&self.tally) {
            part.unjudge();
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
        if part.is_last {
            (self.boards, self.has_errors) = (0, false);
        }
        if self.job.selection.ends_after(&self.tally) {
            self.job.selection.end();
        }
    }
}
