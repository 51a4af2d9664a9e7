//! Everything that the program prints.

pub mod census;
pub mod comparison;
pub mod diagnostic;
pub mod markdown;
pub mod measured;
pub mod picture;
pub mod printer;
pub mod progress;
pub mod ratings;
pub mod report;
pub mod statistics;
pub mod summary;
pub mod table;
pub mod text;
pub mod trace;
