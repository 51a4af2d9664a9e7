//! A board of any ruleset, as the commands see it.

use std::io::{self, Write};
use std::ops::Deref;

use crate::advice::Adviser;
use crate::analysis::Analysis;
use crate::engine::search::Order;
use crate::expect::Expectation;
use crate::explanation::Explanation;
use crate::fault::Fault;
use crate::limits::{Limit, Limits};
use crate::play::agent::{Policy, Strategy, TURNS, greedy};
use crate::play::external::ExternalAgents;
use crate::play::orders::Orders;
use crate::play::replay::overrun;
use crate::play::session::Session;
use crate::play::simulation::{Simulation, Simulator};
use crate::play::trace::{Ending, HalfTurn, LineKind, RUNNER, TraceError, TraceSink};
use crate::puzzle::Puzzle;
use crate::rng::Rng;
use crate::ruleset::led::Led;
use crate::ruleset::{Playable, Stochastic};
use crate::solution::{Solution, Verdict};
use crate::verify::Inexact;

/// A board of some ruleset.
pub trait Game: Send + Sync {
    /// Decides the board.
    ///
    /// Ask [`Game::solvable`] first: of a board that can't be solved the verdict is undecided, without
    /// any limit.
    fn solve(&self, order: Order, limits: &Limits) -> Solution;

    /// What the board's own text says that the answer is, beside the header `expect`.
    fn expectation(&self) -> Option<Expectation> {
        None
    }

    /// Whether the question of [`Game::solve`] can be asked of this board at all.
    ///
    /// # Errors
    ///
    /// Why not.
    fn solvable(&self) -> Result<(), String> {
        Ok(())
    }

    /// Plays a line and tells how it ends.
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    fn replay(&self, plan: &Plan) -> Result<Ending, TraceError> {
        self.trace(plan, &mut |_: &HalfTurn| Ok(()))
    }

    /// Makes a simulator, which plays games on the board as the plan says.
    ///
    /// # Errors
    ///
    /// If the moves can't be read, or the board can't be played so.
    fn simulator<'g>(&'g self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError>;

    /// A game of this board that somebody plays move by move, with luck from `seed`.
    ///
    /// # Errors
    ///
    /// If the board can't be played, or there is not the memory for it.
    fn session<'g>(
        &'g self,
        seed: u64,
        limits: &Limits,
    ) -> Result<Box<dyn Session + 'g>, TraceError>;

    /// One who knows what the positions of this board are worth.
    ///
    /// # Errors
    ///
    /// If the board can't be played, or there is not the memory for it.
    fn adviser<'g>(&'g self, limits: &Limits) -> Result<Box<dyn Adviser + 'g>, TraceError>;

    /// What a designer wants to know of this board, of which `solution` is the answer, with a shortest line if
    /// there is one.
    ///
    /// Where `limits` allow for any number of states, each part of it stops
    /// after 30,000.
    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis;

    /// Bounds on the turns that games which escape take on average under best play, as
    /// [`Analysis::expected_turns`]; `None` where chance has no say, or the equations are not solved in reasonable time.
    ///
    /// # Errors
    ///
    /// The limit that came first.
    fn expected_turns(&self, _limits: &Limits) -> Result<Option<[f64; 2]>, Limit> {
        Ok(None)
    }

    /// Why `solution` is the answer to this board.
    ///
    /// Where `limits` allow for any number of states, each question stops after as many as a part
    /// of an analysis.
    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation;

    /// Writes the evidence for `solution`, which is the answer to this board, as `verify` reads it.
    ///
    /// # Errors
    ///
    /// Why there is none; what has been written by then is of no use.
    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), Uncertified>;

    /// Plays the moves of the plan, or by its policy, half turn by half turn; random numbers come from the
    /// plan's seed.
    ///
    /// # Errors
    ///
    /// If the line can't be read or played, or the sink can't go on.
    fn trace(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        plan.play(&*self.simulator(plan)?, sink)
    }
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum Uncertified {
    /// The board is not decided.
    #[error("there is no certificate of a board that is not decided")]
    Undecided,
    /// A limit ended the search for the evidence.
    #[error("no certificate was written: {0}")]
    Limit(Limit),
    /// Its probabilities can't be written down exactly.
    #[error("no certificate was written: {0}")]
    Inexact(Inexact),
    /// It can't be written to.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The search for the evidence comes to another answer than the solution.
    #[error("the evidence contradicts the answer, which is an error of this program")]
    Contradiction,
}

impl From<Limit> for Uncertified {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// Which game is played on a board: who moves, for how long, and with which luck.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// The runner's moves as text, instead of a policy.
    pub moves: Option<&'a str>,
    /// The orders of led chasers, as in the header `chasers`. External agents replace them.
    pub chasers: Option<&'a str>,
    /// The runner's policy.
    pub policy: Policy,
    /// The order of the solver's search.
    pub order: Order,
    /// The limits on that search, and on the game.
    pub limits: Limits<'a>,
    /// The agents that decide instead for some roles.
    pub external: Option<&'a dyn ExternalAgents>,
    /// The seed of the luck.
    pub seed: u64,
    /// The most turns to play; by default all of `moves`, or a limited number of turns of a policy.
    pub turns: Option<usize>,
}

