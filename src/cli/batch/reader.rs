//! Reads the inputs on a separate thread, and hands them to the workers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use rayon::ThreadPool;

use getaway_board::puzzle::stream::CHUNK;

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
/// The maximum number of small files in a piece.
const GROUP: usize = 64;

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
        let mut group = (Vec::new(), 0);
        for (unit, done) in units.into_iter().skip(done as usize).zip(bytes) {
            if let Unit::Read(Input::Path(path)) = &unit
                && !self.job.is_per_board
                && let Some(size) = small(path)
            {
                group.0.push(path.clone());
                group.1 += size;
                if group.0.len() >= GROUP || group.1 >= SMALL {
                    self.flush(&mut group)?;
                }
                continue;
            }
            // Files that were listed before this unit come first.
            self.flush(&mut group)?;
            match unit {
                Unit::Read(Input::Board(path, wanted)) => self.send(Piece::Board(path, wanted))?,
                Unit::Read(input) => {
                    let from = (input.path(), done);
                    cut(&self.job, from, &mut |piece| self.send(piece))?;
                }
                Unit::Refused(path, why) => {
                    self.send(Piece::failed(&shown(&path), Problem::Unreadable(why)))?;
                }
                Unit::PassedOver(passed_over) => self.send(Piece::known(Part {
                    passed_over,
                    ..Part::default()
                }))?,
            }
        }
        self.flush(&mut group)
    }

    fn flush(&self, group: &mut (Vec<PathBuf>, u64)) -> Result<(), Closed> {
        let (files, bytes) = std::mem::take(group);
        if files.is_empty() {
            Ok(())
        } else {
            self.send(Piece::Files(files, bytes))
        }
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
            // Sending fails if the output was closed and the receiver is gone.
            let _ = evaluate(&job, piece, &mut |parts| {
                window.replace(0, parts.iter().map(Part::size).sum());
                let sent = sender.send(parts);
                sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
            });
            window.replace(load, 0);
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
fn small(path: &Path) -> Option<u64> {
    let meta = fs::metadata(path).ok()?;
    let is_small = meta.is_file() && meta.len() <= SMALL && is_plain(path);
    is_small.then_some(meta.len())
}
