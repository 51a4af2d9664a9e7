//! Bounds on the probability of escape from coarser models, which do not track zombies far from the player.
//!
//! A level with a ghost and two zombies in rooms of 6x6 tiles has a hundred million positions. But a zombie never
//! leaves its room and matters little while the player is elsewhere. So a coarse model tracks it only while the player
//! is in that room or a few steps away; otherwise nature places it anew each time its position matters. The cooldowns
//! of a ghost may also be merged, for instance into the single value "0 or above". The part of a position that the
//! model keeps is its *view*.
//!
//! # Why the bounds hold
//!
//! Let V(s) be the probability of escape from a position s under best play, and T the Bellman operator: (T v)(s) is the
//! mean, over the turn's draws, of the value in v of the player's best choice. V is the least fixpoint of T, and the
//! limit of T^k 0. The operators here work on values of views: for every view, L v is at most the minimum, and U v at
//! least the maximum, of (T (v ∘ view))(s) over all positions s with this view.
//!
//! - *From below.* If v ∘ view <= V then (L v) ∘ view <= T (v ∘ view) <= T V = V, since T is monotone. Zeros are below
//!   V, so all values computed from them are too, in any order of updates, and so is the larger of two such values.
//!   Rounding down preserves this. A finer model starts from the values of a coarser one.
//! - *From above.* If U u <= u then T (u ∘ view) <= u ∘ view, so u ∘ view is a prefixpoint of T, and V is below it.
//!   Such a u is found by raising values u, from below, to U u, rounded up, until nothing rises: that *is* the
//!   proof. It needs no end components. (Values that fall from 1 would get stuck in them.) Leaps ([`leap`]) and
//!   rounding up to coarser multiples end it sooner with a slightly worse bound. Until it ends, there is no bound.
//!
//! L and U follow the rules of a turn, and let nature choose anew wherever the result depends on something outside the
//! view; this only gives nature more options:
//!
//! - *A ghost's ways.* Zombies out of sight may block a ghost: in each room, they may block any of its ways into that
//!   room, but no more of them than there are such zombies ([`block`]).
//! - *A teleport* leads to a free tile. For each zombie out of sight in a room, nature excludes one of the room's
//!   tiles. Zombies in rooms so small that no free tile might be left are always tracked ([`tracking`]).
//! - *A zombie comes into view* with the player's move: it may be anywhere in its room except on a ghost's tile
//!   ([`choice`]). If each tile of a room has more neighbours than there are ghosts, a zombie alone there always
//!   steps, so the parity of row + column changes every turn. The model keeps this parity, which halves the choice
//!   (proved in `tests/proofs/dungeon-chasers.smt2`).
//! - *A merged cooldown* may be any of the cooldowns for which it stands.
//!
//! No zombie is left out: without it, a ghost would have one obstacle fewer, perhaps the one that saves the player. A
//! zombie out of sight does not catch the player, since it is tracked wherever the player could be in its room after
//! the next move. Whether it comes before or after a ghost in reading order does not matter, since nature chooses what
//! it blocks regardless of the order.

mod block;
mod choice;
mod ghost_states;
mod leap;
mod refinement;
mod rounding;
mod surroundings;
mod sweeps;
mod table;
mod tracking;
mod update;

use std::sync::Arc;

use super::code::{Node, Phase};
use super::{DungeonMdp, breadth_first};
use getaway_board::limits::{Budget, Limit, bytes};
use getaway_chance::{Mdp, Successor, Sweeper};
use getaway_rules::dungeon::{Move, State};
pub use refinement::{Conclusion, Refinement};

use block::{Block, MAX_TILES};
pub(crate) use block::{Draw, Target};
use choice::PlayerChoices;
pub(crate) use ghost_states::{GhostStates, StateIndex, StateRun, binomial, rank};
pub use rounding::{Bound, Lower};
use surroundings::Neighbourhoods;
pub(crate) use table::mean;
pub use table::{Adversaries, Segments, solve_by_tables};
use tracking::Tracking;

const MAX_VALUES: usize = 1 << 31;

const MAX_GHOSTS: usize = 4;

/// The level of detail of an abstraction: which zombies it tracks, and which cooldowns it distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// A zombie is tracked at least while the player is within this many steps of its room.
    pub steps: u32,
    /// Cooldowns above this one count as this one.
    pub cooldown: u8,
}

