//! Judges the boards of a piece of work.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use getaway_board::fault::BoardError;
use getaway_board::puzzle::stream::{self, PIECE};
use getaway_board::puzzle::{Puzzle, input::Boards};
use rayon::prelude::*;

use super::cutting::{cut, shown};
use super::{Piece, Sink};
use crate::cli::inputs::Wanted;
use crate::cli::job::Job;
use crate::cli::one_board::find;
use crate::cli::options::Share;
use crate::cli::panics;
use crate::cli::record::{Part, Problem};

/// The text of one or more boards, and the line number of its first line, from 1.
type Text<'t> = (&'t [u8], u64);

pub fn evaluate(job: &Job, piece: Piece, sink: &mut Sink) -> io::Result<()> {
    match piece {
        Piece::Files(paths, _) => {
            let mut all = Vec::new();
            let mut add = |parts| {
                all.extend(parts);
                Ok(())
            };
            let mut judge = |piece| evaluate(job, piece, &mut add);
            paths
                .iter()
                .try_for_each(|path| cut(job, (path, 0), &mut judge))?;
            sink(all)
        }
        Piece::Board(path, wanted) => sink(vec![one_board(job, &path, &wanted)]),
        Piece::Known(part) => sink(vec![*part]),
        Piece::Chunk(path, chunk) => {
            let judge = |mut parts, &(text, line): &Text| {
                let boards = Boards::new(text, line, chunk.format);
                judge(&mut parts, (job, &path), (text.len(), boards));
                parts
            };
            let size = if job.is_per_board { 1 } else { PIECE };
            match stream::pieces_of(size, &chunk.text, chunk.line, chunk.format).as_slice() {
                [piece] => sink(judge(Vec::new(), piece)),
                pieces if job.is_per_board => {
                    let mut parts = pieces.iter().map(|piece| judge(Vec::new(), piece));
                    parts.try_for_each(sink)
                }
                pieces => sink(pieces.par_iter().fold(Vec::new, judge).flatten().collect()),
            }
        }
    }
}

/// Judges the next boards, whose text has `bytes` bytes, and adds them to the last part or to new parts.
fn judge(
    parts: &mut Vec<Part>,
    (job, path): (&Job, &Arc<str>),
    (bytes, mut boards): (usize, Boards),
) {
    if parts.last().is_none_or(|part| part.problem.is_some()) {
        parts.push(Part::of(path));
    }
    // `Job::evaluate` catches the panics of a single board.
    let judged = panics::caught(|| {
        each(job, &mut boards, &mut |puzzle, read| {
            if job.is_per_board && parts.last().is_some_and(|part| part.boards > 0) {
                parts.push(Part::of(path));
            }
            last(parts).judge(job, puzzle, read);
        });
    });
    let part = last(parts);
    part.bytes += bytes as u64;
    part.problem = judged.err().map(|panic| internal(&panic));
}

fn last(parts: &mut [Part]) -> &mut Part {
    parts.last_mut().expect("there is a part")
}

/// The result of reading a board, and when the reading began.
type Read = (Result<(), BoardError>, Option<Instant>);

/// Reads boards, each within its own time limit.
fn each<'t>(job: &'t Job, boards: &mut Boards<'t>, sink: &mut dyn FnMut(&Puzzle, Read)) {
    let mut puzzle = Puzzle::empty();
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
            Ok(false) => return,
            read => read.map(|_| job.options.apply_headers(&mut puzzle)),
        };
        sink(&puzzle, (read, start));
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
                    part.number = number.checked_sub(1);
                }
                part.add_unread(job, error);
            }
            Err(error) => part.problem = Some(Problem::Unreadable(error.to_string())),
        },
        Err(panic) => part.problem = Some(internal(&panic)),
    }
    part
}
