//! The properties that the fuzz targets check, shared with the tests of the library.

#[path = "../tests/library/evidence.rs"]
mod evidence;
#[path = "../tests/library/oracle.rs"]
mod oracle;
#[path = "../tests/library/pieces.rs"]
mod pieces;
#[path = "../tests/library/targets.rs"]
pub mod targets;