/// A coarser model, which bounds the probability of escape: nature chooses what the model does not know, in favour of or against
/// the player.
#[derive(Debug)]
pub struct Abstraction {
    mdp: Arc<DungeonMdp>,
    surroundings: Neighbourhoods,
    blocks: Vec<Block>,
    choices: Vec<PlayerChoices>,
    sweeper: Sweeper,
    /// For each block, the number of moves by which the shortest way out through it is longer than the shortest of all.
    detours: Vec<u32>,
    bytes: u64,
}

impl Abstraction {
    /// Builds the model; `None` if there is none for this level, or it would have too many values.
    pub fn new(
        mdp: &Arc<DungeonMdp>,
        detail: Detail,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let tracking = Tracking::new(mdp, detail.steps);
        let Some(starts) = starts(mdp, &tracking, detail, budget)? else {
            return Ok(None);
        };
        let (mut clock, taken) = (budget.clock(), budget.taken());
        let positions = mdp.geometry.positions.len();
        let mut blocks = Vec::new();
        for position in 0..positions {
            let Some(block) = Block::new(mdp, &tracking, position, detail.cooldown) else {
                return Ok(None);
            };
            clock.work(1 << 14)?;
            budget.take(block.bytes())?;
            blocks.push(block);
        }
        let mut choices: Vec<PlayerChoices> = Vec::new();
        for block in &blocks {
            let choice = PlayerChoices::new(mdp, &blocks, block);
            clock.work(1 << 14)?;
            budget.take(choice.bytes())?;
            choices.push(choice);
        }
        let sources = |block: usize| choices[block].positions().map(|to| to as usize);
        Ok(Some(Self {
            mdp: Arc::clone(mdp),
            surroundings: Neighbourhoods::new(mdp, &tracking),
            sweeper: Sweeper::new(starts, sources),
            detours: detours(mdp, &choices),
            blocks,
            choices,
            bytes: budget.taken() - taken,
        }))
    }

    /// Reserves the memory of a round of updates.
    fn take_scratch(&mut self, budget: &Budget) -> Result<(), Limit> {
        let blocks = self.blocks.iter();
        let scratch = blocks.map(|block| block.scratch_values(self.mdp.ghosts));
        let at_a_time = self.sweeper.round_size(budget.limits.threads) as u64;
        let size = at_a_time * bytes::<Lower>(scratch.max().unwrap_or(0));
        budget.take(size)?;
        self.bytes += size;
        Ok(())
    }

    /// Returns the number of values of the model; `None` if there is none for this level, or it would have too many values. The
    /// limit on memory plays no part.
    pub fn size(mdp: &DungeonMdp, detail: Detail, budget: &Budget) -> Result<Option<usize>, Limit> {
        let tracking = Tracking::new(mdp, detail.steps);
        let starts = starts(mdp, &tracking, detail, budget)?;
        Ok(starts.map(|starts| starts[starts.len() - 1]))
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.sweeper.len()
    }

    /// Counts the positions in which the player has just moved; returns `usize::MAX` if [`Self::size`] returns `None` for full
    /// detail. If an upper estimate is at most `few`, returns that estimate instead.
    pub fn positions(mdp: &DungeonMdp, few: usize, budget: &Budget) -> Result<usize, Limit> {
        let tiles = mdp.geometry.tile_count() as usize * (1 + usize::from(mdp.max_cooldown()));
        let all = (0..mdp.mobile_count())
            .try_fold(mdp.geometry.positions.len() as usize, |all, _| {
                all.checked_mul(tiles).filter(|&all| all <= few)
            });
        if let Some(all) = all {
            return Ok(all);
        }
        let all = Detail {
            steps: u32::MAX,
            cooldown: mdp.max_cooldown(),
        };
        Ok(Self::size(mdp, all, budget)?.unwrap_or(usize::MAX))
    }

    /// Returns the best move; `None` if the state has no node, see [`DungeonMdp::number`].
    pub fn best(&self, values: &[Lower], at: &State) -> Option<Move> {
        let node = self.mdp.number(at, Phase::Player, &[])?;
        let choice_values = self.choice_values(values, node);
        // The search goes backwards, so that the first of equal moves wins.
        let all = choice_values.iter().enumerate().rev();
        let (best, _) = all.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        self.mdp.moves(node).get(best).copied()
    }

