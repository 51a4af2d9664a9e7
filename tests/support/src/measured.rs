//! Heap measurements, to compare with counted memory in tests.

use allocation_counter::measure;

/// The number of bytes that may remain uncounted.
const LITTLE: u64 = 256;

/// The heap memory that a test holds.
#[derive(Default)]
pub struct Measured {
    held: u64,
}

impl Measured {
    /// Measures the memory that `make` keeps.
    pub fn after(make: impl FnOnce()) -> Self {
        let held = u64::try_from(measure(make).bytes_current);
        Self {
            held: held.expect("at most the memory taken is given back"),
        }
    }

    /// Asserts that the memory held at the peak of `grow` exceeds `told` bytes by at most [`LITTLE`], or falls short of them by
    /// at most the fraction `share`.
    #[track_caller]
    pub fn assert_takes(&mut self, told: u64, share: f64, grow: impl FnOnce()) {
        let grown = measure(grow);
        let taken = self.held + grown.bytes_max;
        let held = self.held.checked_add_signed(grown.bytes_current);
        self.held = held.expect("at most the memory held is given back");
        assert!(
            taken <= told + LITTLE && taken as f64 >= (1.0 - share) * told as f64,
            "{taken} of {told} bytes that were told"
        );
    }
}
