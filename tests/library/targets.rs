//! Fuzz targets: properties that hold for any bytes.

use getaway_board::limits::Bounds;
use std::io::{Cursor, Read};

use getaway::Board;
use getaway::importers::snarl;
use getaway_board::limits::Limits;
use getaway_board::puzzle::stream::{self, Chunks};
use getaway_board::puzzle::text::Boards;
use getaway_board::puzzle::{Format, Puzzle, json};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::Ending;
use getaway_search::search::Order;
use getaway_solvers::game::{Game, Plan};
use getaway_verify as verify;

use getaway::cli::evidence::packer;

use super::evidence::{certified, verified};
use super::oracle::{self, Fate};
use super::pieces::{in_chunks, whole};

/// Returns limits small enough to be reached and to test thousands of boards per second.
fn limits() -> Limits<'static> {
    Limits {
        max_states: Some(2_000),
        max_memory: Some(64 << 20),
        ..Limits::default()
    }
}

/// Checks that a file reads the same in one piece and in two, and that boards survive conversion to text and JSON.
pub fn reading(bytes: &[u8]) {
    let (at, bytes) = match bytes {
        [] => (0, bytes),
        [at, rest @ ..] => (usize::from(*at) % (rest.len() + 1), rest),
    };
    let (front, back) = bytes.split_at(at);
    let parts = Chunks::new(Cursor::new(front).chain(back), None);
    assert!(in_chunks(parts) == whole(bytes), "cut at {at}");
    each_board(bytes, |puzzle| {
        let Ok(board) = Board::read(puzzle) else {
            return;
        };
        solved(board.game(), Order::DepthFirst);
    });
}

fn each_board(bytes: &[u8], mut each: impl FnMut(&mut Puzzle)) {
    let bytes = stream::without_mark(bytes);
    let mut puzzle = Puzzle::empty();
    if stream::detect(bytes) == Some(Format::JsonLines) {
        for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
            if json::read_line(line, number, &mut puzzle) == Ok(true) {
                puzzle.set_limits(limits());
                each(&mut puzzle);
            }
        }
        return;
    }
    let mut boards = Boards::new(bytes, 1);
    loop {
        match boards.read(&mut puzzle) {
            Ok(false) => return,
            Ok(true) => {
                puzzle.set_limits(limits());
                each(&mut puzzle);
            }
            Err(_) => {}
        }
    }
}

fn solved(game: &dyn Game, order: Order) -> Solution {
    let solution = game.solve(order, &limits());
    if let Evidence::Line(line) = &solution.evidence {
        let plan = Plan {
            moves: Some(line),
            ..Plan::default()
        };
        let ending = game.replay(&plan).expect("its moves are legal");
        assert!(
            matches!(ending, Ending::Escaped { .. }),
            "{line}: {ending:?}"
        );
    }
    solution
}

/// Checks that a Snarl level becomes an error, or a board that survives conversion to text.
pub fn levels(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut levels = Vec::new();
    let _ = snarl::read(text, &mut |level| {
        levels.extend(level);
        true
    });
    for level in levels {
        let mut written = Vec::new();
        level.write_text(&mut written).expect("it is memory");
        // Even a few bytes may place a key so far away that the drawing would take seconds.
        if written.len() > 1 << 20 {
            continue;
        }
        let read = Board::read(&level).is_ok();
        each_board(&written, |again| {
            assert_eq!(Board::read(again).is_ok(), read);
        });
    }
}

const CERTIFIED: [&str; 6] = [
    "; ruleset: jimmy\n#####\n#o..#\n#...#\n#..g#\n###.#\n",
    "; ruleset: baddies\n+++++\n+H  +\n+ m*+\n+++++\n",
    "; ruleset: theseus\n+-+-+\n|T M|\n+ +-+\n|. E|\n+-+-+\n",
    "R..\n.A.\na.*\n",
    "; ruleset: dungeon\n-----\n|P.G|\n|..E|\n-----\n",
    "; ruleset: dungeon\n-----\n|PK|G|\n|..|E|\n-----\n",
];

/// Checks that certificates that are accepted are true.
pub fn certificates(bytes: &[u8]) {
    let [which, is_packed, content @ ..] = bytes else {
        return;
    };
    let text = CERTIFIED[usize::from(*which) % CERTIFIED.len()];
    each_board(text.as_bytes(), |puzzle| {
        let certificate = if is_packed % 2 == 0 {
            content.to_vec()
        } else {
            sealed(puzzle, content)
        };
        if let Ok(proof) = verified(puzzle, &certificate, &limits()) {
            let solution = Board::read(puzzle).expect("it is a board").solve(&limits());
            let is_so = match (&proof, &solution.evidence) {
                // Valid bounds need not be tight.
                (
                    verify::Proof::Chance {
                        bounds: Bounds { lower, upper },
                        ..
                    },
                    _,
                ) => {
                    let probability = solution.evidence.probability().expect("it is small");
                    (lower - 1e-6..=upper + 1e-6).contains(&probability)
                }
                _ => proof.verdict() == solution.verdict(),
            };
            assert!(is_so, "{proof}, {solution:?}");
        }
    });
}

