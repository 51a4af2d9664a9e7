//! Queries on the starting board, answered with masks and shifts for up to 128 cells ([`Word`]), or else with tables
//! ([`Wide`]).

use std::collections::VecDeque;
use std::ops::Range;

use super::Shadows;
use crate::bits::{Bits, low_bits};
use crate::grid::{Cell, Dir, Grid};
use crate::limits::{Clock, Limit};

pub trait Field: Sized + Sync {
    /// The distances to the border.
    type Ways;

    /// `None` if solids leave no way out from `start`.
    fn ways_out(
        grid: Grid,
        solid: &Bits,
        start: Cell,
        clock: &mut Clock,
    ) -> Result<Option<Self::Ways>, Limit>;

    fn new(board: Board, ways: Option<Self::Ways>, clock: &mut Clock) -> Result<Self, Limit>;

    fn bytes(&self) -> u64;

    fn is_solid(&self, cell: Cell) -> bool;

    fn is_ghost(&self, row: u32, col: u32) -> bool;

    /// The ghosts that start in column `col`, relative to `row`; one in that row is at distance 0 above.
    fn seen(&self, col: u32, row: u32) -> Option<Shadows>;

    /// Returns whether a ghost starts on a cell in these rows and columns with this parity of row + column.
    fn any(&self, rows: Range<u32>, cols: Range<u32>, parity: u32) -> bool;

    /// The directions that lead towards the border around solids; bit `dir as u8` stands for `dir`. May miss some,
    /// since they only order moves.
    fn ahead(&self, cell: Cell) -> u8;
}

/// The grid, solids and ghosts.
pub type Board<'b> = (Grid, &'b Bits, &'b Bits);

/// A board of up to 128 cells.
#[derive(Clone, Debug)]
pub struct Word {
    rows: u32,
    /// A bit for each row of a column.
    column: u64,
    solid: u128,
    /// The ghosts on even and on odd cells, with the bits column by column.
    ghosts: [u128; 2],
    /// The columns with ghosts.
    occupied: u128,
    /// The cells of row 0, with the bits in the order of `ghosts`.
    first_row: u128,
    /// For each direction, the cells from which a step leads nearer to the border.
    ahead: [u128; 4],
}

impl Word {
    #[inline]
    fn column(&self, col: u32) -> u64 {
        ((self.ghosts[0] | self.ghosts[1]) >> (col * self.rows)) as u64 & self.column
    }
}

impl Field for Word {
    type Ways = [u128; 4];

    #[inline]
    fn ways_out(
        grid: Grid,
        solid: &Bits,
        start: Cell,
        _clock: &mut Clock,
    ) -> Result<Option<[u128; 4]>, Limit> {
        Ok(flood(grid, word(solid), start))
    }

    #[inline]
    fn new(
        (grid, solid, ghosts): Board,
        ways: Option<[u128; 4]>,
        _clock: &mut Clock,
    ) -> Result<Self, Limit> {
        let rows = grid.rows();
        let (mut by_parity, mut occupied) = ([0; 2], 0);
        for ghost in ghosts.iter(grid) {
            let (row, col) = grid.position(ghost);
            by_parity[(row + col) as usize % 2] |= 1 << (col * rows + row);
            occupied |= 1 << col;
        }
        Ok(Self {
            rows,
            column: low_bits(rows) as u64,
            solid: word(solid),
            ghosts: by_parity,
            occupied,
            first_row: Bits::spaced(rows, grid.cols()),
            ahead: ways.unwrap_or_default(),
        })
    }

    fn bytes(&self) -> u64 {
        0
    }

    #[inline]
    fn is_solid(&self, cell: Cell) -> bool {
        self.solid >> cell.index() & 1 == 1
    }

    #[inline]
    fn is_ghost(&self, row: u32, col: u32) -> bool {
        (self.ghosts[0] | self.ghosts[1]) >> (col * self.rows + row) & 1 == 1
    }

    #[inline]
    fn seen(&self, col: u32, row: u32) -> Option<Shadows> {
        if self.occupied >> col & 1 == 0 {
            return None;
        }
        let column = self.column(col);
        let mut seen = Shadows::NONE;
        let even = (u64::MAX / 3) << (row % 2);
        // A board of one word with inner cells has at most 42 rows.
        let up_to = (2 << row) - 1;
        for (parity, ghosts) in [column & even, column & !even].into_iter().enumerate() {
            let (above, below) = (ghosts & up_to, ghosts >> row >> 1);
            if above != 0 {
                seen.above[parity] = row - above.ilog2();
            }
            if below != 0 {
                seen.below[parity] = below.trailing_zeros() + 1;
            }
        }
        Some(seen)
    }

