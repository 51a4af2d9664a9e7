//! Updates a block: all states of two ghosts for one player position.

use super::super::super::Abstraction;
use super::super::super::block::{Block, Draw, Target};
use super::super::super::choice::Destination;
use super::super::super::ghost_states::StateIndex;
use super::{ChoicePlan, pair_index};
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{SweepView, ValueDomain, means};

pub struct Scratch<V> {
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

pub(in super::super) struct TwoGhostTurn<'a> {
    pub(in super::super) model: &'a Abstraction,
    pub(in super::super) plan: &'a ChoicePlan,
    pub(in super::super) block: &'a Block,
}

impl<'a> TwoGhostTurn<'a> {
    /// Returns the values before both moves.
    pub(in super::super) fn values<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<&'s [V], Limit> {
        self.choose(view, scratch, clock)?;
        self.draw(scratch, clock)
    }

    fn destinations(&self) -> &'a [Destination] {
        &self.model.choices[self.block.position as usize].destinations
    }

    fn choose<V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let side = self.block.moved.len();
        let outcomes = self.block.outcomes().expect("the block has numbers");
        scratch.moved.resize(outcomes * side, V::NEUTRAL);
        scratch.moved[side * side..][..side].fill(V::NEUTRAL);
        scratch.moved[self.block.caught_target() * side..][..side].fill(V::LOST);
        for a in self.block.moved.numbers() {
            let others = self.block.moved.before(a);
            clock.work(others.into())?;
            let same = usize::from(others)..=usize::from(a);
            scratch.moved[usize::from(a) * side..][same].fill(V::NEUTRAL);
            let row = &mut scratch.moved[usize::from(a) * side..][..usize::from(others)];
            if self.plan.is_near(self.block.moved.tile(a)) {
                for (b, value) in (0..others).zip(row) {
                    *value = self.best(view, [a, b]);
                }
            } else {
                self.choose_freely(view, a, row);
                let near = self
                    .plan
                    .near
                    .iter()
                    .flat_map(|&tile| self.block.moved.at(tile));
                for b in near.take_while(|&b| b < others) {
                    row[usize::from(b)] = self.best(view, [a, b]);
                }
            }
        }
        symmetrize(&mut scratch.moved, side);
        self.fill_teleports(&mut scratch.moved);
        Ok(())
    }

    /// Computes a row as if both ghosts were far from the player. One of them is in state `a`.
    fn choose_freely<V: ValueDomain>(&self, view: &SweepView<V>, a: StateIndex, row: &mut [V]) {
        let Some(options) = &self.plan.options[0] else {
            return row.fill(V::WON.after_turn());
        };
        row.fill(V::LOST);
        for &option in options {
            let destination = &self.destinations()[usize::from(option)];
            let Some(there) = destination.ghost(a) else {
                continue;
            };
            let source = &view.at(destination.position as usize)[pair_index(there, 0)..]
                [..usize::from(there)];
            let end = row.len();
            let runs = self.plan.runs[usize::from(option)].iter();
            for run in runs.take_while(|run| run.here < end) {
                let row = row[run.here..].iter_mut().take(run.len);
                for (best, &value) in row.zip(&source[run.there..]) {
                    *best = best.better(value);
                }
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    fn best<V: ValueDomain>(&self, view: &SweepView<V>, ghosts: [StateIndex; 2]) -> V {
        let tiles = ghosts.map(|ghost| self.block.moved.tile(ghost));
        let Some(options) = self.plan.options(tiles) else {
            return V::WON.after_turn();
        };
        let value = |&option: &u8| {
            let destination = &self.destinations()[usize::from(option)];
            let [a, b] = ghosts.map(|ghost| destination.ghost(ghost));
            // The player never steps onto a ghost.
            Some(view.at(destination.position as usize)[pair_index(a?, b?)].after_turn())
        };
        let all = options.iter().filter_map(value);
        all.reduce(V::better).expect("the player can stay")
    }

    /// Fills in the values of teleports with which a turn ends, since the other ghost has moved already.
    fn fill_teleports<V: ValueDomain>(&self, moved: &mut [V]) {
        let side = self.block.moved.len();
        for other in self.block.moved.numbers() {
            let taken = self.arrivals_with(self.block.moved.tile(other));
            for nth in 0..self.block.teleports.len() {
                let row = &moved[usize::from(other) * side..][..side];
                let value = self.arrive(nth, row, taken);
                moved[(self.block.first_teleport() + nth) * side + usize::from(other)] = value;
            }
        }
    }

    fn draw<'s, V: ValueDomain>(
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
            let (earlier, first) = (waiting.before(later), pair_index(later, 0));
            let draws = self.block.free_draws()[..usize::from(earlier)].iter();
            lines.extend(draws.map(|draw| mean(draw, |number| row[usize::from(number)])));
            for (_, tile) in self.neighbours(waiting.tile(later)) {
                for earlier in waiting.at(tile).filter(|&at| at < earlier) {
                    let draw = self.draw_beside(earlier, waiting.tile(later));
                    lines[first + usize::from(earlier)] =
                        mean(draw, |number| row[usize::from(number)]);
                }
            }
            lines.resize(first + usize::from(later), V::LOST);
        }
        Ok(lines)
    }

    fn draw_later<V: ValueDomain>(&self, later: StateIndex, moved: &[V], row: &mut Vec<V>) {
        let side = self.block.moved.len();
        let tile = self.block.waiting.tile(later);
        let draw = &self.block.free_draws()[usize::from(later)];
        let target_rows = draw
            .targets
            .map(|number| &moved[usize::from(number) * side..][..side]);
        row.clear();
        row.resize(side, V::NEUTRAL);
        means(target_rows, draw.count, row, |_, new| new);
        for (way, other) in self.neighbours(tile) {
            let draw = &self.block.draws(later, way)[0];
            for other in self.block.moved.at(other) {
                let value = |number| moved[usize::from(number) * side + usize::from(other)];
                row[usize::from(other)] = mean(draw, value);
            }
        }
        for same in self.block.moved.at(tile) {
            row[usize::from(same)] = V::NEUTRAL;
        }
        row.push(V::NEUTRAL);
        row.push(V::LOST);
        let taken = self.arrivals_with(tile);
        for nth in 0..self.block.teleports.len() {
            row.push(self.arrive(nth, row, taken));
        }
    }

    /// Returns the tiles next to this one, with the way that a ghost there blocks.
    fn neighbours(&self, tile: u32) -> impl Iterator<Item = (u8, u32)> {
        let tiles = self.model.mdp.geometry.neighbours(tile).iter();
        tiles
            .enumerate()
            .filter_map(|(dir, &next)| Some((1 << dir, next?)))
    }

    /// Returns the draw of a ghost in this state, if the other ghost is on the tile `other` next to it.
    fn draw_beside(&self, ghost: StateIndex, other: u32) -> &Draw {
        let mut neighbours = self.neighbours(self.block.waiting.tile(ghost));
        let found = neighbours.find(|&(_, tile)| tile == other);
        let (way, _) = found.expect("neighbours are mutual");
        &self.block.draws(ghost, way)[0]
    }

    /// Returns the index in [`Block::arrivals`] of the room that has this tile; `None` if no ghost can arrive on the tile.
    fn arrivals_with(&self, tile: u32) -> Option<usize> {
        let mdp = &self.model.mdp;
        let room = mdp.dungeon.level.room_of(mdp.geometry.cell(tile))?;
        let arrivals = &self.block.arrivals;
        let at = arrivals.binary_search_by_key(&room, |arrivals| arrivals.room);
        let is_free = |&at: &usize| arrivals[at].tiles.binary_search(&tile).is_ok();
        at.ok().filter(is_free)
    }

    /// Returns the value of a teleport. `states` has neutral values on the tile of the other ghost. `taken` is the index of the
    /// arrivals that include this tile, if any.
    fn arrive<V: ValueDomain>(&self, teleport: usize, states: &[V], taken: Option<usize>) -> V {
        let (mut sum, mut count) = (V::EMPTY_SUM, 0);
        for (number, arrivals) in self.block.arrivals.iter().enumerate() {
            let tiles = &arrivals.states[teleport];
            let free = tiles.len() as StateIndex - StateIndex::from(taken == Some(number));
            if free > 0 {
                sum = V::add(sum, V::mean(sum_of(tiles, states), free));
                count += 1;
            }
        }
        V::mean(sum, count)
    }
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
fn symmetrize<V: ValueDomain>(square: &mut [V], side: usize) {
    const TILE: usize = 16;
    for left in (0..side).step_by(TILE) {
        for a in left + 1..side {
            for b in left..a.min(left + TILE) {
                square[b * side + a] = square[a * side + b];
            }
        }
    }
}

/// Returns the mean of a draw; unused targets must have neutral values.
#[inline]
pub(crate) fn mean<V: ValueDomain>(draw: &Draw, value: impl Fn(Target) -> V) -> V {
    // This is written out, because `map` on an array is not inlined here.
    let [a, b, c, d] = draw.targets;
    let sum = V::add(V::sum_of(value(a)), value(b));
    V::mean_of_few(V::add(V::add(sum, value(c)), value(d)), draw.count)
}
