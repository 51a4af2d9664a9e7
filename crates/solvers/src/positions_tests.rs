use super::*;
use getaway_ruleset::Cause;
use getaway_search::visited::ExactSet;

/// A walk on the numbers from 0 to `self.0`, up or down by one. 0 loses, `self.0` escapes, and 90 has no moves.
struct Ruin(u32);

impl Model for Ruin {
    type State = u32;
    type Move = i32;

    fn opened(&self) -> Result<u32, Outcome> {
        Ok(3)
    }

    fn moves(&self, at: &u32, out: &mut Vec<i32>) {
        if *at != 90 {
            out.extend([-1, 1]);
        }
    }

    fn play(&self, at: &mut u32, mv: i32) -> Option<Outcome> {
        *at = at.wrapping_add_signed(mv);
        match *at {
            0 => Some(Outcome::Caught(Cause::Chaser)),
            at if at == self.0 => Some(Outcome::Escaped),
            _ => None,
        }
    }
}

fn explored(ruin: &Ruin) -> Positions {
    Positions::explore(ruin, ExactSet::default(), &Limits::default()).unwrap()
}

#[test]
fn a_random_walk_has_the_probabilities_of_gamblers_ruin() {
    let positions = explored(&Ruin(10));
    let (Bounds { lower, upper }, _) = positions.random_walk(&Limits::default());
    assert!(lower <= 0.3 && 0.3 <= upper && upper - lower < 1e-6);
    assert_eq!(
        (
            positions.len(),
            positions.dead_ends(&Limits::default()).unwrap()
        ),
        (9, 0)
    );
}

#[test]
fn positions_use_the_memory_they_report() {
    let mut positions = None;
    let explore = || positions = Some(explored(&Ruin(5000)));
    let found = getaway_testing::measure(explore);
    let told = positions.unwrap().bytes();
    assert_eq!(told, found.bytes_current as u64);
}

/// On these stairs, each step goes up by one or two. A line from 1 to 6 has at most five steps, and one more step ends
/// the game.
#[test]
fn the_longest_lines_are_known_unless_they_are_infinite() {
    struct Stairs;
    impl Model for Stairs {
        type State = u32;
        type Move = u32;
        fn opened(&self) -> Result<u32, Outcome> {
            Ok(1)
        }
        fn moves(&self, _at: &u32, out: &mut Vec<u32>) {
            out.extend([2, 1]);
        }
        fn play(&self, at: &mut u32, mv: u32) -> Option<Outcome> {
            *at += mv;
            (*at > 6).then_some(Outcome::Caught(Cause::Chaser))
        }
    }
    let stairs = Positions::explore(&Stairs, ExactSet::default(), &Limits::default()).unwrap();
    // In the order of discovery: 1, 3, 2, 5, 4, 6.
    assert_eq!(stairs.longest(), Some(vec![6, 4, 5, 2, 3, 1]));
    assert_eq!(explored(&Ruin(10)).longest(), None);
}

#[test]
fn dead_ends_are_where_no_line_escapes() {
    let positions = explored(&Ruin(100));
    assert_eq!(
        (
            positions.len(),
            positions.dead_ends(&Limits::default()).unwrap()
        ),
        (90, 90)
    );
    let (Bounds { upper, .. }, _) = positions.random_walk(&Limits::default());
    assert!(upper <= 0.0, "{upper}");
    let positions = explored(&Ruin(4));
    assert_eq!(
        (
            positions.len(),
            positions.dead_ends(&Limits::default()).unwrap()
        ),
        (3, 0)
    );
}

#[test]
fn a_limit_reports_the_number_of_positions_met() {
    let limits = Limits {
        max_states: Some(2),
        ..Limits::default()
    };
    let found = Positions::explore(&Ruin(10), ExactSet::default(), &limits);
    assert_eq!(found.err(), Some((Limit::States, 4)));
}
