//! A closed set of positions for a certificate, without positions that are no easier than another one.

use super::{Field, Position, Pursuit, ToMove};
use crate::bits::Bits;
use crate::engine::Model;
use crate::engine::positions::Positions;
use crate::engine::visited::{Covering, Dominance};
use crate::grid::Dir;
use crate::limits::{Clock, Limit, Limits};
use crate::rules::jimmy::Jimmy;
use crate::ruleset::Outcome;

#[derive(Debug)]
pub enum Closed {
    /// Solids alone keep Jimmy from the border; these are the positions without any ghosts.
    WalledIn(Positions),
    /// The positions with the ghosts as drawn.
    AsDrawn(Positions),
}

pub fn closed_set(jimmy: &Jimmy, limits: &Limits) -> Result<Closed, Limit> {
    if let Some(pursuit) = Pursuit::new(jimmy, ToMove::Ghosts, limits)? {
        return explore(&pursuit, limits).map(Closed::AsDrawn);
    }
    let no_ghosts = Bits::new(jimmy.grid);
    let field = Field::new(jimmy, &no_ghosts, Vec::new(), &mut Clock::new(limits))?;
    let pursuit = Pursuit::of(jimmy, ToMove::Ghosts, field);
    explore(&pursuit, limits).map(Closed::WalledIn)
}

fn explore(pursuit: &Pursuit, limits: &Limits) -> Result<Positions, Limit> {
    let limits = limits.without(pursuit.bytes())?;
    Positions::explore(&InOrder(pursuit), Covering::default(), &limits).map_err(|(limit, _)| limit)
}

struct InOrder<'p>(&'p Pursuit);

impl Model for InOrder<'_> {
    type State = Position;
    type Move = Dir;

    fn opened(&self) -> Result<Position, Outcome> {
        self.0.opened()
    }

    fn moves(&self, at: &Position, out: &mut Vec<Dir>) {
        out.extend(Dir::ALL.into_iter().filter(|&dir| self.0.is_open(at, dir)));
    }

    fn play(&self, at: &mut Position, dir: Dir) -> Option<Outcome> {
        self.0.play(at, dir)
    }
}

impl Dominance for InOrder<'_> {
    fn places(&self) -> usize {
        self.0.places()
    }

    fn place(&self, state: &Position) -> usize {
        self.0.place(state)
    }

    fn is_no_harder(&self, a: &Position, b: &Position) -> bool {
        self.0.is_no_harder(a, b)
    }
}
