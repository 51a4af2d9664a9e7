//! Why a level with one player has the answer that it has.

use std::collections::HashSet;

use super::adviser::MdpAdviser;
use crate::advice::Adviser;
use crate::explanation::{Explanation, Move, Reason, Turn};
use crate::limits::{Clock, Limit, Limits};
use crate::rules::dungeon::Dungeon;
use crate::ruleset::{Outcome, Ruleset};
use crate::solution::{Evidence, Solution, Verdict};

/// Why `solution` is the answer: the probabilities of the first moves, and where there is none, what is in the
/// way; a line that leads out where the probability is not known.
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
        let moves = advice.moves.into_iter().map(|(mv, worth)| Move {
            mv,
            worth,
            end: None,
        });
        explanation.turns.push(Turn {
            mv: advice.best,
            moves: moves.collect(),
        });
    }
    if solution.verdict() == Verdict::Caught {
        explanation.reason = reason(dungeon, limits).unwrap_or_default();
    }
    explanation
}

/// What is in the way of a player whom nobody chases, if anything is; else how many turns it takes him.
fn reason(dungeon: &Dungeon, limits: &Limits) -> Result<Option<Reason>, Limit> {
    if dungeon.level.exit.is_none() {
        return Ok(Some(Reason::NoExit));
    }
    let mut alone = dungeon.clone();
    alone.adversaries.clear();
    let start = alone.start();
    let has_key = start.key.is_some();
    let mut finds_key = false;
    let mut seen = HashSet::from([(start.key, start.players[0])]);
    let (mut layer, mut turns) = (vec![start], 0);
    let mut clock = Clock::new(limits);
    while !layer.is_empty() {
        turns += 1;
        let mut next = Vec::new();
        for at in layer {
            let mut moves = Vec::new();
            alone.moves(&at, &mut moves);
            for mv in moves {
                clock.work(64)?;
                let mut then = at.clone();
                if alone.act(&mut then, mv, &mut ()) == Some(Outcome::Escaped) {
                    return Ok(Some(Reason::OutRun { alone: turns }));
                }
                finds_key |= then.key.is_none();
                if seen.insert((then.key, then.players[0])) {
                    next.push(then);
                }
            }
        }
        layer = next;
    }
    Ok(Some(if has_key && !finds_key {
        Reason::KeyOutOfReach
    } else {
        Reason::ExitOutOfReach
    }))
}
