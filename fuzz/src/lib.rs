//! What must hold of any bytes, and the independent programs that it is held against.

#[path = "../../tests/library/at_once.rs"]
mod at_once;
#[path = "../../tests/library/evidence.rs"]
mod evidence;
#[path = "../../tests/library/oracle.rs"]
mod oracle;
#[path = "../../tests/library/pieces.rs"]
mod pieces;
#[path = "../../tests/library/hostile/targets.rs"]
pub mod targets;
