//! The graph of an MDP: the successors of each node, indexed by small ids.

use std::ops::Range;

use rayon::prelude::*;

use super::model::{Mdp, Owner, Successor};
use super::nodes::{FIRST_ID, Nodes, Share};
use crate::limits::{Budget, Limit};

pub(super) const LOST: u32 = 0;
pub(super) const WON: u32 = 1;

/// The nodes, indexed by id. The two ends have no successors.
#[derive(Debug)]
pub(super) struct Graph {
    lists: Lists,
    by_player: Vec<bool>,
}

/// Lists of ids, stored one after another.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The start of each list, and the end of the last one.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) const fn new(starts: Vec<u32>, items: Vec<u32>) -> Self {
        Self { starts, items }
    }

    /// Makes `count` lists from pairs of a list's number and an item.
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
        let most = ids.iter().map(|id| label(id).0).max().unwrap_or(0);
        Self::of_pairs(most as usize + 1, || ids.iter().map(label), budget)
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, id: u32) -> &[u32] {
        let Range { start, end } = self.range(id);
        &self.items[start as usize..end as usize]
    }

    pub(super) fn items(&self, ids: &Range<usize>) -> u64 {
        u64::from(self.starts[ids.end] - self.starts[ids.start])
    }

    pub(super) fn item(&self, at: u32) -> u32 {
        self.items[at as usize]
    }

    pub(super) fn range(&self, id: u32) -> Range<u32> {
        self.starts[id as usize]..self.starts[id as usize + 1]
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
    pub(super) fn build<M: Mdp>(mdp: &M, nodes: &Nodes, budget: &Budget) -> Result<Self, Limit> {
        let len = nodes.len() as usize + FIRST_ID as usize;
        let mut starts = budget.filled(0, len + 1)?;
        let mut by_player = budget.filled(false, len)?;
        let mut items = budget.filled(LOST, nodes.steps() as usize)?;
        let mut shares = shares(nodes, (&mut starts, &mut by_player, &mut items));
        let fill = |share: &mut GraphShare| share.fill(mdp, nodes, budget);
        if budget.limits.threads > 1 && mdp.has_fixed_numbers() {
            let shares = shares.par_iter_mut().with_max_len(1);
            shares.try_for_each(fill)?;
        } else {
            shares.iter_mut().try_for_each(fill)?;
        }
        starts[len] = items.len() as u32;
        Ok(Self {
            lists: Lists::new(starts, items),
            by_player,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    pub(super) fn successors(&self, id: u32) -> &[u32] {
        self.lists.get(id)
    }

    pub(super) const fn lists(&self) -> &Lists {
        &self.lists
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

    pub(super) fn backward(&self, budget: &Budget) -> Result<Lists, Limit> {
        self.lists.reversed(budget)
    }
}

struct GraphShare<'a> {
    nodes: Share<'a>,
    starts: &'a mut [u32],
    by_player: &'a mut [bool],
    items: &'a mut [u32],
}

fn shares<'a>(
    nodes: &'a Nodes,
    (starts, by_player, items): (&'a mut [u32], &'a mut [bool], &'a mut [u32]),
) -> Vec<GraphShare<'a>> {
    let first = FIRST_ID as usize;
    let mut rest = (&mut starts[first..], &mut by_player[first..], items);
    let all = "each node and each step is in a share";
    let share = |nodes: Share<'a>| GraphShare {
        starts: rest.0.split_off_mut(..nodes.ids.len()).expect(all),
        by_player: rest.1.split_off_mut(..nodes.ids.len()).expect(all),
        items: rest.2.split_off_mut(..nodes.steps.len()).expect(all),
        nodes,
    };
    nodes.shares().map(share).collect()
}

impl GraphShare<'_> {
    fn fill<M: Mdp>(&mut self, mdp: &M, all: &Nodes, budget: &Budget) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut successors = Vec::new();
        let mut filled = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            self.starts[at] = (self.nodes.steps.start + filled) as u32;
            successors.clear();
            let owner = mdp.successors_within(node, &mut successors, &mut clock)?;
            self.by_player[at] = owner == Owner::Player;
            for (item, &next) in self.items[filled..].iter_mut().zip(&successors) {
                clock.work(8)?;
                *item = match next {
                    Successor::Lost => LOST,
                    Successor::Won => WON,
                    Successor::Node(node) => all.id(node),
                };
            }
            filled += successors.len();
        }
        Ok(())
    }
}

pub(super) struct BackwardGraph<'a> {
    pub(super) graph: &'a Graph,
    /// The predecessors of each id; a node with several edges to it is listed once for each edge.
    pub(super) predecessors: Lists,
}

impl<'a> BackwardGraph<'a> {
    pub(super) fn of(graph: &'a Graph, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            graph,
            predecessors: graph.backward(budget)?,
        })
    }
}
