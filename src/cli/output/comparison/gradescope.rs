//! A comparison as results for Gradescope: the first entrant's score on each board, and a leaderboard of all entrants.

use serde_json::{Value, json};

use super::{Comparison, OnBoard, lost};
use crate::answers::words::{count, safe};
use crate::cli::output::report::gradescope::{head, test};

pub fn results(comparison: &Comparison) -> Value {
    let boards = comparison.boards.iter();
    let mut results = head(
        boards.clone().map(OnBoard::score).sum(),
        &safe(&comparison.all[0].name),
    );
    results["tests"] = boards.map(OnBoard::test).collect();
    let mut ranks: Vec<_> = comparison.all.iter().collect();
    ranks.sort_by(|a, b| b.statistics.rate.total_cmp(&a.statistics.rate));
    let rank = ranks
        .into_iter()
        .map(|row| json!({"name": safe(&row.name), "value": row.statistics.rate, "order": "desc"}));
    results["leaderboard"] = rank.collect();
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
