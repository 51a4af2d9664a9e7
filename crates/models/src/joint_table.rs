//! Tables for two players, who take at most one step per turn, and two adversaries that can move, swept without a list of
//! successors.
//!
//! A *block* belongs to a position of the players, who have just moved, and holds a value for each pair of states of the
//! adversaries. Its update follows a whole turn backwards: from the values of the blocks to which the next moves of the players
//! lead, through the draw of the later adversary, to the draw of the earlier one.

mod block;
mod update;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::DungeonMdp;
use super::joint_positions::{JointLine, JointPositions};
use crate::abstraction::{StateIndex, binomial};
use crate::code::PackedAdversary;
use block::{Block, BlockBuilder, BlockLine};
use getaway_board::grid::Cell;
use getaway_board::limits::{Budget, Limit};
use getaway_chance::{Mdp, Successor, SweepView, Sweeper, Tables, Tabular, Valuation, ValueDomain};
use getaway_rules::dungeon::Strategy;
use update::{TurnUpdate, Workspace};

/// The maximum number of states.
const MAX: u64 = 1 << 28;

/// The maximum number of position numbers, including those for the middle of a turn and those that stand for no position.
const MAX_POSITIONS: u32 = 1 << 16;

/// Solves a level with two players and two adversaries that can move. Returns `None` if the level has other numbers of actors, a
/// player in a wall, a `speed` above 1, fewer than `min` states, or too many states or positions; if the values converge too
/// slowly; or if some number of turns is too large to count.
///
/// # Errors
///
/// Returns the limit that was reached before the sweeps.
pub fn solve_by_joint_table(
    mdp: &Arc<DungeonMdp>,
    min: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    let table = JointTable::new(mdp, min, budget)?;
    Ok(table.and_then(|table| table.solve(budget)))
}

/// The tables of a level.
#[derive(Debug)]
struct JointTable {
    mdp: Arc<DungeonMdp>,
    /// The reachable blocks, sorted: those with the key taken first, among equals those with fewer players, then those nearer to
    /// a win.
    blocks: Vec<Block>,
    sweeper: Sweeper,
    /// True if the adversaries are interchangeable.
    are_alike: bool,
    /// The number of the initial block.
    first: usize,
}

/// The number of rounds of sweeps after which lower bounds that still rise are given up.
const MAX_ROUNDS: usize = 150;

/// For each position of the players, the ways in which they may move in one turn.
type Lines = BTreeMap<u32, Vec<JointLine>>;

impl JointTable {
    /// Builds the tables; `None` if the level has other numbers of actors, a player in a wall, a `speed` above 1, fewer than `min`
    /// states, or too many states or positions.
    fn new(mdp: &Arc<DungeonMdp>, min: usize, budget: &Budget) -> Result<Option<Self>, Limit> {
        let dungeon = &mdp.dungeon;
        let Some(joint) = mdp.geometry.joint.as_ref() else {
            return Ok(None);
        };
        let initial = mdp.unpack(mdp.initial());
        let players = joint.get(initial.position);
        let are_two = players.cells().len() == 2 && mdp.mobile_count() == 2;
        // The header `things` can place a player in a wall.
        let is_ground = |&cell: &Cell| mdp.geometry.tile_at(cell).is_some();
        let is_fit = are_two && players.cells().iter().all(is_ground);
        if !is_fit || dungeon.settings.speed != 1 || joint.len() > MAX_POSITIONS {
            return Ok(None);
        }
        let lines = lines(mdp, joint, initial.position);
        let mut order: Vec<u32> = lines.keys().copied().collect();
        order.sort_by_cached_key(|&position| {
            let players = joint.get(position);
            (players.key, players.cells().len(), joint.distance(&players))
        });
        let grounds = grounds(mdp);
        let are_alike = mdp.ghosts != 1 && grounds[0] == grounds[1];
        let max_cooldown = max_cooldown(mdp, &order);
        let number: BTreeMap<u32, usize> = order.iter().copied().zip(0..).collect();
        let builder = BlockBuilder {
            mdp,
            joint,
            grounds: &grounds,
            are_alike,
            max_cooldown,
            lines: &lines,
            number: &number,
        };
        let Some(starts) = starts(&builder, &order, budget)? else {
            return Ok(None);
        };
        if starts.last() < Some(&min) {
            return Ok(None);
        }
        let block = |&position: &u32| {
            budget.limits.check_time()?;
            Ok(builder.block(position))
        };
        let build = || order.par_iter().map(block).collect();
        let blocks: Result<Vec<Option<Block>>, Limit> = budget.limits.on_threads(build);
        let Some(mut blocks) = blocks?.into_iter().collect::<Option<Vec<Block>>>() else {
            return Ok(None);
        };
        budget.limits.on_threads(|| align(&mut blocks));
        let sweeper = Sweeper::new(starts, |at| blocks[at].sources(&blocks).into_iter());
        Ok(Some(Self {
            mdp: Arc::clone(mdp),
            blocks,
            sweeper,
            are_alike,
            first: number[&initial.position],
        }))
    }

    /// Solves the level; `None` if the values converge too slowly, or some number of turns is too large to count.
    fn solve(self, budget: &Budget) -> Option<Valuation> {
        let choices = self.first_choices();
        Tables::new(self, budget.limits.threads, MAX_ROUNDS).enclose(&choices, budget)
    }

    /// Lists the results of the players' possible first moves.
    fn first_choices(&self) -> Vec<Successor> {
        let initial = self.mdp.unpack(self.mdp.initial());
        let adversaries = [0, 1].map(|at| initial.adversaries[at]);
        let lines = self.blocks[self.first].lines.iter();
        let open = lines.filter(|line| line.is_open(adversaries));
        let choices = open.map(|line| match line.end {
            None => Successor::Won,
            Some(end) => {
                let at = self.find(&self.blocks[end], adversaries);
                Successor::Node((self.sweeper.range(end).start + at) as u64)
            }
        });
        choices.collect()
    }

