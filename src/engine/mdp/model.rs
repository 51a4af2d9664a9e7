//! What an MDP is to this engine.

use crate::limits::{Clock, Limit};

/// A Markov decision process (MDP) in which the player either wins or loses: a game of one player
/// against chance.
///
/// It is made of numbered nodes. At some of them the player chooses the successor, at the others
/// chance draws it, each successor being as likely as any other. (A draw in several steps has a
/// node for each step: so nothing but lists of successors is ever stored, and what many nodes have
/// in common is stored once, as a node of its own.)
///
/// Nodes that are near each other should have near numbers, and the successors of a node should
/// have lower numbers than the node, wherever that can be. Neither is required; both make
/// [`solve`](super::solve) fast, since a sweep in the order of the numbers then carries the values
/// from the wins to all nodes.
pub trait Mdp: Sync {
    /// How many bits the numbers of nodes have, at most 64.
    fn bits(&self) -> u32;

    /// The initial node.
    fn initial(&self) -> u64;

    /// Appends the successors of this node to `out`, at least one and always in the same order, and
    /// says who owns the node. A successor that is listed twice is drawn twice as often.
    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner;

    /// The same for a node that may have so many successors that listing them takes long: with an eye on
    /// the clock.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over or someone has said stop; not all successors are listed then.
    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let before = out.len();
        let owner = self.successors(node, out);
        clock.work((out.len() - before) as u64)?;
        Ok(owner)
    }

    /// Nodes whose numbers differ in so many lowest bits alone make a block. Draws should lead to nodes of the same block,
    /// and choices to few other blocks, none of them the next one: then several threads work on one block each.
    fn block_bits(&self) -> u32 {
        self.bits()
    }

    /// Whether a node has the same number whatever was asked for before: then several threads may ask for successors
    /// at once. Otherwise numbers are given as nodes come up, and one thread asks for all of them.
    fn has_fixed_numbers(&self) -> bool {
        true
    }

    /// How much memory the MDP itself has taken since it was made, or will take before the next
    /// call, in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What may come after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The player has won.
    Won,
    /// The player has lost.
    Lost,
    /// The play goes on at this node.
    Node(u64),
}

/// Who decides at a node which successor comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The player, who may choose any of them.
    Player,
    /// Chance, which draws one of them uniformly.
    Chance,
}
