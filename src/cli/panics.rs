//! Catches panics: the board at fault gets an error, and all others still get answers.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The nesting depth of this thread's [`caught`] calls.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Silences the panics that [`caught`] catches, unless `RUST_BACKTRACE` is set.
pub fn keep_quiet() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PLACE.set(info.location().map(ToString::to_string));
        if DEPTH.get() == 0 || std::env::var_os("RUST_BACKTRACE").is_some() {
            default(info);
        }
    }));
}

/// Returns the result of `work`.
///
/// # Errors
///
/// Returns the message and location of a panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    // Each search clears or overwrites the tables that an earlier board left, so later boards never see unfinished work.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let place = PLACE.take().unwrap_or_else(|| "an unknown place".into());
        format!("internal error: {} (at {place})", message(&*payload))
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// The advice that follows the message of an internal error.
pub const ADVICE: &str = "this is a bug in getaway: please report it together with the board";

/// Panics in a debug build if the environment variable `GETAWAY_TEST_PANIC` is `name`.
pub fn on_purpose(name: &str) {
    #[cfg(debug_assertions)]
    assert!(
        std::env::var_os("GETAWAY_TEST_PANIC").is_none_or(|expected| expected != name),
        "a panic on purpose"
    );
    let _ = name;
}