    #[inline]
    fn any(&self, rows: Range<u32>, cols: Range<u32>, parity: u32) -> bool {
        if rows.is_empty() || cols.is_empty() {
            return false;
        }
        let in_column = low_bits(rows.end) & !low_bits(rows.start);
        let columns = low_bits(cols.end * self.rows) & !low_bits(cols.start * self.rows);
        self.ghosts[parity as usize] & self.first_row.wrapping_mul(in_column) & columns != 0
    }

    #[inline]
    fn ahead(&self, cell: Cell) -> u8 {
        let bit = |dir: usize| ((self.ahead[dir] >> cell.index() & 1) as u8) << dir;
        bit(0) | bit(1) | bit(2) | bit(3)
    }
}

fn word(bits: &Bits) -> u128 {
    bits.word().expect("the board fits into a word")
}

/// Floods the board from its border until it reaches `start`; `None` if it can't. Returns, for each direction, the
/// cells from which a step leads nearer to the border.
#[inline]
pub(super) fn flood(grid: Grid, solid: u128, start: Cell) -> Option<[u128; 4]> {
    // Less than 64 unless the board is all border; the mask makes shifts cheaper.
    let cols = grid.cols() % 64;
    let open = low_bits(grid.size() as u32) & !solid;
    let start = 1 << start.index();
    let mut ahead = [0; 4];
    let mut layer = border(grid) & open;
    let mut seen = layer;
    while seen & start == 0 {
        let fresh = open & !seen;
        // A step beyond the end of a row leads to the border, which is already flooded.
        let steps = [layer << cols, layer >> cols, layer << 1, layer >> 1];
        layer = 0;
        for (ahead, step) in ahead.iter_mut().zip(steps) {
            let step = step & fresh;
            *ahead |= step;
            layer |= step;
        }
        if layer == 0 {
            return None;
        }
        seen |= layer;
    }
    Some(ahead)
}

#[inline]
pub(super) fn border(grid: Grid) -> u128 {
    let (rows, cols) = (grid.rows(), grid.cols());
    let first_col = Bits::spaced(cols, rows);
    let first_row = low_bits(cols);
    first_col | first_col << (cols - 1) | first_row | first_row << ((rows - 1) * cols)
}

#[derive(Clone, Debug)]
pub struct Wide {
    grid: Grid,
    solid: Bits,
    ghosts: Bits,
    /// The sorted rows of the ghosts, grouped by column and by parity of the cell.
    rows: Vec<u32>,
    /// Entry `2 * c + p` is the index in `rows` at which column `c` and parity `p` start.
    starts: Vec<u32>,
    /// For each parity, the number of ghosts above and to the left of each corner between cells.
    sums: [Vec<u32>; 2],
    ahead: Vec<u8>,
}

impl Wide {
    const fn bytes_of(grid: Grid) -> u64 {
        let corners = (grid.rows() as usize + 1) * (grid.cols() as usize + 1);
        let columns = 2 * grid.cols() as usize * (size_of::<u32>() + size_of::<Vec<u32>>());
        let cells = grid.size() + grid.size() / 4;
        (2 * corners * size_of::<u32>() + columns + cells) as u64
    }

