//! The bodies of the runner and the walls: cells in order from head to tail.

use std::collections::VecDeque;

use getaway_board::grid::Cell;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Body(VecDeque<Cell>);

impl Body {
    pub(super) fn new(head: Cell, rest: &[Cell]) -> Self {
        Self([&[head], rest].concat().into())
    }

    pub(super) fn head(&self) -> Cell {
        self.0[0]
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.0.iter().copied()
    }

    pub(super) fn grow(&mut self, to: Cell) {
        self.0.push_front(to);
    }

    /// Moves the head to `to`, and each other cell to the place of the one before it; returns the cell that becomes free.
    pub(super) fn step(&mut self, to: Cell) -> Cell {
        let last = self.0.pop_back().expect("a body has a head");
        self.0.push_front(to);
        last
    }
}
