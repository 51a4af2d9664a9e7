//! Compares evaluations with a table of all positions or, in games of chance, with the solution of the redrawn board.

use std::hash::Hash;

use getaway::{Board, Bounds, Limits};
use getaway_board::limits::Limit;
use getaway_board::puzzle::Puzzle;
use getaway_board::rng::Rng;
use getaway_play::evaluation::{Evaluation, Evaluator, Lifetime, PositionValue};
use getaway_play::solution::{Evidence, Verdict};
use getaway_rules::baddies::Baddies;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Deterministic, Notation};

use crate::boards::puzzles;
use crate::random_boards::{self, text};
use crate::table::{Table, To};
use getaway_testing::sized;

struct Compared<R: Deterministic<State: Eq + Hash>>(Table<R>);

impl<R: Deterministic<State: Eq + Hash>> Compared<R> {
    fn position(&self, number: usize) -> PositionValue {
        match self.0.escape[number] {
            Some(moves) => PositionValue::Escape { moves: Some(moves) },
            None => PositionValue::Caught {
                lives: Some(self.0.lives[number]),
            },
        }
    }

    fn of_move(&self, to: &To) -> PositionValue {
        match to {
            To::Out => PositionValue::Escape { moves: Some(1) },
            To::Lost => PositionValue::Caught {
                lives: Some(Lifetime::Moves(1)),
            },
            To::Position(to) => match self.position(*to) {
                PositionValue::Escape { moves } => PositionValue::Escape {
                    moves: moves.map(|moves| moves + 1),
                },
                PositionValue::Caught {
                    lives: Some(Lifetime::Moves(moves)),
                } => PositionValue::Caught {
                    lives: Some(Lifetime::Moves(moves + 1)),
                },
                value => value,
            },
        }
    }

    fn compare(&self, evaluator: &mut dyn Evaluator, rng: &mut Rng) -> usize {
        let mut line = String::new();
        let mut at = self.0.rules.opened().ok().unwrap();
        for played in 0..20 {
            let number = self.0.numbers[&at];
            let evaluation = evaluator.evaluate(&line, 0, &Limits::default()).unwrap();
            self.check(&evaluation, number, &line);
            if self.0.moves[number].is_empty() {
                return played;
            }
            let pick = (rng.uniform() * self.0.moves[number].len() as f64) as usize;
            let (mv, _) = &self.0.moves[number][pick];
            line += &mv.to_string();
            if self.0.rules.play(&mut at, *mv).is_some() {
                return played + 1;
            }
        }
        20
    }

    fn check(&self, evaluation: &Evaluation, number: usize, line: &str) {
        assert_eq!(evaluation.value, self.position(number), "after `{line}`");
        let moves = &self.0.moves[number];
        let expected = moves
            .iter()
            .map(|(mv, to)| (mv.to_string(), self.of_move(to)));
        assert_eq!(
            evaluation.moves,
            expected.collect::<Vec<_>>(),
            "after `{line}`"
        );
        match (evaluation.value, &evaluation.best) {
            (PositionValue::Escape { moves }, Some(best)) => {
                assert_eq!(Some(evaluation.line.len()), moves, "after `{line}`");
                assert_eq!(evaluation.line.first(), Some(best), "after `{line}`");
                assert_eq!(
                    value_of(evaluation, best),
                    evaluation.value,
                    "after `{line}`"
                );
            }
            (_, Some(best)) => assert_eq!(
                value_of(evaluation, best),
                evaluation.value,
                "after `{line}`"
            ),
            (_, None) => assert!(moves.is_empty(), "after `{line}`"),
        }
    }
}

fn value_of(evaluation: &Evaluation, mv: &str) -> PositionValue {
    let found = evaluation.moves.iter().find(|(name, _)| name == mv);
    found.expect("it is a legal move").1
}

fn puzzle(text: &str) -> Puzzle<'_> {
    crate::boards::from_text(text)
}

/// Compares the evaluation along three random games on each board; returns the number of positions and of boards with an escape.
fn compare_all<R>(texts: impl Iterator<Item = String>) -> (usize, usize)
where
    R: Notation + Deterministic<State: Eq + Hash>,
{
    let (mut positions, mut escapes) = (0, 0);
    for (seed, text) in texts.enumerate() {
        let Ok(rules) = R::read(&puzzle(&text)) else {
            continue;
        };
        let Some(table) = Table::new(rules, 3000) else {
            continue;
        };
        escapes += usize::from(table.escape[0].is_some());
        let table = Compared(table);
        let board: Board = text.parse().unwrap();
        let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
        let mut rng = Rng::new(seed as u64);
        for _ in 0..3 {
            positions += table.compare(&mut *evaluator, &mut rng);
        }
    }
    (positions, escapes)
}

#[test]
fn jimmys_positions_have_the_values_of_exhaustive_search() {
    let (positions, escapes) = compare_all::<Jimmy>(random_boards::jimmy(11, 400));
    assert!(
        positions > 2000 && escapes > 100,
        "{positions} positions, {escapes} escapes"
    );
}

