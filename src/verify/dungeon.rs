//! `dungeon`, where the player can't get out whoever chases him: a set of places of his that holds the first one,
//! that no step leads out of, and from which no step escapes.
//!
//! The claim is `caught by equality` with `start: without chasers`, and then comes a line for each place, as
//! `verify/closed.rs` has it. A place is the tile that the player is on, and whether the key has been taken. The moves are
//! those of the same level with a `speed` of 1 on which nobody is but the player and the zombies that are stuck: to stay,
//! or a step. Zombies are *stuck* if each tile that one of them could step on, once the key is gone, is taken by another of them.
//!
//! # Why this is a proof
//!
//! Take any play of the level as it is drawn. Step by step the player's places in it are places of the list, as these rules show
//! (their numbers are those of `rules/dungeon.md`):
//!
//! - A turn is made of single steps, and rules 4 and 5 act at each of them (2, 5). So several steps a turn lead nowhere that
//!   single ones do not.
//! - Where he may step is a matter of tiles, which never change (3). Nobody else moves him: ghosts alone are
//!   teleported (7). Nobody else takes the key, since he is the only player (5), and so no exit opens but by his own steps.
//! - An adversary on the tile that he steps on is the end of him, and of the play, and so is one that steps on him (4). It
//!   is never in the way otherwise, and opens no way. So what is a step on the level as drawn is the same step without it, or a loss.
//! - A stuck zombie never moves, since it steps on no tile that another adversary is on (6), and nobody moves the others. So it
//!   stands where it stood, and whoever steps there is caught, with the others or without them.
//!
//! An escape is a step too (5), and none of the list escapes. `tests/proofs/dungeon-unchased.smt2` has the step from one place to
//! the next, for levels of any size.

use super::closed::{Compared, Turn};
use crate::grid::Cell;
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::{Outcome, Ruleset};

/// A level on which nobody chases its only player.
pub(crate) struct Unchased(Dungeon);

/// Where the player is, and where the key lies unless it has been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    player: Cell,
    key: Option<Cell>,
}

impl Unchased {
    /// The level without those who chase; `None` unless it has exactly one player.
    pub(crate) fn new(dungeon: &Dungeon) -> Option<Self> {
        let mut level = dungeon.clone();
        level.settings.speed = 1;
        let stuck = dungeon.stuck();
        level.adversaries.retain(|other| stuck.contains(other.cell));
        (level.players.len() == 1).then_some(Self(level))
    }

    /// The place at the start.
    pub(crate) fn first(&self) -> Place {
        Place {
            player: self.0.players[0],
            key: self.0.level.key,
        }
    }

    /// To stay, and the steps that can be made from a place.
    pub(crate) fn moves(&self, at: &Place, out: &mut Vec<Move>) {
        self.0.moves(&self.state(at), out);
    }

    /// Makes a legal move; an outcome if that ends the game.
    pub(crate) fn play(&self, at: &mut Place, mv: Move) -> Option<Outcome> {
        let mut state = self.state(at);
        let over = self.0.act(&mut state, mv, &mut ());
        if over.is_none() {
            *at = Place {
                player: state.players[0],
                key: state.key,
            };
        }
        over
    }

    fn state(&self, at: &Place) -> State {
        let mut state = self.0.start();
        state.players[0] = at.player;
        state.key = at.key;
        state
    }
}

impl Compared for Unchased {
    type Position = Place;

    fn opened(&self) -> Result<Place, Outcome> {
        Ok(self.first())
    }

    fn turns(&self, at: &Place, out: &mut Vec<Turn<Place>>) {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        for mv in moves {
            let mut then = *at;
            out.push(match self.play(&mut then, mv) {
                None => Turn::On(then),
                Some(Outcome::Escaped) => Turn::Escaped,
                Some(Outcome::Caught(_)) => Turn::Caught,
            });
        }
    }

    fn covers(&self, listed: &Place, reached: &Place) -> bool {
        listed == reached
    }
}
