//! Tests of the solver on MDPs built by hand or at random.

mod memory;

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::estimate::BellmanOperator;
use super::graph::Graph;
use super::nodes::Nodes;
use super::optimistic::checked_bounds;
use super::policy_iteration::by_policies;
use super::qualitative::Qualitative;
use super::quotient::Quotient;
use super::*;
use getaway_board::limits::{Bounds, Budget, Clock, Decision, Limit, Limits};
use getaway_testing::sized;

#[derive(Clone, Debug)]
pub(super) struct Toy {
    nodes: Vec<(Owner, Vec<Successor>)>,
    stride: u64,
}

impl Toy {
    pub(super) fn new(nodes: Vec<(Owner, Vec<Successor>)>) -> Self {
        Self { nodes, stride: 1 }
    }

    pub(super) fn spread(self) -> Self {
        Self {
            stride: 0x0123_4567_89ab_cdef / 64,
            ..self
        }
    }
}

impl Mdp for Toy {
    fn initial(&self) -> u64 {
        0
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let (owner, successors) = &self.nodes[(node / self.stride) as usize];
        out.extend(successors.iter().map(|&next| match next {
            Successor::Node(node) => Successor::Node(node * self.stride),
            end => end,
        }));
        clock.work(successors.len() as u64)?;
        Ok(*owner)
    }
}

const PLAYER: Owner = Owner::Player;
const CHANCE: Owner = Owner::Chance;
const WON: Successor = Successor::Won;
const LOST: Successor = Successor::Lost;

fn to(node: u64) -> Successor {
    Successor::Node(node)
}

fn solved(nodes: Vec<(Owner, Vec<Successor>)>) -> Valuation {
    solve(&Toy::new(nodes), &Limits::default())
}

fn assert_probability(valuation: &Valuation, probability: f64) {
    let Bounds { lower, upper } = valuation.bounds;
    assert!(
        lower - 1e-12 <= probability && probability <= upper + 1e-12,
        "{lower} to {upper}"
    );
    assert!(upper - lower <= WIDTH, "{lower} to {upper}");
}

#[test]
fn a_coin_is_even() {
    let valuation = solved(vec![(CHANCE, vec![WON, LOST])]);
    assert_probability(&valuation, 0.5);
    assert_eq!(
        (valuation.possible, valuation.sure, valuation.nodes),
        (Decision::Yes, false, 1)
    );
}

#[test]
fn a_branch_listed_twice_is_twice_as_likely() {
    let valuation = solved(vec![
        (CHANCE, vec![WON, LOST, LOST, to(1)]),
        (CHANCE, vec![WON, WON, LOST]),
    ]);
    assert_probability(&valuation, 0.25 + 0.25 * 2.0 / 3.0);
}

#[test]
fn trying_again_and_again_wins_almost_surely_but_not_surely() {
    let valuation = solved(vec![(PLAYER, vec![to(1)]), (CHANCE, vec![to(0), WON])]);
    assert_eq!(
        (
            valuation.bounds.lower,
            valuation.bounds.upper,
            valuation.sure
        ),
        (1.0, 1.0, false)
    );
    let valuation = solved(vec![(PLAYER, vec![to(0), to(1)]), (CHANCE, vec![WON, WON])]);
    assert_eq!(
        (
            valuation.bounds.lower,
            valuation.bounds.upper,
            valuation.sure
        ),
        (1.0, 1.0, true)
    );
}

#[test]
fn a_chance_in_a_million_each_turn_wins_almost_surely() {
    // Twenty coin tosses in a row, all of which must succeed; otherwise the game starts over.
    let mut nodes: Vec<_> = (1..20)
        .map(|next| (CHANCE, vec![to(0), to(next)]))
        .collect();
    nodes.push((CHANCE, vec![to(0), WON]));
    let valuation = solved(nodes);
    assert_eq!((valuation.bounds.lower, valuation.sure), (1.0, false));
}

