//! Agents, which decide the runner's moves: by a policy, or along a line of play.

use getaway_board::limits::Limit;
use getaway_board::rng::Rng;
use getaway_ruleset::{Outcome, Playable, Ruleset, legal};

/// The usual default for the maximum number of turns of a game.
pub const TURNS: usize = 1_000;

/// Decides the runner's moves in one game, and returns `None` to stop.
pub type Agent<'p, R> =
    Box<dyn FnMut(&<R as Ruleset>::State, &mut Rng) -> Option<<R as Ruleset>::Move> + 'p>;

/// The policies that users can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Plays the solver's best move.
    #[default]
    Solver,
    /// Makes the legal move that ends nearest to the goal, ignoring obstacles and the chasers' next moves. Moves that lose before
    /// the chasers move come last.
    Greedy,
    /// Picks among all legal moves with equal probability.
    Random,
    /// Never moves.
    Stay,
}

impl Policy {
    /// All policies, in the order of help texts.
    pub const ALL: [Self; 4] = [Self::Solver, Self::Greedy, Self::Random, Self::Stay];

    /// Returns the name that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solver => "solver",
            Self::Greedy => "greedy",
            Self::Random => "random",
            Self::Stay => "stay",
        }
    }
}

/// The moves of a runner that the program itself controls.
pub enum Strategy<'g, R: Ruleset> {
    /// A known line of play.
    Line {
        /// The moves, in order.
        moves: Vec<R::Move>,
        /// If the line can go on forever, the number of moves before the part that repeats.
        back_to: Option<usize>,
        /// The limit that ended the search for a longer line.
        limit: Option<Limit>,
    },
    /// A function of the position.
    ByPosition(ByPosition<'g, R>),
    /// A random legal move in each turn.
    Random,
}

/// A function that chooses a move in each position; `None` if it knows none.
pub type ByPosition<'g, R> =
    Box<dyn Fn(&R, &<R as Ruleset>::State) -> Option<<R as Ruleset>::Move> + Sync + 'g>;

impl<'g, R: Ruleset> Strategy<'g, R> {
    /// Returns the strategy that a function defines.
    pub fn by_position(choose: impl Fn(&R, &R::State) -> Option<R::Move> + Sync + 'g) -> Self {
        Self::ByPosition(Box::new(choose))
    }

    /// Returns an agent that plays this strategy in one game.
    pub fn agent<'p>(&'p self, rules: &'p R) -> Agent<'p, R> {
        match self {
            Self::Line { moves, back_to, .. } => {
                let repeated = &moves[back_to.unwrap_or(moves.len())..];
                let mut rest = moves.iter().chain(repeated.iter().cycle());
                Box::new(move |_, _| rest.next().copied())
            }
            Self::ByPosition(choose) => Box::new(move |at, _| choose(rules, at)),
            Self::Random => {
                // The agent has its own random numbers, so that the chasers make the same moves when the agent's are replayed.
                let mut own = None;
                Box::new(move |at, rng| {
                    let own = own.get_or_insert_with(|| Rng::new(rng.fork_seed()));
                    own.pick(&legal(rules, at)).copied()
                })
            }
        }
    }
}

/// Returns the legal move that leads closest to the goal regardless of obstacles, the first one in a tie; `None` if no move is
/// legal. A move that escapes comes before all others, and a move that loses before the chasers move comes after them.
pub fn greedy<R: Playable>(rules: &R, at: &R::State) -> Option<R::Move> {
    let away = |&mv: &R::Move| {
        let mut then = at.clone();
        match rules.act(&mut then, mv, &mut ()) {
            Some(Outcome::Escaped) => 0,
            Some(Outcome::Caught(_)) => u64::MAX,
            None => 1 + u64::from(rules.distance(&then)),
        }
    };
    legal(rules, at).into_iter().min_by_key(away)
}
