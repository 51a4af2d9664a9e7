use super::*;
use crate::visited::ExactSet;
use getaway_ruleset::{Cause, Outcome};
use getaway_testing::Measured;

/// A graph of numbers, each with its successors. 0 loses.
struct Line(&'static [(u8, &'static [u8])]);

impl Model for Line {
    type State = u8;
    type Move = u8;

    fn opened(&self) -> Result<u8, Outcome> {
        Ok(1)
    }

    fn moves(&self, at: &u8, out: &mut Vec<u8>) {
        out.extend(
            self.0
                .iter()
                .filter(|(from, _)| from == at)
                .flat_map(|(_, to)| *to),
        );
    }

    fn play(&self, at: &mut u8, mv: u8) -> Option<Outcome> {
        *at = mv;
        match mv {
            0 => Some(Outcome::Caught(Cause::Chaser)),
            _ => None,
        }
    }
}

fn of(line: &Line) -> Survival<u8> {
    survival(
        line,
        &line.opened().unwrap(),
        ExactSet::default(),
        &Limits::default(),
    )
    .0
}

#[test]
fn the_longest_line_is_found_although_states_are_met_on_shorter_ones_first() {
    let line = Line(&[(1, &[4, 2]), (2, &[3]), (3, &[4, 0]), (4, &[5]), (5, &[0])]);
    assert_eq!(
        of(&line),
        Survival::Mortal {
            line: vec![2, 3, 4, 5, 0]
        }
    );
}

#[test]
fn a_runner_who_can_return_survives_forever() {
    let line = Line(&[(1, &[2]), (2, &[0, 3]), (3, &[0, 2])]);
    assert_eq!(
        of(&line),
        Survival::Forever {
            line: vec![2, 3, 2],
            back_to: 1
        }
    );
}

#[test]
fn a_limit_leaves_the_longest_line_so_far() {
    let line = Line(&[(1, &[2]), (2, &[3]), (3, &[4]), (4, &[0])]);
    let limits = Limits {
        max_states: Some(2),
        ..Limits::default()
    };
    let found = survival(&line, &line.opened().unwrap(), ExactSet::default(), &limits);
    let unknown = Survival::Unknown {
        limit: Limit::States,
        line: vec![2, 3],
    };
    assert_eq!(found, (unknown, 2));
}

#[test]
fn a_limit_of_memory_ends_it_before_the_tables_grow() {
    let line = Line(&[(1, &[2]), (2, &[3]), (3, &[4]), (4, &[0])]);
    let with = |most| {
        let limits = Limits {
            max_memory: Some(most),
            ..Limits::default()
        };
        survival(&line, &line.opened().unwrap(), ExactSet::default(), &limits)
    };
    let none = Survival::Unknown {
        limit: Limit::Memory,
        line: vec![],
    };
    assert_eq!(with(100), (none, 0));
    assert!(matches!(with(1 << 20), (Survival::Mortal { .. }, 4)));
}

#[test]
fn a_walk_uses_the_memory_it_reports() {
    struct Long;
    impl Model for Long {
        type State = u32;
        type Move = u8;
        fn opened(&self) -> Result<u32, Outcome> {
            Ok(0)
        }
        fn moves(&self, _at: &u32, out: &mut Vec<u8>) {
            out.extend([1, 2, 3, 4]);
        }
        fn play(&self, at: &mut u32, mv: u8) -> Option<Outcome> {
            *at += u32::from(mv);
            None
        }
    }
    let few = |states| Limits {
        max_states: Some(states),
        ..Limits::default()
    };
    let mut walk = SurvivalWalk::new(&Long, ExactSet::default());
    assert_eq!(walk.run(&0, &few(200)), Err(Limit::States));
    let rooms = [
        (walk.path.capacity(), walk.path.len()),
        (walk.untried.capacity(), walk.untried.len()),
    ];
    for (room, needed) in rooms {
        assert!(room <= 64 + 2 * needed, "{room}, {needed} are needed");
    }
    let few = few(10_000);
    let mut walk = SurvivalWalk::new(&Long, ExactSet::default());
    let mut measured = Measured::after(|| assert_eq!(walk.run(&0, &few), Err(Limit::States)));
    // The longest line is counted before it is stored.
    let longest = 2 * vec_bytes(&walk.longest, walk.path.len());
    let told = walk.bytes(walk.notes.len()) - longest;
    measured.assert_takes(told, 0.001, || {});
    measured.assert_takes(told + longest, 0.04, || walk.remember_line());
    let told = walk.bytes(walk.notes.len() * 3 / 2);
    measured.assert_takes(told, 0.3, || walk.grow(&Limits::default()).unwrap());
}

#[test]
fn a_line_of_many_moves_needs_no_recursion() {
    const MOVES: u32 = getaway_testing::sized(300_000, 1_000_000);
    struct Long;
    impl Model for Long {
        type State = u32;
        type Move = ();
        fn opened(&self) -> Result<u32, Outcome> {
            Ok(0)
        }
        fn moves(&self, _at: &u32, out: &mut Vec<()>) {
            out.push(());
        }
        fn play(&self, at: &mut u32, (): ()) -> Option<Outcome> {
            *at += 1;
            (*at == MOVES).then_some(Outcome::Caught(Cause::Trapped))
        }
    }
    let found = survival(&Long, &0, ExactSet::default(), &Limits::default());
    let (Survival::Mortal { line }, states) = found else {
        panic!("{found:?}")
    };
    assert_eq!((line.len() as u64, states), (MOVES.into(), MOVES.into()));
}
