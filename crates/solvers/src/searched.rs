//! Answers for games without chance. A replay under the rules confirms each escape. If there is none, another search may find
//! the longest survival.

mod analysis;
mod evaluator;
mod explain;
mod steps;

use std::hash::Hash;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use evaluator::SearchEvaluator;

use super::certificate;
use crate::game::{CertifyError, Game, Gameplay, Plan, PositionEvaluatorOf, Solver, shorten_line};
use crate::positions::Positions;
use getaway_board::limits::{Clock, Decision, Limit, Limits};
use getaway_play::agent::{Policy, Strategy};
use getaway_play::analysis::Analysis;
use getaway_play::explanation::{
    DepthFirstSummary, ExplainedSearch, Explanation, SearchStep, SearchSummary,
};
use getaway_play::replay::replay_while;
use getaway_play::simulation::Simulation;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::{Ending, LineKind, TraceError, TraceSink};
use getaway_ruleset::{Deterministic, Outcome, Playable, Ruleset};
use getaway_search::search::{Finding, Order, Search};
use getaway_search::shortest_lines;
use getaway_search::survival::{Survival, survival};
use getaway_search::visited::ExactSet;
use getaway_search::watched::{WatchedSearch, watch};

/// The searches that solve boards of a ruleset without chance. By default, they search the positions as the rules define them,
/// which is enough for small boards.
pub trait Searches: Sized + 'static {
    /// The rules of the board.
    type Rules: Deterministic<State: Eq + Hash + Send, Move: Send + Sync>
        + Playable
        + Send
        + 'static;

    /// Decides the board. If it is lost, the solution may also say whether the runner can survive forever.
    fn decide(rules: &Self::Rules, order: Order, limits: &Limits) -> Solution {
        let mut search = Search::new(ExactSet::default());
        let finding = search.run(rules, order, limits);
        decided::<Self>(rules, finding, search.states(), order, limits)
    }

    /// Searches depth first, and notes the first `max` steps; `None` if no search is needed.
    fn watch(
        rules: &Self::Rules,
        max: usize,
        limits: &Limits,
    ) -> Result<Option<WatchedSearch<MoveOf<Self>>>, Limit> {
        Ok(Some(watch(rules, ExactSet::default(), max, limits)))
    }

    /// Returns a closed set for a certificate, with successors in the order of [`Ruleset::moves`].
    fn closed_set(rules: &Self::Rules, limits: &Limits) -> Result<ClosedSet, Limit> {
        by_equality(Positions::explore(rules, ExactSet::default(), limits))
    }

    /// Searches for a shortest escape from `at`. The line has not been confirmed by a replay yet.
    fn shortest_from(
        rules: &Self::Rules,
        at: &StateOf<Self>,
        limits: &Limits,
    ) -> Finding<MoveOf<Self>> {
        let mut search = Search::new(ExactSet::default());
        search.run_from(rules, Ok(at.clone()), Order::Shortest, limits)
    }

    /// Counts the escapes in `length` moves, the length of a shortest one; saturates at [`u128::MAX`].
    fn count_shortest(rules: &Self::Rules, length: usize, limits: &Limits) -> Result<u128, Limit> {
        shortest_lines::count(rules, length, limits)
    }

    /// Returns the longest survival from `at`, from which no line escapes, and the number of states visited.
    fn survival(
        rules: &Self::Rules,
        at: &StateOf<Self>,
        limits: &Limits,
    ) -> (Survival<MoveOf<Self>>, u64) {
        survival(rules, at, ExactSet::default(), limits)
    }
}

/// The maximum number of steps of a search to show.
const MAX_STEPS: u64 = 200;

/// A position of the ruleset that `S` searches.
pub type StateOf<S> = <<S as Searches>::Rules as Ruleset>::State;

/// A move of the ruleset that `S` searches.
pub type MoveOf<S> = <<S as Searches>::Rules as Ruleset>::Move;

/// The default searches of any ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Plain<R>(PhantomData<R>);

impl<R> Searches for Plain<R>
where
    R: Deterministic<State: Eq + Hash + Send, Move: Send + Sync> + Playable + Send + 'static,
{
    type Rules = R;
}

/// Solves a board by the searches `S`.
pub struct BySearch<S: Searches>(Arc<S::Rules>);

/// A set of positions that no move leaves.
pub struct ClosedSet {
    /// The first lines of the certificate after the board: the claim and the start.
    pub heading: String,
    /// The positions, with the successors of each.
    pub positions: Positions,
}

/// Returns a closed set in which each position represents only itself.
pub fn by_equality(explored: Result<Positions, (Limit, u64)>) -> Result<ClosedSet, Limit> {
    Ok(ClosedSet {
        heading: "caught by equality\nstart: as drawn".to_owned(),
        positions: explored.map_err(|(limit, _)| limit)?,
    })
}

