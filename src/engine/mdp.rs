//! Markov decision processes (MDPs) that the player wins or loses. The solver finds the probability
//! of a win and an optimal strategy.
//!
//! [`solve()`] computes values only where the graph alone gives no answer:
//!
//! 1. *Can the player win at all?* This is backward reachability from the wins. Elsewhere the probability is 0.
//! 2. *Surely?* This is the attractor of the wins: the smallest set that contains the wins, each player node with some successor
//!    in the set, and each chance node with all its successors in the set. From there the player wins within a bounded number of
//!    turns, whatever chance does.
//! 3. *Almost surely?* This is the largest set that chance nodes never leave, that player nodes need not leave, and inside which
//!    a win can be reached from every node (prob1E). There the probability is 1.
//! 4. The other nodes have a probability strictly between 0 and 1. In an *end component*, where the
//!    player can stay forever, upper bounds would never fall below the value of staying. So each
//!    maximal end component (MEC) becomes a single node at which the player chooses among the
//!    exits: the *MEC quotient*.
//! 5. *Policy iteration* computes the values of the quotient: it chooses successors, evaluates these choices by solving linear
//!    equations, and improves them. A *slack*, larger than any rounding error, makes it possible to prove the bounds.
//!
//! Tables ([`Tabular`]) use *guess and verify* instead (as in optimistic value iteration): sweeps with extrapolation give an
//! estimate. A value a little below it is the candidate for a lower bound, and one a little above it the candidate for an upper
//! bound. Sweeps continue until the Bellman operator itself proves both.

mod analysis;
mod bellman;
mod chain;
mod components;
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
mod tabular;
mod value_domain;

pub(crate) use analysis::table_bytes;
pub(crate) use markov_chain::MarkovChain;
pub use model::{Mdp, Owner, Successor};
pub(crate) use near::bounds_near;
#[cfg(test)]
pub use optimistic::WIDTH;
pub(crate) use qualitative::Class;
pub(crate) use schedule::Sequence;
pub(crate) use solve::{OptimalStrategy, Wanted, classes, end_components, solve_within};
pub use solve::{Valuation, solve};
pub(crate) use sure::wins_surely;
pub(crate) use sweeper::{Progress, Stale, SweepView, Sweeper};
pub(crate) use tables::{PATIENCE, Tables};
pub(crate) use tabular::Tabular;
pub(crate) use value_domain::{ValueDomain, means};

#[cfg(test)]
pub(crate) mod tests;
