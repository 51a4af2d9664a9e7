//! Counts the boards of a kind by answer: how many there are, how many up to symmetry, and which one comes first.
//!
//! This package knows the rules of `jimmy` and `baddies`. It must not know how counts are saved or shown.
//!
//! # The count
//!
//! A [`BoardKind`] fixes the ruleset, the size and the number of each kind of actor. Every other cell is empty, solid or, in
//! `baddies`, an abyss. The census places the actors, and branches over the contents of a cell only when a breadth-first search
//! needs it. Each answer holds for all boards that agree on the cells decided so far. These sets of boards are disjoint and their
//! sizes are known, so the counts are exact.
//!
//! # Symmetry
//!
//! *`jimmy`.* The two mirrors and the half turn preserve the answer. A transpose does not, since a ghost prefers to change its
//! column.
//!
//! *`baddies`.* Baddies move in row-major order, and the first may block the next. So the mirrors and the half turn preserve
//! every answer only if there is at most one baddie. With more baddies, the census treats no two boards as equivalent.
//!
//! The number of boards up to symmetry is the mean, over all symmetries, of the number of boards that the symmetry maps to
//! themselves (Burnside's lemma). To count these boards, the census decides a cell together with its image.
//!
//! ```
//! use getaway_board::{grid::Grid, limits::Limits};
//! use getaway_census::{BoardKind, Census};
//!
//! let grid = Grid::new(1, 2).ok_or("no grid")?;
//! let census = Census::new(BoardKind::jimmy(grid, 0))?;
//! // Jimmy starts on the border of each of the four boards.
//! assert_eq!(census.kind().boards(), Some(4));
//! assert!(census.count(0, &Limits::default()).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod baddies;
mod explore;
mod jimmy;
mod kind;
mod totals;

use getaway_board::limits::{Limit, Limits};

pub use kind::{BoardKind, CensusError};
use kind::{Family, Images};
pub use totals::{Answer, FirstBoard, Tally, Totals};

/// All boards of a kind, divided into units that can be counted in any order.
#[derive(Debug)]
pub struct Census {
    kind: BoardKind,
    symmetries: Vec<Images>,
    units: Vec<Unit>,
}

/// The boards with a given placement of the actors, each of which a given symmetry maps to itself.
#[derive(Debug)]
struct Unit {
    /// The index of the symmetry; 0 is the identity.
    symmetry: u8,
    /// The number of placements that this unit represents.
    weight: u8,
    placement: Box<[u8]>,
}

impl Census {
    /// Divides the boards of a kind into units.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no such boards, if they are too large, or if there are too many to count.
    pub fn new(kind: BoardKind) -> Result<Self, CensusError> {
        let symmetries = kind.symmetries();
        kind.check(symmetries.len())?;
        let mut units = Vec::new();
        kind.placements(&mut |placement| {
            let images: Vec<_> = symmetries
                .iter()
                .map(|symmetry| kind.image(placement, symmetry))
                .collect();
            units.extend(Unit::of(placement, &images));
        });
        units.sort_by_key(|unit| unit.symmetry);
        Ok(Self {
            kind,
            symmetries,
            units,
        })
    }

    /// Returns the kind of the boards.
    pub const fn kind(&self) -> &BoardKind {
        &self.kind
    }

    /// Returns the number of units, which [`Self::count`] numbers from 0.
    pub const fn units(&self) -> usize {
        self.units.len()
    }

    /// Returns the number of maps from boards to equivalent boards, the identity included.
    pub const fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// Counts the boards in a unit by answer. Boards whose search reaches the limit on states count as [`Answer::Undecided`].
    ///
    /// # Errors
    ///
    /// Returns the limit on time or memory that was reached, or the interrupt.
    pub fn count(&self, unit: usize, limits: &Limits) -> Result<Totals, Limit> {
        let Unit {
            symmetry,
            weight,
            placement,
        } = &self.units[unit];
        let images = &self.symmetries[*symmetry as usize];
        let counted = match self.kind.family() {
            Family::Jimmy => {
                explore::count::<jimmy::PartialJimmy>(&self.kind, placement, images, limits)
            }
            Family::Baddies => {
                explore::count::<baddies::PartialBaddies>(&self.kind, placement, images, limits)
            }
        };
        Ok(counted?.of_unit(unit, *weight, *symmetry == 0))
    }

    /// Returns whether `first` describes a board of this census.
    pub fn has(&self, first: &FirstBoard) -> bool {
        let is_content = |&content: &u8| usize::from(content) < self.kind.contents().len();
        first.unit < self.units.len()
            && first.contents.len() == self.kind.grid().size()
            && first.contents.iter().all(is_content)
    }

    /// Returns the rows of a board that [`Self::has`] accepts.
    pub fn picture(&self, first: &FirstBoard) -> Vec<String> {
        self.kind
            .picture(&self.units[first.unit].placement, &first.contents)
    }
}

impl Unit {
    /// Returns the units of a placement: one that represents all `images`, if the placement is the first of them, and one for
    /// each symmetry, except the identity, that maps the placement to itself.
    fn of(placement: &[u8], images: &[Box<[u8]>]) -> impl Iterator<Item = Self> {
        let is_first = images.iter().all(|image| **image >= *placement);
        let maps_to_itself = |symmetry: &usize| *images[*symmetry] == *placement;
        let fixed: Vec<usize> = (0..images.len()).filter(maps_to_itself).collect();
        let different = (images.len() / fixed.len()) as u8;
        let placement: Box<[u8]> = placement.into();
        let counted = fixed
            .into_iter()
            .filter(move |&symmetry| symmetry > 0 || is_first);
        counted.map(move |symmetry| Self {
            symmetry: symmetry as u8,
            weight: if symmetry == 0 { different } else { 1 },
            placement: placement.clone(),
        })
    }
}
