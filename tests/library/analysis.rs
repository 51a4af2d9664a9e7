//! Compares `analysis` and `removals` with brute force.

use std::hash::Hash;
use std::sync::atomic::AtomicBool;

use getaway::{Board, Bounds, Limits};
use getaway_board::limits::Limit;
use getaway_play::analysis::{Analysis, Count, Mistake, RandomPlay, Removal};
use getaway_play::evaluation::{Lifetime, PositionValue};
use getaway_rules::baddies::Baddies;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Deterministic, Notation};
use getaway_solvers::removals::necessary_items;

use crate::boards::{from_text, puzzles};
use crate::random_boards;
use crate::table::{Table, To};

fn analysed(text: &str) -> Analysis {
    analysed_with_line(text).0
}

fn analysed_with_line(text: &str) -> (Analysis, String) {
    let board: Board = text.parse().unwrap();
    let limits = Limits::default();
    let solution = board.solve_shortest(&limits);
    let line = solution.line().unwrap_or_default().to_owned();
    (board.game().analyse(&solution, &limits), line)
}

impl<R: Deterministic<State: Eq + Hash>> Table<R> {
    fn lines(&self, from: usize, moves: usize) -> u128 {
        let of_move = |(_, to): &(R::Move, To)| match to {
            To::Out => u128::from(moves == 1),
            To::Position(to) if moves > 1 => self.lines(*to, moves - 1),
            _ => 0,
        };
        self.moves[from].iter().map(of_move).sum()
    }

    /// Returns the last turn in which some move loses, with the losing move that survives longest.
    fn last_mistake(&self, line: &str) -> Option<Mistake> {
        let (mut at, mut last) = (0, None);
        for (turn, played) in (1..).zip(line.chars().map(String::from)) {
            let mut longest: Option<(String, Lifetime)> = None;
            for (mv, to) in &self.moves[at] {
                let lives = match *to {
                    To::Out => continue,
                    To::Lost => Lifetime::Moves(1),
                    To::Position(to) if self.escape[to].is_some() => continue,
                    To::Position(to) => match self.lives[to] {
                        Lifetime::Moves(moves) => Lifetime::Moves(moves + 1),
                        Lifetime::Forever => Lifetime::Forever,
                    },
                };
                if longest.as_ref().is_none_or(|(_, before)| lives > *before) {
                    longest = Some((mv.to_string(), lives));
                }
            }
            if let Some((mv, lives)) = longest {
                last = Some(Mistake {
                    turn,
                    mv,
                    instead_of: played.clone(),
                    lives: Some(lives),
                });
            }
            let is_played = |(mv, _): &&(R::Move, To)| mv.to_string() == played;
            if let Some((_, To::Position(to))) = self.moves[at].iter().find(is_played) {
                at = *to;
            }
        }
        last
    }

    fn random_walk(&self, rounds: usize) -> f64 {
        let mut outcomes = vec![0.0; self.moves.len()];
        for _ in 0..rounds {
            let before = outcomes.clone();
            for (chance, moves) in outcomes.iter_mut().zip(&self.moves) {
                let of_move = |(_, to): &(R::Move, To)| match to {
                    To::Out => 1.0,
                    To::Lost => 0.0,
                    To::Position(to) => before[*to],
                };
                *chance = moves.iter().map(of_move).sum::<f64>() / moves.len().max(1) as f64;
            }
        }
        outcomes[0]
    }
}

/// Compares the analyses of these boards; returns the number of boards with an escape.
fn compare<R>(texts: impl Iterator<Item = String>) -> usize
where
    R: Notation + Deterministic<State: Eq + Hash>,
{
    let mut escapes = 0;
    for text in texts {
        let Ok(rules) = R::read(&from_text(&text)) else {
            continue;
        };
        let Some(table) = Table::new(rules, 3000) else {
            continue;
        };
        let (analysis, line) = analysed_with_line(&text);
        let positions = table.moves.len() as u64;
        assert_eq!(
            analysis.reachable,
            Some(Count::Exactly(positions)),
            "{text}"
        );
        assert_eq!(analysis.cut_short, [], "{text}");
        assert_eq!(analysis.length, table.escape[0], "{text}");
        let Some(length) = table.escape[0] else {
            continue;
        };
        if length > 7 {
            continue;
        }
        escapes += 1;
        assert_eq!(analysis.last_mistake, table.last_mistake(&line), "{text}");
        let lines = table.lines(0, length);
        assert_eq!(
            analysis.shortest_lines,
            Some(Count::Exactly(lines)),
            "{text}"
        );
        let dead = table
            .escape
            .iter()
            .filter(|escape| escape.is_none())
            .count();
        assert_eq!(analysis.dead_ends, Some(dead as u64), "{text}");
        let Some(RandomPlay::Exact(Bounds { lower, upper })) = analysis.random else {
            panic!("{:?}: {text}", analysis.random)
        };
        let chance = table.random_walk(3000);
        assert!(
            lower - 1e-6 <= chance && chance <= upper + 1e-9,
            "{chance}, not {lower} to {upper}: {text}"
        );
        assert!(upper - lower <= 1e-6, "{lower} to {upper}: {text}");
    }
    escapes
}

