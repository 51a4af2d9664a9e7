//! The questions that the options ask about a board.

use getaway_board::fault::{BoardError, Fault};
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::{Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::answers::{Answer, Case, Claim, Query, analyse};
use getaway_solvers::game::shorten_line;
use getaway_solvers::rulesets::Entry;

use super::options::{Detail, Options};

impl Query for Options {
    fn ruleset(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        self.ruleset(puzzle)
    }

    fn warnings(&self, case: Case) -> Result<Vec<Fault>, BoardError> {
        self.warnings(case.entry, case.game, case.puzzle)
    }

    fn claim(&self, case: Case, limits: &mut Limits) -> Result<Claim, BoardError> {
        Ok(match &self.agent {
            Some(agent) => agent.claim(case, limits)?,
            None if self.compares => Claim::of_headers(case.puzzle, case.game, limits)?,
            None => Claim::without_replay(case.puzzle, case.game)?,
        })
    }

    fn solve(&self, case: Case, limits: &Limits) -> Solution {
        let mut solution = case.game.solve(self.order, limits);
        if self.shortens {
            let rows = case.puzzle.rows.iter();
            let cells = rows.map(|row| row.text.len() as u64).sum();
            solution = shorten_line(solution, cells, limits, |few| {
                case.game.solve(Order::Shortest, few)
            });
        }
        solution
    }

    fn extend(&self, answer: &mut Answer, case: Case, limits: &Limits) -> Result<(), BoardError> {
        // Later searches must not note their progress, which would then show their numbers of states.
        answer.solution.note(limits.progress);
        let limits = &Limits {
            progress: None,
            ..*limits
        };
        answer.is_by_agent = self.agent.is_some();
        let solution = &answer.solution;
        if let Some(evidence) = &self.evidence
            && solution.verdict() != Verdict::Undecided
            && let Some(missing) = evidence.of(case, solution, limits)?
        {
            answer.is_verified = false;
            answer.warnings.push(missing);
        }
        let solution = &answer.solution;
        match self.detail {
            Detail::Answer => {}
            Detail::Explanation => {
                let explanation = case.game.explain(solution, limits);
                answer.explanation = Some(Box::new(explanation));
            }
            Detail::Analysis => {
                let analysis = analyse(case, solution, limits);
                answer.analysis = Some(Box::new(analysis));
            }
        }
        Ok(())
    }
}
