//! The interface that commands use for a board of any ruleset.

use std::io::Write;
use std::sync::Arc;

use crate::chance::graph::Countable;
use crate::drn;
pub use crate::errors::{CertifyError, ModelError};
use getaway_board::fault::{Fault, Faults};
use getaway_board::limits::{Bounds, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::rng::Rng;
use getaway_board::words::count;
use getaway_play::agent::{Policy, Strategy, TURNS, greedy};
use getaway_play::analysis::Analysis;
use getaway_play::arena::{Arena, BoardArena};
use getaway_play::evaluation::{Evaluator, LineEvaluator, PositionEvaluator};
use getaway_play::expect::Expectation;
use getaway_play::explanation::{Explanation, SearchStep, SearchSummary};
use getaway_play::external::ExternalAgents;
use getaway_play::orders::Orders;
use getaway_play::replay::move_after_end;
use getaway_play::session::{BoardSession, Session};
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{Solution, Verdict};
use getaway_play::trace::{Ending, LineKind, Ply, RUNNER, TraceError, TraceSink};
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::{LineError, Meaning, Notation, Playable, Ruleset};
use getaway_search::search::Order;

/// Answers questions about a board. Each kind of solver implements this trait.
pub trait Solver: Send + Sync {
    /// Decides the board. A board that is not [`Solver::solvable`] stays undecided.
    fn solve(&self, order: Order, limits: &Limits) -> Solution;

    /// Returns the expected answer, if the board's rows contain one.
    fn expectation(&self) -> Option<Expectation> {
        None
    }

    /// Checks that the board can be solved.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be solved.
    fn solvable(&self) -> Result<(), String> {
        Ok(())
    }

    /// Returns warnings about a valid board.
    fn warnings(&self, _puzzle: &Puzzle) -> Faults {
        Faults::default()
    }

    /// Computes design metrics; see [`Analysis`].
    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis;

    /// Returns the bounds of [`Analysis::expected_turns`]; `None` if the game has none, or no close bounds are found.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    fn expected_turns(&self, _limits: &Limits) -> Result<Option<Bounds>, Limit> {
        Ok(None)
    }

    /// Explains the answer. In games without chance, each search for the value of a move stops after a fixed number of states if
    /// `limits` sets no number.
    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation;

    /// Passes the first steps of a search, at most `max`, to `sink`: the search that the rules prescribe or, in games without
    /// chance, a depth-first search. Returns `None` if there is no such search.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached. A limit that ends a depth-first search under way is in its summary instead.
    fn trace_search(
        &self,
        _max: u64,
        _limits: &Limits,
        _sink: &mut dyn FnMut(SearchStep),
    ) -> Result<Option<SearchSummary>, Limit> {
        Ok(None)
    }

    /// Writes a certificate for the answer.
    ///
    /// # Errors
    ///
    /// Returns the reason for a failure, after which the contents of `out` are useless.
    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), CertifyError>;
}

/// Plays games on a solver's board. Every solver that implements this trait is a [`Game`].
pub trait Gameplay: Solver + Sized + 'static {
    /// The board, as read.
    type Board: Notation;
    /// The rules by which games are played on the board.
    type Rules: Countable;

    /// Creates the solver of a board.
    fn new(board: Arc<Self::Board>) -> Self;

    /// Returns the rules, prepared within `limits`.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played, or a limit is reached.
    fn rules(&self, limits: &Limits) -> Result<Arc<Self::Rules>, TraceError>;

    /// Returns the strategy of the policy [`Policy::Solver`].
    ///
    /// # Errors
    ///
    /// Fails if the solver has none, or a limit is reached.
    fn strategy<'g>(
        &self,
        rules: &Arc<Self::Rules>,
        plan: &Plan<'g>,
    ) -> Result<Strategy<'g, Self::Rules>, TraceError>;

    /// Returns the evaluator of positions in games by these rules.
    fn evaluator(&self, rules: Arc<Self::Rules>) -> PositionEvaluatorOf<Self>;

    /// Returns the evaluator of positions in an arena; by default, that of [`Gameplay::evaluator`].
    fn arena_evaluator(&self, rules: Arc<Self::Rules>) -> PositionEvaluatorOf<Self> {
        self.evaluator(rules)
    }

    /// Plays a game by `plan` for [`Game::trace`].
    ///
    /// # Errors
    ///
    /// Fails if the moves can't be read, the game can't be played, a limit is reached, or the sink fails.
    fn play(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        plan.play(&*self.simulator(plan)?, sink)
    }
}

