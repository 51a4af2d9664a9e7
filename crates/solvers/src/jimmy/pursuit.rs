//! The search model for `jimmy`: positions of constant size, which leave out the visited cells and most of the ghosts.
//!
//! # Why this is exact
//!
//! Ghosts ignore each other and the solids. So a line of play is safe exactly if it is safe from each ghost alone, and solids
//! only rule out lines. What follows considers one or two ghosts on an unbounded plane, just after the ghosts have moved.
//!
//! *Shadows.* A ghost runs along its row, one column per turn, until it is in Jimmy's column just after its move. From then
//! on it *shadows* him: after each of its moves it is in his column, always on the same side. Its distance shrinks by 2 with
//! each of his steps towards it and stays the same otherwise, so its parity never changes. At distance 2 a step towards the
//! shadow is fatal; at distance 1 it is blocked. So shadows restrict only steps towards them, near ones more than far ones.
//!
//! *Dominance.* Ghost T dominates ghost S if their cells have the same parity (row + column) and either T is a shadow, and
//! S's row is T's row or farther from Jimmy on the same side; or both run in the same row on the same side, and T is not
//! farther away. A walk that is safe from T is then safe from S, and the relation holds step by step (or the two meet in one
//! cell).
//!
//! *Loops can be cut.* If Jimmy is on a cell twice in a safe line, each ghost's later cell dominates its earlier one, so the
//! line without the loop is safe as well. Hence the rule against revisits never changes the verdict or the length of a
//! shortest escape, and the search may allow revisits and cut the loops out of the line.
//!
//! *Easier positions.* Position A is no harder than a position B with Jimmy on the same cell if each ghost of A is dominated
//! by some ghost of B. A search may skip B once it has met A.
//!
//! *Constant size.* A ghost that started at (R, C) to the left of Jimmy still runs after t moves exactly if column C + t is
//! left of his: his column changes by at most 1 a turn, so it can't have met him earlier. The right side is symmetric. So a
//! position is Jimmy's cell, the turn, and the distances of the nearest shadows above and below for each parity
//! ([`PursuitPosition`]). The starting board ([`GhostField`]) answers which ghosts are in the way and which become shadows.
//!
//! The field also decides whether A is no harder than B ([`Pursuit::is_no_harder`]). Shadows are compared by their distances.
//! If a ghost of A still runs in a later B, its cell in B dominates its cell in A. For any other running ghost of A, its row must
//! be that of a shadow of B of its parity, or behind it. So the rows between B's shadows must be empty of ghosts in a range of
//! starting columns.
//!
//! `tests/proofs` proves dominance and loops for boards of any size, and tests check both exhaustively on an open 10x10
//! board. No escape rests on these proofs alone: a replay under the full rules confirms its line.

use std::ops::Range;

use crate::positions::Positions;
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::limits::{Clock, Limit, Limits};
use getaway_rules::jimmy::Jimmy;
use getaway_ruleset::{Cause, Deterministic, Outcome};
use getaway_search::search::{Finding, Order, Search};
use getaway_search::visited::{Antichain, Dominance};
use getaway_search::{Model, shortest_lines};

use bitboard::BitboardSearch;
use field::{GhostField, directions_ahead};

mod bitboard;
mod field;
#[cfg(test)]
mod tests;

/// The distances in rows from Jimmy to the nearest ghosts in his column: on each side, the lowest even and the lowest odd one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shadows {
    /// The distances to the ghosts above Jimmy, or [`Shadows::FAR`].
    pub above: [u32; 2],
    /// The distances to the ghosts below Jimmy, or [`Shadows::FAR`].
    pub below: [u32; 2],
}

impl Shadows {
    /// The distance if there is no ghost.
    pub const FAR: u32 = u32::MAX;
    /// No ghosts in Jimmy's column.
    pub const NONE: Self = Self {
        above: [Self::FAR; 2],
        below: [Self::FAR; 2],
    };

    fn nearer(self, other: Self) -> Self {
        let nearer = |a: [u32; 2], b: [u32; 2]| [a[0].min(b[0]), a[1].min(b[1])];
        Self {
            above: nearer(self.above, other.above),
            below: nearer(self.below, other.below),
        }
    }

    fn and(self, others: Option<Self>) -> Self {
        others.map_or(self, |others| self.nearer(others))
    }

    /// Moves all shadows one row nearer, which swaps the parities.
    fn one_nearer(self) -> Self {
        let nearer = |[even, odd]: [u32; 2]| [reduced(odd, 1), reduced(even, 1)];
        Self {
            above: nearer(self.above),
            below: nearer(self.below),
        }
    }

