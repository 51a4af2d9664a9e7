//! A closed set of positions for a certificate. It leaves out positions that are at least as hard as another one.

use super::{Field, Pursuit, ToMove};
use crate::bits::Bits;
use crate::engine::positions::Positions;
use crate::engine::visited::Antichain;
use crate::limits::{Clock, Limit, Limits};
use crate::rules::jimmy::Jimmy;

#[derive(Debug)]
pub enum Closed {
    /// Solids alone keep Jimmy from the border; these are the positions without any ghosts.
    WalledIn(Positions),
    /// The positions with the ghosts as drawn.
    AsDrawn(Positions),
}

pub fn closed_set(jimmy: &Jimmy, limits: &Limits) -> Result<Closed, Limit> {
    if let Some(pursuit) = Pursuit::new(jimmy, ToMove::Ghosts, limits)? {
        return explore(pursuit, limits).map(Closed::AsDrawn);
    }
    let no_ghosts = Bits::new(jimmy.grid);
    let field = Field::new(jimmy, &no_ghosts, Vec::new(), &mut Clock::new(limits))?;
    let pursuit = Pursuit::of(jimmy, ToMove::Ghosts, field);
    explore(pursuit, limits).map(Closed::WalledIn)
}

fn explore(mut pursuit: Pursuit, limits: &Limits) -> Result<Positions, Limit> {
    pursuit.is_in_order = true;
    let limits = limits.without(pursuit.bytes())?;
    Positions::explore(&pursuit, Antichain::default(), &limits).map_err(|(limit, _)| limit)
}
