use std::sync::atomic::AtomicBool;

use super::tables::MAX_STATES;
use super::*;
use crate::visited::{Antichain, Dominance, ExactSet};
use getaway_ruleset::Cause;
use getaway_testing::sized;

mod tables;

/// A graph of letters, each with its successors. `!` escapes, and `x` loses.
struct Graph(&'static [(char, &'static str)]);

impl Model for Graph {
    type State = char;
    type Move = char;

    fn opened(&self) -> Result<char, Outcome> {
        match self.0[0].0 {
            '!' => Err(Outcome::Escaped),
            'x' => Err(Outcome::Caught(Cause::Chaser)),
            start => Ok(start),
        }
    }

    fn moves(&self, at: &char, out: &mut Vec<char>) {
        out.extend(
            self.0
                .iter()
                .filter(|(from, _)| from == at)
                .flat_map(|(_, to)| to.chars()),
        );
    }

    fn play(&self, at: &mut char, mv: char) -> Option<Outcome> {
        *at = mv;
        match mv {
            '!' => Some(Outcome::Escaped),
            'x' => Some(Outcome::Caught(Cause::Chaser)),
            _ => None,
        }
    }
}

fn run(graph: &Graph, order: Order, limits: &Limits) -> (Finding<char>, u64) {
    let mut search = Search::new(ExactSet::default());
    let finding = search.run(graph, order, limits);
    (finding, search.states())
}

fn way(finding: Finding<char>) -> String {
    match finding {
        Finding::Escape(line) => line.into_iter().collect(),
        other => panic!("{other:?}"),
    }
}

const DETOUR: Graph = Graph(&[
    ('a', "bc"),
    ('b', "de"),
    ('c', "!"),
    ('d', "ab"),
    ('e', "f"),
    ('f', "c"),
]);

#[test]
fn depth_first_follows_the_first_move_to_its_end() {
    let (finding, states) = run(&DETOUR, Order::DepthFirst, &Limits::default());
    // Both children of `a` are recorded when `a` is expanded, so the line leads directly from `a` to `c`.
    assert_eq!((way(finding).as_str(), states), ("c!", 6));
}

#[test]
fn breadth_first_finds_a_shortest_way() {
    let (finding, states) = run(&DETOUR, Order::Shortest, &Limits::default());
    // Of the states at the same depth, the newest comes first.
    assert_eq!((way(finding).as_str(), states), ("c!", 2));
}

#[test]
fn caught_is_returned_only_after_every_state() {
    let dead = Graph(&[('a', "bx"), ('b', "ca"), ('c', "ab")]);
    for order in [Order::DepthFirst, Order::Shortest] {
        assert_eq!(run(&dead, order, &Limits::default()), (Finding::Caught, 3));
    }
}

#[test]
fn a_game_can_be_over_before_it_begins() {
    let (won, lost) = (Graph(&[('!', "")]), Graph(&[('x', "")]));
    assert_eq!(
        run(&won, Order::DepthFirst, &Limits::default()).0,
        Finding::Escape(vec![])
    );
    assert_eq!(
        run(&lost, Order::DepthFirst, &Limits::default()).0,
        Finding::Caught
    );
}

#[test]
fn a_limit_of_states_leaves_it_undecided_exactly_where_one_more_was_needed() {
    for (max, finding) in [
        (0, Finding::Undecided(Limit::States)),
        (1, Finding::Undecided(Limit::States)),
        (2, Finding::Escape(vec!['c', '!'])),
    ] {
        let limits = Limits {
            max_states: Some(max),
            ..Limits::default()
        };
        assert_eq!(run(&DETOUR, Order::Shortest, &limits), (finding, max));
    }
}

#[test]
fn an_external_stop_takes_effect_at_once() {
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let undecided = Finding::Undecided(Limit::Interrupt);
    assert_eq!(run(&DETOUR, Order::DepthFirst, &limits), (undecided, 0));
}

/// A ladder with three columns. The way out is 9 rungs up, and only a search that uses the bound goes straight up.
struct Rungs;

impl Model for Rungs {
    type State = (u32, u32);
    type Move = (u32, u32);

    fn opened(&self) -> Result<(u32, u32), Outcome> {
        Ok((0, 0))
    }

    fn moves(&self, at: &(u32, u32), out: &mut Vec<(u32, u32)>) {
        // The moves lead up to the next rung, along a rung, or down.
        out.extend([
            (at.0 + 1, at.1),
            (at.0, (at.1 + 1) % 3),
            (at.0.saturating_sub(1), at.1),
        ]);
    }