    const fn catch(self) -> bool {
        self.above[0] == 0 || self.below[0] == 0
    }

    fn no_nearer_than(self, other: Self) -> bool {
        let far = |a: [u32; 2], b: [u32; 2]| a[0] >= b[0] && a[1] >= b[1];
        far(self.above, other.above) && far(self.below, other.below)
    }
}

const fn reduced(distance: u32, by: u32) -> u32 {
    if distance == Shadows::FAR {
        distance
    } else {
        distance - by
    }
}

const fn two_nearer([even, odd]: [u32; 2]) -> [u32; 2] {
    [reduced(even, 2), reduced(odd, 2)]
}

/// A position of a pursuit: Jimmy's cell, the turn, and the distances to the nearest ghosts that shadow him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PursuitPosition {
    cell: Cell,
    turn: u32,
    shadows: Shadows,
}

/// The side that moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToMove {
    /// The game begins with the ghosts.
    Ghosts,
    /// Jimmy moves first, on a board on which the cells visited before are solid.
    Jimmy,
}

/// The game that the solver searches in place of `jimmy`: distances in Jimmy's column stand for the ghosts that shadow him.
#[derive(Clone, Debug)]
pub struct Pursuit {
    grid: Grid,
    start: Cell,
    to_move: ToMove,
    field: GhostField,
    /// True if moves are listed in the order of [`Dir::ALL`], false if the most promising ones come first.
    is_in_order: bool,
}

impl Pursuit {
    /// Prepares the search; `None` if solids alone keep Jimmy from the border.
    pub fn new(jimmy: &Jimmy, to_move: ToMove, limits: &Limits) -> Result<Option<Self>, Limit> {
        match directions_ahead(jimmy, &mut Clock::new(limits))? {
            Some(ahead) => Self::with_ahead(jimmy, to_move, ahead, limits).map(Some),
            None => Ok(None),
        }
    }

    fn with_ahead(
        jimmy: &Jimmy,
        to_move: ToMove,
        ahead: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        Ok(Self {
            grid: jimmy.grid,
            start: jimmy.start,
            to_move,
            field: GhostField::new(jimmy, ahead, &mut Clock::new(limits))?,
            is_in_order: false,
        })
    }

    /// Returns a closed set for a certificate. It leaves out each position that is at least as hard as an earlier one.
    pub fn closed_set(mut self, limits: &Limits) -> Result<Positions, Limit> {
        self.is_in_order = true;
        let limits = limits.without(self.field.bytes())?;
        Positions::explore(&self, Antichain::default(), &limits).map_err(|(limit, _)| limit)
    }

    /// Returns a closed set of a board on which solids alone keep Jimmy from the border, computed without its ghosts.
    pub fn closed_without_ghosts(jimmy: &Jimmy, limits: &Limits) -> Result<Positions, Limit> {
        let alone = jimmy.without_chasers().expect("ghosts can be left out");
        // A closed set lists moves in a fixed order, so it does not need the directions that lead nearer to the border.
        Self::with_ahead(&alone, ToMove::Ghosts, Vec::new(), limits)?.closed_set(limits)
    }

    /// Returns the starting column of a ghost that runs to the right and reaches `col` in `turn` moves.
    fn left_start(col: u32, turn: u32) -> Option<u32> {
        col.checked_sub(turn)
    }

    /// Returns the starting column of a ghost that runs to the left and reaches `col` in `turn` moves.
    fn right_start(&self, col: u32, turn: u32) -> Option<u32> {
        col.checked_add(turn)
            .filter(|&start| start < self.grid.cols())
    }

    #[inline]
    fn nearest_ghosts(&self, start: Option<u32>, row: u32) -> Option<Shadows> {
        self.field.nearest_ghosts(start?, row)
    }

    #[inline]
    fn is_ghost_start(&self, row: u32, start: Option<u32>) -> bool {
        start.is_some_and(|col| self.field.is_ghost(row, col))
    }

    /// Returns the first position in which Jimmy moves.
    fn first(&self) -> PursuitPosition {
        let (row, col) = self.grid.position(self.start);
        if self.to_move == ToMove::Jimmy {
            return PursuitPosition {
                cell: self.start,
                turn: 0,
                shadows: Shadows::NONE.and(self.nearest_ghosts(Some(col), row)),
            };
        }
        let shadows = Shadows::NONE
            .and(self.nearest_ghosts(Some(col), row).map(Shadows::one_nearer))
            .and(self.nearest_ghosts(Self::left_start(col, 1), row))
            .and(self.nearest_ghosts(self.right_start(col, 1), row));
        PursuitPosition {
            cell: self.start,
            turn: 1,
            shadows,
        }
    }

