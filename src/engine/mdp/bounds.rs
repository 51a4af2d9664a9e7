//! Bounds on the probabilities of what the graph left open, and the choices that they recommend.

use super::components::Components;
use super::graph::{Graph, LOST, Lists, WON};
use super::nodes::FIRST_ID;
use super::settle::{Settled, Standing};
use super::{Decider, Limit, Limits, WIDTH};

/// What is open, without what the graph settled: nodes that lead to one place only are that place, and
/// each end component is one choice among its ways out.
#[derive(Debug)]
pub(super) struct Bounds {
    /// For each id of the graph its id here; [`LOST`] and [`WON`] where that is settled.
    place: Vec<u32>,
    lists: Lists,
    by_player: Vec<bool>,
    /// From below and above.
    bounds: Vec<[f64; 2]>,
}

/// The place of a node that has the place of the only one that follows it.
const PASSED_ON: u32 = u32::MAX;

impl Bounds {
    pub(super) fn new(graph: &Graph, settled: &Settled) -> Self {
        let place = places(graph, settled);
        let mut starts = vec![0; FIRST_ID as usize];
        let mut by_player = vec![false; FIRST_ID as usize];
        let mut items = Vec::new();
        for id in graph.ids() {
            // Each place is written when its first node comes by.
            if place[id as usize] as usize != starts.len() || is_passed_on(graph, settled, id) {
                continue;
            }
            starts.push(items.len() as u32);
            by_player
                .push(graph.decider(id) == Decider::Player || settled.components.label(id) > 0);
            let nexts = ways_out(graph, &settled.components, id);
            items.extend(nexts.map(|next| place[next as usize]));
        }
        let mut bounds = vec![[0.0, 1.0]; starts.len()];
        bounds[LOST as usize] = [0.0, 0.0];
        bounds[WON as usize] = [1.0, 1.0];
        starts.push(items.len() as u32);
        Self {
            place,
            lists: Lists::new(starts, items),
            by_player,
            bounds,
        }
    }

    /// The bounds at this id of the graph.
    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        self.bounds[self.place[id as usize] as usize]
    }

    /// Moves the bounds towards each other until they meet at `start`, or a limit is reached.
    pub(super) fn sweep(&mut self, start: u32, limits: &Limits) -> Result<(), Limit> {
        loop {
            let [lower, upper] = self.at(start);
            if upper - lower <= WIDTH {
                return Ok(());
            }
            limits.time_is_up().map_or(Ok(()), Err)?;
            self.sweep_once();
        }
    }

    fn sweep_once(&mut self) {
        let bounds = &mut self.bounds;
        let nodes = self.lists.iter().zip(&self.by_player).enumerate();
        for (at, (nexts, &by_player)) in nodes.skip(FIRST_ID as usize) {
            let new = if by_player {
                best(nexts, bounds)
            } else {
                mean(nexts, bounds)
            };
            // What was a bound stays one, whatever the rounding.
            let [lower, upper] = bounds[at];
            bounds[at] = [lower.max(new[0]), upper.min(new[1])];
        }
    }
}

fn best(nexts: &[u32], bounds: &[[f64; 2]]) -> [f64; 2] {
    nexts.iter().fold([0.0, 0.0], |[lower, upper], &next| {
        let [low, high] = bounds[next as usize];
        [low.max(lower), high.max(upper)]
    })
}

fn mean(nexts: &[u32], bounds: &[[f64; 2]]) -> [f64; 2] {
    let [lower, upper] = nexts.iter().fold([0.0, 0.0], |[lower, upper], &next| {
        let [low, high] = bounds[next as usize];
        [low + lower, high + upper]
    });
    let count = nexts.len() as f64;
    [lower / count, upper / count]
}

