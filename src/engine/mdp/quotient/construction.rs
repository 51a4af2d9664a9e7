use super::Quotient;
use crate::engine::mdp::components::Components;
use crate::engine::mdp::graph::{Graph, LOST, Lists, WON};
use crate::engine::mdp::model::Owner;
use crate::engine::mdp::nodes::FIRST_ID;
use crate::engine::mdp::qualitative::{Class, Qualitative};
use crate::limits::{Budget, Limit};

/// The id of a node that is merged with its only successor, until the successor's id is known.
const FORWARDED: u32 = u32::MAX;

impl Quotient {
    pub(in crate::engine::mdp) fn new(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut nodes = Vec::new();
        for id in graph.ids() {
            if is_node(graph, qualitative, id) {
                budget.push(&mut nodes, id)?;
            }
        }
        let ids = quotient_ids(graph, qualitative, &nodes, budget)?;
        let components = &qualitative.components;
        // The ends have no successors.
        let mut starts = budget.filled(0, FIRST_ID as usize)?;
        let (mut items, mut by_player) = (Vec::new(), budget.filled(false, FIRST_ID as usize)?);
        for &node in &nodes {
            budget.push(&mut starts, items.len() as u32)?;
            for next in exits(graph, components, node) {
                budget.push(&mut items, ids[next as usize])?;
            }
            let is_choice = graph.owner(node) == Owner::Player || components.label(node) > 0;
            budget.push(&mut by_player, is_choice)?;
        }
        budget.push(&mut starts, items.len() as u32)?;
        budget.free(nodes);
        Ok(Self {
            first: ids[start as usize],
            ids,
            lists: Lists::new(starts, items),
            by_player,
        })
    }
}

/// Returns whether an id becomes a node of the quotient: an open node that is the first of its end component or has several
/// successors.
fn is_node(graph: &Graph, qualitative: &Qualitative, id: u32) -> bool {
    let label = qualitative.components.label(id);
    match qualitative.class(id) {
        Class::Open if label > 0 => qualitative.components.members(label)[0] == id,
        Class::Open => graph.successors(id).len() > 1,
        _ => false,
    }
}

/// Returns the quotient's id for each id of the graph; `nodes` lists the ids that become nodes of the quotient.
fn quotient_ids(
    graph: &Graph,
    qualitative: &Qualitative,
    nodes: &[u32],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut ids = budget.filled(LOST, graph.len())?;
    for id in 0..graph.len() as u32 {
        ids[id as usize] = match qualitative.class(id) {
            Class::Lost => LOST,
            Class::AlmostSure | Class::Sure => WON,
            Class::Open => FORWARDED,
        };
    }
    for (at, &id) in (FIRST_ID..).zip(nodes) {
        ids[id as usize] = at;
    }
    for label in qualitative.components.numbers() {
        let members = qualitative.components.members(label);
        for &id in members {
            ids[id as usize] = ids[members[0] as usize];
        }
    }
    forward(graph, &mut ids, budget)?;
    Ok(ids)
}

/// Resolves the merged nodes. They form no cycle, since a cycle would be an end component.
fn forward(graph: &Graph, ids: &mut [u32], budget: &Budget) -> Result<(), Limit> {
    let mut way = Vec::new();
    for id in graph.ids() {
        let mut at = id;
        while ids[at as usize] == FORWARDED {
            budget.push(&mut way, at)?;
            at = graph.successors(at)[0];
        }
        for forwarded in way.drain(..) {
            ids[forwarded as usize] = ids[at as usize];
        }
    }
    budget.free(way);
    Ok(())
}

fn exits<'a>(
    graph: &'a Graph,
    components: &'a Components,
    id: u32,
) -> impl Iterator<Item = u32> + 'a {
    let label = components.label(id);
    let (alone, members) = match label {
        0 => (graph.successors(id), &[][..]),
        label => (&[][..], components.members(label)),
    };
    let exits = members.iter().flat_map(|&member| graph.successors(member));
    let exits = exits.filter(move |&&next| components.label(next) != label);
    alone.iter().chain(exits).copied()
}
