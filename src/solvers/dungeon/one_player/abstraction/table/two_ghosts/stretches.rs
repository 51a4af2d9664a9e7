//! Bounds where cooldowns are long: time is counted in stretches of many turns.
//!
//! Two ghosts with cooldowns up to 255 have 65,536 pairs of cooldowns. But plays rarely last until a cooldown is over, and
//! where they do, it seldom matters exactly when. So a coarse model keeps one of a few *stages* of each ghost's cooldown:
//!
//! - stage 0: the cooldown is 0;
//! - stage 1: nothing is known about the cooldown;
//! - stage 1 + n: it is no less than the turns that are left of this stretch and n - 1 more stretches.
//!
//! A teleport leads to the last stage, whose stretches together are no longer than the set value. The end of a stretch
//! takes one from each stage above 1. In stage 1 nature chooses, anew in each turn, whether the cooldown is 0: to the
//! player's disadvantage for the lower bound, to its advantage for the upper one.
//!
//! Both bounds are sound. A cooldown falls by 1 in a turn at most, so stages above 1 keep what they say, and a ghost in one
//! of them has a cooldown above 0, which is all that its move depends on. In stage 1 the true cooldown is among nature's
//! choices. The stages follow from the past of the play, so a strategy of the model is one of the level, and vice
//! versa. Hence the value of the model lies below that of the level if nature is hostile, and above it if it is friendly.
//! The least fixpoint is approached from below on both sides: each iterate is a lower bound, and values rounded up that
//! another stretch raises nowhere are an upper bound, as in [`crate::solvers::dungeon::one_player::abstraction`].

use std::sync::Arc;

use rayon::prelude::*;

use super::super::TwoGhosts;
use super::at;
use super::sweep::Scratch;
use crate::engine::mdp::{Mdp, OptimalStrategy, Owner, Successor, Tabular, View};
use crate::limits::{Budget, Limit};
use crate::solution::Evidence;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::{GhostStates, StateIndex};
use crate::solvers::dungeon::one_player::code::{Node, PackedAdversary};
use crate::solvers::dungeon::one_player::{NoMdp, OnePlayerMdp};

/// The stage in which nothing is known about a cooldown.
const UNKNOWN: u8 = 1;

/// The share of its value that the lower bound loses with each turn: so it is never as good to wait as to go on.
const SHARE: f64 = 1.0 / (1_u64 << 32) as f64;

/// Upper bounds are rounded up to multiples of this.
const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;

/// The part of a unit that is not rounded up: more than the floating-point errors of a stretch.
const NOISE: f64 = 1.0 / (1 << 12) as f64;

/// The lower bounds have converged once none rises by more than this in a stretch.
const STILL: f64 = 1e-12;

/// The most turns before the bounds count as not converging.
const MOST_TURNS: usize = 1 << 14;

/// Cooldowns below this are kept exactly.
const LONG: u8 = 64;

/// The numbers of stretches, tried in turn. The second follows only where the bounds of the first are at most [`NEAR`]
/// apart: more stretches tell only a little better when a cooldown may be over.
const COUNTS: [u8; 2] = [4, 12];
const NEAR: f64 = 1e-5;

/// Bounds that stay farther apart than this are not worth the time until they converge.
const FAR: f64 = 1e-2;

/// Models with fewer states run on one thread.
const MIN_PARALLEL: usize = 1 << 16;

/// Bounds on the value of each state at the beginning of a stretch: nature is hostile for the first, friendly for the
/// second.
type Bounds = [f64; 2];

/// A coarse model of two ghosts with long cooldowns, and bounds on its values.
#[derive(Debug)]
pub(in crate::solvers::dungeon) struct Stretches {
    /// The level itself.
    exact: Arc<OnePlayerMdp>,
    /// The level with stages as cooldowns, which no turn changes but by a teleport or in sight of the player.
    stages: TwoGhosts,
    /// The number of turns in a stretch.
    turns: u8,
    bounds: Vec<Bounds>,
}

