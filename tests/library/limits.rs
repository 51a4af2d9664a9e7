//! Limits during reading apply before a board ends, and memory is counted before it is allocated.

use std::sync::atomic::AtomicBool;

use getaway::Board;
use getaway_board::fault::BoardError;
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::stream::{ChunkError, Chunks};
use getaway_board::puzzle::text::Boards;
use getaway_board::puzzle::{Puzzle, json};

use getaway_testing::sized;

/// Returns a board so large that reading it checks the clock.
fn large(first: &str, glyph: &str) -> String {
    const SIDE: usize = 2200;
    let rest = |count: usize| glyph.repeat(count) + "\n";
    let front = format!("{first}{}", rest(SIDE - first.len()));
    front + &rest(SIDE).repeat(SIDE - 1)
}

fn kinds() -> Vec<(&'static str, String)> {
    let list = "0,".repeat(2_200_000);
    vec![
        ("jimmy", large("o", "#")),
        ("baddies", large("H*", "+")),
        ("maze", large("R", ".")),
        ("maze in a list", format!("[2,{list}-1]\n")),
        ("dungeon", large("PE", "-")),
        ("theseus", large("T", "#")),
        ("none", large("", "?")),
    ]
}

fn read(text: &str) -> Puzzle<'_> {
    let mut puzzle = Puzzle::empty();
    assert!(
        Boards::new(text.as_bytes(), 1)
            .read(&mut puzzle)
            .expect("it is a board")
    );
    puzzle
}

fn limit<T>(result: Result<T, BoardError>) -> Option<Limit> {
    result.err().and_then(|error| error.limit())
}

fn stopped(stop: &AtomicBool) -> Limits<'_> {
    Limits {
        stop: Some(stop),
        ..Limits::default()
    }
}

fn with_memory(bytes: u64) -> Limits<'static> {
    Limits {
        max_memory: Some(bytes),
        ..Limits::default()
    }
}

#[test]
fn a_stop_ends_the_reading_of_a_large_text_and_the_next_board_is_read() {
    let stop = AtomicBool::new(true);
    let large = large("o", "#");
    let text = format!("{large}\n#o\n");
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(stopped(&stop));
    let mut boards = Boards::new(text.as_bytes(), 1);
    assert_eq!(limit(boards.read(&mut puzzle)), Some(Limit::Interrupt));
    assert_eq!(boards.read(&mut puzzle), Ok(true));
    assert_eq!((puzzle.line, &*puzzle.rows[0].text), (2202, &b"#o"[..]));
    assert_eq!(boards.read(&mut puzzle), Ok(false));
}

#[test]
fn a_stop_ends_the_reading_of_a_large_json_line() {
    let stop = AtomicBool::new(true);
    let rows = "\"####\",".repeat(700_000);
    let line = format!("{{\"id\": 7, \"rows\": [{rows}\"#o##\"]}}");
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(stopped(&stop));
    let read = json::read_line(line.as_bytes(), 1, &mut puzzle);
    assert_eq!(limit(read), Some(Limit::Interrupt));
    puzzle.set_limits(Limits::default());
    assert_eq!(json::read_line(line.as_bytes(), 1, &mut puzzle), Ok(true));
    assert_eq!(puzzle.rows.len(), 700_001);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_stop_interrupts_a_ruleset_reading_a_large_board() {
    for (kind, text) in kinds() {
        let stop = AtomicBool::new(true);
        let mut puzzle = read(&text);
        puzzle.set_limits(stopped(&stop));
        let heard = limit(Board::read(&puzzle).map(|_| ()));
        assert_eq!(heard, Some(Limit::Interrupt), "{kind}");
    }
}

#[test]
fn a_deadline_limits_reading() {
    let text = large("o", "#");
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    });
    let read = Boards::new(text.as_bytes(), 1).read(&mut puzzle);
    assert_eq!(limit(read), Some(Limit::Time));
}

#[test]
fn memory_is_counted_before_a_ruleset_allocates() {
    for (kind, text) in kinds() {
        if kind == "none" {
            continue;
        }
        let mut puzzle = read(&text);
        puzzle.set_limits(with_memory(500_000));
        let full = limit(Board::read(&puzzle).map(|_| ()));
        assert_eq!(full, Some(Limit::Memory), "{kind}");
    }
}

#[test]
fn short_rows_count_as_long_as_they_are_filled_up() {
    let (side, memory) = sized((2_000, 4 << 20), (10_000, 100 << 20));
    let text = format!("P{}E\n{}", " ".repeat(side), "-\n".repeat(side));
    assert!(text.len() < 4 * side);
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(with_memory(memory));
    assert_eq!(
        Boards::new(text.as_bytes(), 1).read(&mut puzzle),
        Ok(true),
        "as written it is small"
    );
    let full = limit(Board::read(&puzzle).map(|_| ()));
    assert_eq!(full, Some(Limit::Memory));
}

#[test]
fn rows_and_text_reduce_the_memory_left() {
    let text = "o\n".repeat(1000) + "\no\n";
    let read = |max| {
        let mut puzzle = Puzzle::empty();
        puzzle.set_limits(with_memory(max));
        let mut boards = Boards::new(text.as_bytes(), 1);
        let first = limit(boards.read(&mut puzzle).map(|_| ()));
        let left = puzzle.limits_left().max_memory;
        // With the next board, the limit starts over.
        assert_eq!(boards.read(&mut puzzle), Ok(true));
        (first, left.expect("there is a limit"))
    };
    assert_eq!(read(20_000).0, Some(Limit::Memory));
    let (first, left) = read(1 << 20);
    assert_eq!(first, None);
    // The board has 2,000 bytes of text, and a thousand rows of a few dozen bytes each.
    assert!((1 << 19..(1 << 20) - 20_000).contains(&left), "{left}");
}

#[test]
fn a_text_larger_than_the_memory_is_skipped_with_that_limit() {
    let text = format!("#o\n\n{}\n#o#\n", "#\n".repeat(100_000));
    let mut chunks = Chunks::new(text.as_bytes(), None).with_max_memory(Some(1000));
    let mut told = Vec::new();
    loop {
        match chunks.read() {
            Ok(None) => break,
            Ok(Some(chunk)) => told.push(Ok((chunk.text().to_vec(), chunk.line))),
            Err(ChunkError::Board(error)) => told.push(Err(error.limit())),
            Err(ChunkError::Io(error)) => panic!("{error}"),
        }
    }
    assert_eq!(
        told,
        [
            Ok((b"#o\n\n".to_vec(), 1)),
            Err(Some(Limit::Memory)),
            Ok((b"#o#\n".to_vec(), 100_004)),
        ]
    );
    // One read buffer is always allowed.
    let mut chunks = Chunks::new(&b"#o\n"[..], None).with_max_memory(Some(1));
    assert!(matches!(chunks.read(), Ok(Some(_))));
}
