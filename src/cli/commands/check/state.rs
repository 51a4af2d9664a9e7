//! The state of a check. Answers are printed only at the end, from the state: a resumed run prints the same as
//! an uninterrupted one.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::cli::batch::{self, Position, Sequence};
use crate::cli::exit::Tally;
use crate::cli::inputs::{Folders, Input, Unit, units};
use crate::cli::output::progress::Progress;
use crate::cli::record::{Job, Part};
use crate::cli::resume::{self, Question};

#[derive(Serialize, Deserialize)]
enum Step {
    /// The time taken by the run so far, and the finished parts of a file.
    Parts(Duration, Vec<Part>),
    End,
}

/// The longest time that is accepted from a file: a million years, so that sums can't overflow.
const LONGEST: Duration = Duration::from_secs(1 << 45);

pub struct State {
    steps: resume::State<Step>,
    done: Done,
    units: Vec<Unit>,
}

#[derive(Default)]
struct Done {
    position: Position,
    tally: Tally,
    bytes: u64,
    time: Duration,
    is_all: bool,
}

impl Done {
    fn add(&mut self, parts: &[Part], time: Duration) {
        for part in parts {
            self.position.pass(part);
            self.tally.add(&part.tally);
            self.bytes += part.bytes;
        }
        self.time = time;
    }

    /// Adds a step of an earlier run; returns `false` if its numbers are impossible.
    fn take(&mut self, step: &Step, sequence: &mut Sequence) -> bool {
        let Step::Parts(time, parts) = step else {
            self.is_all = true;
            return true;
        };
        if *time > LONGEST || !parts.iter().all(Part::can_be) {
            return false;
        }
        for part in parts {
            sequence.saw(part);
        }
        self.add(parts, *time);
        true
    }
}

impl State {
    /// Opens the state at `path` and passes the finished parts to `sequence`.
    pub fn open(
        path: &Path,
        question: Question,
        inputs: Vec<Input>,
        sequence: &mut Sequence,
    ) -> Result<Self> {
        let mut done = Done::default();
        let units = || units(inputs, Folders::Walk);
        let (steps, units) =
            resume::State::open(path, question, units, &mut |step| done.take(step, sequence))?;
        Ok(Self { steps, done, units })
    }

    /// Judges the remaining boards; returns `false` after an interrupt.
    pub fn go_on(
        &mut self,
        job: &Job,
        sequence: &mut Sequence,
        progress: &Progress,
    ) -> Result<bool> {
        let Self { steps, done, units } = self;
        if done.is_all {
            return Ok(true);
        }
        let (start, before) = (Instant::now(), done.time);
        progress.advance(done.bytes, &done.tally);
        let from = (done.position, sequence);
        batch::resume(job, std::mem::take(units), from, &mut |parts| {
            // Interrupted boards are not done.
            if job.options.is_stopped() {
                return Ok(());
            }
            let bytes = parts.iter().map(|part| part.bytes).sum();
            done.add(&parts, before + start.elapsed());
            progress.advance(bytes, &done.tally);
            steps.add(&Step::Parts(done.time, parts))
        })?;
        progress.finish();
        if !job.options.is_stopped() {
            steps.add(&Step::End)?;
            done.is_all = true;
        }
        steps.finish()?;
        Ok(done.is_all)
    }

    /// Passes all parts to `sink`; returns the time that they took.
    pub fn replay(&self, sink: &mut dyn FnMut(Part) -> io::Result<()>) -> Result<Duration> {
        self.steps.replay(&mut |step| match step {
            Step::Parts(_, parts) => parts.into_iter().try_for_each(&mut *sink),
            Step::End => Ok(()),
        })?;
        Ok(self.done.time)
    }

    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    pub fn boards(&self) -> u64 {
        self.done.tally.boards()
    }
}