impl Stretches {
    /// The finest model that is worth its time, of a level with two ghosts and a long cooldown on which escape is not
    /// almost sure; `None` of any other level.
    pub(in crate::solvers::dungeon) fn solve(
        exact: &Arc<OnePlayerMdp>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        if !TwoGhosts::fit(exact) || exact.most_cooldown() < LONG {
            return Ok(None);
        }
        let mut best = None;
        for count in COUNTS {
            let model = match Self::with(exact, (count, FAR), budget) {
                Err(Limit::Memory) => None,
                model => model?,
            };
            let Some(model) = model else { break };
            let width = model.width();
            best = Some(model);
            if width <= Evidence::PRECISION || width > NEAR {
                break;
            }
        }
        Ok(best)
    }

    /// Returns whether the bounds at the start are as close as a probability is wanted.
    pub(in crate::solvers::dungeon) fn is_exact(&self) -> bool {
        self.width() <= Evidence::PRECISION
    }

    fn width(&self) -> f64 {
        let known = self.bounds(self.exact.initial());
        known.map_or(1.0, |[lower, upper]| upper - lower)
    }

    /// Solves the model with `count` stretches in a cooldown; `None` if it has no tables, or if the bounds don't converge or
    /// stay far apart.
    fn with(
        exact: &Arc<OnePlayerMdp>,
        (count, near): (u8, f64),
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let stages = match OnePlayerMdp::with_stages(&exact.dungeon, UNKNOWN + count, budget) {
            Ok(mdp) => TwoGhosts::new(&Arc::new(mdp), budget)?,
            Err(NoMdp::NoWayOut) => None,
            Err(NoMdp::Limit(limit)) => return Err(limit),
        };
        let Some(stages) = stages else {
            return Ok(None);
        };
        let mut model = Self {
            exact: Arc::clone(exact),
            turns: exact.most_cooldown() / count,
            bounds: budget.filled([0.0; 2], stages.len())?,
            stages,
        };
        Ok(model.converge(near, budget)?.then_some(model))
    }

    /// The number of states.
    pub(in crate::solvers::dungeon) fn len(&self) -> usize {
        self.bounds.len()
    }

