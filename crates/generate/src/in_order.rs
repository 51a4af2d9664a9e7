//! Parallel work whose results are passed on in order of their numbers, each as soon as possible.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

pub fn in_order<T: Send>(
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    then: impl FnMut(T) + Send,
) {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((BTreeMap::new(), 0, then));
    let numbers = (0..count).into_par_iter().with_max_len(1);
    numbers.for_each(|_| {
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
#[path = "in_order_tests.rs"]
mod tests;
