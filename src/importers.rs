//! Boards in the formats of other projects.

pub mod snarl;
