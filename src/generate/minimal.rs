//! Minimal boards, on which every wall and actor is necessary.

use super::change::{Change, Changeable};
use super::judge::{Judge, Judged};
use super::layout::WallKind;
use super::sketch::Sketch;
use crate::limits::Limit;
use crate::rng::Rng;
use crate::ruleset::Meaning;

const IDLE: f64 = 1.0;

/// Removes walls and things one by one, as long as the answer stays the same and the board meets the criteria. Requested things
/// that make no difference count as a shortfall.
pub fn minimal(judge: &Judge, judged: Judged, rng: &mut Rng) -> Result<Judged, Limit> {
    let mut least = judged;
    loop {
        let mut removals = removals(judge, &least);
        rng.shuffle(&mut removals);
        let (mut idle, mut is_less) = (0, false);
        for removal in removals {
            let changed = judge.judge(removal.apply(&least.sketch), least.distance())?;
            match changed.filter(|other| other.measures.is_same_answer(&least.measures)) {
                None => {}
                Some(without) if is_needed(judge, &least, &without) => {
                    idle += u32::from(!is_out_of_reach(judge, &least, &removal));
                }
                Some(without) => (least, is_less) = (without, true),
            }
        }
        if !is_less {
            least.shortfall += IDLE * f64::from(idle);
            return Ok(least);
        }
    }
}

fn removals(judge: &Judge, judged: &Judged) -> Vec<Change> {
    let (layout, grid) = (judge.meter.layout, judged.sketch.grid());
    let amounts = layout.amounts.iter();
    let is_thing = |glyph| amounts.clone().any(|amount| amount.glyph == Some(glyph));
    let changeable = Changeable::of(layout, &judged.sketch);
    let kept = |change: Change| match layout.kind_of_walls {
        _ if is_thing(change.glyph) => Some(change),
        WallKind::Rooms => None,
        WallKind::Free | WallKind::Long => change.with_image(judge.plan.symmetry, grid),
    };
    changeable.removals().filter_map(kept).collect()
}

fn is_out_of_reach(judge: &Judge, from: &Judged, removal: &Change) -> bool {
    let meaning = judge.meter.ruleset.legend.meaning(removal.glyph.into());
    let is_goal = meaning == Meaning::Goal;
    is_goal && !from.measures.solution.verdict().is_good()
}

/// Returns whether `without` has fewer things than requested, or none of a kind that new boards usually have.
fn is_needed(judge: &Judge, from: &Judged, without: &Judged) -> bool {
    let layout = judge.meter.layout;
    let moving_walls = |sketch: &Sketch| {
        let walls = (layout.walls)(layout, sketch).into_iter();
        let ends = walls.filter(|wall| wall.closed.is_ascii_uppercase());
        ends.count()
    };
    let mut amounts = layout.amounts.iter().zip(&judge.plan.amounts);
    amounts.any(|(amount, range)| {
        let mut asked_for = judge.wishes.amounts.iter();
        let is_asked_for = asked_for.any(|(name, _)| name == amount.name);
        let least = (*range.start()).min(if is_asked_for { usize::MAX } else { 1 });
        let [before, left] = [from, without].map(|board| match amount.glyph {
            Some(glyph) => board.sketch.count(glyph),
            None => moving_walls(&board.sketch),
        });
        left < least && left < before
    })
}
