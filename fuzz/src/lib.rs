//! What must hold of any bytes, and the independent programs that it is held against.

#[path = "../../tests/library/evidence.rs"]
mod evidence;
#[path = "../../tests/library/oracle.rs"]
mod oracle;
#[path = "../../tests/library/pieces.rs"]
mod pieces;
pub mod targets;
