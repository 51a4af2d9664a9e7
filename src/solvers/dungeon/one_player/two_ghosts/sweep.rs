//! A sweep over all states of two ghosts.

use std::ops::Range;

use rayon::prelude::*;

use super::transition_table::{
    Choice, GhostStates, Outcomes, StateIndex, Target, TeleportDistribution, TransitionTable,
};
use super::value_domain::ValueDomain;
use super::{Budget, Clock, Limit, TwoGhosts, at};
use crate::rules::dungeon::level::RoomNumber;

/// What is worked out at a position, one after the other.
struct Scratch<W> {
    /// For each target of one ghost and each state of the other, both having moved.
    moved: Vec<W>,
    /// For each target of the ghost that moves first, the other being about to move.
    row: Vec<W>,
    /// For each state of the ghost that moves first, both waiting.
    line: Vec<W>,
}

impl<W> Default for Scratch<W> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            row: Vec::new(),
            line: Vec::new(),
        }
    }
}

/// What the states at the positions around one are value, and those at that position itself.
struct View<'t, W> {
    ghosts: &'t TwoGhosts,
    /// Those before the positions that are worked out at the same time.
    before: &'t [W],
    position: usize,
    own: &'t [W],
    after: &'t [W],
}

impl<W> View<'_, W> {
    /// The values of the states at a position.
    fn at(&self, position: u32) -> &[W] {
        let position = position as usize;
        let Range { start, end } = self.ghosts.range(position);
        if position == self.position {
            self.own
        } else if end <= self.before.len() {
            &self.before[start..end]
        } else {
            let skipped = self.ghosts.len() - self.after.len();
            &self.after[start - skipped..end - skipped]
        }
    }
}

