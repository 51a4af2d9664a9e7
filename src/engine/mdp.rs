//! Games of one player against luck: who can win, how likely, and how best to play.
//!
//! A [`Gamble`] is made of numbered nodes. At some of them the player chooses what comes next, at
//! the others it is drawn by lot, each way of going on being as likely as any other. (Whatever is
//! drawn in several steps has a node for each: so nothing but the lists of what may come next is
//! ever stored, and what many nodes have in common, a node of its own, is stored once.)
//!
//! [`solve`] answers on the graph whatever a graph can answer, and counts only where it must:
//!
//! 1. *Can the player win at all?* Backwards from the wins: whatever can get there. Elsewhere the
//!    probability is 0.
//! 2. *Certainly?* The least set that holds the wins, each choice with some way into the set, and
//!    each draw with all ways into it. Then a bounded number of turns will do, whatever the luck.
//! 3. *Almost surely?* The largest set in which each draw stays, each choice can, and from all of
//!    which the player can win without leaving it. There the probability is 1.
//! 4. What is left has a probability between 0 and 1, both excluded. Where the player can stay for
//!    ever in a part of it (an *end component*), every bound from above is stuck, since waiting
//!    costs nothing. So such a part is made one choice among its ways out, all of it being worth
//!    the same.
//! 5. Then sweeps over the rest, in the order of the numbers, tend to the probabilities from
//!    wherever they begin. An estimate is made by sweeps and extrapolation, moved down and up by
//!    less than the error allowed, and swept until it proves to be a bound on either side; should
//!    that fail, bounds are swept from 0 up and from 1 down until they meet at the first node.

mod bounds;
mod components;
mod core;
mod estimate;
mod graph;
mod nodes;
mod operator;
mod picks;
mod settle;

use bounds::Bounds;
pub(crate) use bounds::{Pairs, estimated, most_bytes};
use components::Components;
use graph::Graph;
use nodes::Nodes;
pub(crate) use operator::Operator;
use settle::{Backward, Settled, Standing};

use crate::limits::{Budget, Limit, Limits, bytes};

/// A game of one player against luck.
///
/// Nodes that are near each other should have near numbers, and what follows a node lower ones than
/// itself, wherever that can be: neither is needed, both make [`solve`] fast. (A sweep in the order
/// of the numbers then carries news from the wins as far as it goes.)
pub trait Gamble {
    /// How many bits the numbers of nodes have, at most 64.
    fn bits(&self) -> u32;

    /// The first node.
    fn first(&self) -> u64;

    /// Puts into `out` what may come after this node, one thing at least and always in the same
    /// order, and says who decides. What is drawn twice is twice as likely.
    fn nexts(&self, node: u64, out: &mut Vec<Next>) -> Decider;

    /// How much memory the game itself has taken since it began, or will before the next call, in
    /// bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What comes after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The player has won.
    Won,
    /// The player has lost.
    Lost,
    /// The game goes on at this node.
    Node(u64),
}

/// Who decides what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The player.
    Player,
    /// Luck, evenly.
    Luck,
}

/// How far apart the bounds may be at the first node when they count as met.
pub const WIDTH: f64 = 4e-7;

/// By how much sums may be rounded the wrong way.
const NOISE: f64 = 1e-9;

/// These bounds without what rounding has added to them; `None` if they are none, which would be a
/// mistake of whoever found them.
pub(crate) fn within_reason([lower, upper]: [f64; 2]) -> Option<[f64; 2]> {
    let is_sound = lower >= -NOISE && upper <= 1.0 + NOISE && lower <= upper + NOISE;
    let [lower, upper] = [lower, upper].map(|bound| bound.clamp(0.0, 1.0));
    is_sound.then(|| [lower.min(upper), upper.max(lower)])
}

/// What is known about a game; `E` is what makes the policy.
#[derive(Debug)]
pub struct Finding<E = Explored> {
    /// The probability to win from the first node, under best play, is not below this.
    pub lower: f64,
    /// It is not above this.
    pub upper: f64,
    /// Whether some strategy wins within a bounded number of turns, whatever the luck.
    pub certain: bool,
    /// The limit that ended the search before the bounds met.
    pub limit: Option<Limit>,
    /// How many nodes were looked at.
    pub nodes: u64,
    /// A way on which the player wins, if lucky: its nodes from the first on. `None` if there is
    /// none, or none was looked for before a limit.
    pub way_out: Option<Vec<u64>>,
    pub(crate) explored: Option<E>,
}

/// All nodes and what was found out about them.
#[derive(Debug)]
pub struct Explored {
    nodes: Nodes,
    graph: Graph,
    settled: Settled,
    bounds: Option<Bounds>,
}

/// Finds out who wins, and how likely.
pub fn solve<G: Gamble>(game: &G, limits: &Limits) -> Finding {
    solve_within(game, &Budget::new(limits))
}

