//! How boards are drawn: a file for each ruleset.

pub mod baddies;
pub mod dungeon;
pub mod jimmy;
pub mod legend;
pub mod maze;
pub mod theseus;

use super::layout::Layout;

/// All of them.
pub const LAYOUTS: [&dyn Layout; 5] = [
    &jimmy::Jimmy,
    &baddies::Baddies,
    &maze::Maze,
    &dungeon::Dungeon,
    &theseus::Theseus,
];

/// How the boards of this ruleset are drawn.
pub fn find(ruleset: &str) -> Option<&'static dyn Layout> {
    LAYOUTS
        .into_iter()
        .find(|layout| layout.ruleset() == ruleset)
}