#[test]
fn the_heros_positions_have_the_values_of_exhaustive_search() {
    let (positions, escapes) = compare_all::<Baddies>(random_boards::baddies(12, 300));
    assert!(
        positions > 1500 && escapes > 50,
        "{positions} positions, {escapes} escapes"
    );
}

#[test]
fn theseus_positions_have_the_values_of_exhaustive_search() {
    let (positions, escapes) = compare_all::<Theseus>(random_boards::theseus(13, 150));
    assert!(
        positions > 500 && escapes > 30,
        "{positions} positions, {escapes} escapes"
    );
}

#[test]
fn the_start_has_the_value_of_the_solver() {
    let mut boards = 0;
    for folder in ["jimmy", "baddies", "theseus", "dungeon"] {
        for (name, text) in puzzles(folder).into_iter().step_by(sized(4, 1)) {
            let Ok(board) = text.parse::<Board>() else {
                continue;
            };
            if board.game().solvable().is_err() {
                continue;
            }
            let solution = board.solve_shortest(&Limits::default());
            let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
            let evaluation = evaluator.evaluate("", 0, &Limits::default()).unwrap();
            match (solution.evidence.clone(), evaluation.value) {
                (Evidence::Line(line), PositionValue::Escape { moves }) => {
                    assert_eq!(moves, Some(line.chars().count()), "{name}");
                }
                (Evidence::Survives(survives), PositionValue::Caught { lives }) => {
                    let forever = lives.map(|lives| lives == Lifetime::Forever).into();
                    assert_eq!(survives, forever, "{name}");
                }
                (Evidence::Chance { bounds, .. }, PositionValue::Chance(value)) => {
                    assert!(overlap(value, bounds) && value.is_exact(), "{name}");
                }
                (Evidence::None, PositionValue::Caught { .. }) => {
                    assert_eq!(solution.verdict(), Verdict::Caught, "{name}");
                }
                (
                    Evidence::Chance { .. },
                    PositionValue::Escape { moves: Some(0) } | PositionValue::Caught { .. },
                ) => {}
                other => panic!("{name}: {other:?}"),
            }
            boards += 1;
        }
    }
    assert!(boards > sized(25, 100), "{boards}");
}

const LEVELS: [&[&str]; 3] = [
    &["-------", "|.....|", "|.....|", "|.....|", "-------"],
    &[
        "---------",
        "|...D...|",
        "|...|...|",
        "|...|...|",
        "---------",
    ],
    &[
        "-----XXXX",
        "|...|XXXX",
        "|...D....",
        "|...|---D",
        "-----|..|",
        "XXXXX|..|",
        "XXXXX----",
    ],
];

fn level(rows: &[&str], headers: &str, things: &[(char, usize, usize)]) -> Board {
    let mut drawing: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    for &(glyph, row, col) in things {
        drawing[row][col] = glyph;
    }
    let text = format!("{headers}{}", text("dungeon", &drawing));
    text.parse()
        .unwrap_or_else(|error| panic!("{error:?}: {text}"))
}

fn bounds(value: PositionValue) -> Bounds {
    match value {
        PositionValue::Chance(bounds) => bounds,
        other => panic!("{other:?}"),
    }
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    a.lower <= b.upper + 1e-9 && b.lower <= a.upper + 1e-9
}

fn meet(a: Bounds, b: Bounds) -> bool {
    a.is_exact() && b.is_exact() && overlap(a, b)
}

