//! What tests take from the heap, to hold against what is told of it.

use allocation_counter::measure;

/// What is so little that it need not be told, in bytes.
const LITTLE: u64 = 256;

/// Counts what a table holds while it grows.
#[derive(Default)]
pub(crate) struct Measured {
    /// How many bytes it holds.
    held: u64,
}

impl Measured {
    /// Counts from here what a table holds that was made like this.
    pub(crate) fn after(make: impl FnOnce()) -> Self {
        let held = u64::try_from(measure(make).bytes_current);
        Self {
            held: held.expect("no more is given back than was taken"),
        }
    }

    /// Asserts that this makes the table take as many bytes as was told, whatever is there only while it grows
    /// included: at most [`LITTLE`] more, and at most a `share` of them less.
    #[track_caller]
    pub(crate) fn assert_takes(&mut self, told: u64, share: f64, grow: impl FnOnce()) {
        let grown = measure(grow);
        let taken = self.held + grown.bytes_max;
        let held = self.held.checked_add_signed(grown.bytes_current);
        self.held = held.expect("no more is given back than was held");
        assert!(
            taken <= told + LITTLE && taken as f64 >= (1.0 - share) * told as f64,
            "{taken} of {told} bytes that were told"
        );
    }
}
