//! Queries on the starting board, answered with tables.

use std::collections::VecDeque;
use std::ops::Range;

use super::Shadows;
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::limits::{Clock, Limit};
use getaway_rules::jimmy::Jimmy;

#[derive(Clone, Debug)]
pub struct GhostField {
    grid: Grid,
    solid: Bits,
    ghosts: Bits,
    /// The rows of the ghosts, sorted by column, parity of the cell, and row.
    rows: Vec<u32>,
    /// At `2 * c + p`, the index in `rows` at which the ghosts of column `c` and parity `p` begin.
    starts: Vec<u32>,
    /// For each parity, the number of ghosts above and to the left of each corner between cells.
    sums: [Vec<u32>; 2],
    ahead: Vec<u8>,
}

impl GhostField {
    /// Builds the tables. Only the order of moves depends on `ahead`, the [`directions_ahead`].
    pub fn new(jimmy: &Jimmy, ahead: Vec<u8>, clock: &mut Clock) -> Result<Self, Limit> {
        let (grid, ghosts) = (jimmy.grid, &jimmy.ghosts);
        clock.limits().check_memory(Self::bytes_of(grid))?;
        let column = |ghost| {
            let (row, col) = grid.position(ghost);
            (2 * col + (row + col) % 2, row)
        };
        let mut by_column: Vec<(u32, u32)> = ghosts.iter(grid).map(column).collect();
        by_column.sort_unstable();
        let start = |column| by_column.partition_point(|&(other, _)| other < column) as u32;
        Ok(Self {
            grid,
            solid: jimmy.solid.clone(),
            ghosts: ghosts.clone(),
            starts: (0..=2 * grid.cols()).map(start).collect(),
            sums: [
                prefix_sums(grid, ghosts, 0, clock)?,
                prefix_sums(grid, ghosts, 1, clock)?,
            ],
            rows: by_column.into_iter().map(|(_, row)| row).collect(),
            ahead,
        })
    }

    const fn bytes_of(grid: Grid) -> u64 {
        let corners = (grid.rows() as usize + 1) * (grid.cols() as usize + 1);
        let columns = 2 * grid.cols() as usize * size_of::<u32>();
        let cells = grid.size() + grid.size() / 4;
        (2 * corners * size_of::<u32>() + columns + cells) as u64
    }

    pub fn bytes(&self) -> u64 {
        Self::bytes_of(self.grid) + (self.rows.capacity() * size_of::<u32>()) as u64
    }

    pub fn is_solid(&self, cell: Cell) -> bool {
        self.solid.contains(cell)
    }

    pub fn is_ghost(&self, row: u32, col: u32) -> bool {
        self.grid
            .cell(row, col)
            .is_some_and(|cell| self.ghosts.contains(cell))
    }

    /// Returns the distances from `row` to the nearest ghosts that start in column `col`; one in that row counts as above.
    /// Returns `None` if no ghost starts in the column.
    pub fn nearest_ghosts(&self, col: u32, row: u32) -> Option<Shadows> {
        let mut nearest = Shadows::NONE;
        for parity in 0..2 {
            let column = self.column(col, parity);
            let below = column.partition_point(|&ghost| ghost <= row);
            if let Some(ghost) = below.checked_sub(1).map(|at| column[at]) {
                nearest.above[(row - ghost) as usize % 2] = row - ghost;
            }
            if let Some(ghost) = column.get(below) {
                nearest.below[(ghost - row) as usize % 2] = ghost - row;
            }
        }
        (nearest != Shadows::NONE).then_some(nearest)
    }

    fn column(&self, col: u32, parity: usize) -> &[u32] {
        let at = 2 * col as usize + parity;
        &self.rows[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Returns whether a ghost starts on a cell of these rows and columns with this parity.
    pub fn any(&self, rows: Range<u32>, cols: Range<u32>, parity: u32) -> bool {
        if rows.is_empty() || cols.is_empty() {
            return false;
        }
        let (width, sums) = (self.grid.cols() + 1, &self.sums[parity as usize]);
        let sum = |row: u32, col: u32| sums[(row * width + col) as usize];
        let (inner, outer) = (
            sum(rows.end, cols.end) + sum(rows.start, cols.start),
            sum(rows.start, cols.end) + sum(rows.end, cols.start),
        );
        inner != outer
    }

    pub fn ahead(&self, cell: Cell) -> u8 {
        self.ahead.get(cell.index()).copied().unwrap_or_default()
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

/// Returns, for each cell that is no farther from the border than the start, the directions that lead nearer to the border;
/// bit `dir as u8` stands for `dir`. Returns `None` if there is no way out.
pub fn directions_ahead(jimmy: &Jimmy, clock: &mut Clock) -> Result<Option<Vec<u8>>, Limit> {
    const UNSEEN: u32 = u32::MAX;
    let (grid, solid) = (jimmy.grid, &jimmy.solid);
    // The queue never holds a cell twice.
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
        if distance > distances[jimmy.start.index()] {
            break;
        }
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
    Ok((distances[jimmy.start.index()] != UNSEEN).then_some(ahead))
}
