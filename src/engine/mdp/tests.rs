//! The solver on games drawn by hand or at random.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;

/// A game as a list of who decides and what comes next. Node number `i` is known to the solver as
/// `i * stride`.
#[derive(Clone, Debug)]
struct Toy {
    nodes: Vec<(Decider, Vec<Next>)>,
    stride: u64,
    bits: u32,
}

impl Toy {
    fn new(nodes: Vec<(Decider, Vec<Next>)>) -> Self {
        Self {
            nodes,
            stride: 1,
            bits: 10,
        }
    }

    /// The same game with numbers far apart, too many for a plain table of pages.
    fn spread(self) -> Self {
        Self {
            stride: 0x0123_4567_89ab_cdef / 64,
            bits: 64,
            ..self
        }
    }
}

impl Gamble for Toy {
    fn bits(&self) -> u32 {
        self.bits
    }

    fn first(&self) -> u64 {
        0
    }

    fn nexts(&self, node: u64, out: &mut Vec<Next>) -> Decider {
        let (decider, nexts) = &self.nodes[(node / self.stride) as usize];
        out.extend(nexts.iter().map(|&next| match next {
            Next::Node(node) => Next::Node(node * self.stride),
            end => end,
        }));
        *decider
    }
}

const PLAYER: Decider = Decider::Player;
const LUCK: Decider = Decider::Luck;
const WON: Next = Next::Won;
const LOST: Next = Next::Lost;

fn to(node: u64) -> Next {
    Next::Node(node)
}

fn solved(nodes: Vec<(Decider, Vec<Next>)>) -> Finding {
    solve(&Toy::new(nodes), &Limits::default())
}

fn assert_probability(finding: &Finding, probability: f64) {
    let Finding { lower, upper, .. } = finding;
    assert!(
        lower - 1e-12 <= probability && probability <= upper + 1e-12,
        "{lower} to {upper}"
    );
    assert!(upper - lower <= WIDTH, "{lower} to {upper}");
}

#[test]
fn a_coin_is_even() {
    let finding = solved(vec![(LUCK, vec![WON, LOST])]);
    assert_probability(&finding, 0.5);
    assert_eq!(
        (finding.possible(), finding.certain, finding.nodes),
        (Some(true), false, 1)
    );
    assert_eq!(finding.way_out, Some(vec![0]));
}

#[test]
fn what_is_drawn_twice_is_twice_as_likely() {
    let finding = solved(vec![
        (LUCK, vec![WON, LOST, LOST, to(1)]),
        (LUCK, vec![WON, WON, LOST]),
    ]);
    assert_probability(&finding, 0.25 + 0.25 * 2.0 / 3.0);
}

#[test]
fn trying_again_and_again_wins_surely_but_not_certainly() {
    let finding = solved(vec![(PLAYER, vec![to(1)]), (LUCK, vec![to(0), WON])]);
    assert_eq!(
        (finding.lower, finding.upper, finding.certain),
        (1.0, 1.0, false)
    );
    let finding = solved(vec![(PLAYER, vec![to(0), to(1)]), (LUCK, vec![WON, WON])]);
    assert_eq!(
        (finding.lower, finding.upper, finding.certain),
        (1.0, 1.0, true)
    );
}

#[test]
fn a_chance_in_a_million_each_turn_is_sure_in_the_end() {
    // Twenty coins in a row, each of which must fall well; else all begins anew.
    let mut nodes: Vec<_> = (1..20).map(|next| (LUCK, vec![to(0), to(next)])).collect();
    nodes.push((LUCK, vec![to(0), WON]));
    let finding = solved(nodes);
    assert_eq!((finding.lower, finding.certain), (1.0, false));
    assert_eq!(finding.way_out.unwrap(), (0..20).collect::<Vec<_>>());
}

#[test]
fn waiting_for_ever_is_worth_nothing() {
    // The player can go round between 0 and 1 for ever; the best way out is a coin.
    let finding = solved(vec![
        (PLAYER, vec![to(1), to(3)]),
        (LUCK, vec![to(0), to(2)]),
        (PLAYER, vec![to(0), to(4)]),
        (LUCK, vec![WON, LOST, LOST]),
        (LUCK, vec![WON, LOST]),
    ]);
    assert_probability(&finding, 0.5);
    let policy = finding.into_policy(&Limits::default()).unwrap();
    assert_eq!(
        policy.pick(0),
        Some(0),
        "to where the better way out may be reached"
    );
    assert_eq!(policy.pick(2), Some(1), "out");
    assert_eq!(policy.pick(77), None, "no such node");
}

#[test]
fn where_all_is_lost_there_is_nothing_to_recommend() {
    let finding = solved(vec![
        (PLAYER, vec![to(0), to(1)]),
        (LUCK, vec![LOST, to(0)]),
    ]);
    assert_eq!((finding.lower, finding.upper), (0.0, 0.0));
    assert_eq!(
        (finding.possible(), finding.way_out.as_ref()),
        (Some(false), None)
    );
    assert_eq!(
        finding.into_policy(&Limits::default()).unwrap().pick(0),
        None
    );
}