    fn play(&self, at: &mut (u32, u32), mv: (u32, u32)) -> Option<Outcome> {
        *at = mv;
        (mv.0 == 9).then_some(Outcome::Escaped)
    }

    fn lower_bound(&self, at: &(u32, u32)) -> u32 {
        9 - at.0
    }
}

#[test]
fn without_a_better_one_the_bound_is_one_move() {
    assert_eq!(DETOUR.lower_bound(&'a'), 1);
}

#[test]
fn a_lower_bound_spares_states_and_not_the_shortest_line() {
    let mut search = Search::new(ExactSet::default());
    let finding = search.run(&Rungs, Order::Shortest, &Limits::default());
    let Finding::Escape(line) = finding else {
        panic!("{finding:?}")
    };
    assert_eq!((line.len(), search.states()), (9, 9));
}

#[test]
fn a_limit_of_memory_ends_it_before_the_tables_grow() {
    struct Endless;
    impl Model for Endless {
        type State = u64;
        type Move = ();
        fn opened(&self) -> Result<u64, Outcome> {
            Ok(0)
        }
        fn moves(&self, _at: &u64, out: &mut Vec<()>) {
            out.push(());
        }
        fn play(&self, at: &mut u64, (): ()) -> Option<Outcome> {
            *at += 1;
            None
        }
    }
    for order in [Order::DepthFirst, Order::Shortest] {
        for most in sized(&[1 << 20][..], &[1 << 20, 10 << 20]) {
            let most = *most;
            let limits = Limits {
                max_memory: Some(most),
                ..Limits::default()
            };
            let mut search = Search::new(ExactSet::default());
            let finding = search.run(&Endless, order, &limits);
            assert_eq!(finding, Finding::Undecided(Limit::Memory));
            let states = search.tables.len();
            let taken = search.tables.bytes_for(&Endless, states);
            assert!(taken <= most, "{taken} of {most} bytes");
            assert!(
                states as u64 > most / 200,
                "{states} states in {most} bytes"
            );
        }
    }
}

#[test]
fn a_search_out_of_numbers_for_its_states_is_a_limit() {
    let fits = |_| Ok(());
    assert_eq!(room_for(0, fits), Ok(256));
    assert_eq!(room_for(MAX_STATES - 1, fits), Ok(MAX_STATES));
    assert_eq!(room_for(MAX_STATES, fits), Err(Limit::Memory));
}

#[test]
fn tables_grow_in_small_steps_when_memory_is_short() {
    let fits = |states| {
        if states <= 1100 {
            Ok(())
        } else {
            Err(Limit::Memory)
        }
    };
    assert_eq!(room_for(1000, fits), Ok(1031));
    assert_eq!(room_for(1090, fits), Err(Limit::Memory));
    assert_eq!(room_for(10, fits), Ok(266));
}

/// A fork at which the path through place 2 reaches place 1 with a heavy burden, and the longer path through places 3 and 4
/// reaches it with a light one. From place 1, 2 moves lead out.
///
/// A search in order of length finds the light burden first: the states before it have no useful bound, but the bound of
/// place 2 rules out a short line.
struct Fork;

/// A place and the burden carried there.
type Load = (u32, u32);

impl Model for Fork {
    type State = Load;
    type Move = Load;

    fn opened(&self) -> Result<Load, Outcome> {
        Ok((0, 9))
    }

    fn moves(&self, at: &Load, out: &mut Vec<Load>) {
        out.extend::<&[Load]>(match at {
            (0, _) => &[(3, 9), (2, 9)],
            (2, _) => &[(1, 9)],
            (3, _) => &[(4, 0)],
            (4, _) => &[(1, 0)],
            (1, _) => &[(5, 0)],
            _ => &[(9, 0)],
        });
    }

    fn play(&self, at: &mut Load, mv: Load) -> Option<Outcome> {
        *at = mv;
        (mv.0 == 9).then_some(Outcome::Escaped)
    }

    /// Returns the exact number of moves at places 1 and 2, and a lower one or the trivial bound elsewhere.
    fn lower_bound(&self, at: &Load) -> u32 {
        match at.0 {
            0 | 1 => 2,
            2 => 3,
            _ => 1,
        }
    }
}