    #[inline]
    fn is_blocked(&self, at: &PursuitPosition, dir: Dir) -> bool {
        let (row, col) = self.grid.position(at.cell);
        match dir {
            Dir::Up => at.shadows.above[1] == 1,
            Dir::Down => at.shadows.below[1] == 1,
            Dir::Left => self.is_ghost_start(row, Self::left_start(col - 1, at.turn)),
            Dir::Right => self.is_ghost_start(row, self.right_start(col + 1, at.turn)),
        }
    }

    #[inline]
    fn is_open(&self, at: &PursuitPosition, dir: Dir) -> bool {
        self.grid
            .step(at.cell, dir)
            .is_some_and(|to| !self.field.is_solid(to))
            && !self.is_blocked(at, dir)
    }

    /// Returns the steps in the order of [`Dir::ALL`] if `is_in_order`. If not, vertical steps come before horizontal ones, and
    /// in each pair the step towards the border comes first.
    ///
    /// If only the distance to the border determined the order, a depth-first search of a 256x256 board with 100 ghosts would
    /// find harder positions before easier ones and visit ten times as many.
    #[inline]
    fn ordered(&self, cell: Cell) -> [Dir; 4] {
        if self.is_in_order {
            return Dir::ALL;
        }
        let ahead = self.field.ahead(cell);
        let pair =
            |first: Dir, second: Dir| match (ahead >> first as u8 & 1, ahead >> second as u8 & 1) {
                (0, 1) => [second, first],
                _ => [first, second],
            };
        let ([a, b], [c, d]) = (pair(Dir::Up, Dir::Down), pair(Dir::Left, Dir::Right));
        [a, b, c, d]
    }

    #[inline]
    fn shadows_after(&self, at: &PursuitPosition, dir: Dir, to: Cell) -> Shadows {
        let (row, col) = self.grid.position(to);
        let (before, after) = (at.turn, at.turn + 1);
        let mut shadows = at.shadows;
        match dir {
            Dir::Up => shadows.above = two_nearer(shadows.above),
            Dir::Down => shadows.below = two_nearer(shadows.below),
            // Running ghosts in the column that he steps into turn towards him.
            Dir::Left => {
                let met = self.nearest_ghosts(Self::left_start(col, before), row);
                shadows = shadows.and(met.map(Shadows::one_nearer));
            }
            Dir::Right => {
                let met = self.nearest_ghosts(self.right_start(col, before), row);
                shadows = shadows.and(met.map(Shadows::one_nearer));
            }
        }
        // Running ghosts reach Jimmy's column, except those that he moves away from.
        if dir != Dir::Right {
            shadows = shadows.and(self.nearest_ghosts(Self::left_start(col, after), row));
        }
        if dir != Dir::Left {
            shadows = shadows.and(self.nearest_ghosts(self.right_start(col, after), row));
        }
        shadows
    }
}

impl Model for Pursuit {
    type State = PursuitPosition;
    type Move = Dir;

    fn opened(&self) -> Result<PursuitPosition, Outcome> {
        if self.grid.is_border(self.start) {
            return Err(Outcome::Escaped);
        }
        let first = self.first();
        if first.shadows.catch() {
            Err(Outcome::Caught(Cause::Chaser))
        } else {
            Ok(first)
        }
    }

    fn moves(&self, at: &PursuitPosition, out: &mut Vec<Dir>) {
        out.extend(
            self.ordered(at.cell)
                .into_iter()
                .filter(|&dir| self.is_open(at, dir)),
        );
    }

