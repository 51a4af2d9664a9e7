//! What the graph alone tells: where the player can win, and where it does so surely.

use super::Decider;
use super::components::Components;
use super::graph::{Graph, Lists, WON};
use crate::limits::{Budget, Limit};

/// What the graph alone tells about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The player can't win.
    Lost,
    /// It can win, but not almost surely.
    Open,
    /// It can win with probability 1.
    Sure,
    /// It can win within a bounded number of turns, whatever the luck. This is found out only if it
    /// is sure to win from the first node.
    Certain,
}

/// What the graph alone tells about all nodes.
#[derive(Debug)]
pub(super) struct Settled {
    standings: Vec<Standing>,
    /// Where the player wins with probability 1: by always choosing the next of the lowest rank it
    /// does.
    ranks: Vec<u32>,
    /// The end components of the open nodes.
    pub(super) components: Components,
    /// The ids on a shortest way from the first node to a win, the win left out; `None` if there is
    /// none.
    pub(super) way_out: Option<Vec<u32>>,
}

/// The rank of what leads nowhere.
const NO_RANK: u32 = u32::MAX;

impl Settled {
    /// Settles whatever can be settled; `first` is the node that the game begins at.
    pub(super) fn of(graph: &Graph, first: u32, budget: &Budget) -> Result<Self, Limit> {
        let backward = Backward::of(graph, budget)?;
        let mut standings = budget.filled(Standing::Lost, graph.len())?;
        let possible = backward.reach(|_| true, budget)?;
        let way_out = way_out(graph, first, &possible, budget)?;
        possible.mark(&mut standings, Standing::Open, budget)?;
        let sure = backward.sure(possible, budget)?;
        sure.mark(&mut standings, Standing::Sure, budget)?;
        // Who does not even win surely from the start will not ask what is certain elsewhere.
        let certain = if sure.is_in[first as usize] {
            backward.certain(budget)?
        } else {
            Reached::win(graph, budget)?
        };
        certain.mark(&mut standings, Standing::Certain, budget)?;
        let ranks = ranks(graph, [&certain, &sure], budget)?;
        certain.drop_from(budget);
        sure.drop_from(budget);
        let components = Components::of(&backward, open(&standings, budget)?, budget)?;
        backward.before.drop_from(budget);
        Ok(Self {
            standings,
            ranks,
            components,
            way_out,
        })
    }

    pub(super) fn standing(&self, id: u32) -> Standing {
        self.standings[id as usize]
    }

    /// The number of the next of `id` by which the player wins with probability 1.
    pub(super) fn surest(&self, graph: &Graph, id: u32) -> usize {
        let nexts = graph.nexts(id).iter().enumerate();
        let best = nexts.min_by_key(|&(_, &next)| self.ranks[next as usize]);
        best.expect("something follows each node").0
    }
}

/// The graph together with its edges turned round.
pub(super) struct Backward<'a> {
    pub(super) graph: &'a Graph,
    pub(super) before: Lists,
}

/// Nodes in the order in which they were reached backwards from the wins.
struct Reached {
    order: Vec<u32>,
    is_in: Vec<bool>,
}

impl Reached {
    fn empty(graph: &Graph, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            order: budget.room(graph.len())?,
            is_in: budget.filled(false, graph.len())?,
        })
    }

    /// The win alone.
    fn win(graph: &Graph, budget: &Budget) -> Result<Self, Limit> {
        let mut reached = Self::empty(graph, budget)?;
        reached.add(WON);
        Ok(reached)
    }

    fn add(&mut self, id: u32) {
        self.is_in[id as usize] = true;
        self.order.push(id);
    }

    /// Adds whatever `joins`, given that something after it is in the set.
    fn grow(
        &mut self,
        before: &Lists,
        budget: &Budget,
        joins: impl Fn(u32, &[bool]) -> bool,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut next = 0;
        while let Some(&id) = self.order.get(next) {
            next += 1;
            clock.work((1 + before.get(id).len()) as u64)?;
            for &id in before.get(id) {
                if !self.is_in[id as usize] && joins(id, &self.is_in) {
                    self.add(id);
                }
            }
        }
        Ok(())
    }

    /// Gives its members this standing.
    fn mark(
        &self,
        standings: &mut [Standing],
        standing: Standing,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        for &id in &self.order {
            clock.work(1)?;
            standings[id as usize] = standing;
        }
        Ok(())
    }

    fn drop_from(self, budget: &Budget) {
        budget.drop_list(self.order);
        budget.drop_list(self.is_in);
    }
}

