//! What positions in play are worth: `advice`, against plain tables of all positions, and for games of chance
//! against the answers to boards redrawn.

use std::collections::HashMap;
use std::hash::Hash;

use getaway::advice::{Advice, Adviser, Lifetime, Worth};
use getaway::limits::Limit;
use getaway::puzzle::Puzzle;
use getaway::rng::Rng;
use getaway::rules::baddies::Baddies;
use getaway::rules::jimmy::Jimmy;
use getaway::rules::theseus::Theseus;
use getaway::ruleset::{Deterministic, Notation, Outcome};
use getaway::solution::{Evidence, Verdict};
use getaway::{Board, Limits};

use crate::boards::puzzles;

/// What a move leads to.
enum To {
    Out,
    Lost,
    Position(usize),
}

/// All positions of a game, found by trying every move, with what they are worth by the plainest of rules.
struct Table<R: Deterministic<State: Eq + Hash>> {
    rules: R,
    numbers: HashMap<R::State, usize>,
    moves: Vec<Vec<(R::Move, To)>>,
    /// The fewest moves to escape, if there is an escape.
    escape: Vec<Option<usize>>,
    /// How many moves can be made where there is none.
    lives: Vec<Lifetime>,
}

impl<R: Deterministic<State: Eq + Hash>> Table<R> {
    /// `None` if the game is over before the first move, or has more than so many positions.
    fn new(rules: R, most: usize) -> Option<Self> {
        let start = rules.opened().ok()?;
        let (mut numbers, mut all) = (HashMap::from([(start.clone(), 0)]), vec![start]);
        let mut moves: Vec<Vec<(R::Move, To)>> = Vec::new();
        while let Some(at) = all.get(moves.len()).cloned() {
            let mut legal = Vec::new();
            rules.moves(&at, &mut legal);
            let leads = |mv| {
                let mut then = at.clone();
                let to = match rules.play(&mut then, mv) {
                    Some(Outcome::Escaped) => To::Out,
                    Some(Outcome::Caught(_)) => To::Lost,
                    None => To::Position(*numbers.entry(then.clone()).or_insert_with(|| {
                        all.push(then);
                        all.len() - 1
                    })),
                };
                (mv, to)
            };
            moves.push(legal.into_iter().map(leads).collect());
            if all.len() > most {
                return None;
            }
        }
        let mut table = Self {
            rules,
            numbers,
            moves,
            escape: vec![None; all.len()],
            lives: vec![Lifetime::Moves(0); all.len()],
        };
        table.find_escapes();
        table.find_lives();
        Some(table)
    }

    /// After round `n` all escapes of at most `n` moves are known.
    fn find_escapes(&mut self) {
        for round in 1..=self.moves.len() {
            let before = self.escape.clone();
            for (escape, moves) in self.escape.iter_mut().zip(&self.moves) {
                let is_near = |(_, to): &(R::Move, To)| match to {
                    To::Out => true,
                    To::Lost => false,
                    To::Position(to) => before[*to].is_some(),
                };
                if escape.is_none() && moves.iter().any(is_near) {
                    *escape = Some(round);
                }
            }
            if before == self.escape {
                break;
            }
        }
    }

    /// Who can make more moves than there are positions comes back to one of them.
    fn find_lives(&mut self) {
        let mut alive = vec![true; self.moves.len()];
        for round in 1..=self.moves.len() + 1 {
            let lives_on = |moves: &Vec<(R::Move, To)>| {
                moves.iter().any(|(_, to)| match to {
                    To::Out => false,
                    To::Lost => round == 1,
                    To::Position(to) => alive[*to],
                })
            };
            let now: Vec<_> = self.moves.iter().map(lives_on).collect();
            for (lives, alive) in self.lives.iter_mut().zip(&now) {
                if *alive {
                    *lives = Lifetime::Moves(round);
                }
            }
            if now == alive && round > 1 {
                break;
            }
            alive = now;
        }
        for (lives, alive) in self.lives.iter_mut().zip(alive) {
            if alive {
                *lives = Lifetime::Forever;
            }
        }
    }

    fn position(&self, number: usize) -> Worth {
        match self.escape[number] {
            Some(moves) => Worth::Escape { moves: Some(moves) },
            None => Worth::Caught {
                lives: Some(self.lives[number]),
            },
        }
    }

    fn of_move(&self, to: &To) -> Worth {
        match to {
            To::Out => Worth::Escape { moves: Some(1) },
            To::Lost => Worth::Caught {
                lives: Some(Lifetime::Moves(1)),
            },
            To::Position(to) => match self.position(*to) {
                Worth::Escape { moves } => Worth::Escape {
                    moves: moves.map(|moves| moves + 1),
                },
                Worth::Caught {
                    lives: Some(Lifetime::Moves(moves)),
                } => Worth::Caught {
                    lives: Some(Lifetime::Moves(moves + 1)),
                },
                worth => worth,
            },
        }
    }

