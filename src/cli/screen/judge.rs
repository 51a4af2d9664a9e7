//! Judges an edited board: its verdict with a shortest line, or its faults.

use std::sync::atomic::AtomicBool;

use anstyle::Style;
use getaway_board::fault::{BoardError, Fault};
use getaway_board::puzzle::Puzzle;
use getaway_search::search::Order;

use super::asker::{Asker, Inbox, limits};
use super::canvas::CellPosition;
use super::shelf::BoardFile;
use crate::cli::options::Options;
use crate::cli::output::text;
use getaway_solvers::answers::check_solvable;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Answer(String),
    /// The faults with their positions on the board, and the number of faults left out.
    Faults(Vec<(Option<CellPosition>, String)>, usize),
}

pub fn judge(options: &Options, wake: impl Fn() + Send + 'static) -> Asker<BoardFile, Judgement> {
    let options = options.clone();
    Asker::new(wake, move |inbox: Inbox<BoardFile, Judgement>| {
        inbox.answer(|file, stop| judged(file, &options, stop));
    })
}

pub fn judged(file: &BoardFile, options: &Options, stop: &AtomicBool) -> Judgement {
    let (mut puzzle, read) = file.board(0).read();
    options.apply_headers(&mut puzzle);
    match read.and_then(|()| answer(&puzzle, options, stop)) {
        Ok(answer) => Judgement::Answer(answer),
        Err(BoardError { faults, more }) => {
            let ruleset = options.likely_ruleset(&puzzle);
            let name = |place| match puzzle.position_of(place) {
                Some((row, col)) => ruleset.place(&puzzle, row, col),
                None => place.to_string(),
            };
            let described = |fault: &Fault| {
                let text = format!("{}: {}", fault.kind.with_places(name), fault.kind.help());
                if fault.kind.is_of_whole_board() {
                    return (None, text);
                }
                let text = format!("{}: {text}", name(fault.place));
                (puzzle.position_of(fault.place), text)
            };
            Judgement::Faults(faults.iter().map(described).collect(), more)
        }
    }
}

fn answer(puzzle: &Puzzle, options: &Options, stop: &AtomicBool) -> Result<String, BoardError> {
    let (ruleset, game) = options.read(puzzle)?;
    options.warnings(ruleset, &*game, puzzle)?;
    check_solvable(&*game, puzzle)?;
    let solution = game.solve(Order::Shortest, &limits(options, stop));
    Ok(text::solution(&solution, Style::new()))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