/// The ids that are open, in order.
fn open(standings: &[Standing], budget: &Budget) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut open = Vec::new();
    for (id, &standing) in (0..).zip(standings) {
        clock.work(1)?;
        if standing == Standing::Open {
            budget.push(&mut open, id)?;
        }
    }
    Ok(open)
}

/// The place of each node in the first of these orders that it is in, later orders counting as
/// later.
fn ranks<const N: usize>(
    graph: &Graph,
    orders: [&Reached; N],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut ranks = budget.filled(NO_RANK, graph.len())?;
    let mut next = 0;
    for &id in orders.into_iter().flat_map(|reached| &reached.order) {
        clock.work(1)?;
        let rank = &mut ranks[id as usize];
        if *rank == NO_RANK {
            *rank = next;
            next += 1;
        }
    }
    Ok(ranks)
}

/// The way from `first` to a win on which each next is the one that was reached first.
fn way_out(
    graph: &Graph,
    first: u32,
    reached: &Reached,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Limit> {
    if !reached.is_in[first as usize] {
        return Ok(None);
    }
    let ranks = ranks(graph, [reached], budget)?;
    let mut way = Vec::new();
    let mut at = first;
    while at != WON {
        budget.push(&mut way, at)?;
        let nexts = graph.nexts(at).iter().copied();
        let nearest = nexts.min_by_key(|&next| ranks[next as usize]);
        at = nearest.expect("something follows each node");
    }
    budget.drop_list(ranks);
    Ok(Some(way))
}

impl<'a> Backward<'a> {
    pub(super) fn of(graph: &'a Graph, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            graph,
            before: graph.backward(budget)?,
        })
    }

    /// From where, within `allowed`, the player can get to a win without leaving that, if lucky.
    fn reach(&self, allowed: impl Fn(u32) -> bool, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = Reached::win(self.graph, budget)?;
        reached.grow(&self.before, budget, |id, _| allowed(id))?;
        Ok(reached)
    }

    /// Where the player wins within a bounded number of turns, whatever the luck.
    fn certain(&self, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = Reached::win(self.graph, budget)?;
        let joins = |id, is_in: &[bool]| match self.graph.decider(id) {
            Decider::Player => true,
            Decider::Luck => {
                let mut nexts = self.graph.nexts(id).iter();
                nexts.all(|&next| is_in[next as usize])
            }
        };
        reached.grow(&self.before, budget, joins)?;
        Ok(reached)
    }

    /// Where the player wins with probability 1, given where it can win at all. Each round takes
    /// out the nodes from which the player can't win without leaving the rest, and then those from
    /// which luck may lead, or the player must go, to one that is out.
    fn sure(&self, possible: Reached, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = possible;
        let mut out = Reached::empty(self.graph, budget)?;
        let mut clock = budget.clock();
        loop {
            out.order.clear();
            for id in 0..self.graph.len() as u32 {
                clock.work(1)?;
                if !reached.is_in[id as usize] && !out.is_in[id as usize] {
                    out.add(id);
                }
            }
            if out.order.is_empty() {
                out.drop_from(budget);
                return Ok(reached);
            }
            out.grow(&self.before, budget, |id, out| {
                match self.graph.decider(id) {
                    Decider::Luck => true,
                    Decider::Player => self.graph.nexts(id).iter().all(|&next| out[next as usize]),
                }
            })?;
            reached.drop_from(budget);
            reached = self.reach(|id| !out.is_in[id as usize], budget)?;
        }
    }
}
