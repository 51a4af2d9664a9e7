//! The pipeline from inputs to outcomes, which all commands for many boards use.
//!
//! One thread opens each input once and cuts it at ends of boards. A pool judges the boards. Their outcomes pass through a bounded
//! queue, so that they come out in input order and never fill the memory.

use std::convert::Infallible;
use std::io;
use std::iter;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::thread;
use std::time::Duration;

use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::puzzle::stream::{CHUNK, Chunk, ChunkError};
use getaway_board::puzzle::{Puzzle, input::Boards};
use getaway_solvers::answers::Outcome;
use rayon::{ThreadPool, ThreadPoolBuildError};
use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::exit::Tally;
use super::inputs::{Input, Wanted, chunks, is_regular, unreadable};
use super::job::Job;
use super::one_board::find;
use super::options::Share;
use super::output::progress::Progress;
use super::panics;

/// Receives the outcomes of a run.
pub trait Writer {
    /// Receives the next outcome, in input order.
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()>;

    /// Receives the end of an input.
    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()>;

    /// Shows what has been written so far, because the next outcome may take long.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileEnd {
    pub path: Arc<str>,
    /// True unless this is the only board of its file, named without a number.
    pub is_numbered: bool,
    /// The number of boards after the end of the run, which were only counted.
    pub unjudged: u64,
}

/// The part of the input that an earlier run has judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// The number of complete inputs.
    pub inputs: usize,
    /// The first line of the last board in the next input, or [`Done::FILE`].
    pub line: u64,
    pub tally: Tally,
}

impl Done {
    /// The line if all boards of the input were judged, but its end was not noted.
    const FILE: u64 = u64::MAX;

    /// Notes the next outcome of the earlier run.
    pub fn outcome(&mut self, outcome: &Outcome) {
        self.tally.count(outcome);
        self.line = match outcome.line {
            0 => Self::FILE,
            line => line,
        };
    }

    pub const fn end_of_file(&mut self) {
        (self.inputs, self.line) = (self.inputs + 1, 0);
    }
}

/// Judges the boards of all inputs, and passes the outcomes to `writer`.
pub fn run(
    job: &Job,
    inputs: &[Input],
    done: Done,
    progress: &Progress,
    writer: &mut dyn Writer,
) -> anyhow::Result<()> {
    let (queue, batches) = mpsc::sync_channel(BATCHES * job.options.threads);
    let mut reader = Reader {
        job: Arc::new(job.clone()),
        progress: progress.clone(),
        queue,
        pool: None,
        is_single: inputs.len() == 1,
        is_in_order: matches!(job.options.evidence, Some(Evidence::Written(..))),
        is_alone: false,
        done,
        parts: Vec::new(),
        tasks: Vec::new(),
        size: 0,
    };
    let inputs = inputs.to_vec();
    thread::spawn(move || reader.run(&inputs));
    let mut collector = Collector {
        job,
        progress,
        writer,
        tally: done.tally,
        open: None,
        boards: 0,
        unjudged: 0,
    };
    collector.collect(&batches)
}

/// Consecutive parts of the inputs, which the reader hands over together.
struct Batch {
    parts: Vec<BatchPart>,
    /// Disconnected once all boards have outcomes.
    is_done: Receiver<Infallible>,
}

enum BatchPart {
    /// The outcomes of some boards, as they are found.
    Boards(Receiver<Outcomes>),
    /// An outcome without a search.
    Outcome(Box<Option<Outcome>>),
    EndOfFile {
        path: Arc<str>,
        is_addressed: bool,
    },
}

/// The outcomes of consecutive boards; `None` for a board that this run does not judge.
type Outcomes = Vec<Option<Outcome>>;

/// Passes outcomes to the collector.
struct Sink {
    sender: Sender<Outcomes>,
    outcomes: Outcomes,
    /// True if each outcome is passed on at once.
    is_prompt: bool,
}

