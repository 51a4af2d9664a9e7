//! The update of a block.

use std::ops::Range;

use super::JointTable;
use super::block::{Block, BlockLine, End, Obstacle, Side};
use crate::abstraction::{Draw, StateIndex, mean, rank};
use crate::code::PackedAdversary;
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{SweepView, ValueDomain, means};

/// The workspace of an update.
pub(super) struct Workspace<V> {
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
            moved: [Vec::new(), Vec::new()],
            row: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// Consecutive states that lead to consecutive states at the end of a line.
struct StateRun {
    here: usize,
    there: usize,
    len: usize,
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
        self.choose(block, &mut workspace.moved, clock)?;
        workspace.values.clear();
        workspace
            .values
            .resize(self.view.at(self.view.block()).len(), V::LOST);
        for later in 0..if self.table.are_alike { 1 } else { 2 } {
            self.draw(block, later, workspace, clock)?;
        }
        Ok(&workspace.values)
    }

    /// Returns the value at the start of a turn.
    pub(super) fn value(&self, block: &Block, adversaries: [PackedAdversary; 2]) -> V {
        if adversaries[0].tile() == adversaries[1].tile() {
            return V::NEUTRAL;
        }
        let is_on = |tile| adversaries.iter().any(|other| other.tile() == tile);
        let value = |line: &BlockLine| {
            let is_open =
                !line.free.iter().any(|&tile| is_on(tile)) && line.meets.is_none_or(is_on);
            let Some(end) = line.end else {
                return is_open.then_some(V::WON);
            };
            let there = &self.table.blocks[end];
            let [a, b] = [0, 1].map(|side| there.sides[side].waiting.find(adversaries[side]));
            let at = self.table.index(there, [a?, b?]);
            is_open.then(|| self.view.at(end)[at])
        };
        let values = block.lines.iter().filter_map(value);
        values.fold(V::LOST, V::better).after_turn()
    }

    /// Computes the values after both adversaries' moves.
    fn choose(
        &self,
        block: &Block,
        [moved, mirrored]: &mut [Vec<V>; 2],
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let [here, other] = &block.sides;
        let width = other.moved.len();
        let everywhere = 0..other.moved.len() as StateIndex;
        let plan = block.lines.iter().map(|line| {
            let met = line
                .meets
                .map(|tile| (tile, self.runs(block, line, other.moved.at(tile))));
            (line, self.runs(block, line, everywhere.clone()), met)
        });
        let plan: Vec<_> = plan.collect();
        moved.clear();
        moved.resize(here.targets() * width, V::NEUTRAL);
        for a in here.moved.numbers() {
            let len = if self.table.are_alike {
                here.moved.before(a) as usize
            } else {
                width
            };
            clock.work((len * block.lines.len()) as u64)?;
            let row = &mut moved[usize::from(a) * width..][..len];
            row.fill(V::LOST);
            let state = here.moved.get(a);
            for (line, all, met) in &plan {
                if !line.free.contains(&state.tile()) {
                    let met = met.as_ref().filter(|(tile, _)| *tile != state.tile());
                    self.improve(row, line, met.map_or(all, |(_, runs)| runs), state);
                }
            }
            for value in row {
                *value = value.after_turn();
            }
        }
        if self.table.are_alike {
            for a in 0..width {
                for b in 0..a {
                    moved[b * width + a] = moved[a * width + b];
                }
            }
            self.add_ends(block, 0, moved, None);
        } else {
            let height = here.moved.len();
            mirrored.clear();
            mirrored.resize(other.targets() * height, V::NEUTRAL);
            for a in 0..height {
                for b in 0..width {
                    mirrored[b * height + a] = moved[a * width + b];
                }
            }
            self.add_ends(block, 1, mirrored, Some(&moved[..]));
            self.add_ends(block, 0, moved, Some(&mirrored[..]));
        }
        Ok(())
    }

    fn runs(&self, block: &Block, line: &BlockLine, range: Range<StateIndex>) -> Vec<StateRun> {
        let other = &block.sides[1];
        let mut runs: Vec<StateRun> = Vec::new();
        for here in range {
            if line.free.contains(&other.moved.tile(here)) {
                continue;
            }
            let there = line.end.map_or(Some(0), |end| {
                self.table.blocks[end].sides[1]
                    .waiting
                    .find(other.moved.get(here))
            });
            let Some(there) = there else { continue };
            let (here, there) = (usize::from(here), usize::from(there));
            match runs.last_mut() {
                Some(run) if (run.here + run.len, run.there + run.len) == (here, there) => {
                    run.len += 1;
                }
                _ => runs.push(StateRun {
                    here,
                    there,
                    len: 1,
                }),
            }
        }
        runs
    }

