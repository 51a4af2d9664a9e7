//! A board of one word, and what is on it: sets of cells, bit `i` for cell number `i`. What Jimmy does is a shift of one bit,
//! and what the ghosts do, four masks and shifts for all of them.

use super::super::field::border;
use crate::bits::{Bits, low_bits};
use crate::grid::Dir;
use crate::rules::jimmy::Jimmy;

/// What there is when Jimmy is to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scene {
    pub(super) jimmy: u128,
    /// The column that he is in.
    column: u128,
    ghosts: u128,
    /// How often the ghosts have moved.
    turn: u32,
}

impl Scene {
    /// The start, before the ghosts move for the first time.
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

/// What does not change.
pub(super) struct Board {
    /// How many places a step up or down is in a set.
    cols: u32,
    cells: u128,
    first_column: u128,
    pub(super) border: u128,
    /// Where nothing solid is.
    open: u128,
    /// The cells from which a step in this direction leads nearer to the border.
    ahead: [u128; 4],
}

impl Board {
    #[inline]
    pub(super) fn new(jimmy: &Jimmy, solid: u128, ahead: [u128; 4]) -> Self {
        let cells = low_bits(jimmy.grid.size() as u32);
        Self {
            cols: jimmy.grid.cols(),
            cells,
            first_column: jimmy.first_column,
            border: border(jimmy.grid),
            open: cells & !solid,
            ahead,
        }
    }

    /// These cells a row up. A board of less than 64 columns makes for short shifts, and any other is all border.
    #[inline]
    const fn up(&self, cells: u128) -> u128 {
        cells >> (self.cols % 64)
    }

    /// These cells a row down.
    #[inline]
    const fn down(&self, cells: u128) -> u128 {
        cells << (self.cols % 64)
    }

    /// The cells that Jimmy, who is not on the border, can step to.
    #[inline]
    pub(super) fn free(&self, scene: Scene) -> u128 {
        let Scene { jimmy, ghosts, .. } = scene;
        let beside = self.up(jimmy) | self.down(jimmy) | jimmy >> 1 | jimmy << 1;
        beside & self.open & !ghosts
    }

    /// The first step to one of these cells, in the order of [`super::super::Pursuit::ordered`], and the scene before the
    /// ghosts answer it.
    #[inline]
    pub(super) fn first_step(&self, scene: Scene, cells: u128) -> Option<(Dir, Scene)> {
        let steps = self.order(scene.jimmy).iter();
        let mut steps = steps.map(|&dir| (dir, self.stepped(scene, dir)));
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

    /// The scene after a step of Jimmy's, who is not on the border.
    #[inline]
    fn stepped(&self, scene: Scene, dir: Dir) -> Scene {
        let Scene { jimmy, column, .. } = scene;
        let (jimmy, column) = match dir {
            Dir::Up => (self.up(jimmy), column),
            Dir::Down => (self.down(jimmy), column),
            Dir::Left => (jimmy >> 1, column >> 1),
            Dir::Right => (jimmy << 1, column << 1),
        };
        Scene {
            jimmy,
            column,
            ..scene
        }
    }

    /// The scene after the ghosts have moved, unless one has caught him.
    #[inline]
    pub(super) fn chased(&self, scene: Scene) -> Option<Scene> {
        let Scene {
            jimmy,
            column,
            ghosts,
            turn,
        } = scene;
        // Bit by bit, a column less the first one fills all columns to its left.
        let left = column.wrapping_sub(self.first_column);
        let right = !(left | column);
        let shadows = ghosts & column;
        let above = shadows & (jimmy - 1);
        let ghosts = (ghosts & left) << 1
            | (ghosts & right) >> 1
            | self.down(above)
            | self.up(shadows & !above);
        (ghosts & jimmy == 0).then_some(Scene {
            ghosts,
            turn: turn + 1,
            ..scene
        })
    }

    /// Whether `a` is known to be no harder than `b`, where Jimmy is at the same cell: [`super::super::Pursuit`] says the
    /// same of them. Runners of `a` that still run in a later `b` are nearer there; all other ghosts of `a` must be behind
    /// a shadow of `b`.
    pub(super) fn is_no_harder(&self, a: &Scene, b: &Scene) -> bool {
        let matter = a.column | self.columns_within(a, b.turn.checked_sub(a.turn));
        let even = self.even_cells();
        [even, self.cells & !even].into_iter().all(|parity| {
            let behind = self.behind(b, b.ghosts & b.column & parity);
            a.ghosts & matter & parity & !behind == 0
        })
    }

    /// The columns at most so far from Jimmy's, or all of them.
    fn columns_within(&self, scene: &Scene, distance: Option<u32>) -> u128 {
        let Some(distance) = distance else {
            return self.cells;
        };
        let col = scene.column.trailing_zeros();
        let first = col.saturating_sub(distance);
        let end = (col + distance + 1).min(self.cols);
        self.first_column.wrapping_mul(low_bits(end - first)) << first
    }

    /// The rows that are not between these ghosts of Jimmy's column.
    fn behind(&self, scene: &Scene, shadows: u128) -> u128 {
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

    /// The cells whose row and column add up to an even number.
    fn even_cells(&self) -> u128 {
        let alternate = u128::MAX / 3;
        if self.cols % 2 == 1 {
            return alternate;
        }
        let odd_rows = Bits::spaced(2 * self.cols, 64 / self.cols) << self.cols;
        alternate ^ odd_rows.wrapping_mul(low_bits(self.cols))
    }
}
