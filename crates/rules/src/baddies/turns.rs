//! The turns from one position with all keys. Each step is done for all keys at once, almost without branches, since processors
//! could not predict most of them.

use super::{Baddie, BaddieKind, Baddies, Key, Offset, Terrain};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::bytes;

/// The cells on which the baddies of a board land, ignoring other baddies. Each baddie is given by its [`Baddie::code`].
#[derive(Clone, Debug)]
pub struct Landings {
    grid: Grid,
    /// The code of a baddie that fell.
    fallen: i16,
    /// For each cell, the code of a monster that lands there (`fallen` on an abyss), or [`BLOCKED`].
    aims: Vec<i16>,
    /// The landings of a monster and of a super monster from each cell.
    steps: [Vec<Steps>; 2],
}

/// The landings of a baddie by the change of row and then of column that it attempts: backwards, none and forwards. Columns are
/// repeated, so that the landings for three neighbouring columns of the hero are always three neighbouring entries.
type Steps = [[i16; 8]; 3];

/// A number for each key, in the order of [`Key::ALL`], filled up to a power of two.
pub type ByKey = [i16; LANES];

/// The turns from a position.
#[derive(Debug)]
pub struct Turns {
    /// The cell to which each key points (the hero's own if that is off the board), then the codes of the baddies after the
    /// turn, in order. Those that fell come last.
    pub actors: [ByKey; Self::MAX_ACTORS],
    /// For each key, 0 unless it points beyond the edge or to a cell on which a baddie lands.
    useless: ByKey,
}

const LANES: usize = 16;
const MAX_BADDIES: usize = 16;
const BLOCKED: i16 = -1;
/// The bits of a code that hold the kind.
const KIND: i16 = 3;

impl Baddie {
    /// Returns a number for the baddie. Numbers compare as their baddies do.
    #[inline]
    pub const fn code(self) -> u64 {
        (self.cell.index() as u64) << 2 | self.kind as u64
    }

    /// Returns the baddie with this number; `None` if there is none on the board, such as for a number with
    /// [`Baddie::code_bits`] ones.
    #[inline]
    pub fn decoded(grid: Grid, code: u64) -> Option<Self> {
        let kind = BaddieKind::ALL.get((code & 3) as usize).copied()?;
        let cell = grid.nth((code >> 2) as usize)?;
        Some(Self { cell, kind })
    }

    /// Returns the number of bits of a code.
    pub fn code_bits(grid: Grid) -> u32 {
        2 + grid.size().ilog2() + 1
    }
}

impl Landings {
    /// Finds all landings on a board; `None` if it has too many cells or baddies.
    pub fn new(board: &Baddies) -> Option<Self> {
        if Self::bytes(board) == 0 {
            return None;
        }
        let (grid, bits) = (board.grid, Baddie::code_bits(board.grid));
        let fallen = ((1 << bits) - 1) as i16;
        let aim = |cell: Cell| match board.terrain(cell) {
            Terrain::Wall | Terrain::Ladder => BLOCKED,
            Terrain::Abyss => fallen,
            Terrain::Floor => (cell.index() as i16) << 2,
        };
        let aims: Vec<i16> = grid.cells().map(aim).collect();
        let steps = [BaddieKind::Monster, BaddieKind::SuperMonster].map(|kind| {
            let steps = |cell| steps(grid, Baddie { cell, kind }, &aims);
            grid.cells().map(steps).collect()
        });
        Some(Self {
            grid,
            fallen,
            aims,
            steps,
        })
    }

    /// Returns the bytes needed for a board; 0 if it has too many cells or baddies.
    pub fn bytes(board: &Baddies) -> u64 {
        let fits =
            Baddie::code_bits(board.grid) < i16::BITS && board.start.baddies.len() <= MAX_BADDIES;
        let cell = size_of::<i16>() + 2 * size_of::<Steps>();
        u64::from(fits) * bytes::<u8>(board.grid.size() * cell)
    }

    /// Sets `turns` to the turns from a position, which consists of the hero's cell and the codes of the baddies in order. Those
    /// that fell come last.
    ///
    /// # Panics
    ///
    /// Panics if the position is not one of the board.
    pub fn explore(&self, position: &[u64], turns: &mut Turns) {
        let (hero, baddies) = (position[0] as usize, &position[1..]);
        let hero = self.grid.nth(hero).expect("the hero is on the board");
        self.point(hero, turns);
        let targets = turns.actors[0].map(|cell| cell << 2 | KIND);
        let (mut aims, mut occupied) = ([[0; LANES]; MAX_BADDIES], [[0; LANES]; MAX_BADDIES]);
        let is_there = |baddie: &&u64| **baddie != self.fallen as u64;
        let count = baddies.iter().take_while(is_there).count();
        // Processors wait if they load as a whole what was just stored in parts, so all aims are stored before the first is used.
        for (number, &baddie) in baddies[..count].iter().enumerate() {
            occupied[number] = [baddie as i16 | KIND; LANES];
            self.aim(baddie as i16, hero, &mut aims[number]);
        }
        turns.actors[1 + count..position.len()].fill([self.fallen; LANES]);
        for (number, &baddie) in baddies[..count].iter().enumerate() {
            let (aims, mut cells) = (&aims[number], aims[number]);
            for key in 0..LANES {
                cells[key] |= KIND;
                turns.useless[key] |= mask(cells[key] == targets[key]);
            }
            let is_taken = are_taken(&cells, &occupied, count);
            let mut codes = [0; LANES];
            for key in 0..LANES {
                let stays = is_taken[key] & mask(aims[key] != self.fallen);
                codes[key] = baddie as i16 & stays | aims[key] & !stays;
                occupied[number][key] = codes[key] | KIND;
            }
            turns.insert(1 + number, codes);
        }
    }

