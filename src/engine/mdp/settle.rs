//! What the graph alone tells: where the player can win, and where it does so surely.

use super::components::Components;
use super::graph::{Graph, Lists, WON};
use super::{Decider, Limit, Limits};

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
    pub(super) fn of(graph: &Graph, first: u32, limits: &Limits) -> Result<Self, Limit> {
        let backward = Backward::of(graph);
        let in_time = || limits.time_is_up().map_or(Ok(()), Err);
        let possible = backward.reach(|_| true);
        let way_out = way_out(graph, first, &ranks(graph, [&possible]));
        let is_possible = possible.is_in.clone();
        let sure = backward.sure(possible, limits)?;
        in_time()?;
        // Who does not even win surely from the start will not ask what is certain elsewhere.
        let is_sure = sure.is_in[first as usize];
        let certain = if is_sure {
            backward.certain()
        } else {
            Reached::win(graph)
        };
        let standing = |id: usize| match (certain.is_in[id], sure.is_in[id], is_possible[id]) {
            (true, ..) => Standing::Certain,
            (false, true, _) => Standing::Sure,
            (false, false, true) => Standing::Open,
            (false, false, false) => Standing::Lost,
        };
        let standings: Vec<Standing> = (0..graph.len()).map(standing).collect();
        let open = graph
            .ids()
            .filter(|&id| standings[id as usize] == Standing::Open);
        let components = Components::of(&backward, open.collect());
        Ok(Self {
            standings,
            ranks: ranks(graph, [&certain, &sure]),
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
    /// The win alone.
    fn win(graph: &Graph) -> Self {
        let mut is_in = vec![false; graph.len()];
        is_in[WON as usize] = true;
        Self {
            order: vec![WON],
            is_in,
        }
    }

    /// Adds whatever `joins`, given that something after it is in the set.
    fn grow(&mut self, before: &Lists, joins: impl Fn(u32, &[bool]) -> bool) {
        let mut next = 0;
        while let Some(&id) = self.order.get(next) {
            next += 1;
            for &id in before.get(id) {
                if !self.is_in[id as usize] && joins(id, &self.is_in) {
                    self.is_in[id as usize] = true;
                    self.order.push(id);
                }
            }
        }
    }
}

/// The place of each node in the first of these orders that it is in, later orders counting as
/// later.
fn ranks<const N: usize>(graph: &Graph, orders: [&Reached; N]) -> Vec<u32> {
    let mut ranks = vec![NO_RANK; graph.len()];
    let all = orders.into_iter().flat_map(|reached| &reached.order);
    for (rank, &id) in all.enumerate() {
        let place = &mut ranks[id as usize];
        *place = (*place).min(rank as u32);
    }
    ranks
}

/// The way from `first` on which each next is the one of lowest rank.
fn way_out(graph: &Graph, first: u32, ranks: &[u32]) -> Option<Vec<u32>> {
    let rank = |id: u32| ranks[id as usize];
    let nearest = |id: u32| {
        graph
            .nexts(id)
            .iter()
            .copied()
            .min_by_key(|&next| rank(next))
    };
    let way = std::iter::successors(Some(first), |&id| nearest(id));
    (rank(first) != NO_RANK).then(|| way.take_while(|&id| id != WON).collect())
}

impl<'a> Backward<'a> {
    pub(super) fn of(graph: &'a Graph) -> Self {
        Self {
            graph,
            before: graph.backward(),
        }
    }

    /// From where, within `allowed`, the player can get to a win without leaving that, if lucky.
    fn reach(&self, allowed: impl Fn(u32) -> bool) -> Reached {
        let mut reached = Reached::win(self.graph);
        reached.grow(&self.before, |id, _| allowed(id));
        reached
    }

    /// Where the player wins within a bounded number of turns, whatever the luck.
    fn certain(&self) -> Reached {
        let mut reached = Reached::win(self.graph);
        reached.grow(&self.before, |id, is_in| match self.graph.decider(id) {
            Decider::Player => true,
            Decider::Luck => self
                .graph
                .nexts(id)
                .iter()
                .all(|&next| is_in[next as usize]),
        });
        reached
    }

    /// Where the player wins with probability 1, given where it can win at all. Each round takes
    /// out the nodes from which the player can't win without leaving the rest, and then those from
    /// which luck may lead, or the player must go, to one that is out.
    fn sure(&self, possible: Reached, limits: &Limits) -> Result<Reached, Limit> {
        let mut reached = possible;
        let mut out = Reached {
            order: Vec::new(),
            is_in: vec![false; self.graph.len()],
        };
        loop {
            limits.time_is_up().map_or(Ok(()), Err)?;
            let lost = |&id: &u32| !reached.is_in[id as usize] && !out.is_in[id as usize];
            out.order = (0..self.graph.len() as u32).filter(lost).collect();
            if out.order.is_empty() {
                return Ok(reached);
            }
            for &id in &out.order {
                out.is_in[id as usize] = true;
            }
            out.grow(&self.before, |id, out| match self.graph.decider(id) {
                Decider::Luck => true,
                Decider::Player => self.graph.nexts(id).iter().all(|&next| out[next as usize]),
            });
            reached = self.reach(|id| !out.is_in[id as usize]);
        }
    }
}
