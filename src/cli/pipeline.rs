//! The pipeline from inputs to outcomes, which all commands for many boards use.
//!
//! Each worker takes the next task: a part of an input that ends between two boards. It judges the boards, and sends the results
//! through a channel of their own. A queue holds these channels in input order. A worker that is too far ahead waits, so the
//! results never fill the memory.

use std::io;
use std::iter;
use std::mem;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::stream::{Boards, Chunk, ChunkError};
use getaway_solvers::answers::Outcome;
use serde::{Deserialize, Serialize};

use super::evidence::EvidenceMode;
use super::exit::Tally;
use super::files::system_message;
use super::inputs::{Input, chunks, for_each_board, is_regular};
use super::job::{Delivery, Job};
use super::options::Share;
use super::panics;

/// Receives the outcomes of a run.
pub trait Writer {
    /// Receives the next outcome, in input order.
    fn outcome(&mut self, _outcome: &Outcome) -> io::Result<()> {
        Ok(())
    }

    /// Receives the sum of consecutive outcomes for which [`Job::only_counts`] is true.
    fn count(&mut self, _tally: &Tally) {}

    /// Receives the end of an input.
    fn end_of_file(&mut self, _file: &FileEnd) -> io::Result<()> {
        Ok(())
    }

    /// Receives the number of bytes read since the last call, and the sum of all outcomes so far.
    fn advance(&mut self, _bytes: u64, _tally: &Tally) {}

    /// Shows what has been written so far, because the next outcome may take long.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Completes the output.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileEnd {
    pub path: Arc<str>,
    /// True if the file has several boards, or the input names one of them as `FILE#N` or `FILE#ID`.
    pub is_numbered: bool,
    /// The number of boards in the file after the failure that ended the run. They were only counted.
    pub unjudged: u64,
}

/// The part of the input that an earlier run has judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// The number of complete inputs.
    pub inputs: usize,
    /// The first line of the last judged board of the next input; 0 if there is none, and [`Done::FILE`] after an outcome about
    /// the input itself, such as an unreadable file.
    pub line: u64,
    pub tally: Tally,
}

impl Done {
    /// The value of `line` after an outcome about the input itself, whose end was not noted.
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

/// Judges the boards of all inputs, except those in `done`, and passes the outcomes to each writer. Returns the sum of all
/// outcomes, including those in `done`.
pub fn run(
    job: &Job,
    inputs: &[Input],
    done: Done,
    writers: &mut [&mut dyn Writer],
) -> io::Result<Tally> {
    let (queue, results) = mpsc::sync_channel(MAX_TASKS * job.options.threads);
    let run = Arc::new(Run {
        job: job.clone(),
        source: Mutex::new(tasks(job, inputs, done)),
        queue,
    });
    let may_be_small = match inputs {
        [input @ (Input::Stdin | Input::Path(_))] => is_regular(input.path()),
        inputs => inputs.len() == 1,
    };
    thread::Builder::new().spawn(move || run.begin(may_be_small))?;
    let mut collector = Collector {
        job,
        writers,
        tally: done.tally,
        open: None,
        boards: 0,
        unjudged: 0,
        bytes: 0,
        flushed: Instant::now(),
        is_flushed: true,
    };
    collector.collect(&results)?;
    collector.tally.is_interrupted = job.options.is_stopped();
    Ok(collector.tally)
}

/// The maximum number of tasks in the queue for each thread.
const MAX_TASKS: usize = 32;
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The time without a new outcome after which the earlier ones are flushed, so that a program can send a board, read the answer,
/// and then send the next board.
const FLUSH_INTERVAL: Duration = Duration::from_millis(2);

/// A part of an input, for one worker.
struct Task {
    path: Arc<str>,
    /// The line up to which an earlier run has judged the boards of this input, as in [`Done::line`].
    judged_line: u64,
    input: TaskInput,
}

enum TaskInput {
    Boards(Chunk),
    /// A board that can't be read.
    Fault(BoardError),
    /// The only wanted board of a file.
    Board(Input),
    /// The reason why a file can't be read.
    Failure(String),
    EndOfFile {
        is_addressed: bool,
    },
}

type Tasks = Box<dyn Iterator<Item = Task> + Send>;

/// Divides the inputs into tasks. Each input is opened when its first task is taken.
fn tasks(job: &Job, inputs: &[Input], done: Done) -> Tasks {
    let max_memory = job.options.max_memory(Share::Pooled);
    let inputs = Vec::from(inputs).into_iter().skip(done.inputs);
    let lines = iter::once(done.line).chain(iter::repeat(0));
    Box::new(inputs.zip(lines).flat_map(move |(input, judged_line)| {
        panics::on_purpose("reader");
        let path: Arc<str> = input.path().to_string_lossy().into();
        task_inputs(input, judged_line, max_memory).map(move |input| Task {
            path: Arc::clone(&path),
            judged_line,
            input,
        })
    }))
}

fn task_inputs(
    input: Input,
    judged_line: u64,
    max_memory: u64,
) -> Box<dyn Iterator<Item = TaskInput> + Send> {
    let is_addressed = matches!(input, Input::Board(..));
    let end = TaskInput::EndOfFile { is_addressed };
    let only = match input {
        _ if judged_line == Done::FILE => return Box::new(iter::once(end)),
        Input::Refused(_, why) => TaskInput::Failure(why),
        Input::Board(..) => TaskInput::Board(input),
        Input::Stdin | Input::Path(_) => match chunks(input.path(), max_memory) {
            Ok(chunks) => return Box::new(chunks.map(TaskInput::of).chain([end])),
            Err(error) => TaskInput::Failure(system_message(&error)),
        },
    };
    Box::new([only, end].into_iter())
}

impl TaskInput {
    fn of(chunk: Result<Chunk, ChunkError>) -> Self {
        match chunk {
            Ok(chunk) => Self::Boards(chunk),
            Err(ChunkError::Board(error)) => Self::Fault(error),
            Err(ChunkError::Io(error)) => Self::Failure(system_message(&error)),
        }
    }
}

/// The state that the workers share.
struct Run {
    job: Job,
    source: Mutex<Tasks>,
    /// Takes the receiver of each task's results, in the order of the tasks.
    queue: SyncSender<Results>,
}

type Results = Receiver<Vec<TaskResult>>;

impl Run {
    /// Judges the boards on this thread alone if a certificate is written or the input is small; otherwise, on all threads of a
    /// pool.
    fn begin(&self, may_be_small: bool) {
        // Only the first board may have a certificate, and the boards of a small file have all threads and memory for each search.
        let is_in_order = matches!(self.job.options.evidence, Some(EvidenceMode::Written(..)));
        let is_alone = is_in_order || may_be_small && self.is_small();
        if is_alone {
            return self.work(Share::All);
        }
        // Threads that have no more boards help the searches of the others, since these use the pool as well.
        match self.job.options.pool() {
            Ok(pool) => drop(pool.broadcast(|_| self.work(Share::Pooled))),
            // With fewer threads, the run only takes longer.
            Err(_) => self.work(Share::Equal),
        }
    }

