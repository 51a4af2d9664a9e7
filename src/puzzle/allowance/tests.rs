use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

#[test]
fn the_first_limit_ends_everything() {
    let stop = AtomicBool::new(true);
    let allowance = Allowance::of(Limits {
        max_memory: Some(100),
        stop: Some(&stop),
        ..Limits::default()
    });
    assert_eq!(allowance.work(100), Ok(()));
    assert_eq!(allowance.take(60), Ok(()));
    assert_eq!(allowance.rest().max_memory, Some(40));
    assert_eq!(allowance.take(60), Err(Limit::Memory));
    assert_eq!(allowance.work(0), Err(Limit::Memory));
    assert_eq!(allowance.work(u64::MAX), Err(Limit::Memory));
    assert_eq!(allowance.reached(), Some(Limit::Memory));
    allowance.renew();
    assert_eq!(allowance.work(u64::MAX), Err(Limit::Interrupt));
    stop.store(false, Ordering::Relaxed);
    assert_eq!(allowance.work(1), Err(Limit::Interrupt));
    assert_eq!(allowance.take(1), Err(Limit::Interrupt));
}

#[test]
fn a_text_ends_where_a_limit_is_reached() {
    let stop = AtomicBool::new(false);
    let allowance = Allowance::of(Limits {
        stop: Some(&stop),
        ..Limits::default()
    });
    let text = vec![0; 3 * Allowance::STRIDE + 5];
    assert_eq!(allowance.work(Allowance::GRACE), Ok(()));
    let mut pieces = allowance.pieces(&text);
    assert_eq!(pieces.next().map(<[u8]>::len), Some(Allowance::STRIDE));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(pieces.next(), None);
    allowance.renew();
    stop.store(false, Ordering::Relaxed);
    let read: usize = allowance.pieces(&text).map(<[u8]>::len).sum();
    assert_eq!(read, text.len());
}
