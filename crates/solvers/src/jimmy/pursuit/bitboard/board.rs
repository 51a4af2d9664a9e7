//! A board as sets of up to 128 cells, each a single word: bit `i` stands for cell `i`. A single shift moves Jimmy's bit; four
//! masks and shifts move all ghosts.

use getaway_board::bits::low_bits;
use getaway_board::grid::Dir;
use getaway_rules::jimmy::Jimmy;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitScene {
    pub(super) jimmy: u128,
    column: u128,
    ghosts: u128,
    turn: u32,
}

impl BitScene {
    /// Returns the scene before the ghosts' first move.
    #[inline]
    pub(super) fn new(jimmy: &Jimmy, ghosts: u128) -> Self {
        Self {
            jimmy: 1 << jimmy.start.index(),
            column: jimmy.first_column << jimmy.grid.col(jimmy.start),
            ghosts,
            turn: 0,
        }
    }
}

pub(super) struct BitBoard<'j> {
    jimmy: &'j Jimmy,
    cols: u32,
    cells: u128,
    pub(super) border: u128,
    open: u128,
    /// For each direction, the cells from which a step leads nearer to the border.
    ahead: [u128; 4],
}

impl<'j> BitBoard<'j> {
    #[inline]
    pub(super) fn new(jimmy: &'j Jimmy, solid: u128, ahead: [u128; 4]) -> Self {
        let cells = low_bits(jimmy.grid.size() as u32);
        Self {
            jimmy,
            cols: jimmy.grid.cols(),
            cells,
            border: border(jimmy),
            open: cells & !solid,
            ahead,
        }
    }

    /// Moves cells one row up. The remainder makes the shift cheaper; a board of 64 columns or more is all border.
    #[inline]
    const fn up(&self, cells: u128) -> u128 {
        cells >> (self.cols % 64)
    }

    #[inline]
    const fn down(&self, cells: u128) -> u128 {
        cells << (self.cols % 64)
    }

    /// Returns the cells to which Jimmy can step. He must not be on the border.
    #[inline]
    pub(super) fn free(&self, scene: BitScene) -> u128 {
        let BitScene { jimmy, ghosts, .. } = scene;
        let beside = self.up(jimmy) | self.down(jimmy) | jimmy >> 1 | jimmy << 1;
        beside & self.open & !ghosts
    }

    /// Returns the first step into `cells` in the order of [`super::super::Pursuit::ordered`], and the scene before the
    /// ghosts answer.
    #[inline]
    pub(super) fn first_step(&self, scene: BitScene, cells: u128) -> Option<(Dir, BitScene)> {
        let mut steps = self
            .order(scene.jimmy)
            .iter()
            .map(|&dir| (dir, self.stepped(scene, dir)));
        steps.find(|(_, to)| to.jimmy & cells != 0)
    }

    #[inline]
    fn order(&self, jimmy: u128) -> &'static [Dir; 4] {
        use Dir::{Down, Left, Right, Up};
        const ORDERS: [[Dir; 4]; 4] = [
            [Up, Down, Left, Right],
            [Down, Up, Left, Right],
            [Up, Down, Right, Left],
            [Down, Up, Right, Left],
        ];
        let is_ahead = |dir: Dir| self.ahead[dir as usize] & jimmy != 0;
        let is_second = |first, second| usize::from(!is_ahead(first) & is_ahead(second));
        &ORDERS[is_second(Up, Down) | is_second(Left, Right) << 1]
    }

    /// Returns the scene after Jimmy's step. He must not be on the border before it.
    #[inline]
    fn stepped(&self, scene: BitScene, dir: Dir) -> BitScene {
        let BitScene { jimmy, column, .. } = scene;
        let (jimmy, column) = match dir {
            Dir::Up => (self.up(jimmy), column),
            Dir::Down => (self.down(jimmy), column),
            Dir::Left => (jimmy >> 1, column >> 1),
            Dir::Right => (jimmy << 1, column << 1),
        };
        BitScene {
            jimmy,
            column,
            ..scene
        }
    }

    /// Moves the ghosts; returns `None` if one catches Jimmy.
    #[inline]
    pub(super) fn chased(&self, scene: BitScene) -> Option<BitScene> {
        let BitScene {
            jimmy,
            column,
            ghosts,
            turn,
        } = scene;
        let ghosts = self.jimmy.chase_word(ghosts, jimmy, column);
        (ghosts & jimmy == 0).then_some(BitScene {
            ghosts,
            turn: turn + 1,
            ..scene
        })
    }

    /// Returns whether `a` is no harder than `b` at the same cell, as [`super::super::Pursuit`] does. Ghosts of `a` that still
    /// run in a later `b` are nearer there; all others must be in the row of a shadow of `b` with the same parity, or behind it.
    pub(super) fn is_no_harder(&self, a: &BitScene, b: &BitScene) -> bool {
        let matter = a.column | self.columns_within(a, b.turn.checked_sub(a.turn));
        let even = self.even_cells();
        [even, self.cells & !even].into_iter().all(|parity| {
            let behind = self.behind(b, b.ghosts & b.column & parity);
            a.ghosts & matter & parity & !behind == 0
        })
    }

    fn columns_within(&self, scene: &BitScene, distance: Option<u32>) -> u128 {
        let Some(distance) = distance else {
            return self.cells;
        };
        let col = scene.column.trailing_zeros();
        let first = col.saturating_sub(distance);
        let end = (col + distance + 1).min(self.cols);
        self.jimmy.first_column.wrapping_mul(low_bits(end - first)) << first
    }

    fn behind(&self, scene: &BitScene, shadows: u128) -> u128 {
        let col = scene.column.trailing_zeros();
        let above = shadows & (scene.jimmy - 1);
        let below = shadows & !above;
        let mut rows = 0;
        if above != 0 {
            rows |= low_bits(above.ilog2() - col + self.cols);
        }
        if below != 0 {
            rows |= !low_bits(below.trailing_zeros() - col);
        }
        rows
    }

    fn even_cells(&self) -> u128 {
        let alternate = u128::MAX / 3;
        if self.cols % 2 == 1 {
            return alternate;
        }
        let two_rows = 2 * self.cols;
        let odd_rows = (low_bits(64 / self.cols * two_rows) / low_bits(two_rows)) << self.cols;
        alternate ^ odd_rows.wrapping_mul(low_bits(self.cols))
    }
}

/// Returns [`directions_ahead`](super::super::field::directions_ahead) as sets of cells, one for each direction.
#[inline]
pub(super) fn flood(jimmy: &Jimmy, solid: u128) -> Option<[u128; 4]> {
    // The number of columns is less than 64 unless the board is all border; the remainder makes shifts cheaper.
    let cols = jimmy.grid.cols() % 64;
    let open = low_bits(jimmy.grid.size() as u32) & !solid;
    let start = 1 << jimmy.start.index();
    let mut ahead = [0; 4];
    let mut layer = border(jimmy) & open;
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
fn border(jimmy: &Jimmy) -> u128 {
    let (rows, cols) = (jimmy.grid.rows(), jimmy.grid.cols());
    let first_row = low_bits(cols);
    let cols_at_ends = jimmy.first_column | jimmy.first_column << (cols - 1);
    cols_at_ends | first_row | first_row << ((rows - 1) * cols)
}
