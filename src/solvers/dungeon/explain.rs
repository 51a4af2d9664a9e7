use std::collections::HashSet;

use super::adviser::MdpAdviser;
use crate::advice::Adviser;
use crate::explanation::{Explanation, Reason, Turn};
use crate::limits::{Clock, Limit, Limits};
use crate::rules::dungeon::Dungeon;
use crate::ruleset::{Outcome, Ruleset};
use crate::solution::{Evidence, Solution, Verdict};

/// Explains the answer. If the probability is unknown, this includes a line that leads out.
pub(super) fn explanation(dungeon: &Dungeon, solution: &Solution, limits: &Limits) -> Explanation {
    let mut explanation = Explanation::default();
    if let Evidence::Chance {
        line: Some(line), ..
    } = &solution.evidence
        && solution.evidence.probability().is_none()
    {
        explanation.line = Some((**line).clone());
        return explanation;
    }
    if let Ok(advice) = MdpAdviser::new(dungeon).advise("", 0, limits) {
        explanation.turns.push(Turn::advised(advice));
    }
    if solution.verdict() == Verdict::Caught {
        explanation.reason = reason(dungeon, limits).ok();
    }
    explanation
}

fn reason(dungeon: &Dungeon, limits: &Limits) -> Result<Reason, Limit> {
    if dungeon.level.exit.is_none() {
        return Ok(Reason::NoExit);
    }
    let mut alone = dungeon.clone();
    alone.adversaries.clear();
    let start = alone.start();
    let mut has_key = start.key.is_none();
    let mut seen = HashSet::from([(start.key, start.players[0])]);
    let mut layer = vec![start];
    let mut clock = Clock::new(limits);
    for turns in 1.. {
        let mut next = Vec::new();
        for at in &layer {
            let mut moves = Vec::new();
            alone.moves(at, &mut moves);
            for mv in moves {
                clock.work(64)?;
                let mut then = at.clone();
                if alone.act(&mut then, mv, &mut ()) == Some(Outcome::Escaped) {
                    return Ok(Reason::OutRun { alone: turns });
                }
                has_key |= then.key.is_none();
                if seen.insert((then.key, then.players[0])) {
                    next.push(then);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(if has_key {
        Reason::ExitOutOfReach
    } else {
        Reason::KeyOutOfReach
    })
}
