use getaway_board::limits::{Clock, Limit, Limits};

/// A Markov decision process (MDP) in which the player either wins or loses.
///
/// At some nodes the player chooses the successor; at the others chance draws one uniformly.
///
/// Neighbouring nodes should have numbers close to each other, and successors lower numbers than
/// their node, so that a sweep in numerical order carries values from the wins to all nodes.
pub trait Mdp: Sync {
    /// Returns the number of the initial node.
    fn initial(&self) -> u64;

    /// Appends all successors of a node, at least one, to the empty list `out`, always in the same order; returns who chooses
    /// among them. Chance draws a successor that is listed twice twice as often. If a limit is reached, the list may be
    /// incomplete.
    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit>;

    /// Appends the successors as [`Mdp::successors_within`] does, without a limit.
    ///
    /// # Panics
    ///
    /// Panics if the model itself reports a limit.
    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let clock = &mut Clock::new(&Limits::default());
        self.successors_within(node, out, clock)
            .expect("there is no limit")
    }

    /// Returns whether this node, which is the player's, begins a turn.
    fn begins_turn(&self, _node: u64) -> bool {
        true
    }

    /// Returns whether the numbers of nodes are independent of earlier calls, so that several threads may list successors.
    fn has_fixed_numbers(&self) -> bool {
        true
    }

    /// Returns the number of bytes that the MDP has allocated so far or may allocate before the next call of this method.
    fn bytes(&self) -> u64 {
        0
    }
}

/// The MDP `mdp`, with lists of successors that `edit` changes.
pub(super) struct Edited<'m, M, F> {
    pub(super) mdp: &'m M,
    pub(super) edit: F,
}

impl<M: Mdp, F: Fn(u64, Owner, &mut Vec<Successor>) + Sync> Mdp for Edited<'_, M, F> {
    fn initial(&self) -> u64 {
        self.mdp.initial()
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let owner = self.mdp.successors_within(node, out, clock)?;
        (self.edit)(node, owner, out);
        Ok(owner)
    }

    fn has_fixed_numbers(&self) -> bool {
        self.mdp.has_fixed_numbers()
    }

    fn bytes(&self) -> u64 {
        self.mdp.bytes()
    }
}

/// The target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The player has won.
    Won,
    /// The player has lost.
    Lost,
    /// The game goes on at the node with this number.
    Node(u64),
}

/// The side that selects a node's successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The player chooses.
    Player,
    /// Chance draws.
    Chance,
}