#[test]
fn waiting_forever_has_probability_0() {
    // The player can stay on nodes 0 to 2 forever; the best way out is node 4, a coin toss.
    let valuation = solved(vec![
        (PLAYER, vec![to(1), to(3)]),
        (CHANCE, vec![to(0), to(2)]),
        (PLAYER, vec![to(0), to(4)]),
        (CHANCE, vec![WON, LOST, LOST]),
        (CHANCE, vec![WON, LOST]),
    ]);
    assert_probability(&valuation, 0.5);
    let strategy = valuation
        .into_strategy(StrategyScope::Choices, &Budget::new(&Limits::default()))
        .unwrap()
        .unwrap();
    assert_eq!(
        strategy.choice(0),
        Some(0),
        "to where the better way out may be reached"
    );
    assert_eq!(strategy.choice(2), Some(1), "out");
    assert_eq!(strategy.choice(77), None, "no such node");
}

#[test]
fn a_lost_position_has_no_recommended_move() {
    let valuation = solved(vec![
        (PLAYER, vec![to(0), to(1)]),
        (CHANCE, vec![LOST, to(0)]),
    ]);
    assert_eq!((valuation.bounds.lower, valuation.bounds.upper), (0.0, 0.0));
    assert_eq!(valuation.possible, Decision::No);
    assert_eq!(
        valuation
            .into_strategy(StrategyScope::Choices, &Budget::new(&Limits::default()))
            .unwrap()
            .unwrap()
            .choice(0),
        None
    );
}

fn walk(length: u64) -> Vec<(Owner, Vec<Successor>)> {
    let step = |at: u64| if at == 0 { LOST } else { to(at - 1) };
    let ahead = |at: u64| if at + 1 == length { WON } else { to(at + 1) };
    let middle = (0..length).map(|at| (CHANCE, vec![step(at), ahead(at)]));
    let mut nodes: Vec<_> = middle.collect();
    let start = (length - 1) / 2;
    nodes.push(nodes[0].clone());
    nodes[0] = (CHANCE, vec![to(start), to(start)]);
    for (_, successors) in &mut nodes[1..] {
        successors
            .iter_mut()
            .filter(|next| **next == to(0))
            .for_each(|next| *next = to(length));
    }
    nodes
}

#[test]
fn long_random_walks_are_measured_too() {
    for length in [3, 31, sized(101, 501)] {
        assert_probability(&solved(walk(length)), 0.5);
    }
}

#[test]
fn a_search_that_hits_a_limit_keeps_the_bounds_found() {
    let toy = Toy::new(walk(301));
    let few = Limits {
        max_states: Some(100),
        ..Limits::default()
    };
    let valuation = solve(&toy, &few);
    assert_eq!(
        (valuation.limit, valuation.nodes),
        (Some(Limit::States), 100)
    );
    assert_eq!(
        (
            valuation.bounds.lower,
            valuation.bounds.upper,
            valuation.possible
        ),
        (0.0, 1.0, Decision::Undecided)
    );
    let stop = AtomicBool::new(true);
    let stopped = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let valuation = solve(&toy, &stopped);
    assert_eq!(
        (valuation.limit, valuation.bounds.upper),
        (Some(Limit::Interrupt), 1.0)
    );
}

fn random_node(count: u64) -> impl Strategy<Value = (Owner, Vec<Successor>)> {
    let next = prop_oneof![
        1 => Just(WON),
        1 => Just(LOST),
        8 => (0..count).prop_map(Successor::Node),
    ];
    let owner = prop_oneof![Just(PLAYER), Just(CHANCE)];
    (owner, prop::collection::vec(next, 1..5))
}

