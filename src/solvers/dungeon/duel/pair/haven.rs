//! Where the player can wait for ever.

use super::super::code::Phase;
use super::worth::{Idle, Lead, Worth};
use super::{Budget, Limit, Pair};
use crate::engine::mdp::{Mdp, Owner, Successor, end_components};

/// Positions in which the player can stay for ever, whatever the luck, and from each of which he can
/// get to each other: all of them are worth the same. Only what they lead to is worth anything.
#[derive(Debug)]
pub(super) struct Haven {
    /// Where in the table they are.
    members: Vec<usize>,
    /// Where in the table the positions are to which the player can leave it.
    exits: Vec<usize>,
}

impl Haven {
    /// Makes all members worth what the best exit is.
    pub(super) fn level<W: Worth>(&self, table: &mut [W]) {
        let worths = self.exits.iter().map(|&exit| table[exit]);
        let best = worths.reduce(W::better);
        let best = best.expect("who can get out of the level can leave a haven");
        for &member in &self.members {
            table[member] = best;
        }
    }

    /// Forgets how to get out.
    pub(super) fn enter(&self, leads: &mut [Lead]) {
        for &member in &self.members {
            leads[member].turns = Lead::NO_TURNS;
        }
    }
}

/// The havens among the positions where the player can be idle.
pub(super) fn havens(pair: &Pair, idle: &[Idle], budget: &Budget) -> Result<Vec<Haven>, Limit> {
    let game = Idling { pair, idle };
    let components = end_components(&game, budget)?;
    Ok(components.iter().map(|nodes| haven(pair, nodes)).collect())
}

/// The haven of these nodes, which are in order.
fn haven(pair: &Pair, nodes: &[u64]) -> Haven {
    let find = |&node: &u64| pair.find(&pair.duel.unpack(node));
    let choices = nodes
        .iter()
        .filter(|&&node| pair.duel.unpack(node).phase == Phase::Player);
    let mut successors = Vec::new();
    for &node in choices {
        pair.duel.successors(node, &mut successors);
    }
    let exits = successors.iter().filter_map(|next| match next {
        Successor::Node(next) if nodes.binary_search(next).is_err() => find(next),
        _ => None,
    });
    Haven {
        members: nodes.iter().filter_map(find).collect(),
        exits: exits.collect(),
    }
}

/// The duel as far as the player is idle; he loses where he is not.
struct Idling<'a> {
    pair: &'a Pair,
    idle: &'a [Idle],
}

impl Idling<'_> {
    /// A node of which all positions come next in which the player can be idle.
    fn all(&self) -> u64 {
        1 << self.pair.duel.bits()
    }
}

impl Mdp for Idling<'_> {
    fn bits(&self) -> u32 {
        self.pair.duel.bits() + 1
    }

    fn initial(&self) -> u64 {
        self.all()
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let pair = self.pair;
        if node == self.all() {
            let idle = self.idle.iter().enumerate().filter(|(_, idle)| idle.0);
            out.extend(idle.map(|(at, _)| Successor::Node(pair.number(at))));
            return Owner::Player;
        }
        let owner = pair.duel.successors(node, out);
        for next in out {
            let Successor::Node(number) = *next else {
                continue;
            };
            let at = pair.find(&pair.duel.unpack(number));
            if at.is_some_and(|at| !self.idle[at].0) {
                *next = Successor::Lost;
            }
        }
        owner
    }
}
