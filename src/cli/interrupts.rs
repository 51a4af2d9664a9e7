//! Ctrl-C, and what else asks the program to end: the first time it does so with what it has found, the
//! second time at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Signals so soon after the first one belong to it: `timeout` sends one to a program and the same one
/// to its group.
const ONE_REQUEST: Duration = Duration::from_millis(500);
/// How often it is looked whether an interrupt has come.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The exit code of a program that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// From now on the first interrupt sets these flags in their order, and a later one ends the program.
pub fn set(flags: &[&Arc<AtomicBool>]) -> Result<()> {
    let [first, again] = [(); 2].map(|()| Arc::default());
    register(flags, &first, &again)
        .and_then(|()| wait_for_the_first(first, again))
        .context("can't listen for interrupts")
}

fn register(
    flags: &[&Arc<AtomicBool>],
    first: &Arc<AtomicBool>,
    again: &Arc<AtomicBool>,
) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(again))?;
        for flag in flags.iter().copied().chain([first]) {
            flag::register(signal, Arc::clone(flag))?;
        }
    }
    Ok(())
}

/// Sets `again` when the first request has had its time. (This thread looks for itself, since signals that
/// are sent on to it would take open files.)
fn wait_for_the_first(first: Arc<AtomicBool>, again: Arc<AtomicBool>) -> io::Result<()> {
    let wait = move || {
        while !first.load(Ordering::SeqCst) {
            thread::sleep(POLL_INTERVAL);
        }
        thread::sleep(ONE_REQUEST);
        again.store(true, Ordering::SeqCst);
    };
    thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(wait)?;
    Ok(())
}
