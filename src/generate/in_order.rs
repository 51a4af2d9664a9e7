//! Parallel work whose results are passed on in order, each as soon as possible.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Passes the results of `work` for the numbers below `count` to `then`, in order.
pub fn in_order<T: Send>(
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    then: impl FnMut(T) + Send,
) {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((BTreeMap::new(), 0, then));
    let numbers = (0..count).into_par_iter().with_max_len(1);
    numbers.for_each(|_| {
        // The lowest numbers come first, whichever threads are free.
        let number = next.fetch_add(1, Ordering::Relaxed);
        let result = work(number);
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        let (waiting, passed, then) = &mut *results;
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(passed) {
            *passed += 1;
            then(result);
        }
    });
}

#[cfg(test)]
mod tests {
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
}
