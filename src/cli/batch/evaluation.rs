//! Judges the boards of a piece of work.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::fault::BoardError;
use crate::puzzle::stream;
use crate::puzzle::{Format, Puzzle};
use rayon::prelude::*;

use super::cutting::{cut, shown};
use super::{Grain, Piece, Sink};
use crate::cli::inputs::Wanted;
use crate::cli::job::Job;
use crate::cli::one_board::find;
use crate::cli::options::Share;
use crate::cli::panics;
use crate::cli::record::{Part, Problem};
use crate::puzzle::input::Boards;

/// The text of one or more boards, and the line number of its first line, from 1.
type Text<'t> = (&'t [u8], u64);

pub fn evaluate(job: &Job, piece: Piece, grain: Grain, sink: &mut Sink) -> io::Result<()> {
    match piece {
        Piece::Files(paths, _) => paths.iter().try_for_each(|path| {
            cut(job, (path, 0), grain, &mut |piece| {
                evaluate(job, piece, grain, sink)
            })
        }),
        Piece::Board(path, wanted) => sink(vec![one_board(job, &path, &wanted)]),
        Piece::Known(part) => sink(vec![*part]),
        Piece::Chunk(path, chunk) => {
            let (text, format) = ((&*chunk.text, chunk.line), chunk.format);
            if grain == Grain::Coarse {
                return sink(boards(job, &path, text, format));
            }
            let mut run = Run::new(job, &path, format);
            let mut texts = stream::pieces_of(1, text, format).into_iter();
            texts.try_for_each(|text| sink(run.evaluate(text).take()))
        }
    }
}

fn boards(job: &Job, path: &Arc<str>, (text, line): Text, format: Format) -> Vec<Part> {
    let run = || Run::new(job, path, format);
    match stream::pieces(text, line, format).as_slice() {
        [piece] => run().evaluate(*piece).take(),
        pieces => pieces
            .par_iter()
            .fold(run, |mut run, piece| {
                run.evaluate(*piece);
                run
            })
            .flat_map_iter(|mut run| run.take())
            .collect(),
    }
}

struct Run<'t> {
    job: &'t Job,
    path: &'t Arc<str>,
    format: Format,
    parts: Vec<Part>,
    /// The number of parts, except the last, that end with a failure.
    failures: u64,
    /// The current board; its memory is reused.
    puzzle: Puzzle<'t>,
}

impl<'t> Run<'t> {
    fn new(job: &'t Job, path: &'t Arc<str>, format: Format) -> Self {
        Self {
            job,
            path,
            format,
            parts: Vec::new(),
            failures: 0,
            puzzle: Puzzle::empty(),
        }
    }

    fn take(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// Judges the boards of a text that directly follows those already judged.
    fn evaluate(&mut self, text: Text<'t>) -> &mut Self {
        self.open().bytes += text.0.len() as u64;
        // Panics while judging a board are caught elsewhere.
        if let Err(panic) = panics::caught(|| self.boards(text)) {
            self.open().problem = Some(internal(&panic));
        }
        self
    }

    fn boards(&mut self, (text, line): Text<'t>) {
        let job = self.job;
        let mut boards = Boards::new(text, line, self.format);
        let mut puzzle = std::mem::take(&mut self.puzzle);
        puzzle.set_limits(job.options.limits(job.share));
        loop {
            if job.options.are_limits_timed() {
                puzzle.set_limits(job.options.limits(job.share));
            }
            if job.share == Share::All {
                job.options.gauge.reset();
            }
            let start = job.start();
            let read = match boards.read(&mut puzzle) {
                Ok(false) => break,
                read => read.map(|_| job.options.apply_headers(&mut puzzle)),
            };
            self.judge(&puzzle, (read, start));
        }
        self.puzzle = puzzle;
    }

    fn judge(&mut self, puzzle: &Puzzle, read: (Result<(), BoardError>, Option<Instant>)) {
        let job = self.job;
        let most = job.selection.max_fail;
        self.open();
        let is_over = most.is_some_and(|most| self.failures >= most);
        let part = self.open();
        if is_over {
            part.skip(job, puzzle);
        } else {
            part.judge(job, puzzle, read);
        }
    }

    fn open(&mut self) -> &mut Part {
        let may_be_over = self.job.selection.max_fail.is_some();
        let last = self.parts.last();
        let has_failed = last.is_some_and(|part| may_be_over && part.tally.failures() > 0);
        if has_failed || last.is_none_or(|part| part.problem.is_some()) {
            self.failures += u64::from(has_failed);
            self.parts.push(Part::of(self.path));
        }
        self.parts.last_mut().expect("there is a part")
    }
}

pub fn internal(panic: &str) -> Problem {
    Problem::Unreadable(format!("{panic}; {}", panics::ADVICE))
}

fn one_board(job: &Job, path: &Path, wanted: &Wanted) -> Part {
    let name = shown(path);
    let mut part = Part {
        is_last: true,
        ..Part::of(&name)
    };
    let found = panics::caught(|| {
        let how = (&job.options, job.share);
        find(path, wanted, how, |puzzle, number| {
            part.number = Some(number);
            part.judge(job, puzzle, (Ok(()), None));
        })
    });
    match found {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => match error.downcast::<BoardError>() {
            Ok(error) => {
                if let (Some(_), Wanted::Number(number)) = (error.limit(), wanted) {
                    part.number = Some(number - 1);
                }
                part.add_unread(job, error);
            }
            Err(error) => part.problem = Some(Problem::Unreadable(error.to_string())),
        },
        Err(panic) => part.problem = Some(internal(&panic)),
    }
    part
}