    fn improve(&self, row: &mut [V], line: &BlockLine, runs: &[StateRun], state: PackedAdversary) {
        let first = line.end.map(|end| {
            let there = &self.table.blocks[end];
            let a = there.sides[0]
                .waiting
                .find(state)
                .expect("no player is in the adversary's way");
            let first = if self.table.are_alike {
                rank(&[0, a])
            } else {
                usize::from(a) * there.sides[1].waiting.len()
            };
            &self.view.at(end)[first..]
        });
        let end = row.len();
        for run in runs.iter().take_while(|run| run.here < end) {
            let row = &mut row[run.here..end.min(run.here + run.len)];
            match first {
                None => row.fill(V::WON),
                Some(there) => {
                    for (best, &value) in row.iter_mut().zip(&there[run.there..]) {
                        *best = best.better(value);
                    }
                }
            }
        }
    }

    /// Computes the values of the targets beyond the states.
    fn add_ends(&self, block: &Block, side: usize, moved: &mut [V], mirrored: Option<&[V]>) {
        let [this, other] = [&block.sides[side], &block.sides[1 - side]];
        let width = other.moved.len();
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
                    End::Teleports(cooldown) => {
                        let height = this.moved.len();
                        let row = match &mirrored {
                            None => &moved[usize::from(state) * width..][..width],
                            Some(mirrored) => &mirrored[usize::from(state) * height..][..height],
                        };
                        arrive(block, this, cooldown, row, other.moved.tile(state))
                    }
                };
                moved[target * width + usize::from(state)] = value;
            }
        }
    }

    /// Computes the values before the earlier adversary's move, if `later` moves later.
    fn draw(
        &self,
        block: &Block,
        later: usize,
        workspace: &mut Workspace<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let Workspace { moved, row, values } = workspace;
        let (moved, earlier) = (&moved[later], 1 - later);
        let [first, second] = [&block.sides[earlier], &block.sides[later]];
        let neighbours = &self.table.neighbours;
        let width = first.moved.len();
        let catches = self.catches(block, earlier);
        for y in second.waiting.numbers() {
            clock.work(2 * width as u64)?;
            let tile = second.waiting.tile(y);
            row.clear();
            row.resize(width, V::NEUTRAL);
            let target = |draw: &Draw, row: &mut [V], range: Range<usize>| {
                let sources = draw
                    .targets
                    .map(|target| &moved[usize::from(target) * width..][..width][range.clone()]);
                means(sources, draw.count, &mut row[range.clone()], |_, new| new);
            };
            target(second.draw_at(Obstacle::default(), y), row, 0..width);
            let near = neighbours[tile as usize].into_iter().flatten();
            for other in near
                .chain(block.teleports.only)
                .filter(|&other| other != tile)
            {
                let range = first.moved.at(other);
                target(
                    block.draw(later, y, other, neighbours),
                    row,
                    range.start.into()..range.end.into(),
                );
            }
            row.push(V::NEUTRAL);
            for (end, caught) in first.ends.iter().zip(&catches) {
                let value = match *end {
                    End::Caught(..) => caught[usize::from(y)],
                    End::Teleports(cooldown) => arrive(block, first, cooldown, row, tile),
                };
                row.push(value);
            }
            let end = first.waiting.at(tile).start;
            let mut put = |x: StateIndex, draw: &Draw| {
                let at = match (self.table.are_alike, later) {
                    (true, _) => rank(&[x, y]),
                    (_, 1) => usize::from(x) * second.waiting.len() + usize::from(y),
                    (_, _) => usize::from(y) * first.waiting.len() + usize::from(x),
                };
                values[at] = mean(draw, |target| row[usize::from(target)]);
            };
            for x in 0..end {
                put(x, first.draw_at(block.distant(tile), x));
            }
            for other in neighbours[tile as usize].into_iter().flatten() {
                for x in first.waiting.at(other).filter(|&x| x < end) {
                    put(x, block.draw(earlier, x, tile, neighbours));
                }
            }
        }
        Ok(())
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
            for end in &side.ends {
                row.push(match *end {
                    End::Caught(..) => V::LOST,
                    End::Teleports(cooldown) => arrive(left, side, cooldown, &row, tile),
                });
            }
            let value = |state: StateIndex| {
                let state = side
                    .waiting
                    .find(waiting.get(state))
                    .expect("fewer players are in the way");
                let draw = left.draw(later, state, tile, &self.table.neighbours);
                mean(draw, |target| row[usize::from(target)])
            };
            waiting.numbers().map(value).collect()
        });
        catches.collect()
    }
}

/// Returns the value of a teleport while the other adversary is on the tile `taken`.
fn arrive<V: ValueDomain>(block: &Block, ghost: &Side, cooldown: u8, row: &[V], taken: u32) -> V {
    let (mut rooms, mut count) = (V::EMPTY_SUM, 0);
    for room in &block.teleports.rooms {
        let (mut sum, mut free) = (V::EMPTY_SUM, 0);
        for &tile in room.iter().filter(|&&tile| tile != taken) {
            let state = ghost.moved.find(PackedAdversary::moved(tile, cooldown));
            sum = V::add(
                sum,
                row[usize::from(state.expect("a ghost can be on a free tile"))],
            );
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