    /// Plays a game of any moves, and compares all advice on the way; how many positions that were.
    fn compare(&self, adviser: &mut dyn Adviser, rng: &mut Rng) -> usize {
        let mut line = String::new();
        let mut at = self.rules.opened().ok().unwrap();
        for played in 0..20 {
            let number = self.numbers[&at];
            let advice = adviser.advise(&line, 0, &Limits::default()).unwrap();
            self.check(&advice, number, &line);
            if self.moves[number].is_empty() {
                return played;
            }
            let pick = (rng.uniform() * self.moves[number].len() as f64) as usize;
            let (mv, _) = &self.moves[number][pick];
            line += &mv.to_string();
            if self.rules.play(&mut at, *mv).is_some() {
                return played + 1;
            }
        }
        20
    }

    fn check(&self, advice: &Advice, number: usize, line: &str) {
        assert_eq!(advice.worth, self.position(number), "after `{line}`");
        let moves = &self.moves[number];
        let expected = moves
            .iter()
            .map(|(mv, to)| (mv.to_string(), self.of_move(to)));
        assert_eq!(advice.moves, expected.collect::<Vec<_>>(), "after `{line}`");
        match (advice.worth, &advice.best) {
            (Worth::Escape { moves }, Some(best)) => {
                assert_eq!(Some(advice.line.len()), moves, "after `{line}`");
                assert_eq!(advice.line.first(), Some(best), "after `{line}`");
                assert_eq!(worth_of(advice, best), advice.worth, "after `{line}`");
            }
            (_, Some(best)) => assert_eq!(worth_of(advice, best), advice.worth, "after `{line}`"),
            (_, None) => assert!(moves.is_empty(), "after `{line}`"),
        }
    }
}

fn worth_of(advice: &Advice, mv: &str) -> Worth {
    let found = advice.moves.iter().find(|(name, _)| name == mv);
    found.expect("it is a legal move").1
}

/// A drawing in which each cell is one of these glyphs, each as likely as its weight; `runner` stands on one of
/// them.
fn random(
    (rows, cols): (usize, usize),
    glyphs: &[(char, f64)],
    runner: char,
    rng: &mut Rng,
) -> Vec<Vec<char>> {
    let all: f64 = glyphs.iter().map(|(_, weight)| weight).sum();
    let mut draw = || {
        let mut lot = rng.uniform() * all;
        let found = glyphs.iter().find(|(_, weight)| {
            lot -= weight;
            lot < 0.0
        });
        found.unwrap_or(&glyphs[0]).0
    };
    let mut drawing: Vec<Vec<char>> = (0..rows)
        .map(|_| (0..cols).map(|_| draw()).collect())
        .collect();
    let place = (rng.uniform() * (rows * cols) as f64) as usize;
    drawing[place / cols][place % cols] = runner;
    drawing
}

fn text(ruleset: &str, drawing: &[Vec<char>]) -> String {
    let rows: String = drawing
        .iter()
        .map(|row| row.iter().collect::<String>() + "\n")
        .collect();
    format!("; ruleset: {ruleset}\n{rows}")
}

fn puzzle(text: &str) -> Puzzle<'_> {
    crate::boards::from_text(text)
}

/// Compares games on boards of a ruleset; how many positions were compared, and on how many boards there was an
/// escape.
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
        let board: Board = text.parse().unwrap();
        let mut adviser = board.game().adviser(&Limits::default()).unwrap();
        let mut rng = Rng::new(seed as u64);
        for _ in 0..3 {
            positions += table.compare(&mut *adviser, &mut rng);
        }
    }
    (positions, escapes)
}

#[test]
fn jimmys_positions_are_worth_what_trying_everything_says() {
    let mut rng = Rng::new(11);
    let glyphs = [('.', 0.75), ('#', 0.17), ('g', 0.08)];
    let revisit = |drawing: &[Vec<char>], number: usize| {
        let header = if number.is_multiple_of(4) {
            "; revisit: true\n"
        } else {
            ""
        };
        header.to_owned() + &text("jimmy", drawing)
    };
    let texts = (0..400).map(|number| {
        let mut drawing = random((5, 6), &glyphs, '.', &mut rng);
        drawing[2][1 + number % 4] = 'o';
        // Where the border is closed, nobody gets out soon.
        for (at, row) in drawing.iter_mut().enumerate() {
            let is_end = at == 0 || at == 4;
            let border = row
                .iter_mut()
                .enumerate()
                .filter(|(col, _)| is_end || col % 5 == 0);
            for (_, cell) in border {
                if *cell == '.' && rng.uniform() < 0.9 {
                    *cell = '#';
                }
            }
        }
        revisit(&drawing, number)
    });
    let (positions, escapes) = compare_all::<Jimmy>(texts);
    assert!(
        positions > 2000 && escapes > 100,
        "{positions} positions, {escapes} escapes"
    );
}