    /// Returns whether there is at most one task, apart from the end of the file.
    fn is_small(&self) -> bool {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let first: Vec<_> = (0..2).filter_map(|_| read(&mut source)).collect();
        let is_end = |task: &Task| matches!(task.input, TaskInput::EndOfFile { .. });
        let is_small = first.last().is_none_or(is_end);
        let rest = mem::replace(&mut *source, Box::new(iter::empty()));
        *source = Box::new(first.into_iter().chain(rest));
        is_small
    }

    fn work(&self, share: Share) {
        while let Some((sender, task)) = self.next() {
            let mut judge = Judge {
                run: self,
                share,
                sender,
                path: task.path,
                judged_line: task.judged_line,
                results: Vec::new(),
            };
            judge.work(task.input);
        }
    }

    /// Takes the next task, and the sender of its results. Once reading ends, this task is the last. After an interrupt, its
    /// boards count as undecided.
    fn next(&self) -> Option<(Sender<Vec<TaskResult>>, Task)> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let task = read(&mut source)?;
        if self.job.ends_reading() {
            *source = Box::new(iter::empty());
        }
        let (sender, results) = mpsc::channel();
        self.queue.send(results).ok()?;
        Some((sender, task))
    }
}

/// Takes the next task. A panic becomes a task that reports it, and no others follow.
fn read(source: &mut Tasks) -> Option<Task> {
    panics::caught(|| source.next()).unwrap_or_else(|panic| {
        *source = Box::new(iter::empty());
        Some(Task {
            path: "the input".into(),
            judged_line: 0,
            input: TaskInput::Failure(internal(&panic)),
        })
    })
}

fn internal(panic: &str) -> String {
    format!("{panic}; {}", panics::ADVICE)
}

/// Judges the boards of a task.
struct Judge<'r> {
    run: &'r Run,
    share: Share,
    sender: Sender<Vec<TaskResult>>,
    path: Arc<str>,
    judged_line: u64,
    results: Vec<TaskResult>,
}