    fn play(&self, at: &mut PursuitPosition, dir: Dir) -> Option<Outcome> {
        let to = self.grid.step(at.cell, dir).expect("the move is legal");
        if self.grid.is_border(to) {
            return Some(Outcome::Escaped);
        }
        let shadows = self.shadows_after(at, dir, to);
        *at = PursuitPosition {
            cell: to,
            turn: at.turn + 1,
            shadows,
        };
        shadows.catch().then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Dominance for Pursuit {
    fn places(&self) -> usize {
        self.grid.size()
    }

    fn place(&self, state: &PursuitPosition) -> usize {
        state.cell.index()
    }

    fn is_no_harder(&self, a: &PursuitPosition, b: &PursuitPosition) -> bool {
        if !a.shadows.no_nearer_than(b.shadows) {
            return false;
        }
        let (row, col) = self.grid.position(a.cell);
        let cols = self.grid.cols();
        // The starting columns of ghosts that run in `a`, but not of those that still run in a later `b`.
        let left_end = col.saturating_sub(a.turn);
        let right_start = (col.saturating_add(a.turn).saturating_add(1)).min(cols);
        let (left_start, right_end) = if b.turn >= a.turn {
            (
                col.saturating_sub(b.turn),
                col.saturating_add(b.turn).saturating_add(1).min(cols),
            )
        } else {
            (0, cols)
        };
        let (left, right) = (left_start..left_end, right_start..right_end);
        if left.is_empty() && right.is_empty() {
            return true;
        }
        (0..2).all(|parity: u32| {
            let rows = self.between(row, b.shadows, parity as usize);
            // A ghost's cell after t moves along its row has the parity of its start plus t.
            let start = (row + col + a.turn + parity) % 2;
            rows.is_empty()
                || !self.field.any(rows.clone(), left.clone(), start)
                    && !self.field.any(rows, right.clone(), start)
        })
    }
}

impl Pursuit {
    fn between(&self, row: u32, shadows: Shadows, parity: usize) -> Range<u32> {
        let above = shadows.above[parity];
        let first = if above == Shadows::FAR {
            0
        } else {
            row - above + 1
        };
        let end = row
            .saturating_add(shadows.below[parity])
            .min(self.grid.rows());
        first..end
    }
}

/// Solves boards of `jimmy`, and keeps its tables for the next board.
#[derive(Default)]
pub struct PursuitSolver {
    bitboard: BitboardSearch,
    search: Search<Pursuit, Antichain<PursuitPosition>>,
}

impl PursuitSolver {
    /// Searches for an escape whose line visits no cell twice; also returns the number of states visited.
    pub fn solve(
        &mut self,
        jimmy: &Jimmy,
        to_move: ToMove,
        order: Order,
        limits: &Limits,
    ) -> (Finding<Dir>, u64) {
        if jimmy.grid.is_border(jimmy.start) {
            return (Finding::Escape(Vec::new()), 0);
        }
        // The search on bitboards is always depth first, and begins with the ghosts.
        if (to_move, order) == (ToMove::Ghosts, Order::DepthFirst)
            && let Some(found) = self.bitboard.run(jimmy, limits)
        {
            return found;
        }
        let (finding, states) = self
            .search(jimmy, to_move, order, limits)
            .unwrap_or_else(|limit| (Finding::Undecided(limit), 0));
        if states.max(jimmy.grid.size() as u64) > MAX_KEPT_SIZE {
            *self = Self::default();
        }
        (finding.map(|line| cut_loops(jimmy, line)), states)
    }

    fn search(
        &mut self,
        jimmy: &Jimmy,
        to_move: ToMove,
        order: Order,
        limits: &Limits,
    ) -> Result<(Finding<Dir>, u64), Limit> {
        let Some(pursuit) = Pursuit::new(jimmy, to_move, limits)? else {
            return Ok((Finding::Caught, 0));
        };
        let rest = limits.without(pursuit.field.bytes())?;
        let finding = self.search.run(&pursuit, order, &rest);
        Ok((finding, self.search.states()))
    }
}

/// The maximum size, in states or cells, of tables that are kept for the next board.
const MAX_KEPT_SIZE: u64 = 1 << 17;

/// Counts the escapes of `length` moves, the length of a shortest escape.
///
/// # Errors
///
/// Fails if a limit is reached.
pub fn count_shortest(jimmy: &Jimmy, length: usize, limits: &Limits) -> Result<u128, Limit> {
    if length == 0 {
        return Ok(1);
    }
    match Pursuit::new(jimmy, ToMove::Ghosts, limits)? {
        Some(pursuit) => shortest_lines::count(&pursuit, length, limits),
        None => Ok(0),
    }
}

/// Returns the line without the moves between two visits to the same cell.
pub(super) fn cut_loops(jimmy: &Jimmy, line: Vec<Dir>) -> Vec<Dir> {
    let mut seen = Bits::new(jimmy.grid);
    let mut at = jimmy.start;
    seen.insert(at);
    let mut path = vec![at];
    let mut cut: Vec<Dir> = Vec::with_capacity(line.len());
    for dir in line {
        let next = jimmy.grid.step(at, dir);
        at = next.expect("the line stays on the board");
        if seen.insert(at) {
            path.push(at);
            cut.push(dir);
            continue;
        }
        while path.last() != Some(&at) {
            let dropped = path.pop().expect("the cell is on the path");
            seen.remove(dropped);
            cut.pop();
        }
    }
    cut
}
