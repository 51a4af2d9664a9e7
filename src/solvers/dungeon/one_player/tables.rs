//! Levels with several adversaries by tables.
//!
//! Most nodes of an MDP with several adversaries say the same again and again: what one of them can do depends on the
//! others only if they are next to it, or on a tile that it may be teleported to. So it is enough to know, for each
//! position of the player, what each can do alone, and what if others are next to it ([`position`]). The values of
//! the states in which the player has moved and all adversaries wait then follow from one another without lists of
//! successors: for each position of the player first the best choice when all have moved ([`choose`]), then the
//! draws, the last one first ([`draw`]).
//!
//! The questions, and the sweeps that answer them, are those of [`crate::engine::mdp`]: a *block* is a position of
//! the player.

mod choose;
mod draw;
mod position;
mod states;

use std::ops::Range;
use std::sync::Arc;

use super::OnePlayerMdp;
use super::code::{Node, Phase};
use crate::engine::mdp::{Mode, Tabular, ValueDomain, View, table_bytes};
use crate::limits::{Budget, Clock, Limit, bytes};
use choose::Choosing;
use draw::{Drawing, Level};
use position::PositionTable;
use states::{Kind, MAX_OF_A_KIND, Member, Shape, States, members, part, unpack};

/// The most states that tables are made for, and the most values that are worked out for one position.
const MAX_STATES: usize = 1 << 28;

/// An MDP with several adversaries, as tables.
#[derive(Debug)]
pub(in super::super) struct DenseMdp {
    mdp: Arc<OnePlayerMdp>,
    kinds: Vec<Kind>,
    /// For each position and kind the states of an adversary that waits.
    waiting: Vec<Vec<States>>,
    shapes: Vec<Shape>,
    tables: Vec<PositionTable>,
    /// For each tile those next to it.
    neighbours: Vec<[Option<u32>; 4]>,
    /// Where the states of each position begin, and where the last ones end.
    starts: Vec<usize>,
    /// Consecutive positions whose states do not lead to one another.
    groups: Vec<Range<usize>>,
}

/// What is worked out for a position on the way.
pub(crate) struct Scratch<V: ValueDomain> {
    moved: Vec<V>,
    levels: Vec<Level<V>>,
}

