//! What the program prints.

pub mod analysis;
pub mod cast;
pub mod diagnostic;
pub mod explain;
pub mod json;
pub mod markdown;
pub mod printer;
pub mod progress;
pub mod records;
pub mod statistics;
pub mod summary;
pub mod text;
pub mod trace;
pub mod words;
