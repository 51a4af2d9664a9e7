//! Tables for two ghosts.
//!
//! A ghost's move depends on the other ghost only if the other is next to it, or on a tile it may teleport to.

pub(super) mod segments;
mod sweep;

use super::super::block::Block;
use super::super::choice::{Destination, PlayerChoices};
use super::super::ghost_states::{StateIndex, StateRun, rank};
use super::super::{Abstraction, DungeonMdp};
use crate::player_positions::PathEnd;
use getaway_board::limits::bytes;
pub(crate) use sweep::mean;
pub(super) use sweep::{Scratch, TwoGhostTurn};

#[inline]
fn pair_index(later: StateIndex, earlier: StateIndex) -> usize {
    rank(&[earlier, later])
}

/// The numbers of the destinations that the player can reach; `None` if it can escape.
type Options = Option<Vec<u8>>;

/// The player's choices at a position.
#[derive(Debug)]
pub(super) struct ChoicePlan {
    /// The runs of states for each destination.
    runs: Vec<Vec<StateRun>>,
    /// The tiles on which a ghost may block the escape or more than its own tile, in order.
    near: Vec<u32>,
    /// The player's options for each pair of the ghosts' places; a place is one of the near tiles, or elsewhere.
    options: Vec<Options>,
}

impl ChoicePlan {
    /// Plans the choices of a block; returns `None` if there are too many near tiles or destinations to number.
    pub(super) fn new(model: &Abstraction, block: usize) -> Option<Self> {
        let (mdp, choice, block) = (&model.mdp, &model.choices[block], &model.blocks[block]);
        let is_near =
            |&tile: &u32| choice.is_near[tile as usize] && !block.moved.at(tile).is_empty();
        let near: Vec<u32> = (0..mdp.geometry.tile_count()).filter(is_near).collect();
        u8::try_from(near.len().max(choice.destinations.len())).ok()?;
        let ghosts = || std::iter::once(None).chain(near.iter().copied().map(Some));
        let pairs = ghosts().flat_map(|a| ghosts().map(move |b| [a, b]));
        let options = pairs.map(|tiles| options(mdp, (block, choice), tiles));
        let runs = |to: &Destination| {
            let states = block.moved.numbers();
            StateRun::join(states.filter_map(|here| Some((here, to.ghost(here)?))))
        };
        Some(Self {
            runs: choice.destinations.iter().map(runs).collect(),
            options: options.collect(),
            near,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let runs: usize = self.runs.iter().map(Vec::capacity).sum();
        let destinations = self.options.iter().flatten().map(Vec::capacity);
        bytes::<Vec<StateRun>>(self.runs.capacity())
            + bytes::<StateRun>(runs)
            + bytes::<u32>(self.near.capacity())
            + bytes::<Options>(self.options.capacity())
            + destinations.sum::<usize>() as u64
    }

    fn options(&self, tiles: [u32; 2]) -> &Options {
        let place = |tile| self.near.binary_search(&tile).map_or(0, |at| at + 1);
        let [a, b] = tiles.map(place);
        &self.options[a * (self.near.len() + 1) + b]
    }

    fn is_near(&self, tile: u32) -> bool {
        self.near.binary_search(&tile).is_ok()
    }
}

fn options(
    mdp: &DungeonMdp,
    (block, choice): (&Block, &PlayerChoices),
    tiles: [Option<u32>; 2],
) -> Options {
    let is_on = |cell, tile| mdp.geometry.cell(tile) == cell;
    let taken = |cell| tiles.into_iter().flatten().any(|tile| is_on(cell, tile));
    let paths = mdp.geometry.positions.paths_around(block.position, taken);
    let destination = |goal| match goal {
        PathEnd::Out => None,
        PathEnd::Position(to) => {
            let mut all = choice.destinations.iter();
            let at = all.position(|destination| destination.position == to);
            Some(at.expect("every goal is a destination") as u8)
        }
    };
    paths.iter().map(|path| destination(path.goal)).collect()
}

#[cfg(test)]
mod tests;