impl<'a> Plan<'a> {
    /// Plays a game, half turn by half turn.
    ///
    /// # Errors
    ///
    /// If the game can't be played, or the sink fails.
    pub(crate) fn play(
        &self,
        simulator: &(dyn Simulator + '_),
        sink: &mut dyn TraceSink,
    ) -> Result<Ending, TraceError> {
        let by_default = self.moves.map_or(TURNS, |_| usize::MAX);
        let turns = self.turns.unwrap_or(by_default);
        let result = simulator.play(Rng::new(self.seed), turns, Some(sink))?;
        Ok(match result.unplayed {
            Some(mv) => overrun(result.ending, mv),
            None => result.ending,
        })
    }

    /// Makes a simulator for a board. `solver` makes the solver's strategy, if the plan needs it.
    ///
    /// # Errors
    ///
    /// If the moves can't be read, the board has no such roles or moves, or `solver` fails.
    pub(crate) fn simulator<G>(
        &self,
        rules: G,
        solver: impl FnOnce(&G::Target) -> Result<Strategy<'a, G::Target>, TraceError>,
    ) -> Result<Box<dyn Simulator + 'a>, TraceError>
    where
        G: Deref<Target: Stochastic + Playable<Move: 'a> + Sized> + Sync + 'a,
    {
        if let Some(external) = self.external {
            check_roles(&*rules, external)?;
        }
        let is_external = self
            .external
            .is_some_and(|external| external.decides_for(RUNNER));
        let strategy = match (self.moves, self.policy) {
            _ if is_external => None,
            (Some(text), _) => Some(Strategy::Line(G::Target::read_line(text)?)),
            (None, Policy::Solver) => Some(solver(&rules)?),
            (None, Policy::Greedy) => Some(Strategy::by_position(greedy)),
            (None, Policy::Random) => Some(Strategy::Random),
            (None, Policy::Stay) => {
                let stay = stay::<G::Target>()?;
                Some(Strategy::by_position(move |_, _| Some(stay)))
            }
        };
        let is_given = self.moves.is_some() && !is_external;
        Ok(Box::new(Simulation {
            rules,
            strategy,
            kind: is_given.then_some(LineKind::Given),
            orders: self.chasers.map(Orders::read).unwrap_or_default(),
            external: self.external,
            limits: self.limits,
        }))
    }
}

/// Checks that the board has the roles of these agents.
fn check_roles<R: Playable>(rules: &R, agents: &dyn ExternalAgents) -> Result<(), TraceError> {
    let led = rules.led().map_or(&[][..], Led::roles);
    let is_known = |role: &str| role == RUNNER || led.iter().any(|known| known.name == role);
    match agents.roles().into_iter().find(|role| !is_known(role)) {
        None => Ok(()),
        Some(role) => {
            let known = led.iter().map(|known| format!(", `{}`", known.name));
            Err(TraceError::Unplayable(format!(
                "no program can play the role `{role}` here: the roles are `{RUNNER}`{}",
                known.collect::<String>()
            )))
        }
    }
}

fn stay<R: Playable>() -> Result<R::Move, TraceError> {
    R::STAY.ok_or_else(|| TraceError::Unplayable(format!("{} can't stay in this game", R::RUNNER)))
}

/// What a board's own headers say about how it is to be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// The header `moves`.
    pub moves: Option<&'a str>,
    /// The header `chasers`, which goes with `moves`.
    pub chasers: Option<&'a str>,
    /// The header `seed`.
    pub seed: Option<u64>,
}

impl<'a> Given<'a> {
    /// What the headers of `puzzle` say.
    ///
    /// # Errors
    ///
    /// A fault if its seed is none.
    pub fn of(puzzle: &'a Puzzle) -> Result<Self, Fault> {
        let value = |key| Some(&*puzzle.header(key)?.value);
        let moves = value("moves");
        Ok(Self {
            moves,
            chasers: moves.and_then(|_| value("chasers")),
            seed: puzzle.seed()?,
        })
    }

    /// The moves of these headers, and what the chasers did whom somebody led, unless others were typed.
    pub fn unless(self, typed: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
        match typed {
            Some(moves) => (Some(moves), None),
            None => (self.moves, self.chasers),
        }
    }
}

/// What is wrong with the line of play in the header `moves`, if there is one and something is: it
/// must be legal, not go on after the game is over, and escape if an escape is expected. What is left to
/// chance goes by the header `seed`.
///
/// Of a line that a limit keeps from being played to its end nothing is known to be wrong.
///
/// # Errors
///
/// A fault if the seed is none.
pub fn refuted_moves(
    puzzle: &Puzzle,
    game: &dyn Game,
    expect: Option<Expectation>,
    limits: &Limits,
) -> Result<Option<String>, Fault> {
    let given = Given::of(puzzle)?;
    let plan = Plan {
        moves: given.moves,
        chasers: given.chasers,
        seed: given.seed.unwrap_or_default(),
        limits: *limits,
        ..Plan::default()
    };
    let refuted = plan.moves.and_then(|_| refuted(&plan, game, expect));
    Ok(refuted)
}

fn refuted(plan: &Plan, game: &dyn Game, expect: Option<Expectation>) -> Option<String> {
    let must_escape = expect == Some(Expectation::Verdict(Verdict::Escape));
    match game.replay(plan) {
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => Some(format!(
            "move {turn} (`{mv}`) of `moves` is illegal: {reason}"
        )),
        Ok(Ending::Caught { turns, cause }) if must_escape => Some(format!(
            "`moves` does not escape: {cause} after {}",
            count_moves(turns)
        )),
        Ok(Ending::Open { turns }) if must_escape => Some(format!(
            "`moves` does not escape: it is unfinished after {}",
            count_moves(turns)
        )),
        Ok(_) | Err(TraceError::Undecided(_)) => None,
        Err(TraceError::NoMove(error)) => Some(format!("in `moves`, {error}")),
        Err(error) => Some(error.to_string()),
    }
}

fn count_moves(turns: usize) -> String {
    match turns {
        1 => "1 move".into(),
        _ => format!("{turns} moves"),
    }
}
