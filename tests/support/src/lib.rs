//! Helpers for the tests of all packages.

mod measured;

pub use allocation_counter::{AllocationInfo, measure};
pub use measured::Measured;

/// Returns `all` if the feature `exhaustive` is on, so that long tests run in full; otherwise `few`.
pub const fn sized<T: Copy>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}
