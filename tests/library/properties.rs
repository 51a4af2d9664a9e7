//! Random boards: searches agree with naive oracles, lines replay, and written boards read back.

use std::sync::Arc;

use getaway_board::limits::{Decision, Limits};
use getaway_board::puzzle::{Puzzle, json, text};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::Ending;
use getaway_rules::baddies::Baddies;
use getaway_rules::jimmy::Jimmy;
use getaway_ruleset::Notation;
use getaway_search::search::{Finding, Order, Search};
use getaway_search::visited::ExactSet;
use getaway_solvers::game::{Game, Gameplay, Plan};
use getaway_solvers::searched::BySearch;
use proptest::prelude::*;

use crate::boards::from_text;
use crate::oracle::{self, Board, Fate};
use crate::pieces::found;
use getaway_testing::sized;

/// Generates boards of at most `rows` x `cols` cells, with weighted glyphs and one `runner`.
fn boards(
    (rows, cols): (usize, usize),
    glyphs: &'static [(u32, char)],
    runner: char,
    goal: Option<char>,
) -> impl Strategy<Value = Vec<String>> {
    let glyph = prop::strategy::Union::new_weighted(
        glyphs
            .iter()
            .map(|&(weight, glyph)| (weight, Just(glyph)))
            .collect(),
    );
    let pick = any::<prop::sample::Index>;
    (1..=rows, 2..=cols, pick(), pick())
        .prop_flat_map(move |(rows, cols, a, b)| {
            (
                prop::collection::vec(glyph.clone(), rows * cols),
                Just((cols, a, b)),
            )
        })
        .prop_map(move |(mut cells, (cols, a, b))| {
            let at = a.index(cells.len());
            if let Some(goal) = goal {
                let skip = 1 + b.index(cells.len() - 1);
                let size = cells.len();
                cells[(at + skip) % size] = goal;
            }
            cells[at] = runner;
            cells.chunks(cols).map(|row| row.iter().collect()).collect()
        })
}

fn jimmys(side: usize) -> impl Strategy<Value = Vec<String>> {
    boards((side, side), &[(10, '.'), (6, '#'), (1, 'g')], 'o', None)
}

fn walled_jimmys() -> impl Strategy<Value = Vec<String>> {
    jimmys(7)
        .prop_flat_map(|rows| (Just(rows), any::<prop::sample::Index>()))
        .prop_map(|(rows, gap)| {
            let width = rows[0].len() + 2;
            let mut walled = vec!["#".repeat(width)];
            walled.extend(rows.iter().map(|row| format!("#{row}#")));
            walled.push("#".repeat(width));
            let at = gap.index(2 * width);
            let (row, col) = if at < width {
                (0, at)
            } else {
                (walled.len() - 1, at - width)
            };
            walled[row].replace_range(col..=col, ".");
            walled
        })
}

fn heroes() -> impl Strategy<Value = Vec<String>> {
    let glyphs = &[(20, ' '), (3, '+'), (3, '#'), (1, 'm'), (1, 'M'), (1, '~')];
    boards((5, 6), glyphs, 'H', Some('*'))
}

fn read<G>(headers: &str, rows: &[String], read: impl Fn(&Puzzle) -> G) -> G {
    let drawing = format!("{headers}{}\n", rows.join("\n"));
    read(&from_text(&drawing))
}

fn solver<S: Gameplay>(puzzle: &Puzzle) -> S {
    S::new(Arc::new(S::Board::read(puzzle).unwrap()))
}

fn solve(game: &dyn Game, order: Order) -> Solution {
    game.solve(order, &Limits::default())
}

fn length(game: &dyn Game, solution: &Solution) -> Option<usize> {
    let Evidence::Line(line) = &solution.evidence else {
        return None;
    };
    let plan = Plan {
        moves: Some(line),
        ..Plan::default()
    };
    assert_eq!(
        game.replay(&plan).unwrap(),
        Ending::Escaped { turns: line.len() }
    );
    Some(line.len())
}

