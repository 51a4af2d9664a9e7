use std::sync::mpsc;
use std::time::Duration;

use super::*;

#[test]
fn results_come_in_order() {
    let mut passed = Vec::new();
    in_order(100, |number| number * number, |square| passed.push(square));
    assert!(
        passed
            .into_iter()
            .eq((0..100).map(|number| number * number))
    );
}

/// The second piece of work waits until the result of the first one has been passed on.
#[test]
fn no_result_waits_for_later_ones() {
    let (sender, first) = mpsc::channel();
    let first = Mutex::new(first);
    let work = |number| {
        let patience = Duration::from_secs(60);
        number == 0 || first.lock().unwrap().recv_timeout(patience) == Ok(true)
    };
    let mut passed = Vec::new();
    in_order(2, work, |is_in_time| {
        passed.push(is_in_time);
        let _ = sender.send(is_in_time);
    });
    assert_eq!(passed, [true, true]);
}
