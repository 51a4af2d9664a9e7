use std::sync::Arc;

use super::answer;
use super::evaluator::MdpEvaluator;
use crate::chance::games::first_evaluation;
use getaway_board::grid::Cell;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_chance::Mdp;
use getaway_models::{BarredSteps, DungeonMdp, MdpError};
use getaway_play::explanation::{ExplainedTurn, Explanation, PlayerRole, Reason, WithoutPlayer};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_rules::dungeon::{Dungeon, Goal};
use getaway_ruleset::Notation;

/// Explains the answer. If a line that leads out is known, but not the probability, the line is the whole explanation.
pub(super) fn explanation(
    dungeon: &Arc<Dungeon>,
    solution: &Solution,
    limits: &Limits,
) -> Explanation {
    let mut explanation = Explanation::default();
    if let Evidence::Chance {
        line: Some(line), ..
    } = &solution.evidence
        && solution.evidence.probability().is_none()
    {
        explanation.line = Some((**line).clone());
        return explanation;
    }
    let mut evaluator = MdpEvaluator::new(Arc::clone(dungeon));
    let first = first_evaluation(&**dungeon, &mut evaluator, limits);
    explanation.turns.push(ExplainedTurn::evaluated(first));
    if solution.verdict() == Verdict::Caught {
        explanation.reason = reason(dungeon, limits).ok().flatten();
    }
    explanation.without = without_players(dungeon, solution, limits);
    explanation
}

/// Solves the level without each of several players in turn and, if the player is needed, finds its role.
fn without_players(dungeon: &Dungeon, solution: &Solution, limits: &Limits) -> Vec<WithoutPlayer> {
    let bounds = |solution: &Solution| match solution.evidence {
        Evidence::Chance { bounds, .. } => bounds,
        _ => Bounds::UNKNOWN,
    };
    let whole = bounds(solution);
    let without = |number: usize| {
        let mut rest = dungeon.clone();
        let player = rest.players.remove(number);
        let place = dungeon.level.grid.position(player);
        limits.note_task(&format!("without `P` at {}", Dungeon::LEGEND.place(place)));
        let then = bounds(&answer::answer(&Arc::new(rest), &Budget::new(limits)));
        let is_needed = then.upper < whole.lower;
        let role = is_needed.then(|| role(dungeon, player, whole, limits));
        let (decoy, role) = role.unzip();
        WithoutPlayer {
            player: place,
            bounds: then,
            is_needed,
            decoy,
            role: role.flatten(),
        }
    };
    match dungeon.players.len() {
        0 | 1 => Vec::new(),
        count => (0..count).map(without).collect(),
    }
}

/// Returns bounds on the probability if the player is a mere decoy, and the player's role, if it is known. `whole` are the bounds
/// if the player may do anything.
fn role(
    dungeon: &Dungeon,
    player: Cell,
    whole: Bounds,
    limits: &Limits,
) -> (Bounds, Option<PlayerRole>) {
    let Ok(mdp) = DungeonMdp::new(dungeon, &Budget::new(limits)) else {
        return (Bounds::UNKNOWN, None);
    };
    let value = |barred| getaway_chance::solve(&mdp.restricted(player, barred), limits).bounds;
    // If all players have to escape, the exit is never barred.
    let exit = dungeon.settings.goal == Goal::Any;
    let decoy = value(BarredSteps { key: true, exit });
    let is_enough = |bounds: Bounds| bounds.is_exact().then_some(bounds.upper >= whole.lower);
    let role = || {
        if is_enough(decoy)? {
            return Some(PlayerRole::Decoy);
        }
        let takes_key = !exit || is_enough(value(BarredSteps { key: false, exit }))?;
        Some(if takes_key {
            PlayerRole::Key
        } else {
            PlayerRole::Escape
        })
    };
    (decoy, role())
}

fn reason(dungeon: &Dungeon, limits: &Limits) -> Result<Option<Reason>, Limit> {
    if dungeon.level.exit.is_none() {
        return Ok(Some(Reason::NoExit));
    }
    let mut alone = dungeon.clone();
    alone.adversaries.clear();
    match DungeonMdp::new(&alone, &Budget::new(limits)) {
        // The number of turns is known for a single player only.
        Ok(mdp) if mdp.is_joint() => Ok(None),
        Ok(mdp) => {
            let steps = mdp.steps_to_go(mdp.initial(), &mut Vec::new());
            let turns = steps.div_ceil(dungeon.settings.speed.into());
            Ok(Some(Reason::Outrun {
                alone: turns as usize,
            }))
        }
        Err(MdpError::NoWayOut { takes_key: true }) => Ok(Some(Reason::ExitOutOfReach)),
        Err(MdpError::NoWayOut { takes_key: false }) => Ok(Some(Reason::KeyOutOfReach)),
        Err(MdpError::Limit(limit)) => Err(limit),
    }
}