/// Returns the values after very many sweeps from 0; `choice` may fix the player's choice at a node.
fn naive(toy: &Toy, choice: impl Fn(usize) -> Option<usize>) -> Vec<f64> {
    let mut values = vec![0.0_f64; toy.nodes.len()];
    for _ in 0..100_000 {
        let before = values.clone();
        for (at, (owner, successors)) in toy.nodes.iter().enumerate() {
            let value = |next: &Successor| match next {
                Successor::Won => 1.0,
                Successor::Lost => 0.0,
                Successor::Node(node) => values[*node as usize],
            };
            values[at] = match (owner, choice(at)) {
                (Owner::Player, Some(choice)) => value(&successors[choice]),
                (Owner::Player, None) => successors.iter().map(value).fold(0.0, f64::max),
                (Owner::Chance, _) => {
                    successors.iter().map(value).sum::<f64>() / successors.len() as f64
                }
            };
        }
        if values == before {
            break;
        }
    }
    values
}

proptest! {
    /// Spreading the node numbers or using several threads must make no difference.
    #[test]
    fn random_games_are_solved(nodes in prop::collection::vec(random_node(12), 12)) {
        let toy = Toy::new(nodes);
        let valuation = solve(&toy, &Limits::default());
        let probability = naive(&toy, |_| None)[0];
        prop_assert!((valuation.bounds.lower - probability).abs() <= 1e-6, "{:?} {probability}", valuation);
        prop_assert!((valuation.bounds.upper - probability).abs() <= 1e-6, "{:?} {probability}", valuation);
        prop_assert_eq!(valuation.possible, Decision::from(probability > 0.0));
        prop_assert!(!valuation.sure || valuation.bounds.lower >= 1.0);
        let spread = solve(&toy.clone().spread(), &Limits::default());
        prop_assert!((spread.bounds.lower - probability).abs() <= 1e-6, "{:?} {probability}", spread);
        prop_assert!((spread.bounds.upper - probability).abs() <= 1e-6, "{:?} {probability}", spread);
        prop_assert_eq!((valuation.sure, valuation.nodes), (spread.sure, spread.nodes));
        let shared = solve(&toy.clone().spread(), &Limits { threads: 3, ..Limits::default() });
        prop_assert_eq!(
            (shared.bounds.lower.to_bits(), shared.bounds.upper.to_bits(), shared.sure, shared.nodes),
            (spread.bounds.lower.to_bits(), spread.bounds.upper.to_bits(), spread.sure, spread.nodes)
        );
        let strategy = valuation.into_strategy(StrategyScope::Choices, &Budget::new(&Limits::default())).unwrap().unwrap();
        let kept = naive(&toy, |at| strategy.choice(at as u64))[0];
        prop_assert!((kept - probability).abs() <= 1e-6, "{kept} of {probability}");
    }
}

proptest! {
    #[test]
    fn policies_bound_the_values_of_random_games(nodes in prop::collection::vec(random_node(12), 12)) {
        let toy = Toy::new(nodes);
        let values = naive(&toy, |_| None);
        let all: Vec<u64> = (0..12).collect();
        let bounds = by_policies(&toy, 1000, &all).unwrap();
        let open = bounds.into_iter().zip(&values).filter_map(|(bounds, value)| Some((bounds?, value)));
        for (Bounds { lower, upper }, value) in open {
            prop_assert!(lower <= value + 1e-9 && value - 1e-9 <= upper, "{value} {lower} {upper}");
            prop_assert!(upper - lower <= WIDTH, "{lower} {upper}");
        }
    }
}

/// Returns a game in which the player may wait at node 0, at a risk of 1 in 2^`steps`. After that, a random walk along a line
/// decides, starting from the middle.
fn waiting(steps: u64, length: u64) -> Toy {
    let line = steps + 1;
    let mut nodes = vec![(PLAYER, vec![to(1), to(line + length / 2)])];
    for step in 1..=steps {
        let on = if step == steps { LOST } else { to(step + 1) };
        nodes.push((CHANCE, vec![to(0), on]));
    }
    for at in 0..length {
        let left = at.checked_sub(1).map_or(LOST, |left| to(line + left));
        let right = if at + 1 == length {
            WON
        } else {
            to(line + at + 1)
        };
        nodes.push((CHANCE, vec![left, right]));
    }
    Toy::new(nodes)
}

