//! The update of a block: all states of two ghosts at a position of the player.

use super::at;
use super::transition_table::{
    Choice, GhostStates, Outcomes, StateIndex, Target, TeleportDistribution, TransitionTable,
};
use crate::engine::mdp::{ValueDomain, View, means};
use crate::limits::{Clock, Limit};
use crate::rules::dungeon::level::RoomNumber;

/// What is worked out on the way, one after the other.
pub(crate) struct Scratch<V> {
    /// For each target of one ghost and each ghost state of the other, both having moved.
    moved: Vec<V>,
    /// For each target of the ghost that moves first, the other being about to move.
    row: Vec<V>,
    /// For each ghost state of the ghost that moves later, of those of the one that moves first, both waiting.
    lines: Vec<V>,
}

impl<V> Default for Scratch<V> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            row: Vec::new(),
            lines: Vec::new(),
        }
    }
}

impl TransitionTable {
    /// The value of the player's best choice wherever both ghosts have moved, and that of
    /// teleports.
    pub(super) fn choose<V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let side = self.moved.len();
        scratch.moved.resize(self.targets() * side, V::NEUTRAL);
        scratch.moved[usize::from(self.neutral()) * side..][..side].fill(V::NEUTRAL);
        scratch.moved[usize::from(self.caught()) * side..][..side].fill(V::LOST);
        for a in self.moved.all() {
            let others = self.moved.before(a);
            clock.work(others.into())?;
            let same = usize::from(others)..=usize::from(a);
            scratch.moved[usize::from(a) * side..][same].fill(V::NEUTRAL);
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
        self.fill_teleports(&mut scratch.moved);
        Ok(())
    }

