//! Limits the work in progress between the reader and the sink.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Piece;
use crate::cli::record::Part;

/// The memory used by work in progress, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    text: u64,
    /// The size of the results, estimated until they exist.
    answers: u64,
}

/// The estimated bytes of results for each line of text.
const ANSWER: u64 = 256;

/// The estimated bytes of each line in small files.
const LINE: u64 = 8;

const MOST_ANSWERS: u64 = 1 << 25;

const LEAST_TEXT: u64 = 1 << 25;

impl Load {
    pub fn of_piece(piece: &Piece) -> Self {
        let (text, lines) = match piece {
            Piece::Files(files, bytes) => (*bytes, bytes / LINE + files.len() as u64),
            Piece::Chunk(_, chunk) => (chunk.text.len() as u64, chunk.lines),
            Piece::Board(..) | Piece::Known(_) => (0, 1),
        };
        let answers = lines * ANSWER;
        Self { text, answers }
    }

    pub fn of_parts(parts: &[Part]) -> Self {
        let answers = parts.iter().map(Part::size).sum();
        Self { text: 0, answers }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            text: self.text + other.text,
            answers: self.answers + other.answers,
        }
    }

    const fn without(self, other: Self) -> Self {
        Self {
            text: self.text - other.text,
            answers: self.answers - other.answers,
        }
    }
}

#[derive(Debug)]
pub struct Window {
    most: Load,
    /// The load in progress; `None` once the window is closed.
    taken: Mutex<Option<Load>>,
    has_changed: Condvar,
}

impl Window {
    /// Creates a window; `max_memory` is the memory limit of all searches together, in bytes.
    pub fn new(max_memory: u64) -> Self {
        Self {
            most: Load {
                text: (max_memory / 4).max(LEAST_TEXT),
                answers: MOST_ANSWERS,
            },
            taken: Mutex::new(Some(Load::default())),
            has_changed: Condvar::new(),
        }
    }

    /// Waits until `load` fits or nothing else is in progress. Returns false if the window is closed.
    pub fn enter(&self, load: Load) -> bool {
        let is_full = |taken: &mut Option<Load>| {
            taken.is_some_and(|taken| taken != Load::default() && !self.has_room(taken.and(load)))
        };
        let taken = self.has_changed.wait_while(self.taken(), is_full);
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        *taken = taken.map(|taken| taken.and(load));
        taken.is_some()
    }

    const fn has_room(&self, load: Load) -> bool {
        load.text <= self.most.text && load.answers <= self.most.answers
    }

    pub fn replace(&self, was: Load, is: Load) {
        let mut taken = self.taken();
        *taken = taken.map(|taken| taken.and(is).without(was));
        self.has_changed.notify_all();
    }

    pub fn close(&self) {
        *self.taken() = None;
        self.has_changed.notify_all();
    }

    fn taken(&self) -> MutexGuard<'_, Option<Load>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
