//! Markov decision processes (MDPs) that the player wins or loses. The solver finds the probability
//! of a win and an optimal strategy. This package knows no rule: it sees nodes and their successors.
//!
//! ```
//! use getaway_board::limits::{Clock, Limit, Limits};
//! use getaway_chance::{Mdp, Owner, Successor};
//!
//! /// The player tosses a coin until it shows heads, but may only do so twice.
//! struct Coin;
//!
//! impl Mdp for Coin {
//!     fn initial(&self) -> u64 {
//!         1
//!     }
//!
//!     fn successors_within(
//!         &self,
//!         node: u64,
//!         out: &mut Vec<Successor>,
//!         _clock: &mut Clock,
//!     ) -> Result<Owner, Limit> {
//!         let tails = node.checked_sub(1).map_or(Successor::Lost, Successor::Node);
//!         out.extend([Successor::Won, tails]);
//!         Ok(Owner::Chance)
//!     }
//! }
//!
//! let solved = getaway_chance::solve(&Coin, &Limits::default());
//! assert!(solved.bounds.contains(0.75) && solved.bounds.is_exact());
//! ```
//!
//! [`solve()`] computes values only where the graph alone gives no answer:
//!
//! 1. *Can the player win at all?* This is backward reachability from the wins. Elsewhere the probability is 0.
//! 2. *Surely?* This is the attractor of the wins, from which the player wins within a bounded number of turns, whatever chance
//!    does.
//! 3. *Almost surely?* This is the largest set that chance never leaves, that the player need not leave, and inside which
//!    each node can reach a win (prob1E: de Alfaro, *Formal verification of probabilistic systems*, 1997). There the
//!    probability is 1.
//! 4. In an *end component*, where the player can stay forever, upper bounds would never fall. So each maximal end component
//!    (MEC) becomes a single node at which the player chooses among the exits: the *MEC quotient*.
//! 5. *Policy iteration* computes the values of the quotient.
//!
//! MDPs with tables of values ([`TabularMdp`]) use *optimistic value iteration* instead of step 5 (`optimistic.rs`). They have no
//! quotient: after each sweep, all states of a MEC get the value of its best exit. Where MECs would be too large to list, the
//! values are enclosed from below and from above ([`Tables::enclose`]).

#![deny(missing_docs)]

mod almost_sure;
mod analysis;
mod anderson;
mod chain;
mod components;
mod enclosure;
mod estimate;
mod graph;
mod linear;
mod markov_chain;
mod model;
mod near;
mod nodes;
mod optimistic;
mod policy_iteration;
mod qualitative;
mod quotient;
mod scc;
mod schedule;
mod solve;
mod stay;
mod strategy;
mod sure;
mod sweeper;
mod tables;
mod value_domain;

pub use analysis::table_bytes;
pub use markov_chain::{MarkovChain, Wins};
pub use model::{Mdp, Owner, Successor};
pub use near::bounds_near;
pub use optimistic::WIDTH;
#[doc(hidden)]
pub use policy_iteration::by_policies;
pub use qualitative::Class;
pub use solve::{OptimalStrategy, StrategyScope, classes, end_components, solve_within};
pub use solve::{Valuation, solve, solve_small};
pub use sure::wins_surely;
pub use sweeper::{Stale, SweepProgress, SweepView, Sweeper};
pub use tables::{MAX_ROUNDS, Tables, Tabular, TabularMdp};
pub use value_domain::{ValueDomain, means};

#[cfg(test)]
mod tests;
