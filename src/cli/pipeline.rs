//! The way from inputs to outcomes, which every command for many boards takes.
//!
//! One thread opens each input once and cuts it at ends of boards. A pool judges the boards. Their outcomes pass through a bounded
//! queue, so that they come out in input order and never fill the memory.

use std::io;
use std::iter;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::puzzle::stream::{CHUNK, Chunk, ChunkError};
use getaway_board::puzzle::{Puzzle, input::Boards};
use getaway_solvers::answers::Outcome;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use super::exit::Tally;
use super::inputs::{Input, Pieces, Wanted, unreadable};
use super::job::Job;
use super::one_board::find;
use super::options::Share;
use super::output::progress::Progress;
use super::panics;

/// Receives the outcomes of a run.
pub trait Writer {
    /// Takes the next outcome, in input order.
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()>;

    /// Takes the end of an input.
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
    /// In place of a line if only the end of the input has not been noted.
    const FILE: u64 = u64::MAX;

    /// Notes the next outcome of the earlier run.
    pub fn outcome(&mut self, outcome: &Outcome) {
        self.tally.count(outcome);
        self.line = match outcome.line {
            0 => Self::FILE,
            line => line,
        };
    }

    /// Notes the end of an input.
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
    let (sender, queue) = mpsc::sync_channel(PLACES * job.options.threads);
    let reader = Reader {
        job: Arc::new(job.clone()),
        pool: job.options.pool()?,
        progress: progress.clone(),
        queue: sender,
        is_single: inputs.len() == 1,
        done,
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
    Ok(collector.collect(&queue)?)
}

/// What the reader hands to the collector, in input order.
enum Message {
    /// The outcomes of some boards, as they are found.
    Boards(Receiver<Outcomes>),
    End {
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

/// The places in the queue for each thread. A piece of text takes one place or, if it is long, several.
const PLACES: usize = 512;
const LINES_OF_PLACE: usize = 1 << 6;
const BYTES_OF_PLACE: usize = 1 << 13;

/// The maximum size of a file that is read at once if it is the only input. A single board then gets all threads.
const ALONE: usize = 1 << 26;

struct Reader {
    job: Arc<Job>,
    pool: ThreadPool,
    progress: Progress,
    queue: SyncSender<Message>,
    is_single: bool,
    done: Done,
}

/// The error when reading has to end.
struct Closed;

impl Reader {
    fn run(&self, inputs: &[Input]) {
        let read = panics::caught(|| {
            panics::on_purpose("reader");
            let lines = iter::once(self.done.line).chain(iter::repeat(0));
            let mut rest = inputs.iter().skip(self.done.inputs).zip(lines);
            rest.try_for_each(|(input, done)| self.input(input, done))
        });
        if let Err(panic) = read {
            let path = "the input".into();
            let _ = self.fail(&path, internal(&panic));
            let _ = self.end(&path, false);
        }
    }

    fn input(&self, input: &Input, done: u64) -> Result<(), Closed> {
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
            Input::Board(file, wanted) => {
                let judge = judge.alone_if(self.is_single);
                let (file, wanted) = (file.clone(), wanted.clone());
                self.spawn(1, true, move |sink| judge.addressed(&file, &wanted, sink))?;
            }
            Input::Stdin | Input::Path(_) => self.file(input.path(), judge)?,
        }
        self.end(&path, matches!(input, Input::Board(..)))
    }

    /// Cuts a file at ends of boards, and hands the pieces to the pool.
    fn file(&self, path: &Path, judge: Judge) -> Result<(), Closed> {
        let at_once = if self.is_single { ALONE } else { CHUNK };
        let max_memory = self.job.options.max_memory(Share::Equal);
        let pieces = match Pieces::open(path, at_once, max_memory) {
            Ok(pieces) if self.is_single => pieces.few(),
            Ok(pieces) => Err(pieces),
            Err(error) => return self.fail(&judge.path, unreadable(&error)),
        };
        let many = match pieces {
            Err(many) => many,
            Ok(few) => {
                let judge = judge.alone_if(true);
                return self.spawn(1, true, move |sink| {
                    for piece in &few {
                        judge.boards(piece, sink);
                    }
                });
            }
        };
        for piece in many {
            let judge = judge.clone();
            match piece {
                Ok(piece) => self.piece(piece, judge)?,
                Err(ChunkError::Board(error)) => {
                    self.spawn(1, true, move |sink| _ = sink.send(judge.unread(error)))?;
                }
                Err(ChunkError::Io(error)) => return self.fail(&judge.path, unreadable(&error)),
            }
        }
        Ok(())
    }

    fn piece(&self, piece: Chunk, judge: Judge) -> Result<(), Closed> {
        let bytes = piece.text.len();
        let places = bytes / BYTES_OF_PLACE + piece.lines as usize / LINES_OF_PLACE;
        let progress = self.progress.clone();
        self.spawn(1 + places, self.job.is_prompt, move |sink| {
            judge.boards(&piece, sink);
            progress.advance(bytes as u64);
        })
    }

    /// Lets the pool do some work. It goes on even after an interrupt, so that its boards count as undecided.
    fn spawn(
        &self,
        places: usize,
        is_prompt: bool,
        work: impl FnOnce(&mut Sink) + Send + 'static,
    ) -> Result<(), Closed> {
        let (sender, outcomes) = mpsc::channel();
        self.pool.spawn(move || {
            let mut sink = Sink {
                sender,
                outcomes: Vec::new(),
                is_prompt,
            };
            work(&mut sink);
            // This fails if the collector has ended.
            let _ = sink.flush();
        });
        self.enqueue(Message::Boards(outcomes))?;
        for _ in 1..places.min(PLACES * self.job.options.threads) {
            self.enqueue(Message::Boards(mpsc::channel().1))?;
        }
        if self.job.ends_reading() {
            Err(Closed)
        } else {
            Ok(())
        }
    }

    fn fail(&self, path: &Arc<str>, why: String) -> Result<(), Closed> {
        if !self.job.selection.has(path, 0) {
            return Ok(());
        }
        let (sender, outcomes) = mpsc::channel();
        let outcome = Outcome::unreadable(path, why);
        sender.send(vec![Some(outcome)]).map_err(|_| Closed)?;
        self.enqueue(Message::Boards(outcomes))
    }

    fn end(&self, path: &Arc<str>, is_addressed: bool) -> Result<(), Closed> {
        self.enqueue(Message::End {
            path: Arc::clone(path),
            is_addressed,
        })
    }

    fn enqueue(&self, message: Message) -> Result<(), Closed> {
        self.queue.send(message).map_err(|_| Closed)
    }
}

/// Judges the boards of a file.
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
            let mut boards = Boards::new(&piece.text, piece.line, piece.format);
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
            let outcome = self.job.evaluate(&self.path, puzzle, read);
            let time = start.map(|start| start.elapsed());
            Outcome { time, ..outcome }
        });
        sink.send(outcome)
    }

    /// Judges the only board of an input.
    fn addressed(&self, file: &Path, wanted: &Wanted, sink: &mut Sink) {
        let found = panics::caught(|| {
            let how = (&self.job.options, self.share);
            find(file, wanted, how, |puzzle, number| {
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

    /// Judges a board of which only the error is known.
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

const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Collector<'_> {
    fn collect(&mut self, queue: &Receiver<Message>) -> io::Result<()> {
        // The reader may be waiting for input that never comes.
        while let Some(message) = self.next(queue, Job::ends_reading)? {
            match message {
                Message::Boards(boards) => {
                    while let Some(outcomes) = self.next(&boards, |_| false)? {
                        outcomes.into_iter().try_for_each(|it| self.board(it))?;
                    }
                }
                Message::End { path, is_addressed } => self.end(path, is_addressed)?,
            }
        }
        match self.open.take() {
            Some(path) => self.end(path, false),
            None => Ok(()),
        }
    }

    fn board(&mut self, outcome: Option<Outcome>) -> io::Result<()> {
        if let Some(outcome) = outcome {
            return self.outcome(outcome);
        }
        self.boards += 1;
        Ok(())
    }

    fn next<T>(
        &mut self,
        receiver: &Receiver<T>,
        is_over: impl Fn(&Job) -> bool,
    ) -> io::Result<Option<T>> {
        loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(value) => return Ok(Some(value)),
                Err(RecvTimeoutError::Timeout) if !is_over(self.job) => self.writer.flush()?,
                Err(_) => return Ok(None),
            }
        }
    }

    fn outcome(&mut self, mut outcome: Outcome) -> io::Result<()> {
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
        self.tally.count(&outcome);
        self.progress.note(&self.tally);
        self.writer.outcome(&outcome)?;
        if selection.ends_after(&self.tally) {
            selection.end();
        }
        Ok(())
    }

    fn end(&mut self, path: Arc<str>, is_addressed: bool) -> io::Result<()> {
        let is_empty = self.boards == 0 && self.open.is_none();
        if is_empty && self.job.selection.has(&path, 0) && !self.job.options.is_stopped() {
            let error = BoardError::of_line(1, FaultKind::NoBoard);
            self.outcome(Outcome {
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