/// As [`solve`], with what the budget has left.
pub(crate) fn solve_within<G: Gamble>(game: &G, budget: &Budget) -> Finding {
    let nodes = match Nodes::explore(game, budget) {
        Ok(nodes) => nodes,
        Err((limit, nodes)) => return Finding::unknown(limit, nodes),
    };
    let count = nodes.len();
    // Whatever the game has taken stays until the end.
    let explored = budget
        .take(game.bytes())
        .and_then(|()| Explored::new(game, nodes, budget));
    match explored {
        Ok(explored) => explored.into_finding(game.first(), budget),
        Err(limit) => Finding::unknown(limit, count),
    }
}

/// The end components of a game: the largest parts, each with its nodes in order, in which each draw
/// stays, each choice can, and the player can get from everywhere to everywhere.
///
/// # Errors
///
/// The limit that was reached before they were known.
pub(crate) fn end_components<G: Gamble>(game: &G, budget: &Budget) -> Result<Vec<Vec<u64>>, Limit> {
    let taken = budget.taken();
    let nodes = Nodes::explore(game, budget).map_err(|(limit, _)| limit)?;
    let graph = Graph::build(game, &nodes, budget)?;
    let mut all = budget.room(graph.len())?;
    all.extend(graph.ids());
    let components = Components::of(&Backward::of(&graph, budget)?, all, budget)?;
    let mut clock = budget.clock();
    let mut lists = Vec::new();
    let mut listed = 0;
    for label in components.numbers() {
        let members = components.members(label);
        clock.work(members.len() as u64)?;
        let size = bytes::<u64>(members.len()) + bytes::<Vec<u64>>(2);
        budget.take(size)?;
        listed += size;
        lists.push(members.iter().map(|&id| nodes.number(id)).collect());
    }
    budget.back_to(taken + listed);
    Ok(lists)
}

impl Explored {
    fn new<G: Gamble>(game: &G, nodes: Nodes, budget: &Budget) -> Result<Self, Limit> {
        let graph = Graph::build(game, &nodes, budget)?;
        let settled = Settled::of(&graph, nodes.id(game.first()), budget)?;
        Ok(Self {
            nodes,
            graph,
            settled,
            bounds: None,
        })
    }

    fn into_finding(mut self, first: u64, budget: &Budget) -> Finding {
        let start = self.nodes.id(first);
        let standing = self.settled.standing(start);
        let (mut limit, mut known) = (None, [0.0, 0.0]);
        match standing {
            Standing::Lost => {}
            Standing::Sure | Standing::Certain => known = [1.0, 1.0],
            Standing::Open => match Bounds::of(&self.graph, &self.settled, start, budget) {
                Ok(bounds) => {
                    known = bounds.at(start);
                    self.bounds = Some(bounds);
                }
                Err((reached, by_then)) => (limit, known) = (Some(reached), by_then),
            },
        }
        // Whoever gives bounds that are none has made a mistake: then nothing is known.
        let [lower, upper] = within_reason(known).unwrap_or([0.0, 1.0]);
        let way_out = self.settled.way_out.take();
        let way_out = way_out.map(|way| way.iter().map(|&id| self.nodes.number(id)).collect());
        Finding {
            lower,
            upper,
            certain: standing == Standing::Certain,
            limit,
            nodes: self.nodes.len(),
            way_out,
            explored: Some(self),
        }
    }
}

impl<E> Finding<E> {
    pub(crate) const fn unknown(limit: Limit, nodes: u64) -> Self {
        Self {
            lower: 0.0,
            upper: 1.0,
            certain: false,
            limit: Some(limit),
            nodes,
            way_out: None,
            explored: None,
        }
    }

    /// Whether the player can win, if lucky; `None` if a limit ended the search before that was
    /// known.
    pub fn possible(&self) -> Option<bool> {
        self.explored.as_ref().map(|_| self.way_out.is_some())
    }
}

impl Finding {
    /// How to play best.
    ///
    /// # Errors
    ///
    /// The limit that was reached before that was known, now or when it was found out.
    pub fn into_policy(self, limits: &Limits) -> Result<Policy, Limit> {
        self.into_policy_within(&Budget::new(limits))
    }

    /// As [`Finding::into_policy`], with what the budget has left.
    pub(crate) fn into_policy_within(self, budget: &Budget) -> Result<Policy, Limit> {
        let known = self.limit.map_or(Ok(self.explored), Err)?;
        let Explored {
            nodes,
            graph,
            settled,
            bounds,
        } = known.expect("without a limit all is explored");
        let picks = picks::picks(&graph, &settled, bounds.as_ref(), budget)?;
        Ok(Policy { nodes, picks })
    }
}

/// The best choice at each node of a game, as far as the probability is known.
///
/// Where winning is certain or almost sure it is, by this choice; elsewhere the choice is the best
/// by the lower bounds, which are exact at the first node and good wherever best play leads.
#[derive(Debug)]
pub struct Policy {
    nodes: Nodes,
    /// For each node where the player decides, which of the nexts to choose.
    picks: Vec<u32>,
}

impl Policy {
    /// Which of [`Gamble::nexts`] to choose at this node; `None` at a node that no play from the
    /// first one leads to, and where all is lost.
    pub fn pick(&self, node: u64) -> Option<usize> {
        let pick = self.picks[self.nodes.find(node)? as usize];
        (pick != picks::NO_PICK).then_some(pick as usize)
    }
}

#[cfg(test)]
mod tests;