/// A result of a task.
enum TaskResult {
    Outcome(Outcome),
    /// Consecutive boards without outcomes. `tally` counts those that were judged; the others belong to another part of the
    /// boards, or an earlier run has judged them.
    Counted {
        path: Arc<str>,
        boards: u64,
        tally: Tally,
    },
    EndOfFile {
        path: Arc<str>,
        is_addressed: bool,
    },
    /// The end of a task. `bytes` is the length of its chunk, or 0 for a task without one.
    EndOfTask {
        bytes: u64,
    },
}

impl<'r> Judge<'r> {
    fn work(&mut self, input: TaskInput) {
        let mut bytes = 0;
        match input {
            TaskInput::Boards(chunk) => {
                self.boards(&chunk);
                bytes = chunk.text().len() as u64;
            }
            TaskInput::Fault(error) => self.fault(error),
            TaskInput::Board(input) => self.addressed(&input),
            TaskInput::Failure(why) => {
                if self.run.job.selection.has(&self.path, 0) {
                    self.failure(why);
                }
            }
            TaskInput::EndOfFile { is_addressed } => {
                let path = Arc::clone(&self.path);
                self.results
                    .push(TaskResult::EndOfFile { path, is_addressed });
            }
        }
        self.results.push(TaskResult::EndOfTask { bytes });
        self.send();
    }

    fn boards(&mut self, chunk: &Chunk) {
        let read = panics::caught(|| {
            let mut boards = Boards::new(chunk.text(), chunk.line, chunk.format);
            let mut puzzle = Puzzle::empty();
            puzzle.set_limits(self.run.job.options.limits(self.share));
            while self.next(&mut boards, &mut puzzle) {}
        });
        // `Job::answer_board` catches the panics of a board, so this one comes from reading.
        if let Err(panic) = read {
            self.failure(internal(&panic));
        }
    }

    /// Judges the next board within its own limits; returns false if there is none.
    fn next<'t>(&mut self, boards: &mut Boards<'t>, puzzle: &mut Puzzle<'t>) -> bool
    where
        'r: 't,
    {
        let job: &'r Job = &self.run.job;
        if job.options.are_limits_timed() {
            puzzle.set_limits(job.options.limits(self.share));
        }
        if self.share == Share::All
            && let Some(progress) = &job.options.progress
        {
            progress.reset();
        }
        let start = job.start();
        let read = match boards.read(puzzle) {
            Ok(false) => return false,
            Ok(true) => {
                job.options.apply_headers(puzzle);
                Ok(())
            }
            Err(error) => Err(error),
        };
        self.board(0, puzzle, read, start);
        true
    }

    /// Judges a board, or only counts it if this run need not judge it. `number` is the number of boards before it that were
    /// read, but not judged.
    fn board(
        &mut self,
        number: u64,
        puzzle: &Puzzle,
        read: Result<(), BoardError>,
        start: Option<Instant>,
    ) {
        if !self.is_wanted(puzzle) {
            return self.count(None);
        }
        let mut outcome = self.run.job.answer_board(&self.path, puzzle, read);
        outcome.board = number;
        outcome.time = start.map(|start| start.elapsed());
        self.outcome(outcome);
    }

    /// Judges the only wanted board of a file.
    fn addressed(&mut self, input: &Input) {
        let job = &self.run.job;
        let (share, start) = (self.share, job.start());
        let read = panics::caught(|| {
            for_each_board(input, &job.options, share, &mut |puzzle, number, read| {
                self.board(number - 1, puzzle, read, start);
                true
            })
        });
        match read.map(|read| read.map_err(anyhow::Error::downcast)) {
            Ok(Ok(_)) => {}
            Ok(Err(Ok(error))) => self.fault(error),
            Ok(Err(Err(error))) => self.failure(error.to_string()),
            Err(panic) => self.failure(internal(&panic)),
        }
    }

    /// Judges a board that could not be read.
    fn fault(&mut self, error: BoardError) {
        let mut puzzle = Puzzle::empty();
        puzzle.line = error.first().place.line;
        self.board(0, &puzzle, Err(error), None);
    }

    fn failure(&mut self, why: String) {
        self.outcome(Outcome::unreadable(&self.path, why));
    }

    fn is_wanted(&self, puzzle: &Puzzle) -> bool {
        puzzle.line > self.judged_line && self.run.job.selection.has(&self.path, puzzle.line)
    }

    fn outcome(&mut self, outcome: Outcome) {
        if self.run.job.only_counts(&outcome) {
            return self.count(Some(&outcome));
        }
        self.results.push(TaskResult::Outcome(outcome));
        if self.share == Share::All || self.run.job.delivery == Delivery::Prompt {
            self.send();
        }
    }