fn check_jimmy(rows: &[String]) -> Result<(), TestCaseError> {
    let Ok(shortest) = oracle::jimmy(&Board::new(rows)) else {
        return Ok(());
    };
    for headers in ["; ruleset: jimmy\n", "; ruleset: jimmy\n; revisit: true\n"] {
        let game = read(headers, rows, solver::<BySearch<Jimmy>>);
        let (deep, wide) = (
            solve(&game, Order::DepthFirst),
            solve(&game, Order::Shortest),
        );
        prop_assert_eq!(length(&game, &wide), shortest, "{:#?}", rows);
        prop_assert_eq!(deep.verdict(), wide.verdict());
        prop_assert_eq!(
            length(&game, &deep).is_some(),
            deep.verdict() == Verdict::Escape
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sized(1500, 6000), ..ProptestConfig::default() })]

    #[test]
    fn jimmy_depth_first_breadth_first_and_trying_all_agree(rows in jimmys(9)) {
        check_jimmy(&rows)?;
    }

    #[test]
    fn jimmy_agrees_behind_walls_with_one_gap(rows in walled_jimmys()) {
        check_jimmy(&rows)?;
    }

    /// The reference search keeps the visited cells in its states.
    #[test]
    fn jimmy_agrees_with_the_fallback(rows in walled_jimmys()) {
        let game = read("", &rows, |puzzle| Jimmy::read(puzzle).unwrap());
        let mut search = Search::new(ExactSet::default());
        let limits = Limits { max_states: Some(50_000), ..Limits::default() };
        let verdict = solve(&read("", &rows, solver::<BySearch<Jimmy>>), Order::DepthFirst).verdict();
        match search.run(&game, Order::DepthFirst, &limits) {
            Finding::Escape(_) => prop_assert_eq!(verdict, Verdict::Escape),
            Finding::Caught => prop_assert_eq!(verdict, Verdict::Caught),
            Finding::Undecided(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sized(500, 2000), ..ProptestConfig::default() })]

    #[test]
    fn baddies_depth_first_breadth_first_and_trying_all_agree(rows in heroes()) {
        let game = read("; ruleset: baddies\n", &rows, solver::<BySearch<Baddies>>);
        let (deep, wide) = (solve(&game, Order::DepthFirst), solve(&game, Order::Shortest));
        prop_assert_eq!(deep.verdict(), wide.verdict());
        prop_assert_eq!(length(&game, &deep).is_some(), deep.verdict() == Verdict::Escape);
        let fate = match wide.evidence {
            Evidence::Survives(survives) => Fate::Caught(Option::from(survives).unwrap()),
            _ => Fate::Escape(length(&game, &wide).unwrap()),
        };
        prop_assert_eq!(fate, oracle::baddies(&Board::new(&rows)), "{:#?}", rows);
        if let Evidence::Survives(survives) = deep.evidence {
            prop_assert_eq!(Evidence::Survives(survives), wide.evidence);
        }
    }

    #[test]
    fn a_trace_without_moves_ends_as_the_verdict_says(rows in heroes()) {
        let game = read("; ruleset: baddies\n", &rows, solver::<BySearch<Baddies>>);
        let ending = game.replay(&Plan::default()).unwrap();
        let solution = solve(&game, Order::DepthFirst);
        match (solution.verdict(), solution.evidence) {
            (Verdict::Escape, _) => prop_assert!(matches!(ending, Ending::Escaped { .. }), "{:?}", ending),
            (_, Evidence::Survives(Decision::Yes)) => {
                prop_assert!(matches!(ending, Ending::Open { .. }), "{:?}", ending);
            }
            _ => prop_assert!(matches!(ending, Ending::Caught { .. }), "{:?}", ending),
        }
    }
}

fn header_text() -> impl Strategy<Value = String> {
    "[!-9<-~é]([ -~é]{0,12}[!-~é])?".prop_filter("no colon in keys", |text| !text.contains(':'))
}

proptest! {
    #[test]
    fn a_board_written_as_text_is_read_back(
        headers in prop::collection::btree_map("[a-z]{1,8}", header_text(), 0..4),
        // A line that begins like a JSON object is refused.
        rows in prop::collection::vec("[^;`~{\\s\\x00-\\x1f-]([ -~]{0,8}[!-~])?", 1..6),
    ) {
        let headers: String =
            headers.iter().map(|(key, value)| format!("; {key}: {value}\n")).collect();
        let drawing = format!("{headers}{}\n\n", rows.join("\n"));
        let mut puzzle = Puzzle::empty();
        let mut boards = text::Boards::new(drawing.as_bytes(), 1);
        prop_assert!(boards.read(&mut puzzle).unwrap());
        let mut written = Vec::new();
        puzzle.write_text(&mut written).unwrap();
        prop_assert_eq!(std::str::from_utf8(&written).unwrap(), drawing.as_str());
        let mut again = Puzzle::empty();
        prop_assert!(text::Boards::new(&written, 1).read(&mut again).unwrap());
        prop_assert_eq!(found(Ok(true), &again), found(Ok(true), &puzzle));
    }

    #[test]
    fn a_board_written_as_json_is_read_back(
        headers in prop::collection::btree_map("[a-h]{1,8}", any::<String>(), 0..4),
        rows in prop::collection::vec(any::<String>(), 1..6),
        id in prop_oneof![Just("7".to_owned()), Just("\"x\\n\"".to_owned()), Just("[1,{}]".to_owned())],
    ) {
        let fields: String = headers
            .iter()
            .map(|(key, value)| format!("{}: {}, ", quote(key), quote(value)))
            .collect();
        let rows: Vec<_> = rows.iter().map(|row| quote(row)).collect();
        let line = format!("{{\"id\": {id}, {fields}\"rows\": [{}]}}", rows.join(", "));
        let mut puzzle = Puzzle::empty();
        prop_assert!(json::read_line(line.as_bytes(), 1, &mut puzzle).unwrap());
        prop_assert_eq!(puzzle.to_json(|_| false), line.clone());
        let written = puzzle.to_json(|_| false);
        let mut again = Puzzle::empty();
        prop_assert!(json::read_line(written.as_bytes(), 1, &mut again).unwrap());
        prop_assert_eq!(found(Ok(true), &again), found(Ok(true), &puzzle));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[og#.HmM~*+|; \\-\\n\\r\\[{\"}é0-9,:rs]{0,80}") {
        let mut boards = text::Boards::new(text.as_bytes(), 1);
        let mut puzzle = Puzzle::empty();
        loop {
            match boards.read(&mut puzzle) {
                Ok(false) => break,
                Ok(true) => {
                    for result in [Jimmy::read(&puzzle).err(), Baddies::read(&puzzle).err()] {
                        for fault in result.into_iter().flat_map(|error| error.faults) {
                            let lines = text.lines().count() as u64;
                            prop_assert!((1..=lines).contains(&fault.place.line));
                            prop_assert!(!fault.kind.help().is_empty());
                        }
                    }
                }
                Err(error) => prop_assert!(!error.faults.is_empty()),
            }
        }
    }
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}