#[test]
fn jimmys_counts_are_those_of_trying_everything() {
    let escapes = compare::<Jimmy>(random_boards::jimmy(21, 400));
    assert!(escapes > 60, "{escapes}");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_heros_counts_are_those_of_trying_everything() {
    let escapes = compare::<Baddies>(random_boards::baddies(22, 200));
    assert!(escapes > 50, "{escapes}");
}

#[test]
fn theseus_counts_are_those_of_trying_everything() {
    let escapes = compare::<Theseus>(random_boards::theseus(23, 150));
    assert!(escapes > 30, "{escapes}");
}

const POCKET: &str = "\
#######
#o.....
#.#####
#.#####
#######
";

#[test]
fn a_pocket_is_a_mistake_for_two_moves() {
    let analysis = analysed(POCKET);
    let trapped = PositionValue::Caught {
        lives: Some(Lifetime::Moves(2)),
    };
    let moves = [
        ("D".to_owned(), trapped),
        ("R".to_owned(), PositionValue::Escape { moves: Some(5) }),
    ];
    assert_eq!(analysis.first_moves, moves);
    assert_eq!(analysis.forced, Some(vec![1]));
    let mistake = Mistake {
        turn: 1,
        mv: "D".into(),
        instead_of: "R".into(),
        lives: Some(Lifetime::Moves(2)),
    };
    assert_eq!(analysis.last_mistake, Some(mistake));
    assert_eq!(analysis.reachable, Some(Count::Exactly(7)));
    assert_eq!(analysis.dead_ends, Some(2));
    let difficulty = analysis.difficulty.unwrap().bits();
    assert!((difficulty - (6_f64.log2() + 1.5_f64.log2())).abs() < 1e-12);
}

#[test]
fn the_last_mistake_considers_all_moves() {
    // In turn 1, it is a mistake to go right. In turn 2, it is one to go up, where Jimmy is trapped at once.
    let analysis = analysed("#######\n#....g#\n..o...#\n#######\n");
    let mistake = analysis.last_mistake.unwrap();
    assert_eq!(
        (mistake.turn, &*mistake.instead_of),
        (2, "L"),
        "{mistake:?}"
    );
}

#[test]
fn harder_boards_have_a_greater_difficulty() {
    let corridor = "#######\n#o.....\n#######\n";
    let deep_pocket = "#######\n#o.....\n#.#####\n#.#####\n#.#####\n#.#####\n#######\n";
    let two_pockets = "\
#######
#.#.###
#.#.###
#o.....
#.#.###
#.#.###
#######
";
    let theseus = puzzles("theseus")
        .into_iter()
        .find(|(name, _)| name == "01-a-maze");
    let boards = [
        "o\n".to_owned(),
        "###\n#o.\n###\n".to_owned(),
        corridor.to_owned(),
        POCKET.to_owned(),
        deep_pocket.to_owned(),
        two_pockets.to_owned(),
        theseus.unwrap().1,
    ];
    let bits: Vec<f64> = boards
        .iter()
        .map(|board| analysed(board).difficulty.unwrap().bits())
        .collect();
    assert!(bits.is_sorted_by(|a, b| a < b), "{bits:?}");
    assert_eq!(bits[0].to_bits(), 0.0_f64.to_bits());
    assert!((bits[1] - 1.0).abs() < 1e-12);
}

fn with(text: &str, (row, col): (usize, usize), glyph: char) -> String {
    let mut rows: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
    rows[row][col] = glyph;
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join("\n") + "\n"
}

fn changes(text: &str, things: &str, empty: char) -> Vec<(char, u64, u64)> {
    let verdict = |text: &str| {
        let board: Board = text.parse().unwrap();
        board.solve(&Limits::default()).verdict()
    };
    let mut found = Vec::new();
    for glyph in things.chars() {
        for (row, line) in text.lines().enumerate() {
            for (col, c) in line.chars().enumerate() {
                if c == glyph && verdict(&with(text, (row, col), empty)) != verdict(text) {
                    found.push((glyph, row as u64 + 1, col as u64 + 1));
                }
            }
        }
    }
    found
}

/// Reading a board this large checks the limits.
#[test]
fn a_limit_on_reading_a_reduced_board_is_reported() {
    let wall = "#".repeat(2100) + "\n";
    let text = wall.repeat(1000) + "o" + &wall[1..] + &wall.repeat(1000);
    let mut puzzle = from_text(&text);
    let board = Board::read(&puzzle).unwrap();
    let solution = board.solve(&Limits::default());
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    puzzle.set_limits(limits);
    let found = necessary_items(board.ruleset(), &puzzle, &solution, &limits);
    assert_eq!(found, (Vec::new(), Some(Limit::Interrupt)));
}

fn that_matter_on(text: &str) -> Vec<(char, u64, u64)> {
    let puzzle = from_text(text);
    let board = Board::read(&puzzle).unwrap();
    let limits = Limits::default();
    let solution = board.solve_shortest(&limits);
    let (removals, limit) = necessary_items(board.ruleset(), &puzzle, &solution, &limits);
    assert_eq!(limit, None);
    let place = |removal: &Removal| (removal.glyph, removal.line, removal.column);
    removals.iter().map(place).collect()
}

#[test]
fn a_cell_matters_if_it_changes_the_verdict() {
    // Removing a wall beside Jimmy helps as much as removing the ghost that blocks the only way out.
    let cornered = "####\n#o.g\n####\n";
    // Every wall next to a reachable cell is a way out if removed; the corners are not.
    let walled_in = "####\n#o.#\n####\n";
    for text in [cornered, walled_in] {
        assert_eq!(that_matter_on(text), changes(text, "g#", '.'), "{text}");
    }
    assert_eq!(
        that_matter_on(walled_in),
        [
            ('#', 1, 2),
            ('#', 1, 3),
            ('#', 2, 1),
            ('#', 2, 4),
            ('#', 3, 2),
            ('#', 3, 3)
        ]
    );
    let mut matters = 0;
    for text in random_boards::baddies(24, 60) {
        let text = text.replace("; ruleset: baddies\n", "");
        if text.parse::<Board>().is_err() {
            continue;
        }
        let found = that_matter_on(&text);
        matters += found.len();
        let mut expected = changes(&text, "mM~+#", ' ');
        // Chasers come first, then walls, then the abyss, each from top to bottom.
        expected.sort_by_key(|&(glyph, row, col)| ("+#".find(glyph), row, col));
        assert_eq!(found, expected, "{text}");
    }
    assert!(matters > 20, "{matters}");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn games_under_best_play_match_the_probability() {
    let mut compared = 0;
    for (name, text) in puzzles("dungeon") {
        let Ok(board) = text.parse::<Board>() else {
            continue;
        };
        let solution = board.solve(&Limits::default());
        let Some(probability) = solution.evidence.probability() else {
            continue;
        };
        let analysis = board.game().analyse(&solution, &Limits::default());
        let Some(play) = analysis.best_play else {
            assert!(probability <= 0.0, "{name}");
            continue;
        };
        let caught: u64 = play.caught_by.values().sum();
        assert_eq!(play.escaped + caught + play.open, play.games, "{name}");
        // The test allows five standard deviations; unfinished games may count either way.
        let games = play.games as f64;
        let slack = 5.0 * (probability * (1.0 - probability) / games).sqrt() + 1e-9;
        let rates = [play.escaped, play.escaped + play.open].map(|games| games as f64);
        assert!(rates[0] / games <= probability + slack, "{name}");
        assert!(rates[1] / games >= probability - slack, "{name}");
        compared += usize::from(probability < 1.0);
    }
    assert!(compared >= 3, "{compared}");
}

#[test]
fn a_limit_is_reported_with_partial_results() {
    let board: Board = POCKET.parse().unwrap();
    let solution = board.solve_shortest(&Limits::default());
    let limits = Limits {
        max_states: Some(3),
        ..Limits::default()
    };
    let analysis = board.game().analyse(&solution, &limits);
    assert_eq!(analysis.length, Some(5));
    assert_eq!(analysis.shortest_lines, Some(Count::AtLeast(1)));
    let Some(Count::AtLeast(reachable)) = analysis.reachable else {
        panic!("{:?}", analysis.reachable)
    };
    assert!((3..=7).contains(&reachable), "{reachable}");
    assert!(
        matches!(analysis.random, Some(RandomPlay::Played { games, .. }) if (1..games.games).contains(&games.escaped))
    );
    assert!(
        analysis
            .cut_short
            .iter()
            .all(|(_, limit)| *limit == Limit::States)
    );
    assert!(analysis.cut_short.len() >= 2, "{:?}", analysis.cut_short);
}
