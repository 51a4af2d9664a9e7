//! A comparison as results for Gradescope: the first entrant's score on each board, and its row of the leaderboard.
//!
//! Gradescope compares submissions, so the other entrants appear in the table of `compare` alone.

use serde_json::{Value, json};

use super::{Comparison, OnBoard, lost};
use crate::answers::words::{count, safe};
use crate::cli::output::report::gradescope::{head, test};

pub fn results(comparison: &Comparison) -> Value {
    let boards = comparison.boards.iter();
    let first = &comparison.all[0];
    let score = boards.clone().map(OnBoard::score).sum();
    let mut results = head(score, &safe(&first.name));
    results["tests"] = boards.map(OnBoard::test).collect();
    results["leaderboard"] =
        json!([{"name": "escape rate", "value": first.statistics.rate, "order": "desc"}]);
    results
}

impl OnBoard {
    fn score(&self) -> f64 {
        self.points * self.rows[0].statistics.rate
    }

    fn test(&self) -> Value {
        let statistics = &self.rows[0].statistics;
        let games = count(statistics.runs, "game");
        let mut output = format!("escaped in {} of {games}\n", statistics.escaped);
        output += &lost(statistics);
        if let Some(fault) = &self.rows[0].fault {
            output += &format!("\n{fault}");
        }
        test(
            &self.address,
            (self.score(), self.points),
            output.trim_end(),
        )
    }
}
