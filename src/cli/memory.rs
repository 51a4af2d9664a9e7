//! How much memory all searches together may take.

use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What the searches may take, in bytes: as much as was asked for, or half of what is free.
pub fn limit(asked: Option<ByteSize>) -> u64 {
    asked.map_or_else(|| free() / 2, |size| size.as_u64())
}

/// The memory that the machine has free, or the control group that this process runs in, in bytes.
fn free() -> u64 {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory));
    let machine = match system.available_memory() {
        // A system that does not say how much memory it has has enough for ordinary boards.
        0 => UNKNOWN,
        free => free,
    };
    match system.cgroup_limits() {
        Some(group) if group.total_memory > 0 => machine.min(group.free_memory),
        _ => machine,
    }
}

/// What is taken to be free where the system does not say, in bytes.
const UNKNOWN: u64 = 4 << 30;
