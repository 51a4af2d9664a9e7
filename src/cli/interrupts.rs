//! Ctrl-C and SIGTERM: the first signal ends searches, and the second ends the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Signals within this time count as one, since `timeout` signals both a program and its process group.
const ONE_REQUEST: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
const INTERRUPTED: i32 = 130;

/// Sets these flags in order at the first interrupt. A later interrupt ends the program.
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

/// Polls until the first signal, since forwarding signals would use up open files.
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
