//! What the positions of a level with one player are worth: the level is solved once, and looked up from then
//! on.

use std::sync::Arc;

use super::one_player::{NoMdp, OnePlayerMdp, Phase};
use super::solved::{Broken, Solved};
use super::{Policy, best_play};
use crate::advice::{Advice, Adviser, Worth};
use crate::engine::markov_chain::MarkovChain;
use crate::engine::mdp::{Mdp, Wanted};
use crate::game::Game;
use crate::limits::{Budget, Limit, Limits};
use crate::play::session::BoardSession;
use crate::play::trace::TraceError;
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::{Outcome, Ruleset};

/// Knows the probability of escape from every position that was asked for, and from all that best play may lead
/// to from there.
pub(super) struct MdpAdviser<'g> {
    dungeon: &'g Dungeon,
    /// The level as an MDP, once it is known.
    mdp: Option<Result<Arc<OnePlayerMdp>, NoMdp>>,
    /// What has been solved, the latest last, and how many bytes each takes.
    solved: Vec<(Arc<Solved>, u64)>,
    /// The limit that ended the last solution that is not one, if any did.
    limit: Option<Limit>,
}

/// The most solutions that are kept. One solution does for nearly all positions. But where the player can leave
/// the level at once, the MDP has no other move; so what else could be done there takes a solution of its own.
const MOST_SOLVED: usize = 4;

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
            mdp: None,
            solved: Vec::new(),
            limit: None,
        }
    }

    /// Returns the limit that ended a solution, so that some bounds are wide or unknown.
    pub(super) const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// The level as an MDP; `None` if there is no way out, even if no adversary moves.
    fn mdp(&mut self, limits: &Limits) -> Result<Option<Arc<OnePlayerMdp>>, Limit> {
        let known = self.mdp.clone();
        let known = known
            .unwrap_or_else(|| OnePlayerMdp::new(self.dungeon, &Budget::new(limits)).map(Arc::new));
        if let Err(NoMdp::Limit(limit)) = known {
            return Err(limit);
        }
        self.mdp = Some(known.clone());
        Ok(known.ok())
    }

    /// The solution for the start; `None` if the player can't escape.
    fn solved_start(&mut self, limits: &Limits) -> Result<Option<Start>, Limit> {
        let Some(mdp) = self.mdp(limits)? else {
            return Ok(None);
        };
        let node = mdp.initial();
        let solved = self.solved(&mdp, node, limits);
        let solved = solved.map_err(|(limit, _)| limit)?;
        Ok(Some(Start { mdp, node, solved }))
    }

    /// The chain of what may come from the start on, if the player plays by the optimal strategy; `None` if he
    /// can't escape. The chain has limits of its own.
    pub(super) fn chain_of_best_play(
        &mut self,
        limits: &Limits,
        of_chain: &Limits,
    ) -> Result<Option<MarkovChain>, Limit> {
        let Some(Start { mdp, node, solved }) = self.solved_start(limits)? else {
            return Ok(None);
        };
        best_play::chain(&*mdp, node, &|node| solved.choice(node), of_chain).map(Some)
    }

    /// The best play from the start on.
    pub(super) fn policy(&mut self, limits: &Limits) -> Result<Policy, Limit> {
        Ok(Policy {
            dungeon: self.dungeon.clone(),
            solved: self.solved_start(limits)?.map(|start| start.solved),
        })
    }

    /// Tells of each of these positions, by its number, how likely an escape is under best play, as far as the solution for
    /// the start knows it.
    pub(super) fn values(
        &mut self,
        positions: &[State],
        limits: &Limits,
        mut tell: impl FnMut(usize, f64),
    ) -> Result<(), Limit> {
        let Some(Start { mdp, solved, .. }) = self.solved_start(limits)? else {
            return Ok(());
        };
        for (number, at) in positions.iter().enumerate() {
            let node = mdp.number_anew(at, Phase::Player);
            if let Some([lower, upper]) = node.and_then(|node| solved.bounds(node)) {
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
        let mdp = match self.mdp(limits) {
            Ok(Some(mdp)) => mdp,
            Ok(None) => return everywhere(chance([0.0, 0.0])),
            Err(limit) => {
                self.limit = Some(limit);
                return everywhere(Worth::Unknown(Some(limit)));
            }
        };
        let node = mdp.number_anew(at, Phase::Player);
        let worth = self.worth(&mdp, node, limits);
        let solved = node.and_then(|node| self.solved(&mdp, node, limits).ok());
        let worth_of_move = |&mv| {
            let mut then = at.clone();
            match self.dungeon.act(&mut then, mv, &mut ()) {
                Some(Outcome::Escaped) => chance([1.0, 1.0]),
                Some(Outcome::Caught(_)) => chance([0.0, 0.0]),
                None => {
                    let node = mdp.number_anew(&then, Phase::Adversaries);
                    self.worth(&mdp, node, limits)
                }
            }
        };
        Known {
            worth,
            moves: moves.iter().map(worth_of_move).collect(),
            best: solved.and_then(|solved| solved.best(at)).unwrap_or(flight),
        }
    }

    /// The probability of escape from this node.
    fn worth(&mut self, mdp: &Arc<OnePlayerMdp>, node: Option<u64>, limits: &Limits) -> Worth {
        let Some(node) = node else {
            return Worth::Unknown(None);
        };
        match self.solved(mdp, node, limits) {
            Ok(solved) => chance(solved.bounds(node).unwrap_or([0.0, 1.0])),
            Err((limit, [lower, upper])) if upper - lower >= 1.0 => Worth::Unknown(Some(limit)),
            Err((_, bounds)) => chance(bounds),
        }
    }

    /// A solution that knows this node.
    fn solved(
        &mut self,
        mdp: &Arc<OnePlayerMdp>,
        node: u64,
        limits: &Limits,
    ) -> Result<Arc<Solved>, Broken> {
        let mut known = self.solved.iter();
        if let Some((solved, _)) = known.find(|(solved, _)| solved.bounds(node).is_some()) {
            return Ok(Arc::clone(solved));
        }
        if self.solved.len() == MOST_SOLVED {
            // The first one knows most.
            self.solved.remove(1);
        }
        let solution = match self.solve_beside(mdp, node, limits) {
            Err((Limit::Memory, _)) if !self.solved.is_empty() => {
                self.solved.clear();
                self.solve_beside(mdp, node, limits)
            }
            solution => solution,
        };
        let (solved, bytes) = solution.inspect_err(|(limit, _)| self.limit = Some(*limit))?;
        let solved = Arc::new(solved);
        self.solved.push((Arc::clone(&solved), bytes));
        Ok(solved)
    }

    /// Solves the MDP in the memory that the other solutions leave; beside it, how many bytes that takes.
    fn solve_beside(
        &self,
        mdp: &Arc<OnePlayerMdp>,
        node: u64,
        limits: &Limits,
    ) -> Result<(Solved, u64), Broken> {
        let taken = self.solved.iter().map(|(_, bytes)| bytes).sum();
        let rest = limits.without(taken).map_err(|limit| (limit, [0.0, 1.0]))?;
        let budget = Budget::new(&rest);
        let solved = Solved::new(mdp, node, Wanted::AllBounds, &budget)?;
        Ok((solved, budget.taken()))
    }
}

/// The solution for the start of a level, and its node.
struct Start {
    mdp: Arc<OnePlayerMdp>,
    node: u64,
    solved: Arc<Solved>,
}

impl Adviser for MdpAdviser<'_> {
    fn advise_led(
        &mut self,
        game: (&str, &str),
        seed: u64,
        limits: &Limits,
    ) -> Result<Advice, TraceError> {
        let game = BoardSession::new(self.dungeon, seed).after(game)?;
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

const fn chance([lower, upper]: [f64; 2]) -> Worth {
    Worth::Chance { lower, upper }
}
