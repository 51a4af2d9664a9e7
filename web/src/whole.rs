//! The whole game of `maze`: the solver's answer is only its next step.

use getaway::rules::maze::{Moving, Way};
use getaway::search::Model;
use getaway::search::search::{Finding, Order, Search};
use getaway::search::visited::ExactSet;
use getaway::{Boards, Limits, Notation, Outcome, Puzzle, Ruleset};

/// The game of a `maze` whose walls stay in place, so that it has no chance.
struct StandingWalls(Moving);

impl Model for StandingWalls {
    type State = <Moving as Ruleset>::State;
    type Move = Way;

    fn opened(&self) -> Result<Self::State, Outcome> {
        let mut at = self.0.start();
        self.0.open(&mut at, &mut ()).map_or(Ok(at), Err)
    }

    fn moves(&self, at: &Self::State, out: &mut Vec<Way>) {
        self.0.moves(at, out);
    }

    fn play(&self, at: &mut Self::State, way: Way) -> Option<Outcome> {
        self.0.act(at, way, &mut ())
    }
}

/// The maximum number of positions that are searched.
const MAX_STATES: u64 = 200_000;

/// Returns the fewest steps to all food while the walls stay in place; `None` if there is no such way, it is not found within the
/// limits, or the game can't be played on this map.
pub fn fewest_steps(text: &str, limits: &Limits) -> Option<usize> {
    let mut puzzle = Puzzle::empty();
    Boards::new(text.as_bytes(), 1).read(&mut puzzle).ok()?;
    let model = StandingWalls(Moving::read(&puzzle).ok()?);
    let limits = Limits {
        max_states: Some(MAX_STATES),
        ..*limits
    };
    let mut search = Search::new(ExactSet::default());
    match search.run(&model, Order::Shortest, &limits) {
        Finding::Escape(steps) => Some(steps.len()),
        Finding::Caught | Finding::Undecided(_) => None,
    }
}