    /// Moves the hero to where each key points.
    fn point(&self, hero: Cell, turns: &mut Turns) {
        for key in Key::ALL {
            let Offset { rows, cols } = key.offset();
            let to = self.grid.offset(hero, rows, cols);
            turns.actors[0][key.index()] = to.unwrap_or(hero).index() as i16;
            turns.useless[key.index()] = mask(to.is_none());
        }
    }

    /// Sets `aims` to the landings of a baddie if the hero goes from his cell to where each key points.
    #[inline]
    fn aim(&self, baddie: i16, hero: Cell, aims: &mut ByKey) {
        let cell = self.grid.nth((baddie >> 2) as usize);
        let cell = cell.expect("the baddie is on the board");
        let ((row, col), (to_row, to_col)) = (self.grid.position(cell), self.grid.position(hero));
        if baddie & KIND == BaddieKind::Bat as i16 {
            let start = cell.index() as u32 - col;
            let lands = [0, 1, 2, 2].map(|key| {
                let to = (to_col + key).saturating_sub(1).min(self.grid.cols() - 1);
                match self.aims[(start + to) as usize] {
                    BLOCKED => baddie,
                    aim => aim | BaddieKind::Bat as i16,
                }
            });
            for key_row in 0..3 {
                aims[3 * key_row..][..4].copy_from_slice(&lands);
            }
        } else {
            const ROWS: &[u8; 7] = &[0, 0, 0, 1, 2, 2, 2];
            let steps = &self.steps[(baddie & KIND) as usize][cell.index()];
            let (first_row, first_col) = (first_entry(row, to_row), first_entry(col, to_col));
            for key_row in 0..3 {
                let lands = &steps[ROWS[first_row + key_row] as usize];
                aims[3 * key_row..][..4].copy_from_slice(&lands[first_col..][..4]);
            }
        }
    }
}

/// Returns for each key whether its cell is occupied.
#[inline]
fn are_taken(cells: &ByKey, occupied: &[ByKey; MAX_BADDIES], count: usize) -> ByKey {
    let mut is_taken = [0; LANES];
    for (group, others) in occupied.chunks_exact(4).enumerate() {
        // With this early end of the loop, compilers vectorise the loop over the keys.
        if 4 * group >= count {
            break;
        }
        for other in others {
            for key in 0..LANES {
                is_taken[key] |= mask(other[key] == cells[key]);
            }
        }
    }
    is_taken
}

/// Returns the index of the first of three entries, those for a hero in rows (or columns) `to - 1` to `to + 1`, in `ROWS` (or in
/// a row of [`Steps`]).
fn first_entry(from: u32, to: u32) -> usize {
    ((to.cast_signed() - from.cast_signed()).clamp(-2, 2) + 2) as usize
}

fn steps(grid: Grid, baddie: Baddie, aims: &[i16]) -> Steps {
    let (row, col) = grid.position(baddie.cell);
    let changes = [-1, 0, 1].map(|step| step * baddie.kind.stride());
    let cols = changes.map(|change| grid.offset_by_axis(0, col, 0, change).index());
    changes.map(|change| {
        let start = grid.offset_by_axis(row, 0, change, 0).index();
        let land = |col, otherwise| match aims[start + col] {
            BLOCKED => otherwise,
            aim => aim | baddie.kind as i16,
        };
        let straight = land(cols[1], baddie.code() as i16);
        let [left, right] = [cols[0], cols[2]].map(|col| land(col, straight));
        [left, left, left, straight, right, right, right, right]
    })
}

/// Returns a number whose bits are all ones if `is_set`, and all zeros if not.
fn mask(is_set: bool) -> i16 {
    if is_set { -1 } else { 0 }
}

impl Turns {
    /// The maximum number of actors on a board with [`Landings`].
    pub const MAX_ACTORS: usize = 1 + MAX_BADDIES;

    /// Returns the index of the cell to which the key points, and whether no baddie lands there. If the key points off the board,
    /// returns the hero's cell and false.
    #[inline]
    pub const fn target(&self, key: Key) -> (usize, bool) {
        let key = key.index();
        (self.actors[0][key] as usize, self.useless[key] == 0)
    }

    /// Inserts the codes of a baddie into the order of those before `place`.
    #[inline]
    fn insert(&mut self, place: usize, mut codes: ByKey) {
        for others in &mut self.actors[1..place] {
            for key in 0..LANES {
                let (a, b) = (others[key], codes[key]);
                (others[key], codes[key]) = (a.min(b), a.max(b));
            }
        }
        self.actors[place] = codes;
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            actors: [[0; LANES]; Self::MAX_ACTORS],
            useless: [0; LANES],
        }
    }
}
