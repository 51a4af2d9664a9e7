//! Where the player can wait for ever.

use super::super::code::Phase;
use super::value_domain::{InStaySet, RankedValue, ValueDomain};
use super::{Budget, Limit, TwoGhosts};
use crate::engine::mdp::{Mdp, Owner, Successor, end_components};

/// States in which the player can stay for ever, whatever the chance, and from each of which he can
/// get to each other: all of them are value the same. Only what they lead to is value anything.
#[derive(Debug)]
pub(super) struct EndComponent {
    /// Where in the table they are.
    members: Vec<usize>,
    /// Where in the table the states are to which the player can leave it.
    exits: Vec<usize>,
}

impl EndComponent {
    /// Makes all members value what the best exit is.
    pub(super) fn level<W: ValueDomain>(&self, values: &mut [W]) {
        let options = self.exits.iter().map(|&exit| values[exit]);
        let best = options.reduce(W::better);
        let best = best.expect("who can get out of the level can leave a haven");
        for &member in &self.members {
            values[member] = best;
        }
    }

    /// Forgets how to get out.
    pub(super) fn enter(&self, ranked: &mut [RankedValue]) {
        for &member in &self.members {
            ranked[member].rank = RankedValue::NO_RANK;
        }
    }
}

/// The end components among the states where the player can be idle.
pub(super) fn components(
    ghosts: &TwoGhosts,
    stay_set: &[InStaySet],
    budget: &Budget,
) -> Result<Vec<EndComponent>, Limit> {
    let game = Idling { ghosts, stay_set };
    let components = end_components(&game, budget)?;
    Ok(components
        .iter()
        .map(|nodes| component(ghosts, nodes))
        .collect())
}

/// The end component of these nodes, which are in order.
fn component(ghosts: &TwoGhosts, nodes: &[u64]) -> EndComponent {
    let find = |&node: &u64| ghosts.find(&ghosts.mdp.unpack(node));
    let choices = nodes
        .iter()
        .filter(|&&node| ghosts.mdp.unpack(node).phase == Phase::Player);
    let mut successors = Vec::new();
    for &node in choices {
        ghosts.mdp.successors(node, &mut successors);
    }
    let exits = successors.iter().filter_map(|next| match next {
        Successor::Node(next) if nodes.binary_search(next).is_err() => find(next),
        _ => None,
    });
    EndComponent {
        members: nodes.iter().filter_map(find).collect(),
        exits: exits.collect(),
    }
}

/// The MDP as far as the player is idle; he loses where he is not.
struct Idling<'a> {
    ghosts: &'a TwoGhosts,
    stay_set: &'a [InStaySet],
}

impl Idling<'_> {
    /// A node of which all states come next in which the player can be idle.
    fn all(&self) -> u64 {
        1 << self.ghosts.mdp.bits()
    }
}

impl Mdp for Idling<'_> {
    fn bits(&self) -> u32 {
        self.ghosts.mdp.bits() + 1
    }

    fn initial(&self) -> u64 {
        self.all()
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let ghosts = self.ghosts;
        if node == self.all() {
            let stay_set = self
                .stay_set
                .iter()
                .enumerate()
                .filter(|(_, stay_set)| stay_set.0);
            out.extend(stay_set.map(|(at, _)| Successor::Node(ghosts.number(at))));
            return Owner::Player;
        }
        let owner = ghosts.mdp.successors(node, out);
        for next in out {
            let Successor::Node(number) = *next else {
                continue;
            };
            let at = ghosts.find(&ghosts.mdp.unpack(number));
            if at.is_some_and(|at| !self.stay_set[at].0) {
                *next = Successor::Lost;
            }
        }
        owner
    }
}
