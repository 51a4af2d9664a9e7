//! Kinds of boards: their actors, and the contents of the other cells.

use getaway_board::bits::Bits;
pub use getaway_board::grid::symmetry::{Symmetry, image};
use getaway_board::grid::{Cell, Grid};

/// The image of each cell under a symmetry.
pub type Images = Vec<u8>;

/// The ruleset, the size and the actors of the boards to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardKind {
    family: Family,
    grid: Grid,
    /// The glyph and number of each kind of actor. No two actors share a cell.
    actors: Vec<(char, usize)>,
}

/// The ruleset of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Jimmy,
    Baddies,
}

/// The reason why boards can't be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CensusError {
    /// The actors do not fit on the board.
    #[error("{actors} pieces do not fit on {cells} cells, one on each")]
    Crowded {
        /// The number of actors.
        actors: usize,
        /// The number of cells.
        cells: usize,
    },
    /// A board has too many cells.
    #[error(
        "a census supports boards of at most {} cells, and these have {cells}",
        Bits::WORD
    )]
    Large {
        /// The number of cells.
        cells: usize,
    },
    /// There are more than [`BoardKind::MAX_PLACEMENTS`] ways to place the actors.
    #[error(
        "there are too many ways to place the actors: a census supports at most {}",
        BoardKind::MAX_PLACEMENTS
    )]
    ManyPlacements,
    /// The number of boards, multiplied by the number of symmetries, exceeds 128 bits.
    #[error("there are more such boards than can be counted in 128 bits")]
    ManyBoards,
}

impl BoardKind {
    /// The maximum number of ways to place the actors.
    pub const MAX_PLACEMENTS: u128 = 5_000_000;

    /// Returns the kind of boards with Jimmy and this number of ghosts. All other cells are empty or solid.
    pub fn jimmy(grid: Grid, ghosts: usize) -> Self {
        Self {
            family: Family::Jimmy,
            grid,
            actors: vec![('o', 1), ('g', ghosts)],
        }
    }

    /// Returns the kind of boards with the hero, one ladder, and these numbers of `m`, `M` and `~`. All other cells are empty,
    /// wall or abyss.
    pub fn baddies(grid: Grid, [monsters, super_monsters, bats]: [usize; 3]) -> Self {
        Self {
            family: Family::Baddies,
            grid,
            actors: vec![
                ('H', 1),
                ('*', 1),
                ('m', monsters),
                ('M', super_monsters),
                ('~', bats),
            ],
        }
    }

