//! The Markov chain under fixed choices of the player, and the values of its states.
//!
//! The quotient has no end components, so each play ends with probability 1, and the values are the only solution of a set of
//! linear equations. Each strongly connected component is a system of its own.

use std::ops::Range;

use super::graph::{LOST, Lists};
use super::linear::Equations;
use super::nodes::FIRST_ID;
use super::quotient::{DRAWN, Quotient};
use super::scc::{self, Edges};
use crate::limits::{Budget, Limit};

#[derive(Debug)]
pub(super) struct Chain<'a> {
    links: Links<'a>,
    labels: Vec<u32>,
    /// The nodes of each component. A component comes after the components that it leads to.
    members: Lists,
}

#[derive(Debug)]
struct Links<'a> {
    lists: &'a Lists,
    /// For each node, the chance node or end that the fixed choices lead to.
    forward: Vec<u32>,
}

impl Links<'_> {
    fn draws(&self, id: u32) -> &[u32] {
        self.lists.get(id)
    }

    fn successors(&self, id: u32) -> impl Iterator<Item = u32> {
        self.draws(id)
            .iter()
            .map(|&next| self.forward[next as usize])
    }
}

impl Edges for Links<'_> {
    fn len(&self) -> usize {
        self.forward.len()
    }

    fn edges(&self, id: u32) -> Range<u32> {
        self.lists.range(id)
    }

    fn target(&self, _from: u32, edge: u32) -> u32 {
        self.forward[self.lists.item(edge) as usize]
    }

    fn counts(&self, _from: u32, to: u32) -> bool {
        to >= FIRST_ID
    }
}

impl<'a> Chain<'a> {
    pub(super) fn new(
        quotient: &'a Quotient,
        choices: &[u32],
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let links = Links {
            lists: quotient.lists(),
            forward: forward(choices, budget)?,
        };
        let mut drawn = budget.with_capacity(choices.len())?;
        let ids = FIRST_ID..choices.len() as u32;
        drawn.extend(ids.filter(|&id| choices[id as usize] == DRAWN));
        let labels = scc::components(&links, drawn.iter().copied(), budget)?;
        let members = Lists::by_label(&labels, &drawn, budget)?;
        budget.free(drawn);
        Ok(Self {
            links,
            labels,
            members,
        })
    }

    /// Solves the chain in which each draw adds `slack`, with residuals of at most `tolerance` if
    /// possible. Good initial values speed this up. Returns the number of values computed.
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
                values[alone as usize] = self.alone(alone, values, slack);
            } else if !members.is_empty() {
                for (place, &id) in (0..).zip(members) {
                    places[id as usize] = place;
                }
                let taken = budget.taken();
                let component = Component { members, slack };
                let equations = self.equations(component, values, &places, budget)?;
                let mut x = budget.with_capacity(members.len())?;
                x.extend(members.iter().map(|&id| values[id as usize]));
                updates += equations.solve(&mut x, tolerance, budget)?;
                for (&id, value) in members.iter().zip(&x) {
                    values[id as usize] = value.clamp(0.0, 1.0);
                }
                budget.reset_to(taken);
            }
        }
        for (id, &to) in self.links.forward.iter().enumerate() {
            values[id] = values[to as usize];
        }
        Ok(updates)
    }

    fn alone(&self, id: u32, values: &[f64], slack: f64) -> f64 {
        let draws = self.links.draws(id).len();
        let others = self.links.successors(id).filter(|&next| next != id);
        let (count, sum) = others.fold((0, 0.0), |(count, sum), next| {
            (count + 1, sum + values[next as usize])
        });
        let value = (sum + draws as f64 * slack) / f64::from(count);
        value.clamp(0.0, 1.0)
    }

    fn equations(
        &self,
        Component { members, slack }: Component,
        values: &[f64],
        places: &[u32],
        budget: &Budget,
    ) -> Result<Equations, Limit> {
        let all: usize = members.iter().map(|&id| self.links.draws(id).len()).sum();
        let mut equations = Equations::with_capacity(members.len(), all, budget)?;
        let label = self.labels[members[0] as usize];
        for &id in members {
            let draws = self.links.draws(id).len();
            let (mut others, mut constant) = (0, draws as f64 * slack);
            for next in self.links.successors(id).filter(|&next| next != id) {
                others += 1;
                if self.labels[next as usize] == label {
                    equations.item(places[next as usize]);
                } else {
                    constant += values[next as usize];
                }
            }
            let share = 1.0 / f64::from(others);
            equations.finish(share, constant * share);
        }
        Ok(equations)
    }
}

#[derive(Clone, Copy)]
struct Component<'m> {
    members: &'m [u32],
    slack: f64,
}

/// Follows the choices from each node to a chance node or an end. The choices form no cycle, since a cycle would be an end
/// component.
fn forward(choices: &[u32], budget: &Budget) -> Result<Vec<u32>, Limit> {
    let mut forward = budget.with_capacity(choices.len())?;
    forward.extend(LOST..choices.len() as u32);
    let mut way = Vec::new();
    for id in FIRST_ID..choices.len() as u32 {
        let mut at = id;
        // The walk also stops at a path whose end is already known.
        while choices[at as usize] != DRAWN && forward[at as usize] == at {
            budget.push(&mut way, at)?;
            at = choices[at as usize];
        }
        let end = forward[at as usize];
        for passed in way.drain(..) {
            forward[passed as usize] = end;
        }
    }
    budget.free(way);
    Ok(forward)
}
