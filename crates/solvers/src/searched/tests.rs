use super::*;
use getaway_board::grid::Dir;

#[test]
fn a_line_is_known_to_be_shortest_by_the_order_of_the_search_or_by_its_length() {
    let of = |moves, order| {
        let line = vec![Dir::Up; moves];
        solution(Finding::Escape(line), |_| String::new(), 9, order).is_shortest
    };
    let lengths = [0, 1, 2, 30];
    let depth_first = lengths.map(|moves| of(moves, Order::DepthFirst));
    assert_eq!(depth_first, [true, true, false, false]);
    assert_eq!(lengths.map(|moves| of(moves, Order::Shortest)), [true; 4]);
    let caught = Finding::<Dir>::Caught;
    assert!(!solution(caught, |_| String::new(), 9, Order::Shortest).is_shortest);
}
