//! Solves boards with the shortcut for small boards, and line by line.

use getaway::Limits;
use getaway::engine::search::Order;
use getaway::puzzle::Puzzle;
use getaway::puzzle::text::Boards;
use getaway::rulesets::{RULESETS, decide_small, of_board};
use getaway::solution::Solution;

/// The line, ruleset and solution; `None` for an invalid board.
pub type Answers = Vec<Option<(u64, &'static str, Solution)>>;

fn answer(puzzle: &Puzzle, order: Order, limits: &Limits) -> Option<(u64, &'static str, Solution)> {
    let entry = of_board(RULESETS, puzzle).ok()?;
    let game = (entry.read)(puzzle).ok()?;
    Some((puzzle.line, entry.name, game.solve(order, limits)))
}

/// Also returns the number of boards that took the shortcut.
pub fn mixed(text: &str, order: Order, limits: &Limits) -> (Answers, usize) {
    let (mut boards, mut puzzle) = (Boards::new(text.as_bytes(), 1), Puzzle::empty());
    let (mut answers, mut at_once) = (Vec::new(), 0);
    loop {
        let mut ahead = boards.clone();
        let small = ahead.read_small(&mut puzzle);
        if let Some((ruleset, solution)) =
            small.and_then(|small| decide_small(&small, order, limits))
        {
            boards = ahead;
            answers.push(Some((puzzle.line, ruleset, solution)));
            at_once += 1;
            continue;
        }
        match boards.read(&mut puzzle) {
            Ok(false) => return (answers, at_once),
            Ok(true) => answers.push(answer(&puzzle, order, limits)),
            Err(_) => answers.push(None),
        }
    }
}

pub fn line_by_line(text: &str, order: Order, limits: &Limits) -> Answers {
    let (mut boards, mut puzzle) = (Boards::new(text.as_bytes(), 1), Puzzle::empty());
    let mut answers = Vec::new();
    loop {
        match boards.read(&mut puzzle) {
            Ok(false) => return answers,
            Ok(true) => answers.push(answer(&puzzle, order, limits)),
            Err(_) => answers.push(None),
        }
    }
}

pub fn with_returns(text: &str) -> String {
    text.replace('\r', "").replace('\n', "\r\n")
}
