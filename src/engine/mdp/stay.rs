//! End components among the states of tables: where the player can stay for ever.

use super::model::{Mdp, Owner, Successor};
use super::solve::end_components;
use super::tables::Tables;
use super::tabular::Tabular;
use super::value_domain::{InStaySet, RankedValue, ValueDomain};
use crate::limits::{Budget, Limit, bytes};

/// States in which the player can stay for ever, whatever chance does, and from each of which it
/// can get to each other: all of them have the value of the best exit.
#[derive(Debug)]
pub(super) struct EndComponent {
    /// Its states.
    members: Vec<usize>,
    /// The states outside that the player can choose to go to.
    exits: Vec<usize>,
}

impl EndComponent {
    /// The maximal end components within a stay set.
    pub(super) fn all<M: Tabular>(
        tables: &Tables<M>,
        stay_set: &[InStaySet],
        budget: &Budget,
    ) -> Result<Vec<Self>, Limit> {
        let model = &tables.model;
        let taken = budget.taken();
        let components = end_components(&Restricted { model, stay_set }, budget)?;
        let mut all = budget.with_capacity(components.len())?;
        let mut kept = bytes::<Self>(components.len());
        for nodes in &components {
            let component = Self::of(model, nodes);
            let size = component.members.capacity() + component.exits.capacity();
            budget.take(bytes::<usize>(size))?;
            kept += bytes::<usize>(size);
            all.push(component);
        }
        budget.reset_to(taken + kept);
        Ok(all)
    }

    /// The end component of these nodes, which are in order.
    fn of<M: Tabular>(model: &M, nodes: &[u64]) -> Self {
        let (mut successors, mut exits) = (Vec::new(), Vec::new());
        for &node in nodes {
            successors.clear();
            if model.nodes().successors(node, &mut successors) == Owner::Chance {
                continue;
            }
            exits.extend(successors.iter().filter_map(|successor| match successor {
                Successor::Node(next) if nodes.binary_search(next).is_err() => model.find(*next),
                _ => None,
            }));
        }
        Self {
            members: nodes.iter().filter_map(|&node| model.find(node)).collect(),
            exits,
        }
    }

    /// Gives all members the value of the best exit.
    pub(super) fn level<V: ValueDomain>(&self, values: &mut [V]) {
        let exits = self.exits.iter().map(|&exit| values[exit]);
        let best = exits.reduce(V::better);
        let best = best.expect("the player can win from an open state, so there is an exit");
        for &member in &self.members {
            values[member] = best;
        }
    }

    /// Takes the ranks of its members away.
    pub(super) fn unrank(&self, values: &mut [RankedValue]) {
        for &member in &self.members {
            values[member].rank = RankedValue::NO_RANK;
        }
    }
}

/// The MDP restricted to a stay set: outside, the player has lost.
struct Restricted<'a, M> {
    model: &'a M,
    stay_set: &'a [InStaySet],
}

impl<M: Tabular> Restricted<'_, M> {
    /// The initial node, of which all states of the stay set are successors.
    fn all(&self) -> u64 {
        1 << self.model.nodes().bits()
    }
}

impl<M: Tabular> Mdp for Restricted<'_, M> {
    fn bits(&self) -> u32 {
        self.model.nodes().bits() + 1
    }

    fn initial(&self) -> u64 {
        self.all()
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let model = self.model;
        if node == self.all() {
            let states = (0..self.stay_set.len()).filter(|&state| self.stay_set[state].0);
            out.extend(states.map(|state| Successor::Node(model.node(state))));
            return Owner::Player;
        }
        let owner = model.nodes().successors(node, out);
        for successor in out {
            let Successor::Node(next) = *successor else {
                continue;
            };
            if model
                .find(next)
                .is_some_and(|state| !self.stay_set[state].0)
            {
                *successor = Successor::Lost;
            }
        }
        owner
    }
}
