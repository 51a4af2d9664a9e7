//! Compares `maze` with an independent program and with the pseudocode of the course assignment.

use std::sync::Arc;

use std::collections::{BTreeMap, BTreeSet};

use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::Evidence;
use getaway_play::trace::Ending;
use getaway_rules::maze::{Maze, move_algo};
use getaway_ruleset::Notation;
use getaway_search::search::Order;
use getaway_solvers::game::{Game, Gameplay, Plan, Solver};
use getaway_solvers::maze::ByAssignment;
use getaway_solvers::rulesets::{self, RULESETS};
use serde_json::json;

use crate::boards::{each_case, from_json, from_text, puzzles};
use getaway_testing::sized;

fn solver(maze: Maze) -> ByAssignment {
    ByAssignment::new(Arc::new(maze))
}

#[test]
fn the_answers_are_those_of_an_independent_program() {
    let boards = each_case("maze", |puzzle, answer| {
        let solution =
            solver(Maze::read(puzzle).unwrap()).solve(Order::default(), &Limits::default());
        let Evidence::Direction { direction, steps } = solution.evidence.clone() else {
            panic!("{:?}", solution.evidence)
        };
        assert_eq!(solution.verdict().name(), answer["verdict"], "{answer}");
        assert_eq!(json!(direction), answer["direction"], "{answer}");
        let expected = answer.get("steps").cloned().unwrap_or(json!([]));
        assert_eq!(json!(steps), expected, "{answer}");
    });
    assert_eq!(boards, 184);
}

/// The numbers of a map by row and column, as in the assignment.
type Numbers = BTreeMap<(i64, i64), i64>;

/// Returns the answer, and the cells from the head to the food.
fn pseudocode(map: &Numbers, id: i64) -> (i8, Vec<(i64, i64)>) {
    let Some(head) = map.keys().copied().find(|at| map[at] == 2 * id) else {
        return (-1, Vec::new());
    };
    let foods: Vec<_> = map.keys().filter(|at| map[at] == -1).collect();
    let heuristic_dist = |at: (i64, i64)| {
        foods
            .iter()
            .map(|food| (food.0 - at.0).abs() + (food.1 - at.1).abs())
            .min()
            .unwrap_or(0)
    };
    let adjacent = |(x, y): (i64, i64)| [(x - 1, y), (x, y + 1), (x + 1, y), (x, y - 1)];
    let is_able_to_go = |at: &(i64, i64)| matches!(map.get(at), Some(0 | -1));
    let mut minimum_cost: BTreeMap<_, i64> = map.keys().map(|&at| (at, 0)).collect();
    let mut is_visited: BTreeSet<(i64, i64)> = BTreeSet::new();
    let mut prev_point = BTreeMap::new();
    let mut open = BTreeSet::from([head]);
    let mut found = None;
    while !open.is_empty() {
        let p = *open
            .iter()
            .min_by_key(|&&p| (minimum_cost[&p] + heuristic_dist(p), p))
            .unwrap();
        if map[&p] == -1 {
            found = Some(p);
            break;
        }
        is_visited.insert(p);
        open.remove(&p);
        for q in adjacent(p).into_iter().filter(is_able_to_go) {
            if !is_visited.contains(&q) || minimum_cost[&p] + 1 < minimum_cost[&q] {
                open.insert(q);
                minimum_cost.insert(q, minimum_cost[&p] + 1);
                prev_point.insert(q, p);
            }
        }
    }
    let direction = |to: &dyn Fn(&(i64, i64)) -> bool| {
        adjacent(head)
            .iter()
            .position(to)
            .map_or(-1, |direction| direction as i8)
    };
    let Some(mut at) = found else {
        return (direction(&is_able_to_go), Vec::new());
    };
    let mut path = vec![at];
    while at != head {
        at = prev_point[&at];
        path.insert(0, at);
    }
    (direction(&|to| *to == path[1]), path)
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % sides
    }

    fn map(&mut self, longest: u32) -> (usize, usize, Vec<i64>) {
        let (rows, cols) = (
            1 + self.roll(longest) as usize,
            1 + self.roll(longest) as usize,
        );
        let (walls, food) = (self.roll(60), 1 + self.roll(1 + longest * 2));
        let number = |dice: &mut Self| match dice.roll(100) {
            roll if roll < walls => 3 + 2 * i64::from(roll % 4),
            _ if dice.roll(food * 3) == 0 => -1,
            _ => 0,
        };
        let mut numbers: Vec<_> = (0..rows * cols).map(|_| number(self)).collect();
        let head = self.roll(numbers.len() as u32) as usize;
        numbers[head] = 2;
        (rows, cols, numbers)
    }
}

