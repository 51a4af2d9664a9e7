//! What is known of a file only when its parts stand in order: the numbers of its boards, that it has none, and
//! that so much has failed before that nothing more is judged.

use crate::fault::FaultKind;
use crate::puzzle::error_at;

use super::{Part, Problem};
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;
use crate::cli::inputs::PassedOver;
use crate::cli::records::Job;

/// The order of the input.
pub struct Sequence<'j> {
    job: &'j Job,
    /// How many boards the file under way has had so far.
    boards: u64,
    /// Whether anything was wrong with it.
    has_errors: bool,
    /// What all files came to so far.
    tally: Tally,
}

impl<'j> Sequence<'j> {
    /// The beginning.
    pub fn new(job: &'j Job) -> Self {
        Self {
            job,
            boards: 0,
            has_errors: false,
            tally: Tally::default(),
        }
    }

    /// The next part, as it is printed: one or, where boards have failed and so much that may end the run,
    /// several.
    pub fn pass(&mut self, part: Part) -> Vec<Part> {
        let mut part = part;
        let mut all = Vec::new();
        for records in std::mem::take(&mut part.records.earlier) {
            let earlier = Part {
                path: part.path.clone(),
                number: part.number.take(),
                records,
                ..Part::default()
            };
            all.push(self.judged(earlier));
        }
        all.push(self.judged(part));
        all
    }

    fn judged(&mut self, mut part: Part) -> Part {
        let start = part.number.unwrap_or(self.boards);
        let problem = part.problem.take().or_else(|| {
            let boards = start + part.records.boards;
            let is_empty = part.is_last && boards == 0 && !self.has_errors;
            let is_known = is_empty && !self.job.options.is_stopped();
            is_known.then(|| Problem::Board(error_at(1, FaultKind::NoBoard)))
        });
        self.has_errors |= part.records.tally.standing(Standing::Error) > 0;
        if self.is_over() {
            part.records = part.records.unjudged();
        }
        if let Some(problem) = problem {
            self.problem(&mut part, &problem);
        }
        for record in &mut part.records.kept {
            record.board = record.board.map(|board| board + start);
        }
        if part.path.is_none() && !self.job.selection.has_rest() {
            part.passed_over = PassedOver::default();
        }
        self.saw(&part);
        part
    }

    fn is_over(&self) -> bool {
        self.job.selection.ends_after(&self.tally)
    }

    /// Takes a problem down, unless it is for another part of all boards or the run is over.
    fn problem(&mut self, part: &mut Part, problem: &Problem) {
        self.has_errors = true;
        let selection = &self.job.selection;
        let (path, records) = (part.path.as_deref().unwrap_or_default(), &mut part.records);
        let (is_board, line) = match problem {
            Problem::Unreadable(_) => (false, 0),
            Problem::Board(error) if error.first().kind == FaultKind::NoBoard => (true, 0),
            Problem::Board(error) => (true, error.first().place.line),
        };
        let is_judged = !selection.ends_after(&self.tally_with(&records.tally));
        if selection.has(path, line) && is_judged {
            records.problem(self.job, path, problem);
        } else if is_board {
            // It keeps its place among the boards.
            records.boards += 1;
            records.tally.unjudged += u64::from(!is_judged);
        }
    }

    fn tally_with(&self, more: &Tally) -> Tally {
        let mut tally = self.tally;
        tally.add(more);
        tally
    }

    /// Takes note of a part that has passed, in this run or an earlier one.
    pub fn saw(&mut self, part: &Part) {
        self.boards = part.number.unwrap_or(self.boards) + part.records.boards;
        let Tally { unreadable, .. } = part.records.tally;
        self.has_errors |= part.records.tally.standing(Standing::Error) + unreadable > 0;
        self.tally.add(&part.records.tally);
        if part.is_last {
            (self.boards, self.has_errors) = (0, false);
        }
        if self.is_over() {
            self.job.selection.end();
        }
    }
}
