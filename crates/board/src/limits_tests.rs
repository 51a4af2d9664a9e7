use super::*;

#[test]
fn a_stop_ends_the_first_work_and_later_work_within_the_pace() {
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let mut clock = Clock::new(&limits);
    assert_eq!(clock.work(0), Err(Limit::Interrupt));
    stop.store(false, Ordering::Relaxed);
    let mut clock = Clock::new(&limits);
    assert_eq!(clock.work(1), Ok(()));
    stop.store(true, Ordering::Relaxed);
    let heard = (0..Clock::PACE).find(|_| clock.work(100).is_err());
    assert!(heard.is_some());
}

#[test]
fn work_beyond_the_pace_checks_the_time() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let mut clock = Clock::new(&limits);
    assert_eq!(clock.work(u64::MAX), Ok(()));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(clock.work(u64::MAX), Err(Limit::Interrupt));
}
