//! The update of a block.

use std::ops::Range;

use super::block::{Arrivals, Block, BlockLine, End, Obstacle, Side};
use super::{JointTable, PairIndex};
use crate::abstraction::{Draw, StateIndex, StateRun, binomial, mean, rank};
use crate::code::PackedAdversary;
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{SweepView, ValueDomain, means};

/// The workspace of an update.
pub(super) struct Workspace<V> {
    /// The values after both moves.
    best: Vec<V>,
    /// For each adversary, the values after both moves, indexed by its target and the state of the other one.
    moved: [Vec<V>; 2],
    /// Values before the later adversary's move, indexed by the target of the earlier one.
    row: Vec<V>,
    /// Values before both moves.
    values: Vec<V>,
}

impl<V> Default for Workspace<V> {
    fn default() -> Self {
        Self {
            best: Vec::new(),
            moved: [Vec::new(), Vec::new()],
            row: Vec::new(),
            values: Vec::new(),
        }
    }
}

pub(super) struct TurnUpdate<'a, 'v, V> {
    pub(super) table: &'a JointTable,
    pub(super) view: &'a SweepView<'v, V>,
}

impl<V: ValueDomain> TurnUpdate<'_, '_, V> {
    /// Returns the new values of the block.
    pub(super) fn values<'s>(
        &self,
        workspace: &'s mut Workspace<V>,
        clock: &mut Clock,
    ) -> Result<&'s [V], Limit> {
        let block = &self.table.blocks[self.view.block()];
        self.choose(block, workspace, clock)?;
        workspace.values.clear();
        workspace
            .values
            .resize(self.view.at(self.view.block()).len(), V::LOST);
        // Alike adversaries need a single pass, since the order of a pair of states does not matter.
        for later in 0..if self.table.are_alike { 1 } else { 2 } {
            self.draw(block, later, workspace, clock)?;
        }
        Ok(&workspace.values)
    }

    /// Returns the value at the start of a turn; a neutral value if both adversaries are on one tile, which no game reaches.
    pub(super) fn value(&self, block: &Block, adversaries: [PackedAdversary; 2]) -> V {
        if adversaries[0].tile() == adversaries[1].tile() {
            return V::NEUTRAL;
        }
        let lines = block.lines.iter();
        let values = lines.filter_map(|line| self.line_value(line, adversaries));
        values.fold(V::LOST, V::better).after_turn()
    }

    /// Returns the value at the end of a line; `None` if the line is impossible with the adversaries where they are.
    fn line_value(&self, line: &BlockLine, adversaries: [PackedAdversary; 2]) -> Option<V> {
        if !line.is_open(adversaries) {
            return None;
        }
        let Some(end) = line.end else {
            return Some(V::WON);
        };
        let at = self.table.find(&self.table.blocks[end], adversaries);
        Some(self.view.at(end)[at])
    }

    /// Computes the values after both adversaries' moves.
    fn choose(
        &self,
        block: &Block,
        Workspace { best, moved, .. }: &mut Workspace<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let [here, other] = block.sides.each_ref().map(|side| side.moved.len());
        let len = if self.table.are_alike {
            binomial(here, 2)
        } else {
            here * other
        };
        best.clear();
        best.resize(len, V::LOST);
        for line in &block.lines {
            clock.work(len as u64)?;
            match *line {
                BlockLine {
                    meets: Some(tile), ..
                } => self.improve_met(best, block, line, tile),
                BlockLine {
                    end: Some(end),
                    is_aligned: true,
                    ..
                } => improve(best, self.view.at(end)),
                _ => self.improve_rows(best, block, line),
            }
        }
        for value in &mut *best {
            *value = value.after_turn();
        }
        self.spread(best, block, moved);
        Ok(())
    }

    /// Improves values by a line on which an adversary must be on `tile`.
    fn improve_met(&self, best: &mut [V], block: &Block, line: &BlockLine, tile: u32) {
        let there = line.end.map(|end| &self.table.blocks[end]);
        let barred: Vec<u32> = line.free.iter().copied().chain([tile]).collect();
        let width = block.sides[1].moved.len();
        for side in if self.table.are_alike { 1..2 } else { 0..2 } {
            let [own, others] = [side, 1 - side].map(|side| &block.sides[side]);
            let runs = runs(others, there.map(|there| &*there.sides[1 - side]), &barred);
            for met in own.moved.at(tile) {
                let here = PairIndex::new(self.table, side, met, width);
                let there = there.map(|there| {
                    let met = there.sides[side].find(own.moved.get(met));
                    PairIndex::new(self.table, side, met, there.sides[1].waiting.len())
                });
                for run in &runs {
                    for nth in 0..run.len {
                        let value = match (line.end, &there) {
                            (Some(end), Some(there)) => {
                                self.view.at(end)[there.with(run.there + nth)]
                            }
                            _ => V::WON,
                        };
                        let best = &mut best[here.with(run.here + nth)];
                        *best = best.better(value);
                    }
                }
            }
        }
    }

    /// Improves values by a line, row by row.
    fn improve_rows(&self, best: &mut [V], block: &Block, line: &BlockLine) {
        let [here, other] = &block.sides;
        let there = line.end.map(|end| &self.table.blocks[end]);
        let barred: Vec<u32> = match there {
            Some(there) => there.barred(line).collect(),
            None => line.free.clone(),
        };
        let runs = runs(other, there.map(|there| &*there.sides[1]), &barred);
        let width = other.moved.len();
        for a in here.moved.numbers() {
            let state = here.moved.get(a);
            if barred.contains(&state.tile()) {
                continue;
            }
            let len = if self.table.are_alike {
                here.moved.before(a).into()
            } else {
                width
            };
            let first = PairIndex::new(self.table, 0, a, width).start;
            self.improve_row(&mut best[first..][..len], line, &runs, state);
        }
    }

    /// Copies the values after both moves to the tables indexed by target, and adds the values of the other targets.
    fn spread(&self, best: &[V], block: &Block, [moved, mirrored]: &mut [Vec<V>; 2]) {
        let [here, other] = &block.sides;
        let [height, width] = [here.moved.len(), other.moved.len()];
        moved.clear();
        moved.resize(here.targets() * width, V::NEUTRAL);
        if self.table.are_alike {
            for b in 0..width {
                let row = &best[rank(&[0, b as StateIndex])..][..b];
                for (a, &value) in row.iter().enumerate() {
                    moved[b * width + a] = value;
                    moved[a * width + b] = value;
                }
            }
            self.add_ends(block, 0, moved, None);
        } else {
            mirrored.clear();
            mirrored.resize(other.targets() * height, V::NEUTRAL);
            for (a, row) in best.chunks_exact(width).enumerate() {
                moved[a * width..][..width].copy_from_slice(row);
                for (b, &value) in row.iter().enumerate() {
                    mirrored[b * height + a] = value;
                }
            }
            self.add_ends(block, 1, mirrored, Some(&moved[..]));
            self.add_ends(block, 0, moved, Some(&mirrored[..]));
        }
    }

    fn improve_row(
        &self,
        row: &mut [V],
        line: &BlockLine,
        runs: &[StateRun],
        state: PackedAdversary,
    ) {
        let first = line.end.map(|end| {
            let there = &self.table.blocks[end];
            let (a, width) = (there.sides[0].find(state), there.sides[1].waiting.len());
            &self.view.at(end)[PairIndex::new(self.table, 0, a, width).start..]
        });
        let end = row.len();
        for run in runs.iter().take_while(|run| run.here < end) {
            let row = &mut row[run.here..end.min(run.here + run.len)];
            match first {
                None => row.fill(V::WON),
                Some(there) => improve(row, &there[run.there..]),
            }
        }
    }

    /// Computes the values of the results that are not states of the block ([`End`]).
    fn add_ends(&self, block: &Block, side: usize, moved: &mut [V], mirrored: Option<&[V]>) {
        let [this, other] = [&block.sides[side], &block.sides[1 - side]];
        let width = other.moved.len();
        let arrivals = block.arrivals(side);
        for (nth, &end) in this.ends.iter().enumerate() {
            let target = this.none() + 1 + nth;
            for state in other.moved.numbers() {
                let value = match end {
                    End::Caught(player, cooldown) => {
                        let (tile, left) = block.caught[player];
                        let mut adversaries = [other.moved.get(state); 2];
                        adversaries[side] = PackedAdversary::moved(tile, cooldown);
                        left.map_or(V::LOST, |left| {
                            self.value(&self.table.blocks[left], adversaries)
                        })
                    }
                    End::Teleports(_) => {
                        let height = this.moved.len();
                        let row = match &mirrored {
                            None => &moved[usize::from(state) * width..][..width],
                            Some(mirrored) => &mirrored[usize::from(state) * height..][..height],
                        };
                        arrive(&arrivals[nth], row, other.moved.tile(state))
                    }
                };
                moved[target * width + usize::from(state)] = value;
            }
        }
    }

    /// Computes the values before both moves, in the states in which the adversary `later` moves second.
    fn draw(
        &self,
        block: &Block,
        later: usize,
        workspace: &mut Workspace<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let Workspace {
            moved, row, values, ..
        } = workspace;
        let (moved, earlier) = (&moved[later], 1 - later);
        let [first, second] = [&block.sides[earlier], &block.sides[later]];
        let geometry = &self.table.mdp.geometry;
        let width = first.moved.len();
        let (catches, arrivals) = (self.catches(block, earlier), block.arrivals(earlier));
        let is_player = |tile| block.caught.iter().any(|&(player, _)| player == tile);
        for y in second.waiting.numbers() {
            clock.work(2 * width as u64)?;
            let tile = second.waiting.tile(y);
            if is_player(tile) {
                continue;
            }
            row.clear();
            row.resize(width, V::NEUTRAL);
            let target = |draw: &Draw, row: &mut [V], range: Range<usize>| {
                let sources = draw
                    .targets
                    .map(|target| &moved[usize::from(target) * width..][..width][range.clone()]);
                means(sources, draw.count, &mut row[range.clone()], |_, new| new);
            };
            target(second.draw_at(Obstacle::default(), y), row, 0..width);
            let near = || geometry.neighbours(tile).iter().copied().flatten();
            for other in near()
                .chain(block.teleports.only)
                .filter(|&other| other != tile)
            {
                let range = first.moved.at(other);
                target(
                    second.draw_at(block.obstacle(geometry, tile, other), y),
                    row,
                    range.start.into()..range.end.into(),
                );
            }
            row.push(V::NEUTRAL);
            for (end, (caught, arrivals)) in first.ends.iter().zip(catches.iter().zip(&arrivals)) {
                let value = match *end {
                    End::Caught(..) => caught[usize::from(y)],
                    End::Teleports(_) => arrive(arrivals, row, tile),
                };
                row.push(value);
            }
            let pairs = PairIndex::new(self.table, later, y, block.sides[1].waiting.len());
            let mut put = |states: Range<StateIndex>, obstacle: Obstacle| {
                let draws = first.draws_at(obstacle, states.clone());
                // An empty run may start after the last pair, where slicing would panic.
                let values = values.iter_mut().skip(pairs.with(states.start.into()));
                for (value, draw) in values.step_by(pairs.stride).zip(draws) {
                    *value = mean(draw, |target| row[usize::from(target)]);
                }
            };
            put(0..first.waiting.at(tile).start, block.distant(tile));
            for other in near().filter(|&other| other < tile) {
                put(
                    first.waiting.at(other),
                    block.obstacle(geometry, other, tile),
                );
            }
        }
        // Runs are computed as a whole, also where the earlier adversary is on a player's tile.
        self.clear_players(block, earlier, values);
        Ok(())
    }

    /// Marks the states in which the adversary `side` is on the tile of a player as lost, except those with both adversaries on
    /// one tile, which no game reaches.
    fn clear_players(&self, block: &Block, side: usize, values: &mut [V]) {
        let [own, others] = [side, 1 - side].map(|side| &block.sides[side].waiting);
        for &(tile, _) in &block.caught {
            for state in own.at(tile) {
                let pairs = PairIndex::new(self.table, side, state, block.sides[1].waiting.len());
                for other in others.numbers().filter(|&other| others.tile(other) != tile) {
                    values[pairs.with(other.into())] = V::LOST;
                }
            }
        }
    }

    /// Returns the values after the earlier adversary catches a player, indexed by its end and the state of the later one.
    fn catches(&self, block: &Block, earlier: usize) -> Vec<Vec<V>> {
        let later = 1 - earlier;
        let waiting = &block.sides[later].waiting;
        let catches = block.sides[earlier].ends.iter().map(|&end| {
            let End::Caught(player, cooldown) = end else {
                return Vec::new();
            };
            let (tile, left) = block.caught[player];
            let Some(left) = left else {
                return vec![V::LOST; waiting.len()];
            };
            let left = &self.table.blocks[left];
            let side = &left.sides[later];
            let mut adversaries = [PackedAdversary::moved(tile, cooldown); 2];
            let mut row: Vec<V> = Vec::new();
            for state in side.moved.numbers() {
                adversaries[later] = side.moved.get(state);
                row.push(self.value(left, adversaries));
            }
            row.push(V::NEUTRAL);
            for (end, arrivals) in side.ends.iter().zip(left.arrivals(later)) {
                row.push(match *end {
                    // Only one player is left.
                    End::Caught(..) => V::LOST,
                    End::Teleports(_) => arrive(&arrivals, &row, tile),
                });
            }
            let value = |state: StateIndex| {
                let state = side.find(waiting.get(state));
                let obstacle =
                    left.obstacle(&self.table.mdp.geometry, side.waiting.tile(state), tile);
                mean(side.draw_at(obstacle, state), |target| {
                    row[usize::from(target)]
                })
            };
            waiting.numbers().map(value).collect()
        });
        catches.collect()
    }
}

