//! The assignment's search, step by step.

use std::collections::BTreeMap;

use getaway_board::grid::Cell;
use getaway_board::limits::{Limit, Limits};
use getaway_play::explanation::{AStarStep, AStarSummary, OpenCell, PutCell, Tie};
use getaway_rules::maze::Maze;
use getaway_rules::maze::astar::{self, Distances, Event, OverwriteRule};

/// Passes the first `max` steps of the search to `sink`, and returns the summary; `None` if there is no head from which the
/// search could start.
pub(super) fn trace(
    maze: &Maze,
    max: u64,
    limits: &Limits,
    sink: &mut dyn FnMut(AStarStep),
) -> Result<Option<AStarSummary>, Limit> {
    let Some(head) = maze.head() else {
        return Ok(None);
    };
    let map = maze.map();
    let near = Distances::within(map, limits)?;
    // Both OPEN and the list of its cells in a step may hold every cell.
    let cells = map.grid().size() * (size_of::<(Cell, u32)>() + size_of::<OpenCell>());
    limits.check_memory(cells as u64)?;
    let search = |variant, observe: &mut dyn FnMut(Event)| {
        let found = astar::search(map, head, &near, variant, limits, observe);
        let path = found.map_err(|error| error.limit)?.path.unwrap_or_default();
        Ok(path.iter().map(|&cell| map.grid().position(cell)).collect())
    };
    let textbook_path = search(OverwriteRule::Textbook, &mut |_| {})?;
    let mut steps = Steps {
        maze,
        max,
        near: &near,
        open: BTreeMap::from([(head, 0)]),
        step: None,
        summary: AStarSummary::default(),
        sink,
    };
    let path = search(OverwriteRule::Assignment, &mut |event| steps.note(event))?;
    steps.step.into_iter().for_each(steps.sink);
    Ok(Some(AStarSummary {
        path,
        textbook_path,
        ..steps.summary
    }))
}

/// Groups events into steps.
struct Steps<'s> {
    maze: &'s Maze,
    max: u64,
    near: &'s Distances,
    /// The cells in OPEN with their costs.
    open: BTreeMap<Cell, u32>,
    /// The step under way; `None` before the first step and after the last one to be shown.
    step: Option<AStarStep>,
    summary: AStarSummary,
    sink: &'s mut dyn FnMut(AStarStep),
}

impl Steps<'_> {
    fn note(&mut self, event: Event) {
        match event {
            Event::Taken { cell, .. } => {
                self.summary.taken += 1;
                let next = (self.summary.taken <= self.max).then(|| self.next());
                let last = std::mem::replace(&mut self.step, next);
                last.into_iter().for_each(&mut self.sink);
                self.open.remove(&cell);
            }
            Event::Put {
                cell,
                cost,
                overwritten,
            } => {
                self.open.insert(cell, cost);
                let put = PutCell {
                    to: self.open_cell(cell, cost),
                    overwritten,
                };
                self.summary.overwritten += u64::from(overwritten.is_some());
                if put.is_unusual() {
                    self.summary.parting.get_or_insert(self.summary.taken);
                }
                self.step.iter_mut().for_each(|step| step.puts.push(put));
            }
        }
    }

    /// Returns the next step, before it puts any cells into OPEN.
    fn next(&self) -> AStarStep {
        let open = self.open.iter();
        let mut open: Vec<_> = open
            .map(|(&cell, &cost)| self.open_cell(cell, cost))
            .collect();
        open.sort_by_key(OpenCell::sum);
        let tie = match &*open {
            [first, second, ..] => Tie::between(first, second),
            _ => None,
        };
        AStarStep {
            open,
            tie,
            puts: Vec::new(),
        }
    }

    fn open_cell(&self, cell: Cell, cost: u32) -> OpenCell {
        OpenCell {
            cell: self.maze.map().grid().position(cell),
            cost,
            distance: self.near.at(cell),
        }
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
