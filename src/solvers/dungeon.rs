//! Deciding a level with one player, and playing it: by its best strategy, or by given moves.

mod duel;
mod witness;

use std::sync::Arc;

use crate::engine::mdp::{self, Valuation};
use crate::engine::search::Order;
use crate::game::{Evidence, Game, Player, Solution, TraceError, Verdict};
use crate::limits::{Budget, Limit, Limits};
use crate::play::rollout::{self, ByPosition, Conduct, Seat};
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::Ruleset;
use duel::pair::{self, Pair};
use duel::{Duel, NoDuel, Phase};
use witness::Witness;

/// The best play on a level with one player, in every position that it can lead to.
#[derive(Debug)]
pub struct Policy {
    dungeon: Dungeon,
    /// `None` where the player can't get out in any way.
    best: Option<(Arc<Duel>, Best)>,
}

/// The best choice at each node, however it was found.
#[derive(Debug)]
enum Best {
    Pair(pair::Policy),
    Nodes(mdp::OptimalStrategy),
}

impl Best {
    fn choice(&self, number: u64) -> Option<usize> {
        match self {
            Self::Pair(strategy) => strategy.choice(number),
            Self::Nodes(strategy) => strategy.choice(number),
        }
    }
}

impl Policy {
    /// The best move in this position.
    ///
    /// Where escape is certain or almost sure, playing so leads to it; elsewhere the move is the
    /// one with the greatest probability of escape, as far as it is known. Where all is lost, or
    /// the position is none that can come up, the player keeps away from the adversaries as well as
    /// it can in one move.
    pub fn best(&self, at: &State) -> Move {
        self.choice(at).unwrap_or_else(|| self.dungeon.flight(at))
    }

    fn choice(&self, at: &State) -> Option<Move> {
        let (duel, strategy) = self.best.as_ref()?;
        let number = duel.number(at, Phase::Player, &[])?;
        duel.moves(number).get(strategy.choice(number)?).copied()
    }
}

impl Dungeon {
    /// The best play on this level.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was known.
    ///
    /// # Panics
    ///
    /// If the level has not exactly one player ([`Game::solvable`]).
    pub fn policy(&self, limits: &Limits) -> Result<Policy, Limit> {
        let budget = Budget::new(limits);
        let best = match Duel::new(self, &budget) {
            Err(NoDuel::NoWayOut) => None,
            Err(NoDuel::Limit(limit)) => return Err(limit),
            Ok(duel) => {
                let duel = Arc::new(duel);
                let best = if let Some(valuation) = solve_pair(&duel, &budget)? {
                    Best::Pair(valuation.into_strategy_within(&budget)?)
                } else {
                    let valuation = mdp::solve_within(&*duel, &budget);
                    Best::Nodes(valuation.into_strategy_within(&budget)?)
                };
                Some((duel, best))
            }
        };
        Ok(Policy {
            dungeon: self.clone(),
            best,
        })
    }

    /// The move that leads farthest away from the nearest adversary, the first of equals.
    fn flight(&self, at: &State) -> Move {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        let safety = |mv: &Move| {
            let mut then = at.clone();
            let lost = self.act(&mut then, *mv, &mut ()).is_some();
            let player = then.players.first().copied();
            let others = at.adversaries.iter().map(|other| other.cell);
            player
                .filter(|_| !lost)
                .and_then(|cell| self.level.nearest(cell, others))
        };
        moves
            .into_iter()
            .rev()
            .max_by_key(safety)
            .unwrap_or_default()
    }

    /// Whether the way out that was found is one under the rules.
    fn admits(&self, duel: &Duel, way: &[u64]) -> bool {
        let is_position = |number: &u64| !duel.is_in_transit(*number);
        let way: Vec<u64> = way.iter().copied().filter(is_position).collect();
        Witness::confirms(self, duel, &way)
    }

    fn conclude<E>(&self, duel: &Duel, valuation: &Valuation<E>) -> Solution {
        let verdict = match (valuation.limit, &valuation.winning_path) {
            (None, None) => Verdict::Caught,
            (None, Some(way)) if self.admits(duel, way) => Verdict::Escape,
            // Where there is no limit: the answer must not rest on the nodes alone.
            _ => Verdict::Undecided,
        };
        let Valuation {
            lower,
            upper,
            sure,
            limit,
            nodes,
            ..
        } = *valuation;
        let evidence = Evidence::Chance {
            lower,
            upper,
            certain: sure,
        };
        Solution {
            evidence,
            limit,
            ..Solution::plain(verdict, nodes)
        }
    }
}

/// What the tables for two ghosts tell; `None` where there can be none.
fn solve_pair(duel: &Arc<Duel>, budget: &Budget) -> Result<Option<Valuation<pair::Solved>>, Limit> {
    let taken = budget.taken();
    let valuation = Pair::new(duel, budget)?.and_then(|pair| pair.solve(budget));
    if valuation.is_none() {
        budget.reset_to(taken);
    }
    Ok(valuation)
}

impl Game for Dungeon {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        if self.solvable().is_err() {
            return Solution {
                limit: None,
                ..Solution::undecided(Limit::States, 0)
            };
        }
        let budget = Budget::new(limits);
        let solution = Duel::new(self, &budget).and_then(|duel| {
            let duel = Arc::new(duel);
            Ok(match solve_pair(&duel, &budget)? {
                Some(valuation) => self.conclude(&duel, &valuation),
                None => self.conclude(&duel, &mdp::solve_within(&*duel, &budget)),
            })
        });
        solution.unwrap_or_else(|why| match why {
            NoDuel::NoWayOut => Solution {
                evidence: Evidence::Chance {
                    lower: 0.0,
                    upper: 0.0,
                    certain: false,
                },
                ..Solution::plain(Verdict::Caught, 0)
            },
            NoDuel::Limit(limit) => Solution {
                evidence: Evidence::Chance {
                    lower: 0.0,
                    upper: 1.0,
                    certain: false,
                },
                ..Solution::undecided(limit, 0)
            },
        })
    }

    fn solvable(&self) -> Result<(), String> {
        match self.players.len() {
            1 => Ok(()),
            0 => Err("there is no player (`P`) on this level to solve it for".into()),
            count => Err(format!(
                "`solve` needs exactly one player (`P`), not {count}"
            )),
        }
    }

    /// The solver's policy is the best strategy; a level without players is watched.
    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        let seat = Seat::new(
            self,
            conduct,
            |level| -> Result<Box<dyn rollout::Policy<Self>>, _> {
                if level.players.is_empty() {
                    return Ok(Box::new(ByPosition(|_: &Self, _: &State| Some(Move::STAY))));
                }
                level.solvable().map_err(|why| {
                    let mend = "say which moves to play (`--moves`), or simulate it with another \
                                policy than the solver's";
                    TraceError::Unplayable(format!("{why}: {mend}"))
                })?;
                let policy = level
                    .policy(&conduct.limits)
                    .map_err(TraceError::Undecided)?;
                Ok(Box::new(ByPosition(move |_: &Self, at: &State| {
                    Some(policy.best(at))
                })))
            },
        )?;
        Ok(Box::new(seat))
    }
}
