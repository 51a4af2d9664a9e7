use super::components::Components;
use super::graph::{BackwardGraph, Graph};
use super::model::Owner;
use super::policy_iteration::NodeBounds;
use super::qualitative::{Class, Qualitative};
use getaway_board::limits::{Budget, Limit};

/// The entry for a node without a computed choice: a chance node, a lost node, or an open node without bounds.
pub(super) const NO_CHOICE: u32 = u32::MAX;

pub(super) fn choices(
    graph: &Graph,
    qualitative: &Qualitative,
    bounds: Option<&NodeBounds>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut choices = budget.filled(NO_CHOICE, graph.len())?;
    for id in graph.ids().filter(|&id| graph.owner(id) == Owner::Player) {
        let choice = match (qualitative.class(id), bounds) {
            (Class::AlmostSure | Class::Sure, _) => qualitative.lowest_ranked(graph, id),
            (Class::Open, Some(bounds)) => best_successor(graph, bounds, id),
            _ => continue,
        };
        choices[id as usize] = choice as u32;
    }
    if let Some(bounds) = bounds
        && !qualitative.components.is_empty()
    {
        choose_exits(graph, &qualitative.components, bounds, &mut choices, budget)?;
    }
    Ok(choices)
}

fn best_successor(graph: &Graph, bounds: &NodeBounds, id: u32) -> usize {
    let lower = |next: &u32| bounds.at(*next)[0];
    let successors = graph.successors(id).iter().enumerate().rev();
    // `max_by` returns the last of equal elements, which is the first choice here.
    let best = successors.max_by(|(_, a), (_, b)| lower(a).total_cmp(&lower(b)));
    best.expect("each node has a successor").0
}

/// Sets the choices within end components. All nodes of a component have the same value, so the choices in it follow the shortest
/// path to its best exit.
fn choose_exits(
    graph: &Graph,
    components: &Components,
    bounds: &NodeBounds,
    choices: &mut [u32],
    budget: &Budget,
) -> Result<(), Limit> {
    let backward = BackwardGraph::of(graph, budget)?;
    let mut is_reached = budget.filled(false, graph.len())?;
    for label in components.numbers() {
        let (exit_node, choice) = best_exit(graph, components, bounds, label);
        choices[exit_node as usize] = choice as u32;
        is_reached[exit_node as usize] = true;
        let mut order = vec![exit_node];
        let mut next = 0;
        while let Some(&to) = order.get(next) {
            next += 1;
            for &id in backward.predecessors.get(to) {
                if components.label(id) != label || is_reached[id as usize] {
                    continue;
                }
                is_reached[id as usize] = true;
                if graph.owner(id) == Owner::Player {
                    let choice = graph.successors(id).iter().position(|&next| next == to);
                    choices[id as usize] =
                        choice.expect("a predecessor has a move to its successor") as u32;
                }
                budget.push(&mut order, id)?;
            }
        }
    }
    Ok(())
}

fn best_exit(
    graph: &Graph,
    components: &Components,
    bounds: &NodeBounds,
    label: u32,
) -> (u32, usize) {
    let all = components.members(label).iter().flat_map(|&id| {
        let successors = graph.successors(id).iter().enumerate();
        successors.map(move |(choice, &next)| (id, choice, next))
    });
    let exits = all.filter(|&(.., next)| components.label(next) != label);
    let lower = |next: u32| bounds.at(next)[0];
    let best = exits.max_by(|(.., a), (.., b)| lower(*a).total_cmp(&lower(*b)));
    let (id, choice, _) = best.expect("the player can win from an open node, so it can get out");
    (id, choice)
}
