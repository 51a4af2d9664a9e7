//! The choices that the bounds recommend.

use super::Decider;
use super::bounds::Bounds;
use super::components::Components;
use super::graph::{Graph, Lists};
use super::settle::{Settled, Standing};
use crate::limits::{Budget, Limit};

/// No choice to recommend.
pub(super) const NO_PICK: u32 = u32::MAX;

/// For each id the number of the next that the player should choose.
pub(super) fn picks(
    graph: &Graph,
    settled: &Settled,
    bounds: Option<&Bounds>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut picks = budget.filled(NO_PICK, graph.len())?;
    for id in graph
        .ids()
        .filter(|&id| graph.decider(id) == Decider::Player)
    {
        clock.work(graph.nexts(id).len() as u64)?;
        let pick = match (settled.standing(id), bounds) {
            (Standing::Sure | Standing::Certain, _) => settled.surest(graph, id),
            (Standing::Open, Some(bounds)) => likeliest(graph, bounds, id),
            _ => continue,
        };
        picks[id as usize] = pick as u32;
    }
    if let Some(bounds) = bounds.filter(|_| !settled.components.is_empty()) {
        let mut guide = Guide {
            graph,
            components: &settled.components,
            bounds,
            picks,
        };
        guide.lead_out(&graph.backward(budget)?, budget)?;
        picks = guide.picks;
    }
    Ok(picks)
}

/// Leads the player out of end components, where all nodes are worth the same and the best next is
/// one that is nearer to the best way out.
struct Guide<'a> {
    graph: &'a Graph,
    components: &'a Components,
    bounds: &'a Bounds,
    picks: Vec<u32>,
}

impl Guide<'_> {
    fn lead_out(&mut self, before: &Lists, budget: &Budget) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut is_led = budget.filled(false, self.graph.len())?;
        for label in self.components.numbers() {
            let (gate, pick) = self.best_exit(label);
            self.picks[gate as usize] = pick as u32;
            is_led[gate as usize] = true;
            let mut order = vec![gate];
            let mut next = 0;
            while let Some(&to) = order.get(next) {
                next += 1;
                clock.work((1 + before.get(to).len()) as u64)?;
                for &id in before.get(to) {
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
        if self.graph.decider(id) == Decider::Player {
            let pick = self.graph.nexts(id).iter().position(|&next| next == to);
            self.picks[id as usize] = pick.expect("what comes before leads there") as u32;
        }
    }

    /// The node of a component from which the player should leave it, and by which of its nexts.
    fn best_exit(&self, label: u32) -> (u32, usize) {
        let members = self.components.members(label).iter();
        let all = members.flat_map(|&id| {
            self.graph
                .nexts(id)
                .iter()
                .enumerate()
                .map(move |(pick, &next)| (id, pick, next))
        });
        let exits = all.filter(|&(.., next)| self.components.label(next) != label);
        let lower = |next: u32| self.bounds.at(next)[0];
        let best = exits.max_by(|(.., a), (.., b)| lower(*a).total_cmp(&lower(*b)));
        let (id, pick, _) = best.expect("the player can win from an open node, so it can get out");
        (id, pick)
    }
}

/// The number of the next with the greatest lower bound, the first of equals.
fn likeliest(graph: &Graph, bounds: &Bounds, id: u32) -> usize {
    let lower = |next: &u32| bounds.at(*next)[0];
    let nexts = graph.nexts(id).iter().enumerate().rev();
    let best = nexts.max_by(|(_, a), (_, b)| lower(a).total_cmp(&lower(b)));
    best.expect("something follows each node").0
}
