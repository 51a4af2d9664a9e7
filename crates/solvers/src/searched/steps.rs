//! The steps of a depth-first search, in the words of the rules.

use getaway_play::explanation::{
    DepthFirstStep, DepthFirstSummary, MoveResult, SearchStep, TriedMove,
};
use getaway_ruleset::{Deterministic, Playable};
use getaway_search::search::Finding;
use getaway_search::watched::{Branch, Expansion, WatchedSearch};

/// Passes the steps of a search to `sink`, with the position of each, and returns the summary.
pub(super) fn trace<R: Deterministic + Playable>(
    rules: &R,
    watched: &WatchedSearch<R::Move>,
    sink: &mut dyn FnMut(SearchStep),
) -> DepthFirstSummary {
    for step in &watched.notes.steps {
        let line = watched.notes.line(step.state);
        sink(SearchStep::DepthFirst(described(rules, &line, step)));
    }
    let counts = watched.notes.counts;
    DepthFirstSummary {
        taken: counts.taken,
        new: counts.new,
        visited: counts.visited,
        dominated: counts.dominated,
        hopeless: counts.hopeless,
        lost: counts.caught,
        line: match &watched.finding {
            Finding::Escape(line) => Some(names(line)),
            Finding::Caught | Finding::Undecided(_) => None,
        },
        limit: match watched.finding {
            Finding::Undecided(limit) => Some(limit),
            Finding::Escape(_) | Finding::Caught => None,
        },
    }
}

fn described<R: Deterministic + Playable>(
    rules: &R,
    line: &[R::Move],
    step: &Expansion<R::Move>,
) -> DepthFirstStep {
    let mut at = rules.opened().unwrap_or_else(|_| rules.start());
    for &mv in line {
        rules.play(&mut at, mv);
    }
    let is_tried = |mv: &R::Move| step.branches.iter().any(|(tried, _)| tried == mv);
    let blocked = rules.all_moves().into_iter().filter(|mv| !is_tried(mv));
    let blocked = blocked.filter_map(|mv| {
        let reason = rules.refusal(&at, mv)?.into_owned();
        Some((mv, MoveResult::Blocked { reason }))
    });
    let tried = step
        .branches
        .iter()
        .map(|&(mv, branch)| (mv, result(branch)));
    let actors = rules.actors(&at);
    let runner = actors.get(rules.mover(&at));
    DepthFirstStep {
        state: step.state,
        line: names(line),
        cell: runner.map(|&(_, cell)| rules.grid().position(cell)),
        rows: rules.picture(&at),
        branches: tried
            .chain(blocked)
            .map(|(mv, result)| TriedMove {
                mv: mv.to_string(),
                result,
            })
            .collect(),
    }
}

const fn result(branch: Branch) -> MoveResult {
    match branch {
        Branch::New(state) => MoveResult::New { state },
        Branch::Visited(state) => MoveResult::Visited { state },
        Branch::Dominated(state) => MoveResult::Dominated { state },
        Branch::Hopeless => MoveResult::Hopeless,
        Branch::Caught(cause) => MoveResult::Lost { cause },
        Branch::Escaped => MoveResult::Escapes,
    }
}

fn names<M: ToString>(line: &[M]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}