/// The evaluator for a solver's rules.
pub type PositionEvaluatorOf<S> =
    Box<dyn PositionEvaluator<<<S as Gameplay>::Rules as Ruleset>::State>>;

/// A board of any ruleset.
pub trait Game: Solver {
    /// Plays a game by `plan` and returns its ending.
    ///
    /// # Errors
    ///
    /// Fails if the moves can't be read, the game can't be played, a limit is reached, or the moves end within a turn. An
    /// illegal move is not an error but an ending.
    fn replay(&self, plan: &Plan) -> Result<Ending, TraceError> {
        // A single game needs memory for only one.
        let limits = Limits {
            threads: 1,
            ..plan.limits
        };
        let plan = Plan { limits, ..*plan };
        let ending = self.trace(&plan, &mut |_: &Ply| Ok(()))?;
        plan.check_last_turn(&ending).map(|()| ending)
    }

    /// Plays a game by `plan`, and passes it to `sink` ply by ply.
    ///
    /// # Errors
    ///
    /// Fails if the moves can't be read, the game can't be played, a limit is reached, or the sink fails.
    fn trace(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError>;

    /// Creates a simulator, which plays games according to this plan.
    ///
    /// # Errors
    ///
    /// Fails if the moves can't be read, the board can't be played, or a limit is reached.
    fn simulator<'g>(&self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError>;

    /// Starts a session with chance seeded by `seed`.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played, or a limit is reached.
    fn session(&self, seed: u64, limits: &Limits) -> Result<Box<dyn Session>, TraceError>;

    /// Creates an evaluator of the positions after lines of play on this board.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played, or a limit is reached.
    fn evaluator(&self, limits: &Limits) -> Result<Box<dyn Evaluator>, TraceError>;

    /// Creates an arena, which plays many games on this board.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be played.
    fn arena(&self) -> Result<Arc<dyn Arena>, TraceError>;

    /// Writes all positions as a Markov decision process in Storm's format DRN.
    ///
    /// # Errors
    ///
    /// Returns the reason for a failure, after which the contents of `out` are useless.
    fn write_model(&self, limits: &Limits, out: &mut dyn Write) -> Result<(), ModelError>;
}

impl<S: Gameplay> Game for S {
    fn trace(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        self.play(plan, sink)
    }

    fn simulator<'g>(&self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError> {
        plan.simulator(self.rules(&plan.limits)?, |rules| {
            self.strategy(rules, plan)
        })
    }

    fn session(&self, seed: u64, limits: &Limits) -> Result<Box<dyn Session>, TraceError> {
        Ok(Box::new(BoardSession::new(self.rules(limits)?, seed)))
    }

    fn evaluator(&self, limits: &Limits) -> Result<Box<dyn Evaluator>, TraceError> {
        let rules = self.rules(limits)?;
        let evaluator = Gameplay::evaluator(self, Arc::clone(&rules));
        Ok(Box::new(LineEvaluator::new(rules, evaluator)))
    }

    fn arena(&self) -> Result<Arc<dyn Arena>, TraceError> {
        let rules = self.rules(&Limits::default())?;
        let evaluator = self.arena_evaluator(Arc::clone(&rules));
        Ok(Arc::new(BoardArena::new(rules, evaluator)))
    }

    fn write_model(&self, limits: &Limits, out: &mut dyn Write) -> Result<(), ModelError> {
        drn::write(&*self.rules(limits)?, limits, out)
    }
}

/// A plan for a game: who decides the moves, and when it ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// The runner's moves, which override the policy but not an external agent.
    pub moves: Option<&'a str>,
    /// The orders for controlled chasers, as in the header `chasers`. External agents override them.
    pub chasers: Option<&'a str>,
    /// The runner's policy.
    pub policy: Policy,
    /// The order of the solver's search.
    pub order: Order,
    /// The limits on each search and on the game.
    pub limits: Limits<'a>,
    /// The external agents, which decide moves in place of the policy or of the chasers' rules.
    pub external: Option<&'a dyn ExternalAgents>,
    /// The seed for chance.
    pub seed: u64,
    /// The maximum number of turns: by default, enough for all of `moves` or of a line that the solver found, and otherwise
    /// [`TURNS`].
    pub turns: Option<usize>,
}

