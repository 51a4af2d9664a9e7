//! End components among the states of tables.

use std::ops::Range;

use super::model::{Mdp, Owner, Successor};
use super::scc::{self, Edges};
use super::solve::end_components;
use super::tables::Tables;
use super::tabular::Tabular;
use super::value_domain::{RankedValue, Staying, ValueDomain};
use crate::limits::{Budget, Clock, Limit, bytes};
use crate::rng::Rng;

/// An end component. All its states have the value of the best exit.
#[derive(Debug)]
pub(super) struct EndComponent {
    members: Vec<usize>,
    exits: Vec<usize>,
}

impl EndComponent {
    /// Finds the maximal end components within a stay set, and empties the set. Each component comes after those to which its
    /// exits lead.
    ///
    /// Listing all nodes of a large set would take far more memory than the tables. But a random walk in the set soon ends in a
    /// component that leads to no other. So the components at the ends of such walks are listed and removed until the set is
    /// empty.
    pub(super) fn all<M: Tabular>(
        tables: &Tables<M>,
        stay_set: &mut [Staying],
        budget: &Budget,
    ) -> Result<Vec<Self>, Limit> {
        let model = &tables.model;
        let mut rng = Rng::new(0);
        let mut all = Vec::new();
        while stay_set.iter().any(|state| state.is_some()) {
            let taken = budget.taken();
            let mut restricted = Restricted {
                model,
                stay_set,
                first: Vec::new(),
            };
            restricted.first = restricted.ends_of_walks(&mut rng, budget)?;
            let components = end_components(&restricted, budget)?;
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
            tables.iterate(stay_set, budget, Staying::barred_by, |_| false)?;
        }
        Self::in_order(all, budget)
    }

    /// Sorts components so that exits lead only to earlier ones. (No two can lead to each other, or they would be a single
    /// component.)
    fn in_order(all: Vec<Self>, budget: &Budget) -> Result<Vec<Self>, Limit> {
        let mut owners = budget.with_capacity(all.iter().map(|one| one.members.len()).sum())?;
        for (number, component) in (0..).zip(&all) {
            owners.extend(component.members.iter().map(|&member| (member, number)));
        }
        owners.sort_unstable();
        let exits = Exits {
            all: &all,
            owners: &owners,
        };
        let labels = scc::components(&exits, 0..all.len() as u32, budget)?;
        budget.free(owners);
        budget.give_back(bytes::<u32>(labels.capacity()));
        let mut labelled: Vec<_> = labels.into_iter().zip(all).collect();
        labelled.sort_unstable_by_key(|&(label, _)| label);
        Ok(labelled.into_iter().map(|(_, one)| one).collect())
    }

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

    pub(super) fn first(&self) -> usize {
        self.members[0]
    }

    pub(super) fn level<V: ValueDomain>(&self, values: &mut [V]) {
        let exits = self.exits.iter().map(|&exit| values[exit]);
        let best = exits.reduce(V::better);
        let best = best.expect("the player can win from an open state, so there is an exit");
        for &member in &self.members {
            values[member] = best;
        }
    }

    pub(super) fn unrank(&self, values: &mut [RankedValue]) {
        for &member in &self.members {
            values[member].rank = RankedValue::NO_RANK;
        }
    }
}

/// The graph of components, with an edge for each exit.
struct Exits<'a> {
    all: &'a [EndComponent],
    /// The members of all components, sorted, each with the number of its component.
    owners: &'a [(usize, u32)],
}

impl Edges for Exits<'_> {
    fn len(&self) -> usize {
        self.all.len()
    }

    fn edges(&self, id: u32) -> Range<u32> {
        0..self.all[id as usize].exits.len() as u32
    }

    fn target(&self, from: u32, edge: u32) -> u32 {
        let exit = &self.all[from as usize].exits[edge as usize];
        let owner = self
            .owners
            .binary_search_by_key(exit, |&(member, _)| member);
        // An exit to a state outside all components becomes an edge to the component itself, which
        // changes nothing.
        owner.map_or(from, |at| self.owners[at].1)
    }

    fn counts(&self, _from: u32, _to: u32) -> bool {
        true
    }
}

/// The size up to which a stay set is listed completely (tiny in tests), and the number of walks in a larger one.
const FEW: usize = if cfg!(test) { 2 } else { 1 << 12 };
const WALKS: usize = 64;

const STEPS: usize = 1 << 10;

/// An MDP in which the player loses by leaving the stay set.
struct Restricted<'a, M> {
    model: &'a M,
    stay_set: &'a [Staying],
    first: Vec<u64>,
}

impl<M: Tabular> Restricted<'_, M> {
    fn all(&self) -> u64 {
        1 << self.model.nodes().bits()
    }

    /// Lists all nodes of a small stay set, but only the ends of random walks in a large one.
    fn ends_of_walks(&self, rng: &mut Rng, budget: &Budget) -> Result<Vec<u64>, Limit> {
        let states = (0..self.stay_set.len()).filter(|&state| self.stay_set[state].is_some());
        let count = states.clone().count();
        if count <= FEW {
            return Ok(states.map(|state| self.model.node(state)).collect());
        }
        let starts = states.step_by(count.div_ceil(WALKS));
        let ends = starts.map(|state| self.walk(self.model.node(state), rng, budget));
        ends.collect()
    }

    fn walk(&self, from: u64, rng: &mut Rng, budget: &Budget) -> Result<u64, Limit> {
        let (mut clock, mut node) = (budget.clock(), from);
        let mut successors = Vec::new();
        for _ in 0..STEPS {
            successors.clear();
            self.successors(node, &mut successors);
            clock.work(successors.len() as u64)?;
            let inside = successors.iter().filter_map(|successor| match successor {
                Successor::Node(next) => Some(*next),
                Successor::Won | Successor::Lost => None,
            });
            let inside: Vec<u64> = inside.collect();
            node = *rng.pick(&inside).expect("the player can stay");
        }
        Ok(node)
    }
}

impl<M: Tabular> Mdp for Restricted<'_, M> {
    fn bits(&self) -> u32 {
        self.model.nodes().bits() + 1
    }

    fn initial(&self) -> u64 {
        self.all()
    }

    fn has_fixed_numbers(&self) -> bool {
        self.model.nodes().has_fixed_numbers()
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let model = self.model;
        if node == self.all() {
            out.extend(self.first.iter().map(|&node| Successor::Node(node)));
            return Ok(Owner::Player);
        }
        let owner = model.nodes().successors_within(node, out, clock)?;
        for successor in out {
            let Successor::Node(next) = *successor else {
                continue;
            };
            if model
                .find(next)
                .is_some_and(|state| !self.stay_set[state].is_some())
            {
                *successor = Successor::Lost;
            }
        }
        Ok(owner)
    }
}
