use getaway_board::limits::Limits;
use getaway_ruleset::{Cause, Outcome};

use super::{Branch, Counts, Expansion, WatchedSearch, watch};
use crate::Model;
use crate::search::Finding;
use crate::visited::ExactSet;

/// Steps of 1 and 2 lead from 0 to 4; from 3 on, only a step of 1 is left.
struct Stairs;

impl Model for Stairs {
    type State = u32;
    type Move = u32;

    fn opened(&self) -> Result<u32, Outcome> {
        Ok(0)
    }

    fn moves(&self, _at: &u32, out: &mut Vec<u32>) {
        out.extend([2, 1]);
    }

    fn play(&self, at: &mut u32, step: u32) -> Option<Outcome> {
        *at += step;
        match *at {
            0..5 => None,
            _ => Some(Outcome::Caught(Cause::Trapped)),
        }
    }

    fn lower_bound(&self, at: &u32) -> u32 {
        if *at == 4 { u32::MAX } else { 1 }
    }
}

#[test]
fn each_move_has_its_result() {
    let WatchedSearch { finding, notes } =
        watch(&Stairs, ExactSet::default(), 2, &Limits::default());
    assert_eq!(finding, Finding::Caught);
    let step = |state, branches| Expansion { state, branches };
    assert_eq!(
        notes.steps,
        [
            step(0, vec![(2, Branch::New(1)), (1, Branch::New(2))]),
            step(1, vec![(2, Branch::Hopeless), (1, Branch::New(3))]),
        ]
    );
    // From 3: a loss and a hopeless step. From 1: steps to 3 and 2.
    let counts = Counts {
        taken: 4,
        new: 3,
        visited: 2,
        dominated: 0,
        hopeless: 2,
        caught: 1,
    };
    assert_eq!(notes.counts, counts);
    assert_eq!(notes.line(3), [2, 1]);
}
