//! A sweep over all positions of two ghosts.

use std::ops::Range;

use rayon::prelude::*;

use super::post::{Choice, Hub, Index, Post, Row, Slot, Stances};
use super::worth::Worth;
use super::{Budget, Clock, Limit, Pair, at};
use crate::rules::dungeon::level::RoomNumber;

/// What is worked out at a place, one after the other.
struct Desk<W> {
    /// For each slot of one ghost and each stance of the other, both having moved.
    moved: Vec<W>,
    /// For each slot of the ghost that moves first, the other being about to move.
    row: Vec<W>,
    /// For each stance of the ghost that moves first, both waiting.
    line: Vec<W>,
}

impl<W> Default for Desk<W> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            row: Vec::new(),
            line: Vec::new(),
        }
    }
}

/// What the positions at the places around one are worth, and those at that place itself.
struct View<'t, W> {
    pair: &'t Pair,
    /// Those before the places that are worked out at the same time.
    before: &'t [W],
    place: usize,
    own: &'t [W],
    after: &'t [W],
}

impl<W> View<'_, W> {
    /// The worths of the positions at a place.
    fn at(&self, place: u32) -> &[W] {
        let place = place as usize;
        let Range { start, end } = self.pair.range(place);
        if place == self.place {
            self.own
        } else if end <= self.before.len() {
            &self.before[start..end]
        } else {
            let skipped = self.pair.len() - self.after.len();
            &self.after[start - skipped..end - skipped]
        }
    }
}

impl Pair {
    /// Works out anew what each position is worth. `change` gets the old worth and the new one, and
    /// says which it shall be; it may take notes, which are returned place by place.
    pub(super) fn sweep<W: Worth, T: Default + Send>(
        &self,
        table: &mut [W],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, W, W) -> W + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut desks = self.desks();
        let mut notes = Vec::new();
        for group in self.there_or_back(nth) {
            let there = self.work_on(group, |_| true, table, (&mut desks, budget), &change)?;
            notes.extend(there.into_iter().map(|(_, note)| note));
        }
        Ok(notes)
    }

    /// Sweeps until nothing changes any more, or nothing more needs to be known. A place is passed
    /// over as long as nothing has changed where the player can go from there.
    pub(super) fn settle<W: Worth>(
        &self,
        table: &mut [W],
        budget: &Budget,
        change: impl Fn(W, W) -> W + Sync,
        is_enough: impl Fn(&[W]) -> bool,
    ) -> Result<(), Limit> {
        let change = |is_changed: &mut bool, old, new| {
            let new = change(old, new);
            *is_changed |= new != old;
            new
        };
        let mut desks = self.desks();
        let mut clock = 1;
        let mut changed = vec![clock; self.posts.len()];
        let mut worked = vec![0; self.posts.len()];
        for nth in 0.. {
            let before = clock;
            for group in self.there_or_back(nth) {
                let has_news = |place: usize| {
                    let goals = self.posts[place].goals.iter();
                    let last = goals.map(|goal| changed[goal.place as usize]).max();
                    last > Some(worked[place])
                };
                for (place, is_changed) in
                    self.work_on(group, has_news, table, (&mut desks, budget), &change)?
                {
                    worked[place] = clock;
                    if is_changed {
                        clock += 1;
                        changed[place] = clock;
                    }
                }
            }
            if clock == before || is_enough(table) {
                break;
            }
        }
        Ok(())
    }

    /// The groups from the exit outwards, or the other way round every other time.
    fn there_or_back(&self, nth: usize) -> impl Iterator<Item = &Range<usize>> {
        let last = self.groups.len() - 1;
        let is_back = nth % 2 == 1;
        (0..=last).map(move |at| &self.groups[if is_back { last - at } else { at }])
    }

    /// A desk for each lane.
    fn desks<W>(&self) -> Vec<Desk<W>> {
        (0..self.lanes).map(|_| Desk::default()).collect()
    }

    /// Works out the places of a group that are `wanted`; returns their numbers and notes.
    fn work_on<W: Worth, T: Default + Send>(
        &self,
        group: &Range<usize>,
        wanted: impl Fn(usize) -> bool,
        table: &mut [W],
        (desks, budget): (&mut [Desk<W>], &Budget),
        change: &(impl Fn(&mut T, W, W) -> W + Sync),
    ) -> Result<Vec<(usize, T)>, Limit> {
        let (before, rest) = table.split_at_mut(self.starts[group.start]);
        let (mut left, after) = rest.split_at_mut(self.starts[group.end] - before.len());
        let (before, after) = (&*before, &*after);
        let mut tasks = Vec::new();
        for place in group.clone() {
            let own;
            (own, left) = left.split_at_mut(self.range(place).len());
            if wanted(place) {
                tasks.push((place, own));
            }
        }
        let work = |desk: &mut Desk<W>, (place, own): (usize, &mut [W])| {
            let view = View {
                pair: self,
                before,
                place,
                own: &*own,
                after,
            };
            let mut clock = budget.clock();
            self.posts[place].choose(&view, desk, &mut clock)?;
            self.posts[place].teleport(&mut desk.moved);
            let mut note = T::default();
            let put = |first: usize, line: &[W]| {
                for (old, &new) in own[first..].iter_mut().zip(line) {
                    *old = change(&mut note, *old, new);
                }
            };
            self.posts[place].draw(&self.waiting[place], desk, &mut clock, put)?;
            Ok((place, note))
        };
        let lanes = desks.len().min(tasks.len()).max(1);
        if lanes == 1 {
            return tasks
                .into_iter()
                .map(|task| work(&mut desks[0], task))
                .collect();
        }
        // The lanes take turns with the tasks, so that each gets some of all kinds.
        let mut shares: Vec<Vec<_>> = desks.iter().map(|_| Vec::new()).collect();
        for (nth, task) in tasks.into_iter().enumerate() {
            shares[nth % lanes].push(task);
        }
        let shares: Vec<_> = desks.iter_mut().zip(shares).collect();
        let done: Result<Vec<Vec<_>>, Limit> = shares
            .into_par_iter()
            .map(|(desk, tasks)| tasks.into_iter().map(|task| work(desk, task)).collect())
            .collect();
        let mut done: Vec<_> = done?.into_iter().flatten().collect();
        done.sort_unstable_by_key(|&(place, _)| place);
        Ok(done)
    }
}