#[test]
fn the_heros_positions_are_worth_what_trying_everything_says() {
    let mut rng = Rng::new(12);
    let glyphs = [
        (' ', 0.72),
        ('+', 0.1),
        ('#', 0.06),
        ('m', 0.05),
        ('M', 0.04),
        ('~', 0.03),
    ];
    let texts = (0..300).map(|_| {
        let mut drawing = random((4, 6), &glyphs, 'H', &mut rng);
        drawing[3][5] = '*';
        text("baddies", &drawing)
    });
    let (positions, escapes) = compare_all::<Baddies>(texts);
    assert!(
        positions > 1500 && escapes > 50,
        "{positions} positions, {escapes} escapes"
    );
}

#[test]
fn theseus_positions_are_worth_what_trying_everything_says() {
    let mut rng = Rng::new(13);
    let texts = (0..150).map(|_| {
        let mut drawing = vec![vec![' '; 11]; 9];
        for (row, cells) in drawing.iter_mut().enumerate() {
            for (col, cell) in cells.iter_mut().enumerate() {
                let is_frame = row % 8 == 0 || col % 10 == 0;
                *cell = match (row % 2, col % 2) {
                    (0, 0) => '+',
                    (0, _) if is_frame || rng.uniform() < 0.3 => '-',
                    (_, 0) if is_frame || rng.uniform() < 0.3 => '|',
                    (1, 1) => '.',
                    _ => ' ',
                };
            }
        }
        let mut cell = || {
            let place = (rng.uniform() * 20.0) as usize;
            (1 + 2 * (place / 5), 1 + 2 * (place % 5))
        };
        for glyph in ['E', 'M', 'T'] {
            let (row, col) = cell();
            drawing[row][col] = glyph;
        }
        text("theseus", &drawing)
    });
    let (positions, escapes) = compare_all::<Theseus>(texts);
    assert!(
        positions > 500 && escapes > 30,
        "{positions} positions, {escapes} escapes"
    );
}

/// On every board of `puzzles` what the adviser says of the start is what `solve` says.
#[test]
fn the_start_is_worth_what_the_solver_says() {
    let mut boards = 0;
    for folder in ["jimmy", "baddies", "theseus", "dungeon"] {
        for (name, text) in puzzles(folder) {
            let Ok(board) = text.parse::<Board>() else {
                continue;
            };
            if board.game().solvable().is_err() {
                continue;
            }
            let solution = board.solve_shortest(&Limits::default());
            let mut adviser = board.game().adviser(&Limits::default()).unwrap();
            let advice = adviser.advise("", 0, &Limits::default()).unwrap();
            match (solution.evidence, advice.worth) {
                (Evidence::Line(line), Worth::Escape { moves }) => {
                    assert_eq!(moves, Some(line.chars().count()), "{name}");
                }
                (Evidence::Survives(survives), Worth::Caught { lives }) => {
                    let forever = lives.map(|lives| lives == Lifetime::Forever);
                    assert_eq!(forever, survives, "{name}");
                }
                (
                    Evidence::Chance { lower, upper, .. },
                    Worth::Chance {
                        lower: low,
                        upper: high,
                    },
                ) => {
                    assert!(
                        low <= upper && lower <= high && high - low <= 1e-6,
                        "{name}"
                    );
                }
                (Evidence::None, Worth::Caught { .. }) => {
                    assert_eq!(solution.verdict, Verdict::Caught, "{name}");
                }
                (
                    Evidence::Chance { .. },
                    Worth::Escape { moves: Some(0) } | Worth::Caught { .. },
                ) => {}
                other => panic!("{name}: {other:?}"),
            }
            boards += 1;
        }
    }
    assert!(boards > 100, "{boards}");
}

/// Levels without actors and objects, with room for all of them; `.` is floor.
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

/// A level with these things on it.
fn level(rows: &[&str], headers: &str, things: &[(char, usize, usize)]) -> Board {
    let mut drawing: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    for &(glyph, row, col) in things {
        drawing[row][col] = glyph;
    }
    let text = format!("{headers}{}", text("dungeon", &drawing));
    text.parse()
        .unwrap_or_else(|error| panic!("{error:?}: {text}"))
}