/// Returns the probability of escape from this position, drawn as a level; `None` if an actor is in a doorway or on the
/// exit, which a level cannot show.
fn redrawn(
    rows: &[&str],
    headers: &str,
    exit: (usize, usize),
    pictured: &[String],
) -> Option<Bounds> {
    let mut things = vec![('E', exit.0, exit.1)];
    for (row, text) in pictured.iter().enumerate() {
        let found = text
            .chars()
            .enumerate()
            .filter(|(_, c)| "PGZK".contains(*c));
        things.extend(found.map(|(col, glyph)| (glyph, row, col)));
    }
    let is_free = |&(glyph, row, col): &(char, usize, usize)| {
        &rows[row][col..=col] == "." && (glyph == 'E' || (row, col) != exit)
    };
    if !things.iter().all(is_free) {
        return None;
    }
    match level(rows, headers, &things)
        .solve(&Limits::default())
        .evidence
    {
        Evidence::Chance { bounds, .. } => Some(bounds),
        other => panic!("{other:?}: {things:?}"),
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_players_chances_are_those_of_the_level_redrawn() {
    let mut rng = Rng::new(14);
    let (mut compared, mut open) = (0, 0);
    for number in 0..120 {
        let rows = LEVELS[number % 3];
        let floor: Vec<(usize, usize)> = rows
            .iter()
            .enumerate()
            .flat_map(|(row, text)| {
                let cells = text.chars().enumerate().filter(|(_, c)| *c == '.');
                cells.map(move |(col, _)| (row, col))
            })
            .collect();
        let mut left = floor;
        let mut thing = |glyph| {
            let (row, col) = left.swap_remove((rng.uniform() * left.len() as f64) as usize);
            (glyph, row, col)
        };
        let exit = thing('E');
        let mut things = vec![
            exit,
            thing('P'),
            thing(if number % 4 < 2 { 'G' } else { 'Z' }),
        ];
        if number % 2 == 0 {
            things.push(thing('G'));
        }
        if number % 3 > 0 {
            things.push(thing('K'));
        }
        let headers = if number % 5 == 0 {
            "; speed: 2
; radius: 3
"
        } else {
            "; radius: 3
"
        };
        let board = level(rows, headers, &things);
        let mut session = board.game().session(7, &Limits::default()).unwrap();
        let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
        for _ in 0..6 {
            let position = session.position(session.now());
            let line = session.line(session.now());
            let evaluation = evaluator.evaluate(&line, 7, &Limits::default()).unwrap();
            if position.ending.is_some() {
                assert!(evaluation.moves.is_empty() && evaluation.best.is_none());
                break;
            }
            let value = bounds(evaluation.value);
            if let Some(exact) = redrawn(rows, headers, (exit.1, exit.2), &position.rows) {
                assert!(
                    meet(value, exact),
                    "{number}, `{line}`: {value:?} is not {exact:?}"
                );
                compared += 1;
                open += usize::from(value.lower > 1e-3 && value.upper < 0.999);
            }
            let best = evaluation.moves.iter().map(|(_, value)| bounds(*value));
            let best = best
                .reduce(|a, b| Bounds {
                    lower: a.lower.max(b.lower),
                    upper: a.upper.max(b.upper),
                })
                .unwrap();
            assert!(
                meet(value, best),
                "{number}, `{line}`: {value:?}, moves {best:?}"
            );
            let chosen = bounds(value_of(&evaluation, evaluation.best.as_ref().unwrap()));
            assert!(
                meet(value, chosen),
                "{number}, `{line}`: {value:?}, best {chosen:?}"
            );
            let legal = session.legal();
            let mv = &legal[(rng.uniform() * legal.len() as f64) as usize];
            session.play(mv).unwrap();
        }
    }
    assert!(
        compared > 100 && open > 50,
        "{compared} positions, {open} open"
    );
}

#[test]
fn advice_for_a_maze_is_the_runners_own_move_and_the_way_to_the_nearest_food() {
    let board: Board = "R..\n##.\n..*\n"
        .replace('#', "A")
        .replacen('A', "a", 1)
        .parse()
        .unwrap();
    let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
    let evaluation = evaluator.evaluate("", 1, &Limits::default()).unwrap();
    assert_eq!(
        (evaluation.value, evaluation.best.as_deref()),
        (PositionValue::Food { steps: Some(4) }, Some("1"))
    );
    let four = PositionValue::Food { steps: Some(4) };
    assert_eq!(evaluation.moves[0], ("1".to_owned(), four));
}

#[test]
fn answers_left_open_by_a_limit_can_be_retried() {
    let limits = Limits {
        max_states: Some(1),
        ..Limits::default()
    };
    let jimmy = "#####\n#o..#\n###.#\n#....\n#####\n";
    let dungeon = "; ruleset: dungeon\n---------\n|P.E....|\n|.G...G.|\n|......K|\n---------\n";
    for (text, fewest) in [(jimmy, Some(Some(5))), (dungeon, None)] {
        let board: Board = text.parse().unwrap();
        let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
        let evaluation = evaluator.evaluate("", 0, &limits).unwrap();
        assert_eq!(
            evaluation.value,
            PositionValue::Unknown(Some(Limit::States)),
            "{text}"
        );
        let evaluation = evaluator.evaluate("", 0, &Limits::default()).unwrap();
        match (evaluation.value, fewest) {
            (PositionValue::Escape { moves }, Some(fewest)) => assert_eq!(moves, fewest),
            (PositionValue::Chance(Bounds { lower, upper }), None) => {
                assert!(lower > 0.0 && upper < 1.0);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_line_that_cannot_be_played_is_an_error() {
    let board: Board = "#####\n#o..#\n###..\n#####\n".parse().unwrap();
    let mut evaluator = board.game().evaluator(&Limits::default()).unwrap();
    let mut error = |line| match evaluator.evaluate(line, 0, &Limits::default()) {
        Err(error) => error.to_string(),
        Ok(evaluation) => panic!("{evaluation:?}"),
    };
    assert_eq!(error("RU"), "move 2 (`U`): a solid cell is in the way");
    assert_eq!(error("RRDRR"), "move 5 (`R`): the game is over");
    assert!(error("R?").contains("`?` is not a move"));
}