    /// Returns the index within the block of the adversaries' states before their moves.
    fn find(&self, block: &Block, adversaries: [PackedAdversary; 2]) -> usize {
        let find = |side: usize| block.sides[side].find(adversaries[side]);
        let pairs = PairIndex::new(self, 0, find(0), block.sides[1].waiting.len());
        pairs.with(find(1).into())
    }
}

impl Tabular for JointTable {
    type Scratch<V: ValueDomain> = Workspace<V>;

    fn sweeper(&self) -> &Sweeper {
        &self.sweeper
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        workspace: &'s mut Workspace<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        TurnUpdate { table: self, view }.values(workspace, &mut budget.clock())
    }
}

/// The indices of pairs of states of which one is fixed.
struct PairIndex {
    /// True if the smaller state comes first, as between alike adversaries.
    are_alike: bool,
    fixed: usize,
    start: usize,
    stride: usize,
}

impl PairIndex {
    /// Fixes the state of the adversary `side` (0 or 1); the second adversary has `width` states.
    fn new(table: &JointTable, side: usize, state: StateIndex, width: usize) -> Self {
        let fixed = usize::from(state);
        let (start, stride) = match (table.are_alike, side) {
            (true, _) => (binomial(fixed, 2), 1),
            (_, 0) => (fixed * width, 1),
            (_, _) => (fixed, width),
        };
        Self {
            are_alike: table.are_alike,
            fixed,
            start,
            stride,
        }
    }

    /// Returns the index of the pair with the other adversary's state `other`.
    fn with(&self, other: usize) -> usize {
        if self.are_alike && other > self.fixed {
            self.fixed + binomial(other, 2)
        } else {
            self.start + other * self.stride
        }
    }
}

/// Sets [`BlockLine::is_aligned`] for all lines.
fn align(blocks: &mut [Block]) {
    let of_line = |block: &Block, line: &BlockLine| {
        line.meets.is_none()
            && line
                .end
                .is_some_and(|end| block.is_aligned(line, &blocks[end]))
    };
    let of_block = |block: &Block| -> Vec<bool> {
        let lines = block.lines.iter();
        lines.map(|line| of_line(block, line)).collect()
    };
    let all: Vec<_> = blocks.par_iter().map(of_block).collect();
    for (block, of_lines) in blocks.iter_mut().zip(all) {
        for (line, is_aligned) in block.lines.iter_mut().zip(of_lines) {
            line.is_aligned = is_aligned;
        }
    }
}

/// Counts the values of the blocks of these positions, and reserves the memory of the blocks. Returns the index of each block's
/// first value, and then the number of values; `None` if there are too many.
fn starts(
    builder: &BlockBuilder,
    positions: &[u32],
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Limit> {
    let max = budget.limits.max_states.unwrap_or(MAX).min(MAX);
    let (mut starts, mut len, mut clock) = (vec![0], 0, budget.clock());
    for &position in positions {
        let Some(states) = builder.states_of_both(position) else {
            return Ok(None);
        };
        clock.work(states.iter().sum::<usize>() as u64)?;
        budget.take(builder.bytes(position, states))?;
        len += builder.values(states);
        if len as u64 > max {
            return Ok(None);
        }
        starts.push(len);
    }
    Ok(Some(starts))
}

/// Lists the lines at each position that play can reach.
fn lines(mdp: &DungeonMdp, joint: &JointPositions, first: u32) -> Lines {
    let mut all = Lines::new();
    let mut open = vec![first];
    while let Some(position) = open.pop() {
        if all.contains_key(&position) {
            continue;
        }
        let players = joint.get(position);
        let mut lines = Vec::new();
        let is_immobile = |cell| mdp.geometry.is_immobile(cell);
        joint.add_lines(&players, &JointLine::default(), &is_immobile, &mut lines);
        open.extend(lines.iter().filter_map(|line| line.end));
        let caught = players
            .cells()
            .iter()
            .map(|&cell| joint.caught(players, cell));
        open.extend(caught.flatten());
        all.insert(position, lines);
    }
    all
}

/// Returns the tiles on which each adversary may be. The adversaries are in the order that they have in nodes.
fn grounds(mdp: &DungeonMdp) -> [Vec<u32>; 2] {
    let initial = mdp.unpack(mdp.initial());
    [0, 1].map(|at| {
        let room = mdp
            .dungeon
            .level
            .room_of(mdp.geometry.cell(initial.adversaries[at].tile()));
        let all = 0..mdp.geometry.tile_count();
        let mut ground = match room {
            Some(room) if at >= mdp.ghosts => mdp.geometry.rooms[room as usize].clone(),
            _ => all.collect(),
        };
        ground.retain(|&tile| !mdp.geometry.has_immobile(tile));
        ground
    })
}

/// Returns the maximum cooldown that tables keep: 0 if there are no cooldowns, or if ghosts see a player from wherever they are.
fn max_cooldown(mdp: &DungeonMdp, positions: &[u32]) -> u8 {
    let radius = u32::from(mdp.dungeon.settings.radius);
    let is_near = |cell: &Cell| {
        (0..mdp.geometry.tile_count()).all(|tile| mdp.geometry.distance_to(*cell, tile) <= radius)
    };
    let sees = |&position: &u32| mdp.geometry.players(position).cells().iter().any(is_near);
    match mdp.dungeon.settings.strategy {
        Strategy::Cooldown if mdp.ghosts > 0 && !positions.iter().all(sees) => mdp.max_cooldown(),
        _ => 0,
    }
}