fn compare(rows: usize, cols: usize, numbers: &[i64]) -> Vec<(i64, i64)> {
    let signed = |number: usize| i64::try_from(number).unwrap();
    let at = |index: usize| (signed(index / cols), signed(index % cols));
    let map: Numbers = numbers
        .iter()
        .enumerate()
        .map(|(index, &n)| (at(index), n))
        .collect();
    let (direction, path) = pseudocode(&map, 1);
    let lists: Vec<_> = numbers.chunks(cols).collect();
    let line = json!({ "rows": lists }).to_string();
    let maze = Maze::read(&from_json(&line)).unwrap();
    let next = maze.next_move(&Limits::default()).unwrap();
    let steps = next.path.iter().map(|&cell| {
        let (row, col) = maze.map().grid().position(cell);
        (row.into(), col.into())
    });
    assert_eq!(
        (next.direction(), steps.collect()),
        (direction, path.clone()),
        "{line}"
    );
    assert_eq!(move_algo(numbers, 1, rows, cols), Ok(direction), "{line}");
    path
}

#[test]
fn the_next_move_is_that_of_the_pseudocode() {
    let mut dice = Dice(2019);
    let mut found = 0;
    let maps: u32 = sized(8_000, 40_000);
    for round in 0..maps {
        let longest = if round % 100 == 0 { 24 } else { 3 + round % 8 };
        let (rows, cols, numbers) = dice.map(longest);
        found += u32::from(!compare(rows, cols, &numbers).is_empty());
    }
    assert!(
        (maps / 4..maps * 7 / 8).contains(&found),
        "{found} of {maps} maps have food in reach"
    );
}

fn shortest(rows: usize, cols: usize, numbers: &[i64]) -> Option<usize> {
    let head = numbers.iter().position(|&number| number == 2)?;
    let (mut seen, mut ring) = (BTreeSet::from([head]), vec![head]);
    for steps in 0.. {
        if ring.is_empty() || ring.iter().any(|&at| numbers[at] == -1) {
            return (!ring.is_empty()).then_some(steps);
        }
        let around = |at: usize| {
            let (row, col) = (at / cols, at % cols);
            [
                (row > 0).then(|| at - cols),
                (row + 1 < rows).then(|| at + cols),
                (col > 0).then(|| at - 1),
                (col + 1 < cols).then(|| at + 1),
            ]
        };
        let next = ring.iter().flat_map(|&at| around(at)).flatten();
        ring = next
            .filter(|&at| numbers[at] <= 0 && seen.insert(at))
            .collect();
    }
    None
}

#[test]
fn the_path_is_never_short_of_a_shortest_and_sometimes_longer() {
    let mut dice = Dice(42);
    let mut longer = 0;
    for _ in 0..3_000 {
        let (rows, cols, numbers) = dice.map(12);
        let path = compare(rows, cols, &numbers);
        let length = path.len().checked_sub(1);
        let best = shortest(rows, cols, &numbers);
        assert_eq!(length.is_some(), best.is_some());
        assert!(length >= best);
        longer += usize::from(length > best);
    }
    assert!(longer > 0, "the assignment's search is not textbook A*");
}

#[test]
fn bundled_boards_meet_their_expectations() {
    let boards = puzzles("maze");
    assert!(boards.len() >= 25, "{} boards", boards.len());
    for (_, text) in &boards {
        check_board(&from_text(text));
    }
}

fn check_board(puzzle: &Puzzle) {
    let name = puzzle.name().unwrap();
    match puzzle.header("ruleset") {
        Some(header) => assert_eq!(header.value, "maze", "{name}"),
        None => assert_eq!(
            rulesets::of_board(RULESETS, puzzle).unwrap().name,
            "maze",
            "{name}"
        ),
    }
    let maze = Maze::read(puzzle).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected = maze.expected();
    let maze = solver(maze);
    let solution = maze.solve(Order::default(), &Limits::default());
    let Evidence::Direction { direction, .. } = solution.evidence else {
        panic!("{name}: {:?}", solution.evidence)
    };
    let expect = &*puzzle.header("expect").unwrap().value;
    assert!(
        [solution.verdict().name(), &direction.to_string()].contains(&expect),
        "{name}"
    );
    assert!(
        expected.is_none_or(|expected| expected == direction),
        "{name}"
    );
    if let Some(moves) = puzzle.header("moves") {
        let plan = Plan {
            moves: Some(&moves.value),
            ..Plan::default()
        };
        let ending = maze.replay(&plan).unwrap();
        assert!(
            matches!(ending, Ending::Escaped { .. }),
            "{name}: {ending:?}"
        );
    }
}
