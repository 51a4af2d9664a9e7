use super::*;
use crate::engine::mdp::model::Successor::{Lost, Node, Won};
use crate::engine::mdp::model::{Owner, Successor};
use crate::engine::mdp::tests::{Toy, quotient};
use crate::limits::Limits;

fn waves(nodes: Vec<(Owner, Vec<Successor>)>) -> Vec<Range<usize>> {
    let limits = Limits::default();
    quotient(&Toy::new(nodes).spread(), &Budget::new(&limits)).waves
}

#[test]
fn no_block_of_a_wave_leads_to_another_one() {
    let nodes = |last| {
        vec![
            (Owner::Player, vec![Node(1), Node(2), Node(3)]),
            (Owner::Chance, vec![Node(0), Won, Lost]),
            (Owner::Chance, vec![Node(1), Lost]),
            (Owner::Chance, last),
        ]
    };
    assert_eq!(waves(nodes(vec![Node(1), Lost])), [0..1, 1..2, 2..4]);
    assert_eq!(waves(nodes(vec![Node(2), Lost])), [0..1, 1..2, 2..3, 3..4]);
    let mut later = nodes(vec![Node(1), Lost]);
    later[2].1 = vec![Node(3), Lost];
    assert_eq!(waves(later), [0..1, 1..3, 3..4]);
}

#[test]
fn a_window_has_all_values_but_those_of_its_neighbours_in_the_wave() {
    let mut values: Vec<f64> = (0..10).map(f64::from).collect();
    let mut windows = windows(&mut values, &[2..5, 5..7]);
    for (window, seen) in windows.iter_mut().zip([[0, 2, 7], [1, 6, 9]]) {
        let read = seen.map(|id| window.value(id) as u32);
        assert_eq!(read, seen);
        window.change(seen[1] as usize, |old| 10.0 * old);
    }
    drop(windows);
    let changed = (0..10).filter(|&at| values[at] > 10.0);
    assert!(changed.eq([2, 6]));
    let before = values.clone();
    let window = Window::of_all(&mut values);
    assert!((0..10).all(|id| window.value(id).to_bits() == before[id as usize].to_bits()));
}