/// Lists the runs of an adversary's states after its move, without those on `barred` tiles. At the end of the line, the adversary
/// has the states of `there`, which is `None` if the line wins.
fn runs(other: &Side, there: Option<&Side>, barred: &[u32]) -> Vec<StateRun> {
    let states = other.moved.numbers();
    let open = states.filter(|&here| !barred.contains(&other.moved.tile(here)));
    let end = |here| there.map_or(0, |there| there.find(other.moved.get(here)));
    StateRun::join(open.map(|here| (here, end(here))))
}

fn improve<V: ValueDomain>(best: &mut [V], others: &[V]) {
    for (best, &other) in best.iter_mut().zip(others) {
        *best = best.better(other);
    }
}

/// Returns the value of a teleport while the other adversary is on the tile `taken`; a neutral value if no other tile is free.
fn arrive<V: ValueDomain>(arrivals: &Arrivals, row: &[V], taken: u32) -> V {
    let (mut rooms, mut count) = (V::EMPTY_SUM, 0);
    for room in arrivals {
        let (mut sum, mut free) = (V::EMPTY_SUM, 0);
        for &(_, state) in room.iter().filter(|&&(tile, _)| tile != taken) {
            sum = V::add(sum, row[usize::from(state)]);
            free += 1;
        }
        if free > 0 {
            rooms = V::add(rooms, V::mean(sum, free));
            count += 1;
        }
    }
    if count == 0 {
        V::NEUTRAL
    } else {
        V::mean(rooms, count)
    }
}