    /// The node of the model for this node of the level, at the beginning of a stretch.
    fn staged(&self, number: u64) -> Node {
        let mut node = self.exact.unpack(number);
        for adversary in node.adversaries_mut() {
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

    /// For each position the states of a ghost that waits.
    fn waiting(&self) -> impl Iterator<Item = &GhostStates> {
        self.stages.model.blocks.iter().map(|block| &block.waiting)
    }

    fn last_stage(&self) -> u8 {
        self.stages.nodes().most_cooldown()
    }

    /// The value of each successor of a node of the player.
    fn choices(&self, node: &Node) -> Vec<Bounds> {
        let mut successors = Vec::new();
        let mdp = self.stages.nodes();
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

    /// Raises the bounds by one stretch after the other until neither rises any more, and returns whether they converged.
    /// Gives up if they stay farther apart than `near`, or if escape may be almost sure.
    fn converge(&mut self, near: f64, budget: &Budget) -> Result<bool, Limit> {
        let (taken, len) = (budget.taken(), self.bounds.len());
        let mut room = [budget.filled([0.0; 2], len)?, budget.filled([0.0; 2], len)?];
        let mut has_converged = false;
        for _ in 0..MOST_TURNS / usize::from(self.turns) {
            self.stretch(&mut room, budget)?;
            let mut rise = [0.0_f64; 2];
            for (bounds, [low, high]) in self.bounds.iter_mut().zip(&room[0]) {
                let high = ((high / UNIT - NOISE).ceil() * UNIT).min(1.0);
                for (side, new) in [*low, high].into_iter().enumerate() {
                    rise[side] = rise[side].max(new - bounds[side]);
                    bounds[side] = bounds[side].max(new);
                }
            }
            let known = self.bounds(self.exact.initial());
            let [lower, upper] = known.unwrap_or([0.0, 1.0]);
            let is_wide = upper - lower > near && rise[0].max(rise[1]) < (upper - lower) / 100.0;
            has_converged = rise[0] <= STILL && rise[1] <= 0.0;
            if has_converged || is_wide || upper > 1.0 - Evidence::PRECISION {
                break;
            }
        }
        drop(room);
        budget.reset_to(taken);
        Ok(has_converged)
    }

    /// Computes the bounds before a stretch from those after it, in the first of these lists.
    fn stretch(&self, [now, next]: &mut [Vec<Bounds>; 2], budget: &Budget) -> Result<(), Limit> {
        for (block, waiting) in self.waiting().enumerate() {
            let old = &self.bounds[self.stages.range(block)];
            let now = &mut now[self.stages.range(block)];
            let after = |ghost: StateIndex| {
                let is_counted = waiting.get(ghost).cooldown > UNKNOWN;
                ghost - StateIndex::from(is_counted)
            };
            for later in waiting.numbers() {
                for earlier in 0..waiting.before(later) {
                    now[at(later, earlier)] = old[at(after(later), after(earlier))];
                }
            }
        }
        for _ in 0..self.turns {
            self.turn(now, next, budget)?;
            std::mem::swap(now, next);
        }
        Ok(())
    }

    /// Computes the values before a turn from those after it.
    fn turn(&self, now: &[Bounds], next: &mut [Bounds], budget: &Budget) -> Result<(), Limit> {
        let (mut blocks, mut rest) = (Vec::new(), next);
        for block in 0..self.stages.sweeper().blocks() {
            let (own, others) = rest.split_at_mut(self.stages.range(block).len());
            blocks.push((block, own));
            rest = others;
        }
        let work = |scratch: &mut Scratch<Bounds>, (block, own): (usize, &mut [Bounds])| {
            let view = View::of(self.stages.sweeper().starts(), now, block);
            own.copy_from_slice(self.stages.update(&view, scratch, budget)?);
            let_nature_choose(&self.stages.model.blocks[block].waiting, own);
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

impl OptimalStrategy for Stretches {
    /// Bounds on the value of a node of the level at which the player is to move, or at which both ghosts wait; `None` of
    /// any other.
    fn bounds(&self, number: u64) -> Option<Bounds> {
        let node = self.staged(number);
        let value = match self.stages.model.find(&node) {
            Some(state) => self.bounds[state],
            None => self.choices(&node).into_iter().reduce(better)?,
        };
        Some([value[0], value[1].max(value[0])])
    }

    fn choice(&self, number: u64) -> Option<usize> {
        let choices = self.choices(&self.staged(number)).into_iter().enumerate();
        let best = choices.reduce(|a, b| if b.1[0] > a.1[0] { b } else { a });
        best.filter(|(_, value)| value[0] > 0.0).map(|(at, _)| at)
    }
}

/// Lets nature choose whether the cooldowns about which nothing is known are 0.
fn let_nature_choose(waiting: &GhostStates, values: &mut [Bounds]) {
    let is_unknown = |ghost: StateIndex| waiting.get(ghost).cooldown == UNKNOWN;
    let mut choose = |unknown: usize, ready: usize| {
        let ([hostile, friendly], [low, high]) = (values[unknown], values[ready]);
        values[unknown] = [hostile.min(low), friendly.max(high)];
    };
    for later in waiting.numbers() {
        for earlier in (0..waiting.before(later)).filter(|_| is_unknown(later)) {
            choose(at(later, earlier), at(later - 1, earlier));
        }
        for earlier in (0..waiting.before(later)).filter(|&ghost| is_unknown(ghost)) {
            choose(at(later, earlier), at(later, earlier - 1));
        }
    }
}

fn better(a: Bounds, b: Bounds) -> Bounds {
    [a[0].max(b[0]), a[1].max(b[1])]
}

#[cfg(test)]
mod tests;
