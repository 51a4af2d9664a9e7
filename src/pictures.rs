//! Pictures of boards and rules.

use getaway_render::recording::{Recording, Subject};
use getaway_solvers::rulesets::Entry;

/// Returns the subject of a picture: a game of this ruleset.
pub fn subject(ruleset: &Entry, title: String) -> Subject {
    Subject {
        title,
        ruleset: ruleset.name,
        goal: ruleset.goal(),
        rules: ruleset.rules,
        legend: ruleset.legend,
    }
}

/// Records a board, even an invalid one, so that it can be drawn.
pub fn record_rows(ruleset: &Entry, rows: &[String]) -> Recording {
    Recording::of_start(subject(ruleset, String::new()), rows)
}
