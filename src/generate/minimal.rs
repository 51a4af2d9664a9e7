//! Boards on which nothing is for nothing.

use super::change::{Change, ChangeKind, Changeable};
use super::judge::{Judge, Judged};
use super::sketch::Sketch;
use crate::limits::Limit;
use crate::rng::Rng;
use crate::ruleset::Meaning;

/// How far a board is from what is wanted for each one on it who could go, but must not since so many
/// were asked for.
const IDLE: f64 = 1.0;

/// The board without the walls (each with its image, where they are to be symmetric) and those who stand on it that can go, one after the other, without
/// changing the answer or what was wished for. As many of each as were asked for stay; if some
/// of them could go, the board is not as wished.
///
/// # Errors
///
/// The limit, if the time is over.
pub fn minimal(judge: &Judge, judged: Judged, rng: &mut Rng) -> Result<Judged, Limit> {
    let mut least = judged;
    loop {
        let mut removals: Vec<Change> = removals(judge, &least).collect();
        rng.shuffle(&mut removals);
        let mut idle = 0;
        let mut is_less = false;
        // What is left after a removal has the other removals still.
        for removal in removals {
            let Some(without) = without(judge, &least, &removal)? else {
                continue;
            };
            if is_needed(judge, &least, &without) {
                idle += u32::from(!is_out_of_reach(judge, &least, &removal));
            } else {
                least = without;
                is_less = true;
            }
        }
        if !is_less {
            least.shortfall += IDLE * f64::from(idle);
            return Ok(least);
        }
    }
}

/// All that could be taken away.
fn removals<'j>(judge: &'j Judge, judged: &Judged) -> impl Iterator<Item = Change> + use<'j> {
    let all: Vec<Change> = Changeable::of(judge.meter.layout, &judged.sketch)
        .removals()
        .collect();
    let grid = judged.sketch.grid();
    let is_thing = |glyph| {
        judge
            .meter
            .layout
            .amounts()
            .iter()
            .any(|amount| amount.glyph == Some(glyph))
    };
    all.into_iter().filter_map(move |change| match change.kind {
        ChangeKind::Removed { glyph, .. } if is_thing(glyph) => Some(change),
        _ if judge.meter.layout.walls_can_go() => change.with_image(judge.plan.symmetry, grid),
        _ => None,
    })
}

/// The board after a removal, if its answer is the same and it is as good.
fn without(judge: &Judge, from: &Judged, removal: &Change) -> Result<Option<Judged>, Limit> {
    let changed = judge.judge(removal.apply(&from.sketch), from.distance())?;
    Ok(changed.filter(|changed| changed.measures.is_same_answer(&from.measures)))
}

/// Whether a removal takes away what the runner does not get to anyway, where that is the answer.
fn is_out_of_reach(judge: &Judge, from: &Judged, removal: &Change) -> bool {
    let ChangeKind::Removed { glyph, .. } = removal.kind else {
        return false;
    };
    let is_goal = (judge.meter.ruleset.meaning)(glyph.into()) == Meaning::Goal;
    is_goal && !from.measures.solution.verdict().is_good()
}

/// Whether a removal leaves less of something than there must be. Moving walls, which are counted by their moving ends, must
/// be as many as were asked for, or else one.
fn is_needed(judge: &Judge, from: &Judged, without: &Judged) -> bool {
    let layout = judge.meter.layout;
    let moving_walls = |sketch: &Sketch| {
        let walls = layout.walls(sketch).into_iter();
        walls
            .filter(|wall| wall.closed.is_ascii_uppercase())
            .count()
    };
    let mut amounts = layout.amounts().iter().zip(&judge.plan.amounts);
    amounts.any(|(amount, range)| {
        let is_asked_for = judge
            .wishes
            .amounts
            .iter()
            .any(|(name, _)| name == amount.name);
        let (least, [before, left]) = match amount.glyph {
            Some(glyph) => (
                *range.start(),
                [from, without].map(|board| board.sketch.count(glyph)),
            ),
            None => (
                (*range.start()).min(if is_asked_for { usize::MAX } else { 1 }),
                [from, without].map(|board| moving_walls(&board.sketch)),
            ),
        };
        left < least && left < before
    })
}
