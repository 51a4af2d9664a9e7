//! End components among the states of tables.

use super::model::{Edited, Mdp, Owner, Successor};
use super::solve::end_components;
use super::tables::{Tables, TabularMdp};
use super::value_domain::{RankedValue, Staying, ValueDomain};
use getaway_board::limits::{Budget, Limit, bytes};
use getaway_board::rng::Rng;

/// An end component. All its states have the value of the best exit.
#[derive(Debug)]
pub(super) struct EndComponent {
    members: Vec<usize>,
    exits: Vec<usize>,
}

impl EndComponent {
    /// Finds the maximal end components within a stay set (see [`Staying`]), and empties the set.
    ///
    /// Listing all nodes of a large set would take far more memory than the tables. But a random walk in the set soon ends in a
    /// component that leads to no other. So the components at the ends of walks are listed and removed until none is left.
    pub(super) fn all<M: TabularMdp>(
        tables: &Tables<M>,
        stay_set: &mut [Staying],
        budget: &Budget,
    ) -> Result<Vec<Self>, Limit> {
        let model = &tables.model;
        // The fixed seed makes every run find the components in the same order.
        let mut rng = Rng::new(0);
        let mut all = Vec::new();
        while stay_set.iter().any(|state| state.is_some()) {
            let taken = budget.taken();
            let leaves = |next: &Successor| match *next {
                Successor::Node(node) => {
                    let state = model.find(node);
                    state.is_some_and(|state| !stay_set[state].is_some())
                }
                Successor::Won | Successor::Lost => false,
            };
            // In the MDP `inside`, the player loses by leaving the stay set.
            let edit = |_, _: Owner, successors: &mut Vec<Successor>| {
                for next in successors.iter_mut().filter(|next| leaves(next)) {
                    *next = Successor::Lost;
                }
            };
            let inside = Edited {
                mdp: model.mdp(),
                edit,
            };
            let first = ends_of_walks(&inside, model, stay_set, &mut rng, budget)?;
            let components = end_components(&inside, &first, budget)?;
            let mut kept = 0;
            for nodes in &components {
                let component = Self::of(model, nodes);
                for &member in &component.members {
                    stay_set[member] = Staying::BARRED;
                }
                let size = component.members.capacity() + component.exits.capacity();
                kept += bytes::<usize>(size) + bytes::<Self>(1);
                budget.take(bytes::<usize>(size))?;
                all.push(component);
            }
            budget.reset_to(taken + kept);
            tables.iterate(stay_set, budget, Staying::or_barred)?;
        }
        Ok(all)
    }

    fn of<M: TabularMdp>(model: &M, nodes: &[u64]) -> Self {
        let (mut successors, mut exits) = (Vec::new(), Vec::new());
        for &node in nodes {
            successors.clear();
            if model.mdp().successors(node, &mut successors) == Owner::Chance {
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

    pub(super) fn first(&self) -> usize {
        self.members[0]
    }

    fn best<V: ValueDomain>(&self, values: &[V]) -> V {
        let exits = self.exits.iter().map(|&exit| values[exit]);
        let best = exits.reduce(V::better);
        best.expect("the player can win from an open state, so there is an exit")
    }

    pub(super) fn has_exit_value<V: ValueDomain>(&self, values: &[V]) -> bool {
        values[self.first()] == self.best(values)
    }

    pub(super) fn set_to_exit_value<V: ValueDomain>(&self, values: &mut [V]) {
        let best = self.best(values);
        for &member in &self.members {
            values[member] = best;
        }
    }

    pub(super) fn clear_ranks(&self, values: &mut [RankedValue]) {
        for &member in &self.members {
            values[member].rank = RankedValue::NO_RANK;
        }
    }
}

/// The size up to which a stay set is listed completely.
const MAX_LISTED: usize = if cfg!(test) { 2 } else { 1 << 12 };
const WALKS: usize = 64;

const STEPS: usize = 1 << 10;

/// Lists the nodes of all states in a small stay set, but only the ends of random walks in a large one.
fn ends_of_walks<M: TabularMdp>(
    inside: &impl Mdp,
    model: &M,
    stay_set: &[Staying],
    rng: &mut Rng,
    budget: &Budget,
) -> Result<Vec<u64>, Limit> {
    let states = (0..stay_set.len()).filter(|&state| stay_set[state].is_some());
    let count = states.clone().count();
    if count <= MAX_LISTED {
        return Ok(states.map(|state| model.node(state)).collect());
    }
    let starts = states.step_by(count.div_ceil(WALKS));
    let ends = starts.map(|state| end_of_walk(inside, model.node(state), rng, budget));
    ends.collect()
}

fn end_of_walk(
    inside: &impl Mdp,
    mut node: u64,
    rng: &mut Rng,
    budget: &Budget,
) -> Result<u64, Limit> {
    let (mut clock, mut successors) = (budget.clock(), Vec::new());
    for _ in 0..STEPS {
        successors.clear();
        inside.successors_within(node, &mut successors, &mut clock)?;
        // In `inside`, steps out of the stay set are losses, so the walk stays in the set.
        successors.retain(|next| matches!(next, Successor::Node(_)));
        if let Some(&Successor::Node(next)) = rng.pick(&successors) {
            node = next;
        }
    }
    Ok(node)
}
