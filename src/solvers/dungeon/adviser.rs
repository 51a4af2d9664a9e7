//! What the positions of a level with one player are worth: the level is solved once, and looked up from then
//! on.

use std::sync::Arc;

use super::one_player::two_ghosts::TwoGhosts;
use super::one_player::two_ghosts::stretches::Stretches;
use super::one_player::{NoMdp, OnePlayerMdp, Phase};
use super::{best_play, solve_two_ghosts};
use crate::advice::{Advice, Adviser, Worth};
use crate::engine::markov_chain::MarkovChain;
use crate::engine::mdp::{self, Mdp, NodeValues, Owner, Successor, TableStrategy};
use crate::game::Game;
use crate::limits::{Budget, Limit, Limits};
use crate::play::session::InPlay;
use crate::play::trace::TraceError;
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::{Outcome, Ruleset};

/// Knows the probability of escape from every position that was asked for, and from all that best play may lead
/// to from there.
pub(super) struct MdpAdviser<'g> {
    dungeon: &'g Dungeon,
    /// The level as an MDP, once it is known.
    ways: Option<Ways>,
    /// What has been solved, the latest last, and how many bytes each takes.
    solved: Vec<(Values, u64)>,
    /// The limit that ended the last solution that is not one, if any did.
    limit: Option<Limit>,
}

/// Whether there is a way out.
#[derive(Clone)]
enum Ways {
    /// There is none, even if no adversary moves.
    None,
    /// There may be some.
    Mdp(Arc<OnePlayerMdp>),
}

/// Values of nodes and an optimal strategy, however they were computed.
enum Values {
    Stretches(Box<Stretches>),
    TwoGhosts(Box<TableStrategy<TwoGhosts>>),
    Nodes(Box<NodeValues>),
}

impl Values {
    fn bounds(&self, node: u64) -> Option<[f64; 2]> {
        match self {
            Self::Stretches(values) => values.bounds(node),
            Self::TwoGhosts(values) => values.bounds(node),
            Self::Nodes(values) => values.bounds(node),
        }
    }

    fn choice(&self, node: u64) -> Option<usize> {
        match self {
            Self::Stretches(values) => values.choice(node),
            Self::TwoGhosts(values) => values.choice(node),
            Self::Nodes(values) => values.choice(node),
        }
    }
}

/// The most solutions that are kept. One solution does for nearly all positions. But where the player can leave
/// the level at once, the MDP has no other move; so what else could be done there takes a solution of its own.
const MOST_SOLVED: usize = 4;

/// A limit that ended a solution, and the bounds that were proven by then of the node that it began with.
type Broken = (Limit, [f64; 2]);

/// What is known of a position.
struct Known {
    worth: Worth,
    moves: Vec<Worth>,
    best: Move,
}

impl<'g> MdpAdviser<'g> {
    pub(super) const fn new(dungeon: &'g Dungeon) -> Self {
        Self {
            dungeon,
            ways: None,
            solved: Vec::new(),
            limit: None,
        }
    }

    /// Returns the limit that ended a solution, so that some bounds are wide or unknown.
    pub(super) const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn ways(&mut self, limits: &Limits) -> Result<Ways, Limit> {
        if let Some(ways) = &self.ways {
            return Ok(ways.clone());
        }
        let ways = match OnePlayerMdp::new(self.dungeon, &Budget::new(limits)) {
            Ok(mdp) => Ways::Mdp(Arc::new(mdp)),
            Err(NoMdp::NoWayOut) => Ways::None,
            Err(NoMdp::Limit(limit)) => return Err(limit),
        };
        self.ways = Some(ways.clone());
        Ok(ways)
    }

