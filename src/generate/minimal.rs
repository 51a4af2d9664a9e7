//! Minimal boards, on which every wall and actor is necessary.

use super::change::{Change, ChangeKind, Changeable};
use super::judge::{Judge, Judged};
use super::layout::WallKind;
use super::sketch::Sketch;
use crate::limits::Limit;
use crate::rng::Rng;
use crate::ruleset::Meaning;

/// The penalty for each requested thing that makes no difference.
const IDLE: f64 = 1.0;

/// Removes walls (with their images, on symmetric boards) and things one by one, as long as the answer stays the same and the board meets the
/// criteria. Keeps the requested number of things, and one of each kind without a request. Things that make no difference count as a shortfall.
pub fn minimal(judge: &Judge, judged: Judged, rng: &mut Rng) -> Result<Judged, Limit> {
    let mut least = judged;
    loop {
        let mut removals: Vec<Change> = removals(judge, &least).collect();
        rng.shuffle(&mut removals);
        let mut idle = 0;
        let mut is_less = false;
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

fn removals<'j>(judge: &'j Judge, judged: &Judged) -> impl Iterator<Item = Change> + use<'j> {
    let all: Vec<Change> = Changeable::of(judge.meter.layout, &judged.sketch)
        .removals()
        .collect();
    let grid = judged.sketch.grid();
    let amounts = judge.meter.layout.amounts.iter();
    let is_thing = move |glyph| amounts.clone().any(|amount| amount.glyph == Some(glyph));
    all.into_iter().filter_map(move |change| match change.kind {
        ChangeKind::Removed { glyph, .. } if is_thing(glyph) => Some(change),
        _ if judge.meter.layout.kind_of_walls != WallKind::Rooms => {
            change.with_image(judge.plan.symmetry, grid)
        }
        _ => None,
    })
}

fn without(judge: &Judge, from: &Judged, removal: &Change) -> Result<Option<Judged>, Limit> {
    let changed = judge.judge(removal.apply(&from.sketch), from.distance())?;
    Ok(changed.filter(|changed| changed.measures.is_same_answer(&from.measures)))
}

fn is_out_of_reach(judge: &Judge, from: &Judged, removal: &Change) -> bool {
    let ChangeKind::Removed { glyph, .. } = removal.kind else {
        return false;
    };
    let is_goal = judge.meter.ruleset.legend.meaning(glyph.into()) == Meaning::Goal;
    is_goal && !from.measures.solution.verdict().is_good()
}

/// Returns whether too few things would remain: fewer than requested, or none of a kind that new boards usually have. Moving
/// walls are counted by their moving ends.
fn is_needed(judge: &Judge, from: &Judged, without: &Judged) -> bool {
    let layout = judge.meter.layout;
    let moving_walls = |sketch: &Sketch| {
        let walls = (layout.walls)(layout, sketch).into_iter();
        walls
            .filter(|wall| wall.closed.is_ascii_uppercase())
            .count()
    };
    let mut amounts = layout.amounts.iter().zip(&judge.plan.amounts);
    amounts.any(|(amount, range)| {
        let is_asked_for = judge
            .wishes
            .amounts
            .iter()
            .any(|(name, _)| name == amount.name);
        let least = (*range.start()).min(if is_asked_for { usize::MAX } else { 1 });
        let [before, left] = [from, without].map(|board| match amount.glyph {
            Some(glyph) => board.sketch.count(glyph),
            None => moving_walls(&board.sketch),
        });
        left < least && left < before
    })
}
