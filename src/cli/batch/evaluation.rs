//! What a piece of work comes to: its boards, evaluated side by side or one after the other.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::puzzle::stream::{self, Chunk};
use crate::puzzle::{Format, Puzzle, json, text};
use memchr::memchr_iter;
use rayon::prelude::*;

use super::{Answers, Grain, Part, Piece, Problem, Sink};
use crate::cli::evaluate::{answer_at_once, evaluated};
use crate::cli::inputs::{Wanted, named_format};
use crate::cli::one_board::{self, Unread};
use crate::cli::panics;
use crate::cli::records::{Job, Records};

/// Evaluates a piece of work.
pub fn evaluate(job: &Job, piece: Piece, grain: Grain, answers: &Answers) {
    match piece {
        Piece::Files(paths) => paths.iter().for_each(|path| answers.add(file(job, path))),
        Piece::Board(path, wanted) => answers.add(vec![one_board(job, &path, &wanted)]),
        Piece::Known(part) => answers.add(vec![*part]),
        Piece::Chunk(path, chunk) => {
            let Chunk { line, format, .. } = chunk;
            if grain == Grain::Coarse {
                return answers.add(boards(job, &path, (&chunk.text, line, format)));
            }
            let pieces = stream::pieces_of(1, (&chunk.text, line), format);
            one_by_one(job, &path, pieces.into_iter(), format).for_each(|part| answers.go_on(part));
        }
    }
}

/// Evaluates the boards of a file, but for those in its first `done` bytes.
pub fn in_steps(job: &Job, path: &Path, done: u64, sink: &mut Sink) -> io::Result<()> {
    let name = shown(path);
    let bytes = match read_whole(path) {
        Ok(bytes) => bytes,
        Err(error) => return sink(Part::unreadable(&name, &error)),
    };
    let (text, format) = text_of(&bytes, path);
    let pieces = stream::pieces_of(1, (text, 1), format);
    let mut end = 0;
    let left = pieces.into_iter().skip_while(|(board, _)| {
        end += board.len() as u64;
        end <= done
    });
    one_by_one(job, &name, left, format).try_for_each(&mut *sink)?;
    sink(Part {
        is_last: true,
        ..Part::of(&name)
    })
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
        [piece] => Run::default().with(job, path, source(piece)).parts,
        // What one worker evaluates in one go makes a part.
        pieces => pieces
            .par_iter()
            .fold(Run::default, |run, piece| {
                run.with(job, path, source(piece))
            })
            .flat_map_iter(|run| run.parts)
            .collect(),
    }
}

/// Evaluates each of these pieces of a text when it is asked for.
fn one_by_one<'t>(
    job: &'t Job,
    path: &'t Arc<str>,
    pieces: impl Iterator<Item = (&'t [u8], u64)>,
    format: Format,
) -> impl Iterator<Item = Part> {
    let mut run = Run::default();
    pieces.flat_map(move |(text, line)| {
        let source = Source {
            path,
            text,
            line,
            format,
        };
        run.evaluate(job, path, source);
        std::mem::take(&mut run.parts)
    })
}

/// A text with boards.
#[derive(Clone, Copy, Debug)]
struct Source<'a> {
    /// The file's path, for people.
    path: &'a str,
    /// The text.
    text: &'a [u8],
    /// The number of its first line, from 1.
    line: u64,
    /// Its format.
    format: Format,
}

/// Evaluates all boards of a text, each of which is read into `puzzle`.
fn evaluate_text<'a>(
    records: &mut Records,
    job: &'a Job,
    source: Source<'a>,
    puzzle: &mut Puzzle<'a>,
) {
    puzzle.set_limits(job.options.limits(job.share));
    match source.format {
        Format::Text => drawings(records, job, source, puzzle),
        Format::JsonLines => json_lines(records, job, source, puzzle),
    }
}

