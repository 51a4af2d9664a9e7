//! Tables for two ghosts.
//!
//! A ghost's move depends on the other ghost only if the other is next to it, or on a tile it may teleport to. So the
//! plan contains the moves of a ghost alone, and those with the other ghost next to it.

pub(super) mod stretches;
mod sweep;

use super::super::block::{Block, Draw, Target};
use super::super::choice::{Choice, Destination};
use super::super::ghost_states::{GhostState, StateIndex, rank};
use super::super::{Abstraction, OnePlayerMdp};
use super::Turns;
use crate::engine::mdp::{SweepView, ValueDomain};
use crate::limits::{Budget, Limit, bytes};
use crate::rules::dungeon::level::RoomNumber;
use crate::solvers::dungeon::one_player::player_positions::Goal;
use sweep::{Scratch, Turn};

#[inline]
fn at(later: StateIndex, earlier: StateIndex) -> usize {
    rank(&[earlier, later])
}

/// The number of an outcome of a ghost's move. The resulting ghost states come first, then [`neutral`], [`caught`] and the
/// teleports.
type Number = u16;

/// Returns the outcome that adds nothing to a mean.
fn neutral(block: &Block) -> Number {
    block.moved.len() as Number
}

fn caught(block: &Block) -> Number {
    neutral(block) + 1
}

fn first_teleport(block: &Block) -> Number {
    neutral(block) + 2
}

/// Returns the number of outcomes; `None` if there are too many to number.
fn outcome_count(states: usize, teleports: usize) -> Option<usize> {
    let count = states + 2 + teleports;
    Number::try_from(count).ok().map(usize::from)
}

/// The outcomes of a ghost's move. The first `count` are equally likely; the others are neutral.
#[derive(Clone, Copy, Debug)]
struct Outcomes {
    numbers: [Number; 4],
    count: u16,
}

impl Outcomes {
    fn of(block: &Block, draw: &Draw) -> Self {
        let mut numbers = [neutral(block); 4];
        for (number, target) in numbers.iter_mut().zip(draw.targets()) {
            *number = match *target {
                Target::Caught => caught(block),
                Target::State(state) => state,
                Target::Teleport(nth) => first_teleport(block) + Number::from(nth),
            };
        }
        Self {
            numbers,
            count: draw.targets().len() as u16,
        }
    }
}

/// Consecutive states that lead either to consecutive states at a destination or all to the same one.
#[derive(Clone, Copy, Debug)]
struct Run {
    here: StateIndex,
    there: StateIndex,
    len: StateIndex,
    is_one: bool,
}

impl Run {
    fn grow(&mut self, (here, there): (StateIndex, StateIndex)) -> bool {
        let is_one = self.there == there && (self.is_one || self.len == 1);
        let is_next = self.there + self.len == there && !self.is_one;
        if self.here + self.len != here || !(is_one || is_next) {
            return false;
        }
        self.len += 1;
        self.is_one = is_one;
        true
    }

    fn all(block: &Block, destination: &Destination) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for here in block.moved.numbers() {
            let Some(there) = destination.ghost(here) else {
                continue;
            };
            if !runs.last_mut().is_some_and(|run| run.grow((here, there))) {
                runs.push(Self {
                    here,
                    there,
                    len: 1,
                    is_one: false,
                });
            }
        }
        runs
    }
}

type Options = Option<Vec<u8>>;

#[derive(Debug)]
pub(in crate::solvers::dungeon) struct Plan {
    /// The outcomes for each waiting state if the other ghost is out of the way.
    outcomes: Vec<Outcomes>,
    /// The outcomes for each waiting state if the other ghost is on the given tile next to it.
    adjacent: Vec<Vec<(u32, Outcomes)>>,
    /// The ghost states on free tiles, indexed by cooldown and room.
    teleports: Vec<Vec<Vec<StateIndex>>>,
    /// For each tile, the number of its room if a ghost can teleport there.
    room: Vec<Option<RoomNumber>>,
    runs: Vec<Vec<Run>>,
    /// The ghost states near enough to get in the player's way.
    near: Vec<StateIndex>,
    /// For each ghost state, the number of its near tile, counted from 1; 0 if the ghost is far away.
    nearness: Vec<u8>,
    /// The player's options, indexed by the nearness of both ghosts.
    options: Vec<Vec<Options>>,
}

impl Turns for Plan {
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn fit(mdp: &OnePlayerMdp) -> bool {
        mdp.ghosts == 2 && mdp.mobile() == 2
    }