impl<'a> Plan<'a> {
    pub(crate) fn play(
        &self,
        simulator: &(dyn Simulator + '_),
        sink: &mut dyn TraceSink,
    ) -> Result<Ending, TraceError> {
        let by_default = self.moves.map_or(TURNS, |_| usize::MAX);
        let turns = self.turns.unwrap_or(by_default);
        let result = simulator.play(Rng::new(self.seed), turns, Some(sink))?;
        Ok(match result.unplayed {
            Some(mv) => move_after_end(result.ending, mv),
            None => result.ending,
        })
    }

    /// Checks that a line of play has a move for each player in its last turn, unless the game ends earlier.
    ///
    /// # Errors
    ///
    /// Returns the turn without enough moves.
    pub fn check_last_turn(&self, ending: &Ending) -> Result<(), TraceError> {
        let Ending::Open { is_mid_turn, .. } = *ending else {
            return Ok(());
        };
        let Some(line) = self.moves.filter(|_| is_mid_turn) else {
            return Ok(());
        };
        let line = line.trim_end();
        let text = line.rsplit(char::is_whitespace).next().unwrap_or_default();
        Err(TraceError::Line(LineError {
            what: "whole turn",
            at: line.chars().count() - text.chars().count(),
            text: text.to_owned(),
            why: "write a move for each player on the board, as in `R,.`".to_owned(),
        }))
    }

    /// Creates a simulator. Calls `solver` for the solver's strategy if the plan needs it.
    fn simulator<R: Countable>(
        &self,
        rules: Arc<R>,
        solver: impl FnOnce(&Arc<R>) -> Result<Strategy<'a, R>, TraceError>,
    ) -> Result<Box<dyn Simulator + 'a>, TraceError> {
        if let Some(external) = self.external {
            check_roles(&*rules, external)?;
        }
        let is_external = self
            .external
            .is_some_and(|external| external.decides_for(RUNNER));
        let strategy = match (self.moves, self.policy) {
            _ if is_external => None,
            (Some(text), _) => Some(Strategy::Line {
                moves: rules.parse_moves(text)?,
                back_to: None,
                limit: None,
            }),
            (None, Policy::Solver) => Some(solver(&rules)?),
            (None, Policy::Greedy) => Some(Strategy::by_position(greedy)),
            (None, Policy::Random) => Some(Strategy::Random),
            (None, Policy::Stay) => Some(stay()?),
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

fn check_roles<R: Playable>(rules: &R, agents: &dyn ExternalAgents) -> Result<(), TraceError> {
    let controlled = rules.controlled().map_or(&[][..], Controlled::roles);
    let is_known = |role: &str| role == RUNNER || controlled.iter().any(|known| known.name == role);
    let players = rules.actors_of(&rules.start(), Meaning::Runner).len();
    let named = agents.roles();
    let programs = named.iter().filter(|&&role| role == RUNNER).count();
    if programs > 1 && programs != players {
        return Err(TraceError::Unplayable(format!(
            "{programs} programs for {}: give one for all, or one for each",
            count(players as u64, "player")
        )));
    }
    match named.into_iter().find(|role| !is_known(role)) {
        None => Ok(()),
        Some(role) => {
            let known = controlled.iter().map(|known| format!(", `{}`", known.name));
            Err(TraceError::Unplayable(format!(
                "no program can play the role `{role}` here: the roles are `{RUNNER}`{}",
                known.collect::<String>()
            )))
        }
    }
}

fn stay<'a, R: Playable>() -> Result<Strategy<'a, R>, TraceError> {
    match R::STAY {
        Some(stay) => Ok(Strategy::by_position(move |_, _| Some(stay))),
        None => Err(TraceError::Unplayable(format!(
            "{} can't stay in this game",
            R::RUNNER
        ))),
    }
}

/// The number of states that a second search, for a shortest line, may visit even if the first one visited fewer. This takes a
/// few milliseconds. On boards of more than [`USUAL_CELLS`] cells, which may have more chasers, the number is lower.
const MAX_SHORTENING_STATES: u64 = 1 << 14;
const USUAL_CELLS: u64 = 1 << 10;

/// Replaces a line by a shortest one if `search` finds one within what is left of `limits` and within
/// [`MAX_SHORTENING_STATES`] states or as many as the first search visited. The result does not count the states of `search`.
pub fn shorten_line(
    mut found: Solution,
    cells: u64,
    limits: &Limits,
    search: impl FnOnce(&Limits) -> Solution,
) -> Solution {
    if found.is_shortest || found.line().is_none() {
        return found;
    }
    let left = limits.after(found.states);
    let few = found
        .states
        .max(MAX_SHORTENING_STATES * USUAL_CELLS / cells.max(USUAL_CELLS));
    let few = Limits {
        max_states: Some(left.max_states.map_or(few, |max| max.min(few))),
        ..left
    };
    let shortest = search(&few);
    if shortest.is_shortest {
        found.evidence = shortest.evidence;
        found.is_shortest = true;
    }
    found
}

/// The game in a board's headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeaderGame<'a> {
    /// The header `moves`.
    pub moves: Option<&'a str>,
    /// The header `chasers`, unless `moves` is missing.
    pub chasers: Option<&'a str>,
    /// The header `seed`.
    pub seed: Option<u64>,
}

impl<'a> HeaderGame<'a> {
    /// Reads the headers `moves`, `chasers` and `seed` of a board.
    ///
    /// # Errors
    ///
    /// Returns the fault of the header `seed`.
    pub fn of(puzzle: &'a Puzzle) -> Result<Self, Fault> {
        let value = |key| Some(&*puzzle.header(key)?.value);
        let moves = value("moves");
        Ok(Self {
            moves,
            chasers: moves.and_then(|_| value("chasers")),
            seed: puzzle.seed()?,
        })
    }

    /// Returns the moves `typed` by the user, without orders, or else the moves and orders in the headers.
    pub fn overridden_by(self, typed: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
        match typed {
            Some(moves) => (Some(moves), None),
            None => (self.moves, self.chasers),
        }
    }
}

/// Checks the header `moves`: the line must be readable and legal, end with a whole turn, not continue after the game's end, and
/// escape if that is expected. Returns the fault as text; `None` if there is none or a limit cut the check short.
///
/// # Errors
///
/// Returns the fault of the header `seed`.
pub fn refuted_moves(
    puzzle: &Puzzle,
    game: &dyn Game,
    expect: Option<Expectation>,
    limits: &Limits,
) -> Result<Option<String>, Fault> {
    let plan = given_plan(puzzle, limits)?;
    if plan.moves.is_none() {
        return Ok(None);
    }
    let must_escape = expect == Some(Expectation::Verdict(Verdict::Escape));
    Ok(match game.replay(&plan) {
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => Some(format!(
            "move {turn} (`{mv}`) of `moves` is illegal: {reason}"
        )),
        Ok(Ending::Caught { turns, cause }) if must_escape => Some(format!(
            "`moves` does not escape: {cause} after {}",
            count(turns as u64, "move")
        )),
        Ok(Ending::Open { turns, .. }) if must_escape => Some(format!(
            "`moves` does not escape: it is unfinished after {}",
            count(turns as u64, "move")
        )),
        Ok(_) | Err(TraceError::Undecided(_)) => None,
        Err(TraceError::Line(error)) => Some(format!("in `moves`, {error}")),
        Err(error) => Some(error.to_string()),
    })
}

/// Returns a plan for the moves in the board's headers.
///
/// # Errors
///
/// Returns the fault of the header `seed`.
pub fn given_plan<'a>(puzzle: &'a Puzzle, limits: &Limits<'a>) -> Result<Plan<'a>, Fault> {
    let given = HeaderGame::of(puzzle)?;
    Ok(Plan {
        moves: given.moves,
        chasers: given.chasers,
        seed: given.seed.unwrap_or_default(),
        limits: *limits,
        ..Plan::default()
    })
}