#[test]
fn delaying_almost_forever_still_gives_close_bounds() {
    // From above, a sweep reduces the value of waiting by one part in a million for 20 steps; from
    // below, the walk of length 301 alone takes a hundred thousand sweeps.
    for (steps, length) in [(20, 1), (20, 99), (3, 99), (30, 301)] {
        let toy = waiting(steps, length);
        let Bounds { lower, upper } = by_policies(&toy, 2000, &[0]).unwrap()[0].unwrap();
        assert!(
            lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH,
            "{steps} {length}: {lower} {upper}"
        );
    }
}

/// Returns a game of `count` coin tosses that must all succeed, or it starts over; then a last toss wins or loses.
fn coins(count: u64) -> Toy {
    let mut nodes: Vec<_> = (1..=count)
        .map(|next| (CHANCE, vec![to(0), to(next)]))
        .collect();
    nodes.push((CHANCE, vec![WON, LOST]));
    Toy::new(nodes)
}

#[test]
fn plays_with_millions_of_draws_use_a_smaller_slack() {
    // A slack of 1e-12 for each of four million draws exceeds the maximum gap between the bounds.
    let Bounds { lower, upper } = by_policies(&coins(21), 2000, &[0]).unwrap()[0].unwrap();
    assert!(
        lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH,
        "{lower} {upper}"
    );
    // With two thousand million draws, even the minimum slack that allows for rounding exceeds that
    // gap.
    let Bounds { lower, upper } = by_policies(&coins(30), 2000, &[0]).unwrap()[0].unwrap();
    assert!(
        lower <= 0.5 && 0.5 <= upper && upper - lower < 1e-3,
        "{lower} {upper}"
    );
}

pub(super) fn quotient(toy: &Toy, budget: &Budget) -> Quotient {
    let nodes = Nodes::explore(toy, &[0], budget).unwrap();
    let graph = Graph::build(toy, &nodes, budget).unwrap();
    let first = nodes.id(toy.initial());
    let qualitative = Qualitative::of(&graph, first, budget).unwrap();
    Quotient::new(&graph, &qualitative, first, budget).unwrap()
}

#[test]
fn all_successors_of_nodes_are_counted() {
    let toy = Toy::new(vec![
        (PLAYER, vec![to(1), to(2), WON]),
        (CHANCE, vec![WON, LOST]),
        (CHANCE, vec![to(0), to(0), to(1), LOST]),
    ]);
    let limits = Limits::default();
    let nodes = Nodes::explore(&toy, &[0], &Budget::new(&limits)).unwrap();
    assert_eq!((nodes.len(), nodes.edges()), (3, 9));
}

#[test]
fn exploration_stops_at_the_node_limit() {
    let toy = Toy::new(walk(301));
    for (threads, toy) in [(1, toy.clone()), (3, toy.clone()), (3, toy.spread())] {
        for max in [1, 2, 7, 300] {
            let limits = Limits {
                max_states: Some(max),
                threads,
                ..Limits::default()
            };
            let explored = Nodes::explore(&toy, &[0], &Budget::new(&limits));
            assert_eq!(explored.err(), Some((Limit::States, max)));
        }
        let all = Nodes::explore(&toy, &[0], &Budget::new(&Limits::default()));
        assert_eq!(all.map(|nodes| nodes.len()).ok(), Some(302));
    }
}

pub(super) fn coin(budget: &Budget) -> Quotient {
    quotient(&Toy::new(vec![(CHANCE, vec![WON, LOST])]), budget)
}

