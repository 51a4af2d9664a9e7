//! The steps of a search as text.

use getaway_play::explanation::{
    AStarStep, AStarSummary, DepthFirstStep, DepthFirstSummary, ExplainedSearch, MoveResult,
    OpenCell, SearchStep, SearchSummary, Tie, TriedMove,
};
use getaway_ruleset::Legend;

use getaway_board::words::{count, list_some};

const SHOWN_CELLS: usize = 12;

const ABOUT: &str = "the search, with row,column (cost + distance to food = sum) of each cell:";

/// Describes a search in lines of text: the first steps and the summary, or only the counts of a depth-first search.
pub fn search(search: &ExplainedSearch, legend: &Legend) -> Vec<String> {
    let whole = match &search.summary {
        SearchSummary::AStar(summary) => summary,
        SearchSummary::DepthFirst(summary) => {
            let counted = depth_first_counts(summary);
            return vec![format!(
                "a depth-first search takes {counted}; `trace --search` shows it"
            )];
        }
    };
    let mut lines = vec![ABOUT.to_owned()];
    for (number, each) in (1..).zip(&search.steps) {
        lines.extend(a_star_step(number, each, legend));
    }
    let shown = search.steps.len() as u64;
    if shown < whole.taken {
        let rest = count(whole.taken - shown, "more step");
        lines.push(format!("and {rest}, which `trace --search` shows"));
    }
    lines.extend(a_star_summary(whole, legend));
    lines
}

/// Describes what the steps of a search show.
pub const fn about(step: &SearchStep) -> &'static str {
    match step {
        SearchStep::AStar(_) => ABOUT,
        SearchStep::DepthFirst(_) => {
            "a depth-first search: each step takes the newest position left, and tries the moves in this order:"
        }
    }
}

/// Describes a step in lines of text.
pub fn step(number: u64, step: &SearchStep, legend: &Legend) -> Vec<String> {
    match step {
        SearchStep::AStar(step) => a_star_step(number, step, legend),
        SearchStep::DepthFirst(step) => depth_first_step(number, step, legend),
    }
}

/// Summarizes a search, of which the first `shown` steps have been shown, in lines of text.
pub fn summary(summary: &SearchSummary, shown: u64, legend: &Legend) -> Vec<String> {
    match summary {
        SearchSummary::AStar(summary) => a_star_summary(summary, legend),
        SearchSummary::DepthFirst(summary) => depth_first_summary(summary, shown),
    }
}

fn depth_first_step(number: u64, step: &DepthFirstStep, legend: &Legend) -> Vec<String> {
    let after = match &*step.line {
        [] => "the start".to_owned(),
        line => format!("after {}", joined(line)),
    };
    let at = step.cell.map_or_else(String::new, |cell| {
        format!(", the runner {}", legend.at(cell))
    });
    let tried: Vec<_> = step.branches.iter().map(tried).collect();
    vec![
        format!("{number}  takes {}, {after}{at}", step.state),
        format!("   {}", tried.join("; ")),
    ]
}

fn tried(branch: &TriedMove) -> String {
    let result = match &branch.result {
        MoveResult::New { state } => format!("new, {state}"),
        MoveResult::Visited { state } => format!("visited, {state}"),
        MoveResult::Dominated { state } => format!("dominated by {state}"),
        MoveResult::Hopeless => "no way out is left".to_owned(),
        MoveResult::Lost { cause } => cause.to_string(),
        MoveResult::Escapes => "escapes".to_owned(),
        MoveResult::Blocked { reason } => format!("blocked, {reason}"),
    };
    format!("{} {result}", branch.mv)
}

/// Joins moves, without spaces if each is one character.
fn joined(line: &[String]) -> String {
    let is_short = line.iter().all(|mv| mv.chars().count() == 1);
    line.join(if is_short { "" } else { " " })
}

fn depth_first_summary(summary: &DepthFirstSummary, shown: u64) -> Vec<String> {
    if *summary == DepthFirstSummary::default() {
        return vec!["caught: no position has to be searched".to_owned()];
    }
    let mut lines = Vec::new();
    if shown < summary.taken {
        lines.push(format!("and {}", count(summary.taken - shown, "more step")));
    }
    lines.push(depth_first_counts(summary));
    lines.push(match (&summary.line, summary.limit) {
        (Some(line), _) if line.is_empty() => "escape at the start".to_owned(),
        (Some(line), _) => format!("escape: {}", joined(line)),
        (None, Some(limit)) => format!("undecided: {limit}"),
        (None, None) => "no position is left: caught".to_owned(),
    });
    lines
}

fn depth_first_counts(summary: &DepthFirstSummary) -> String {
    let counted = [
        (summary.visited, "visited"),
        (summary.dominated, "dominated"),
        (summary.lost, "lost"),
        (summary.hopeless, "without a way out"),
    ];
    let counted = counted.iter().filter(|(moves, _)| *moves > 0);
    let counted: String = counted
        .map(|(moves, why)| format!(", {moves} {why}"))
        .collect();
    let steps = count(summary.taken, "step");
    format!("{steps}; moves: {} to new positions{counted}", summary.new)
}

fn a_star_step(number: u64, step: &AStarStep, legend: &Legend) -> Vec<String> {
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

/// Describes how step `number` of a program's search differs from the pseudocode of the rules; `taken` is the cell that the
/// program took, if any. Returns `None` if it took the right cell.
pub fn difference(
    number: u64,
    step: &AStarStep,
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

/// Summarizes a search, and compares it with a textbook A*.
fn a_star_summary(summary: &AStarSummary, legend: &Legend) -> Vec<String> {
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