fn bounds(worth: Worth) -> [f64; 2] {
    match worth {
        Worth::Chance { lower, upper } => [lower, upper],
        other => panic!("{other:?}"),
    }
}

fn meet(a: [f64; 2], b: [f64; 2]) -> bool {
    let is_narrow = |[lower, upper]: [f64; 2]| upper - lower <= 1e-6;
    is_narrow(a) && is_narrow(b) && a[0] <= b[1] + 1e-9 && b[0] <= a[1] + 1e-9
}

/// The chance of escape from the position that is looked at, as the level redrawn has it; `None` if it can't be
/// drawn, since somebody stands in a doorway or on the exit.
fn redrawn(
    rows: &[&str],
    headers: &str,
    exit: (usize, usize),
    pictured: &[String],
) -> Option<[f64; 2]> {
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
        Evidence::Chance { lower, upper, .. } => Some([lower, upper]),
        other => panic!("{other:?}: {things:?}"),
    }
}

#[test]
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
        let mut adviser = board.game().adviser(&Limits::default()).unwrap();
        for _ in 0..6 {
            let position = session.position(session.now());
            let line = session.line(session.now());
            let advice = adviser.advise(&line, 7, &Limits::default()).unwrap();
            if position.ending.is_some() {
                assert!(advice.moves.is_empty() && advice.best.is_none());
                break;
            }
            let worth = bounds(advice.worth);
            if let Some(exact) = redrawn(rows, headers, (exit.1, exit.2), &position.rows) {
                assert!(
                    meet(worth, exact),
                    "{number}, `{line}`: {worth:?} is not {exact:?}"
                );
                compared += 1;
                open += usize::from(worth[0] > 1e-3 && worth[1] < 0.999);
            }
            let best = advice.moves.iter().map(|(_, worth)| bounds(*worth));
            let best = best
                .reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])
                .unwrap();
            assert!(
                meet(worth, best),
                "{number}, `{line}`: {worth:?}, moves {best:?}"
            );
            let chosen = bounds(worth_of(&advice, advice.best.as_ref().unwrap()));
            assert!(
                meet(worth, chosen),
                "{number}, `{line}`: {worth:?}, best {chosen:?}"
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
fn a_mazes_runner_is_told_what_he_would_do_himself() {
    let board: Board = "R..\n##.\n..*\n"
        .replace('#', "A")
        .replacen('A', "a", 1)
        .parse()
        .unwrap();
    let mut adviser = board.game().adviser(&Limits::default()).unwrap();
    let advice = adviser.advise("", 1, &Limits::default()).unwrap();
    assert_eq!(
        (advice.worth, advice.best.as_deref()),
        (Worth::Unknown(None), Some("1"))
    );
    assert_eq!(advice.moves[0], ("1".to_owned(), Worth::Unknown(None)));
}

#[test]
fn what_a_limit_leaves_open_is_unknown_and_can_be_asked_again() {
    let limits = Limits {
        max_states: Some(1),
        ..Limits::default()
    };
    let jimmy = "#####\n#o..#\n###.#\n#....\n#####\n";
    let dungeon = "; ruleset: dungeon\n---------\n|P.E....|\n|.G...G.|\n|......K|\n---------\n";
    for (text, fewest) in [(jimmy, Some(Some(5))), (dungeon, None)] {
        let board: Board = text.parse().unwrap();
        let mut adviser = board.game().adviser(&Limits::default()).unwrap();
        let advice = adviser.advise("", 0, &limits).unwrap();
        assert_eq!(advice.worth, Worth::Unknown(Some(Limit::States)), "{text}");
        let advice = adviser.advise("", 0, &Limits::default()).unwrap();
        match (advice.worth, fewest) {
            (Worth::Escape { moves }, Some(fewest)) => assert_eq!(moves, fewest),
            (Worth::Chance { lower, upper }, None) => assert!(lower > 0.0 && upper < 1.0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_line_that_cannot_be_played_is_an_error() {
    let board: Board = "#####\n#o..#\n###..\n#####\n".parse().unwrap();
    let mut adviser = board.game().adviser(&Limits::default()).unwrap();
    let mut error = |line| match adviser.advise(line, 0, &Limits::default()) {
        Err(error) => error.to_string(),
        Ok(advice) => panic!("{advice:?}"),
    };
    assert_eq!(error("RU"), "move 2 (`U`): a solid is in the way");
    assert_eq!(error("RRDRR"), "move 5 (`R`): the game is over");
    assert!(error("R?").contains("`?` is not a move"));
}