#[test]
fn the_largest_draw_is_that_of_a_chance_node() {
    let toy = Toy::new(vec![
        (PLAYER, vec![to(1), to(2), to(3), to(4)]),
        (CHANCE, vec![WON, LOST]),
        (CHANCE, vec![WON, LOST, LOST]),
        (CHANCE, vec![WON, LOST]),
        (CHANCE, vec![WON, LOST]),
    ]);
    let limits = Limits::default();
    assert_eq!(quotient(&toy, &Budget::new(&limits)).max_draws(), 3);
}

#[test]
fn bounds_that_cross_or_leave_0_to_1_are_rejected() {
    assert_eq!(checked_bounds([0.25, 0.5]), Some([0.25, 0.5].into()));
    assert_eq!(checked_bounds([-1e-12, 1.0 + 1e-12]), Some(Bounds::UNKNOWN));
    let rounded = checked_bounds([0.5 + 1e-12, 0.5]).unwrap();
    assert!(rounded.lower <= rounded.upper);
    for wrong in [[0.5, 1.000_07], [-0.1, 0.5], [0.6, 0.5], [f64::NAN, 1.0]] {
        assert_eq!(checked_bounds(wrong), None, "{wrong:?}");
    }
}

/// A toy for the solver on tables: its even nodes belong to the player, and its odd nodes, which are draws, are the states.
#[derive(Debug)]
struct Halves {
    toy: Toy,
    sweeper: Sweeper,
}

impl Halves {
    const BLOCK: usize = 3;

    fn new(toy: Toy) -> Self {
        let states = toy.nodes.len() / 2;
        let mut starts: Vec<usize> = (0..states).step_by(Self::BLOCK).collect();
        starts.push(states);
        let next = |node: usize| {
            let successors = toy.nodes[node].1.iter();
            successors.filter_map(|successor| match *successor {
                Successor::Node(node) => Some(node as usize),
                Successor::Won | Successor::Lost => None,
            })
        };
        let of_state = |state: usize| next(2 * state + 1).flat_map(next);
        let of_block = |block: usize| {
            let states =
                (Self::BLOCK * block..states.min(Self::BLOCK * (block + 1))).flat_map(of_state);
            states.map(|node| node / 2 / Self::BLOCK)
        };
        Self {
            sweeper: Sweeper::new(starts, of_block),
            toy,
        }
    }
}

impl Tabular for Halves {
    type Scratch<V: ValueDomain> = Vec<V>;

    fn sweeper(&self) -> &Sweeper {
        &self.sweeper
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut Vec<V>,
        _budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let chosen = |next: &Successor| match *next {
            Successor::Won => V::WON,
            Successor::Lost => V::LOST,
            Successor::Node(node) => {
                let state = node as usize / 2;
                view.at(state / Self::BLOCK)[state % Self::BLOCK]
            }
        };
        let player = |node: usize| {
            let best = self.toy.nodes[node].1.iter().map(chosen);
            best.reduce(V::better).unwrap().after_turn()
        };
        let drawn = |next: &Successor| match *next {
            Successor::Node(node) => player(node as usize),
            _ => V::LOST,
        };
        let value = |state: usize| {
            let (_, next) = &self.toy.nodes[2 * state + 1];
            let sum = next.iter().map(drawn).fold(V::EMPTY_SUM, V::add);
            V::mean(sum, next.len() as u16)
        };
        scratch.clear();
        scratch.extend(self.range(view.block()).map(value));
        Ok(scratch)
    }
}

impl TabularMdp for Halves {
    type Mdp = Toy;

    fn mdp(&self) -> &Toy {
        &self.toy
    }

    fn find(&self, node: u64) -> Option<usize> {
        (node % 2 == 1).then_some(node as usize / 2)
    }

    fn node(&self, state: usize) -> u64 {
        2 * state as u64 + 1
    }
}