fn drawings<'a>(records: &mut Records, job: &'a Job, source: Source<'a>, puzzle: &mut Puzzle<'a>) {
    let mut boards = text::Boards::new(source.text, source.line);
    let are_plain = job.are_plain();
    loop {
        let start = begin(job, puzzle);
        let mut ahead = boards.clone();
        if are_plain
            && let Some(board) = ahead.read_small(puzzle)
            && let Some(answer) = answer_at_once(&job.options, &board)
        {
            boards = ahead;
            records.take_down(job, source.path, &evaluated(puzzle, answer, start));
            continue;
        }
        match boards.read(puzzle) {
            Ok(false) => break,
            Ok(true) => {
                job.options.settle(puzzle);
                records.board(job, source.path, puzzle, (Ok(()), start));
            }
            Err(error) => records.board(job, source.path, puzzle, (Err(error), start)),
        }
    }
}

fn json_lines<'a>(
    records: &mut Records,
    job: &'a Job,
    source: Source<'a>,
    puzzle: &mut Puzzle<'a>,
) {
    let are_plain = job.are_plain();
    for (row, line) in lines(source.text).zip(source.line..) {
        let start = begin(job, puzzle);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if are_plain
            && let Some(board) = json::read_small(row, line, puzzle)
            && let Some(answer) = answer_at_once(&job.options, &board)
        {
            records.take_down(job, source.path, &evaluated(puzzle, answer, start));
            continue;
        }
        match json::read_line(row, line, puzzle) {
            Ok(false) => {}
            Ok(true) => {
                job.options.settle(puzzle);
                records.board(job, source.path, puzzle, (Ok(()), start));
            }
            Err(error) => records.board(job, source.path, puzzle, (Err(error), start)),
        }
    }
}

/// The lines of a text, without `\n`; after the last one of these comes what is left.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| &text[std::mem::replace(&mut start, end + 1)..end])
}

/// The next board begins: the clock starts, if it runs for each board.
fn begin<'a>(job: &'a Job, puzzle: &mut Puzzle<'a>) -> Option<Instant> {
    if job.options.are_limits_timed() {
        puzzle.set_limits(job.options.limits(job.share));
    }
    job.report.takes_time().then(Instant::now)
}

/// What a worker evaluates in one go.
#[derive(Default)]
struct Run<'t> {
    parts: Vec<Part>,
    /// Used for one board after the other.
    puzzle: Puzzle<'t>,
}

impl<'t> Run<'t> {
    /// The same with the boards of `source`, which stand right after those before it.
    fn with(mut self, job: &'t Job, path: &Arc<str>, source: Source<'t>) -> Self {
        self.evaluate(job, path, source);
        self
    }

    fn evaluate(&mut self, job: &'t Job, path: &Arc<str>, source: Source<'t>) {
        let mut part = match self.parts.pop_if(|part| part.problem.is_none()) {
            Some(part) => part,
            None => Part::of(path),
        };
        part.bytes += source.text.len() as u64;
        // A panic over a board is an error of that board; this is for one over the text.
        let result =
            panics::caught(|| evaluate_text(&mut part.records, job, source, &mut self.puzzle));
        part.problem = result.err().map(|panic| internal(&panic));
        self.parts.push(part);
    }
}

/// A panic as what is wrong with a file.
pub fn internal(panic: &str) -> Problem {
    Problem::Unreadable(format!("{panic}; {}", panics::ADVICE))
}

fn file(job: &Job, path: &Path) -> Vec<Part> {
    let name = shown(path);
    let mut parts = match read_whole(path) {
        Err(error) => vec![Part::unreadable(&name, &error)],
        Ok(bytes) => {
            let (text, format) = text_of(&bytes, path);
            boards(job, &name, (text, 1, format))
        }
    };
    match parts.last_mut() {
        Some(last) => last.is_last = true,
        None => parts.push(Part {
            is_last: true,
            ..Part::of(&name)
        }),
    }
    parts
}

/// What one board of a file came to.
pub fn one_board(job: &Job, path: &Path, wanted: &Wanted) -> Part {
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

/// All that is in a file.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1 << 12);
    // `take` keeps the standard library from asking for the size first.
    File::open(path)?.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A path as it is shown.
pub fn shown(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

/// What a file's bytes say, and in which format.
pub fn text_of<'b>(bytes: &'b [u8], path: &Path) -> (&'b [u8], Format) {
    let text = stream::without_mark(bytes);
    let format = named_format(path).or_else(|| stream::detect(text));
    (text, format.unwrap_or(Format::Text))
}
