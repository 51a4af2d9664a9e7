//! The switch of mutants: `WOVEN` holds the number of the active one. `WOVEN_REACH` instead names a file for the
//! numbers of all mutants reached.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const MOST: usize = 1 << 16;
const NONE: usize = MOST;
const REACH: usize = MOST + 1;

static ACTIVE: OnceLock<usize> = OnceLock::new();
static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// Returns whether this mutant is active; at compile time, none is.
#[inline(always)]
pub const fn on(number: usize) -> bool {
    std::intrinsics::const_eval_select((number,), never, now)
}

const fn never(_: usize) -> bool {
    false
}

#[inline(always)]
fn now(number: usize) -> bool {
    let active = *ACTIVE.get_or_init(active);
    active == number || active == REACH && reached(number)
}

fn active() -> usize {
    if std::env::var_os("WOVEN_REACH").is_some() {
        return REACH;
    }
    let number = std::env::var("WOVEN").ok();
    number.map_or(NONE, |number| number.parse().expect("WOVEN is a number"))
}

#[cold]
#[inline(never)]
fn reached(number: usize) -> bool {
    if !REACHED[number].swap(true, Relaxed) {
        let path = std::env::var_os("WOVEN_REACH").expect("it was there before");
        let mut options = std::fs::OpenOptions::new();
        let file = options.append(true).create(true).open(path);
        // If the file cannot be opened here, another call will record the mutant.
        let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    }
    false
}
