//! Judges an edited board: its verdict with a shortest line, or its faults.

use std::sync::atomic::AtomicBool;

use crate::engine::search::Order;
use crate::fault::{BoardError, Fault, FaultKind, Place};
use crate::puzzle::Puzzle;
use anstyle::Style;

use super::asker::limits;
use super::asker::{Asker, Inbox, Older};
use super::canvas::Spot;
use super::shelf::BoardFile;
use crate::cli::evaluate::internal_error;
use crate::cli::options::Options;
use crate::cli::output::text;
use crate::cli::panics;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Answer(String),
    /// The faults with their positions on the board, and the number of omitted faults.
    Faults(Vec<(Option<Spot>, String)>, usize),
}

/// Judges the only board of each file, in a thread.
pub fn judge(options: &Options, wake: impl Fn() + Send + 'static) -> Asker<BoardFile, Judgement> {
    let options = options.clone();
    Asker::new(
        Older::Stop,
        wake,
        move |inbox: Inbox<BoardFile, Judgement>| {
            inbox.answer(|file, stop| judged(file, &options, stop));
        },
    )
}

pub fn judged(file: &BoardFile, options: &Options, stop: &AtomicBool) -> Judgement {
    let (mut puzzle, read) = file.board(0).read();
    options.apply_headers(&mut puzzle);
    let answer = panics::caught(|| {
        read?;
        answer(&puzzle, options, stop)
    });
    match answer.unwrap_or_else(|panic| Err(internal_error(&puzzle, panic))) {
        Ok(answer) => Judgement::Answer(answer),
        Err(BoardError { faults, more }) => {
            let ruleset = options.likely_ruleset(&puzzle);
            let name = |place| match puzzle.spot(place) {
                Some(spot) => ruleset.place(&puzzle, spot),
                None => place.to_string(),
            };
            let told = |fault: &Fault| (puzzle.spot(fault.place), told(fault, name));
            Judgement::Faults(faults.iter().map(told).collect(), more)
        }
    }
}

fn answer(puzzle: &Puzzle, options: &Options, stop: &AtomicBool) -> Result<String, BoardError> {
    let (ruleset, game) = options.read(puzzle)?;
    options.warnings(ruleset, puzzle)?;
    let unsolvable = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
    game.solvable().map_err(unsolvable)?;
    let solution = game.solve(Order::BreadthFirst, &limits(options, stop));
    Ok(text::solution(&solution, Style::new()))
}

fn told(fault: &Fault, name: impl Fn(Place) -> String) -> String {
    let (place, kind) = (name(fault.place), &fault.kind);
    format!("{place}: {}: {}", kind.with_places(name), kind.help())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use clap::Parser;

    use super::*;
    use crate::cli::args::{Cli, Command};

    fn judgement(path: &str, text: &str) -> Judgement {
        let cli = Cli::parse_from(["getaway", "solve"]);
        let Command::Solve(args) = cli.command else {
            unreachable!("`solve` is what was typed");
        };
        let options = Options::with_stop(&args.boards.how.search, None, Arc::default()).unwrap();
        let file = BoardFile::of(Path::new(path), text.into());
        judged(&file, &options, &AtomicBool::new(false))
    }

    #[test]
    fn a_board_is_answered_with_a_shortest_line() {
        let text = "; ruleset: jimmy\n####\n#o..\n####\n";
        let answer = Judgement::Answer("escape in 2 moves: RR".into());
        assert_eq!(judgement("a.txt", text), answer);
    }

    #[test]
    fn faults_are_told_with_their_place_on_the_board() {
        let text = "; ruleset: jimmy\n###\n#oo\n#x#\n";
        let Judgement::Faults(faults, 0) = judgement("a.txt", text) else {
            panic!("there are two faults");
        };
        let places: Vec<_> = faults.iter().map(|(spot, _)| *spot).collect();
        assert_eq!(places, [Some((1, 2)), Some((2, 1))]);
        let second = "2,3: two Jimmys: the first stands at 2,2: keep one `o`";
        assert_eq!(faults[0].1, second);
        assert!(
            faults[1].1.starts_with("3,2: unknown glyph `x`: "),
            "{}",
            faults[1].1
        );
    }

    #[test]
    fn a_fault_in_a_header_is_told_with_its_place_in_the_file() {
        let text = "; ruleset: theseus\n; exit: ajar\n+-+-+\n|T M|\n+-+ +\n|E  |\n+-+-+\n";
        let Judgement::Faults(faults, 0) = judgement("a.txt", text) else {
            panic!("there is a fault");
        };
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].1.starts_with("line 2, column 9: "),
            "{}",
            faults[0].1
        );
    }

    #[test]
    fn places_in_a_json_line_are_places_on_the_board_too() {
        let text = r#"{"ruleset": "jimmy", "rows": ["...", ".o.", ".x."]}"#;
        let Judgement::Faults(faults, 0) = judgement("a.jsonl", text) else {
            panic!("there is a fault");
        };
        assert_eq!(faults[0].0, Some((2, 1)));
    }
}