    /// The chain of what may come from the start on, if the player plays by the optimal strategy; `None` if he
    /// can't escape. The chain has limits of its own.
    pub(super) fn chain_of_best_play(
        &mut self,
        limits: &Limits,
        of_chain: &Limits,
    ) -> Result<Option<MarkovChain>, Limit> {
        let Ways::Mdp(mdp) = self.ways(limits)? else {
            return Ok(None);
        };
        let start = self.dungeon.start();
        let mut questions = Questions {
            dungeon: self.dungeon,
            mdp: Arc::clone(&mdp),
            solved: &mut self.solved,
            limit: &mut self.limit,
            limits,
        };
        let Some(first) = mdp.number_anew(&start, Phase::Player) else {
            return Ok(None);
        };
        let values = questions.values(first).map_err(|(limit, _)| limit)?;
        best_play::chain(&*mdp, first, &|node| values.choice(node), of_chain).map(Some)
    }

    /// Tells of each of these positions, by its number, how likely an escape is under best play, as far as the solution for
    /// the start knows it.
    pub(super) fn values(
        &mut self,
        positions: &[State],
        limits: &Limits,
        mut tell: impl FnMut(usize, f64),
    ) -> Result<(), Limit> {
        let Ways::Mdp(mdp) = self.ways(limits)? else {
            return Ok(());
        };
        let Some(first) = mdp.number_anew(&self.dungeon.start(), Phase::Player) else {
            return Ok(());
        };
        let (values, _) = solve(&mdp, first, limits).map_err(|(limit, _)| limit)?;
        for (number, at) in positions.iter().enumerate() {
            let node = mdp.number_anew(at, Phase::Player);
            if let Some([lower, upper]) = node.and_then(|node| values.bounds(node)) {
                tell(number, f64::midpoint(lower, upper));
            }
        }
        Ok(())
    }

    /// What is known of a position with these legal moves.
    fn known(&mut self, at: &State, moves: &[Move], limits: &Limits) -> Known {
        let flight = self.dungeon.flight(at);
        let everywhere = |worth| Known {
            worth,
            moves: vec![worth; moves.len()],
            best: flight,
        };
        if self.dungeon.solvable().is_err() {
            return everywhere(Worth::Unknown(None));
        }
        match self.ways(limits) {
            Ok(Ways::None) => everywhere(chance([0.0, 0.0])),
            Err(limit) => {
                self.limit = Some(limit);
                everywhere(Worth::Unknown(Some(limit)))
            }
            Ok(Ways::Mdp(mdp)) => {
                let mut questions = Questions {
                    dungeon: self.dungeon,
                    mdp,
                    solved: &mut self.solved,
                    limit: &mut self.limit,
                    limits,
                };
                questions.ask(at, moves, flight)
            }
        }
    }
}

impl Adviser for MdpAdviser<'_> {
    fn advise_led(
        &mut self,
        game: (&str, &str),
        seed: u64,
        limits: &Limits,
    ) -> Result<Advice, TraceError> {
        let game = InPlay::new(self.dungeon, seed).after(game)?;
        let (at, outcome) = game.present();
        if let Some(outcome) = outcome {
            return Ok(Advice::over(outcome));
        }
        let mut moves = Vec::new();
        self.dungeon.moves(at, &mut moves);
        let known = self.known(at, &moves, limits);
        let moves = moves.iter().map(ToString::to_string);
        Ok(Advice {
            worth: known.worth,
            moves: moves.zip(known.moves).collect(),
            best: Some(known.best.to_string()),
            line: Vec::new(),
        })
    }
}

/// The questions about one position.
struct Questions<'a> {
    dungeon: &'a Dungeon,
    mdp: Arc<OnePlayerMdp>,
    solved: &'a mut Vec<(Values, u64)>,
    limit: &'a mut Option<Limit>,
    limits: &'a Limits<'a>,
}

