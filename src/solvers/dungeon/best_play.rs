//! The Markov chain of best play in an MDP.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::engine::markov_chain::MarkovChain;
use crate::engine::mdp::{Mdp, Owner, Successor};
use crate::limits::{Clock, Limit, Limits, bytes};

#[derive(Default)]
struct Met {
    numbers: HashMap<u64, u64, FixedState>,
    nodes: Vec<u64>,
}

impl Met {
    fn number(&mut self, node: u64) -> u64 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u64 - 1
        })
    }
}

/// Follows a strategy from `first` on. The strategy returns the chosen successor of a player's node, or `None` if the
/// player can no longer win.
pub(in crate::solvers) fn chain<M: Mdp>(
    mdp: &M,
    first: u64,
    choice: &dyn Fn(u64) -> Option<usize>,
    limits: &Limits,
) -> Result<MarkovChain, Limit> {
    let mut chain = MarkovChain::default();
    let mut met = Met::default();
    met.number(first);
    let mut clock = Clock::new(limits);
    let mut successors = Vec::new();
    let mut next = 0;
    while let Some(&node) = met.nodes.get(next) {
        next += 1;
        limits.check_states(next as u64)?;
        successors.clear();
        let owner = mdp.successors_within(node, &mut successors, &mut clock)?;
        if owner == Owner::Player {
            let chosen = choice(node).and_then(|choice| successors.get(choice).copied());
            successors.clear();
            successors.push(chosen.unwrap_or(Successor::Lost));
        }
        for successor in &mut successors {
            if let Successor::Node(node) = successor {
                *node = met.number(*node);
            }
        }
        chain.push(&successors, owner == Owner::Player);
        // A growing table briefly exists twice, and has room to double.
        let table = bytes::<[u64; 3]>(4 * met.nodes.len());
        limits.check_memory(table + 3 * MarkovChain::bytes(next, chain.edges()))?;
    }
    Ok(chain)
}
