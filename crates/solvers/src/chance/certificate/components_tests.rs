use super::super::tests::{Ring, graph_of};
use super::*;
use getaway_board::limits::{Limits, bytes};

#[test]
fn a_cycle_is_an_end_component() {
    let graph = graph_of(&Ring(5));
    let limits = Limits::default();
    let found = Components::new(&graph, &Budget::new(&limits)).unwrap();
    assert_eq!(found.of, [0, NONE, 0, 0, 0, 0]);
}

#[test]
fn memory_of_the_search_is_counted_and_released() {
    const POSITIONS: usize = 1_001;
    let graph = graph_of(&Ring(POSITIONS as u32 - 1));
    let of = |max| {
        let limits = Limits {
            max_memory: Some(max),
            ..Limits::default()
        };
        let budget = Budget::new(&limits);
        Components::new(&graph, &budget).map(|_| budget.taken())
    };
    let plenty = 1 << 20;
    assert_eq!(of(plenty), Ok(bytes::<usize>(POSITIONS)));
    let peak = getaway_testing::measure(|| _ = of(plenty)).bytes_max;
    assert_eq!(of(peak - peak / 8), Err(Limit::Memory), "{peak}");
}
