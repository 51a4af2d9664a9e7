//! The zombies' moves.

use super::super::combinations::{Region, for_each_run, whole};
use super::super::{CATCH, Step};
use super::{Turn, Workspace};
use crate::engine::mdp::{ValueDomain, means};
use crate::solvers::dungeon::one_player::abstraction::block::Slot;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;
use crate::solvers::dungeon::one_player::abstraction::surroundings::{NO_TILE, opposite};

impl Turn<'_> {
    /// Computes the row for each set of zombies yet to move, from the row after all moves.
    pub(super) fn move_after<V: ValueDomain>(
        &self,
        ghost: StateIndex,
        rows: &mut [V],
        (lost, workspace): (&[V], &mut Workspace<V>),
    ) {
        let (width, tile) = (self.block.width(), self.block.moved.get(ghost).tile);
        let whole = whole(self.block);
        for set in (1..self.sets()).filter(|&set| self.plan.is_needed(ghost, set)) {
            let nth = set.trailing_zeros() as usize;
            let (before, row) = rows.split_at_mut(set * width);
            let after = &before[(set & (set - 1)) * width..][..width];
            let row = &mut row[..width];
            self.take_steps((nth, tile), &mut workspace.steps);
            self.walk((nth, &whole), &workspace.steps, (after, lost), row);
            self.fill_met(tile, row, V::NEUTRAL);
        }
    }

    pub(super) fn take_steps(&self, (nth, ghost): (usize, u32), steps: &mut Vec<Step>) {
        let slot = &self.block.slots[nth];
        steps.clear();
        steps.extend_from_slice(self.plan.steps(nth));
        let near = self.surroundings.in_room[slot.zombie][ghost as usize];
        for (dir, local) in near.into_iter().enumerate() {
            if local != NO_TILE {
                steps[usize::from(local)] = Step::of(slot, local, opposite(1 << dir));
            }
        }
    }

    pub(super) fn walk<V: ValueDomain>(
        &self,
        (nth, region): (usize, &Region),
        steps: &[Step],
        (after, lost): (&[V], &[V]),
        row: &mut [V],
    ) {
        let (slot, (from, to)) = (&self.block.slots[nth], region[nth]);
        for_each_run(self.block, (region, nth), &mut |run| {
            let (after, row) = (&after[run.clone()], &mut row[run]);
            if slot.stride == 1 {
                for (local, step) in (from..to).zip(&steps[from..to]) {
                    walk_column((local, slot.tiles.len()), *step, after, row);
                }
            } else {
                walk_rows(slot, (from, &steps[from..to]), (after, lost), row);
            }
        });
    }
}

/// Moves a zombie for which a row has several values per tile.
fn walk_rows<V: ValueDomain>(
    slot: &Slot,
    (from, steps): (usize, &[Step]),
    (after, lost): (&[V], &[V]),
    row: &mut [V],
) {
    let stride = slot.stride;
    let side = slot.tiles.len() * stride;
    for (row, after) in row.chunks_exact_mut(side).zip(after.chunks_exact(side)) {
        let source = |target: StateIndex| match target {
            CATCH => &lost[..stride],
            target => &after[usize::from(target) * stride..][..stride],
        };
        let rows = row[from * stride..].chunks_exact_mut(stride);
        for (row, step) in rows.zip(steps) {
            means(step.targets.map(source), step.count, row);
        }
    }
}

/// Moves a zombie from one tile if its tiles are adjacent in a row.
fn walk_column<V: ValueDomain>(
    (local, tiles): (usize, usize),
    step: Step,
    after: &[V],
    row: &mut [V],
) {
    let targets = step.targets.map(usize::from);
    let targets = &targets[..usize::from(step.count)];
    match *targets {
        _ if targets.contains(&usize::from(CATCH)) => {
            let value = |line: &[V], to: usize| line.get(to).copied().unwrap_or(V::LOST);
            let lines = row.chunks_exact_mut(tiles).zip(after.chunks_exact(tiles));
            for (row, after) in lines {
                let values = targets.iter().map(|&to| value(after, to));
                let sum = values.fold(V::EMPTY_SUM, V::add);
                row[local] = V::mean_of_few(sum, step.count);
            }
        }
        [a] => column((local, tiles), [a], after, row),
        [a, b] => column((local, tiles), [a, b], after, row),
        [a, b, c] => column((local, tiles), [a, b, c], after, row),
        [a, b, c, d] => column((local, tiles), [a, b, c, d], after, row),
        _ => unreachable!("a zombie has one to four things to do"),
    }
}

#[inline]
fn column<V: ValueDomain, const N: usize>(
    (local, tiles): (usize, usize),
    targets: [usize; N],
    after: &[V],
    row: &mut [V],
) {
    // Checked once here, so that no line needs a bounds check.
    assert!(local < tiles && targets.iter().all(|&to| to < tiles));
    let lines = row.chunks_exact_mut(tiles).zip(after.chunks_exact(tiles));
    for (row, after) in lines {
        let mut sum = V::sum_of(after[targets[0]]);
        for to in &targets[1..] {
            sum = V::add(sum, after[*to]);
        }
        row[local] = V::mean_of_few(sum, N as u16);
    }
}
