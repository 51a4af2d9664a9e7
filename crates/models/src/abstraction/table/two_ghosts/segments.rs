//! Bounds for long cooldowns: time is counted in segments of many turns.
//!
//! Two ghosts with cooldowns up to 255 have 65,536 pairs of cooldowns. But games rarely last until a cooldown is over,
//! and even then the exact time seldom matters. A *segment* is a fixed number of turns. A coarse model divides the game
//! into *stretches* of a segment each, and keeps one of a few *stages* of each ghost's cooldown:
//!
//! - stage 0: the cooldown is 0;
//! - stage 1: nothing is known about the cooldown;
//! - stage 1 + n: it is at least the turns left in this stretch and n - 1 more segments.
//!
//! A teleport that starts the cooldown leads to the last stage, whose segments together are no longer than the full
//! cooldown. At the end of a stretch, each stage above 1 falls by one. In stage 1, nature chooses anew each turn whether
//! the cooldown is 0: against the player for the lower bound, and in the player's favour for the upper one.
//!
//! Both bounds are sound. A cooldown falls by at most 1 per turn unless the sight of a player ends it, which leads to
//! stage 0. So stages above 1 remain true, and a ghost in one of them has a cooldown above 0, which is all that its move
//! depends on. In stage 1, the true cooldown is among nature's choices. Stages follow from the history of the game, so
//! the model and the level have the same strategies. Hence the model's value is at most the level's if nature is hostile,
//! and at least the level's if nature is friendly. Both sides approach the least fixpoint from below: each iterate is a
//! lower bound, and rounded-up values that another stretch raises nowhere are an upper bound, as in
//! [`crate::abstraction`].

use std::sync::Arc;

use rayon::prelude::*;

use super::super::{Adversaries, Scratch, Table};
use super::pair_index;
use crate::abstraction::ghost_states::{GhostStates, StateIndex};
use crate::code::{Node, PackedAdversary};
use crate::{DungeonMdp, MdpError};
use getaway_board::limits::{Bounds, Budget, Limit};
use getaway_chance::{Mdp, OptimalStrategy, Owner, Successor, SweepView, Tabular, TabularMdp};

/// The stage in which nothing is known about the cooldown.
const UNKNOWN: u8 = 1;

/// The share of its value that the lower bound loses each turn, so that waiting is never as good as moving on.
const SHARE: f64 = 1.0 / (1_u64 << 32) as f64;

/// Upper bounds are rounded up to multiples of this.
const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;

/// The fraction of a unit that is not rounded up; exceeds the floating-point errors of a stretch.
const NOISE: f64 = 1.0 / (1 << 12) as f64;

/// Lower bounds have converged when none rises by more than this in a stretch.
const STILL: f64 = 1e-12;

/// The maximum number of turns until convergence.
const MAX_TURNS: usize = 1 << 14;

/// The minimum of the setting `cooldown` for models with segments. Shorter cooldowns are kept exactly.
const LONG: u8 = 64;

/// The numbers of segments to try in turn. The second is tried only if the first bounds are within [`NEAR`], since more
/// segments improve bounds only a little.
const COUNTS: [u8; 2] = [4, 12];
const NEAR: f64 = 1e-5;

/// The maximum width of bounds that are worth the time to converge.
const FAR: f64 = 1e-2;

/// Models with fewer states run on one thread.
const MIN_PARALLEL: usize = 1 << 16;

type Pair = [f64; 2];

/// A model of a level with two ghosts and a long cooldown, with bounds for each state.
#[derive(Debug)]
pub struct Segments {
    exact_mdp: Arc<DungeonMdp>,
    /// The tables of the level with stages in place of cooldowns. Within a stretch, known stages change only by a teleport or in
    /// sight of the player; [`Self::stretch`] lowers them from one stretch to the next.
    stages: Table,
    turns: u8,
    bounds: Vec<Pair>,
}

impl Segments {
    /// Solves models with the numbers of segments in [`COUNTS`], as long as more may help, and returns the one with the
    /// closest bounds. Returns `None` if the level does not have two ghosts with a long cooldown, if no model fits in memory
    /// and converges, or if escape may be almost sure.
    pub fn solve(exact_mdp: &Arc<DungeonMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        if Adversaries::of(exact_mdp) != Some(Adversaries::TwoGhosts)
            || exact_mdp.max_cooldown() < LONG
        {
            return Ok(None);
        }
        budget.limits.on_threads(|| Self::best(exact_mdp, budget))
    }

