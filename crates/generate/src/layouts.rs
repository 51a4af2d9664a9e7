//! The layouts: a file for each built-in ruleset, and one for all others.

mod baddies;
mod dungeon;
mod jimmy;
mod legend;
mod maze;
mod theseus;

use super::layout::Layout;
pub use legend::ByLegend;

/// The layouts of all built-in rulesets.
pub const LAYOUTS: [&dyn Layout; 5] = [
    &jimmy::Jimmy,
    &baddies::Baddies,
    &maze::Maze,
    &dungeon::Dungeon,
    &theseus::Theseus,
];

/// Returns the layout of a ruleset, if it has one.
pub fn find(ruleset: &str) -> Option<&'static dyn Layout> {
    let mut layouts = LAYOUTS.into_iter();
    layouts.find(|layout| layout.style().ruleset == ruleset)
}

#[cfg(test)]
#[path = "layouts_tests.rs"]
mod tests;
