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

use super::field::{Wide, Word};

#[derive(Debug)]
pub enum Closed {
    /// Solids alone keep Jimmy from the border; these are the positions without any ghosts.
    WalledIn(Positions),
    /// The positions with the ghosts as drawn.
    AsDrawn(Positions),
}

pub fn closed_set(jimmy: &Jimmy, limits: &Limits) -> Result<Closed, Limit> {
    if jimmy.grid.size() <= Bits::WORD {
        covering::<Word>(jimmy, limits)
    } else {
        covering::<Wide>(jimmy, limits)
    }
}

fn covering<F: Field>(jimmy: &Jimmy, limits: &Limits) -> Result<Closed, Limit> {
    if let Some(pursuit) = Pursuit::<F>::new(jimmy, ToMove::Ghosts, limits)? {
        return explore(&pursuit, limits).map(Closed::AsDrawn);
    }
    let board = (jimmy.grid, &jimmy.solid, &Bits::new(jimmy.grid));
    let pursuit = Pursuit {
        grid: jimmy.grid,
        start: jimmy.start,
        to_move: ToMove::Ghosts,
        field: F::new(board, None, &mut Clock::new(limits))?,
    };
    explore(&pursuit, limits).map(Closed::WalledIn)
}

fn explore<F: Field>(pursuit: &Pursuit<F>, limits: &Limits) -> Result<Positions, Limit> {
    let limits = limits.without(pursuit.bytes())?;
    Positions::explore(&InOrder(pursuit), Covering::default(), &limits).map_err(|(limit, _)| limit)
}

/// Takes Jimmy's steps in the rulebook's order.
struct InOrder<'p, F>(&'p Pursuit<F>);

impl<F: Field> Model for InOrder<'_, F> {
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

impl<F: Field> Dominance for InOrder<'_, F> {
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
