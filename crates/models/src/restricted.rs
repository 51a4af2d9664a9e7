//! The MDP of a dungeon in which some steps are barred to one of several players, which shows what the others need that player
//! for.

use super::DungeonMdp;
use super::code::Phase;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{Mdp, Owner, Successor};

/// The steps that are barred to a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BarredSteps {
    /// True if the player may not take the key.
    pub key: bool,
    /// True if the player may not escape.
    pub exit: bool,
}

/// A [`DungeonMdp`] with steps barred to one player.
///
/// The number of a node ends with the player's number among those on the board, or [`GONE`].
#[derive(Debug)]
pub struct RestrictedMdp<'m> {
    mdp: &'m DungeonMdp,
    start: Cell,
    barred: BarredSteps,
}

/// The number of bits for a player's number.
pub(super) const PLAYER_BITS: u32 = 3;
/// The number of a player who was caught or has escaped.
const GONE: u64 = (1 << PLAYER_BITS) - 1;

impl DungeonMdp {
    /// Returns the process with steps `barred` to one of several players, who is on the cell `start` at the start.
    pub const fn restricted(&self, start: Cell, barred: BarredSteps) -> RestrictedMdp<'_> {
        RestrictedMdp {
            mdp: self,
            start,
            barred,
        }
    }
}

impl RestrictedMdp<'_> {
    fn number(&self, node: u64, is_player: impl Fn(&Cell) -> bool) -> u64 {
        let players = self.mdp.geometry.players(self.mdp.unpack(node).position);
        let number = players.cells().iter().position(is_player);
        node << PLAYER_BITS | number.map_or(GONE, |number| number as u64)
    }
}

impl Mdp for RestrictedMdp<'_> {
    fn initial(&self) -> u64 {
        self.number(self.mdp.initial(), |&cell| cell == self.start)
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let player = (node & GONE) as usize;
        let node = self.mdp.unpack(node >> PLAYER_BITS);
        let before = self.mdp.geometry.players(node.position);
        let is_mover = node.phase == Phase::Player && before.mover() == player;
        let barred = Some(self.barred).filter(|_| is_mover).unwrap_or_default();
        let owner = self.mdp.list(&node, barred, out, clock)?;
        let mut others = before.cells().to_vec();
        let own = (player < others.len()).then(|| others.remove(player));
        for successor in out {
            if let Successor::Node(next) = successor {
                // After its own move, the player is on the one cell that no other player was on, or off the board. After any
                // other move, its cell is unchanged, unless it was caught.
                *next = self.number(*next, |cell| {
                    if is_mover {
                        !others.contains(cell)
                    } else {
                        own == Some(*cell)
                    }
                });
            }
        }
        Ok(owner)
    }

    fn has_fixed_numbers(&self) -> bool {
        self.mdp.has_fixed_numbers()
    }

    fn bytes(&self) -> u64 {
        self.mdp.bytes()
    }
}
