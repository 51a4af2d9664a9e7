//! The layouts: a file for each ruleset.

mod baddies;
mod dungeon;
mod jimmy;
pub mod legend;
mod maze;
mod theseus;

use super::layout::Layout;

pub const LAYOUTS: [&Layout; 5] = [
    &jimmy::LAYOUT,
    &baddies::LAYOUT,
    &maze::LAYOUT,
    &dungeon::LAYOUT,
    &theseus::LAYOUT,
];

pub fn find(ruleset: &str) -> Option<&'static Layout<'static>> {
    LAYOUTS.into_iter().find(|layout| layout.ruleset == ruleset)
}
