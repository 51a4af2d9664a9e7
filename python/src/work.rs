//! Runs long work: releases the interpreter's lock, responds to Ctrl-C, and turns panics into exceptions.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use getaway::Limits;
use getaway::cli::default_memory;
use getaway::cli::panics::{ADVICE, caught};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::objects::exception;

const PAUSE: Duration = Duration::from_millis(50);

/// Runs `work`, and raises `getaway.InternalError` if it panics.
pub fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    caught(work).map_err(|panic| internal(py, &panic))
}

pub fn internal(py: Python<'_>, panic: &str) -> PyErr {
    let message = format!("{panic}; {ADVICE}");
    exception(py, "InternalError", (message,))
}

/// Runs `work` on its own thread, and waits for its end or for a signal. If a signal's handler raises, as for Ctrl-C,
/// sets the flag of `work` and raises the exception once `work` returns.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (stop, is_done) = (&AtomicBool::new(false), &AtomicBool::new(false));
    let waiting = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let result = caught(|| work(stop));
            is_done.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        let mut raised = None;
        while !is_done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(PAUSE));
            if let Err(error) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        let result = py.detach(|| worker.join()).expect("panics are caught");
        match raised {
            Some(error) => Err(error),
            None => result.map_err(|panic| internal(py, &panic)),
        }
    })
}

/// Returns a pool of this many threads; by default, one per core. A shared pool would have no threads after a fork.
pub fn pool(threads: Option<usize>) -> PyResult<ThreadPool> {
    let threads = threads.unwrap_or_else(cores);
    if !(1..=1024).contains(&threads) {
        return Err(PyValueError::new_err("`threads` must be from 1 to 1024"));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyValueError::new_err(error.to_string()))
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The limits, as Python passes them.
#[derive(Clone, Copy)]
pub struct SearchLimits {
    timeout: Option<f64>,
    max_memory: Option<u64>,
    max_states: Option<u64>,
    width: Option<f64>,
}

impl SearchLimits {
    pub fn new(
        timeout: Option<f64>,
        max_memory: Option<u64>,
        max_states: Option<u64>,
        width: Option<f64>,
    ) -> PyResult<Self> {
        if timeout.is_some_and(|seconds| Duration::try_from_secs_f64(seconds).is_err()) {
            return Err(PyValueError::new_err(
                "`timeout` must be at least 0 seconds",
            ));
        }
        if width.is_some_and(|width| !(0.0..=1.0).contains(&width)) {
            return Err(PyValueError::new_err("`width` must be between 0 and 1"));
        }
        Ok(Self {
            timeout,
            max_memory: Some(max_memory.unwrap_or_else(default_memory)),
            max_states,
            width,
        })
    }

    /// Runs a search on all cores.
    pub fn run<T: Send>(
        self,
        py: Python<'_>,
        search: impl FnOnce(&Limits) -> T + Send,
    ) -> PyResult<T> {
        let pool = pool(None)?;
        interruptible(py, |stop| pool.install(|| search(&self.limits(stop, 1))))
    }

    /// Returns the limits of each of `searches` simultaneous searches, timed from now.
    pub fn limits<'s>(&self, stop: &'s AtomicBool, searches: usize) -> Limits<'s> {
        let timeout = self
            .timeout
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits {
            max_states: self.max_states,
            max_memory: self.max_memory.map(|bytes| bytes / searches as u64),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            stop: Some(stop),
            width: self.width,
            threads: (cores() / searches).max(1),
            ..Limits::default()
        }
    }
}
