//! Comparison of positions in `jimmy`, using two facts that `tests/proofs` proves for boards of any size.
//!
//! *Dominance.* A ghost T dominates a ghost S if their cells have the same parity (row + column), and either T is in
//! Jimmy's column and S is in T's row or beyond it, as seen from Jimmy; or both are in the same row on the same side
//! of Jimmy's column, and T is no further from that column than S. Just after the ghosts have moved, any play that is
//! safe from T from then on is also safe from S. So one position may stand for another with Jimmy in the same cell if
//! each ghost of the former is dominated by a ghost of the latter.
//!
//! *Loops.* A way out that returns to a cell can be cut short there. So if there is a way out, there is one that
//! visits no cell twice, and the cells that Jimmy has visited do not matter.

use super::closed::ClosedSetGame;
use getaway_board::grid::Cell;
use getaway_rules::jimmy::{Jimmy, State};
use getaway_ruleset::{Deterministic, Outcome, Ruleset, legal};

/// Compares positions by dominance, ignoring the rule against revisiting cells. A position without ghosts may stand for any other
/// with Jimmy in the same cell.
pub(super) struct ByDominance(pub(super) Jimmy);

/// A position just after the ghosts have moved.
pub(super) struct ChasedPosition {
    jimmy: Cell,
    /// The cells of the ghosts in row-major order, without duplicates.
    ghosts: Box<[Cell]>,
}

impl ByDominance {
    pub(super) fn new(jimmy: &Jimmy) -> Self {
        let mut revisiting = jimmy.clone();
        revisiting.revisit = true;
        Self(revisiting)
    }

    fn position(&self, state: &State) -> ChasedPosition {
        ChasedPosition {
            jimmy: state.jimmy,
            ghosts: state.ghosts.iter(self.0.grid).collect(),
        }
    }

    fn state(&self, at: &ChasedPosition) -> State {
        let mut state = self.0.start();
        state.jimmy = at.jimmy;
        state.ghosts.clear();
        for &ghost in &at.ghosts {
            state.ghosts.insert(ghost);
        }
        state
    }
}

impl ClosedSetGame for ByDominance {
    type Position = ChasedPosition;

    fn opened(&self) -> Result<ChasedPosition, Outcome> {
        Ok(self.position(&self.0.opened()?))
    }

    fn turns(&self, at: &ChasedPosition, out: &mut Vec<Result<ChasedPosition, Outcome>>) {
        let state = self.state(at);
        for mv in legal(&self.0, &state) {
            let mut then = state.clone();
            let over = self.0.play(&mut then, mv);
            out.push(over.map_or_else(|| Ok(self.position(&then)), Err));
        }
    }

    fn covers(&self, listed: &ChasedPosition, reached: &ChasedPosition) -> bool {
        let is_dominated = |&ghost: &Cell| self.is_dominated(ghost, reached);
        listed.jimmy == reached.jimmy && listed.ghosts.iter().all(is_dominated)
    }

    fn heap_bytes(&self) -> usize {
        size_of::<Cell>() * self.0.ghosts.len()
    }
}

impl ByDominance {
    fn is_dominated(&self, ghost: Cell, by: &ChasedPosition) -> bool {
        let mut others = by.ghosts.iter();
        by.ghosts.binary_search(&ghost).is_ok()
            || others.any(|&other| self.dominates(other, ghost, by.jimmy))
    }

    fn dominates(&self, t: Cell, s: Cell, jimmy: Cell) -> bool {
        let position = |cell| self.0.grid.position(cell);
        let ((t_row, t_col), (s_row, s_col)) = (position(t), position(s));
        let (row, col) = position(jimmy);
        let is_beyond = t_row < row && s_row <= t_row || t_row > row && s_row >= t_row;
        let is_behind =
            t_row == s_row && (s_col <= t_col && t_col < col || s_col >= t_col && t_col > col);
        (t_row + t_col) % 2 == (s_row + s_col) % 2 && (t_col == col && is_beyond || is_behind)
    }
}

#[cfg(test)]
#[path = "jimmy_tests.rs"]
mod tests;