    /// As [`TransitionTable::choose`], for a ghost at `a` that is far from the player, and another
    /// one that is far, too.
    fn choose_freely<V: ValueDomain>(&self, view: &View<V>, a: StateIndex, row: &mut [V]) {
        let Choice::Destinations(destinations) = self.free_choice() else {
            return row.fill(V::WON.after_turn());
        };
        row.fill(V::LOST);
        for destination in destinations
            .iter()
            .map(|&destination| &self.destinations[usize::from(destination)])
        {
            let Some(there) = destination.states[usize::from(a)] else {
                continue;
            };
            let source =
                &view.at(destination.position as usize)[at(there, 0)..][..usize::from(there)];
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
    fn best<V: ValueDomain>(&self, view: &View<V>, choice: &Choice, ghosts: [StateIndex; 2]) -> V {
        let Choice::Destinations(destinations) = choice else {
            return V::WON.after_turn();
        };
        let value = |&destination: &u8| {
            let destination = &self.destinations[usize::from(destination)];
            let [a, b] = ghosts.map(|state| destination.states[usize::from(state)]);
            // The player never steps onto a ghost.
            Some(view.at(destination.position as usize)[at(a?, b?)].after_turn())
        };
        let all = destinations.iter().filter_map(value);
        all.reduce(V::better).expect("the player can stay")
    }

    /// Fills in the values of teleports when the other ghost has moved already.
    fn fill_teleports<V: ValueDomain>(&self, moved: &mut [V]) {
        let side = self.moved.len();
        for (target, teleport) in (usize::from(self.first_teleport())..).zip(&self.teleports) {
            for other in self.moved.all() {
                let room = self.room[self.moved.tile(other) as usize];
                let row = &moved[usize::from(other) * side..][..side];
                moved[target * side + usize::from(other)] = teleport.arrive(row, room);
            }
        }
    }

    /// The values of the ghosts' draws, for each state in which both wait.
    pub(super) fn draw<'s, V: ValueDomain>(
        &self,
        waiting: &GhostStates,
        scratch: &'s mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<&'s [V], Limit> {
        let Scratch { moved, row, lines } = scratch;
        lines.clear();
        for later in waiting.all() {
            clock.work((moved.len() / self.targets().max(1)) as u64)?;
            self.draw_later(waiting, later, moved, row);
            let (earlier, first) = (waiting.before(later), at(later, 0));
            let ways = self.outcomes[..usize::from(earlier)].iter();
            lines.extend(ways.map(|way| mean(way, |target| row[usize::from(target)])));
            for &(tile, _) in &self.adjacent[usize::from(later)] {
                for earlier in waiting.at(tile).filter(|&at| at < earlier) {
                    let way = self.adjacent_outcomes(earlier, waiting.tile(later));
                    lines[first + usize::from(earlier)] =
                        mean(way, |target| row[usize::from(target)]);
                }
            }
            // Two ghosts are never on one tile.
            lines.resize(first + usize::from(later), V::LOST);
        }
        Ok(lines)
    }

    /// The value of the draw of ghost `later`, for each target of the other.
    fn draw_later<V: ValueDomain>(
        &self,
        waiting: &GhostStates,
        later: StateIndex,
        moved: &[V],
        row: &mut Vec<V>,
    ) {
        let side = self.moved.len();
        let tile = waiting.tile(later);
        let Outcomes { targets, count } = self.outcomes[usize::from(later)];
        let [a, b, c, d] = targets.map(|target| &moved[usize::from(target) * side..][..side]);
        row.clear();
        row.resize(side, V::NEUTRAL);
        means([a, b, c, d], count, row);
        for (other, way) in &self.adjacent[usize::from(later)] {
            for other in self.moved.at(*other) {
                let value = |target| moved[usize::from(target) * side + usize::from(other)];
                row[usize::from(other)] = mean(way, value);
            }
        }
        for same in self.moved.at(tile) {
            row[usize::from(same)] = V::NEUTRAL;
        }
        row.push(V::NEUTRAL);
        row.push(V::LOST);
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
    /// The value of a teleport, given those of all ghost states to appear in, neutral where the
    /// other ghost is, and its room.
    fn arrive<V: ValueDomain>(&self, states: &[V], room: Option<RoomNumber>) -> V {
        let (mut sum, mut rooms) = (V::EMPTY_SUM, 0);
        for (number, tiles) in (0..).zip(&self.rooms) {
            // The other ghost takes one of the tiles of its room.
            let free = tiles.len() as StateIndex - StateIndex::from(room == Some(number));
            if free > 0 {
                sum = V::add(sum, V::mean(sum_of(tiles, states), free));
                rooms += 1;
            }
        }
        V::mean(sum, rooms)
    }
}

/// The sum of the values of these states.
fn sum_of<V: ValueDomain>(tiles: &[StateIndex], states: &[V]) -> V::Sum {
    // Four sums side by side, since each addition would have to wait for the one before.
    let (fours, rest) = tiles.as_chunks::<4>();
    let mut sums = [V::EMPTY_SUM; 4];
    for four in fours {
        for (sum, &tile) in sums.iter_mut().zip(four) {
            *sum = V::add(*sum, states[usize::from(tile)]);
        }
    }
    let sum = sums.into_iter().fold(V::EMPTY_SUM, V::join);
    let rest = rest.iter().map(|&tile| states[usize::from(tile)]);
    rest.fold(sum, V::add)
}

/// Copies what is below the diagonal of a square to above it, tile by tile, so that both stay in
/// the cache.
fn mirror<V: ValueDomain>(square: &mut [V], side: usize) {
    const TILE: usize = 16;
    for left in (0..side).step_by(TILE) {
        for a in left + 1..side {
            for b in left..a.min(left + TILE) {
                square[b * side + a] = square[a * side + b];
            }
        }
    }
}

/// The value of a draw among targets.
#[inline]
fn mean<V: ValueDomain>(outcomes: &Outcomes, value: impl Fn(Target) -> V) -> V {
    let [a, b, c, d] = outcomes.targets;
    mean_of_four([value(a), value(b), value(c), value(d)], outcomes.count)
}

/// The value of a draw among four, of which those after the first `count` are neutral.
#[inline]
fn mean_of_four<V: ValueDomain>([a, b, c, d]: [V; 4], count: u16) -> V {
    let sum = V::add(V::sum_of(a), b);
    V::mean_of_few(V::add(V::add(sum, c), d), count)
}
