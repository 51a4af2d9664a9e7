//! What numbers that were read can be counts.

/// Whether anybody can have counted so far. Many such numbers can be added up.
pub const fn can_be(count: u64) -> bool {
    count < 1 << 48
}
