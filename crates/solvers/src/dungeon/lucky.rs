use std::time::Duration;

use super::way_out::{WayOut, way_out};
pub use getaway_board::limits::{Budget, Instant, Limits};
use getaway_models::DungeonMdp;
use getaway_play::solution::{LuckyLine, LuckyStep};
use getaway_play::trace::{Ending, LineKind, Ply, TraceError, TraceSink};
use getaway_rules::dungeon::{Choice, Dungeon, Move, State};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Event, Playable, Ruleset, Stochastic};

/// Extra time after the time limit to find and show a line, or to play games. Nearly all levels need far less.
const GRACE: Duration = Duration::from_millis(300);

/// Returns the limits for finding and showing a line, or for playing games; if the time is over or the search was interrupted,
/// they allow [`GRACE`] more.
pub(super) fn with_grace<'l>(limits: &Limits<'l>) -> Limits<'l> {
    let is_over = limits.check_time().is_err();
    let (deadline, stop) = if is_over {
        (Instant::now().checked_add(GRACE), None)
    } else {
        (limits.deadline, limits.stop)
    };
    Limits {
        max_memory: limits.max_memory,
        deadline,
        stop,
        ..Limits::default()
    }
}

pub(super) fn line(dungeon: &Dungeon, limits: &Limits) -> Option<LuckyLine> {
    let budget = Budget::new(limits);
    let mdp = DungeonMdp::new(dungeon, &budget).ok()?;
    match way_out(dungeon, &mdp, &budget) {
        WayOut::Found(line) => Some(*line),
        WayOut::None(_) | WayOut::Unknown => None,
    }
}

pub(super) fn play(
    dungeon: &Dungeon,
    line: &LuckyLine,
    turns: usize,
    limits: &Limits,
    sink: &mut dyn TraceSink,
) -> Result<Ending, TraceError> {
    let mut at = dungeon.start();
    let probability = line.probability;
    sink.begin(&LineKind::Lucky { probability }, &|| dungeon.picture(&at))?;
    let mut events = Vec::new();
    for (turn, lucky) in (1..).zip(line.turns.iter().take(turns)) {
        limits.check_time()?;
        for mv in lucky.mv.split(',') {
            let mv: Move = mv.parse().expect("a line is made of moves");
            let outcome = dungeon.act(&mut at, mv, &mut events);
            let ply = Ply::of_runner(dungeon, turn, mv, &events);
            sink.ply(&ply.drawn(dungeon, &at))?;
            events.clear();
            if outcome.is_some() {
                return Ok(Ending::Escaped { turns: turn });
            }
        }
        for step in &lucky.adversaries {
            take(dungeon, &mut at, step, &mut events);
        }
        if !events.is_empty() {
            let ply = Ply::of_chasers(dungeon, turn, String::new(), &events);
            sink.ply(&ply.drawn(dungeon, &at))?;
        }
        events.clear();
    }
    Ok(Ending::open(turns.min(line.turns.len())))
}

fn take(dungeon: &Dungeon, at: &mut State, step: &LuckyStep, events: &mut Vec<Event>) {
    let grid = dungeon.level.grid;
    let mut adversaries = at.adversaries.iter().map(|other| other.cell);
    let who = adversaries
        .find(|&cell| grid.position(cell) == step.from)
        .expect("the rules allow each step of a line");
    let mut outcomes = Distribution::new();
    dungeon.outcomes(at, who, &mut outcomes);
    let is_it = |choice: &Choice| {
        let teleports = choice.is_teleport;
        grid.position(choice.to) == step.to && teleports == step.is_teleport
    };
    let choices = outcomes.iter().map(|(choice, _)| choice);
    let choice = choices
        .copied()
        .find(is_it)
        .expect("the rules allow each step of a line");
    dungeon.carry_out(at, who, &choice, events);
}

#[cfg(test)]
#[path = "lucky_tests.rs"]
mod tests;