/// A walk of luck along a line, won at one end and lost at the other.
fn walk(length: u64) -> Vec<(Decider, Vec<Next>)> {
    let step = |at: u64| if at == 0 { LOST } else { to(at - 1) };
    let ahead = |at: u64| if at + 1 == length { WON } else { to(at + 1) };
    let middle = (0..length).map(|at| (LUCK, vec![step(at), ahead(at)]));
    // The first node is the middle of the line, by a detour.
    let mut nodes: Vec<_> = middle.collect();
    let start = (length - 1) / 2;
    nodes.push(nodes[0].clone());
    nodes[0] = (LUCK, vec![to(start), to(start)]);
    for (_, nexts) in &mut nodes[1..] {
        nexts
            .iter_mut()
            .filter(|next| **next == to(0))
            .for_each(|next| *next = to(length));
    }
    nodes
}

#[test]
fn long_random_walks_are_measured_too() {
    let longest = if cfg!(feature = "exhaustive") {
        501
    } else {
        101
    };
    for length in [3, 31, longest] {
        assert_probability(&solved(walk(length)), 0.5);
    }
}

#[test]
fn limits_end_the_search_with_what_is_known() {
    let toy = Toy::new(walk(301));
    let few = Limits {
        max_states: Some(100),
        ..Limits::default()
    };
    let finding = solve(&toy, &few);
    assert_eq!((finding.limit, finding.nodes), (Some(Limit::States), 100));
    assert_eq!(
        (finding.lower, finding.upper, finding.possible()),
        (0.0, 1.0, None)
    );
    let stop = AtomicBool::new(true);
    let stopped = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let finding = solve(&toy, &stopped);
    assert_eq!(
        (finding.limit, finding.upper),
        (Some(Limit::Interrupt), 1.0)
    );
}

fn random_node(count: u64) -> impl Strategy<Value = (Decider, Vec<Next>)> {
    let next = prop_oneof![
        1 => Just(WON),
        1 => Just(LOST),
        8 => (0..count).prop_map(Next::Node),
    ];
    let decider = prop_oneof![Just(PLAYER), Just(LUCK)];
    (decider, prop::collection::vec(next, 1..5))
}

/// The probabilities by very many sweeps from 0, with this choice at some nodes.
fn naive(toy: &Toy, pick: impl Fn(usize) -> Option<usize>) -> Vec<f64> {
    let mut values = vec![0.0_f64; toy.nodes.len()];
    for _ in 0..100_000 {
        let before = values.clone();
        for (at, (decider, nexts)) in toy.nodes.iter().enumerate() {
            let value = |next: &Next| match next {
                Next::Won => 1.0,
                Next::Lost => 0.0,
                Next::Node(node) => values[*node as usize],
            };
            values[at] = match (decider, pick(at)) {
                (Decider::Player, Some(pick)) => value(&nexts[pick]),
                (Decider::Player, None) => nexts.iter().map(value).fold(0.0, f64::max),
                (Decider::Luck, _) => nexts.iter().map(value).sum::<f64>() / nexts.len() as f64,
            };
        }
        if values == before {
            break;
        }
    }
    values
}

proptest! {
    /// Lower and upper bound, the choices, and that numbers far apart make no difference.
    #[test]
    fn random_games_are_solved(nodes in prop::collection::vec(random_node(12), 12)) {
        let toy = Toy::new(nodes);
        let finding = solve(&toy, &Limits::default());
        let probability = naive(&toy, |_| None)[0];
        prop_assert!((finding.lower - probability).abs() <= 1e-6, "{:?} {probability}", finding);
        prop_assert!((finding.upper - probability).abs() <= 1e-6, "{:?} {probability}", finding);
        prop_assert_eq!(finding.possible(), Some(probability > 0.0));
        prop_assert!(!finding.certain || finding.lower >= 1.0);
        let spread = solve(&toy.clone().spread(), &Limits::default());
        prop_assert_eq!((finding.lower, finding.upper, finding.certain, finding.nodes),
            (spread.lower, spread.upper, spread.certain, spread.nodes));
        let policy = finding.into_policy(&Limits::default()).unwrap();
        let kept = naive(&toy, |at| policy.pick(at as u64))[0];
        prop_assert!((kept - probability).abs() <= 1e-6, "{kept} of {probability}");
    }
}

#[test]
fn bounds_are_told_only_within_reason() {
    assert_eq!(within_reason([0.25, 0.5]), Some([0.25, 0.5]));
    assert_eq!(within_reason([-1e-12, 1.0 + 1e-12]), Some([0.0, 1.0]));
    let rounded = within_reason([0.5 + 1e-12, 0.5]).unwrap();
    assert!(rounded[0] <= rounded[1]);
    for wrong in [[0.5, 1.000_07], [-0.1, 0.5], [0.6, 0.5], [f64::NAN, 1.0]] {
        assert_eq!(within_reason(wrong), None, "{wrong:?}");
    }
}