impl<S: Searches> Gameplay for BySearch<S> {
    type Board = S::Rules;
    type Rules = S::Rules;

    fn new(board: Arc<S::Rules>) -> Self {
        Self(board)
    }

    fn rules(&self, _limits: &Limits) -> Result<Arc<S::Rules>, TraceError> {
        Ok(Arc::clone(&self.0))
    }

    fn strategy<'g>(
        &self,
        rules: &Arc<S::Rules>,
        plan: &Plan<'g>,
    ) -> Result<Strategy<'g, S::Rules>, TraceError> {
        let (moves, kind, limit) = solvers_line::<S>(rules, plan.order, &plan.limits)?;
        let back_to = match kind {
            LineKind::Forever { back_to } => Some(back_to),
            _ => None,
        };
        Ok(Strategy::Line {
            moves,
            back_to,
            limit,
        })
    }

    fn evaluator(&self, rules: Arc<S::Rules>) -> PositionEvaluatorOf<Self> {
        Box::new(SearchEvaluator::<S>::new(rules))
    }

    fn play(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        if plan.moves.is_some() || plan.policy != Policy::Solver {
            return plan.play(&*self.simulator(plan)?, sink);
        }
        let (moves, kind, limit) = solvers_line::<S>(&self.0, plan.order, &plan.limits)?;
        // A line that goes on forever is shown once; its kind says to which position it returns.
        let strategy = Strategy::Line {
            moves,
            back_to: None,
            limit,
        };
        let mut game = Simulation::new(Arc::clone(&self.0), strategy, plan.limits);
        game.kind = Some(kind);
        let to_its_end = Plan {
            turns: plan.turns.or(Some(usize::MAX)),
            ..*plan
        };
        to_its_end.play(&game, sink)
    }
}

impl<S: Searches> Solver for BySearch<S> {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        S::decide(&self.0, order, limits)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        analysis::analysis::<S>(&self.0, solution, limits)
    }

    fn trace_search(
        &self,
        max: u64,
        limits: &Limits,
        sink: &mut dyn FnMut(SearchStep),
    ) -> Result<Option<SearchSummary>, Limit> {
        let max = max.min(MAX_STEPS) as usize;
        let watched = S::watch(&self.0, max, limits)?;
        let summary = watched.map(|watched| steps::trace(&*self.0, &watched, sink));
        let summary = summary.unwrap_or_default();
        Ok(Some(SearchSummary::DepthFirst(summary)))
    }

    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation {
        let mut explanation = explain::explanation::<S>(&self.0, solution, limits);
        let watched = S::watch(&self.0, 0, limits).ok().flatten();
        let counts = watched.map(|watched| steps::trace(&*self.0, &watched, &mut |_| {}));
        let is_worth_showing =
            |counts: &DepthFirstSummary| counts.limit.is_none() && counts.taken > 0;
        explanation.search = counts
            .filter(is_worth_showing)
            .map(|counts| ExplainedSearch {
                steps: Vec::new(),
                summary: SearchSummary::DepthFirst(counts),
            });
        explanation
    }

    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn io::Write,
    ) -> Result<(), CertifyError> {
        let survives = match (solution.verdict(), &solution.evidence) {
            (Verdict::Escape, Evidence::Line(line)) => return Ok(certificate::escape(line, out)?),
            (Verdict::Caught, Evidence::Survives(survives)) => Some(*survives),
            (Verdict::Caught, _) => None,
            _ => return Err(CertifyError::Undecided),
        };
        // The tables of one search are dropped before the next one begins.
        let life = (survives == Some(Decision::Yes)).then(|| survival_of::<S>(&self.0, limits).0);
        let set = S::closed_set(&self.0, limits)?;
        writeln!(out, "{}", set.heading)?;
        match (survives, life) {
            (_, Some(life)) => {
                writeln!(out, "survives: for ever")?;
                certificate::forever(&life, S::Rules::SEPARATOR, out)?;
            }
            (None, None) => {}
            (Some(Decision::Undecided), None) => writeln!(out, "survives: unknown")?,
            (Some(_), None) => writeln!(out, "survives: never")?,
        }
        certificate::write_closed_set(&set.positions, survives == Some(Decision::No), limits, out)
    }
}

fn survival_of<S: Searches>(rules: &S::Rules, limits: &Limits) -> (Survival<MoveOf<S>>, u64) {
    match rules.opened() {
        Ok(start) => S::survival(rules, &start, limits),
        Err(_) => (Survival::Mortal { line: Vec::new() }, 0),
    }
}