impl TwoGhosts {
    /// Works out anew what each state is value. `change` gets the old value and the new one, and
    /// says which it shall be; it may take notes, which are returned position by position.
    pub(super) fn sweep<W: ValueDomain, T: Default + Send>(
        &self,
        values: &mut [W],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, W, W) -> W + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut scratches = self.scratches();
        let mut notes = Vec::new();
        for group in self.there_or_back(nth) {
            let there = self.work_on(group, |_| true, values, (&mut scratches, budget), &change)?;
            notes.extend(there.into_iter().map(|(_, note)| note));
        }
        Ok(notes)
    }

    /// Sweeps until nothing changes any more, or nothing more needs to be known. A position is passed
    /// over as long as nothing has changed where the player can go from there.
    pub(super) fn settle<W: ValueDomain>(
        &self,
        values: &mut [W],
        budget: &Budget,
        change: impl Fn(W, W) -> W + Sync,
        is_enough: impl Fn(&[W]) -> bool,
    ) -> Result<(), Limit> {
        let change = |is_changed: &mut bool, old, new| {
            let new = change(old, new);
            *is_changed |= new != old;
            new
        };
        let mut scratches = self.scratches();
        let mut clock = 1;
        let mut changed = vec![clock; self.tables.len()];
        let mut worked = vec![0; self.tables.len()];
        for nth in 0.. {
            let before = clock;
            for group in self.there_or_back(nth) {
                let has_news = |position: usize| {
                    let destinations = self.tables[position].destinations.iter();
                    let last = destinations
                        .map(|destination| changed[destination.position as usize])
                        .max();
                    last > Some(worked[position])
                };
                for (position, is_changed) in
                    self.work_on(group, has_news, values, (&mut scratches, budget), &change)?
                {
                    worked[position] = clock;
                    if is_changed {
                        clock += 1;
                        changed[position] = clock;
                    }
                }
            }
            if clock == before || is_enough(values) {
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

    /// A scratch for each thread.
    fn scratches<W>(&self) -> Vec<Scratch<W>> {
        (0..self.threads).map(|_| Scratch::default()).collect()
    }

    /// Works out the positions of a group that are `wanted`; returns their numbers and notes.
    fn work_on<W: ValueDomain, T: Default + Send>(
        &self,
        group: &Range<usize>,
        wanted: impl Fn(usize) -> bool,
        values: &mut [W],
        (scratches, budget): (&mut [Scratch<W>], &Budget),
        change: &(impl Fn(&mut T, W, W) -> W + Sync),
    ) -> Result<Vec<(usize, T)>, Limit> {
        let (before, rest) = values.split_at_mut(self.starts[group.start]);
        let (mut left, after) = rest.split_at_mut(self.starts[group.end] - before.len());
        let (before, after) = (&*before, &*after);
        let mut tasks = Vec::new();
        for position in group.clone() {
            let own;
            (own, left) = left.split_at_mut(self.range(position).len());
            if wanted(position) {
                tasks.push((position, own));
            }
        }
        let work = |scratch: &mut Scratch<W>, (position, own): (usize, &mut [W])| {
            let view = View {
                ghosts: self,
                before,
                position,
                own: &*own,
                after,
            };
            let mut clock = budget.clock();
            self.tables[position].choose(&view, scratch, &mut clock)?;
            self.tables[position].fill_teleports(&mut scratch.moved);
            let mut note = T::default();
            let put = |first: usize, line: &[W]| {
                for (old, &new) in own[first..].iter_mut().zip(line) {
                    *old = change(&mut note, *old, new);
                }
            };
            self.tables[position].draw(&self.waiting[position], scratch, &mut clock, put)?;
            Ok((position, note))
        };
        let threads = scratches.len().min(tasks.len()).max(1);
        if threads == 1 {
            return tasks
                .into_iter()
                .map(|task| work(&mut scratches[0], task))
                .collect();
        }
        // The threads take turns with the tasks, so that each gets some of all kinds.
        let mut shares: Vec<Vec<_>> = scratches.iter().map(|_| Vec::new()).collect();
        for (nth, task) in tasks.into_iter().enumerate() {
            shares[nth % threads].push(task);
        }
        let shares: Vec<_> = scratches.iter_mut().zip(shares).collect();
        let done: Result<Vec<Vec<_>>, Limit> = shares
            .into_par_iter()
            .map(|(scratch, tasks)| tasks.into_iter().map(|task| work(scratch, task)).collect())
            .collect();
        let mut done: Vec<_> = done?.into_iter().flatten().collect();
        done.sort_unstable_by_key(|&(position, _)| position);
        Ok(done)
    }
}

impl TransitionTable {
    /// What is best for the player at each state in which both ghosts have moved.
    fn choose<W: ValueDomain>(
        &self,
        view: &View<W>,
        scratch: &mut Scratch<W>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let side = self.moved.len();
        scratch.moved.resize(self.targets() * side, W::NEUTRAL);
        scratch.moved[usize::from(self.neutral()) * side..][..side].fill(W::NEUTRAL);
        scratch.moved[usize::from(self.caught()) * side..][..side].fill(W::LOST);
        for a in self.moved.all() {
            let others = self.moved.before(a);
            clock.work(others.into())?;
            let same = usize::from(others)..=usize::from(a);
            scratch.moved[usize::from(a) * side..][same].fill(W::NEUTRAL);
            let row = &mut scratch.moved[usize::from(a) * side..][..usize::from(others)];
            if self.is_near(a) {
                for (b, value) in (0..others).zip(row) {
                    *value = self.best(view, self.choice(a, b), [a, b]);
                }
            } else {
                self.choose_freely(view, a, row);
                for b in self.near.iter().copied().take_while(|&b| b < others) {
                    row[usize::from(b)] = self.best(view, self.choice(a, b), [a, b]);
                }
            }
        }
        mirror(&mut scratch.moved, side);
        Ok(())
    }

    /// As [`TransitionTable::choose`], for a ghost at state `a` that is far from the player, and all states
    /// of the other that are far, too.
    fn choose_freely<W: ValueDomain>(&self, view: &View<W>, a: StateIndex, row: &mut [W]) {
        let Choice::Destinations(destinations) = self.free_choice() else {
            return row.fill(W::WON.after_turn());
        };
        row.fill(W::LOST);
        for destination in destinations
            .iter()
            .map(|&destination| &self.destinations[usize::from(destination)])
        {
            let Some(there) = destination.states[usize::from(a)] else {
                continue;
            };
            let source = &view.at(destination.position)[at(there, 0)..][..usize::from(there)];
            let end = row.len();
            let runs = destination.runs.iter();
            for run in runs.take_while(|run| usize::from(run.here) < end) {
                let row = &mut row[usize::from(run.here)..];
                let row = row.iter_mut().take(run.len.into());
                let source = &source[usize::from(run.there)..];
                if run.is_one {
                    let value = source[0];
                    row.for_each(|best| *best = best.better(value));
                } else {
                    row.zip(source)
                        .for_each(|(best, &value)| *best = best.better(value));
                }
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    /// The value of the best of these choices.
    fn best<W: ValueDomain>(&self, view: &View<W>, choice: &Choice, ghosts: [StateIndex; 2]) -> W {
        let Choice::Destinations(destinations) = choice else {
            return W::WON.after_turn();
        };
        let value = |&destination: &u8| {
            let destination = &self.destinations[usize::from(destination)];
            let [a, b] = ghosts.map(|state| destination.states[usize::from(state)]);
            // Where a ghost is, he does not go.
            Some(view.at(destination.position)[at(a?, b?)].after_turn())
        };
        let all = destinations.iter().filter_map(value);
        all.reduce(W::better).expect("the player can stay")
    }

    /// Fills in what teleports are value when the other ghost has moved already.
    fn fill_teleports<W: ValueDomain>(&self, moved: &mut [W]) {
        let side = self.moved.len();
        for (target, teleport) in (usize::from(self.first_teleport())..).zip(&self.teleports) {
            for other in self.moved.all() {
                let room = self.room[self.moved.tile(other) as usize];
                let row = &moved[usize::from(other) * side..][..side];
                moved[target * side + usize::from(other)] = teleport.arrive(row, room);
            }
        }
    }

    /// What the ghosts' draws are value, at each state in which both wait; `put` gets these values
    /// piece by piece, and where each piece belongs.
    fn draw<W: ValueDomain>(
        &self,
        waiting: &GhostStates,
        scratch: &mut Scratch<W>,
        clock: &mut Clock,
        mut put: impl FnMut(usize, &[W]),
    ) -> Result<(), Limit> {
        let Scratch { moved, row, line } = scratch;
        for later in waiting.all() {
            clock.work((moved.len() / self.targets().max(1)) as u64)?;
            self.draw_later(waiting, later, moved, row);
            let earlier = waiting.before(later);
            let ways = self.outcomes[..usize::from(earlier)].iter();
            line.clear();
            line.extend(ways.map(|way| mean(way, |target| row[usize::from(target)])));
            for &(tile, _) in &self.adjacent[usize::from(later)] {
                for earlier in waiting.at(tile).filter(|&at| at < earlier) {
                    let way = self.adjacent_outcomes(earlier, waiting.tile(later));
                    line[usize::from(earlier)] = mean(way, |target| row[usize::from(target)]);
                }
            }
            // Two ghosts are never on one tile.
            line.resize(later.into(), W::LOST);
            put(at(later, 0), line);
        }
        Ok(())
    }

    /// What the draw of ghost `later` is value, for whatever the other has just done.
    fn draw_later<W: ValueDomain>(
        &self,
        waiting: &GhostStates,
        later: StateIndex,
        moved: &[W],
        row: &mut Vec<W>,
    ) {
        let side = self.moved.len();
        let tile = waiting.tile(later);
        let Outcomes { targets, count } = self.outcomes[usize::from(later)];
        let [a, b, c, d] = targets.map(|target| &moved[usize::from(target) * side..][..side]);
        row.clear();
        row.extend((0..side).map(|other| {
            let sum = [a[other], b[other], c[other], d[other]];
            W::mean(sum.into_iter().fold(W::EMPTY_SUM, W::add), count)
        }));
        for (other, way) in &self.adjacent[usize::from(later)] {
            for other in self.moved.at(*other) {
                let value = |target| moved[usize::from(target) * side + usize::from(other)];
                row[usize::from(other)] = mean(way, value);
            }
        }
        for same in self.moved.at(tile) {
            row[usize::from(same)] = W::NEUTRAL;
        }
        row.push(W::NEUTRAL);
        row.push(W::LOST);
        for teleport in &self.teleports {
            let value = teleport.arrive(row, self.room[tile as usize]);
            row.push(value);
        }
    }

    /// What a ghost can do with the other on this tile next to it.
    fn adjacent_outcomes(&self, ghost: StateIndex, other: u32) -> &Outcomes {
        let mut adjacent = self.adjacent[usize::from(ghost)].iter();
        let found = adjacent.find(|(tile, _)| *tile == other);
        &found.expect("who is next to another has it next to him").1
    }
}

impl TeleportDistribution {
    /// What it is value to be teleported, given what it is to appear at each state, and in which
    /// room the other ghost is; where that one is, nothing is value anything.
    fn arrive<W: ValueDomain>(&self, states: &[W], room: Option<RoomNumber>) -> W {
        let (mut sum, mut rooms) = (W::EMPTY_SUM, 0);
        for (number, tiles) in (0..).zip(&self.rooms) {
            // Each tile is another state, and so is each room.
            let free = tiles.len() as StateIndex - StateIndex::from(room == Some(number));
            if free > 0 {
                let source = tiles.iter().map(|&tile| states[usize::from(tile)]);
                sum = W::add(sum, W::mean(source.fold(W::EMPTY_SUM, W::add), free));
                rooms += 1;
            }
        }
        W::mean(sum, rooms)
    }
}

/// Copies what is below the diagonal of a square to above it, tile by tile, so that both stay in the
/// cache.
fn mirror<W: ValueDomain>(square: &mut [W], side: usize) {
    const TILE: usize = 16;
    for left in (0..side).step_by(TILE) {
        for a in left + 1..side {
            for b in left..a.min(left + TILE) {
                square[b * side + a] = square[a * side + b];
            }
        }
    }
}

/// What a draw among the targets of a row is value.
#[inline]
fn mean<W: ValueDomain>(outcomes: &Outcomes, value: impl Fn(Target) -> W) -> W {
    let sum = outcomes
        .targets
        .into_iter()
        .map(value)
        .fold(W::EMPTY_SUM, W::add);
    W::mean(sum, outcomes.count)
}