    fn find(&self, node: &Node) -> Option<usize> {
        let block = &self.blocks[node.position as usize];
        let adversaries = &node.adversaries;
        if node.phase == Phase::Player || adversaries.iter().any(|other| !other.waits()) {
            return None;
        }
        let (ghosts, zombies) = adversaries.split_at(self.mdp.ghosts);
        let states = ghosts.iter().map(|&ghost| block.waiting.find(ghost));
        let mut ghosts: Vec<_> = states.collect::<Option<_>>()?;
        ghosts.sort_unstable();
        let mut at = 0;
        for slot in &block.slots {
            at += usize::from(slot.local(zombies[slot.zombie].tile())?) * slot.stride;
        }
        let mut parities = 0;
        for (nth, &zombie) in block.parities.iter().enumerate() {
            let parity = choice::parity_of(&self.mdp, zombies[zombie].tile());
            parities |= usize::from(parity) << nth;
        }
        let row = rank(&ghosts) * block.width() + parities * block.tile_combinations;
        Some(self.sweeper.range(node.position as usize).start + row + at)
    }

    fn choice_values<const UP: bool>(&self, values: &[Bound<UP>], node: u64) -> Vec<f64> {
        let mut successors = Vec::new();
        self.mdp.successors(node, &mut successors);
        let value_of = |successor| match successor {
            Successor::Won => 1.0,
            Successor::Lost => 0.0,
            Successor::Node(node) => {
                let at = self.find(&self.mdp.unpack(node));
                values[at.expect("the draws begin when the player has moved")].value()
            }
        };
        successors.into_iter().map(value_of).collect()
    }
}

fn starts(
    mdp: &DungeonMdp,
    tracking: &Tracking,
    detail: Detail,
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Limit> {
    let rooms = &mdp.geometry.rooms;
    let mut zombie_rooms = (0..tracking.len()).map(|zombie| &rooms[tracking.room(zombie) as usize]);
    if mdp.ghosts > MAX_GHOSTS
        || mdp.mobile_count() == 0
        || zombie_rooms.any(|room| room.len() > MAX_TILES)
    {
        return Ok(None);
    }
    let mut clock = budget.clock();
    let mut starts = vec![0];
    let mut end = 0_usize;
    for position in 0..mdp.geometry.positions.len() {
        clock.work(mdp.geometry.tile_count().into())?;
        // A ghost that teleports needs a free tile even if every other adversary occupies one.
        let is_full = mdp.count_free(position) < mdp.mobile_count();
        let values = Block::size(mdp, tracking, position, detail.cooldown).filter(|_| !is_full);
        match values.and_then(|values| end.checked_add(values)) {
            Some(next) if next <= MAX_VALUES => end = next,
            _ => return Ok(None),
        }
        starts.push(end);
    }
    Ok(Some(starts))
}

fn sources(choices: &[PlayerChoices]) -> Vec<Vec<u32>> {
    let mut sources = vec![Vec::new(); choices.len()];
    for (from, choice) in (0..).zip(choices) {
        for to in choice.positions() {
            sources[to as usize].push(from);
        }
    }
    sources
}

/// Returns, for each block, the number of moves by which the shortest way out through it is longer than the shortest of all; at
/// or near `u32::MAX` without a way.
fn detours(mdp: &DungeonMdp, choices: &[PlayerChoices]) -> Vec<u32> {
    let first = mdp.unpack(mdp.initial()).position;
    let (len, number) = (choices.len(), |at| at as usize);
    let next = |at| choices[number(at)].positions();
    let forth = breadth_first::distances([first], len, number, next);
    let sources = sources(choices);
    let last = (0..len as u32).filter(|&at| choices[number(at)].is_out);
    let before = |at| sources[number(at)].iter().copied();
    let back = breadth_first::distances(last, len, number, before);
    let through = |at: usize| forth[at].saturating_add(back[at]);
    let shortest = through(first as usize);
    (0..len)
        .map(|at| through(at).saturating_sub(shortest))
        .collect()
}

#[cfg(test)]
pub mod tests;
