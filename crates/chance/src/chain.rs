//! The Markov chain under fixed choices of the player, and the values of its states.
//!
//! The MEC quotient ([`Quotient`]) has no end components, so the values are the only solution of a set of linear equations. Each
//! strongly connected component is a system of its own.

use super::graph::{Graph, IdLists};
use super::linear::Equations;
use super::nodes::FIRST_ID;
use super::quotient::{DRAWN, Quotient, UNKNOWN, find_ends};
use super::scc;
use getaway_board::limits::{Budget, Limit};

#[derive(Debug)]
pub(super) struct Chain<'a> {
    graph: &'a Graph,
    /// For each node, the chance node or end that the fixed choices lead to.
    ends: Vec<u32>,
    labels: Vec<u32>,
    /// The chance nodes of each strongly connected component. A component comes after the components that it leads to.
    members: IdLists,
}

impl<'a> Chain<'a> {
    pub(super) fn new(
        quotient: &'a Quotient,
        choices: &[u32],
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let graph = quotient.graph();
        let mut ends = budget.with_capacity(choices.len())?;
        let end = |(id, &choice)| if choice == DRAWN { id } else { UNKNOWN };
        ends.extend((0..).zip(choices).map(end));
        find_ends(&mut ends, |id| choices[id as usize], budget)?;
        let is_drawn = |&id: &u32| choices[id as usize] == DRAWN;
        let mut drawn = budget.with_capacity(choices.len())?;
        drawn.extend(graph.ids().filter(is_drawn));
        let edge = |id: u32, nth: usize| {
            let next = ends[*graph.successors(id).get(nth)? as usize];
            Some(if next < FIRST_ID { id } else { next })
        };
        let labels = scc::components(choices.len(), drawn.iter().copied(), edge, budget)?;
        let members = IdLists::by_label(&labels, &drawn, budget)?;
        budget.free(drawn);
        Ok(Self {
            graph,
            ends,
            labels,
            members,
        })
    }

    /// Solves the chain in which each draw adds `slack`, with residuals of at most `tolerance` if possible. `values` holds a
    /// first guess, and then the solution. Returns the number of values computed.
    pub(super) fn evaluate(
        &self,
        values: &mut [f64],
        slack: f64,
        tolerance: f64,
        budget: &Budget,
    ) -> Result<u64, Limit> {
        let mut updates = values.len() as u64;
        let mut places = budget.filled(0, values.len())?;
        for members in self.members.iter() {
            if let &[alone] = members {
                values[alone as usize] = self.single_value(alone, values, slack);
            } else if !members.is_empty() {
                for (place, &id) in (0..).zip(members) {
                    places[id as usize] = place;
                }
                let taken = budget.taken();
                let equations = self.equations(members, slack, values, &places, budget)?;
                let mut x = budget.with_capacity(members.len())?;
                x.extend(members.iter().map(|&id| values[id as usize]));
                updates += equations.solve(&mut x, tolerance, budget)?;
                for (&id, value) in members.iter().zip(&x) {
                    values[id as usize] = value.clamp(0.0, 1.0);
                }
                budget.reset_to(taken);
            }
        }
        for (id, &end) in self.ends.iter().enumerate() {
            values[id] = values[end as usize];
        }
        Ok(updates)
    }

    fn draws(&self, id: u32) -> f64 {
        self.graph.successors(id).len() as f64
    }

    /// Lists the states that can be drawn at `id`, without `id` itself: a draw of `id` is repeated until another state is drawn.
    fn others(&self, id: u32) -> impl Iterator<Item = u32> {
        let drawn = self.graph.successors(id).iter();
        let ends = drawn.map(|&next| self.ends[next as usize]);
        ends.filter(move |&end| end != id)
    }

    fn single_value(&self, id: u32, values: &[f64], slack: f64) -> f64 {
        let others = self.others(id).map(|next| values[next as usize]);
        let (count, sum) = others.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
        let value = (sum + self.draws(id) * slack) / f64::from(count);
        value.clamp(0.0, 1.0)
    }

    fn equations(
        &self,
        members: &[u32],
        slack: f64,
        values: &[f64],
        places: &[u32],
        budget: &Budget,
    ) -> Result<Equations, Limit> {
        let draws = members.iter().map(|&id| self.graph.successors(id).len());
        let mut equations = Equations::with_capacity(members.len(), draws.sum(), budget)?;
        let label = self.labels[members[0] as usize];
        for &id in members {
            let (mut count, mut constant) = (0, self.draws(id) * slack);
            for next in self.others(id) {
                count += 1;
                if self.labels[next as usize] == label {
                    equations.add_item(places[next as usize]);
                } else {
                    constant += values[next as usize];
                }
            }
            let share = 1.0 / f64::from(count);
            equations.finish(share, constant * share);
        }
        Ok(equations)
    }
}