    fn column(&self, col: u32, parity: usize) -> &[u32] {
        let at = 2 * col as usize + parity;
        &self.rows[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn sum(&self, row: u32, col: u32, parity: u32) -> u32 {
        self.sums[parity as usize][row as usize * (self.grid.cols() as usize + 1) + col as usize]
    }
}

impl Field for Wide {
    type Ways = Vec<u8>;

    fn ways_out(
        grid: Grid,
        solid: &Bits,
        start: Cell,
        clock: &mut Clock,
    ) -> Result<Option<Vec<u8>>, Limit> {
        ways_out((grid, solid), start, clock)
    }

    fn new(
        (grid, solid, ghosts): Board,
        ways: Option<Vec<u8>>,
        clock: &mut Clock,
    ) -> Result<Self, Limit> {
        clock.limits().check_memory(Self::bytes_of(grid))?;
        let mut columns = vec![Vec::new(); 2 * grid.cols() as usize];
        for ghost in ghosts.iter(grid) {
            let (row, col) = grid.position(ghost);
            columns[2 * col as usize + (row + col) as usize % 2].push(row);
        }
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for column in &columns {
            rows.extend_from_slice(column);
            starts.push(rows.len() as u32);
        }
        let sums = [
            prefix_sums(grid, ghosts, 0, clock)?,
            prefix_sums(grid, ghosts, 1, clock)?,
        ];
        Ok(Self {
            grid,
            solid: solid.clone(),
            ghosts: ghosts.clone(),
            rows,
            starts,
            sums,
            ahead: ways.unwrap_or_else(|| vec![0; grid.size()]),
        })
    }

    fn bytes(&self) -> u64 {
        Self::bytes_of(self.grid) + (self.rows.len() * size_of::<u32>()) as u64
    }

    fn is_solid(&self, cell: Cell) -> bool {
        self.solid.contains(cell)
    }

    fn is_ghost(&self, row: u32, col: u32) -> bool {
        self.grid
            .cell(row, col)
            .is_some_and(|cell| self.ghosts.contains(cell))
    }

    fn seen(&self, col: u32, row: u32) -> Option<Shadows> {
        let mut seen = Shadows::NONE;
        for parity in 0..2 {
            let column = self.column(col, parity);
            let below = column.partition_point(|&ghost| ghost <= row);
            if let Some(ghost) = below.checked_sub(1).map(|at| column[at]) {
                seen.above[(row - ghost) as usize % 2] = row - ghost;
            }
            if let Some(ghost) = column.get(below) {
                seen.below[(ghost - row) as usize % 2] = ghost - row;
            }
        }
        (seen != Shadows::NONE).then_some(seen)
    }

    fn any(&self, rows: Range<u32>, cols: Range<u32>, parity: u32) -> bool {
        if rows.is_empty() || cols.is_empty() {
            return false;
        }
        let sum = |row, col| self.sum(row, col, parity);
        let (inner, outer) = (
            sum(rows.end, cols.end) + sum(rows.start, cols.start),
            sum(rows.start, cols.end) + sum(rows.end, cols.start),
        );
        inner != outer
    }

    fn ahead(&self, cell: Cell) -> u8 {
        self.ahead[cell.index()]
    }
}

fn prefix_sums(
    grid: Grid,
    ghosts: &Bits,
    parity: u32,
    clock: &mut Clock,
) -> Result<Vec<u32>, Limit> {
    let width = grid.cols() as usize + 1;
    let mut sums = vec![0; (grid.rows() as usize + 1) * width];
    for ghost in ghosts.iter(grid) {
        let (row, col) = grid.position(ghost);
        if (row + col) % 2 == parity {
            sums[(row as usize + 1) * width + col as usize + 1] = 1;
        }
    }
    for row in 1..=grid.rows() as usize {
        clock.work(width as u64)?;
        let mut in_row = 0;
        for at in row * width + 1..(row + 1) * width {
            in_row += sums[at];
            sums[at] = in_row + sums[at - width];
        }
    }
    Ok(sums)
}

/// Walks breadth-first from the border; `None` if `start` is unreachable.
fn ways_out(
    (grid, solid): (Grid, &Bits),
    start: Cell,
    clock: &mut Clock,
) -> Result<Option<Vec<u8>>, Limit> {
    const UNSEEN: u32 = u32::MAX;
    // The queue holds the frontier, and no cell twice.
    let bytes = grid.size() * (2 * size_of::<u32>() + size_of::<u8>());
    clock.limits().check_memory(bytes as u64)?;
    let mut distances = vec![UNSEEN; grid.size()];
    let mut queue: VecDeque<Cell> = grid
        .cells()
        .filter(|&cell| grid.is_border(cell) && !solid.contains(cell))
        .collect();
    for cell in &queue {
        distances[cell.index()] = 0;
    }
    let mut ahead = vec![0; grid.size()];
    while let Some(cell) = queue.pop_front() {
        clock.work(8)?;
        let distance = distances[cell.index()];
        for dir in Dir::ALL {
            let Some(next) = grid.step(cell, dir).filter(|&next| !solid.contains(next)) else {
                continue;
            };
            if distances[next.index()] == UNSEEN {
                distances[next.index()] = distance + 1;
                queue.push_back(next);
            } else if distances[next.index()] < distance {
                ahead[cell.index()] |= 1 << dir as u8;
            }
        }
    }
    Ok((distances[start.index()] != UNSEEN).then_some(ahead))
}