    fn send(&mut self) {
        // This fails only once the collector has ended: after an error, or because reading was stopped.
        let _ = self.sender.send(mem::take(&mut self.results));
    }

    fn count(&mut self, outcome: Option<&Outcome>) {
        if !matches!(self.results.last(), Some(TaskResult::Counted { .. })) {
            self.results.push(TaskResult::Counted {
                path: Arc::clone(&self.path),
                boards: 0,
                tally: Tally::default(),
            });
        }
        if let Some(TaskResult::Counted { boards, tally, .. }) = self.results.last_mut() {
            *boards += 1;
            outcome.inspect(|outcome| tally.count(outcome));
        }
    }
}

/// Passes the outcomes on in input order.
struct Collector<'c, 'w> {
    job: &'c Job,
    writers: &'c mut [&'w mut dyn Writer],
    tally: Tally,
    /// The file whose end is still to come.
    open: Option<Arc<str>>,
    /// The number of boards of the current file so far.
    boards: u64,
    unjudged: u64,
    /// The number of bytes read that have not been reported to the writers.
    bytes: u64,
    /// The time of the last flush.
    flushed: Instant,
    /// True if no outcome has been written since the last flush.
    is_flushed: bool,
}

impl Collector<'_, '_> {
    fn collect(&mut self, queue: &Receiver<Results>) -> io::Result<()> {
        // After an interrupt, a worker may be waiting for input that never comes.
        while let Some(results) = self.next(queue, Job::ends_reading)? {
            while let Some(found) = self.next(&results, |_| false)? {
                let is_last = matches!(found.last(), Some(TaskResult::EndOfTask { .. }));
                found.into_iter().try_for_each(|found| self.found(found))?;
                if is_last {
                    // Waiting for the end of the channel would take longer.
                    break;
                }
            }
        }
        if let Some(path) = self.open.take() {
            self.end(path, false)?;
        }
        self.each(|writer| writer.finish())
    }

    /// Waits for the next item; returns `None` after the last, or if none comes while `is_over` is true. Meanwhile, shows what
    /// has been written.
    fn next<T>(&mut self, items: &Receiver<T>, is_over: fn(&Job) -> bool) -> io::Result<Option<T>> {
        loop {
            let interval = if self.is_flushed {
                POLL_INTERVAL
            } else {
                FLUSH_INTERVAL
            };
            let item = items.recv_timeout(interval);
            let is_idle = matches!(item, Err(RecvTimeoutError::Timeout));
            if is_idle || self.flushed.elapsed() >= POLL_INTERVAL {
                let bytes = mem::take(&mut self.bytes);
                for writer in &mut *self.writers {
                    writer.advance(bytes, &self.tally);
                }
                self.each(|writer| writer.flush())?;
                (self.flushed, self.is_flushed) = (Instant::now(), true);
            }
            match item {
                Err(RecvTimeoutError::Timeout) if !is_over(self.job) => {}
                item => return Ok(item.ok()),
            }
        }
    }

    fn each(&mut self, mut write: impl FnMut(&mut dyn Writer) -> io::Result<()>) -> io::Result<()> {
        self.writers
            .iter_mut()
            .try_for_each(|writer| write(*writer))
    }

    fn found(&mut self, found: TaskResult) -> io::Result<()> {
        match found {
            TaskResult::Outcome(mut outcome) => self.outcome(&mut outcome),
            TaskResult::EndOfFile { path, is_addressed } => self.end(path, is_addressed),
            TaskResult::Counted {
                path,
                boards,
                tally,
            } => {
                self.open.get_or_insert(path);
                self.boards += boards;
                self.tally.add(&tally);
                for writer in &mut *self.writers {
                    writer.count(&tally);
                }
                Ok(())
            }
            TaskResult::EndOfTask { bytes } => {
                self.bytes += bytes;
                Ok(())
            }
        }
    }

    fn outcome(&mut self, outcome: &mut Outcome) -> io::Result<()> {
        let selection = &self.job.selection;
        let boards = u64::from(outcome.is_of_board());
        self.open.get_or_insert_with(|| Arc::clone(&outcome.path));
        if selection.ends_after(&self.tally) {
            self.unjudged += boards;
            self.tally.unjudged += boards;
            self.boards += boards;
            return Ok(());
        }
        outcome.board += self.boards;
        self.boards = outcome.board + boards;
        self.tally.count(outcome);
        self.is_flushed = false;
        self.each(|writer| writer.outcome(outcome))?;
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
        let file = FileEnd {
            path,
            is_numbered: boards > 1 || is_addressed,
            unjudged: mem::take(&mut self.unjudged),
        };
        self.each(|writer| writer.end_of_file(&file))
    }
}