/// Generates games in which the player and chance alternate, and no draw wins.
fn random_halves(count: u64) -> impl Strategy<Value = Vec<(Owner, Vec<Successor>)>> {
    let chosen = prop_oneof![
        1 => Just(WON),
        1 => Just(LOST),
        8 => (0..count).prop_map(|state| to(2 * state + 1)),
    ];
    let drawn = prop_oneof![1 => Just(LOST), 6 => (0..count).prop_map(|player| to(2 * player))];
    let pair = (
        prop::collection::vec(chosen, 1..4),
        prop::collection::vec(drawn, 1..4),
    );
    let pairs = prop::collection::vec(pair, count as usize);
    pairs.prop_map(|pairs| {
        let nodes = pairs.into_iter();
        nodes
            .flat_map(|(chosen, drawn)| [(PLAYER, chosen), (CHANCE, drawn)])
            .collect()
    })
}

proptest! {
    #[test]
    fn random_tables_are_solved(nodes in random_halves(8), threads in 1..3_usize) {
        let toy = Toy::new(nodes);
        let probability = naive(&toy, |_| None)[0];
        let by_nodes = solve(&toy, &Limits::default());
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let tables = Tables::new(Halves::new(toy.clone()), threads, MAX_ROUNDS);
        let by_tables = tables.solve_here(&budget).expect("the estimate is verified");
        prop_assert!((by_tables.bounds.lower - probability).abs() <= 1e-6, "{} {probability}", by_tables.bounds.lower);
        prop_assert!((by_tables.bounds.upper - probability).abs() <= 1e-6, "{} {probability}", by_tables.bounds.upper);
        prop_assert_eq!((by_tables.possible, by_tables.sure), (by_nodes.possible, by_nodes.sure));
        let strategy = by_tables.into_strategy(StrategyScope::Choices, &budget).unwrap().unwrap();
        let is_player = |at: usize| at.is_multiple_of(2);
        let kept = naive(&toy, |at| is_player(at).then(|| strategy.choice(at as u64)).flatten())[0];
        prop_assert!((kept - probability).abs() <= 1e-6, "{kept} of {probability}");
    }
}

/// One end component leads to another, which has the only way out. The values of states 1, 7 and 9 are equal to the last bit, so
/// only ranks keep the player from staying.
#[test]
fn the_best_way_out_may_lead_through_another_component() {
    let toy = Toy::new(vec![
        (PLAYER, vec![to(1), to(9)]),
        (CHANCE, vec![to(4)]),
        (PLAYER, vec![to(13)]),
        (CHANCE, vec![LOST]),
        (PLAYER, vec![to(1), to(7)]),
        (CHANCE, vec![LOST]),
        (PLAYER, vec![WON]),
        (CHANCE, vec![to(10), to(2)]),
        (PLAYER, vec![WON]),
        (CHANCE, vec![to(0)]),
        (PLAYER, vec![to(11)]),
        (CHANCE, vec![to(4), LOST, to(6)]),
        (PLAYER, vec![WON]),
        (CHANCE, vec![to(10), to(6)]),
    ]);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let tables = Tables::new(Halves::new(toy), 1, MAX_ROUNDS);
    let solved = tables
        .solve_here(&budget)
        .expect("the estimate is verified");
    assert!(solved.bounds.lower <= 2.0 / 3.0 && 2.0 / 3.0 <= solved.bounds.upper);
    let strategy = solved
        .into_strategy(StrategyScope::Choices, &budget)
        .unwrap()
        .unwrap();
    assert_eq!([0, 4].map(|node| strategy.choice(node)), [Some(0), Some(1)]);
}

