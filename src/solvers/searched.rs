//! From what a search found to what is told of it: a line of play is replayed under the rules before
//! anyone hears of it, and where there is no way out, the longest life is looked for.

use std::fmt::{Display, Write};
use std::hash::Hash;

use crate::engine::search::{Equal, Finding, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::game::{
    Ending, Evidence, Game, LineKind, Plan, Player, Solution, Teller, TraceError, Verdict,
};
use crate::limits::{Clock, Limit, Limits};
use crate::play::replay::{overrun, replay_while};
use crate::play::rollout::{Conduct, Line, Rollout, Seat};
use crate::rng::Rng;
use crate::ruleset::{Deterministic, Playable, Ruleset};

/// A game that is decided by a search.
pub trait Solved: Deterministic<State: Eq + Hash> + Playable + Game + Sized {
    /// How long the runner can live, of whom it is known that he can't escape.
    fn survival(&self, limits: &Limits) -> Survival<Self::Move> {
        survival(self, Equal::default(), limits).0
    }
}

/// The finding of a search with `states` states, if the rules bear it out. Should a line not escape
/// under them, the answer of a search by the rules themselves, which is slow, but in which nothing rests on
/// a model.
pub fn vouched<R>(
    rules: &R,
    (finding, states): (Finding<R::Move>, u64),
    order: Order,
    limits: &Limits,
) -> (Finding<R::Move>, u64)
where
    R: Deterministic<State: Eq + Hash> + Playable,
{
    let Finding::Escape(line) = &finding else {
        return (finding, states);
    };
    match escapes(rules, line, limits) {
        Ok(true) => (finding, states),
        Ok(false) => {
            let mut search = Search::new(Equal::default());
            let found = search.run(rules, order, &limits.after(states));
            (found, states + search.states())
        }
        Err(limit) => (Finding::Undecided(limit), states),
    }
}

/// Whether the last move of the line, and none before it, escapes under the rules.
fn escapes<R>(rules: &R, line: &[R::Move], limits: &Limits) -> Result<bool, Limit>
where
    R: Deterministic + Playable,
{
    let mut clock = Clock::new(limits);
    let work = Ruleset::state_bytes(rules) as u64;
    let ending = replay_while(rules, line, || clock.work(work))?;
    Ok(ending == Ending::Escaped { turns: line.len() })
}

/// The solution that a finding of a search in this order stands for; a line is written without anything
/// between its moves.
pub fn solution<M: Display>((finding, states): (Finding<M>, u64), order: Order) -> Solution {
    match finding {
        Finding::Escape(line) => Solution {
            evidence: written(&line),
            is_shortest: order == Order::BreadthFirst || line.len() <= 1,
            ..Solution::plain(Verdict::Escape, states)
        },
        Finding::Caught => Solution::plain(Verdict::Caught, states),
        Finding::Undecided(limit) => Solution::undecided(limit, states),
    }
}

fn written<M: Display>(line: &[M]) -> Evidence {
    let mut text = String::with_capacity(line.len());
    for mv in line {
        write!(text, "{mv}").expect("writing to a string does not fail");
    }
    Evidence::Line(text)
}

/// Traces a deterministic game along the moves of the plan, or along the solver's line.
///
/// # Errors
///
/// If the moves can't be read, there is no line to show within the limits, or the teller can't go on.
pub fn trace<R: Solved>(
    rules: &R,
    plan: &Plan,
    teller: &mut dyn Teller,
) -> Result<Ending, TraceError> {
    let (line, kind) = match plan.moves {
        Some(text) => (R::read_line(text)?, LineKind::Given),
        None => solvers_line(rules, plan.order, &plan.limits)?,
    };
    let mut rest = line.into_iter();
    let (rng, limits) = (&mut Rng::new(0), plan.limits);
    let mut rollout = Rollout {
        kind,
        turns: plan.turns.unwrap_or(usize::MAX),
        rng,
        limits,
        teller: Some(teller),
    };
    let ending = rollout.play(rules, &mut rules.start(), &mut |_, _| rest.next())?;
    Ok(match rest.next() {
        Some(mv) => overrun(ending, mv.to_string()),
        None => ending,
    })
}

/// The solver's line: the way out, or where there is none, a line on which the runner lives as long as
/// he can.
///
/// # Errors
///
/// If a limit ends the search for it.
pub fn solvers_line<R: Solved>(
    rules: &R,
    order: Order,
    limits: &Limits,
) -> Result<(Vec<R::Move>, LineKind), TraceError> {
    let solution = rules.solve(order, limits);
    match (solution.verdict, solution.evidence, solution.limit) {
        (Verdict::Escape, Evidence::Line(line), _) => Ok((R::read_line(&line)?, LineKind::WayOut)),
        (Verdict::Undecided, _, Some(limit)) => Err(TraceError::Undecided(limit)),
        _ => Ok(longest_line(rules, limits)),
    }
}

/// Someone who plays a deterministic game; the solver's policy is its line.
///
/// # Errors
///
/// As [`Seat::new`].
pub fn player<'g, R>(
    rules: &'g R,
    conduct: &Conduct<'g>,
) -> Result<Box<dyn Player + 'g>, TraceError>
where
    R: Solved<Move: Send + Sync> + Sync,
{
    let seat = Seat::new(rules, conduct, |rules| {
        let (line, _) = solvers_line(rules, conduct.order, &conduct.limits)?;
        Ok(Box::new(Line(line)))
    })?;
    Ok(Box::new(seat))
}

/// How many states are looked at in search of a long life, unless another number was asked for.
const PATIENCE: u64 = 2_000_000;

/// The most bytes of memory that this search may take: the longest line is a picture to look at, and
/// where it can't be known for certain a long one will do.
const MEMORY: u64 = 256 << 20;

fn longest_line<R: Solved>(rules: &R, limits: &Limits) -> (Vec<R::Move>, LineKind) {
    let patience = Limits {
        max_states: Some(limits.max_states.unwrap_or(PATIENCE)),
        max_memory: Some(limits.max_memory.unwrap_or(MEMORY).min(MEMORY)),
        ..*limits
    };
    match rules.survival(&patience) {
        Survival::Forever { line, back_to } => (line, LineKind::Forever { back_to }),
        Survival::Mortal { line } => (line, LineKind::LongestLived),
        Survival::Unknown { line, .. } => (line, LineKind::LongestFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Dir;

    #[test]
    fn a_line_is_known_to_be_shortest_by_the_order_of_the_search_or_by_its_length() {
        let of = |moves, order| {
            let line = vec![Dir::Up; moves];
            solution((Finding::Escape(line), 9), order).is_shortest
        };
        let lengths = [0, 1, 2, 30];
        let depth_first = lengths.map(|moves| of(moves, Order::DepthFirst));
        assert_eq!(depth_first, [true, true, false, false]);
        assert_eq!(
            lengths.map(|moves| of(moves, Order::BreadthFirst)),
            [true; 4]
        );
        let caught: (Finding<Dir>, u64) = (Finding::Caught, 9);
        assert!(!solution(caught, Order::BreadthFirst).is_shortest);
    }
}
