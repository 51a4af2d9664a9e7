//! Tests that the memory reported matches the memory taken from the heap.

use super::super::solve::end_components;
use super::*;
use getaway_board::limits::Bounds;

#[test]
fn tables_take_what_is_told() {
    const STATES: usize = 3000;
    let halves = walk_of_halves(STATES as u64);
    let told = table_bytes(STATES, halves.sweeper.largest_part());
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let tables = Tables::new(halves, 1, MAX_ROUNDS);
    let mut valuation = None;
    let taken = getaway_testing::measure(|| valuation = tables.solve_here(&budget));
    let Bounds { lower, upper } = valuation.expect("the estimate is verified").bounds;
    assert!(0.0 < lower && lower < upper && upper - lower <= WIDTH);
    let taken = taken.bytes_max;
    assert!(
        taken <= told && told <= 2 * taken,
        "{taken} of {told} bytes that were told"
    );
}

/// Checks that the budget finally counts only the memory of the lists of end components.
#[test]
fn end_components_take_what_is_told() {
    let pairs = (0..5000_u64).flat_map(|pair| {
        let next = if pair == 4999 { WON } else { to(2 * pair + 2) };
        [
            (PLAYER, vec![to(2 * pair + 1)]),
            (PLAYER, vec![to(2 * pair), next]),
        ]
    });
    let toy = Toy::new(pairs.collect());
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut lists = Vec::new();
    let taken = getaway_testing::measure(|| lists = end_components(&toy, &[0], &budget).unwrap());
    assert_eq!((lists.len(), lists[0].len()), (5000, 2));
    let (told, taken) = (budget.taken(), taken.bytes_current as u64);
    assert!(taken <= told && told <= 2 * taken, "{taken} of {told}");
}

fn chain(count: u64) -> Toy {
    let next = |at: u64| if at == count { WON } else { to(at) };
    let nodes = (1..=count).map(|at| (CHANCE, vec![next(at), LOST]));
    Toy::new(nodes.collect())
}

#[test]
fn the_nearest_nodes_keep_to_the_memory_limit() {
    let toy = chain(100_000);
    for max in [1 << 18, 1 << 20, 1 << 22] {
        let limits = Limits {
            max_memory: Some(max),
            ..Limits::default()
        };
        let budget = Budget::new(&limits);
        let mut bounds = Ok(Bounds::UNKNOWN);
        let taken = getaway_testing::measure(|| {
            bounds = bounds_near(&toy, usize::MAX, &budget);
        });
        assert_eq!((bounds, budget.taken()), (Err(Limit::Memory), 0));
        assert!(taken.bytes_max <= max, "{} of {max}", taken.bytes_max);
    }
}

#[test]
fn nodes_take_what_is_told() {
    for toy in [chain(10_000), chain(10_000).spread(), chain(1).spread()] {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mut nodes = None;
        let taken = getaway_testing::measure(|| nodes = Nodes::explore(&toy, &[0], &budget).ok());
        assert_eq!(nodes.map(|nodes| nodes.len()), Some(toy.nodes.len() as u64));
        assert_eq!(budget.taken() as i64, taken.bytes_current);
    }
}

#[test]
fn graphs_and_what_is_known_of_them_take_what_is_told() {
    // The nodes repeat a pattern: pairs in which the player can stay, draws that may lose, and ways onward.
    let nodes = (0..4000_u64).flat_map(|at| {
        let (first, next) = (4 * at, if at == 3999 { WON } else { to(4 * at + 4) });
        [
            (PLAYER, vec![to(first + 1), to(first + 2)]),
            (PLAYER, vec![to(first)]),
            (CHANCE, vec![LOST, to(first + 3)]),
            (PLAYER, vec![next]),
        ]
    });
    let toy = Toy::new(nodes.collect());
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let nodes = Nodes::explore(&toy, &[0], &budget).unwrap();
    let before = budget.taken();
    let mut graph = None;
    let taken = getaway_testing::measure(|| graph = Graph::build(&toy, &nodes, &budget).ok());
    let (graph, built) = (graph.unwrap(), budget.taken());
    assert_eq!((built - before) as i64, taken.bytes_current);
    let (mut qualitative, start) = (None, nodes.id(0));
    let taken = getaway_testing::measure(|| {
        qualitative = Qualitative::of(&graph, start, &budget).ok();
    });
    assert_eq!((budget.taken() - built) as i64, taken.bytes_current);
    assert!(!qualitative.unwrap().components.is_empty());
}
