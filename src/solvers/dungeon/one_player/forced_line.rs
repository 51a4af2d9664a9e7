//! Lines of play that escape whatever the adversaries do.
//!
//! The search only keeps track of the tiles where some ghost may be, and of those where some zombie may be. Each turn, these sets
//! grow by every step that the rules allow with any cooldown and any other adversaries, so they include every step that can
//! happen. A line on which no adversary can catch or block the player is therefore certain to escape. Finding one takes time that
//! depends on the number of tiles, not of adversaries. Lines that react to adversaries are not found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::OnePlayerMdp;
use super::geometry::{Actor, Behaviour, Step};
use super::player_positions::Goal;
use crate::grid::Cell;
use crate::limits::{Budget, Limit};
use crate::rules::dungeon::Strategy;
use crate::rules::dungeon::level::Ways;

/// The maximum number of adversary steps to compute: about a tenth of a second.
const MOST: u64 = 1 << 15;

const WORK: u64 = 256;

struct Stage {
    position: u32,
    turns: u32,
    ghosts: Suspects,
    zombies: Suspects,
}

type Suspects = Vec<u32>;

impl Stage {
    fn is_taken(&self, tile: u32) -> bool {
        let [ghosts, zombies] = [&self.ghosts, &self.zombies];
        ghosts.binary_search(&tile).is_ok() || zombies.binary_search(&tile).is_ok()
    }

    fn is_no_worse(&self, other: &Self) -> bool {
        let is_among = |few: &Suspects, many: &Suspects| {
            few.len() <= many.len() && few.iter().all(|tile| many.binary_search(tile).is_ok())
        };
        is_among(&self.ghosts, &other.ghosts) && is_among(&self.zombies, &other.zombies)
    }
}

impl OnePlayerMdp {
    /// Searches briefly for a line that escapes whatever the adversaries do; returns the number of stages visited if
    /// there is one.
    pub(in crate::solvers::dungeon) fn forced_line(
        &self,
        budget: &Budget,
    ) -> Result<Option<u64>, Limit> {
        let mut clock = budget.clock();
        let mut stages = vec![self.first_stage()];
        let mut of_position = vec![Vec::new(); self.geometry.positions.len() as usize];
        let mut queue = BinaryHeap::from([(Reverse(0), Reverse(0))]);
        let mut left = MOST;
        while let Some((_, Reverse(at))) = queue.pop() {
            let paths = {
                let stage: &Stage = &stages[at];
                let tile = |cell| self.geometry.tile_at(cell);
                let taken = |cell| tile(cell).is_some_and(|tile| stage.is_taken(tile));
                self.geometry.positions.paths_around(stage.position, taken)
            };
            for path in paths {
                let Goal::Position(position) = path.goal else {
                    return Ok(Some(stages.len() as u64));
                };
                let followed = stages[at].ghosts.len() + stages[at].zombies.len();
                clock.work(WORK * (1 + followed as u64))?;
                let rest = left.checked_sub(1 + followed as u64);
                let Some(rest) = rest else { return Ok(None) };
                left = rest;
                let Some(next) = self.next_stage(&stages[at], position) else {
                    continue;
                };
                let known: &mut Vec<usize> = &mut of_position[position as usize];
                if known.iter().any(|&old| stages[old].is_no_worse(&next)) {
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

    fn first_stage(&self) -> Stage {
        let node = self.unpack(crate::engine::mdp::Mdp::initial(self));
        let tiles = node.adversaries().iter().map(|other| other.tile());
        let mut ghosts: Suspects = tiles.collect();
        let mut zombies = ghosts.split_off(self.ghosts);
        ghosts.sort_unstable();
        zombies.sort_unstable();
        Stage {
            position: node.position,
            turns: 0,
            ghosts,
            zombies,
        }
    }

    /// Returns the stage after the player's move to `position`; `None` if some adversary may catch the player there.
    fn next_stage(&self, stage: &Stage, position: u32) -> Option<Stage> {
        let cooling = match self.dungeon.settings.strategy {
            Strategy::Chase => None,
            Strategy::Cooldown => Some(Behaviour::CoolingGhost),
        };
        let ghost: Vec<Behaviour> = std::iter::once(Behaviour::ReadyGhost)
            .chain(cooling)
            .collect();
        let all = |from: &Suspects, behaviours: &[Behaviour]| {
            let mut to = Suspects::new();
            for &tile in from {
                for &behaviour in behaviours {
                    self.follow(position, behaviour, tile, &mut to)?;
                }
            }
            to.sort_unstable();
            to.dedup();
            Some(to)
        };
        Some(Stage {
            position,
            turns: stage.turns + 1,
            ghosts: all(&stage.ghosts, &ghost)?,
            zombies: all(&stage.zombies, &[Behaviour::Zombie])?,
        })
    }

    /// Appends the tiles that an adversary may reach, whatever blocks it; `None` if it may catch the player.
    fn follow(
        &self,
        position: u32,
        behaviour: Behaviour,
        tile: u32,
        out: &mut Suspects,
    ) -> Option<()> {
        let player: Cell = self.geometry.positions.get(position).cell;
        let always = self.immobile_ways(tile).bits();
        let is_alone = self.dungeon.adversaries.len() == 1;
        let mut is_followed = [false; 4];
        for blocked in 0..16_u8 {
            if blocked & always != always || (is_alone && blocked > 0) {
                continue;
            }
            let actor = Actor {
                position,
                behaviour,
                tile,
                blocked: Ways::from_bits(blocked),
            };
            let ways = self.geometry.intent(&self.dungeon, actor).ways;
            if ways.is_empty() {
                out.push(tile);
            }
            for dir in ways.iter() {
                if std::mem::replace(&mut is_followed[dir as usize], true) {
                    continue;
                }
                match self.geometry.step(tile, dir) {
                    Step::Tile(to) if self.geometry.cell(to) == player => return None,
                    Step::Tile(to) => out.push(to),
                    Step::Blocked => out.push(tile),
                    Step::Teleports => {
                        out.push(tile);
                        let rooms = self.geometry.rooms.iter().flatten().copied();
                        out.extend(rooms.filter(|&to| self.is_bare(position, to)));
                    }
                }
            }
        }
        Some(())
    }

    pub(super) fn immobile_ways(&self, tile: u32) -> Ways {
        let from = self.geometry.cell(tile);
        Ways::from(self.dungeon.level.grid, from, |to| {
            self.geometry.is_immobile(to)
        })
    }
}
