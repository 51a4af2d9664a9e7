//! Updates a block: all states of two ghosts for one player position.

use super::{Number, Options, Outcomes, Plan, at, caught, first_teleport, neutral, outcome_count};
use crate::engine::mdp::{SweepView, ValueDomain, means};
use crate::limits::{Clock, Limit};
use crate::rules::dungeon::level::RoomNumber;
use crate::solvers::dungeon::one_player::abstraction::block::Block;
use crate::solvers::dungeon::one_player::abstraction::choice::Choice;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;

pub(crate) struct Scratch<V> {
    /// Values after both moves, indexed by the outcome for one ghost and the state of the other.
    moved: Vec<V>,
    /// Values before the later ghost's move, indexed by the outcome for the earlier one.
    row: Vec<V>,
    /// Values before both moves, indexed by the states of the later and the earlier ghost.
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

pub(super) struct Turn<'a> {
    pub(super) plan: &'a Plan,
    pub(super) block: &'a Block,
    pub(super) choice: &'a Choice,
}

impl Turn<'_> {
    fn outcomes(&self) -> usize {
        let count = outcome_count(self.block.moved.len(), self.block.teleports.len());
        count.expect("the plan was made")
    }

    pub(super) fn choose<V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let side = self.block.moved.len();
        scratch.moved.resize(self.outcomes() * side, V::NEUTRAL);
        scratch.moved[usize::from(neutral(self.block)) * side..][..side].fill(V::NEUTRAL);
        scratch.moved[usize::from(caught(self.block)) * side..][..side].fill(V::LOST);
        for a in self.block.moved.numbers() {
            let others = self.block.moved.before(a);
            clock.work(others.into())?;
            let same = usize::from(others)..=usize::from(a);
            scratch.moved[usize::from(a) * side..][same].fill(V::NEUTRAL);
            let row = &mut scratch.moved[usize::from(a) * side..][..usize::from(others)];
            if self.plan.is_near(a) {
                for (b, value) in (0..others).zip(row) {
                    *value = self.best(view, [a, b]);
                }
            } else {
                self.choose_freely(view, a, row);
                for b in self.plan.near.iter().copied().take_while(|&b| b < others) {
                    row[usize::from(b)] = self.best(view, [a, b]);
                }
            }
        }
        mirror(&mut scratch.moved, side);
        self.fill_teleports(&mut scratch.moved);
        Ok(())
    }

    /// Computes a row for two ghosts far from the player, one of them in state `a`.
    fn choose_freely<V: ValueDomain>(&self, view: &SweepView<V>, a: StateIndex, row: &mut [V]) {
        let Some(options) = &self.plan.options[0][0] else {
            return row.fill(V::WON.after_turn());
        };
        row.fill(V::LOST);
        for &option in options {
            let destination = &self.choice.destinations[usize::from(option)];
            let Some(there) = destination.ghost(a) else {
                continue;
            };
            let source =
                &view.at(destination.position as usize)[at(there, 0)..][..usize::from(there)];
            let end = row.len();
            let runs = self.plan.runs[usize::from(option)].iter();
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

    fn best<V: ValueDomain>(&self, view: &SweepView<V>, ghosts: [StateIndex; 2]) -> V {
        let Some(options) = self.plan.options(ghosts) as &Options else {
            return V::WON.after_turn();
        };
        let value = |&option: &u8| {
            let destination = &self.choice.destinations[usize::from(option)];
            let [a, b] = ghosts.map(|ghost| destination.ghost(ghost));
            // The player never steps onto a ghost.
            Some(view.at(destination.position as usize)[at(a?, b?)].after_turn())
        };
        let all = options.iter().filter_map(value);
        all.reduce(V::better).expect("the player can stay")
    }

    /// Fills in the values of teleports with which a turn ends, since the other ghost has moved already.
    fn fill_teleports<V: ValueDomain>(&self, moved: &mut [V]) {
        let side = self.block.moved.len();
        let teleports = usize::from(first_teleport(self.block))..;
        for (number, rooms) in teleports.zip(&self.plan.teleports) {
            for other in self.block.moved.numbers() {
                let room = self.plan.room[self.block.moved.tile(other) as usize];
                let row = &moved[usize::from(other) * side..][..side];
                moved[number * side + usize::from(other)] = arrive(rooms, row, room);
            }
        }
    }

    pub(super) fn draw<'s, V: ValueDomain>(
        &self,
        scratch: &'s mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<&'s [V], Limit> {
        let Scratch { moved, row, lines } = scratch;
        let waiting = &self.block.waiting;
        lines.clear();
        for later in waiting.numbers() {
            clock.work(self.block.moved.len() as u64)?;
            self.draw_later(later, moved, row);
            let (earlier, first) = (waiting.before(later), at(later, 0));
            let ways = self.plan.outcomes[..usize::from(earlier)].iter();
            lines.extend(ways.map(|way| mean(way, |number| row[usize::from(number)])));
            for &(tile, _) in &self.plan.adjacent[usize::from(later)] {
                for earlier in waiting.at(tile).filter(|&at| at < earlier) {
                    let way = self.adjacent_outcomes(earlier, waiting.tile(later));
                    lines[first + usize::from(earlier)] =
                        mean(way, |number| row[usize::from(number)]);
                }
            }
            lines.resize(first + usize::from(later), V::LOST);
        }
        Ok(lines)
    }

    fn draw_later<V: ValueDomain>(&self, later: StateIndex, moved: &[V], row: &mut Vec<V>) {
        let side = self.block.moved.len();
        let tile = self.block.waiting.tile(later);
        let Outcomes { numbers, count } = self.plan.outcomes[usize::from(later)];
        let sources = numbers.map(|number| &moved[usize::from(number) * side..][..side]);
        row.clear();
        row.resize(side, V::NEUTRAL);
        means(sources, count, row, |_, new| new);
        for (other, way) in &self.plan.adjacent[usize::from(later)] {
            for other in self.block.moved.at(*other) {
                let value = |number| moved[usize::from(number) * side + usize::from(other)];
                row[usize::from(other)] = mean(way, value);
            }
        }
        for same in self.block.moved.at(tile) {
            row[usize::from(same)] = V::NEUTRAL;
        }
        row.push(V::NEUTRAL);
        row.push(V::LOST);
        for rooms in &self.plan.teleports {
            let value = arrive(rooms, row, self.plan.room[tile as usize]);
            row.push(value);
        }
    }

    fn adjacent_outcomes(&self, ghost: StateIndex, other: u32) -> &Outcomes {
        let mut adjacent = self.plan.adjacent[usize::from(ghost)].iter();
        let found = adjacent.find(|(tile, _)| *tile == other);
        &found.expect("who is next to another has it next to him").1
    }
}

/// Returns the value of a teleport to these rooms. `states` has neutral values on the tile of the other ghost, which is in the
/// room `taken`.
fn arrive<V: ValueDomain>(rooms: &[Vec<StateIndex>], states: &[V], taken: Option<RoomNumber>) -> V {
    let (mut sum, mut count) = (V::EMPTY_SUM, 0);
    for (number, tiles) in (0..).zip(rooms) {
        let free = tiles.len() as StateIndex - StateIndex::from(taken == Some(number));
        if free > 0 {
            sum = V::add(sum, V::mean(sum_of(tiles, states), free));
            count += 1;
        }
    }
    V::mean(sum, count)
}

fn sum_of<V: ValueDomain>(tiles: &[StateIndex], states: &[V]) -> V::Sum {
    // Four sums are computed side by side, because each addition would otherwise have to wait for the previous one.
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

/// Copies the values below the diagonal to their mirror positions, square by square, so that both stay in the cache.
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

#[inline]
fn mean<V: ValueDomain>(outcomes: &Outcomes, value: impl Fn(Number) -> V) -> V {
    // This is written out, because `map` on an array is not inlined here.
    let [a, b, c, d] = outcomes.numbers;
    let sum = V::add(V::sum_of(value(a)), value(b));
    V::mean_of_few(V::add(V::add(sum, value(c)), value(d)), outcomes.count)
}
