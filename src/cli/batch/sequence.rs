//! Whatever depends on the order of the input: board numbers, files without boards, and when enough failures
//! have occurred to end the run.

use crate::fault::FaultKind;
use crate::puzzle::error_at;

use crate::answers::Standing;
use crate::cli::exit::Tally;
use crate::cli::inputs::PassedOver;
use crate::cli::record::{Job, Part, Problem};

pub struct Sequence<'j> {
    job: &'j Job,
    /// Boards seen in the current file.
    boards: u64,
    /// Whether the current file has errors.
    has_errors: bool,
    /// Counts over all files.
    tally: Tally,
}

impl<'j> Sequence<'j> {
    pub fn new(job: &'j Job) -> Self {
        Self {
            job,
            boards: 0,
            has_errors: false,
            tally: Tally::default(),
        }
    }

    pub fn pass(&mut self, mut part: Part) -> Part {
        let start = part.number.unwrap_or(self.boards);
        let problem = part.problem.take().or_else(|| {
            let boards = start + part.boards;
            let is_empty = part.is_last && boards == 0 && !self.has_errors;
            let is_known = is_empty && !self.job.options.is_stopped();
            is_known.then(|| Problem::Board(error_at(1, FaultKind::NoBoard)))
        });
        self.has_errors |= part.tally.standing(Standing::Error) > 0;
        if self.job.selection.ends_after(&self.tally) {
            part.unjudge();
        }
        if let Some(problem) = problem {
            self.add_problem(&mut part, &problem);
        }
        part.number_from(start);
        if part.path.is_none() && !self.job.selection.has_rest() {
            part.passed_over = PassedOver::default();
        }
        self.saw(&part);
        part
    }

    /// Ignores the problem if the selection excludes it or the run is over.
    fn add_problem(&mut self, part: &mut Part, problem: &Problem) {
        self.has_errors = true;
        let selection = &self.job.selection;
        let (is_board, line) = match problem {
            Problem::Unreadable(_) => (false, 0),
            Problem::Board(error) if error.first().kind == FaultKind::NoBoard => (true, 0),
            Problem::Board(error) => (true, error.first().place.line),
        };
        let mut tally = self.tally;
        tally.add(&part.tally);
        let is_judged = !selection.ends_after(&tally);
        let path = part.path.as_deref().unwrap_or_default();
        if selection.has(path, line) && is_judged {
            part.add_problem(self.job, problem);
        } else if is_board {
            // It still counts as a board, so that later boards keep their numbers.
            part.boards += 1;
            part.tally.unjudged += u64::from(!is_judged);
        }
    }

    /// Counts a part, be it of this run or of an earlier one that is being resumed.
    pub fn saw(&mut self, part: &Part) {
        self.boards = part.number.unwrap_or(self.boards) + part.boards;
        self.has_errors |= part.tally.errors() > 0;
        self.tally.add(&part.tally);
        if part.is_last {
            (self.boards, self.has_errors) = (0, false);
        }
        if self.job.selection.ends_after(&self.tally) {
            self.job.selection.end();
        }
    }
}