/// Returns the solution for a search's finding, which [`verified`] checks first. If the board is lost, the solution says whether
/// the runner can survive forever, unless a limit leaves that open.
pub fn decided<S: Searches>(
    rules: &S::Rules,
    finding: Finding<MoveOf<S>>,
    states: u64,
    order: Order,
    limits: &Limits,
) -> Solution {
    let (finding, states) = verified(rules, || rules.opened(), finding, states, order, limits);
    let text = |line: Vec<MoveOf<S>>| line.iter().map(ToString::to_string).collect();
    let solution = solution(finding, text, states, order);
    if solution.verdict() != Verdict::Caught {
        return solution;
    }
    // This shows the verdict while the search for the longest survival goes on.
    limits.note_escape(false);
    let (survival, states) = survival_of::<S>(rules, &limits.after(solution.states));
    let (survives, limit) = match survival {
        Survival::Forever { .. } => (Decision::Yes, None),
        Survival::Mortal { .. } => (Decision::No, None),
        Survival::Unknown { limit, .. } => (Decision::Undecided, Some(limit)),
    };
    Solution::new(Verdict::Caught, solution.states + states)
        .with(Evidence::Survives(survives))
        .cut_short(limit)
}

/// Returns the finding and the number of states. If a replay from `start` does not confirm an escape, the finding is that of a
/// search with the rules themselves. If a limit ends the replay, the finding is undecided.
pub fn verified<R>(
    rules: &R,
    start: impl Fn() -> Result<R::State, Outcome>,
    finding: Finding<R::Move>,
    states: u64,
    order: Order,
    limits: &Limits,
) -> (Finding<R::Move>, u64)
where
    R: Deterministic<State: Eq + Hash> + Playable,
{
    let Finding::Escape(line) = &finding else {
        return (finding, states);
    };
    match escapes(rules, start(), line, limits) {
        Ok(true) => (finding, states),
        Ok(false) => {
            let mut search = Search::new(ExactSet::default());
            let found = search.run_from(rules, start(), order, &limits.after(states));
            (found, states + search.states())
        }
        Err(limit) => (Finding::Undecided(limit), states),
    }
}

/// Returns whether the last move of the line, and none before it, escapes under the rules.
fn escapes<R>(
    rules: &R,
    start: Result<R::State, Outcome>,
    line: &[R::Move],
    limits: &Limits,
) -> Result<bool, Limit>
where
    R: Deterministic + Playable,
{
    let mut clock = Clock::new(limits);
    let work = Ruleset::state_bytes(rules) as u64;
    let ending = replay_while(rules, start, line, || clock.work(work))?;
    Ok(matches!(ending, Ending::Escaped { turns } if turns == line.len()))
}

/// Returns the solution of a search whose line has been verified; `text` writes the line.
pub fn solution<M>(
    finding: Finding<M>,
    text: impl FnOnce(Vec<M>) -> String,
    states: u64,
    order: Order,
) -> Solution {
    match finding {
        Finding::Escape(line) => {
            let mut solution = Solution::new(Verdict::Escape, states);
            solution.is_shortest = order == Order::Shortest || line.len() <= 1;
            solution.evidence = Evidence::Line(text(line));
            solution
        }
        Finding::Caught => Solution::new(Verdict::Caught, states),
        Finding::Undecided(limit) => Solution::undecided(limit, states),
    }
}

/// A line, its kind, and the limit that ended the search for a longer one, if any.
type FoundLine<S> = (Vec<MoveOf<S>>, LineKind, Option<Limit>);

fn solvers_line<S: Searches>(
    rules: &S::Rules,
    order: Order,
    limits: &Limits,
) -> Result<FoundLine<S>, TraceError> {
    let cells = rules.grid().size() as u64;
    let solution = shorten_line(S::decide(rules, order, limits), cells, limits, |few| {
        S::decide(rules, Order::Shortest, few)
    });
    match (solution.verdict(), solution.limit(), solution.evidence) {
        (Verdict::Escape, _, Evidence::Line(line)) => {
            Ok((rules.parse_moves(&line)?, LineKind::WayOut, None))
        }
        (Verdict::Undecided, Some(limit), _) => Err(TraceError::Undecided(limit)),
        _ => Ok(longest_line::<S>(rules, limits)),
    }
}

const MAX_STATES: u64 = 2_000_000;

fn longest_line<S: Searches>(rules: &S::Rules, limits: &Limits) -> FoundLine<S> {
    match survival_of::<S>(rules, &limits.or_max_states(MAX_STATES)).0 {
        Survival::Forever { line, back_to } => (line, LineKind::Forever { back_to }, None),
        Survival::Mortal { line } => (line, LineKind::LongestLived, None),
        Survival::Unknown { line, limit } => (line, LineKind::LongestFound, Some(limit)),
    }
}

#[cfg(test)]
mod tests;