impl Post {
    /// What is best for the player at each position in which both ghosts have moved.
    fn choose<W: Worth>(
        &self,
        view: &View<W>,
        desk: &mut Desk<W>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let side = self.moved.len();
        desk.moved.resize(self.slots() * side, W::NEUTRAL);
        desk.moved[usize::from(self.neutral()) * side..][..side].fill(W::NEUTRAL);
        desk.moved[usize::from(self.caught()) * side..][..side].fill(W::CAUGHT);
        for a in self.moved.all() {
            let others = self.moved.before(a);
            clock.work(others.into())?;
            let same = usize::from(others)..=usize::from(a);
            desk.moved[usize::from(a) * side..][same].fill(W::NEUTRAL);
            let row = &mut desk.moved[usize::from(a) * side..][..usize::from(others)];
            if self.is_near(a) {
                for (b, worth) in (0..others).zip(row) {
                    *worth = self.best(view, self.choice(a, b), [a, b]);
                }
            } else {
                self.choose_freely(view, a, row);
                for b in self.near.iter().copied().take_while(|&b| b < others) {
                    row[usize::from(b)] = self.best(view, self.choice(a, b), [a, b]);
                }
            }
        }
        mirror(&mut desk.moved, side);
        Ok(())
    }

    /// As [`Post::choose`], for a ghost at stance `a` that is far from the player, and all stances
    /// of the other that are far, too.
    fn choose_freely<W: Worth>(&self, view: &View<W>, a: Index, row: &mut [W]) {
        let Choice::Goals(goals) = self.free_choice() else {
            return row.fill(W::OUT.after_turn());
        };
        row.fill(W::CAUGHT);
        for goal in goals.iter().map(|&goal| &self.goals[usize::from(goal)]) {
            let Some(there) = goal.stances[usize::from(a)] else {
                continue;
            };
            let worths = &view.at(goal.place)[at(there, 0)..][..usize::from(there)];
            let end = row.len();
            let runs = goal.runs.iter();
            for run in runs.take_while(|run| usize::from(run.here) < end) {
                let row = &mut row[usize::from(run.here)..];
                let row = row.iter_mut().take(run.len.into());
                let worths = &worths[usize::from(run.there)..];
                if run.is_one {
                    let worth = worths[0];
                    row.for_each(|best| *best = best.better(worth));
                } else {
                    row.zip(worths)
                        .for_each(|(best, &worth)| *best = best.better(worth));
                }
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    /// The worth of the best of these choices.
    fn best<W: Worth>(&self, view: &View<W>, choice: &Choice, ghosts: [Index; 2]) -> W {
        let Choice::Goals(goals) = choice else {
            return W::OUT.after_turn();
        };
        let worth = |&goal: &u8| {
            let goal = &self.goals[usize::from(goal)];
            let [a, b] = ghosts.map(|stance| goal.stances[usize::from(stance)]);
            // Where a ghost is, he does not go.
            Some(view.at(goal.place)[at(a?, b?)].after_turn())
        };
        let all = goals.iter().filter_map(worth);
        all.reduce(W::better).expect("the player can stay")
    }

    /// Fills in what teleports are worth when the other ghost has moved already.
    fn teleport<W: Worth>(&self, moved: &mut [W]) {
        let side = self.moved.len();
        for (slot, hub) in (usize::from(self.first_hub())..).zip(&self.hubs) {
            for other in self.moved.all() {
                let room = self.room[self.moved.haunt(other) as usize];
                let row = &moved[usize::from(other) * side..][..side];
                moved[slot * side + usize::from(other)] = hub.arrive(row, room);
            }
        }
    }

    /// What the ghosts' draws are worth, at each position in which both wait; `put` gets these worths
    /// piece by piece, and where each piece belongs.
    fn draw<W: Worth>(
        &self,
        waiting: &Stances,
        desk: &mut Desk<W>,
        clock: &mut Clock,
        mut put: impl FnMut(usize, &[W]),
    ) -> Result<(), Limit> {
        let Desk { moved, row, line } = desk;
        for later in waiting.all() {
            clock.work((moved.len() / self.slots().max(1)) as u64)?;
            self.draw_later(waiting, later, moved, row);
            let earlier = waiting.before(later);
            let ways = self.rows[..usize::from(earlier)].iter();
            line.clear();
            line.extend(ways.map(|way| mean(way, |slot| row[usize::from(slot)])));
            for &(haunt, _) in &self.close[usize::from(later)] {
                for earlier in waiting.at(haunt).filter(|&at| at < earlier) {
                    let way = self.close_row(earlier, waiting.haunt(later));
                    line[usize::from(earlier)] = mean(way, |slot| row[usize::from(slot)]);
                }
            }
            // Two ghosts are never on one haunt.
            line.resize(later.into(), W::CAUGHT);
            put(at(later, 0), line);
        }
        Ok(())
    }

    /// What the draw of ghost `later` is worth, for whatever the other has just done.
    fn draw_later<W: Worth>(&self, waiting: &Stances, later: Index, moved: &[W], row: &mut Vec<W>) {
        let side = self.moved.len();
        let haunt = waiting.haunt(later);
        let Row { slots, count } = self.rows[usize::from(later)];
        let [a, b, c, d] = slots.map(|slot| &moved[usize::from(slot) * side..][..side]);
        row.clear();
        row.extend((0..side).map(|other| {
            let sum = [a[other], b[other], c[other], d[other]];
            W::mean(sum.into_iter().fold(W::NOTHING, W::add), count)
        }));
        for (other, way) in &self.close[usize::from(later)] {
            for other in self.moved.at(*other) {
                let worth = |slot| moved[usize::from(slot) * side + usize::from(other)];
                row[usize::from(other)] = mean(way, worth);
            }
        }
        for same in self.moved.at(haunt) {
            row[usize::from(same)] = W::NEUTRAL;
        }
        row.push(W::NEUTRAL);
        row.push(W::CAUGHT);
        for hub in &self.hubs {
            let worth = hub.arrive(row, self.room[haunt as usize]);
            row.push(worth);
        }
    }

    /// What a ghost can do with the other on this haunt next to it.
    fn close_row(&self, ghost: Index, other: u32) -> &Row {
        let mut close = self.close[usize::from(ghost)].iter();
        let found = close.find(|(haunt, _)| *haunt == other);
        &found.expect("who is next to another has it next to him").1
    }
}

impl Hub {
    /// What it is worth to be teleported, given what it is to appear at each stance, and in which
    /// room the other ghost is; where that one is, nothing is worth anything.
    fn arrive<W: Worth>(&self, stances: &[W], room: Option<RoomNumber>) -> W {
        let (mut sum, mut rooms) = (W::NOTHING, 0);
        for (number, tiles) in (0..).zip(&self.rooms) {
            // Each tile is another stance, and so is each room.
            let free = tiles.len() as Index - Index::from(room == Some(number));
            if free > 0 {
                let worths = tiles.iter().map(|&tile| stances[usize::from(tile)]);
                sum = W::add(sum, W::mean(worths.fold(W::NOTHING, W::add), free));
                rooms += 1;
            }
        }
        W::mean(sum, rooms)
    }
}

/// Copies what is below the diagonal of a square to above it, tile by tile, so that both stay in the
/// cache.
fn mirror<W: Worth>(square: &mut [W], side: usize) {
    const TILE: usize = 16;
    for left in (0..side).step_by(TILE) {
        for a in left + 1..side {
            for b in left..a.min(left + TILE) {
                square[b * side + a] = square[a * side + b];
            }
        }
    }
}

/// What a draw among the slots of a row is worth.
#[inline]
fn mean<W: Worth>(row: &Row, worth: impl Fn(Slot) -> W) -> W {
    let sum = row.slots.into_iter().map(worth).fold(W::NOTHING, W::add);
    W::mean(sum, row.count)
}