    fn best(exact_mdp: &Arc<DungeonMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut best: Option<Self> = None;
        for count in COUNTS {
            let taken = budget.taken();
            let model = match Self::with(exact_mdp, count, FAR, budget) {
                Err(Limit::Memory) => None,
                model => model?,
            };
            let Some(model) = model else {
                budget.reset_to(taken);
                break;
            };
            let width = model.width();
            // With more segments, less of the cooldown may be covered.
            if best.as_ref().is_some_and(|best| best.width() <= width) {
                budget.reset_to(taken);
            } else {
                best = Some(model);
            }
            if width <= Bounds::PRECISION || width > NEAR {
                break;
            }
        }
        Ok(best)
    }

    /// Returns whether the bounds on the initial node count as a known probability.
    pub fn is_exact(&self) -> bool {
        self.width() <= Bounds::PRECISION
    }

    fn width(&self) -> f64 {
        let known = self.bounds(self.exact_mdp.initial());
        known.map_or(1.0, Bounds::width)
    }

    /// Solves the model with `count` segments for each cooldown. Returns `None` if there are no tables, or if
    /// [`Self::converge`] gives up.
    fn with(
        exact_mdp: &Arc<DungeonMdp>,
        count: u8,
        near: f64,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let stages = match DungeonMdp::with_stages(&exact_mdp.dungeon, UNKNOWN + count, budget) {
            Ok(mdp) => Table::new(&Arc::new(mdp), budget)?,
            Err(MdpError::NoWayOut { .. }) => None,
            Err(MdpError::Limit(limit)) => return Err(limit),
        };
        let Some(stages) = stages else {
            return Ok(None);
        };
        let mut model = Self {
            exact_mdp: Arc::clone(exact_mdp),
            turns: exact_mdp.max_cooldown() / count,
            bounds: budget.filled([0.0; 2], stages.len())?,
            stages,
        };
        Ok(model.converge(near, budget)?.then_some(model))
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the model's node for this node of the level, at the beginning of a stretch.
    fn staged(&self, number: u64) -> Node {
        let mut node = self.exact_mdp.unpack(number);
        for adversary in &mut node.adversaries {
            let stage = match adversary.cooldown() {
                0 => 0,
                cooldown => UNKNOWN + (cooldown / self.turns).min(self.last_stage() - UNKNOWN),
            };
            let moved = PackedAdversary::moved(adversary.tile(), stage);
            *adversary = if adversary.waits() {
                moved.waiting()
            } else {
                moved
            };
        }
        node
    }

    fn waiting(&self) -> impl Iterator<Item = &GhostStates> {
        self.stages.model.blocks.iter().map(|block| &block.waiting)
    }

    fn last_stage(&self) -> u8 {
        self.stages.mdp().max_cooldown()
    }

    fn choices(&self, node: &Node) -> Vec<Pair> {
        let mut successors = Vec::new();
        let mdp = self.stages.mdp();
        if mdp.successors(mdp.pack(node), &mut successors) == Owner::Chance {
            return Vec::new();
        }
        let value = |successor| match successor {
            Successor::Won => [1.0; 2],
            Successor::Lost => [0.0; 2],
            Successor::Node(next) => {
                let state = self.stages.find(next);
                self.bounds[state.expect("the draws begin when the player has chosen")]
            }
        };
        successors.into_iter().map(value).collect()
    }

    /// Raises the bounds stretch by stretch until neither rises, and returns whether they converged. Gives up after
    /// [`MAX_TURNS`] turns, if they stay farther apart than `near`, or if escape may be almost sure.
    fn converge(&mut self, near: f64, budget: &Budget) -> Result<bool, Limit> {
        let (taken, len) = (budget.taken(), self.bounds.len());
        let mut room = [budget.filled([0.0; 2], len)?, budget.filled([0.0; 2], len)?];
        let mut has_converged = false;
        for _ in 0..MAX_TURNS / usize::from(self.turns) {
            self.stretch(&mut room, budget)?;
            let mut rise = [0.0_f64; 2];
            for (bounds, [low, high]) in self.bounds.iter_mut().zip(&room[0]) {
                let high = ((high / UNIT - NOISE).ceil() * UNIT).min(1.0);
                for (side, new) in [*low, high].into_iter().enumerate() {
                    rise[side] = rise[side].max(new - bounds[side]);
                    bounds[side] = bounds[side].max(new);
                }
            }
            let known = self.bounds(self.exact_mdp.initial());
            let known = known.unwrap_or(Bounds::UNKNOWN);
            let width = known.width();
            let is_wide = width > near && rise[0].max(rise[1]) < width / 100.0;
            has_converged = rise[0] <= STILL && rise[1] <= 0.0;
            if has_converged || is_wide || known.upper > 1.0 - Bounds::PRECISION {
                break;
            }
        }
        drop(room);
        budget.reset_to(taken);
        Ok(has_converged)
    }

    /// Computes the bounds before a stretch from those after it, and stores them in the first list.
    fn stretch(&self, [now, next]: &mut [Vec<Pair>; 2], budget: &Budget) -> Result<(), Limit> {
        for (block, waiting) in self.waiting().enumerate() {
            let old = &self.bounds[self.stages.range(block)];
            let now = &mut now[self.stages.range(block)];
            // The states on a tile are in the order of their stages, so the previous one has the next lower stage.
            let after = |ghost: StateIndex| {
                let is_counted = waiting.get(ghost).cooldown() > UNKNOWN;
                ghost - StateIndex::from(is_counted)
            };
            for later in waiting.numbers() {
                for earlier in 0..waiting.before(later) {
                    now[pair_index(later, earlier)] = old[pair_index(after(later), after(earlier))];
                }
            }
        }
        for _ in 0..self.turns {
            self.turn(now, next, budget)?;
            std::mem::swap(now, next);
        }
        Ok(())
    }

    fn turn(&self, now: &[Pair], next: &mut [Pair], budget: &Budget) -> Result<(), Limit> {
        let (mut blocks, mut rest) = (Vec::new(), next);
        for block in 0..self.stages.sweeper().blocks() {
            let (own, others) = rest.split_at_mut(self.stages.range(block).len());
            blocks.push((block, own));
            rest = others;
        }
        let work = |scratch: &mut Scratch<Pair>, (block, own): (usize, &mut [Pair])| {
            let view = SweepView::of(self.stages.sweeper().starts(), now, block);
            own.copy_from_slice(self.stages.update(&view, scratch, budget)?);
            resolve_unknown_cooldowns(&self.stages.model.blocks[block].waiting, own);
            for value in own.iter_mut() {
                value[0] *= 1.0 - SHARE;
            }
            Ok(())
        };
        if budget.limits.threads < 2 || now.len() < MIN_PARALLEL {
            let mut scratch = Scratch::default();
            return blocks
                .into_iter()
                .try_for_each(|all| work(&mut scratch, all));
        }
        blocks
            .into_par_iter()
            .try_for_each_init(Scratch::default, work)
    }
}

impl OptimalStrategy for Segments {
    /// Returns the bounds of a node; `None` unless the player is to move or both ghosts wait.
    fn bounds(&self, number: u64) -> Option<Bounds> {
        let node = self.staged(number);
        let value = match self.stages.model.find(&node) {
            Some(state) => self.bounds[state],
            None => self.choices(&node).into_iter().reduce(better)?,
        };
        Some([value[0], value[1].max(value[0])].into())
    }

