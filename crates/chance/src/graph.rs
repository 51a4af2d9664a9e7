//! The graph of an MDP: the successors of each node, indexed by small ids.

use std::ops::Range;

use super::model::{Mdp, Owner, Successor};
use super::nodes::{FIRST_ID, Nodes};
use getaway_board::limits::{Budget, Limit};

pub(super) const LOST: u32 = 0;
pub(super) const WON: u32 = 1;

/// The successors and the owner of each node, indexed by id. The two ends, [`LOST`] and [`WON`], have no successors.
#[derive(Debug, Default)]
pub(super) struct Graph {
    lists: IdLists,
    by_player: Vec<bool>,
}

/// Lists of ids, stored one after another.
#[derive(Debug, Default)]
pub(super) struct IdLists {
    /// The start of each list, and the end of the last one.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl IdLists {
    pub(super) const fn new(starts: Vec<u32>, items: Vec<u32>) -> Self {
        Self { starts, items }
    }

    /// Makes lists from pairs of a list's number and an item.
    fn of_pairs<I>(count: usize, pairs: impl Fn() -> I, budget: &Budget) -> Result<Self, Limit>
    where
        I: Iterator<Item = (u32, u32)>,
    {
        // While the lists are filled, `starts[list + 1]` is the position of the next item.
        let mut starts = budget.filled(0_u32, count + 2)?;
        for (list, _) in pairs() {
            starts[list as usize + 2] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut items = budget.filled(0, starts[count + 1] as usize)?;
        for (list, item) in pairs() {
            let next = &mut starts[list as usize + 1];
            items[*next as usize] = item;
            *next += 1;
        }
        starts.pop();
        Ok(Self { starts, items })
    }

    /// Lists, for each label, the ids that have it, in their given order.
    pub(super) fn by_label(labels: &[u32], ids: &[u32], budget: &Budget) -> Result<Self, Limit> {
        let label = |&id: &u32| (labels[id as usize], id);
        let max = ids.iter().map(|id| label(id).0).max().unwrap_or(0);
        Self::of_pairs(max as usize + 1, || ids.iter().map(label), budget)
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, id: u32) -> &[u32] {
        &self.items[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }

    /// Lists, for each id, the lists that contain it, once for each occurrence.
    fn reversed(&self, budget: &Budget) -> Result<Self, Limit> {
        let pairs = || {
            let lists = (0..).zip(self.iter());
            lists.flat_map(|(list, ids)| ids.iter().map(move |&id| (id, list)))
        };
        Self::of_pairs(self.len(), pairs, budget)
    }

    pub(super) fn free(self, budget: &Budget) {
        budget.free(self.starts);
        budget.free(self.items);
    }
}

impl Graph {
    pub(super) const fn new(lists: IdLists, by_player: Vec<bool>) -> Self {
        Self { lists, by_player }
    }

    pub(super) fn build<M: Mdp>(mdp: &M, nodes: &Nodes, budget: &Budget) -> Result<Self, Limit> {
        let len = nodes.len() as usize + FIRST_ID as usize;
        let mut starts = budget.with_capacity(len + 1)?;
        let mut by_player = budget.with_capacity(len)?;
        let mut items = budget.with_capacity(nodes.edges() as usize)?;
        starts.resize(FIRST_ID as usize + 1, 0);
        by_player.resize(FIRST_ID as usize, false);
        let (mut successors, mut clock) = (Vec::new(), budget.clock());
        for node in nodes.iter() {
            successors.clear();
            let owner = mdp.successors_within(node, &mut successors, &mut clock)?;
            for &next in &successors {
                clock.work(8)?;
                items.push(match next {
                    Successor::Lost => LOST,
                    Successor::Won => WON,
                    Successor::Node(node) => nodes.id(node),
                });
            }
            starts.push(items.len() as u32);
            by_player.push(owner == Owner::Player);
        }
        Ok(Self::new(IdLists::new(starts, items), by_player))
    }

    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    pub(super) fn successors(&self, id: u32) -> &[u32] {
        self.lists.get(id)
    }

    pub(super) fn edges_from(&self, ids: &Range<u32>) -> u64 {
        let starts = &self.lists.starts;
        u64::from(starts[ids.end as usize] - starts[ids.start as usize])
    }

    pub(super) fn owner(&self, id: u32) -> Owner {
        if self.by_player[id as usize] {
            Owner::Player
        } else {
            Owner::Chance
        }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = u32> + use<> {
        FIRST_ID..self.len() as u32
    }
}

pub(super) struct BackwardGraph<'a> {
    pub(super) graph: &'a Graph,
    /// The predecessors of each id, once for each edge.
    pub(super) predecessors: IdLists,
}

impl<'a> BackwardGraph<'a> {
    pub(super) fn of(graph: &'a Graph, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            graph,
            predecessors: graph.lists.reversed(budget)?,
        })
    }
}
