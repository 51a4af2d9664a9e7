//! Playing a line of play under the rules, one half turn after the other. It shares nothing with the
//! searches, which is why it may vouch for what they find.

use std::fmt::{Display, Write};
use std::hash::Hash;

use crate::engine::Limits;
use crate::engine::search::{Equal, Finding, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::game::{
    Ending, Evidence, Game, LineKind, Plan, Player, Solution, Teller, TraceError, Verdict,
};
use crate::play::rollout::{Conduct, Line, Rollout, Seat};
use crate::rng::Luck;
use crate::ruleset::{Cause, Deterministic, Outcome, Playable, Ruleset};

/// Plays `moves` and tells how that ends.
pub fn replay<R: Deterministic + Playable>(rules: &R, moves: &[R::Move]) -> Ending {
    let mut at = rules.start();
    if let Some(outcome) = rules.open(&mut at, &mut ()) {
        return ending(outcome, 0);
    }
    for (turns, &mv) in moves.iter().enumerate() {
        if rules.refusal(&at, mv).is_some() {
            return illegal(rules, &at, mv, turns);
        }
        if let Some(outcome) = rules.play(&mut at, mv) {
            return ending(outcome, turns + 1);
        }
    }
    open_or_trapped(rules, &at, moves.len())
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
    match &finding {
        Finding::Escape(line) if replay(rules, line) != (Ending::Escaped { turns: line.len() }) => {
            let mut search = Search::new(Equal::default());
            (search.run(rules, order, limits), states + search.states())
        }
        _ => (finding, states),
    }
}

/// The solution that a finding stands for; a line is written without anything between its moves.
pub fn solution<M: Display>((finding, states): (Finding<M>, u64)) -> Solution {
    match finding {
        Finding::Escape(line) => Solution {
            evidence: written(&line),
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

pub(crate) const fn ending(outcome: Outcome, turns: usize) -> Ending {
    match outcome {
        Outcome::Escaped => Ending::Escaped { turns },
        Outcome::Caught(cause) => Ending::Caught { turns, cause },
    }
}

/// Where the moves end: the game is open, if the runner has any left.
pub(crate) fn open_or_trapped<R: Ruleset>(rules: &R, at: &R::State, turns: usize) -> Ending {
    let mut legal = Vec::new();
    rules.moves(at, &mut legal);
    if legal.is_empty() {
        Ending::Caught {
            turns,
            cause: Cause::Trapped,
        }
    } else {
        Ending::Open { turns }
    }
}

pub(crate) fn illegal<R: Playable>(rules: &R, at: &R::State, mv: R::Move, turns: usize) -> Ending {
    let mut legal = Vec::new();
    rules.moves(at, &mut legal);
    Ending::Illegal {
        turn: turns + 1,
        mv: mv.to_string(),
        reason: rules.refusal(at, mv).unwrap_or_default(),
        legal: legal.iter().map(ToString::to_string).collect(),
    }
}

/// Traces a deterministic game along the moves of the plan, or along the solver's line.
///
/// # Errors
///
/// If the moves can't be read, there is no line to show within the limits, or the teller can't go on.
pub fn trace<R>(rules: &R, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError>
where
    R: Deterministic<State: Eq + Hash> + Playable + Game,
{
    let (line, kind) = match plan.moves {
        Some(text) => (R::read_line(text)?, LineKind::Given),
        None => solvers_line(rules, plan.order, &plan.limits)?,
    };
    let mut rest = line.into_iter();
    let (luck, limits) = (&mut Luck::new(0), plan.limits);
    let mut rollout = Rollout {
        kind,
        turns: usize::MAX,
        luck,
        limits,
        teller: Some(teller),
    };
    rollout.play(rules, &mut rules.start(), &mut |_, _| rest.next())
}

/// The solver's line: the way out, or where there is none, a line on which the runner lives as long as
/// he can.
///
/// # Errors
///
/// If a limit ends the search for it.
pub fn solvers_line<R>(
    rules: &R,
    order: Order,
    limits: &Limits,
) -> Result<(Vec<R::Move>, LineKind), TraceError>
where
    R: Deterministic<State: Eq + Hash> + Playable + Game,
{
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
    R: Deterministic<State: Eq + Hash, Move: Send + Sync> + Playable + Game,
{
    let seat = Seat::new(rules, conduct, |rules| {
        let (line, _) = solvers_line(rules, conduct.order, &conduct.limits)?;
        Ok(Box::new(Line(line)))
    })?;
    Ok(Box::new(seat))
}

/// How many moves are tried in search of a long life.
const PATIENCE: u64 = 2_000_000;

fn longest_line<R>(rules: &R, limits: &Limits) -> (Vec<<R as Ruleset>::Move>, LineKind)
where
    R: Deterministic<State: Eq + Hash>,
{
    let patience = Limits {
        max_states: Some(limits.max_states.unwrap_or(PATIENCE)),
        ..*limits
    };
    match survival(rules, &patience) {
        Survival::Forever { line, back_to } => (line, LineKind::Forever { back_to }),
        Survival::Mortal { line } => (line, LineKind::LongestLived),
        Survival::Unknown { line, .. } => (line, LineKind::LongestFound),
    }
}