    fn choice(&self, number: u64) -> Option<usize> {
        let choices = self.choices(&self.staged(number)).into_iter().enumerate();
        let best = choices.reduce(|a, b| if b.1[0] > a.1[0] { b } else { a });
        best.filter(|(_, value)| value[0] > 0.0).map(|(at, _)| at)
    }
}

/// Lets nature choose whether unknown cooldowns are 0.
fn resolve_unknown_cooldowns(waiting: &GhostStates, values: &mut [Pair]) {
    let is_unknown = |ghost: StateIndex| waiting.get(ghost).cooldown() == UNKNOWN;
    let mut choose = |unknown: usize, ready: usize| {
        let ([hostile, friendly], [low, high]) = (values[unknown], values[ready]);
        values[unknown] = [hostile.min(low), friendly.max(high)];
    };
    // The state before one with an unknown cooldown has the cooldown 0 on the same tile.
    for later in waiting.numbers() {
        for earlier in (0..waiting.before(later)).filter(|_| is_unknown(later)) {
            choose(pair_index(later, earlier), pair_index(later - 1, earlier));
        }
        for earlier in (0..waiting.before(later)).filter(|&ghost| is_unknown(ghost)) {
            choose(pair_index(later, earlier), pair_index(later, earlier - 1));
        }
    }
}

fn better(a: Pair, b: Pair) -> Pair {
    [a[0].max(b[0]), a[1].max(b[1])]
}

#[cfg(test)]
#[path = "segments_tests.rs"]
mod tests;
