//! Minimal boards, on which every wall and thing is necessary, except for the walls of rooms.

use super::change::{Change, Changeable};
use super::judge::{Judge, Judged};
use super::layout::{ThingKind, WallKind};
use super::sketch::Sketch;
use getaway_board::limits::Limit;
use getaway_board::rng::Rng;
use getaway_ruleset::Meaning;

/// Removes walls and things one by one, as long as the board keeps its verdict and meets the criteria.
pub fn minimal(judge: &Judge, min: &mut Judged, rng: &mut Rng) -> Result<(), Limit> {
    let verdict = min.measures.solution.verdict();
    let is_enough = |other: &Judged| {
        let is_same = other.measures.solution.verdict() == verdict;
        is_same && other.shortfall <= 0.0
    };
    let mut is_less = min.shortfall <= 0.0;
    while is_less {
        is_less = false;
        let mut removals = removals(judge, min);
        rng.shuffle(&mut removals);
        for removal in removals {
            let changed = removal.apply(&min.sketch);
            if !keeps_numbers(judge, &min.sketch, &changed) {
                continue;
            }
            if let Some(without) = judge.judge(changed, f64::INFINITY)?.filter(is_enough) {
                (*min, is_less) = (without, true);
            }
        }
    }
    Ok(())
}

fn removals(judge: &Judge, judged: &Judged) -> Vec<Change> {
    let layout = judge.meter.layout;
    let is_thing = |glyph| layout.style().things().any(|thing| thing == glyph);
    let changeable = Changeable::of(layout, &judged.sketch);
    let keeps_walls =
        judge.plan.density.is_some() || layout.style().kind_of_walls == WallKind::Rooms;
    let may_go = |change: &Change| is_thing(change.glyph) || !keeps_walls;
    changeable.removals().filter(may_go).collect()
}

/// Returns whether `without` has enough goals for a new board, and enough things of each kind whose number was requested. Kinds
/// of which nothing was removed are not checked.
fn keeps_numbers(judge: &Judge, from: &Sketch, without: &Sketch) -> bool {
    let layout = judge.meter.layout;
    let moving_walls = |sketch: &Sketch| {
        let walls = layout.walls(sketch).into_iter();
        let ends = walls.filter(|wall| wall.closed.is_ascii_uppercase());
        ends.count()
    };
    let count = |sketch: &Sketch, glyph: Option<u8>| {
        glyph.map_or_else(|| moving_walls(sketch), |glyph| sketch.count(glyph))
    };
    let mut amounts = layout.style().amounts.iter().zip(&judge.plan.amounts);
    amounts.all(|(ThingKind { name, glyph, .. }, range)| {
        let mut criteria = judge.criteria.amounts.iter();
        let meaning = |glyph: u8| judge.meter.ruleset.legend.meaning(glyph.into());
        let is_goal = glyph.is_some_and(|glyph| meaning(glyph) == Meaning::Goal);
        let is_fixed = is_goal || criteria.any(|(fixed, _)| fixed == name);
        let left = count(without, *glyph);
        !is_fixed || left >= *range.start() || left == count(from, *glyph)
    })
}
