use std::time::Instant;

use crate::answers::{Analysed, Answer, Claim, Evaluated, check_solvable};
use crate::engine::search::Order;
use crate::fault::{BoardError, FaultKind};
use crate::game::shortened;
use crate::puzzle::Puzzle;

use super::options::{Detail, Options};
use super::panics;

pub fn evaluate<'p>(
    options: &Options,
    puzzle: &'p Puzzle<'p>,
    read: (Result<(), BoardError>, Option<Instant>),
) -> Evaluated<'p> {
    let answer = || {
        let answer = panics::caught(|| answer(options, puzzle));
        answer.unwrap_or_else(|panic| Err(internal_error(puzzle, panic)))
    };
    Evaluated::of(puzzle, read, || options.ruleset(puzzle), answer)
}

fn answer(options: &Options, puzzle: &Puzzle) -> Result<Answer, BoardError> {
    panics::on_purpose(puzzle.name().unwrap_or_default());
    let (entry, game) = options.read(puzzle)?;
    let mut warnings = options.warnings(entry, puzzle)?;
    check_solvable(&*game, puzzle)?;
    let mut limits = puzzle.limits_left();
    // The replay comes first because it is fast, and because the search may exhaust the limits.
    let claim = match &options.agent {
        Some(agent) => agent.claim((entry, puzzle), &*game, &mut limits)?,
        None => Claim::of_headers(puzzle, &*game, &limits)?,
    };
    let mut solution = game.solve(options.order, &limits);
    if options.shortens {
        let cells = puzzle.rows.iter().map(|row| row.text.len() as u64).sum();
        solution = shortened(solution, cells, &limits, |few| {
            game.solve(Order::BreadthFirst, few)
        });
    }
    // Later searches count their states separately.
    solution.note(limits.gauge.take());
    let evidence = &options.evidence;
    let missing = evidence.of((entry, puzzle), (&*game, &solution), &limits)?;
    let is_verified = missing.is_none();
    warnings.extend(missing);
    let analysed = (options.detail == Detail::Analysis)
        .then(|| Box::new(Analysed::new((entry, puzzle), &*game, &solution, &limits)));
    let explanation =
        (options.detail == Detail::Explanation).then(|| Box::new(game.explain(&solution, &limits)));
    Ok(Answer {
        is_by_agent: options.agent.is_some(),
        is_verified,
        warnings,
        explanation,
        analysed,
        ..Answer::new(Some(entry), claim, solution)
    })
}

pub fn internal_error(puzzle: &Puzzle, message: String) -> BoardError {
    let kind = FaultKind::Other {
        message,
        help: panics::ADVICE.into(),
    };
    puzzle.fault(puzzle.place(), kind).into()
}