#[test]
fn a_part_depends_only_on_itself_and_earlier_parts() {
    let tables = |also: [(u64, u64); 2]| {
        let turn = |state: u64| {
            let further = also.iter().filter(|(from, _)| *from == state);
            let chosen = further.map(|&(_, next)| to(2 * next + 1));
            let chosen = chosen.chain([to(2 * state + 1), WON]).collect();
            [(PLAYER, chosen), (CHANCE, vec![to(2 * state), LOST])]
        };
        let halves = Halves::new(Toy::new((0..9).flat_map(turn).collect()));
        let largest = halves.sweeper.largest_part();
        let parts = Tables::new(halves, 1, MAX_ROUNDS).parts();
        assert_eq!(
            parts.iter().map(ExactSizeIterator::len).max(),
            Some(largest)
        );
        parts
    };
    assert_eq!(tables([(3, 1), (8, 3)]), [0..3, 3..6, 6..9]);
    assert_eq!(tables([(3, 1), (4, 8)]), [0..3, 3..9]);
    assert_eq!(tables([(8, 1), (2, 8)]), std::slice::from_ref(&(0..9)));
}

/// The way out from node 0 is sure, but node 2 depends on luck. Bounds for node 2 are needed
/// only if those for all nodes are requested.
#[test]
fn tables_hold_the_values_of_nodes_that_best_play_avoids() {
    let toy = Toy::new(vec![
        (PLAYER, vec![WON, to(1)]),
        (CHANCE, vec![to(2), to(2), LOST]),
        (PLAYER, vec![to(3), LOST]),
        (CHANCE, vec![to(0), LOST]),
    ]);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let valuation = Tables::new(Halves::new(toy), 1, MAX_ROUNDS)
        .solve_here(&budget)
        .unwrap();
    assert!(valuation.sure);
    let values = valuation
        .into_strategy(StrategyScope::AllBounds, &budget)
        .unwrap();
    let values = values.expect("the bounds are found in the tables");
    for (node, value) in [(1, 1.0 / 3.0), (3, 0.5)] {
        let Bounds { lower, upper } = values.bounds(node).unwrap();
        assert!(lower <= value && value <= upper && upper - lower <= WIDTH);
    }
}

fn walk_of_halves(states: u64) -> Halves {
    let turn = |state: u64| {
        let on = [state + 1, state.saturating_sub(1)];
        let drawn = on.map(|next| to(2 * next.min(states - 1)));
        let lost = state.is_multiple_of(20).then_some(LOST);
        let chosen = if state % 20 == 12 {
            WON
        } else {
            to(2 * state + 1)
        };
        [
            (PLAYER, vec![chosen]),
            (CHANCE, drawn.into_iter().chain(lost).collect()),
        ]
    };
    Halves::new(Toy::new((0..states).flat_map(turn).collect()))
}

#[test]
fn certain_wins_and_losses_need_no_sweeps() {
    let toy = Toy::new(vec![
        (PLAYER, vec![to(1), to(3), to(5)]),
        (CHANCE, vec![LOST]),
        (PLAYER, vec![WON]),
        (CHANCE, vec![to(2)]),
        (PLAYER, vec![LOST, to(3)]),
        (CHANCE, vec![to(2), LOST]),
    ]);
    let limits = Limits::default();
    let tables = Tables::new(Halves::new(toy), 1, MAX_ROUNDS);
    let analysis = analysis::TableAnalysis::new(tables, &Budget::new(&limits)).unwrap();
    let analysis = analysis.expect("the tables converge");
    assert_eq!(
        [0, 1, 2].map(|state| analysis.known(state)),
        [Some(0.0), Some(1.0), None]
    );
}

#[test]
fn a_graph_without_a_way_back_has_no_end_components() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let draws = |back| vec![to(back), WON, LOST];
    for (back, has_none) in [(2, true), (0, false)] {
        let toy = Toy::new(vec![
            (PLAYER, vec![to(1), to(3)]),
            (CHANCE, draws(2)),
            (CHANCE, vec![WON, LOST]),
            (PLAYER, vec![to(back), to(1)]),
        ]);
        let nodes = Nodes::explore(&toy, &[0], &budget).unwrap();
        let graph = Graph::build(&toy, &nodes, &budget).unwrap();
        let qualitative = Qualitative::of(&graph, nodes.id(0), &budget).unwrap();
        assert_eq!(qualitative.components.is_empty(), has_none);
    }
}