    fn new(model: &Abstraction, block: usize) -> Option<Self> {
        let (mdp, choice, block) = (&model.mdp, &model.choices[block], &model.blocks[block]);
        outcome_count(block.moved.len(), block.teleports.len())?;
        let outcomes = |ghost, blocked| Outcomes::of(block, &block.draws(ghost, blocked)[0]);
        let adjacent = |ghost| {
            let ways =
                model.surroundings.neighbours[block.waiting.tile(ghost) as usize].into_iter();
            let ways = ways
                .enumerate()
                .filter(|&(_, next)| next != u32::MAX && mdp.can_stand(block.position, next));
            ways.map(|(dir, next)| (next, outcomes(ghost, 1 << dir)))
                .collect()
        };
        let teleport = |&cooldown: &u8| {
            let state = |&tile: &u32| {
                let state = block.moved.find(GhostState { tile, cooldown });
                state.expect("a ghost can be on a free tile")
            };
            let rooms = block.arrivals.iter();
            rooms
                .map(|room| room.tiles.iter().map(state).collect())
                .collect()
        };
        let mut room = vec![None; mdp.geometry.tile_count() as usize];
        for (number, arrivals) in (0..).zip(&block.arrivals) {
            for &tile in &arrivals.tiles {
                room[tile as usize] = Some(number);
            }
        }
        let mut plan = Self {
            outcomes: block
                .waiting
                .numbers()
                .map(|ghost| outcomes(ghost, 0))
                .collect(),
            adjacent: block.waiting.numbers().map(adjacent).collect(),
            teleports: block.teleports.iter().map(teleport).collect(),
            room,
            runs: choice
                .destinations
                .iter()
                .map(|to| Run::all(block, to))
                .collect(),
            near: Vec::new(),
            nearness: vec![0; block.moved.len()],
            options: Vec::new(),
        };
        plan.add_options(mdp, block, choice)?;
        Some(plan)
    }

    fn bytes(&self) -> u64 {
        let adjacent: usize = self.adjacent.iter().map(Vec::capacity).sum();
        let rooms: usize = self.teleports.iter().map(Vec::capacity).sum();
        let arrivals: usize = self.teleports.iter().flatten().map(Vec::capacity).sum();
        let runs: usize = self.runs.iter().map(Vec::capacity).sum();
        let options: usize = self.options.iter().map(Vec::capacity).sum();
        let destinations = self.options.iter().flatten().flatten().map(Vec::capacity);
        let headers = self.adjacent.capacity()
            + self.teleports.capacity()
            + rooms
            + self.runs.capacity()
            + self.options.capacity();
        bytes::<Outcomes>(self.outcomes.capacity())
            + bytes::<Vec<()>>(headers)
            + bytes::<(u32, Outcomes)>(adjacent)
            + bytes::<StateIndex>(arrivals + self.near.capacity())
            + bytes::<Option<RoomNumber>>(self.room.capacity())
            + bytes::<Run>(runs)
            + bytes::<Options>(options)
            + bytes::<u8>(self.nearness.capacity() + destinations.sum::<usize>())
    }

    fn values(&self, model: &Abstraction, block: usize) -> usize {
        let values = model.sweeper.range(block).len();
        let block = &model.blocks[block];
        let outcomes = outcome_count(block.moved.len(), block.teleports.len());
        outcomes.map_or(usize::MAX, |count| count * (block.moved.len() + 2) + values)
    }

    fn update<'s, V: ValueDomain>(
        &self,
        model: &Abstraction,
        view: &SweepView<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let turn = Turn {
            plan: self,
            block: &model.blocks[view.block()],
            choice: &model.choices[view.block()],
        };
        let mut clock = budget.clock();
        turn.choose(view, scratch, &mut clock)?;
        turn.draw(scratch, &mut clock)
    }
}

impl Plan {
    fn add_options(&mut self, mdp: &OnePlayerMdp, block: &Block, choice: &Choice) -> Option<()> {
        let near = (0..mdp.geometry.tile_count())
            .filter(|&tile| choice.is_near[tile as usize] && !block.moved.at(tile).is_empty());
        let near: Vec<u32> = near.collect();
        u8::try_from(near.len().max(choice.destinations.len())).ok()?;
        for (number, &tile) in (1_u8..).zip(&near) {
            for ghost in block.moved.at(tile) {
                self.nearness[usize::from(ghost)] = number;
                self.near.push(ghost);
            }
        }
        let options = |tiles: [Option<&u32>; 2]| {
            let taken = |cell| {
                tiles
                    .iter()
                    .flatten()
                    .any(|&&tile| mdp.geometry.cell(tile) == cell)
            };
            let paths = mdp.geometry.positions.paths_around(block.position, taken);
            let destination = |goal| match goal {
                Goal::Out => None,
                Goal::Position(to) => {
                    let mut all = choice.destinations.iter();
                    let at = all.position(|destination| destination.position == to);
                    Some(at.expect("all goals are known") as u8)
                }
            };
            paths.iter().map(|path| destination(path.goal)).collect()
        };
        let ghosts = || std::iter::once(None).chain(near.iter().map(Some));
        let options = |a| ghosts().map(|b| options([a, b])).collect();
        self.options = ghosts().map(options).collect();
        Some(())
    }

    fn options(&self, [a, b]: [StateIndex; 2]) -> &Options {
        let [a, b] = [a, b].map(|ghost| usize::from(self.nearness[usize::from(ghost)]));
        &self.options[a][b]
    }

    fn is_near(&self, ghost: StateIndex) -> bool {
        self.nearness[usize::from(ghost)] > 0
    }
}

#[cfg(test)]
mod tests;