impl Sink {
    fn send(&mut self, outcome: Option<Outcome>) -> Result<(), Closed> {
        self.outcomes.push(outcome);
        if self.is_prompt { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Closed> {
        let outcomes = mem::take(&mut self.outcomes);
        self.sender.send(outcomes).map_err(|_| Closed)
    }
}

/// A part of a batch for one thread to judge.
struct Task {
    work: Box<dyn FnOnce(&mut Sink) + Send>,
    sink: Sink,
}

impl Task {
    fn run(mut self) {
        (self.work)(&mut self.sink);
        // This fails if the collector has ended.
        let _ = self.sink.flush();
    }
}

/// Runs tasks in order, except those that idle threads of the pool take over.
fn share(mut tasks: Vec<Task>, is_open: Sender<Infallible>) {
    while tasks.len() > 1 {
        let half = tasks.split_off(tasks.len() / 2);
        let is_open = is_open.clone();
        rayon::spawn(move || share(half, is_open));
    }
    tasks.into_iter().for_each(Task::run);
    drop(is_open);
}

/// The maximum number of batches in the queue for each thread. A long text counts as several.
const BATCHES: usize = 16;
/// The size at which a batch is handed over, in bytes. Lines and files have a size too, which bounds the outcomes.
const BATCH: usize = CHUNK;
const LINE: usize = 1 << 3;
const FILE: usize = 1 << 10;

/// Opens and cuts the inputs.
struct Reader {
    job: Arc<Job>,
    progress: Progress,
    queue: SyncSender<Result<Batch, ThreadPoolBuildError>>,
    /// The threads that judge the boards, unless a single board has all threads for its search.
    pool: Option<ThreadPool>,
    is_single: bool,
    /// True if the boards are judged one after another, because only the first may have a certificate.
    is_in_order: bool,
    is_alone: bool,
    done: Done,
    /// The next batch.
    parts: Vec<BatchPart>,
    tasks: Vec<Task>,
    size: usize,
}

/// The error that ends reading.
struct Closed;

impl Reader {
    fn run(&mut self, inputs: &[Input]) {
        let read = panics::caught(|| {
            panics::on_purpose("reader");
            let lines = iter::once(self.done.line).chain(iter::repeat(0));
            let mut rest = inputs.iter().skip(self.done.inputs).zip(lines);
            rest.try_for_each(|(input, done)| self.input(input, done))
        });
        if let Err(panic) = read {
            let path = "the input".into();
            let _ = self.fail(&path, internal(&panic));
            let _ = self.end(path, false);
        }
        // The boards that have been read before an interrupt count as undecided.
        let _ = self.flush();
    }

    fn input(&mut self, input: &Input, done: u64) -> Result<(), Closed> {
        let path: Arc<str> = input.path().to_string_lossy().into();
        let judge = Judge {
            job: Arc::clone(&self.job),
            share: Share::Equal,
            path: Arc::clone(&path),
            done,
        };
        match input {
            _ if done == Done::FILE => {}
            Input::Refused(_, why) => self.fail(&path, why.clone())?,
            Input::Board(file, expected) => {
                self.is_alone = self.is_single || self.is_in_order;
                let judge = judge.alone_if(self.is_alone);
                let (file, expected) = (file.clone(), expected.clone());
                self.task(BATCH, move |sink| judge.addressed(&file, &expected, sink))?;
            }
            Input::Stdin | Input::Path(_) => self.file(input.path(), judge)?,
        }
        self.end(path, matches!(input, Input::Board(..)))
    }

    /// Cuts a file at ends of boards.
    fn file(&mut self, path: &Path, judge: Judge) -> Result<(), Closed> {
        let is_regular = is_regular(path);
        if !is_regular {
            // The next read may wait.
            self.flush()?;
        }
        let mut chunks = match chunks(path, self.job.options.max_memory(Share::Equal)) {
            Ok(chunks) => chunks,
            Err(error) => return self.fail(&judge.path, unreadable(&error)),
        };
        let looks_ahead = self.is_single && is_regular;
        let first: Vec<_> = chunks.by_ref().take(2 * usize::from(looks_ahead)).collect();
        self.is_alone = matches!(*first, [Ok(_)]) || self.is_in_order;
        let judge = judge.alone_if(self.is_alone);
        for piece in first {
            self.piece(piece, &judge)?;
        }
        while let Some(piece) = chunks.next() {
            self.piece(piece, &judge)?;
            if !is_regular && !chunks.is_ready() {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn piece(&mut self, piece: Result<Chunk, ChunkError>, judge: &Judge) -> Result<(), Closed> {
        let piece = match piece {
            Ok(piece) => piece,
            Err(ChunkError::Io(error)) => return self.fail(&judge.path, unreadable(&error)),
            Err(ChunkError::Board(error)) => {
                return self.part(0, BatchPart::Outcome(Box::new(judge.unread(error))));
            }
        };
        let bytes = piece.text().len();
        let (judge, progress) = (judge.clone(), self.progress.clone());
        self.task(bytes + LINE * piece.lines as usize, move |sink| {
            judge.boards(&piece, sink);
            progress.advance(bytes as u64);
        })
    }

    fn fail(&mut self, path: &Arc<str>, why: String) -> Result<(), Closed> {
        if !self.job.selection.has(path, 0) {
            return Ok(());
        }
        let outcome = Outcome::unreadable(path, why);
        self.part(0, BatchPart::Outcome(Box::new(Some(outcome))))
    }

    fn end(&mut self, path: Arc<str>, is_addressed: bool) -> Result<(), Closed> {
        self.part(FILE, BatchPart::EndOfFile { path, is_addressed })
    }

    fn task(
        &mut self,
        size: usize,
        work: impl FnOnce(&mut Sink) + Send + 'static,
    ) -> Result<(), Closed> {
        let (sender, outcomes) = mpsc::channel();
        self.tasks.push(Task {
            work: Box::new(work),
            sink: Sink {
                sender,
                outcomes: Vec::new(),
                is_prompt: self.is_alone || self.job.is_prompt,
            },
        });
        self.part(size, BatchPart::Boards(outcomes))?;
        if self.job.ends_reading() {
            Err(Closed)
        } else {
            Ok(())
        }
    }

    fn part(&mut self, size: usize, part: BatchPart) -> Result<(), Closed> {
        self.parts.push(part);
        self.size += size;
        if self.size < BATCH {
            return Ok(());
        }
        self.flush()
    }

    /// Hands the batch over. The pool goes on even after an interrupt, so that the boards count as undecided.
    fn flush(&mut self) -> Result<(), Closed> {
        let (parts, tasks) = (mem::take(&mut self.parts), mem::take(&mut self.tasks));
        let places = mem::take(&mut self.size) / BATCH;
        if parts.is_empty() {
            return Ok(());
        }
        let (is_open, is_done) = mpsc::channel();
        let batch = Batch { parts, is_done };
        if self.is_alone {
            self.enqueue(batch)?;
            tasks.into_iter().for_each(Task::run);
            return Ok(());
        }
        if !tasks.is_empty() {
            self.pool()?.spawn(move || share(tasks, is_open));
        }
        self.enqueue(batch)?;
        for _ in 1..places.min(BATCHES * self.job.options.threads) {
            let (_, is_done) = mpsc::channel();
            let parts = Vec::new();
            self.enqueue(Batch { parts, is_done })?;
        }
        Ok(())
    }

    fn pool(&mut self) -> Result<&ThreadPool, Closed> {
        if self.pool.is_none() {
            match self.job.options.pool() {
                Ok(pool) => self.pool = Some(pool),
                Err(error) => _ = self.queue.send(Err(error)),
            }
        }
        self.pool.as_ref().ok_or(Closed)
    }

    fn enqueue(&self, batch: Batch) -> Result<(), Closed> {
        self.queue.send(Ok(batch)).map_err(|_| Closed)
    }
}

#[derive(Clone)]
struct Judge {
    job: Arc<Job>,
    share: Share,
    path: Arc<str>,
    /// The first line of the last board that an earlier run has judged.
    done: u64,
}

impl Judge {
    fn alone_if(self, is_alone: bool) -> Self {
        let share = if is_alone { Share::All } else { self.share };
        Self { share, ..self }
    }

    fn boards(&self, piece: &Chunk, sink: &mut Sink) {
        let read = panics::caught(|| {
            let mut boards = Boards::new(piece.text(), piece.line, piece.format);
            let mut puzzle = Puzzle::empty();
            puzzle.set_limits(self.job.options.limits(self.share));
            while self.next(&mut boards, &mut puzzle, sink).is_ok() {}
        });
        // The panic of a single board is caught with it.
        if let Err(panic) = read {
            let _ = sink.send(Some(Outcome::unreadable(&self.path, internal(&panic))));
        }
    }

    /// Judges the next board within its own limits.
    fn next<'t>(
        &'t self,
        boards: &mut Boards<'t>,
        puzzle: &mut Puzzle<'t>,
        sink: &mut Sink,
    ) -> Result<(), Closed> {
        let options = &self.job.options;
        if options.are_limits_timed() {
            puzzle.set_limits(options.limits(self.share));
        }
        if self.share == Share::All {
            options.progress.reset();
        }
        let start = self.job.start();
        let read = match boards.read(puzzle) {
            Ok(false) => return Err(Closed),
            Ok(true) => {
                options.apply_headers(puzzle);
                Ok(())
            }
            Err(error) => Err(error),
        };
        let outcome = self.has(puzzle).then(|| {
            let mut outcome = self.job.evaluate(&self.path, puzzle, read);
            outcome.time = start.map(|start| start.elapsed());
            outcome
        });
        sink.send(outcome)
    }

    /// Judges the only board of an input.
    fn addressed(&self, file: &Path, expected: &Wanted, sink: &mut Sink) {
        let found = panics::caught(|| {
            let options = &self.job.options;
            find(file, expected, options, self.share, |puzzle, number| {
                self.has(puzzle).then(|| Outcome {
                    board: number,
                    ..self.job.evaluate(&self.path, puzzle, Ok(()))
                })
            })
        });
        let failed = |why| Some(Outcome::unreadable(&self.path, why));
        let outcome = match found {
            Ok(Ok((outcome, _))) => outcome,
            Ok(Err(error)) => match error.downcast() {
                Ok(error) => self.unread(error),
                Err(error) => failed(error.to_string()),
            },
            Err(panic) => failed(internal(&panic)),
        };
        let _ = sink.send(outcome);
    }

    /// Judges a board that could not be read.
    fn unread(&self, error: BoardError) -> Option<Outcome> {
        let mut puzzle = Puzzle::empty();
        puzzle.line = error.first().place.line;
        self.has(&puzzle)
            .then(|| self.job.evaluate(&self.path, &puzzle, Err(error)))
    }

    fn has(&self, puzzle: &Puzzle) -> bool {
        puzzle.line > self.done && self.job.selection.has(&self.path, puzzle.line)
    }
}

fn internal(panic: &str) -> String {
    format!("{panic}; {}", panics::ADVICE)
}

/// Passes the outcomes on in input order.
struct Collector<'c> {
    job: &'c Job,
    progress: &'c Progress,
    writer: &'c mut dyn Writer,
    tally: Tally,
    /// The file whose end is still to come.
    open: Option<Arc<str>>,
    /// The number of boards of the current file so far.
    boards: u64,
    unjudged: u64,
}

type Batches = Receiver<Result<Batch, ThreadPoolBuildError>>;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Collector<'_> {
    fn collect(&mut self, queue: &Batches) -> anyhow::Result<()> {
        while let Some(batch) = self.next(queue)? {
            let batch = batch?;
            for part in batch.parts {
                match part {
                    BatchPart::Boards(outcomes) => self.boards(&outcomes, &batch.is_done)?,
                    BatchPart::Outcome(mut outcome) => self.board(&mut outcome)?,
                    BatchPart::EndOfFile { path, is_addressed } => self.end(path, is_addressed)?,
                }
            }
        }
        if let Some(path) = self.open.take() {
            self.end(path, false)?;
        }
        Ok(())
    }

    /// Returns the next batch. After an interrupt, the reader may be waiting for input that never comes.
    fn next(&mut self, queue: &Batches) -> io::Result<Option<Result<Batch, ThreadPoolBuildError>>> {
        loop {
            match queue.recv_timeout(POLL_INTERVAL) {
                Ok(batch) => return Ok(Some(batch)),
                Err(RecvTimeoutError::Timeout) if !self.job.ends_reading() => {
                    self.writer.flush()?;
                }
                Err(_) => return Ok(None),
            }
        }
    }

    /// Passes the outcomes of a part on. Waits for the whole batch if it is quick, which wakes this thread less often.
    fn boards(
        &mut self,
        boards: &Receiver<Outcomes>,
        is_done: &Receiver<Infallible>,
    ) -> io::Result<()> {
        loop {
            match boards.try_recv() {
                Ok(mut outcomes) => outcomes.iter_mut().try_for_each(|it| self.board(it))?,
                Err(TryRecvError::Disconnected) => return Ok(()),
                Err(TryRecvError::Empty) => match is_done.recv_timeout(POLL_INTERVAL) {
                    Err(RecvTimeoutError::Timeout) => self.writer.flush()?,
                    Err(RecvTimeoutError::Disconnected) => {}
                    Ok(never) => match never {},
                },
            }
        }
    }

    fn board(&mut self, outcome: &mut Option<Outcome>) -> io::Result<()> {
        if let Some(outcome) = outcome {
            return self.outcome(outcome);
        }
        self.boards += 1;
        Ok(())
    }

    fn outcome(&mut self, outcome: &mut Outcome) -> io::Result<()> {
        let selection = &self.job.selection;
        let boards = u64::from(outcome.is_of_board());
        if self.open.is_none() {
            self.open = Some(Arc::clone(&outcome.path));
        }
        if selection.ends_after(&self.tally) {
            self.unjudged += boards;
            self.boards += boards;
            return Ok(());
        }
        outcome.board += self.boards;
        self.boards = outcome.board + boards;
        self.tally.count(outcome);
        self.progress.note(&self.tally);
        self.writer.outcome(outcome)?;
        if selection.ends_after(&self.tally) {
            selection.end();
        }
        Ok(())
    }

    fn end(&mut self, path: Arc<str>, is_addressed: bool) -> io::Result<()> {
        let is_empty = self.boards == 0 && self.open.is_none();
        if is_empty && self.job.selection.has(&path, 0) && !self.job.options.is_stopped() {
            let error = BoardError::of_line(1, FaultKind::NoBoard);
            self.outcome(&mut Outcome {
                line: 0,
                ..Outcome::new(&path, &Puzzle::empty(), Err(error))
            })?;
        }
        self.open = None;
        let boards = mem::take(&mut self.boards);
        self.writer.end_of_file(&FileEnd {
            path,
            is_numbered: boards > 1 || is_addressed,
            unjudged: mem::take(&mut self.unjudged),
        })
    }
}
