//! Playing a line of play under the rules, one half turn after the other. It shares nothing with the
//! searches, which is why it may vouch for what they find.

use crate::engine::survival::{Survival, survival};
use crate::engine::{Limits, Model};
use crate::game::{Ending, Half, LineKind, Plan, Solution, Teller, Told, TraceError, Verdict};
use crate::game::{Evidence, Game};
use crate::rules::{Cause, Deterministic, Event, Outcome, Playable};

/// Plays `moves` and tells how that ends.
pub fn replay<R: Deterministic + Playable>(rules: &R, moves: &[R::Move]) -> Ending {
    let mut at = rules.start();
    if let Some(outcome) = rules.open(&mut at, &mut ()) {
        return ending(outcome, 0);
    }
    let mut legal = Vec::new();
    for (turns, &mv) in moves.iter().enumerate() {
        if rules.refusal(&at, mv).is_some() {
            return illegal(rules, &at, mv, turns);
        }
        if let Some(outcome) = rules.play(&mut at, mv) {
            return ending(outcome, turns + 1);
        }
    }
    rules.moves(&at, &mut legal);
    open_or_trapped(&legal, moves.len())
}

/// As [`replay`], and tells of each half turn.
///
/// # Errors
///
/// Those of the teller.
pub fn tell<R: Deterministic + Playable>(
    rules: &R,
    moves: &[R::Move],
    kind: &LineKind,
    teller: &mut dyn Teller,
) -> Result<Ending, TraceError> {
    let mut at = rules.start();
    teller.begin(kind, &|| rules.picture(&at))?;
    let mut events: Vec<Event> = Vec::new();
    let opening = rules.open(&mut at, &mut events);
    if !events.is_empty() {
        teller.half(&half(rules, &at, &mut events, 1, None))?;
    }
    if let Some(outcome) = opening {
        return Ok(ending(outcome, 0));
    }
    for (turns, &mv) in moves.iter().enumerate() {
        if rules.refusal(&at, mv).is_some() {
            return Ok(illegal(rules, &at, mv, turns));
        }
        let acted = rules.act(&mut at, mv, &mut events);
        teller.half(&half(rules, &at, &mut events, turns + 1, Some(mv)))?;
        if let Some(outcome) = acted {
            return Ok(ending(outcome, turns + 1));
        }
        let chased = rules.chase(&mut at, &mut events);
        if !events.is_empty() {
            let turn = turns + 1 + usize::from(R::CHASERS_FIRST);
            teller.half(&half(rules, &at, &mut events, turn, None))?;
        }
        if let Some(outcome) = chased {
            return Ok(ending(outcome, turns + 1));
        }
    }
    let mut legal = Vec::new();
    rules.moves(&at, &mut legal);
    Ok(open_or_trapped(&legal, moves.len()))
}

fn half<R: Playable>(
    rules: &R,
    at: &R::State,
    events: &mut Vec<Event>,
    turn: usize,
    mv: Option<R::Move>,
) -> Half {
    let told = |event: Event| Told {
        actor: event.actor,
        from: rules.position(event.from),
        to: rules.position(event.to),
        fate: event.fate,
    };
    Half {
        turn,
        who: if mv.is_some() { R::RUNNER } else { R::CHASERS },
        mv: mv.map(|mv| mv.to_string()),
        events: events.drain(..).map(told).collect(),
        rows: rules.picture(at),
    }
}

pub(crate) const fn ending(outcome: Outcome, turns: usize) -> Ending {
    match outcome {
        Outcome::Escaped => Ending::Escaped { turns },
        Outcome::Caught(cause) => Ending::Caught { turns, cause },
    }
}

const fn open_or_trapped<M>(legal: &[M], turns: usize) -> Ending {
    if legal.is_empty() {
        Ending::Caught { turns, cause: Cause::Trapped }
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

/// Traces a deterministic game along the moves of the plan, or along the solver's line: the way out, or
/// where there is none, a line on which the runner lives as long as he can.
///
/// # Errors
///
/// If the moves can't be read, there is no line to show within the limits, or the teller can't go on.
pub fn trace<R>(rules: &R, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError>
where
    R: Deterministic + Playable + Game,
    R: Model<Move = <R as crate::rules::Ruleset>::Move>,
    R: crate::rules::Ruleset<State: Eq + std::hash::Hash>,
{
    if let Some(text) = plan.moves {
        return tell(rules, &R::read_line(text)?, &LineKind::Given, teller);
    }
    let Solution { verdict, evidence, limit, .. } = rules.solve(plan.order, &plan.limits);
    match (verdict, evidence, limit) {
        (Verdict::Escape, Evidence::Line(line), _) => {
            tell(rules, &R::read_line(&line)?, &LineKind::WayOut, teller)
        }
        (_, _, Some(limit)) => Err(TraceError::Undecided(limit)),
        _ => {
            let (line, kind) = longest_line(rules, &plan.limits);
            tell(rules, &line, &kind, teller)
        }
    }
}

/// How many moves are tried in search of a long life.
const PATIENCE: u64 = 2_000_000;

fn longest_line<R>(
    rules: &R,
    limits: &Limits,
) -> (Vec<<R as crate::rules::Ruleset>::Move>, LineKind)
where
    R: Deterministic<State: Eq + std::hash::Hash>,
{
    let patience = Limits { max_states: Some(limits.max_states.unwrap_or(PATIENCE)), ..*limits };
    match survival(rules, &patience) {
        Survival::Forever { line, back_to } => (line, LineKind::Forever { back_to }),
        Survival::Mortal { line } => (line, LineKind::LongestLived),
        Survival::Unknown { line, .. } => (line, LineKind::LongestFound),
    }
}
