//! Points for grading.

use crate::fault::Fault;
use crate::puzzle::Puzzle;

/// Returns the header `points`, or 1 if it is missing.
pub fn points(puzzle: &Puzzle) -> Result<f64, Fault> {
    let wanted = |_: &str| "write a number from 0 to 1000000, such as `2.5`".to_owned();
    let is_possible = |points: &f64| (0.0..=1e6).contains(points) && points.is_sign_positive();
    let read = |text: &str| text.parse().ok().filter(is_possible);
    Ok(puzzle.setting("points", wanted, read)?.unwrap_or(1.0))
}
