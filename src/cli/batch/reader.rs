//! Reads the inputs on a separate thread, and hands them to the workers.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use rayon::ThreadPool;

use crate::puzzle::stream::CHUNK;

use super::cutting::{cut, shown};
use super::evaluation::{evaluate, internal};
use super::window::Window;
use super::{Piece, Position, Results};
use crate::cli::inputs::{Input, Unit, is_plain};
use crate::cli::job::Job;
use crate::cli::panics;
use crate::cli::record::{Part, Problem};

/// The maximum size, in bytes, of a file that a worker reads.
const SMALL: u64 = CHUNK as u64;

pub struct Reader {
    pub job: Arc<Job>,
    pub pool: ThreadPool,
    pub sender: Sender<Results>,
    pub window: Arc<Window>,
    pub done: Position,
}

/// The error when the receiver takes no more pieces.
struct Closed;

impl Reader {
    pub fn run(self, units: Vec<Unit>) {
        let read = panics::caught(|| {
            panics::on_purpose("reader");
            self.units(units)
        });
        if let Err(panic) = read {
            let _ = self.send(Piece::failed(&"the input".into(), internal(&panic)));
        }
    }

    fn units(&self, units: Vec<Unit>) -> Result<(), Closed> {
        let Position { units: done, bytes } = self.done;
        let bytes = std::iter::once(bytes).chain(std::iter::repeat(0));
        for (unit, done) in units.into_iter().skip(done as usize).zip(bytes) {
            match unit {
                Unit::Read(Input::Board(path, wanted)) => self.send(Piece::Board(path, wanted))?,
                Unit::Read(input) => match small(&input) {
                    Some(size) if !self.job.is_fine => {
                        self.send(Piece::File(input.path().to_owned(), size))?;
                    }
                    _ => cut(&self.job, (input.path(), done), &mut |piece| {
                        self.send(piece)
                    })?,
                },
                Unit::Refused(path, why) => {
                    self.send(Piece::failed(&shown(&path), Problem::Unreadable(why)))?;
                }
                Unit::PassedOver(passed_over) => self.send(Piece::known(Part {
                    passed_over,
                    ..Part::default()
                }))?,
            }
        }
        Ok(())
    }

    /// Hands a piece to the workers, even after an interrupt, so that its boards count as undecided. Fails if reading has to end.
    fn send(&self, piece: Piece) -> Result<(), Closed> {
        let load = piece.load();
        if !self.window.enter(load) {
            return Err(Closed);
        }
        let (sender, results) = mpsc::channel();
        let (job, window) = (Arc::clone(&self.job), Arc::clone(&self.window));
        self.pool.spawn(move || {
            let parts = evaluate(&job, piece);
            window.replace(load, parts.iter().map(Part::size).sum());
            // Sending fails if the output was closed and the receiver is gone.
            let _ = sender.send(parts);
        });
        self.sender.send(results).map_err(|_| Closed)?;
        if self.job.options.is_stopped() || self.job.selection.is_finished() {
            Err(Closed)
        } else {
            Ok(())
        }
    }
}

/// Returns the size of a small file. A compressed file may hold any number of boards, so it is not small.
fn small(input: &Input) -> Option<u64> {
    let Input::Path(path) = input else {
        return None;
    };
    let meta = fs::metadata(path).ok()?;
    let is_small = meta.is_file() && meta.len() <= SMALL && is_plain(path);
    is_small.then_some(meta.len())
}