impl Questions<'_> {
    /// All of them; `flight` is the best move where there is no other.
    fn ask(&mut self, at: &State, moves: &[Move], flight: Move) -> Known {
        let node = self.mdp.number_anew(at, Phase::Player);
        let worth = self.worth(node);
        let best = node.and_then(|node| self.best(node)).unwrap_or(flight);
        let moves = moves.iter().map(|&mv| self.worth_of_move(at, mv)).collect();
        Known { worth, moves, best }
    }

    /// The probability of escape from this node.
    fn worth(&mut self, node: Option<u64>) -> Worth {
        let Some(node) = node else {
            return Worth::Unknown(None);
        };
        match self.values(node) {
            Ok(values) => chance(values.bounds(node).unwrap_or([0.0, 1.0])),
            Err((limit, [lower, upper])) if upper - lower >= 1.0 => Worth::Unknown(Some(limit)),
            Err((_, bounds)) => chance(bounds),
        }
    }

    fn worth_of_move(&mut self, at: &State, mv: Move) -> Worth {
        let mut then = at.clone();
        match self.dungeon.act(&mut then, mv, &mut ()) {
            Some(Outcome::Escaped) => chance([1.0, 1.0]),
            Some(Outcome::Caught(_)) => chance([0.0, 0.0]),
            None => {
                let node = self.mdp.number_anew(&then, Phase::Adversaries);
                self.worth(node)
            }
        }
    }

    /// The move of an optimal strategy.
    fn best(&mut self, node: u64) -> Option<Move> {
        let choice = self.values(node).ok()?.choice(node)?;
        self.mdp.moves(node).get(choice).copied()
    }

    /// A solution that knows this node.
    fn values(&mut self, node: u64) -> Result<&Values, Broken> {
        let knows = |(values, _): &(Values, u64)| values.bounds(node).is_some();
        if let Some(at) = self.solved.iter().position(knows) {
            return Ok(&self.solved[at].0);
        }
        if self.solved.len() == MOST_SOLVED {
            // The first one knows most.
            self.solved.remove(1);
        }
        let solution = match self.solve_beside(node) {
            Err((Limit::Memory, _)) if !self.solved.is_empty() => {
                self.solved.clear();
                self.solve_beside(node)
            }
            solution => solution,
        };
        let solution = solution.inspect_err(|(limit, _)| *self.limit = Some(*limit));
        self.solved.push(solution?);
        Ok(&self.solved.last().expect("it was put there").0)
    }

    /// Solves the MDP in the memory that the other solutions leave.
    fn solve_beside(&self, node: u64) -> Result<(Values, u64), Broken> {
        let taken = self.solved.iter().map(|(_, bytes)| bytes).sum();
        let rest = self.limits.without(taken);
        solve(&self.mdp, node, &rest.map_err(|limit| (limit, [0.0, 1.0]))?)
    }
}

const fn chance([lower, upper]: [f64; 2]) -> Worth {
    Worth::Chance { lower, upper }
}

/// Solves the MDP for this node and all that can come after it; beside it, how many bytes that takes.
fn solve(mdp: &Arc<OnePlayerMdp>, node: u64, limits: &Limits) -> Result<(Values, u64), Broken> {
    let unknown = |limit| (limit, [0.0, 1.0]);
    let budget = Budget::new(limits);
    if let Some(values) = Stretches::solve(mdp, &budget).map_err(unknown)? {
        return Ok((Values::Stretches(Box::new(values)), budget.taken()));
    }
    if let Some(valuation) = solve_two_ghosts(mdp, &budget).map_err(unknown)? {
        let values = valuation.into_values_within(&budget).map_err(unknown)?;
        if let Some(values) = values.filter(|values| values.bounds(node).is_some()) {
            return Ok((Values::TwoGhosts(Box::new(values)), budget.taken()));
        }
    }
    let budget = Budget::new(limits);
    let valuation = mdp::solve_within(&From { mdp, node }, &budget);
    let bounds = [valuation.lower, valuation.upper];
    let values = valuation.into_values_within(&budget);
    let values = values.map_err(|limit| (limit, bounds))?;
    Ok((Values::Nodes(Box::new(values)), budget.taken()))
}

/// The same MDP, where the play begins at another node.
struct From<'m> {
    mdp: &'m OnePlayerMdp,
    node: u64,
}

impl Mdp for From<'_> {
    fn bits(&self) -> u32 {
        self.mdp.bits()
    }

    fn initial(&self) -> u64 {
        self.node
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        self.mdp.successors(node, out)
    }

    fn block_bits(&self) -> u32 {
        self.mdp.block_bits()
    }

    fn has_fixed_numbers(&self) -> bool {
        self.mdp.has_fixed_numbers()
    }

    fn bytes(&self) -> u64 {
        self.mdp.bytes()
    }
}
