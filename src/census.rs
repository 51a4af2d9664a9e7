//! All boards of a kind, counted by their answers: how many there are, how many up to symmetry, and which is the
//! first of each.
//!
//! # How so many boards are counted
//!
//! A kind of boards ([`Kind`]) says who stands on a board. Every other cell can be anything: solid or empty, and
//! for `baddies` an abyss as well. Few of these cells ever matter: a breadth-first search looks at some of
//! them, and has its answer. So the actors are placed first, and what a cell is gets decided when the search asks for
//! it: there it branches, once for each thing that the cell can be. With its answer it has decided all boards at
//! once that agree in the cells that it asked for, and it knows how many they are. Every board is in exactly
//! one of these sets, so the counts are exact.
//!
//! # What is the same up to symmetry
//!
//! *`jimmy`.* Turned over, top to bottom or left to right, a board is played by the turned moves: of two columns or
//! two rows the ghost's way to Jimmy's is turned over with them, Jimmy's steps and the border have no side that
//! is special, and ghosts ignore each other. So these two mirrors and the half turn keep the answer. Rows
//! and columns are not alike, since a ghost goes for the column first: a board and its transpose can have
//! different answers.
//!
//! *`baddies`.* Rows and columns are not alike here either. Keys, steps, and what the edge and the walls drop of them
//! have no special side, but the baddies move in row-major order, and who moves first may be in
//! the way of who moves next. So the mirrors keep the answer where there is one baddie at most; with more, none of
//! them does on all boards, and a board is then only like itself.
//!
//! The number of boards up to symmetry is the average, over the symmetries, of how many boards each of them leaves as
//! they are (Burnside's lemma). Those are counted in the same way: a cell and its image are decided together.

mod baddies;
mod explore;
mod jimmy;
mod kind;
mod mirrors;
mod totals;

use crate::limits::{Limit, Limits};

use kind::Family;
pub use kind::{Kind, NoCensus};
use mirrors::Mirror;
pub use totals::{Answer, First, Tally, Totals};

/// All boards of a kind, in pieces that can be counted one by one and in any order.
#[derive(Debug)]
pub struct Census {
    kind: Kind,
    mirrors: Vec<Mirror>,
    units: Vec<Unit>,
}

/// All boards that a mirror leaves as they are and on which the actors have these places.
#[derive(Debug)]
struct Unit {
    /// The mirror's number; the first one moves nothing.
    mirror: u8,
    /// For how many placements this one stands.
    weight: u8,
    placement: Box<[u8]>,
}

impl Census {
    /// The boards of this kind.
    ///
    /// # Errors
    ///
    /// If there are none, or too many to be counted.
    pub fn new(kind: Kind) -> Result<Self, NoCensus> {
        let mirrors = kind.mirrors();
        kind.check(mirrors.len())?;
        let mut units = Vec::new();
        kind.placements(&mut |placement| {
            let images: Vec<_> = mirrors
                .iter()
                .map(|mirror| kind.image(placement, mirror))
                .collect();
            units.extend(Unit::of(placement, &images));
        });
        units.sort_by_key(|unit| unit.mirror);
        Ok(Self {
            kind,
            mirrors,
            units,
        })
    }

    /// What boards these are.
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// How many pieces there are.
    pub const fn units(&self) -> usize {
        self.units.len()
    }

    /// How many symmetries boards of this kind have, that of moving nothing included.
    pub const fn symmetries(&self) -> usize {
        self.mirrors.len()
    }

    /// Counts the boards of a piece.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over, or the positions do not fit into the memory. Boards that take more than so many states are counted as
    /// [`Answer::Undecided`].
    pub fn count(&self, unit: usize, limits: &Limits) -> Result<Totals, Limit> {
        let Unit {
            mirror,
            weight,
            placement,
        } = &self.units[unit];
        let mirror = &self.mirrors[*mirror as usize];
        let boards = (&self.kind, &**placement, mirror);
        let counted = match self.kind.family() {
            Family::Jimmy => explore::count::<jimmy::Chased>(boards, limits),
            Family::Baddies => explore::count::<baddies::Hunted>(boards, limits),
        };
        Ok(counted?.of_unit(unit, *weight, mirror.moves_nothing()))
    }

    /// Whether there is such a board.
    pub fn has(&self, first: &First) -> bool {
        let is_content = |&content: &u8| usize::from(content) < self.kind.contents().len();
        first.unit < self.units.len()
            && first.contents.len() == self.kind.grid().size()
            && first.contents.iter().all(is_content)
    }

    /// The first board of its answer, as rows of glyphs.
    pub fn picture(&self, first: &First) -> Vec<String> {
        self.kind
            .picture(&self.units[first.unit].placement, &first.contents)
    }
}

impl Unit {
    /// The pieces that a placement stands for, given its images: one for all images, if it is the first of
    /// them, and one for each mirror that leaves it as it is.
    fn of(placement: &[u8], images: &[Box<[u8]>]) -> impl Iterator<Item = Self> {
        let is_first = images.iter().all(|image| **image >= *placement);
        let mut different = images.to_vec();
        different.sort_unstable();
        different.dedup();
        let weight = different.len() as u8;
        let fixed: Vec<_> = (0..images.len())
            .filter(|&mirror| mirror > 0 && *images[mirror] == *placement)
            .map(|mirror| (mirror as u8, 1))
            .collect();
        let all = is_first.then_some((0, weight)).into_iter().chain(fixed);
        let placement: Box<[u8]> = placement.into();
        all.map(move |(mirror, weight)| Self {
            mirror,
            weight,
            placement: placement.clone(),
        })
    }
}