fn sealed(puzzle: &Puzzle, content: &[u8]) -> Vec<u8> {
    let entry = getaway_solvers::rulesets::of_board(getaway_solvers::rulesets::RULESETS, puzzle);
    let board = entry.expect("it is a board").board_text(puzzle);
    let mut packer = packer(Vec::new());
    verify::write(&mut packer, &board, |out| out.write_all(content)).expect("it is memory");
    packer.finish().expect("it is memory")
}

/// Checks that no line of play makes a replay panic. The first line of the input holds the moves for the board below it.
pub fn moves(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (moves, board) = bytes.split_at(end.unwrap_or(0));
    let Ok(moves) = std::str::from_utf8(moves) else {
        return;
    };
    each_board(board, |puzzle| {
        let Ok(board) = Board::read(puzzle) else {
            return;
        };
        let _ = board.replay(moves);
    });
}

/// Checks that all solvers agree, certificates are valid, and boards survive conversion to text and JSON.
pub fn answers(bytes: &[u8]) {
    let Some(text) = drawn(bytes) else { return };
    each_board(text.as_bytes(), |puzzle| {
        let Ok(board) = Board::read(puzzle) else {
            return;
        };
        let (deep, wide) = (
            solved(board.game(), Order::DepthFirst),
            solved(board.game(), Order::Shortest),
        );
        if Verdict::Undecided == deep.verdict() || Verdict::Undecided == wide.verdict() {
            return;
        }
        assert_eq!(deep.verdict(), wide.verdict(), "{text}");
        agrees_with_oracle(board.ruleset().name, &text, &wide);
        if let Some((certificate, solution)) = certified(puzzle, &limits()) {
            let proof = verified(puzzle, &certificate, &Limits::default());
            let proof = proof.unwrap_or_else(|refusal| panic!("{refusal}: {text}"));
            assert!(proof.confirms(&solution), "{proof}, {solution:?}: {text}");
        }
        let line = puzzle.to_json(|_| false);
        let mut again = Puzzle::empty();
        assert_eq!(json::read_line(line.as_bytes(), 1, &mut again), Ok(true));
        let same = Board::read(&again)
            .expect("it is the same board")
            .solve(&limits());
        assert_eq!(
            (same.verdict(), same.states),
            (deep.verdict(), deep.states),
            "{line}"
        );
    });
}

fn agrees_with_oracle(ruleset: &str, text: &str, wide: &Solution) {
    let rows: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with(';'))
        .map(str::to_owned)
        .collect();
    let board = oracle::Board::new(&rows);
    let length = match &wide.evidence {
        Evidence::Line(line) => Some(line.chars().count()),
        _ => None,
    };
    if ruleset == "jimmy" {
        if let Ok(shortest) = oracle::jimmy(&board) {
            assert_eq!(length, shortest, "{text}");
        }
    } else if ruleset == "baddies" {
        match oracle::baddies(&board) {
            Fate::Escape(moves) => assert_eq!(length, Some(moves), "{text}"),
            Fate::Caught(survives) => {
                assert_eq!(wide.evidence, Evidence::Survives(survives.into()), "{text}");
            }
        }
    }
}

/// The glyphs that cells may have in each ruleset, and the glyphs each of which is then placed once.
const GLYPHS: [(&str, &[u8], &[u8]); 4] = [
    ("jimmy", b"....##g.", b"o"),
    ("baddies", b"    ++#mM~", b"*H"),
    ("maze", b".....ABab**R", b"R"),
    ("dungeon", b"....|-DGZ..", b"EP"),
];

/// Builds a board from one byte each for its ruleset, rows, columns, unique glyphs and cells; `None` if the bytes end
/// before those for cells.
fn drawn(bytes: &[u8]) -> Option<String> {
    let [ruleset, rows, cols, rest @ ..] = bytes else {
        return None;
    };
    let (name, glyphs, single) = GLYPHS[usize::from(*ruleset) % GLYPHS.len()];
    let (rows, cols) = (1 + usize::from(*rows) % 5, 2 + usize::from(*cols) % 5);
    let places = rest.get(..single.len())?;
    let mut cells: Vec<u8> = (0..rows * cols)
        .map(|cell| rest.get(single.len() + cell).copied().unwrap_or(0))
        .map(|byte| glyphs[usize::from(byte) % glyphs.len()])
        .collect();
    for (&glyph, &place) in single.iter().zip(places) {
        let place = usize::from(place) % cells.len();
        cells[place] = glyph;
    }
    let mut text = format!("; ruleset: {name}\n");
    for row in cells.chunks(cols) {
        text.extend(row.iter().map(|&glyph| char::from(glyph)));
        text.push('\n');
    }
    Some(text)
}