impl Dominance for Fork {
    fn places(&self) -> usize {
        10
    }

    fn place(&self, state: &Load) -> usize {
        state.0 as usize
    }

    fn is_no_harder(&self, a: &Load, b: &Load) -> bool {
        a.1 <= b.1
    }
}

#[test]
fn a_farther_easier_state_does_not_replace_a_shortest_line() {
    let limits = Limits::default();
    let length = |finding| match finding {
        Finding::Escape(line) => line.len(),
        other => panic!("{other:?}"),
    };
    let order = Order::Shortest;
    let all = Search::new(ExactSet::default()).run(&Fork, order, &limits);
    let easiest = Search::new(Antichain::default()).run(&Fork, order, &limits);
    assert_eq!((length(all), length(easiest)), (4, 4));
}

/// A number line from 0 to 20 with a burden. Only the lightest burden escapes at 20, and a state with a lighter burden is no
/// harder.
struct Burdened;

impl Model for Burdened {
    type State = (i32, i32);
    type Move = (i32, i32);

    fn opened(&self) -> Result<(i32, i32), Outcome> {
        Ok((0, 3))
    }

    fn moves(&self, _at: &(i32, i32), out: &mut Vec<(i32, i32)>) {
        out.extend([(1, 1), (1, 0), (-1, 0), (-1, -1)]);
    }

    fn play(&self, (place, burden): &mut (i32, i32), mv: (i32, i32)) -> Option<Outcome> {
        *place += mv.0;
        *burden = (*burden + mv.1).max(1);
        match (*place, *burden) {
            (20, 1) => Some(Outcome::Escaped),
            (..0 | 20, _) | (_, 9..) => Some(Outcome::Caught(Cause::Trapped)),
            _ => None,
        }
    }
}

impl Dominance for Burdened {
    fn places(&self) -> usize {
        21
    }

    fn place(&self, state: &(i32, i32)) -> usize {
        state.0 as usize
    }

    fn is_no_harder(&self, a: &(i32, i32), b: &(i32, i32)) -> bool {
        a.1 <= b.1
    }
}

#[test]
fn skipping_harder_states_loses_no_escape() {
    let mut all = Search::new(ExactSet::default());
    let mut easiest = Search::new(Antichain::default());
    let limits = Limits::default();
    let length = |finding: Finding<_>| match finding {
        Finding::Escape(line) => line.len(),
        other => panic!("{other:?}"),
    };
    let order = Order::Shortest;
    let (long, short) = (
        all.run(&Burdened, order, &limits),
        easiest.run(&Burdened, order, &limits),
    );
    assert_eq!(length(long), length(short));
    assert!(
        easiest.states() < all.states(),
        "{} {}",
        easiest.states(),
        all.states()
    );
    assert!(length(easiest.run(&Burdened, Order::DepthFirst, &limits)) >= 20);
    assert_eq!(easiest.tables.visited.widest(), 1);
}

/// A game with two burdens: a state with more of one burden and less of the other is neither harder nor easier.
struct TwoBurdens;

type Loads = (u32, [u32; 2]);

impl Model for TwoBurdens {
    type State = Loads;
    type Move = Loads;

    fn opened(&self) -> Result<Loads, Outcome> {
        Ok((0, [2, 2]))
    }

    fn moves(&self, &(place, [a, b]): &Loads, out: &mut Vec<Loads>) {
        match place {
            0 => out.extend([(1, [a, b + 5]), (1, [a + 5, b]), (1, [a + 1, b + 1])]),
            1 => out.push((2, [a + b, a + b])),
            _ => {}
        }
    }

    fn play(&self, at: &mut Loads, mv: Loads) -> Option<Outcome> {
        *at = mv;
        None
    }
}

impl Dominance for TwoBurdens {
    fn places(&self) -> usize {
        3
    }

    fn place(&self, state: &Loads) -> usize {
        state.0 as usize
    }

    fn is_no_harder(&self, a: &Loads, b: &Loads) -> bool {
        a.1[0] <= b.1[0] && a.1[1] <= b.1[1]
    }
}

#[test]
fn incomparable_states_are_both_kept() {
    for order in [Order::DepthFirst, Order::Shortest] {
        let mut search = Search::new(Antichain::default());
        let finding = search.run(&TwoBurdens, order, &Limits::default());
        assert_eq!(
            (finding, search.tables.visited.widest()),
            (Finding::Caught, 3)
        );
    }
}
