use std::sync::atomic::{AtomicBool, Ordering};

use super::super::Order;
use super::*;
use crate::visited::{Antichain, Dominance, ExactSet};
use getaway_ruleset::Outcome;
use getaway_testing::sized;

/// The points of a cube with this side length, visited from one corner in single steps along an axis. The way out is a step along
/// the last axis from `exit`.
struct Cube {
    side: u8,
    exit: Point,
}

type Point = [u8; 3];

impl Model for Cube {
    type State = Point;
    type Move = (usize, i8);

    fn opened(&self) -> Result<Point, Outcome> {
        Ok([0; 3])
    }

    fn moves(&self, at: &Point, out: &mut Vec<(usize, i8)>) {
        for (axis, &place) in at.iter().enumerate() {
            let steps = [(1, place + 1 < self.side), (-1, place > 0)];
            out.extend(
                steps
                    .iter()
                    .filter(|step| step.1)
                    .map(|step| (axis, step.0)),
            );
        }
    }

    fn play(&self, at: &mut Point, (axis, step): (usize, i8)) -> Option<Outcome> {
        let is_out = *at == self.exit && (axis, step) == (2, 1);
        at[axis] = at[axis].wrapping_add_signed(step);
        is_out.then_some(Outcome::Escaped)
    }
}

/// Each point has its own place, so no two points are compared.
impl Dominance for Cube {
    fn places(&self) -> usize {
        usize::from(self.side).pow(3)
    }

    fn place(&self, at: &Point) -> usize {
        at.iter().fold(0, |place, &along| {
            place * usize::from(self.side) + usize::from(along)
        })
    }

    fn is_no_harder(&self, _: &Point, _: &Point) -> bool {
        true
    }
}

const ORDERS: [Order; 2] = [Order::DepthFirst, Order::Shortest];

fn found<V: Visited<Cube> + Default>(
    cube: &Cube,
    order: Order,
    limits: Limits,
) -> (Finding<(usize, i8)>, u64) {
    let mut search = Search::new(V::default());
    let finding = search.run(cube, order, &limits);
    (finding, search.states())
}

fn with_threads(threads: usize) -> Limits<'static> {
    Limits {
        threads,
        ..Limits::default()
    }
}

fn leads_out(cube: &Cube, line: &[(usize, i8)]) -> bool {
    let mut at = [0; 3];
    let played = line.iter().map(|&step| cube.play(&mut at, step));
    let (last, before) = (line.len() - 1, Some(Outcome::Escaped));
    played
        .enumerate()
        .all(|(nth, outcome)| (nth == last) == (outcome == before))
}

const SIDE: u8 = sized(28, 41);
const LATE: Point = [SIDE - 1, SIDE - 1, SIDE - 2];
const NOWHERE: Point = [u8::MAX; 3];
const CLOSED: Cube = Cube {
    side: SIDE,
    exit: NOWHERE,
};

#[test]
fn every_state_is_expanded_once_whatever_the_number_of_threads() {
    let caught = (Finding::Caught, u64::from(SIDE).pow(3));
    for (order, threads) in [(ORDERS[0], 3), (ORDERS[1], 1), (ORDERS[1], 2)] {
        let equal = found::<ExactSet<Point>>(&CLOSED, order, with_threads(threads));
        assert_eq!(equal, caught, "{order:?}, {threads}");
        let easiest = found::<Antichain<Point>>(&CLOSED, order, with_threads(threads));
        assert_eq!(easiest, caught, "{order:?}, {threads}");
    }
}

#[test]
fn the_line_and_the_states_do_not_depend_on_the_number_of_threads() {
    for (order, exit) in [(ORDERS[0], [0, 0, 1]), (ORDERS[1], LATE)] {
        let cube = Cube { side: SIDE, exit };
        let alone = found::<ExactSet<Point>>(&cube, order, with_threads(1));
        let Finding::Escape(line) = &alone.0 else {
            panic!("{order:?}: {alone:?}")
        };
        assert!(alone.1 > LARGE + 100, "{order:?}: {}", alone.1);
        assert!(leads_out(&cube, line), "{order:?}");
        assert!(order == Order::DepthFirst || line.len() == 3 * (usize::from(SIDE) - 1));
        let together = found::<ExactSet<Point>>(&cube, order, with_threads(3));
        assert!(alone == together, "{order:?}");
    }
}

#[test]
fn a_limit_of_states_is_exact_within_a_block() {
    let (order, exit) = (Order::Shortest, LATE);
    let cube = Cube { side: SIDE, exit };
    let within = |most| {
        let limits = Limits {
            max_states: most,
            ..with_threads(2)
        };
        found::<ExactSet<Point>>(&cube, order, limits)
    };
    let whole = within(None);
    assert!(
        matches!(whole, (Finding::Escape(_), LARGE..)),
        "{}",
        whole.1
    );
    assert_eq!(within(Some(whole.1)), whole);
    let mosts = [LARGE + 1000, LARGE, LARGE + 1, whole.1 - 1];
    for most in mosts.into_iter().take(sized(2, 4)) {
        assert_eq!(
            within(Some(most)),
            (Finding::Undecided(Limit::States), most)
        );
    }
}

#[test]
fn memory_of_blocks_is_counted() {
    let cube = Cube {
        side: sized(60, 100),
        ..CLOSED
    };
    let memory = sized(8 << 20, 24 << 20);
    for order in ORDERS {
        let limits = Limits {
            max_memory: Some(memory),
            ..with_threads(2)
        };
        let mut search = Search::new(ExactSet::default());
        let finding = search.run(&cube, order, &limits);
        assert_eq!(finding, Finding::Undecided(Limit::Memory));
        assert!(search.states() > LARGE, "{}", search.states());
        assert!(search.tables.block_bytes > 0);
        assert!(search.tables.bytes_for(&cube, search.tables.len()) <= memory);
    }
}

#[test]
fn a_stop_takes_effect_within_a_block() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..with_threads(2)
    };
    let model = Stopping(CLOSED, &stop);
    let mut search = Search::new(ExactSet::default());
    let finding = search.run(&model, Order::Shortest, &limits);
    assert_eq!(finding, Finding::Undecided(Limit::Interrupt));
    assert!(search.states() > LARGE);
}

/// A cube whose search is stopped near the corner opposite the start.
struct Stopping<'s>(Cube, &'s AtomicBool);

impl Model for Stopping<'_> {
    type State = Point;
    type Move = (usize, i8);

    fn opened(&self) -> Result<Point, Outcome> {
        self.0.opened()
    }

    fn moves(&self, at: &Point, out: &mut Vec<(usize, i8)>) {
        if at.iter().all(|&along| along + 8 > SIDE) {
            self.1.store(true, Ordering::Relaxed);
        }
        self.0.moves(at, out);
    }

    fn play(&self, at: &mut Point, step: (usize, i8)) -> Option<Outcome> {
        self.0.play(at, step)
    }
}
