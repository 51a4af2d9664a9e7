use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

fn limit(result: Result<(), BoardError>) -> Option<Limit> {
    result.err().and_then(|error| error.limit())
}

#[test]
fn the_first_limit_reached_refuses_all_further_work() {
    let stop = AtomicBool::new(true);
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(Limits {
        max_memory: Some(100),
        stop: Some(&stop),
        ..Limits::default()
    });
    assert_eq!(puzzle.work(100), Ok(()));
    assert_eq!(puzzle.take(60), Ok(()));
    assert_eq!(puzzle.limits_left().max_memory, Some(40));
    assert_eq!(limit(puzzle.take(60)), Some(Limit::Memory));
    assert_eq!(limit(puzzle.work(0)), Some(Limit::Memory));
    assert_eq!(limit(puzzle.work(u64::MAX)), Some(Limit::Memory));
    assert_eq!(limit(puzzle.check_limits()), Some(Limit::Memory));
    puzzle.allowance.renew();
    assert_eq!(puzzle.check_limits(), Ok(()));
    assert_eq!(limit(puzzle.work(u64::MAX)), Some(Limit::Interrupt));
    stop.store(false, Ordering::Relaxed);
    assert_eq!(limit(puzzle.work(1)), Some(Limit::Interrupt));
    assert_eq!(limit(puzzle.take(1)), Some(Limit::Interrupt));
}

#[test]
fn pieces_of_a_text_end_at_a_limit() {
    let stop = AtomicBool::new(false);
    let mut puzzle = Puzzle::empty();
    puzzle.set_limits(Limits {
        stop: Some(&stop),
        ..Limits::default()
    });
    let text = vec![0; 3 * STRIDE + 5];
    assert_eq!(puzzle.work(GRACE), Ok(()));
    let mut pieces = puzzle.pieces(&text);
    assert_eq!(pieces.next().map(<[u8]>::len), Some(STRIDE));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(pieces.next(), None);
    drop(pieces);
    puzzle.allowance.renew();
    stop.store(false, Ordering::Relaxed);
    let read: usize = puzzle.pieces(&text).map(<[u8]>::len).sum();
    assert_eq!(read, text.len());
}
