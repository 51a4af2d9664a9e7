//! `dungeon`, where the player can't escape even without chasers: a set of places that contains the first one, that no step
//! leaves, and from which no step escapes.
//!
//! The claim `caught by equality` with `start: without chasers` is followed by a line for each place, as `closed.rs`
//! describes. A place is the player's tile, and whether the key has been taken. A move is to stay or to take a single step, on
//! the same level with a `speed` of 1 and no adversaries except stuck zombies. Zombies are *stuck* if, even once the key is gone,
//! each tile that one of them could step on is occupied by another of them.
//!
//! # Why this is a proof
//!
//! Take any play of the level as drawn. The player's place is in the list after each step, by these rules of
//! [`getaway_rules::dungeon`]:
//!
//! - A turn consists of single steps, and rules 4 and 5 apply at each of them (2, 5).
//! - Tiles decide where the player may step, and never change (3). Only ghosts are teleported (7). Only the player takes the key
//!   and so opens the exit (5).
//! - An adversary on the tile of a step catches the player, and so does one that steps on the player (4). So a step on the level
//!   as drawn is either the same step as without adversaries, or a loss.
//! - A stuck zombie never moves, since it steps on no tile with another adversary (6). So a player who steps on its tile is
//!   caught, with or without the other adversaries.
//!
//! An escape is also a step (5), and no step from a place in the list escapes. `tests/proofs/dungeon-unchased.smt2` proves the
//! step from one place to the next, for levels of any size.

use getaway_board::grid::Cell;
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::{Deterministic, Outcome, Reason, Ruleset, Watch};

/// A level with one player, a `speed` of 1, and no adversaries except stuck zombies.
pub struct WithoutChasers(Dungeon);

/// The player's cell, and the key's cell until the key is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    player: Cell,
    key: Option<Cell>,
}

impl WithoutChasers {
    /// Prepares the check; returns `None` unless the level has exactly one player.
    pub fn new(dungeon: &Dungeon) -> Option<Self> {
        let mut level = dungeon.clone();
        level.settings.speed = 1;
        let stuck = dungeon.stuck();
        level.adversaries.retain(|other| stuck.contains(other.cell));
        (level.players.len() == 1).then_some(Self(level))
    }

    fn state(&self, at: &Place) -> State {
        let mut state = self.0.start();
        state.players[0] = at.player;
        state.key = at.key;
        state
    }
}

impl Ruleset for WithoutChasers {
    type State = Place;
    type Move = Move;

    const MOVES: &'static [Move] = Dungeon::MOVES;

    fn start(&self) -> Place {
        Place {
            player: self.0.players[0],
            key: self.0.level.key,
        }
    }

    fn refusal(&self, at: &Place, mv: Move) -> Option<Reason> {
        self.0.refusal(&self.state(at), mv)
    }

    fn moves(&self, at: &Place, out: &mut Vec<Move>) {
        self.0.moves(&self.state(at), out);
    }

    fn act<W: Watch>(&self, at: &mut Place, mv: Move, watch: &mut W) -> Option<Outcome> {
        let mut state = self.state(at);
        let over = self.0.act(&mut state, mv, watch);
        if over.is_none() {
            *at = Place {
                player: state.players[0],
                key: state.key,
            };
        }
        over
    }
}

impl Deterministic for WithoutChasers {
    /// Moves nobody, since stuck zombies stay where they are.
    fn chase<W: Watch>(&self, _at: &mut Place, _watch: &mut W) -> Option<Outcome> {
        None
    }
}
