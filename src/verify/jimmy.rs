//! Comparison of positions in `jimmy`, using two facts besides the rulebook. Both are proved for boards of any size in
//! `tests/proofs`, and a certificate names those that it needs.
//!
//! *Dominance.* A ghost T dominates a ghost S if their cells have the same parity (row + column), and either T is in
//! Jimmy's column and S is in T's row or beyond it, as seen from Jimmy; or both are in the same row on the same side
//! of Jimmy's column, and T is no further from that column than S. Just after the ghosts have moved, any play that is
//! safe from T from then on is also safe from S. So one position may stand for another with Jimmy in the same cell if
//! each ghost of the former is dominated by a ghost of the latter.
//!
//! *Loops.* A way out that returns to a cell can be cut short there. So if there is a way out, there is one that
//! visits no cell twice, and the cells that Jimmy has visited do not matter.

use super::closed::{Compared, Turn};
use crate::bits::Bits;
use crate::grid::Cell;
use crate::rules::jimmy::{Jimmy, State};
use crate::ruleset::{Deterministic, Outcome, Ruleset};

/// Compares positions by dominance, ignoring the rule against returning to visited cells.
pub(super) struct ByDominance {
    jimmy: Jimmy,
}

/// A position just after the ghosts have moved.
pub(super) struct Position {
    jimmy: Cell,
    /// The cells of the ghosts in row-major order, each listed once.
    ghosts: Box<[Cell]>,
}

impl ByDominance {
    /// The board with or without its ghosts. (A position without ghosts may stand for one with them.)
    pub(super) fn new(jimmy: &Jimmy, ghosts: Ghosts) -> Self {
        let mut jimmy = Jimmy {
            revisit: true,
            ..jimmy.clone()
        };
        if ghosts == Ghosts::None {
            jimmy.ghosts = Bits::new(jimmy.grid);
        }
        Self { jimmy }
    }

    fn position(&self, state: &State) -> Position {
        Position {
            jimmy: state.jimmy,
            ghosts: state.ghosts.iter(self.jimmy.grid).collect(),
        }
    }

    fn state(&self, at: &Position) -> State {
        let mut state = self.jimmy.start();
        state.jimmy = at.jimmy;
        state.ghosts.clear();
        for &ghost in &at.ghosts {
            state.ghosts.insert(ghost);
        }
        state
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ghosts {
    AsDrawn,
    None,
}

impl Compared for ByDominance {
    type Position = Position;

    fn opened(&self) -> Result<Position, Outcome> {
        Ok(self.position(&self.jimmy.opened()?))
    }

    fn turns(&self, at: &Position, out: &mut Vec<Turn<Position>>) {
        let state = self.state(at);
        let mut moves = Vec::new();
        self.jimmy.moves(&state, &mut moves);
        for mv in moves {
            let mut then = state.clone();
            let over = self.jimmy.play(&mut then, mv);
            out.push(Turn::new(over, || self.position(&then)));
        }
    }

    fn covers(&self, listed: &Position, reached: &Position) -> bool {
        let is_dominated = |&ghost: &Cell| self.is_dominated(ghost, reached);
        listed.jimmy == reached.jimmy && listed.ghosts.iter().all(is_dominated)
    }

    fn heap_bytes(&self) -> usize {
        size_of::<Cell>() * self.jimmy.ghosts.len()
    }
}

impl ByDominance {
    fn is_dominated(&self, ghost: Cell, by: &Position) -> bool {
        by.ghosts.binary_search(&ghost).is_ok()
            || by
                .ghosts
                .iter()
                .any(|&other| self.dominates(other, ghost, by.jimmy))
    }

    fn dominates(&self, t: Cell, s: Cell, jimmy: Cell) -> bool {
        let position = |cell| self.jimmy.grid.position(cell);
        let ((t_row, t_col), (s_row, s_col)) = (position(t), position(s));
        let (row, col) = position(jimmy);
        let is_beyond = t_row < row && s_row <= t_row || t_row > row && s_row >= t_row;
        let is_behind =
            t_row == s_row && (s_col <= t_col && t_col < col || s_col >= t_col && t_col > col);
        (t_row + t_col) % 2 == (s_row + s_col) % 2 && (t_col == col && is_beyond || is_behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;

    fn read(text: &str) -> Jimmy {
        let mut puzzle = Puzzle::empty();
        Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap();
        Jimmy::read(&puzzle).unwrap()
    }

    /// Returns whether ghost `T` dominates ghost `S` in a drawing with Jimmy at `o`.
    fn dominates(drawing: &str) -> bool {
        let jimmy = read(&drawing.replace(['T', 'S'], "g"));
        let flat = drawing.replace('\n', "");
        let cell = |glyph| jimmy.grid.nth(flat.find(glyph).unwrap()).unwrap();
        let [t, s, o] = ['T', 'S', 'o'].map(cell);
        ByDominance::new(&jimmy, Ghosts::AsDrawn).dominates(t, s, o)
    }

    #[test]
    fn a_ghost_dominates_what_is_behind_it_and_of_its_parity() {
        for (drawing, expected) in [
            (".S.\n...\n.T.\n.o.\n", true),
            (".T.\n...\n.S.\n.o.\n", false),
            (".S.\n.T.\n...\n.o.\n", false),
            ("S..\n.T.\n...\n.o.\n", true),
            (".o.\n...\n.T.\nS..\n", true),
            ("S..\n.o.\n.T.\n...\n", false),
            ("S.T.o\n", true),
            ("T.S.o\n", false),
            ("ST..o\n", false),
            ("S.o.T\n", false),
            ("o.T.S\n", true),
            ("....o\nS.T..\n", true),
            ("....o\n..T..\n..S..\n", false),
        ] {
            assert_eq!(dominates(drawing), expected, "{drawing}");
        }
    }

    #[test]
    fn a_position_takes_what_is_told() {
        let jimmy = read(&format!("o{}\n", "g.".repeat(50)));
        let game = ByDominance::new(&jimmy, Ghosts::AsDrawn);
        let state = jimmy.start();
        let mut position = None;
        let taken = allocation_counter::measure(|| position = Some(game.position(&state)));
        assert_eq!(position.map(|at| at.ghosts.len()), Some(50));
        assert_eq!(game.heap_bytes() as i64, taken.bytes_current);
    }

    /// A listed position covers those that have, for each of its ghosts, the same ghost or one that dominates it.
    #[test]
    fn a_position_covers_those_that_are_no_easier() {
        let jimmy = read(&format!("....o....\n{}", ".........\n".repeat(8)));
        let game = ByDominance::new(&jimmy, Ghosts::AsDrawn);
        let cell = |(row, col)| jimmy.grid.nth(9 * row + col).unwrap();
        let position = |jimmy, ghosts: &[(usize, usize)]| Position {
            jimmy: cell(jimmy),
            ghosts: ghosts.iter().copied().map(cell).collect(),
        };
        let listed = position((4, 4), &[(4, 0), (4, 8)]);
        for (jimmy, ghosts, expected) in [
            ((4, 4), &[(4, 0), (4, 8)][..], true),
            ((4, 4), &[(4, 2), (4, 8)], true),
            ((4, 4), &[(2, 2), (4, 0), (4, 6)], true),
            ((4, 4), &[(4, 0)], false),
            ((4, 4), &[(4, 1), (4, 8)], false),
            ((4, 4), &[], false),
            ((4, 5), &[(4, 0), (4, 8)], false),
        ] {
            let reached = position(jimmy, ghosts);
            assert_eq!(
                game.covers(&listed, &reached),
                expected,
                "{jimmy:?} {ghosts:?}"
            );
        }
    }
}