/// The place of each id.
fn places(graph: &Graph, settled: &Settled) -> Vec<u32> {
    let mut place = vec![LOST; graph.len()];
    place[WON as usize] = WON;
    let mut of_component = vec![LOST; settled.components.len() + 1];
    let mut count = FIRST_ID;
    for id in graph.ids() {
        let mut new = || {
            count += 1;
            count - 1
        };
        let label = settled.components.label(id) as usize;
        place[id as usize] = match settled.standing(id) {
            Standing::Lost => LOST,
            Standing::Sure | Standing::Certain => WON,
            Standing::Open if label > 0 => {
                if of_component[label] == LOST {
                    of_component[label] = new();
                }
                of_component[label]
            }
            Standing::Open if graph.nexts(id).len() == 1 => PASSED_ON,
            Standing::Open => new(),
        };
    }
    pass_on(graph, &mut place);
    place
}

fn is_passed_on(graph: &Graph, settled: &Settled, id: u32) -> bool {
    graph.nexts(id).len() == 1 && settled.components.label(id) == 0
}

/// Gives the nodes that are passed on their place. They can't go round in a circle, since that would be
/// an end component.
fn pass_on(graph: &Graph, place: &mut [u32]) {
    let mut way = Vec::new();
    for id in graph.ids() {
        let mut at = id;
        while place[at as usize] == PASSED_ON {
            way.push(at);
            at = graph.nexts(at)[0];
        }
        for passed in way.drain(..) {
            place[passed as usize] = place[at as usize];
        }
    }
}

/// What follows a node, or what the player can choose at the end component that it belongs to.
fn ways_out<'a>(
    graph: &'a Graph,
    components: &'a Components,
    id: u32,
) -> impl Iterator<Item = u32> + 'a {
    let label = components.label(id);
    let alone = if label == 0 { graph.nexts(id) } else { &[] };
    let members = if label == 0 {
        &[]
    } else {
        components.members(label)
    };
    let exits = members.iter().flat_map(|&member| graph.nexts(member));
    let exits = exits.filter(move |&&next| components.label(next) != label);
    alone.iter().chain(exits).copied()
}

/// No choice to recommend.
pub(super) const NO_PICK: u16 = u16::MAX;

/// For each id the number of the next that the player should choose.
pub(super) fn picks(graph: &Graph, settled: &Settled, bounds: Option<&Bounds>) -> Vec<u16> {
    let mut picks = vec![NO_PICK; graph.len()];
    for id in graph
        .ids()
        .filter(|&id| graph.decider(id) == Decider::Player)
    {
        let pick = match (settled.standing(id), bounds) {
            (Standing::Sure | Standing::Certain, _) => settled.surest(graph, id),
            (Standing::Open, Some(bounds)) => likeliest(graph, bounds, id),
            _ => continue,
        };
        picks[id as usize] = pick as u16;
    }
    if let Some(bounds) = bounds.filter(|_| settled.components.len() > 0) {
        let mut guide = Guide {
            graph,
            components: &settled.components,
            bounds,
            picks,
        };
        guide.lead_out(&graph.backward());
        picks = guide.picks;
    }
    picks
}

/// Leads the player out of end components, where all nodes are worth the same and the best next is one
/// that is nearer to the best way out.
struct Guide<'a> {
    graph: &'a Graph,
    components: &'a Components,
    bounds: &'a Bounds,
    picks: Vec<u16>,
}

impl Guide<'_> {
    fn lead_out(&mut self, before: &Lists) {
        let mut is_led = vec![false; self.graph.len()];
        for label in 1..=self.components.len() as u32 {
            let (gate, pick) = self.best_exit(label);
            self.picks[gate as usize] = pick as u16;
            is_led[gate as usize] = true;
            let mut order = vec![gate];
            let mut next = 0;
            while let Some(&to) = order.get(next) {
                next += 1;
                for &id in before.get(to) {
                    if self.components.label(id) == label && !is_led[id as usize] {
                        is_led[id as usize] = true;
                        self.lead(id, to);
                        order.push(id);
                    }
                }
            }
        }
    }

    fn lead(&mut self, id: u32, to: u32) {
        if self.graph.decider(id) == Decider::Player {
            let pick = self.graph.nexts(id).iter().position(|&next| next == to);
            self.picks[id as usize] = pick.expect("what comes before leads there") as u16;
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