impl<V: ValueDomain> Default for Scratch<V> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl DenseMdp {
    /// The tables of this MDP; `None` if there is a single adversary, or too many of a kind, or hardly a tile to
    /// teleport to, or if there is no room for the tables.
    pub(in super::super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let kinds = kinds(mdp);
        let is_fit = mdp.code.len() > 1 && kinds.iter().all(|kind| kind.count <= MAX_OF_A_KIND);
        // The search for end components needs one bit more.
        if !is_fit || mdp.code.bits() >= u64::BITS {
            return Ok(None);
        }
        let taken = budget.taken();
        match Self::build(mdp, kinds, budget) {
            Ok(Some(dense)) if budget.check(dense.max_bytes(budget.limits.threads)).is_ok() => {
                Ok(Some(dense))
            }
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(
        mdp: &Arc<OnePlayerMdp>,
        kinds: Vec<Kind>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let mut clock = budget.clock();
        let positions = mdp.geometry.positions.len();
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        let (mut waiting, mut shapes, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for position in 0..positions {
            clock.work(mdp.geometry.tile_count().into())?;
            // Where there are as many tiles as adversaries, one of them is free whatever the others do.
            if mdp.geometry.free(&mdp.dungeon, position) < mdp.code.len() {
                return Ok(None);
            }
            budget.take(kinds.iter().map(|kind| States::max_bytes(mdp, kind)).sum())?;
            let states = |kind| States::new(mdp, position, kind, true);
            let Some(states) = kinds.iter().map(states).collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            let Some(shape) = Shape::new(&kinds, &states, MAX_STATES) else {
                return Ok(None);
            };
            let end = starts[waiting.len()] + shape.len;
            if end > MAX_STATES || end as u64 > most {
                return Ok(None);
            }
            starts.push(end);
            waiting.push(states);
            shapes.push(shape);
        }
        // It would be a waste to go on without room for the tables.
        budget.check(table_bytes(starts[waiting.len()]))?;
        let mut tables = Vec::new();
        for position in 0..positions {
            let table = PositionTable::new(mdp, position, &kinds, &waiting, budget)?;
            let Some(table) = table.filter(|table| scratch_len(&kinds, table) <= MAX_STATES) else {
                return Ok(None);
            };
            tables.push(table);
        }
        Ok(Some(Self {
            neighbours: (0..mdp.geometry.tile_count())
                .map(|tile| mdp.neighbour_tiles(tile))
                .collect(),
            mdp: Arc::clone(mdp),
            groups: groups(&tables, &mut clock)?,
            kinds,
            waiting,
            shapes,
            tables,
            starts,
        }))
    }

    /// How much memory it takes at most to solve this with so many threads, in bytes.
    fn max_bytes(&self, threads: usize) -> u64 {
        let scratch = self
            .tables
            .iter()
            .map(|table| scratch_len(&self.kinds, table));
        let blocks = self
            .groups
            .iter()
            .map(|group| self.starts[group.end] - self.starts[group.start]);
        table_bytes(self.len())
            + threads.max(1) as u64 * bytes::<f64>(scratch.max().unwrap_or(0))
            + bytes::<f64>(blocks.max().unwrap_or(0))
    }

    /// The state that a node is; `None` unless all adversaries wait for their moves.
    fn find_node(&self, node: &Node) -> Option<usize> {
        let adversaries = node.adversaries();
        if node.phase == Phase::Player || !adversaries.iter().all(|other| other.waits()) {
            return None;
        }
        let position = node.position as usize;
        let (mut number, mut left) = (self.starts[position], adversaries);
        for (at, kind) in self.kinds.iter().enumerate() {
            let (members, others) = left.split_at(kind.count);
            for (nth, adversary) in (1..).zip(members) {
                let states = &self.waiting[position][at];
                let state = states.find(adversary.tile(), adversary.cooldown())?;
                number += self.shapes[position].strides[at] * part(state, nth);
            }
            left = others;
        }
        Some(number)
    }
}

impl Tabular for DenseMdp {
    type Nodes = OnePlayerMdp;
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn nodes(&self) -> &OnePlayerMdp {
        &self.mdp
    }

    fn starts(&self) -> &[usize] {
        &self.starts
    }

    fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    fn sources(&self, block: usize) -> impl Iterator<Item = usize> {
        let destinations = self.tables[block].destinations.iter();
        destinations.map(|destination| destination.position as usize)
    }

    fn find(&self, node: u64) -> Option<usize> {
        self.find_node(&self.mdp.unpack(node))
    }

    fn node(&self, state: usize) -> u64 {
        let position = self.starts.partition_point(|&start| start <= state) - 1;
        let mut rest = state - self.starts[position];
        let mut adversaries = Vec::new();
        for (at, kind) in self.kinds.iter().enumerate() {
            let states = &self.waiting[position][at];
            let sets = part(states.all().end, kind.count);
            let members = unpack(rest % sets, kind.count);
            let members = members.iter().take(kind.count);
            adversaries.extend(members.map(|&state| states.adversary(state).waiting()));
            rest /= sets;
        }
        let code = &self.mdp.code;
        code.pack(&code.node(position as u32, Phase::Adversaries, adversaries.into_iter()))
    }

    fn choices(&self, block: usize) -> usize {
        self.tables[block].moved_shape.len
    }

    fn update<V: ValueDomain>(
        &self,
        view: &View<V>,
        mode: Mode,
        scratch: &mut Scratch<V>,
        out: &mut [V],
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let table = &self.tables[view.block];
        let left: Vec<Member> = members(&self.kinds).collect();
        let sides = left.iter().map(|member| table.moved[member.kind].len());
        scratch.moved.resize(sides.product(), V::NEUTRAL);
        scratch.levels.resize_with(left.len(), Level::default);
        clock.work(scratch.moved.len() as u64)?;
        let source = |destination: &position::Destination| {
            let position = destination.position as usize;
            (view.at(position), &self.shapes[position].strides[..])
        };
        let mut choosing = Choosing {
            table,
            kinds: &self.kinds,
            sources: table.destinations.iter().map(source).collect(),
            mode,
            out: &mut scratch.moved,
        };
        choosing.run();
        let drawing = Drawing {
            mdp: &self.mdp,
            table,
            waiting: &self.waiting[view.block],
            shape: &self.shapes[view.block],
            neighbours: &self.neighbours,
        };
        drawing.run(&left, &scratch.moved, &mut scratch.levels, out, clock)
    }
}

/// The adversaries that can move, by kinds in the order in which they are packed.
fn kinds(mdp: &OnePlayerMdp) -> Vec<Kind> {
    let groups = super::groups(&mdp.dungeon, &mdp.geometry);
    let kinds = groups.iter().enumerate().map(|(number, group)| Kind {
        count: group.count,
        room: number.checked_sub(1),
    });
    kinds.filter(|kind| kind.count > 0).collect()
}

/// How many values are worked out for a position on the way, at most.
fn scratch_len(kinds: &[Kind], table: &PositionTable) -> usize {
    let sides = members(kinds).map(|member| table.moved[member.kind].len());
    let sides: Vec<usize> = sides.collect();
    let teleports = table.kinds.iter().map(|kind| kind.teleports.len()).max();
    draw::scratch_len(&sides, teleports.unwrap_or(0))
}

/// Positions in order, in groups of those from which the player can't go to another of the group.
fn groups(tables: &[PositionTable], clock: &mut Clock) -> Result<Vec<Range<usize>>, Limit> {
    let leads = |from: usize, to: usize| {
        tables[from]
            .destinations
            .iter()
            .any(|destination| destination.position == to as u32)
    };
    let mut groups: Vec<Range<usize>> = Vec::new();
    for position in 0..tables.len() {
        let is_apart = |group: &Range<usize>| {
            let mut others = group.clone();
            others.all(|other| !leads(other, position) && !leads(position, other))
        };
        clock.work(groups.last().map_or(1, ExactSizeIterator::len) as u64)?;
        match groups.last_mut() {
            Some(group) if is_apart(group) => group.end = position + 1,
            _ => groups.push(position..position + 1),
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests;