    /// Returns the name of the ruleset.
    pub const fn ruleset(&self) -> &'static str {
        match self.family {
            Family::Jimmy => "jimmy",
            Family::Baddies => "baddies",
        }
    }

    /// Returns the grid of the boards.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the glyph and the number of each kind of actor.
    pub fn actors(&self) -> &[(char, usize)] {
        &self.actors
    }

    /// Returns the number of boards; `None` if it exceeds 128 bits or the actors do not fit.
    pub fn boards(&self) -> Option<u128> {
        let free = self.grid.size().checked_sub(self.all_actors())?;
        let contents = (self.contents().len() as u128).checked_pow(free as u32)?;
        self.number_of_placements()?.checked_mul(contents)
    }

    pub(super) const fn family(&self) -> Family {
        self.family
    }

    pub(super) const fn contents(&self) -> &'static [char] {
        match self.family {
            Family::Jimmy => &['.', '#'],
            Family::Baddies => &['.', '+', '#'],
        }
    }

    /// Returns the distinct maps from boards to equivalent ones, the identity first; only the identity if the boards are too
    /// large for a census.
    pub(super) fn symmetries(&self) -> Vec<Images> {
        let baddies: usize = self.actors[2..].iter().map(|&(_, number)| number).sum();
        let images = |symmetry| {
            self.grid
                .cells()
                .map(move |cell| image(symmetry, self.grid, cell).index() as u8)
                .collect()
        };
        let mut all: Vec<Images> = vec![images(None)];
        if self.grid.size() > Bits::WORD || self.family == Family::Baddies && baddies > 1 {
            return all;
        }
        for symmetry in [Symmetry::UpDown, Symmetry::LeftRight, Symmetry::HalfTurn] {
            let images = images(Some(symmetry));
            if !all.contains(&images) {
                all.push(images);
            }
        }
        all
    }

    pub(super) fn check(&self, symmetries: usize) -> Result<(), CensusError> {
        let (actors, cells) = (self.all_actors(), self.grid.size());
        if actors > cells {
            return Err(CensusError::Crowded { actors, cells });
        }
        if cells > Bits::WORD {
            return Err(CensusError::Large { cells });
        }
        let placements = self.number_of_placements();
        if placements.is_none_or(|all| all > Self::MAX_PLACEMENTS) {
            return Err(CensusError::ManyPlacements);
        }
        let counted = self
            .boards()
            .and_then(|all| all.checked_mul(symmetries as u128));
        counted.map(|_| ()).ok_or(CensusError::ManyBoards)
    }

    fn all_actors(&self) -> usize {
        self.actors
            .iter()
            .fold(0, |all, &(_, number)| all.saturating_add(number))
    }

    fn number_of_placements(&self) -> Option<u128> {
        let mut free = self.grid.size() as u128;
        let mut all = 1_u128;
        for &(_, number) in &self.actors {
            let number = number as u128;
            let ways = choose(free, number)?;
            all = all.checked_mul(ways)?;
            free -= number;
        }
        Some(all)
    }

    /// Calls `each` with every placement in lexicographic order. The cells of interchangeable actors are in ascending order.
    pub(super) fn placements(&self, each: &mut dyn FnMut(&[u8])) {
        let groups = self.actors.iter().enumerate();
        let owners: Vec<usize> = groups
            .flat_map(|(group, &(_, number))| std::iter::repeat_n(group, number))
            .collect();
        self.place(&owners, &mut Vec::new(), each);
    }

    fn place(&self, owners: &[usize], placed: &mut Vec<u8>, each: &mut dyn FnMut(&[u8])) {
        let next = placed.len();
        if next == owners.len() {
            return each(placed);
        }
        let is_same = next > 0 && owners[next - 1] == owners[next];
        let from = if is_same { placed[next - 1] + 1 } else { 0 };
        for cell in from..self.grid.size() as u8 {
            if !placed.contains(&cell) {
                placed.push(cell);
                self.place(owners, placed, each);
                placed.pop();
            }
        }
    }

    fn groups<'p>(&'p self, mut placement: &'p [u8]) -> impl Iterator<Item = (char, &'p [u8])> {
        self.actors.iter().map(move |&(glyph, number)| {
            let (group, rest) = placement.split_at(number);
            placement = rest;
            (glyph, group)
        })
    }

    pub(super) fn placed(&self, placement: &[u8]) -> Vec<(char, Cell)> {
        let mut placed = Vec::with_capacity(placement.len());
        for (glyph, group) in self.groups(placement) {
            let cells = group.iter().filter_map(|&cell| self.grid.nth(cell.into()));
            placed.extend(cells.map(|cell| (glyph, cell)));
        }
        placed
    }

    pub(super) fn image(&self, placement: &[u8], images: &Images) -> Box<[u8]> {
        let mut image = Vec::with_capacity(placement.len());
        for (_, group) in self.groups(placement) {
            let start = image.len();
            image.extend(group.iter().map(|&cell| images[cell as usize]));
            image[start..].sort_unstable();
        }
        image.into()
    }

    pub(super) fn picture(&self, placement: &[u8], contents: &[u8]) -> Vec<String> {
        let mut glyphs: Vec<char> = contents
            .iter()
            .map(|&content| self.contents()[content as usize])
            .collect();
        for (glyph, cell) in self.placed(placement) {
            glyphs[cell.index()] = glyph;
        }
        self.grid.draw(|cell| glyphs[cell.index()])
    }
}

fn choose(all: u128, few: u128) -> Option<u128> {
    if few > all {
        return Some(0);
    }
    let few = few.min(all - few);
    // After each step, `ways` is a binomial coefficient, so the division is exact.
    (0..few).try_fold(1_u128, |ways, i| Some(ways.checked_mul(all - i)? / (i + 1)))
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;
