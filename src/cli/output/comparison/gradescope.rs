//! A comparison as results for Gradescope: the first entrant's score on each board, and a leaderboard of all entrants.

use crate::cli::output::report::gradescope::{Manner, Rank, Results, Test};
use crate::cli::output::words::{count, safe};
use crate::cli::points::Points;

use super::{Comparison, OnBoard, Row, lost};

pub fn results(comparison: &Comparison) -> Results<Vec<Test>> {
    let scores = comparison.boards.iter().map(OnBoard::score);
    Results {
        score: scores.fold(Points::ZERO, |sum, score| sum + score).number(),
        execution_time: None,
        output: safe(&comparison.all[0].name),
        manner: Manner::default(),
        tests: comparison.boards.iter().map(OnBoard::test).collect(),
        leaderboard: leaderboard(&comparison.all),
    }
}

/// Puts the entrant with the highest escape rate first.
fn leaderboard(entrants: &[Row]) -> Vec<Rank> {
    let mut ranks: Vec<_> = entrants
        .iter()
        .map(|row| Rank {
            name: safe(&row.name),
            value: row.statistics.rate,
            order: "desc",
        })
        .collect();
    ranks.sort_by(|a, b| b.value.total_cmp(&a.value));
    ranks
}

impl OnBoard {
    fn score(&self) -> Points {
        self.points.share(self.rows[0].statistics.rate)
    }

    fn test(&self) -> Test {
        let statistics = &self.rows[0].statistics;
        let escaped = format!(
            "escaped in {} of {}",
            statistics.escaped,
            count(statistics.runs, "game")
        );
        let lost = Some(lost(statistics)).filter(|lost| !lost.is_empty());
        let lines = [Some(escaped), lost, self.rows[0].fault.clone()];
        let lines: Vec<_> = lines.into_iter().flatten().collect();
        Test::new(
            self.address.clone(),
            (self.score(), self.points),
            lines.join("\n"),
        )
    }
}
