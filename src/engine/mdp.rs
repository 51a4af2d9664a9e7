//! Markov decision processes (MDPs) with a player who wins or loses: who can win, with which
//! probability, and by which strategy.
//!
//! [`solve`] first answers on the graph whatever the graph alone can answer, and computes values
//! only where it must:
//!
//! 1. *Can the player win at all?* Backward reachability from the wins. Elsewhere the probability
//!    is 0.
//! 2. *Surely?* The attractor of the wins: the least set that holds them, each node of the player
//!    with some successor in the set, and each node of chance with all successors in it. From there
//!    the player wins within a bounded number of turns, whatever chance does.
//! 3. *Almost surely?* The largest set in which each node of chance stays, each node of the player
//!    can stay, and from all of which a win can be reached without leaving it (prob1E). There the
//!    probability is 1.
//! 4. What is left has a probability strictly between 0 and 1. Where the player can stay for ever
//!    in a part of it (an *end component*), upper bounds would never fall below the value of
//!    staying. So each maximal end component (MEC) becomes a single node at which the player
//!    chooses among the exits: the *MEC quotient*.
//! 5. The rest is value iteration by *guess and verify* (as in optimistic value iteration): sweeps
//!    with extrapolation give an estimate; it is lowered and raised by less than the error allowed,
//!    and swept until the Bellman operator itself proves a lower and an upper bound. Where plays last
//!    too long for that, it is *policy iteration* from below: better and better choices, each worked
//!    out as the solution of linear equations, and bounds with a slack that prove themselves.

mod analysis;
mod bellman;
mod bounds;
mod chain;
mod components;
mod estimate;
mod graph;
mod linear;
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
pub(crate) use model::Redirected;
pub use model::{Mdp, Owner, Successor};
pub(crate) use near::bounds_near;
#[cfg(test)]
pub use optimistic::WIDTH;
pub(crate) use schedule::Sequence;
pub(crate) use solve::{OptimalStrategy, Wanted, end_components, solve_within};
pub use solve::{Valuation, solve};
pub(crate) use sure::wins_surely;
pub(crate) use sweeper::{Progress, Stale, Sweeper, View};
pub(crate) use tables::{PATIENCE, Tables};
pub(crate) use tabular::Tabular;
pub(crate) use value_domain::{ValueDomain, means};

#[cfg(test)]
pub(crate) mod tests;
