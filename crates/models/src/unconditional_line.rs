//! Lines of play that escape whatever the adversaries do.
//!
//! The search only tracks two sets of tiles: those where some ghost may be, and those where some zombie may be. After each turn,
//! these sets hold every tile on which a move from the sets before may end, with any cooldown and any other adversaries, so they
//! cover everything that can happen. A line on which no adversary can catch or block the player is therefore certain to escape.
//! Finding one takes time that depends on the number of tiles, not of adversaries. Lines that react to adversaries are not found.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::DungeonMdp;
use super::geometry::{Behaviour, Landing};
use super::player_positions::PathEnd;
use getaway_board::limits::{Budget, Limit};
use getaway_rules::dungeon::level::DirSet;

/// The maximum number of adversary moves to compute, which takes about a tenth of a second.
const MAX: u64 = 1 << 15;

const WORK: u64 = 256;

struct LineStage {
    position: u32,
    turns: u32,
    candidates: Candidates,
}

/// The tiles where adversaries may be, with the behaviour of each at cooldown 0.
type Candidates = BTreeSet<(u32, Behaviour)>;

impl DungeonMdp {
    /// Searches briefly for a line on which a single player escapes whatever the adversaries do. If it finds one, returns the
    /// number of stages that it has stored, otherwise `None`. A stage is a player position with the tiles where adversaries may
    /// then be.
    pub fn count_line_stages(&self, budget: &Budget) -> Result<Option<u64>, Limit> {
        let mut clock = budget.clock();
        let mut stages = vec![self.first_stage()];
        let mut of_position = vec![Vec::new(); self.geometry.positions.len() as usize];
        let mut queue = BinaryHeap::from([(Reverse(0), Reverse(0))]);
        let mut left = MAX;
        while let Some((_, Reverse(at))) = queue.pop() {
            let stage: &LineStage = &stages[at];
            let is_on = |cell, tile| self.geometry.cell(tile) == cell;
            let taken = |cell| stage.candidates.iter().any(|&(tile, _)| is_on(cell, tile));
            let paths = self.geometry.positions.paths_around(stage.position, taken);
            for path in paths {
                let PathEnd::Position(position) = path.goal else {
                    return Ok(Some(stages.len() as u64));
                };
                let steps = 1 + stages[at].candidates.len() as u64;
                clock.work(WORK * steps)?;
                let Some(rest) = left.checked_sub(steps) else {
                    return Ok(None);
                };
                left = rest;
                let Some(next) = self.next_stage(&stages[at], position) else {
                    continue;
                };
                let known: &mut Vec<usize> = &mut of_position[position as usize];
                let is_no_worse = |&old: &usize| stages[old].candidates.is_subset(&next.candidates);
                if known.iter().any(is_no_worse) {
                    continue;
                }
                let turns = next.turns + self.geometry.positions.distance(position);
                known.push(stages.len());
                queue.push((Reverse(turns), Reverse(stages.len())));
                stages.push(next);
            }
        }
        Ok(None)
    }

    fn first_stage(&self) -> LineStage {
        let node = self.unpack(getaway_chance::Mdp::initial(self));
        let others = node.adversaries.iter().enumerate();
        LineStage {
            position: node.position,
            turns: 0,
            candidates: others
                .map(|(at, other)| (other.tile(), Behaviour::of(at < self.ghosts, 0)))
                .collect(),
        }
    }

    /// Returns the stage after the player's move to `position` and the adversaries' moves; `None` if some adversary may catch the
    /// player there.
    fn next_stage(&self, stage: &LineStage, position: u32) -> Option<LineStage> {
        let mut candidates = Candidates::new();
        for &(tile, ready) in &stage.candidates {
            let may_cool = ready == Behaviour::ReadyGhost && self.max_cooldown() > 0;
            let cooling = may_cool.then_some(Behaviour::CoolingGhost);
            for behaviour in std::iter::once(ready).chain(cooling) {
                let mut to = Vec::new();
                self.follow(position, behaviour, tile, &mut to)?;
                candidates.extend(to.into_iter().map(|tile| (tile, ready)));
            }
        }
        Some(LineStage {
            position,
            turns: stage.turns + 1,
            candidates,
        })
    }

    /// Appends to `out` the tiles to which an adversary may move, whichever ways others block; returns `None` if it may catch the
    /// player.
    fn follow(
        &self,
        position: u32,
        behaviour: Behaviour,
        tile: u32,
        out: &mut Vec<u32>,
    ) -> Option<()> {
        let always = self.immobile_ways(tile).bits();
        let is_alone = self.dungeon.adversaries.len() == 1;
        let mut is_followed = [false; 4];
        for blocked in 0..16_u8 {
            if blocked & always != always || (is_alone && blocked > 0) {
                continue;
            }
            let blocked = DirSet::from_bits(blocked);
            let ways = self.intent(position, tile, behaviour, blocked).ways;
            if ways.is_empty() {
                out.push(tile);
            }
            for dir in ways.iter() {
                if std::mem::replace(&mut is_followed[dir as usize], true) {
                    continue;
                }
                match self.geometry.landing(position, tile, dir) {
                    Landing::Caught(_) => return None,
                    Landing::Tile(to) => out.push(to),
                    Landing::Teleport => {
                        // Without a free tile, the ghost stays.
                        out.push(tile);
                        let rooms = self.geometry.rooms.iter().flatten().copied();
                        out.extend(rooms.filter(|&to| self.is_bare(position, to)));
                    }
                }
            }
        }
        Some(())
    }

    pub(super) fn immobile_ways(&self, tile: u32) -> DirSet {
        let from = self.geometry.cell(tile);
        DirSet::of_neighbours(self.dungeon.level.grid, from, |to| {
            self.geometry.is_immobile(to)
        })
    }
}
