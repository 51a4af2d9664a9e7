use super::components::Components;
use super::graph::{Graph, Lists};
use super::model::Owner;
use super::policy_iteration::Bounds;
use super::qualitative::{Class, Qualitative};
use crate::limits::{Budget, Limit};

/// The entry for a chance node, or for a node from which the player cannot win.
pub(super) const NO_CHOICE: u32 = u32::MAX;

pub(super) fn choices(
    graph: &Graph,
    qualitative: &Qualitative,
    bounds: Option<&Bounds>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut choices = budget.filled(NO_CHOICE, graph.len())?;
    for id in graph.ids().filter(|&id| graph.owner(id) == Owner::Player) {
        let choice = match (qualitative.class(id), bounds) {
            (Class::AlmostSure | Class::Sure, _) => qualitative.surest(graph, id),
            (Class::Open, Some(bounds)) => likeliest(graph, bounds, id),
            _ => continue,
        };
        choices[id as usize] = choice as u32;
    }
    if let Some(bounds) = bounds.filter(|_| !qualitative.components.is_empty()) {
        let mut guide = Guide {
            graph,
            components: &qualitative.components,
            bounds,
            choices,
        };
        guide.lead_out(&graph.backward(budget)?, budget)?;
        choices = guide.choices;
    }
    Ok(choices)
}

/// Choices within end components. All nodes of a component have the same value, so the choices follow the shortest path to its
/// best exit.
struct Guide<'a> {
    graph: &'a Graph,
    components: &'a Components,
    bounds: &'a Bounds,
    choices: Vec<u32>,
}

impl Guide<'_> {
    fn lead_out(&mut self, predecessors: &Lists, budget: &Budget) -> Result<(), Limit> {
        let mut is_led = budget.filled(false, self.graph.len())?;
        for label in self.components.numbers() {
            let (gate, choice) = self.best_exit(label);
            self.choices[gate as usize] = choice as u32;
            is_led[gate as usize] = true;
            let mut order = vec![gate];
            let mut next = 0;
            while let Some(&to) = order.get(next) {
                next += 1;
                for &id in predecessors.get(to) {
                    if self.components.label(id) == label && !is_led[id as usize] {
                        is_led[id as usize] = true;
                        self.lead(id, to);
                        budget.push(&mut order, id)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn lead(&mut self, id: u32, to: u32) {
        if self.graph.owner(id) == Owner::Player {
            let choice = self
                .graph
                .successors(id)
                .iter()
                .position(|&next| next == to);
            self.choices[id as usize] = choice.expect("what comes before leads there") as u32;
        }
    }

    fn best_exit(&self, label: u32) -> (u32, usize) {
        let members = self.components.members(label).iter();
        let all = members.flat_map(|&id| {
            self.graph
                .successors(id)
                .iter()
                .enumerate()
                .map(move |(choice, &next)| (id, choice, next))
        });
        let exits = all.filter(|&(.., next)| self.components.label(next) != label);
        let lower = |next: u32| self.bounds.at(next)[0];
        let best = exits.max_by(|(.., a), (.., b)| lower(*a).total_cmp(&lower(*b)));
        let (id, choice, _) =
            best.expect("the player can win from an open node, so it can get out");
        (id, choice)
    }
}

fn likeliest(graph: &Graph, bounds: &Bounds, id: u32) -> usize {
    let lower = |next: &u32| bounds.at(*next)[0];
    let successors = graph.successors(id).iter().enumerate().rev();
    let best = successors.max_by(|(_, a), (_, b)| lower(a).total_cmp(&lower(b)));
    best.expect("something follows each node").0
}
