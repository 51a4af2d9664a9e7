//! Checks the graded collection in `puzzles/collection`.

use std::collections::HashSet;

use getaway::{Board, Limits, Solution, Verdict};
use getaway_play::analysis::{Analysis, Count};
use getaway_play::trace::Ending;

use crate::boards::{from_text, puzzles};
use getaway_testing::sized;

const BOARDS: [(&str, usize); 5] = [
    ("jimmy", 24),
    ("baddies", 24),
    ("maze", 12),
    ("dungeon", 24),
    ("theseus", 24),
];

struct Entry {
    file: String,
    text: String,
    board: Board,
    solution: Solution,
}

impl Entry {
    fn name(&self) -> &str {
        self.board.name().unwrap()
    }

    fn remark(&self, key: &str) -> Option<f64> {
        let start = format!("; {key}: ");
        let line = self
            .text
            .lines()
            .find_map(|line| line.strip_prefix(&start))?;
        line.split(' ').next()?.parse().ok()
    }

    fn header(&self, key: &str) -> Option<String> {
        let puzzle = from_text(&self.text);
        puzzle.header(key).map(|header| header.value.to_string())
    }

    fn analysis(&self) -> Analysis {
        self.board
            .game()
            .analyse(&self.solution, &Limits::default())
    }
}

fn collection(ruleset: &str) -> Vec<Entry> {
    let files = puzzles(&format!("collection/{ruleset}"));
    let entry = |(file, text): (String, String)| {
        let board: Board = text.parse().unwrap();
        let solution = board.solve_shortest(&Limits::default());
        Entry {
            file,
            text,
            board,
            solution,
        }
    };
    files.into_iter().map(entry).collect()
}

fn each(check: impl Fn(&str, &[Entry])) {
    for (ruleset, _) in BOARDS {
        check(ruleset, &collection(ruleset));
    }
}

#[test]
fn each_file_is_numbered_and_named_after_its_board() {
    for (ruleset, count) in BOARDS {
        let boards = collection(ruleset);
        assert_eq!(boards.len(), count, "{ruleset}");
        let mut names = HashSet::new();
        for (number, board) in (1..).zip(&boards) {
            assert_eq!(board.header("ruleset").as_deref(), Some(ruleset));
            let is_kept = |c: &char| *c == ' ' || *c == '-' || c.is_ascii_alphanumeric();
            let plain: String = board.name().chars().filter(is_kept).collect();
            let name = plain.to_lowercase().replace(' ', "-");
            assert_eq!(board.file, format!("{number:02}-{name}"));
            assert!(names.insert(board.name()), "{name}");
        }
    }
}

#[test]
fn each_board_has_the_answer_in_its_headers() {
    each(|ruleset, boards| {
        for board in boards {
            let (name, solution) = (board.name(), &board.solution);
            match ruleset {
                "dungeon" => {
                    let probability = solution.evidence.probability().unwrap();
                    let expected: f64 = board.header("expect").unwrap().parse().unwrap();
                    assert!((probability - expected).abs() <= 1e-6, "{name}");
                }
                "maze" => assert_eq!(solution.verdict(), Verdict::Food, "{name}"),
                _ => {
                    assert_eq!(solution.verdict(), Verdict::Escape, "{name}");
                    let moves = board.header("moves").unwrap();
                    let replay = board.board.replay(&moves).unwrap();
                    assert!(matches!(replay.ending(), Ending::Escaped { .. }), "{name}");
                    // The only shortest escape is the one that the search found.
                    assert_eq!(solution.line(), Some(&*moves), "{name}");
                    let shortest = board.remark("shortest escape");
                    assert_eq!(shortest, Some(moves.chars().count() as f64), "{name}");
                }
            }
        }
    });
}

#[test]
fn the_boards_go_from_easy_to_hard_and_have_one_shortest_escape() {
    each(|ruleset, boards| {
        let mut before = f64::NEG_INFINITY;
        for board in boards {
            let name = board.name();
            let difficulty = match ruleset {
                "dungeon" => -board.solution.evidence.probability().unwrap(),
                "maze" => {
                    let steps = board.analysis().length.unwrap() as f64;
                    assert_eq!(Some(steps), board.remark("path to the food"), "{name}");
                    steps
                }
                _ => {
                    let analysis = board.analysis();
                    assert_eq!(analysis.shortest_lines, Some(Count::Exactly(1)), "{name}");
                    let bits = analysis.difficulty.unwrap().bits();
                    let told = board.remark("difficulty in bits").unwrap();
                    assert!((bits - told).abs() <= 0.005 + 1e-9, "{name}: {bits}");
                    told
                }
            };
            assert!(difficulty >= before, "{name}: {difficulty} after {before}");
            before = difficulty;
        }
    });
}

#[test]
fn best_play_in_a_dungeon_does_not_wait_for_ever() {
    for board in collection("dungeon").iter().step_by(sized(3, 1)) {
        let turns = board.analysis().expected_turns.unwrap();
        assert!(turns.upper <= 60.0, "{}: {turns:?}", board.name());
    }
}

/// Returns the drawing as it looks in all eight symmetries of the square. Walls look alike in both directions.
fn images(rows: &[String]) -> Vec<Vec<String>> {
    let wall = |c| if matches!(c, '|' | '-') { '!' } else { c };
    let width = rows.iter().map(String::len).max().unwrap();
    let padded = rows.iter().map(|row| format!("{row:width$}"));
    let mut image: Vec<String> = padded.map(|row| row.chars().map(wall).collect()).collect();
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(
            image
                .iter()
                .map(|row| row.chars().rev().collect())
                .collect(),
        );
        let column = |at| {
            image
                .iter()
                .rev()
                .map(|row| char::from(row.as_bytes()[at]))
                .collect()
        };
        image = (0..image[0].len()).map(column).collect();
        all.push(image.clone());
    }
    all
}

#[test]
fn no_two_boards_are_images_of_each_other() {
    each(|ruleset, boards| {
        let mut seen = HashSet::new();
        for board in boards {
            let mut rows: Vec<String> = board.text.lines().map(str::to_owned).collect();
            rows.retain(|row| !row.starts_with(';'));
            let all = images(&rows);
            assert_eq!(all.len(), 8);
            let name = board.name();
            assert!(
                !seen.contains(&all[0]),
                "{ruleset}: {name} is another board's image"
            );
            seen.extend(all);
        }
    });
}

#[test]
fn a_turned_board_is_an_image_and_another_board_is_none() {
    let rows = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let turned = images(&rows("#o\n.g\n##"));
    assert!(
        images(&rows("#.#\n#go"))
            .iter()
            .all(|image| turned.contains(image))
    );
    assert!(!turned.contains(&images(&rows("#.#\n#og"))[0]));
}
