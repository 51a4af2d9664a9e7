//! The steps of a prescribed search as text.

use getaway_play::explanation::{ExplainedSearch, OpenCell, SearchStep, SearchSummary, Tie};
use getaway_ruleset::Legend;

use super::words::{count, list_some};

const SHOWN_CELLS: usize = 12;

/// Describes the first steps and the summary of a search in lines of text.
pub fn search(search: &ExplainedSearch, legend: &Legend) -> Vec<String> {
    let mut lines = vec![ABOUT.to_owned()];
    for (number, each) in (1..).zip(&search.steps) {
        lines.extend(step(number, each, legend));
    }
    let shown = search.steps.len() as u64;
    if shown < search.summary.taken {
        let rest = count(search.summary.taken - shown, "more step");
        lines.push(format!("and {rest}, which `trace --search` shows"));
    }
    lines.extend(summary(&search.summary, legend));
    lines
}

/// The meaning of the numbers in each step.
pub const ABOUT: &str = "the search, with row,column (cost + distance to food = sum) of each cell:";

/// Describes a step in lines of text.
pub fn step(number: u64, step: &SearchStep, legend: &Legend) -> Vec<String> {
    let cells: Vec<_> = step.open.iter().map(|open| cell(open, legend)).collect();
    let mut lines = vec![format!(
        "{number}  OPEN: {}",
        list_some(&cells, SHOWN_CELLS)
    )];
    lines.push(match &*step.open {
        [first, second, ..] if step.tie.is_some() => {
            let (taken, left) = (legend.place(first.cell), legend.place(second.cell));
            format!(
                "   takes {taken}, not {left}: {}",
                preference(first, second)
            )
        }
        open => format!("   takes {}", legend.place(open[0].cell)),
    });
    for put in &step.puts {
        let to = cell(&put.to, legend);
        lines.push(match put.overwritten {
            None => format!("   puts {to}"),
            Some(old) if put.is_unusual() => {
                format!("   overwrites {to}, which waits with cost {old}; a textbook A* would not")
            }
            Some(old) => format!("   overwrites {to}, which waits with cost {old}"),
        });
    }
    lines
}

/// Describes why the search takes `first` before `other`.
fn preference(first: &OpenCell, other: &OpenCell) -> String {
    match Tie::between(first, other) {
        None => format!("the sum {} is below {}", first.sum(), other.sum()),
        Some(Tie::Row) => "same sum, lower row".to_owned(),
        Some(Tie::Column) => "same sum and row, lower column".to_owned(),
    }
}

/// Describes how a program's search differs in a step; `taken` is its cell, if it takes one. Returns `None` if the cell is right.
pub fn difference(
    number: u64,
    step: &SearchStep,
    taken: Option<(u32, u32)>,
    legend: &Legend,
) -> Option<String> {
    let first = &step.open[0];
    let right = format!("the pseudocode takes {}", legend.place(first.cell));
    let Some(taken) = taken else {
        return Some(format!("step {number}: the program took no cell; {right}"));
    };
    let wrong = legend.place(taken);
    let why = match step.open.iter().find(|open| open.cell == taken) {
        Some(open) if open == first => return None,
        Some(open) => preference(first, open),
        None => format!("{wrong} is not in OPEN"),
    };
    Some(format!(
        "step {number}: the program took {wrong}; {right}: {why}"
    ))
}

fn cell(open: &OpenCell, legend: &Legend) -> String {
    let OpenCell {
        cell,
        cost,
        distance,
    } = *open;
    format!("{} ({cost}+{distance}={})", legend.place(cell), open.sum())
}

/// Summarizes a search, and compares it with a textbook A*, in lines of text.
pub fn summary(summary: &SearchSummary, legend: &Legend) -> Vec<String> {
    let path = |cells: &[(u32, u32)]| match cells {
        [] => "none".to_owned(),
        cells => cells
            .iter()
            .map(|&at| legend.place(at))
            .collect::<Vec<_>>()
            .join(" "),
    };
    let mut lines = vec![format!(
        "{}, {} overwritten",
        count(summary.taken, "step"),
        count(summary.overwritten, "waiting cell"),
    )];
    lines.push(format!("path: {}", path(&summary.path)));
    lines.push(match summary.parting {
        None => "a textbook A* does the same".to_owned(),
        Some(step) if summary.path.is_empty() => {
            format!("a textbook A* differs from step {step} on, but finds no food either")
        }
        Some(step) if summary.path == summary.textbook_path => {
            format!("a textbook A* differs from step {step} on, but finds the same path")
        }
        Some(step) => format!(
            "a textbook A* differs from step {step} on; its path: {}",
            path(&summary.textbook_path)
        ),
    });
    lines
}
