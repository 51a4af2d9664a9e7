//! Compares the smallest sufficient memory limit with the heap use.

use std::cell::RefCell;

use getaway::Board;
use getaway_board::limits::Limits;
use getaway_board::puzzle::stream::Chunks;
use getaway_play::solution::{Solution, Verdict};
use getaway_testing::measure;

use crate::boards::{from_json, from_text, lines};
use crate::evidence::{certified, verified};
use getaway_testing::sized;

/// The heap use, in bytes, that is too small to count.
const LITTLE: u64 = 2_000;
const UNPACKING: u64 = 130_000;

fn with_memory(bytes: u64) -> Limits<'static> {
    Limits {
        max_memory: Some(bytes),
        threads: 1,
        ..Limits::default()
    }
}

/// Returns the smallest sufficient memory limit, to within a thirtieth.
fn min(is_enough: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, 64);
    while !is_enough(high) {
        (low, high) = (high, 2 * high);
        assert!(high < 1 << 40, "it is never enough");
    }
    while high - low > 1 + high / 32 {
        let middle = u64::midpoint(low, high);
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Asserts that the smallest sufficient limit covers the heap use except for `untold` bytes, and is at most `max` times
/// as large.
#[track_caller]
fn assert_told(max: f64, untold: u64, is_done: impl Fn(u64) -> bool) {
    let told = min(&is_done);
    let taken = measure(|| assert!(is_done(told))).bytes_max;
    assert!(
        told + untold >= taken && told as f64 <= max * taken as f64,
        "told {told}, taken {taken} bytes"
    );
}

fn drawn(first: &str, glyph: &str, side: usize) -> String {
    let row = glyph.repeat(side) + "\n";
    let rest = glyph.repeat(side - first.len());
    format!("{first}{rest}\n{}", row.repeat(side - 1))
}

#[test]
fn reading_boards_takes_the_reported_memory() {
    let theseus = |side: usize| {
        let edge = "+-".repeat(side) + "+\n";
        let row = |cells: &str| format!("|{cells}{}|\n", " ".repeat(2 * side - 1 - cells.len()));
        let rest = row("").repeat(2 * side - 2);
        format!("; ruleset: theseus\n{edge}{}{rest}{edge}", row("T M E"))
    };
    for (max, text) in [
        (1.04, drawn("o", "#", 500)),
        (1.04, drawn("H*", "+", 500)),
        (1.04, drawn("R", ".", 500)),
        (1.9, drawn("PE", "-", 500)),
        (1.8, theseus(250)),
    ] {
        let puzzle = RefCell::new(from_text(&text));
        assert_told(max, LITTLE, |memory| {
            puzzle.borrow_mut().set_limits(with_memory(memory));
            let error = Board::read(&puzzle.borrow()).err();
            let is_limit = error.as_ref().is_some_and(|error| error.limit().is_some());
            assert!(is_limit || error.is_none(), "it is a board");
            error.is_none()
        });
    }
}

#[test]
fn checking_certificates_takes_the_reported_memory() {
    const SIDE: usize = sized(40, 70);
    let walled = |first: &str, wall: &str| {
        let row = |inner: &str| format!("{wall}{inner}{}{wall}\n", ".".repeat(SIDE - inner.len()));
        let edge = wall.repeat(SIDE + 2) + "\n";
        format!("{edge}{}{}{edge}", row(first), row("").repeat(SIDE - 1))
    };
    let edge = "-".repeat(SIDE + 2);
    let floor = format!("|{}|\n", ".".repeat(SIDE)).repeat(SIDE);
    let room = format!("{edge}\n{}{edge}E\n", floor.replacen('.', "P", 1));
    let way = format!("R{}*\n", ".".repeat(300));
    let ghosts = "------------\n|P..D..|...E\n|G..|..D..G|\n|...|..|..K|\n------------\n";
    for text in [
        "; ruleset: jimmy\n".to_owned() + &walled("o", "#"),
        "; ruleset: jimmy\n".to_owned() + &walled("o..g", "#"),
        walled("H", "+") + "*\n",
        way + &format!("{}\n", ".".repeat(302)).repeat(SIDE),
        room,
        ghosts.to_owned(),
    ] {
        let puzzle = from_text(&text);
        let (certificate, _) = certified(&puzzle, &Limits::default()).unwrap();
        let mut board = None;
        let read = measure(|| board = Some(Board::read(&puzzle).unwrap()));
        // The board and its copy for playing have separate limits.
        let untold = LITTLE + UNPACKING + 2 * read.bytes_current as u64;
        assert_told(1.8, untold, |memory| {
            verified(&puzzle, &certificate, &with_memory(memory)).is_ok()
        });
    }
}

#[test]
fn games_of_mazes_take_the_reported_memory() {
    let text = drawn("R*", ".", 300);
    let board = Board::read(&from_text(&text)).unwrap();
    assert_told(1.2, LITTLE, |memory| {
        let limits = with_memory(memory);
        let session = board.game().session(1, &limits);
        session.is_ok()
    });
}

#[test]
fn searches_take_the_reported_memory() {
    // In the short tests, even small searches work in blocks, which take extra memory.
    let max = sized(2.5, 1.2);
    let boards = lines("baddies.jsonl");
    let id = sized("\"std-0036\"", "\"std-0037\"");
    let board = boards.iter().find(|line| line.contains(id));
    let board = Board::read(&from_json(board.unwrap())).unwrap();
    let is_decided = |solution: Solution| solution.verdict() == Verdict::Caught;
    assert_told(max, LITTLE, |memory| {
        is_decided(board.solve(&with_memory(memory)))
    });
    assert_told(max, LITTLE, |memory| {
        is_decided(board.solve_shortest(&with_memory(memory)))
    });
}

#[test]
fn blank_lines_are_not_kept_until_there_is_a_board() {
    let text = "\n".repeat(sized(4 << 20, 40 << 20)) + "#o\n";
    let taken = measure(|| {
        let mut chunks = Chunks::new(text.as_bytes(), None).with_max_memory(Some(10_000));
        let mut last = Vec::new();
        while let Some(chunk) = chunks.read().unwrap() {
            last = chunk.text().to_vec();
        }
        assert!(last.ends_with(b"#o\n"));
    });
    assert!(taken.bytes_max < 2 << 20, "{}", taken.bytes_max);
}
